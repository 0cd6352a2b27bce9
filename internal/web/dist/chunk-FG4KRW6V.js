import{g as t}from"./chunk-T63LDOMM.js";var e={url:"",options:null,isOpen:!1},o=t(e),r=s=>o.set({...o.get(),...s}),p=()=>o.set(e),c=t(""),l=t(null);export{o as a,r as b,p as c,c as d,l as e};
