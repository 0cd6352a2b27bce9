import"./chunk-63A44BM4.js";
