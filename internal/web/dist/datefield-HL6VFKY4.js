import{a,b}from"./chunk-UZ5SKY6W.js";import"./chunk-2L5WTB2R.js";import"./chunk-OUG2CPQP.js";export{a as DateField,b as DayField};
