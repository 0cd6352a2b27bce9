import{a,b}from"./chunk-ZR2S5OZA.js";import"./chunk-TWQCZLY5.js";import"./chunk-2P6PNTOS.js";export{b as Give,a as UserField};
