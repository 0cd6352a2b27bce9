import{a,b,c}from"./chunk-MUDNF6W3.js";import"./chunk-62YV5GNJ.js";export{c as archive,a as these,b as update};
