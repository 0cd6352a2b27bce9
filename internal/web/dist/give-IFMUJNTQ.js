import{a,b}from"./chunk-JBKDL27C.js";import"./chunk-ONBJMXJQ.js";import"./chunk-73QCCPW3.js";export{b as Give,a as UserField};
