import"./chunk-73AMKZGQ.js";
