import{a,b}from"./chunk-IWT4BBXW.js";import"./chunk-56OBR3ST.js";import"./chunk-OJWYDKY6.js";export{a as DateField,b as DayField};
