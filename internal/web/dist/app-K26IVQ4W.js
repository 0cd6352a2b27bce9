import"./chunk-72KUF55T.js";
