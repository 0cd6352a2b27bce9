import{a,b}from"./chunk-LT7NCSRB.js";import"./chunk-7FBNXGIQ.js";import"./chunk-NIUOLYMP.js";export{a as DateField,b as DayField};
