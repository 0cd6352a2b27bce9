import{a,b,c}from"./chunk-7ZNI2L5V.js";import"./chunk-VYYL47CL.js";export{c as archive,a as these,b as update};
