import{a,b}from"./chunk-46BFQHIO.js";import"./chunk-UUD3KA64.js";import"./chunk-BLZXJSPK.js";export{b as Give,a as UserField};
