import{a,b}from"./chunk-VXB7G5YN.js";import"./chunk-Z4SDZ7WM.js";import"./chunk-QS43BEAD.js";export{a as DateField,b as DayField};
