import"./chunk-VCSZMV2F.js";
