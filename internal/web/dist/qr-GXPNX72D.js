import{a as T,b as _,c as j,d as x,e as F,f as H}from"./chunk-BOEENAVZ.js";import{Aa as G,D as E,E as C,Ka as w,O as N,Ya as b,a as m,b as v,d as B,e as D,oa as c,pa as k,sa as P,x as y,xa as Q,za as U}from"./chunk-GS2UUHZM.js";var J="terse-qr";var $={color:"#000000",background:"#ffffff",margin:4,level:"M",medium:!1,size:1024,logo:""};function re(o){let t;try{t=JSON.parse(o)}catch{}let a={color:e=>/^#[0-9a-f]{6}$/.test(e),background:e=>/^#[0-9a-f]{6}$/.test(e),margin:e=>Number.isInteger(e)&&e>=0&&e<=20,level:e=>/^[LMQH]$/.test(e),medium:e=>typeof e=="boolean",size:e=>[512,1024,2048].includes(e),logo:e=>/^data:image\/png;base64,[\w+/=]+$/.test(e)&&e.length<=204800};return Object.fromEntries(Object.entries($).map(([e,s])=>[e,a[e](t?.[e])?t[e]:s]))}function V(){try{return re(localStorage.getItem(J))}catch{return $}}function K(o){try{localStorage.setItem(J,JSON.stringify(o))}catch{}}var se=Array.from({length:21},(o,t)=>[t,String(t)]),ie=!!(globalThis.ClipboardItem&&navigator.clipboard?.write),ce=[512,1024,2048].map(o=>[o,`${o} pixels`]);function we({code:o,domain:t,onClose:a}){let[e,s]=m(V),[l,i]=m(null),[u,g]=m(""),[Y,q]=m(!1),[S,Z]=P(),h=l?"H":e.level,I=T(o,t)+(e.medium?"?utm_medium=qr":""),f=D(()=>j(I,h,e.margin),[I,h,e.margin]),p=n=>{let r={...e,...n};s(r),q(!1),K(r)},d=n=>r=>p({[n]:r});v(()=>{e.logo&&X(de(e.logo)).then(i,()=>p({logo:""}))},[]);let ee=async n=>{let[r]=n.target.files;if(r)try{let M=await X(r),A=M.toDataURL("image/png"),O=A.length<=204800;i(M),p({logo:O?A:""}),g(O?"":"The logo is too large to be remembered for the next code.")}catch{g("This browser can't read that picture.")}},te=()=>{i(null),p({logo:""})},L=H(e.color,e.background)<3&&"Scanners may fail: the code has to be much darker than its background.",R=o.replaceAll("/","-"),oe=()=>w(`${R}.svg`,F(f,e,l),"image/svg+xml"),z=()=>new Promise(n=>{let r=document.createElement("canvas");x(r,f,e,l,e.size).toBlob(n)}),ae=async()=>w(`${R}.png`,await z()),ne=async()=>{try{await navigator.clipboard.write([new ClipboardItem({"image/png":z()})]),q(!0),Q("Image copied")}catch{g("Couldn't copy the image. Download it instead.")}};return c`<${U} label=${`QR code for ${y(o)}`} class="qr" onClose=${a}>
    <${G} onClose=${a}>QR code<//>
    <${me} drawn=${f} style=${e} logo=${l}
      label=${`QR code for ${C(o,t)}`} />
    <p class="mono center">${E(t)}/<bdi>${y(o)}</bdi></p>
    <div class="qr-style">
      <${W} label="Colour" value=${e.color} onChange=${d("color")} />
      <${W} label="Background" value=${e.background} onChange=${d("background")} />
      <div><label for="qr-margin">Margin</label><${b} id="qr-margin" label="Margin"
        isField=${!0} value=${e.margin} options=${se} onChange=${d("margin")} /></div>
      <div><label for="qr-level">Error correction</label><${b} id="qr-level"
        label="Error correction" isField=${!0} disabled=${!!l} value=${h}
        options=${_.map(([n,r])=>[n,`${n}, ${r} %`])}
        onChange=${d("level")} /></div>
    </div>
    <div class="qr-logo"><label class="button" for="qr-logo">
        ${l?"Another logo":"Add a logo"}</label>
      <input id="qr-logo" class="unseen" type="file" accept="image/*" onChange=${ee} />
      ${l&&c`<button type="button" class="text-button"
        onClick=${te}>Remove the logo</button>`}</div>
    <label class="check"><input type="checkbox" checked=${e.medium}
      onChange=${n=>d("medium")(n.target.checked)} />
      Count scans apart from clicks (utm_medium=qr)</label>
    ${(u||L)&&c`<p class="problem" role="alert">${u||L}</p>`}
    <div class="qr-copy"><label for="qr-size">PNG size</label><${b} id="qr-size"
      label="PNG size" value=${e.size} options=${ce} onChange=${d("size")} /></div>
    <div class="buttons"><button type="button" class="button" onClick=${oe}>Download SVG</button>
      <button type="button" class="button" onClick=${ae}>Download PNG</button></div>
    <div class="qr-copy">${ie&&c`<button type="button" class="text-button" onClick=${ne}>
        <${k} name=${Y?"done":"copy"} />Copy image</button>`}
      ${!l&&c`<button type="button" class="text-button" data-state=${S}
        onClick=${()=>Z(ge(C(o,t),e))}>
        <${k} name=${S==="done"?"done":"copy"} />Copy image address</button>`}</div>
  <//>`}var W=({label:o,value:t,onChange:a})=>c`<label>${o}<input class="field"
  type="color" value=${t} onInput=${e=>a(e.target.value)} /></label>`;function ge(o,{color:t,background:a,margin:e,level:s,medium:l}){let i=(u,g)=>$[u]===g?"":String(g).replace("#","");return N(`${o}.svg`,{color:i("color",t),background:i("background",a),margin:i("margin",e),level:i("level",s),medium:l?"qr":""})}var de=o=>new Blob([Uint8Array.from(atob(o.split(",")[1]),t=>t.charCodeAt(0))]);async function X(o){let t=await createImageBitmap(o),a=document.createElement("canvas"),e=Math.min(1,512/t.width,512/t.height);return a.width=Math.max(1,t.width*e),a.height=Math.max(1,t.height*e),a.getContext("2d").drawImage(t,0,0,a.width,a.height),a}function me({drawn:o,style:t,logo:a,label:e}){let s=B();return v(()=>{x(s.current,o,t,a,560)},[o,t,a]),c`<canvas ref=${s} class="qr-code" role="img" aria-label=${e} width="560"
    height="560" />`}export{we as QR};
