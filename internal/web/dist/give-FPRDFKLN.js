import{a,b}from"./chunk-6LHR3RLY.js";import"./chunk-LU4TYZVZ.js";export{b as Give,a as UserField};
