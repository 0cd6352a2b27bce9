import{a,b}from"./chunk-O7PR66ZH.js";import"./chunk-D6LD2RH7.js";import"./chunk-TRGQ7ERU.js";export{a as DateField,b as DayField};
