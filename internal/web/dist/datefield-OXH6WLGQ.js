import{a,b}from"./chunk-5D2EXWK2.js";import"./chunk-ZGJTDD7D.js";import"./chunk-UAQHKZD3.js";export{a as DateField,b as DayField};
