import{a,b,c}from"./chunk-XKAR4CAZ.js";import"./chunk-3DYU5Y5G.js";export{b as downloadZip,c as makeZip,a as predictLength};
