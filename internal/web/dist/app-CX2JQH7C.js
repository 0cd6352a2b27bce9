import"./chunk-IEPOQJS4.js";
