import{a,b,c}from"./chunk-Y23N6GR3.js";import"./chunk-OYUWV7EC.js";export{c as archive,a as these,b as update};
