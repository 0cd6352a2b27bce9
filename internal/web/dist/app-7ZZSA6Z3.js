import"./chunk-CDB2ZIFP.js";
