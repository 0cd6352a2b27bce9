import"./chunk-73QCCPW3.js";
