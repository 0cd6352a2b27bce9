import"./chunk-5RJPQ6WF.js";
