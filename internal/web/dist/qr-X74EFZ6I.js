import{a as T,b as G,c as H,d as w,e as _,f as j}from"./chunk-HNTWF4B4.js";import{$ as s,A as y,B as O,G as z,a as m,aa as k,b as f,d as B,da as E,e as D,ia as P,ja as Q,ka as U,ra as C,v}from"./chunk-UIRYTHGR.js";var J="terse-qr";var b={color:"#000000",background:"#ffffff",margin:4,level:"M",medium:!1,size:1024,logo:""};function ae(n){let a;try{a=JSON.parse(n)}catch{}let e={color:t=>/^#[0-9a-f]{6}$/.test(t),background:t=>/^#[0-9a-f]{6}$/.test(t),margin:t=>Number.isInteger(t)&&t>=0&&t<=20,level:t=>/^[LMQH]$/.test(t),medium:t=>typeof t=="boolean",size:t=>[512,1024,2048].includes(t),logo:t=>/^data:image\/png;base64,[\w+/=]+$/.test(t)&&t.length<=204800};return Object.fromEntries(Object.entries(b).map(([t,l])=>[t,e[t](a?.[t])?a[t]:l]))}function V(){try{return ae(localStorage.getItem(J))}catch{return b}}function F(n){try{localStorage.setItem(J,JSON.stringify(n))}catch{}}var le=Array.from({length:21},(n,a)=>a),re=!!(globalThis.ClipboardItem&&navigator.clipboard?.write),se=[512,1024,2048];function ye({code:n,onClose:a}){let[e,t]=m(V),[l,g]=m(null),[c,u]=m(""),[d,x]=m(!1),[q,X]=E(),$=l?"H":e.level,I=T(n)+(e.medium?"?utm_medium=qr":""),h=D(()=>H(I,$,e.margin),[I,$,e.margin]),p=o=>{let r={...e,...o};t(r),x(!1),F(r)},i=o=>r=>p({[o]:r});f(()=>{e.logo&&W(ie(e.logo)).then(g,()=>p({logo:""}))},[]);let Y=async o=>{let[r]=o.target.files;if(r)try{let A=await W(r),M=A.toDataURL("image/png"),N=M.length<=204800;g(A),p({logo:N?M:""}),u(N?"":"The logo is too large to be remembered for the next code.")}catch{u("This browser can't read that picture.")}},Z=()=>{g(null),p({logo:""})},S=j(e.color,e.background)<3&&"Scanners may fail: the code has to be much darker than its background.",L=n.replaceAll("/","-"),ee=()=>C(`${L}.svg`,_(h,e,l),"image/svg+xml"),R=()=>new Promise(o=>{let r=document.createElement("canvas");w(r,h,e,l,e.size).toBlob(o)}),te=async()=>C(`${L}.png`,await R()),oe=async()=>{try{await navigator.clipboard.write([new ClipboardItem({"image/png":R()})]),x(!0),P("Image copied")}catch{u("Couldn't copy the image. Download it instead.")}};return s`<${Q} label=${`QR code for ${v(n)}`} class="qr" onClose=${a}>
    <${U} onClose=${a}>QR code<//>
    <${ge} drawn=${h} style=${e} logo=${l}
      label=${`QR code for ${y(n)}`} />
    <p class="mono center">${O}/<bdi>${v(n)}</bdi></p>
    <div class="qr-style">
      <${K} label="Colour" value=${e.color} onChange=${i("color")} />
      <${K} label="Background" value=${e.background} onChange=${i("background")} />
      <label>Margin<select class="field" value=${e.margin}
        onChange=${o=>i("margin")(Number(o.target.value))}>${le.map(o=>s`<option key=${o} value=${o}>${o}</option>`)}</select></label>
      <label>Error correction<select class="field" value=${$} disabled=${!!l}
        onChange=${o=>i("level")(o.target.value)}>${G.map(([o,r])=>s`<option key=${o} value=${o}>${o}, ${r} %</option>`)}</select></label>
    </div>
    <div class="qr-logo"><label class="button" for="qr-logo">
        ${l?"Another logo":"Add a logo"}</label>
      <input id="qr-logo" class="unseen" type="file" accept="image/*" onChange=${Y} />
      ${l&&s`<button type="button" class="text-button"
        onClick=${Z}>Remove the logo</button>`}</div>
    <label class="check"><input type="checkbox" checked=${e.medium}
      onChange=${o=>i("medium")(o.target.checked)} />
      Count scans apart from clicks (utm_medium=qr)</label>
    ${(c||S)&&s`<p class="problem" role="alert">${c||S}</p>`}
    <div class="qr-copy"><label>PNG size<select class="field" value=${e.size}
        onChange=${o=>i("size")(Number(o.target.value))}>${se.map(o=>s`<option key=${o} value=${o}>${o} pixels</option>`)}</select></label></div>
    <div class="buttons"><button type="button" class="button" onClick=${ee}>Download SVG</button>
      <button type="button" class="button" onClick=${te}>Download PNG</button></div>
    <div class="qr-copy">${re&&s`<button type="button" class="text-button" onClick=${oe}>
        <${k} name=${d?"done":"copy"} />Copy image</button>`}
      ${!l&&s`<button type="button" class="text-button" data-state=${q}
        onClick=${()=>X(ce(n,e))}>
        <${k} name=${q==="done"?"done":"copy"} />Copy image address</button>`}</div>
  <//>`}var K=({label:n,value:a,onChange:e})=>s`<label>${n}<input class="field"
  type="color" value=${a} onInput=${t=>e(t.target.value)} /></label>`;function ce(n,{color:a,background:e,margin:t,level:l,medium:g}){let c=(u,d)=>b[u]===d?"":String(d).replace("#","");return z(`${y(n)}.svg`,{color:c("color",a),background:c("background",e),margin:c("margin",t),level:c("level",l),medium:g?"qr":""})}var ie=n=>new Blob([Uint8Array.from(atob(n.split(",")[1]),a=>a.charCodeAt(0))]);async function W(n){let a=await createImageBitmap(n),e=document.createElement("canvas"),t=Math.min(1,512/a.width,512/a.height);return e.width=Math.max(1,a.width*t),e.height=Math.max(1,a.height*t),e.getContext("2d").drawImage(a,0,0,e.width,e.height),e}function ge({drawn:n,style:a,logo:e,label:t}){let l=B();return f(()=>{w(l.current,n,a,e,560)},[n,a,e]),s`<canvas ref=${l} class="qr-code" role="img" aria-label=${t} width="560"
    height="560" />`}export{ye as QR};
