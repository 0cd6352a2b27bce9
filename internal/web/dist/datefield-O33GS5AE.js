import{a,b}from"./chunk-UVNNFEK7.js";import"./chunk-HWMQJCYP.js";import"./chunk-O4RR57V5.js";export{a as DateField,b as DayField};
