import{a,b,c}from"./chunk-VKYQASK2.js";import"./chunk-ZWWMNO2N.js";export{c as archive,a as these,b as update};
