import{a,b,c}from"./chunk-HEHSXRKW.js";import"./chunk-WFMJC5PY.js";export{c as archive,a as these,b as update};
