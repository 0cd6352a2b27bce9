import{a,b,c}from"./chunk-MSUZ72NB.js";import"./chunk-MCIBBOOG.js";export{c as archive,a as these,b as update};
