import{a,b,c}from"./chunk-3UX4565R.js";import"./chunk-3SZAOFPV.js";export{c as archive,a as these,b as update};
