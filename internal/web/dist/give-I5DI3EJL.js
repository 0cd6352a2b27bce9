import{a,b}from"./chunk-HK7BKEDZ.js";import"./chunk-H4M7ONTJ.js";import"./chunk-CDB2ZIFP.js";export{b as Give,a as UserField};
