import{a,b}from"./chunk-YRY4JAIM.js";import"./chunk-P5EN3BJZ.js";import"./chunk-LD747BCO.js";export{a as DateField,b as DayField};
