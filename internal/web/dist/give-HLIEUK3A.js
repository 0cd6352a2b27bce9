import{a,b}from"./chunk-ZNITV4JE.js";import"./chunk-KCFPTUA7.js";import"./chunk-XE44KXM2.js";export{b as Give,a as UserField};
