import"./chunk-XIKAXZLH.js";
