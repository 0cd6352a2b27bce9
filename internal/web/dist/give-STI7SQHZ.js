import{a,b}from"./chunk-SQIHLZJF.js";import"./chunk-O4RR57V5.js";export{b as Give,a as UserField};
