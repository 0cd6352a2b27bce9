import{a,b}from"./chunk-YRABXNVD.js";import"./chunk-NS3PHSAN.js";import"./chunk-BLZXJSPK.js";export{a as DateField,b as DayField};
