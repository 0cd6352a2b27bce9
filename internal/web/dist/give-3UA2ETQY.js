import{a,b}from"./chunk-UH3243PG.js";import"./chunk-4Y423OWU.js";import"./chunk-62YV5GNJ.js";export{b as Give,a as UserField};
