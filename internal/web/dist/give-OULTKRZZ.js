import{a,b}from"./chunk-YGY3NWBN.js";import"./chunk-TTNXKRAY.js";import"./chunk-XCYS4X3M.js";export{b as Give,a as UserField};
