import{a,b}from"./chunk-VP7DAENW.js";import"./chunk-5NVTAO4V.js";import"./chunk-PBDHJDBW.js";export{b as Give,a as UserField};
