import{a,b}from"./chunk-CRMWGUYH.js";import"./chunk-EIOG7RMX.js";import"./chunk-U267MKMW.js";export{a as DateField,b as DayField};
