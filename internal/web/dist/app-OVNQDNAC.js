import"./chunk-NTEWFTF2.js";
