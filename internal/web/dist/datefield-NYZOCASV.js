import{a,b}from"./chunk-DGLK7RX4.js";import"./chunk-BLWIDKFN.js";import"./chunk-XE44KXM2.js";export{a as DateField,b as DayField};
