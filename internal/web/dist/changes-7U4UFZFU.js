import{a,b,c}from"./chunk-ZU5MYJ5E.js";import"./chunk-TRGQ7ERU.js";export{c as archive,a as these,b as update};
