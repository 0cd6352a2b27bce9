import{a,b,c}from"./chunk-LXSDBOC6.js";import"./chunk-PBDHJDBW.js";export{c as archive,a as these,b as update};
