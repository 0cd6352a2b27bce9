import{a,b}from"./chunk-IUNPIDLM.js";import"./chunk-UW6BMVCC.js";import"./chunk-ZPSD5QKT.js";export{a as DateField,b as DayField};
