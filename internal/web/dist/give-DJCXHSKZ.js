import{a,b}from"./chunk-YBYAQAS4.js";import"./chunk-MOA5FDGY.js";import"./chunk-QS43BEAD.js";export{b as Give,a as UserField};
