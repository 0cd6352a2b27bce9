import{a,b}from"./chunk-SO23HWD2.js";import"./chunk-N6HLG34W.js";import"./chunk-NPD5A6PB.js";export{a as DateField,b as DayField};
