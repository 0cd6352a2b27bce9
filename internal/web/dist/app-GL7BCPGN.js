import"./chunk-XE44KXM2.js";
