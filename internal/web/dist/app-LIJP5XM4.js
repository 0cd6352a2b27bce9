import"./chunk-3NWMQTXF.js";
