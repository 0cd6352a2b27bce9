import"./chunk-VYYL47CL.js";
