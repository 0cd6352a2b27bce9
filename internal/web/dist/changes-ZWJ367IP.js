import{a,b,c}from"./chunk-CL6NAED3.js";import"./chunk-AK4UR6EY.js";export{c as archive,a as these,b as update};
