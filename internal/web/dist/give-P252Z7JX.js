import{a,b}from"./chunk-4CEIRLL7.js";import"./chunk-Y7HAMUY2.js";import"./chunk-WFMJC5PY.js";export{b as Give,a as UserField};
