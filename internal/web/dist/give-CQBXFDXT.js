import{a,b}from"./chunk-W7VIL2VD.js";import"./chunk-TETIJ5LP.js";import"./chunk-NTEWFTF2.js";export{b as Give,a as UserField};
