import{a,b,c}from"./chunk-XKAR4CAZ.js";import"./chunk-UJOC7W3D.js";export{b as downloadZip,c as makeZip,a as predictLength};
