import"./chunk-MCIBBOOG.js";
