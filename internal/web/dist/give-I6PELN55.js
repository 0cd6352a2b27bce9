import{a,b}from"./chunk-R6YK55XC.js";import"./chunk-AHJOUNQ3.js";export{b as Give,a as UserField};
