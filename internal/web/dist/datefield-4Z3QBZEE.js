import{a,b}from"./chunk-F7DCH5GH.js";import"./chunk-SKIHVOXL.js";import"./chunk-UJOC7W3D.js";export{a as DateField,b as DayField};
