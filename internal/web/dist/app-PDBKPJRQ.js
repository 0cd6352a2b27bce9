import"./chunk-CQ3APC3Q.js";
