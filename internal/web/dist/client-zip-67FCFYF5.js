import{a,b,c}from"./chunk-XKAR4CAZ.js";import"./chunk-72KUF55T.js";export{b as downloadZip,c as makeZip,a as predictLength};
