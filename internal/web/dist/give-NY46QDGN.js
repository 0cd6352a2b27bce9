import{a,b}from"./chunk-KP4WBMQ5.js";import"./chunk-6ZFLJV2A.js";export{b as Give,a as UserField};
