import"./chunk-2BHFAPFG.js";
