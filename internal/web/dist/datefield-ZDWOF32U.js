import{a,b}from"./chunk-W6NVIAQP.js";import"./chunk-B7NEEQQT.js";import"./chunk-XCYS4X3M.js";export{a as DateField,b as DayField};
