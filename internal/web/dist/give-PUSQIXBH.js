import{a,b}from"./chunk-QA67TRZT.js";import"./chunk-2BHFAPFG.js";export{b as Give,a as UserField};
