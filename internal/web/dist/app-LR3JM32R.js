import"./chunk-GHCZYQCX.js";
