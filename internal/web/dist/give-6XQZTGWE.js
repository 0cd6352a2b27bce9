import{a,b}from"./chunk-23GLV3B7.js";import"./chunk-T73LPW2I.js";import"./chunk-ZPSD5QKT.js";export{b as Give,a as UserField};
