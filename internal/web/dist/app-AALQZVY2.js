import"./chunk-4CYTZMLX.js";
