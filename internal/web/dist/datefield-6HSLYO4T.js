import{a,b}from"./chunk-NJL5VAJX.js";import"./chunk-YFQQJIPK.js";import"./chunk-3MHDXEBF.js";export{a as DateField,b as DayField};
