import{a,b}from"./chunk-2ARMZBR5.js";import"./chunk-WBLN66OK.js";import"./chunk-LD747BCO.js";export{b as Give,a as UserField};
