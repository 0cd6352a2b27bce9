import{a,b}from"./chunk-V3DOL7U6.js";import"./chunk-7AJW3CQ4.js";import"./chunk-3MHDXEBF.js";export{b as Give,a as UserField};
