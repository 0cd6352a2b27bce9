import{a,b,c}from"./chunk-HNO2SNSL.js";export{b as downloadZip,c as makeZip,a as predictLength};
