import{a,b}from"./chunk-X4WLQ5WX.js";import"./chunk-US535QSP.js";import"./chunk-OYUWV7EC.js";export{b as Give,a as UserField};
