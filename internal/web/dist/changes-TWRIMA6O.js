import{a,b,c}from"./chunk-VXZVVYZB.js";import"./chunk-UAQHKZD3.js";export{c as archive,a as these,b as update};
