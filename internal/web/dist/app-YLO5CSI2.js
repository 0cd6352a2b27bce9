import"./chunk-AK4UR6EY.js";
