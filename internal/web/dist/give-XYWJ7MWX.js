import{a,b}from"./chunk-R4BM6DS6.js";import"./chunk-I52D3NO7.js";import"./chunk-GS2UUHZM.js";export{b as Give,a as UserField};
