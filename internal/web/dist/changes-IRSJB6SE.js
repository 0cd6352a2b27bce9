import{a,b,c}from"./chunk-FI5SUP4U.js";import"./chunk-3MHDXEBF.js";export{c as archive,a as these,b as update};
