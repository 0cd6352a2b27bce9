import{a,b,c}from"./chunk-GDP2AWBO.js";import"./chunk-XE44KXM2.js";export{c as archive,a as these,b as update};
