import{a,b}from"./chunk-4POS2I7I.js";import"./chunk-U267MKMW.js";export{b as Give,a as UserField};
