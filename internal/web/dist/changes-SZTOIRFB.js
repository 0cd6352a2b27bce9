import{a,b,c}from"./chunk-EDLB3P52.js";import"./chunk-NPD5A6PB.js";export{c as archive,a as these,b as update};
