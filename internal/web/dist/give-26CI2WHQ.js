import{a,b}from"./chunk-EMFR7U64.js";import"./chunk-UIRYTHGR.js";export{b as Give,a as UserField};
