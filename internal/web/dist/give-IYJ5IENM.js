import{a,b}from"./chunk-PR634FMK.js";import"./chunk-BXA2JJ6V.js";export{b as Give,a as UserField};
