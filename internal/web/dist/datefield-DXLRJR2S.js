import{a,b}from"./chunk-64PLLM3W.js";import"./chunk-DQFDURHL.js";import"./chunk-GHCZYQCX.js";export{a as DateField,b as DayField};
