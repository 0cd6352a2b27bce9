import{a,b,c}from"./chunk-XKAR4CAZ.js";import"./chunk-UAQHKZD3.js";export{b as downloadZip,c as makeZip,a as predictLength};
