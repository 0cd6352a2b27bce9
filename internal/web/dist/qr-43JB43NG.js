import{a as T,b as H,c as _,d as x,e as j,f as F}from"./chunk-4HBBC76N.js";import{A as C,B as N,H as O,a as m,b as v,d as D,e as E,fa as s,ga as k,ja as P,oa as Q,qa as U,ra as G,w as y,za as w,zb as b}from"./chunk-5RJPQ6WF.js";var J="terse-qr";var $={color:"#000000",background:"#ffffff",margin:4,level:"M",medium:!1,size:1024,logo:""};function ne(o){let a;try{a=JSON.parse(o)}catch{}let e={color:t=>/^#[0-9a-f]{6}$/.test(t),background:t=>/^#[0-9a-f]{6}$/.test(t),margin:t=>Number.isInteger(t)&&t>=0&&t<=20,level:t=>/^[LMQH]$/.test(t),medium:t=>typeof t=="boolean",size:t=>[512,1024,2048].includes(t),logo:t=>/^data:image\/png;base64,[\w+/=]+$/.test(t)&&t.length<=204800};return Object.fromEntries(Object.entries($).map(([t,n])=>[t,e[t](a?.[t])?a[t]:n]))}function V(){try{return ne(localStorage.getItem(J))}catch{return $}}function K(o){try{localStorage.setItem(J,JSON.stringify(o))}catch{}}var le=Array.from({length:21},(o,a)=>[a,String(a)]),se=!!(globalThis.ClipboardItem&&navigator.clipboard?.write),ie=[512,1024,2048].map(o=>[o,`${o} pixels`]);function ke({code:o,onClose:a}){let[e,t]=m(V),[n,g]=m(null),[i,d]=m(""),[u,q]=m(!1),[S,Y]=P(),h=n?"H":e.level,I=T(o)+(e.medium?"?utm_medium=qr":""),f=E(()=>_(I,h,e.margin),[I,h,e.margin]),p=r=>{let l={...e,...r};t(l),q(!1),K(l)},c=r=>l=>p({[r]:l});v(()=>{e.logo&&X(ge(e.logo)).then(g,()=>p({logo:""}))},[]);let Z=async r=>{let[l]=r.target.files;if(l)try{let M=await X(l),A=M.toDataURL("image/png"),B=A.length<=204800;g(M),p({logo:B?A:""}),d(B?"":"The logo is too large to be remembered for the next code.")}catch{d("This browser can't read that picture.")}},ee=()=>{g(null),p({logo:""})},L=F(e.color,e.background)<3&&"Scanners may fail: the code has to be much darker than its background.",R=o.replaceAll("/","-"),te=()=>w(`${R}.svg`,j(f,e,n),"image/svg+xml"),z=()=>new Promise(r=>{let l=document.createElement("canvas");x(l,f,e,n,e.size).toBlob(r)}),oe=async()=>w(`${R}.png`,await z()),ae=async()=>{try{await navigator.clipboard.write([new ClipboardItem({"image/png":z()})]),q(!0),Q("Image copied")}catch{d("Couldn't copy the image. Download it instead.")}};return s`<${U} label=${`QR code for ${y(o)}`} class="qr" onClose=${a}>
    <${G} onClose=${a}>QR code<//>
    <${de} drawn=${f} style=${e} logo=${n}
      label=${`QR code for ${C(o)}`} />
    <p class="mono center">${N}/<bdi>${y(o)}</bdi></p>
    <div class="qr-style">
      <${W} label="Colour" value=${e.color} onChange=${c("color")} />
      <${W} label="Background" value=${e.background} onChange=${c("background")} />
      <div><label for="qr-margin">Margin</label><${b} id="qr-margin" label="Margin"
        isField=${!0} value=${e.margin} options=${le} onChange=${c("margin")} /></div>
      <div><label for="qr-level">Error correction</label><${b} id="qr-level"
        label="Error correction" isField=${!0} disabled=${!!n} value=${h}
        options=${H.map(([r,l])=>[r,`${r}, ${l} %`])}
        onChange=${c("level")} /></div>
    </div>
    <div class="qr-logo"><label class="button" for="qr-logo">
        ${n?"Another logo":"Add a logo"}</label>
      <input id="qr-logo" class="unseen" type="file" accept="image/*" onChange=${Z} />
      ${n&&s`<button type="button" class="text-button"
        onClick=${ee}>Remove the logo</button>`}</div>
    <label class="check"><input type="checkbox" checked=${e.medium}
      onChange=${r=>c("medium")(r.target.checked)} />
      Count scans apart from clicks (utm_medium=qr)</label>
    ${(i||L)&&s`<p class="problem" role="alert">${i||L}</p>`}
    <div class="qr-copy"><label for="qr-size">PNG size</label><${b} id="qr-size"
      label="PNG size" value=${e.size} options=${ie} onChange=${c("size")} /></div>
    <div class="buttons"><button type="button" class="button" onClick=${te}>Download SVG</button>
      <button type="button" class="button" onClick=${oe}>Download PNG</button></div>
    <div class="qr-copy">${se&&s`<button type="button" class="text-button" onClick=${ae}>
        <${k} name=${u?"done":"copy"} />Copy image</button>`}
      ${!n&&s`<button type="button" class="text-button" data-state=${S}
        onClick=${()=>Y(ce(o,e))}>
        <${k} name=${S==="done"?"done":"copy"} />Copy image address</button>`}</div>
  <//>`}var W=({label:o,value:a,onChange:e})=>s`<label>${o}<input class="field"
  type="color" value=${a} onInput=${t=>e(t.target.value)} /></label>`;function ce(o,{color:a,background:e,margin:t,level:n,medium:g}){let i=(d,u)=>$[d]===u?"":String(u).replace("#","");return O(`${C(o)}.svg`,{color:i("color",a),background:i("background",e),margin:i("margin",t),level:i("level",n),medium:g?"qr":""})}var ge=o=>new Blob([Uint8Array.from(atob(o.split(",")[1]),a=>a.charCodeAt(0))]);async function X(o){let a=await createImageBitmap(o),e=document.createElement("canvas"),t=Math.min(1,512/a.width,512/a.height);return e.width=Math.max(1,a.width*t),e.height=Math.max(1,a.height*t),e.getContext("2d").drawImage(a,0,0,e.width,e.height),e}function de({drawn:o,style:a,logo:e,label:t}){let n=D();return v(()=>{x(n.current,o,a,e,560)},[o,a,e]),s`<canvas ref=${n} class="qr-code" role="img" aria-label=${t} width="560"
    height="560" />`}export{ke as QR};
