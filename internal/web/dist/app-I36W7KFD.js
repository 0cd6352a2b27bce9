import"./chunk-WFMJC5PY.js";
