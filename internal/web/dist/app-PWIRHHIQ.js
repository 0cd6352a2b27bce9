import"./chunk-UAQHKZD3.js";
