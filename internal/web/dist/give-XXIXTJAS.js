import{a,b}from"./chunk-TPY4GFN2.js";import"./chunk-WNNCRJBJ.js";export{b as Give,a as UserField};
