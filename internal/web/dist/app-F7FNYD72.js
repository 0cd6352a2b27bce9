import"./chunk-62YV5GNJ.js";
