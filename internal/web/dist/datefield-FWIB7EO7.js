import{a,b}from"./chunk-V2EKZT6S.js";import"./chunk-U6U4G6EZ.js";import"./chunk-OYUWV7EC.js";export{a as DateField,b as DayField};
