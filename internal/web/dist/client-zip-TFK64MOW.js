import{a,b,c}from"./chunk-HPNXP7MK.js";export{b as downloadZip,c as makeZip,a as predictLength};
