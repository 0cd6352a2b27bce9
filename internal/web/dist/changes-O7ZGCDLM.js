import{a,b,c}from"./chunk-PUWYZEO3.js";import"./chunk-73AMKZGQ.js";export{c as archive,a as these,b as update};
