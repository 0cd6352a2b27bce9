import{a as c}from"./chunk-72OCHUFX.js";import{F as l,G as s,b as m,h as r,i as o}from"./chunk-T63LDOMM.js";var t=["system","light","dark"];function y(){let[e,a]=m(document.documentElement.dataset.theme??"system"),i=()=>{let n=t[(t.indexOf(e)+1)%t.length];a(n),n==="system"?delete document.documentElement.dataset.theme:document.documentElement.dataset.theme=n;try{localStorage.setItem("terse-theme",n)}catch{}};return o`<${s} icon=${e}
    label=${`Theme: ${e} (click for ${t[(t.indexOf(e)+1)%t.length]})`}
    onClick=${i} />`}function $(){let e=r(c);return e==="up"?null:o`<div class="away" role="alert"><${l} name="alert" />
    ${e==="offline"?"You're offline. We'll reconnect when you're back.":"Can't reach the server. Retrying…"}</div>`}export{y as a,$ as b};
