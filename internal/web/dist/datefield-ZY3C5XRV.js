import{a,b}from"./chunk-J3TP5DSQ.js";import"./chunk-ZTNW6SUT.js";import"./chunk-BXA2JJ6V.js";export{a as DateField,b as DayField};
