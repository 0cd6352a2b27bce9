import{a,b}from"./chunk-PA2ZNABD.js";import"./chunk-DSNID2RD.js";import"./chunk-OUG2CPQP.js";export{b as Give,a as UserField};
