import"./chunk-WRVY2Q5P.js";
