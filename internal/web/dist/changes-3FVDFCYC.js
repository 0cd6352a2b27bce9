import{a,b,c}from"./chunk-QLYYKUKQ.js";import"./chunk-5RJPQ6WF.js";export{c as archive,a as these,b as update};
