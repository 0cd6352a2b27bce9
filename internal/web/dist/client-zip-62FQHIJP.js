import{a,b,c}from"./chunk-XKAR4CAZ.js";import"./chunk-63A44BM4.js";export{b as downloadZip,c as makeZip,a as predictLength};
