import"./chunk-UJOC7W3D.js";
