import"./chunk-QKNOUYFT.js";
