import{a,b}from"./chunk-MRT6FW6I.js";import"./chunk-2XDRVQRH.js";import"./chunk-2BHFAPFG.js";export{a as DateField,b as DayField};
