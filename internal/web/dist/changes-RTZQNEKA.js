import{a,b,c}from"./chunk-O6ZARRG6.js";import"./chunk-GHCZYQCX.js";export{c as archive,a as these,b as update};
