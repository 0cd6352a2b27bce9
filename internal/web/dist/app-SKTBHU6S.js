import"./chunk-SAZ273Y3.js";
