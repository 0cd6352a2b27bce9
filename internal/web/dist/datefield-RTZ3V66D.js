import{a,b}from"./chunk-ZCWNDOF3.js";import"./chunk-TUALRKBJ.js";import"./chunk-CDB2ZIFP.js";export{a as DateField,b as DayField};
