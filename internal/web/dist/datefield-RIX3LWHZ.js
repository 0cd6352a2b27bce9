import{a,b}from"./chunk-I7S5KJ4F.js";import"./chunk-ENVUIOEX.js";import"./chunk-5QV7RIQF.js";export{a as DateField,b as DayField};
