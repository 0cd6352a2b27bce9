import{a,b}from"./chunk-OZLLYQNN.js";import"./chunk-UPZETXFW.js";import"./chunk-72KUF55T.js";export{b as Give,a as UserField};
