import{a,b}from"./chunk-56U6FBB6.js";import"./chunk-K3WM43PJ.js";import"./chunk-NPD5A6PB.js";export{b as Give,a as UserField};
