import"./chunk-GEVPT6AZ.js";
