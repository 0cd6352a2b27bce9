import{a,b,c}from"./chunk-QM75TUMW.js";import"./chunk-2P6PNTOS.js";export{c as archive,a as these,b as update};
