import"./chunk-ZWWMNO2N.js";
