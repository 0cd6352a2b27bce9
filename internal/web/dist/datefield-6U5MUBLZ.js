import{a,b}from"./chunk-THCF66SH.js";import"./chunk-4TTHAK2K.js";import"./chunk-ZWWMNO2N.js";export{a as DateField,b as DayField};
