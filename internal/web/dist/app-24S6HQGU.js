import"./chunk-LU4TYZVZ.js";
