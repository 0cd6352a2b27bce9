import{a,b}from"./chunk-73CLXHFK.js";import"./chunk-KRINPP7Q.js";import"./chunk-KKXQAD3I.js";export{b as Give,a as UserField};
