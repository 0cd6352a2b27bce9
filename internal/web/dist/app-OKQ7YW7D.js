import"./chunk-Q2N7SMLN.js";
