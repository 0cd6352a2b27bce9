import{a,b}from"./chunk-U5ETRO7O.js";import"./chunk-QLKZGR34.js";export{b as Give,a as UserField};
