import{a,b}from"./chunk-PYGP724G.js";import"./chunk-FFSM4JKU.js";import"./chunk-VYYL47CL.js";export{a as DateField,b as DayField};
