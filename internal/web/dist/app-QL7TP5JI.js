import"./chunk-PBDHJDBW.js";
