import{a,b,c}from"./chunk-W2A3NWXZ.js";import"./chunk-UJOC7W3D.js";export{c as archive,a as these,b as update};
