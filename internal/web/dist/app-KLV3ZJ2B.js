import"./chunk-UIRYTHGR.js";
