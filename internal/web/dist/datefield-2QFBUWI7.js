import{a,b}from"./chunk-KXCC72T6.js";import"./chunk-EJZZDA3A.js";import"./chunk-WNNCRJBJ.js";export{a as DateField,b as DayField};
