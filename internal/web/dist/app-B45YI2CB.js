import"./chunk-GS2UUHZM.js";
