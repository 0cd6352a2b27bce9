import"./chunk-VOVEOBID.js";
