import{a,b}from"./chunk-MZYZDCBZ.js";import"./chunk-SCRUUY2J.js";import"./chunk-LF74LXKP.js";export{a as DateField,b as DayField};
