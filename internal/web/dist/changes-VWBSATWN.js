import{a,b,c}from"./chunk-WVU4DAHW.js";import"./chunk-GS2UUHZM.js";export{c as archive,a as these,b as update};
