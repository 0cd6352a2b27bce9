import"./chunk-LD747BCO.js";
