import{a,b}from"./chunk-D3OUOWEP.js";import"./chunk-37VVROLS.js";import"./chunk-SAZ273Y3.js";export{a as DateField,b as DayField};
