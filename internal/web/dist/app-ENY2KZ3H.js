import"./chunk-VS3EXAIA.js";
