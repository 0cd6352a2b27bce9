import{a,b,c}from"./chunk-XKAR4CAZ.js";import"./chunk-RK7AES4L.js";export{b as downloadZip,c as makeZip,a as predictLength};
