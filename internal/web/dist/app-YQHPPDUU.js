import"./chunk-OUG2CPQP.js";
