import{a,b}from"./chunk-4QJZFAMU.js";import"./chunk-S3WRPNFZ.js";import"./chunk-NTEWFTF2.js";export{a as DateField,b as DayField};
