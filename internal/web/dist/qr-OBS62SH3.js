import{a as B,b as S,c as D,d as p,e as E,f as L}from"./chunk-KPVBAPGC.js";import{b as M}from"./chunk-PG5OKJ3A.js";import{D as b,E as C,I as q,Q as x,R,X as h,b as d,c as k,e as y,f as w,i as r}from"./chunk-7IEWZMB5.js";var U=Array.from({length:21},(o,a)=>a),A={color:"#000000",background:"#ffffff",margin:4,level:"M",medium:!1};function J({code:o,onClose:a}){let[e,n]=d(A),[l,m]=d(null),[s,g]=d(""),c=l?"H":e.level,f=B(o)+(e.medium?"?utm_medium=qr":""),$=w(()=>D(f,c,e.margin),[f,c,e.margin]),u=t=>i=>n({...e,[t]:i}),I=async t=>{let[i]=t.target.files;if(i)try{m(await G(i)),g("")}catch{g("This browser can't read that picture.")}},v=L(e.color,e.background)<3&&"Scanners may fail: the code has to be much darker than its background.",P=()=>h(`${o}.svg`,E($,e,l),"image/svg+xml"),T=()=>p(document.createElement("canvas"),$,e,l,1024).toBlob(t=>h(`${o}.png`,t));return r`<${x} label=${`QR code for ${o}`} class="qr" onClose=${a}>
    <${R} onClose=${a}>QR code<//>
    <${H} drawn=${$} style=${e} logo=${l}
      label=${`QR code for ${b(o)}`} />
    <p class="mono center">${C}/${o}</p>
    <div class="qr-style">
      <${Q} label="Colour" value=${e.color} onChange=${u("color")} />
      <${Q} label="Background" value=${e.background} onChange=${u("background")} />
      <label>Margin<select class="field" value=${e.margin}
        onChange=${t=>u("margin")(Number(t.target.value))}>${U.map(t=>r`<option key=${t} value=${t}>${t}</option>`)}</select></label>
      <label>Error correction<select class="field" value=${c} disabled=${!!l}
        onChange=${t=>u("level")(t.target.value)}>${S.map(([t,i])=>r`<option key=${t} value=${t}>${t}, ${i} %</option>`)}</select></label>
    </div>
    <div class="qr-logo"><label class="button" for="qr-logo">
        ${l?"Another logo":"Add a logo"}</label>
      <input id="qr-logo" class="unseen" type="file" accept="image/*" onChange=${I} />
      ${l&&r`<button type="button" class="text-button"
        onClick=${()=>m(null)}>Remove the logo</button>`}</div>
    <label class="check"><input type="checkbox" checked=${e.medium}
      onChange=${t=>u("medium")(t.target.checked)} />
      Count scans apart from clicks (utm_medium=qr)</label>
    ${(s||v)&&r`<p class="problem" role="alert">${s||v}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${P}>Download SVG</button>
      <button type="button" class="button" onClick=${T}>Download PNG</button></div>
    ${!l&&r`<p class="qr-address quiet">This picture has an address of its own
      <${q} text=${_(o,e)} label="Copy the picture's address" /></p>`}
  <//>`}var Q=({label:o,value:a,onChange:e})=>r`<label>${o}<input class="field"
  type="color" value=${a} onInput=${n=>e(n.target.value)} /></label>`;function _(o,{color:a,background:e,margin:n,level:l,medium:m}){let s=(g,c)=>A[g]===c?"":String(c).replace("#","");return M(`${b(o)}.svg`,{color:s("color",a),background:s("background",e),margin:s("margin",n),level:s("level",l),medium:m?"qr":""})}async function G(o){let a=await createImageBitmap(o),e=document.createElement("canvas"),n=Math.min(1,512/a.width,512/a.height);return e.width=Math.max(1,a.width*n),e.height=Math.max(1,a.height*n),e.getContext("2d").drawImage(a,0,0,e.width,e.height),e}function H({drawn:o,style:a,logo:e,label:n}){let l=y();return k(()=>{p(l.current,o,a,e,560)},[o,a,e]),r`<canvas ref=${l} class="qr-code" role="img" aria-label=${n} width="560"
    height="560" />`}export{J as QR};
