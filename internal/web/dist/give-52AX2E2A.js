import{a,b}from"./chunk-DCD3TSXZ.js";import"./chunk-SWGQDTAH.js";import"./chunk-5QV7RIQF.js";export{b as Give,a as UserField};
