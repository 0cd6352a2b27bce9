import{a,b,c}from"./chunk-XKAR4CAZ.js";import"./chunk-CQ3APC3Q.js";export{b as downloadZip,c as makeZip,a as predictLength};
