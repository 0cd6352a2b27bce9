import"./chunk-BXA2JJ6V.js";
