import{a,b}from"./chunk-5JQWLM37.js";import"./chunk-ICQINKAH.js";import"./chunk-AK4UR6EY.js";export{b as Give,a as UserField};
