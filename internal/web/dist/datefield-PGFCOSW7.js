import{a,b}from"./chunk-4HTXMFPI.js";import"./chunk-YXBWWU55.js";import"./chunk-AHJOUNQ3.js";export{a as DateField,b as DayField};
