import{a,b,c}from"./chunk-XKAR4CAZ.js";import"./chunk-GS2UUHZM.js";export{b as downloadZip,c as makeZip,a as predictLength};
