import"./chunk-BLZXJSPK.js";
