import"./chunk-QS43BEAD.js";
