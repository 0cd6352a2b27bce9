import{a,b,c}from"./chunk-TCQDQJHK.js";import"./chunk-LF74LXKP.js";export{c as archive,a as these,b as update};
