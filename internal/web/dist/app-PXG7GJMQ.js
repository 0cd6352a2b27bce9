import"./chunk-TRGQ7ERU.js";
