import{a,b}from"./chunk-32WNAJ5L.js";import"./chunk-GMFCXQ5S.js";import"./chunk-UJOC7W3D.js";export{b as Give,a as UserField};
