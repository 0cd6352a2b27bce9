import{a,b,c}from"./chunk-XKAR4CAZ.js";import"./chunk-O4RR57V5.js";export{b as downloadZip,c as makeZip,a as predictLength};
