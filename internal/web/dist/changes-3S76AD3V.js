import{a,b,c}from"./chunk-SLR2QKUN.js";import"./chunk-WRVY2Q5P.js";export{c as archive,a as these,b as update};
