import"./chunk-K3XEI2G2.js";
