import"./chunk-XCYS4X3M.js";
