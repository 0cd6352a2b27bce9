import{a,b}from"./chunk-SXDWFG4R.js";import"./chunk-RK7AES4L.js";export{b as Give,a as UserField};
