import"./chunk-RK7AES4L.js";
