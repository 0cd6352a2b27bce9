import"./chunk-T5QJKFSV.js";
