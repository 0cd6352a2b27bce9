import{a,b,c}from"./chunk-XKAR4CAZ.js";import"./chunk-5QV7RIQF.js";export{b as downloadZip,c as makeZip,a as predictLength};
