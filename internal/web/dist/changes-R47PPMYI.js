import{a,b,c}from"./chunk-VQVNAD4Z.js";import"./chunk-73QCCPW3.js";export{c as archive,a as these,b as update};
