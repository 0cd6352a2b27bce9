import{a,b}from"./chunk-FBZD5R3A.js";import"./chunk-CQ3APC3Q.js";export{b as Give,a as UserField};
