import"./chunk-PEDEYF6G.js";
