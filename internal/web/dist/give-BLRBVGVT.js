import{a,b}from"./chunk-5GEAY2XR.js";import"./chunk-3DYU5Y5G.js";export{b as Give,a as UserField};
