import{a,b,c}from"./chunk-XKAR4CAZ.js";import"./chunk-LU4TYZVZ.js";export{b as downloadZip,c as makeZip,a as predictLength};
