import{a,b}from"./chunk-EZYKYVAJ.js";import"./chunk-V7B2VZ6X.js";import"./chunk-UAQHKZD3.js";export{b as Give,a as UserField};
