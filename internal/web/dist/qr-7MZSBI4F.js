import{a as Q,b as U,c as T,d as C,e as G,f as H}from"./chunk-GR4YRT43.js";import{H as s,I as y,L as D,Q as O,R as z,S as E,Y as k,a as m,b as f,d as N,e as A,fa as P,y as v,z as B}from"./chunk-VS3EXAIA.js";var _="terse-qr";var b={color:"#000000",background:"#ffffff",margin:4,level:"M",medium:!1,size:1024,logo:""};function et(a){let n;try{n=JSON.parse(a)}catch{}let t={color:e=>/^#[0-9a-f]{6}$/.test(e),background:e=>/^#[0-9a-f]{6}$/.test(e),margin:e=>Number.isInteger(e)&&e>=0&&e<=20,level:e=>/^[LMQH]$/.test(e),medium:e=>typeof e=="boolean",size:e=>[512,1024,2048].includes(e),logo:e=>/^data:image\/png;base64,[\w+/=]+$/.test(e)&&e.length<=204800};return Object.fromEntries(Object.entries(b).map(([e,l])=>[e,t[e](n?.[e])?n[e]:l]))}function j(){try{return et(localStorage.getItem(_))}catch{return b}}function J(a){try{localStorage.setItem(_,JSON.stringify(a))}catch{}}var at=Array.from({length:21},(a,n)=>n),nt=!!(globalThis.ClipboardItem&&navigator.clipboard?.write),lt=[512,1024,2048];function ft({code:a,onClose:n}){let[t,e]=m(j),[l,g]=m(null),[c,u]=m(""),[d,w]=m(!1),[x,K]=D(),$=l?"H":t.level,q=Q(a)+(t.medium?"?utm_medium=qr":""),h=A(()=>T(q,$,t.margin),[q,$,t.margin]),p=o=>{let r={...t,...o};e(r),w(!1),J(r)},i=o=>r=>p({[o]:r});f(()=>{t.logo&&F(st(t.logo)).then(g,()=>p({logo:""}))},[]);let W=async o=>{let[r]=o.target.files;if(r)try{let L=await F(r),R=L.toDataURL("image/png"),M=R.length<=204800;g(L),p({logo:M?R:""}),u(M?"":"The logo is too large to be remembered for the next code.")}catch{u("This browser can't read that picture.")}},X=()=>{g(null),p({logo:""})},I=H(t.color,t.background)<3&&"Scanners may fail: the code has to be much darker than its background.",Y=()=>k(`${a}.svg`,G(h,t,l),"image/svg+xml"),S=()=>new Promise(o=>{let r=document.createElement("canvas");C(r,h,t,l,t.size).toBlob(o)}),Z=async()=>k(`${a}.png`,await S()),tt=async()=>{try{await navigator.clipboard.write([new ClipboardItem({"image/png":S()})]),w(!0),O("Image copied")}catch{u("Couldn't copy the image. Download it instead.")}};return s`<${z} label=${`QR code for ${a}`} class="qr" onClose=${n}>
    <${E} onClose=${n}>QR code<//>
    <${ct} drawn=${h} style=${t} logo=${l}
      label=${`QR code for ${v(a)}`} />
    <p class="mono center">${B}/${a}</p>
    <div class="qr-style">
      <${V} label="Colour" value=${t.color} onChange=${i("color")} />
      <${V} label="Background" value=${t.background} onChange=${i("background")} />
      <label>Margin<select class="field" value=${t.margin}
        onChange=${o=>i("margin")(Number(o.target.value))}>${at.map(o=>s`<option key=${o} value=${o}>${o}</option>`)}</select></label>
      <label>Error correction<select class="field" value=${$} disabled=${!!l}
        onChange=${o=>i("level")(o.target.value)}>${U.map(([o,r])=>s`<option key=${o} value=${o}>${o}, ${r} %</option>`)}</select></label>
    </div>
    <div class="qr-logo"><label class="button" for="qr-logo">
        ${l?"Another logo":"Add a logo"}</label>
      <input id="qr-logo" class="unseen" type="file" accept="image/*" onChange=${W} />
      ${l&&s`<button type="button" class="text-button"
        onClick=${X}>Remove the logo</button>`}</div>
    <label class="check"><input type="checkbox" checked=${t.medium}
      onChange=${o=>i("medium")(o.target.checked)} />
      Count scans apart from clicks (utm_medium=qr)</label>
    ${(c||I)&&s`<p class="problem" role="alert">${c||I}</p>`}
    <div class="qr-copy"><label>PNG size<select class="field" value=${t.size}
        onChange=${o=>i("size")(Number(o.target.value))}>${lt.map(o=>s`<option key=${o} value=${o}>${o} pixels</option>`)}</select></label></div>
    <div class="buttons"><button type="button" class="button" onClick=${Y}>Download SVG</button>
      <button type="button" class="button" onClick=${Z}>Download PNG</button></div>
    <div class="qr-copy">${nt&&s`<button type="button" class="text-button" onClick=${tt}>
        <${y} name=${d?"done":"copy"} />Copy image</button>`}
      ${!l&&s`<button type="button" class="text-button" data-state=${x}
        onClick=${()=>K(rt(a,t))}>
        <${y} name=${x==="done"?"done":"copy"} />Copy image address</button>`}</div>
  <//>`}var V=({label:a,value:n,onChange:t})=>s`<label>${a}<input class="field"
  type="color" value=${n} onInput=${e=>t(e.target.value)} /></label>`;function rt(a,{color:n,background:t,margin:e,level:l,medium:g}){let c=(u,d)=>b[u]===d?"":String(d).replace("#","");return P(`${v(a)}.svg`,{color:c("color",n),background:c("background",t),margin:c("margin",e),level:c("level",l),medium:g?"qr":""})}var st=a=>new Blob([Uint8Array.from(atob(a.split(",")[1]),n=>n.charCodeAt(0))]);async function F(a){let n=await createImageBitmap(a),t=document.createElement("canvas"),e=Math.min(1,512/n.width,512/n.height);return t.width=Math.max(1,n.width*e),t.height=Math.max(1,n.height*e),t.getContext("2d").drawImage(n,0,0,t.width,t.height),t}function ct({drawn:a,style:n,logo:t,label:e}){let l=N();return f(()=>{C(l.current,a,n,t,560)},[a,n,t]),s`<canvas ref=${l} class="qr-code" role="img" aria-label=${e} width="560"
    height="560" />`}export{ft as QR};
