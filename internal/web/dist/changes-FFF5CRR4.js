import{a,b,c}from"./chunk-QPG6SLF3.js";import"./chunk-ZPSD5QKT.js";export{c as archive,a as these,b as update};
