import{a,b,c}from"./chunk-Y4YUIS33.js";import"./chunk-QS43BEAD.js";export{c as archive,a as these,b as update};
