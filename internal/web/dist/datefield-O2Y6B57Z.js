import{a,b}from"./chunk-MCYK3JEC.js";import"./chunk-VQJW4BVP.js";import"./chunk-MCIBBOOG.js";export{a as DateField,b as DayField};
