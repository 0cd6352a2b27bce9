import"./chunk-KKXQAD3I.js";
