import{a,b}from"./chunk-VUGCRNP7.js";import"./chunk-OJWYDKY6.js";export{b as Give,a as UserField};
