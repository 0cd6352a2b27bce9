import"./chunk-KJPMWQX3.js";
