import{a,b}from"./chunk-TRCO6GTN.js";import"./chunk-BXH6G6BW.js";import"./chunk-WFMJC5PY.js";export{a as DateField,b as DayField};
