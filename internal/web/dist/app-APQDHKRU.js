import"./chunk-NIUOLYMP.js";
