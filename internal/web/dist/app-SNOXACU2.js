import"./chunk-ZPSD5QKT.js";
