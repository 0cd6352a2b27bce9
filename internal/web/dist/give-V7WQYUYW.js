import{a,b}from"./chunk-TLFASEXB.js";import"./chunk-RMLAKTFL.js";import"./chunk-5RJPQ6WF.js";export{b as Give,a as UserField};
