import{a,b}from"./chunk-73EONFGC.js";import"./chunk-Y4QFUN2I.js";import"./chunk-73QCCPW3.js";export{a as DateField,b as DayField};
