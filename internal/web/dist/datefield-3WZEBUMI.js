import{a,b}from"./chunk-4ANSF5QC.js";import"./chunk-5AY5N6J6.js";import"./chunk-4CYTZMLX.js";export{a as DateField,b as DayField};
