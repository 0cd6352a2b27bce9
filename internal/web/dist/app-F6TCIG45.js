import"./chunk-3DYU5Y5G.js";
