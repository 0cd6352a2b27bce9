import"./chunk-SEIJGZ7X.js";
