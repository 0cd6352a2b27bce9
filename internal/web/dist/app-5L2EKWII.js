import"./chunk-WNNCRJBJ.js";
