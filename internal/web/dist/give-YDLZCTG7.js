import{a,b}from"./chunk-DB5WDC6B.js";import"./chunk-GKIJJ45Z.js";import"./chunk-WRVY2Q5P.js";export{b as Give,a as UserField};
