import{a,b}from"./chunk-WW6P75QQ.js";import"./chunk-T2KNEZQX.js";import"./chunk-RK7AES4L.js";export{a as DateField,b as DayField};
