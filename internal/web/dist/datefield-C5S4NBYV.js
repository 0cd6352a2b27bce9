import{a,b}from"./chunk-7FYE2CI6.js";import"./chunk-BMW6Z3OU.js";import"./chunk-62YV5GNJ.js";export{a as DateField,b as DayField};
