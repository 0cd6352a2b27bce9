import"./chunk-5QV7RIQF.js";
