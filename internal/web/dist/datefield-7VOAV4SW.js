import{a,b}from"./chunk-KEVP7SKH.js";import"./chunk-3JNGSLEC.js";import"./chunk-72KUF55T.js";export{a as DateField,b as DayField};
