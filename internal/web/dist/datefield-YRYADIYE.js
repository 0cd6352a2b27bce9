import{a,b}from"./chunk-5SP4XLX7.js";import"./chunk-JU6TBE2J.js";import"./chunk-2P6PNTOS.js";export{a as DateField,b as DayField};
