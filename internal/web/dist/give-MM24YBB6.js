import{a,b}from"./chunk-FV4SI6D5.js";import"./chunk-6GWYKSF3.js";import"./chunk-3SZAOFPV.js";export{b as Give,a as UserField};
