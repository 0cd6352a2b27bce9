import{a,b}from"./chunk-C2RDR5WK.js";import"./chunk-LW7QO5JQ.js";import"./chunk-AK4UR6EY.js";export{a as DateField,b as DayField};
