import{a,b,c}from"./chunk-XNN5OG5K.js";import"./chunk-72KUF55T.js";export{c as archive,a as these,b as update};
