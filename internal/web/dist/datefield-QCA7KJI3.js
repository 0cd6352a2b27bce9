import{a,b}from"./chunk-DBV7QL57.js";import"./chunk-4OKHGAKE.js";import"./chunk-WRVY2Q5P.js";export{a as DateField,b as DayField};
