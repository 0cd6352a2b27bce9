import{a,b}from"./chunk-MBQRILVR.js";import"./chunk-OUCWTHHP.js";import"./chunk-3SZAOFPV.js";export{a as DateField,b as DayField};
