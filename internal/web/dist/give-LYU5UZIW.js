import{a,b}from"./chunk-42KVZFET.js";import"./chunk-IUMZAHGU.js";import"./chunk-NIUOLYMP.js";export{b as Give,a as UserField};
