import"./chunk-6ZFLJV2A.js";
