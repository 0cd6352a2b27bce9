import{a,b}from"./chunk-ITBDEP7L.js";import"./chunk-GNVBELXB.js";import"./chunk-VYYL47CL.js";export{b as Give,a as UserField};
