import"./chunk-3MHDXEBF.js";
