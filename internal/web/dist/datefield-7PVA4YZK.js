import{a,b}from"./chunk-UCREQYL7.js";import"./chunk-VKV65B5H.js";import"./chunk-6ZFLJV2A.js";export{a as DateField,b as DayField};
