import{a,b,c}from"./chunk-XODUJPKM.js";import"./chunk-5QV7RIQF.js";export{c as archive,a as these,b as update};
