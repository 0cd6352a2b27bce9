import"./chunk-2P6PNTOS.js";
