import{a,b,c}from"./chunk-SK54BSKL.js";import"./chunk-NIUOLYMP.js";export{c as archive,a as these,b as update};
