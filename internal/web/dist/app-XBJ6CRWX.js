import"./chunk-OYUWV7EC.js";
