import{a,b,c}from"./chunk-4QDXFEL5.js";import"./chunk-XCYS4X3M.js";export{c as archive,a as these,b as update};
