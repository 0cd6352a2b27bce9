import{a,b}from"./chunk-PQNCIE7P.js";import"./chunk-7HN7DR3R.js";import"./chunk-5RJPQ6WF.js";export{a as DateField,b as DayField};
