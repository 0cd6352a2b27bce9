import{a,b}from"./chunk-FO7VSN5G.js";import"./chunk-7DWRHG76.js";import"./chunk-ZWWMNO2N.js";export{b as Give,a as UserField};
