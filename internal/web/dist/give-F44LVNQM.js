import{a,b}from"./chunk-FNO4FKGL.js";import"./chunk-S55IIFQ6.js";import"./chunk-73AMKZGQ.js";export{b as Give,a as UserField};
