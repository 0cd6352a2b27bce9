import{a,b}from"./chunk-4NABQUWV.js";import"./chunk-SAZ273Y3.js";export{b as Give,a as UserField};
