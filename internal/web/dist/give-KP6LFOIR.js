import{a,b}from"./chunk-JXCWNVIE.js";import"./chunk-BG7OJ3ZQ.js";import"./chunk-LF74LXKP.js";export{b as Give,a as UserField};
