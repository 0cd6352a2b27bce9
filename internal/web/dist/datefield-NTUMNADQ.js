import{a,b}from"./chunk-JCKCVYKU.js";import"./chunk-GGQV2XRC.js";import"./chunk-KKXQAD3I.js";export{a as DateField,b as DayField};
