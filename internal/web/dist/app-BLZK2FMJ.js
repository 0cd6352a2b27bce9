import"./chunk-5A36RALC.js";
