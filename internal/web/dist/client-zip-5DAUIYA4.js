import{a,b,c}from"./chunk-XKAR4CAZ.js";import"./chunk-K3XEI2G2.js";export{b as downloadZip,c as makeZip,a as predictLength};
