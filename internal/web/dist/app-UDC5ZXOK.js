import"./chunk-OJWYDKY6.js";
