import{a,b}from"./chunk-KKN7LJI4.js";import"./chunk-SRIUBBX2.js";import"./chunk-MCIBBOOG.js";export{b as Give,a as UserField};
