import{a,b}from"./chunk-NZXJJZE3.js";import"./chunk-OI26BGCW.js";import"./chunk-PBDHJDBW.js";export{a as DateField,b as DayField};
