import{a,b,c}from"./chunk-MC6SB4EZ.js";import"./chunk-4CYTZMLX.js";export{c as archive,a as these,b as update};
