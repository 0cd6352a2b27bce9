import{a,b}from"./chunk-MCSTM2F3.js";import"./chunk-VVCANAUX.js";import"./chunk-CQ3APC3Q.js";export{a as DateField,b as DayField};
