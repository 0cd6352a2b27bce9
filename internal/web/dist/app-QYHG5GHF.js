import"./chunk-AHJOUNQ3.js";
