import"./chunk-3SZAOFPV.js";
