import{a,b,c}from"./chunk-OSPTYJTF.js";import"./chunk-BLZXJSPK.js";export{c as archive,a as these,b as update};
