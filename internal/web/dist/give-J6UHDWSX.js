import{a,b}from"./chunk-PR3DW7IA.js";import"./chunk-7KUK4VIJ.js";import"./chunk-TRGQ7ERU.js";export{b as Give,a as UserField};
