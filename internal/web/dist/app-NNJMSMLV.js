import"./chunk-U267MKMW.js";
