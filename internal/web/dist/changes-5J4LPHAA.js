import{a,b,c}from"./chunk-4DJD4Y7S.js";import"./chunk-CDB2ZIFP.js";export{c as archive,a as these,b as update};
