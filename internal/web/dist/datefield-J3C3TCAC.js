import{a,b}from"./chunk-CBFGDAIO.js";import"./chunk-Q2YS6IDX.js";import"./chunk-73AMKZGQ.js";export{a as DateField,b as DayField};
