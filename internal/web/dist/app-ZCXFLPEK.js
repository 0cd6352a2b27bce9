import"./chunk-NPD5A6PB.js";
