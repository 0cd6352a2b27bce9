import{r as q,w as I}from"./chunk-2NG2KEZW.js";import{c as k}from"./chunk-KK3PL2WD.js";import{a as R,e as j}from"./chunk-SSNAYLWY.js";import"./chunk-5WSIKD3B.js";import{s as z,t as B,u as P,v as C}from"./chunk-CL6MINTX.js";import"./chunk-J7FNQ5FU.js";import"./chunk-4B4GNKTO.js";import"./chunk-UYNSCFZJ.js";import{E as x,I as h,K as A,L as w,M as E,N as O,b as f,c as D,h as S,i as p,l as _}from"./chunk-YU7LUNTS.js";var g=t=>_(t,"link","links");async function N(t,l,c){let e=t.map(o=>z(o.short_code)??o),a=e.map(o=>({op:"update",short_code:o.short_code,link:l(o)})),d=e.map((o,n)=>Object.fromEntries(Object.keys(a[n].link).map(b=>[b,o[b]??null]))),i=await L(a),u=a.map((o,n)=>({...o,link:d[n]})).filter(o=>i.has(o.short_code)),r=e.length-i.size,m=r?`${c}, but for ${g(r)}`:c;A(m,u.length>0&&(async()=>{await L(u),w("Changed back")}))}async function L(t){let l=new Set,c=0;try{await R(t,e=>{for(let{status:a,link:d}of e)a<300&&(l.add(t[c].short_code),B(d)),c++},{onPause:e=>e&&h(`Too many requests. Continuing in ${e} s.`)})}catch(e){if(!l.size)throw e}return l}function nt({links:t,onClear:l}){let[c,e]=f(""),[a,d]=f(!1),i=async n=>{if(!a){d(!0);try{await n(),k()}catch(b){h(`Not changed: ${b.message}`)}finally{d(!1)}}},u=t.every(n=>n.disabled),r=()=>i(()=>N(t,()=>({disabled:u?null:!0}),`${g(t.length)} ${u?"enabled":"disabled"}`)),m=()=>{let n=t.filter(j).length;w(`${g(n)} deleted. Press Z to undo.`),n<t.length&&h("Too many deletes at once. Wait ten seconds."),k()},o=()=>i(async()=>{let{downloadCodes:n}=await import("./qrcodes-755HWEHJ.js");await n(t.map(b=>b.short_code))});return p`<section class="selection" aria-label="Selected links" aria-busy=${a}>
    <p role="status"><b>${t.length}</b> selected</p>
    <button type="button" class="button" onClick=${()=>e("tag")}>Tag</button>
    <button type="button" class="button" onClick=${r}>
      ${u?"Enable":"Disable"}</button>
    <button type="button" class="button" onClick=${o}>QR codes</button>
    <button type="button" class="button danger" onClick=${m}>Delete</button>
    <${x} icon="close" label="Clear the selection" onClick=${l} />
    ${c==="tag"&&p`<${Z} links=${t} onClose=${()=>e("")}
      onApply=${n=>{e(""),i(n)}} />`}
  </section>`}var M=t=>t.toLowerCase();function Z({links:t,onClose:l,onApply:c}){let e=S(P),[a,d]=f([]),[i,u]=f(""),[r,m]=f([]);D(()=>{C()},[]);let o=[...new Set(t.flatMap(s=>s.tags??[]))].sort(),n=s=>{if(s.preventDefault(),!i.trim()){if(!a.length&&!r.length)return l();c(()=>N(t,$=>{let T=($.tags??[]).filter(y=>!r.includes(y)),Q=a.filter(y=>!T.some(W=>M(W)===M(y))),v=[...T,...Q];return{tags:v.length?v:null}},a.length?`${g(t.length)} tagged`:`Tags of ${g(t.length)} changed`).then(()=>C(!0)))}},b=s=>m(r.includes(s)?r.filter($=>$!==s):[...r,s]);return p`<${E} label="Tag links" onClose=${l}><form onSubmit=${n}>
    <${O} onClose=${l}>Tag ${g(t.length)}<//>
    <label for="tag-add">Add tags</label>
    <${I} id="tag-add" label="Add tags" values=${a} text=${i} parse=${q}
      onChange=${(s,$)=>{d(s),u($)}}
      options=${e.map(({tag:s})=>[s])} placeholder="newsletter" />
    ${o.length>0&&p`<fieldset class="take-off"><legend>Remove</legend>
      <span class="toggles">${o.map(s=>p`<button type="button" key=${s}
        class="toggle" aria-pressed=${r.includes(s)} onClick=${()=>b(s)}>
        ${s}</button>`)}</span></fieldset>`}
    <div class="buttons"><button type="button" class="button" onClick=${l}>Cancel</button>
      <button class="button primary">Apply</button></div>
  </form><//>`}export{nt as Selection};
