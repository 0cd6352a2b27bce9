import{a,b,c}from"./chunk-X56KXRFC.js";import"./chunk-KKXQAD3I.js";export{c as archive,a as these,b as update};
