import"./chunk-QLKZGR34.js";
