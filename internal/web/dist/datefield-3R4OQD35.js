import{a,b}from"./chunk-NGQ3C66V.js";import"./chunk-DQ3U2WIG.js";import"./chunk-GS2UUHZM.js";export{a as DateField,b as DayField};
