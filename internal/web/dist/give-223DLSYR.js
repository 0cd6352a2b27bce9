import{a,b}from"./chunk-MAW5WUQA.js";import"./chunk-SLPNUPLW.js";import"./chunk-4CYTZMLX.js";export{b as Give,a as UserField};
