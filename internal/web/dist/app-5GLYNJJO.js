import"./chunk-O4RR57V5.js";
