import"./chunk-LF74LXKP.js";
