import{a,b}from"./chunk-AEHIMMP7.js";import"./chunk-6ZINFEM5.js";import"./chunk-GHCZYQCX.js";export{b as Give,a as UserField};
