import{a,b,c}from"./chunk-XKAR4CAZ.js";import"./chunk-SEIJGZ7X.js";export{b as downloadZip,c as makeZip,a as predictLength};
