import{c as k}from"./chunk-DPVMKV5U.js";import{b as z}from"./chunk-GIT5BM5A.js";import{a as j,e as q}from"./chunk-WTXZAN6C.js";import{A as L,s as I}from"./chunk-UMPDMOTZ.js";import"./chunk-EG65HM2L.js";import{A as w,B as N,x as B,y as P,z as M}from"./chunk-GKH2TNPE.js";import"./chunk-A22ICIJG.js";import"./chunk-CSD52RKA.js";import"./chunk-S46MJI4S.js";import{G as A,L as h,N as O,P as C,R as E,S as R,b,c as D,h as S,i as p,l as _,y as x}from"./chunk-B7TPDEC6.js";var H=z(()=>import("./qrcodes-HLIUXESF.js")),m=t=>_(t,"link","links");async function Z(t,l,c){let e=t.map(o=>B(o.short_code)??o),a=e.map(o=>({op:"update",short_code:o.short_code,link:l(o)})),i=e.map((o,n)=>Object.fromEntries(Object.keys(a[n].link).map(f=>[f,o[f]??null]))),d=await Q(a),u=a.map((o,n)=>({...o,link:i[n]})).filter(o=>d.has(o.short_code)),r=e.length-d.size,g=r?`${c}, but for ${m(r)}`:c;O(g,u.length>0&&(async()=>{await Q(u),C("Changed back")}))}async function Q(t){let l=new Set,c=0;try{await j(t,e=>{for(let{status:a,link:i}of e)a<300&&(l.add(t[c].short_code),i&&P(i)),c++},{onPause:e=>e&&h(`Too many requests. Continuing in ${e} s.`)})}catch(e){if(!l.size)throw e}return l}function ct({links:t,onClear:l}){let[c,e]=b(""),[a,i]=b(!1),d=async n=>{if(!a){i(!0);try{await n(),k()}catch(f){h(`Not changed: ${f.message}`)}finally{i(!1)}}},u=t.every(n=>n.disabled),r=()=>d(()=>Z(t,()=>({disabled:u?null:!0}),`${m(t.length)} ${u?"enabled":"disabled"}`)),g=()=>{let n=t.filter(q).length;C(`${m(n)} deleted. Press Z to undo.`),n<t.length&&h("Too many deletes at once. Wait ten seconds."),k()},o=()=>d(async()=>{let{downloadCodes:n}=await H();await n(t.map(f=>f.short_code))});return p`<section class="selection" aria-label="Selected links" aria-busy=${a}>
    <p role="status"><b>${t.length}</b> selected</p>
    <button type="button" class="button" onClick=${()=>e("tag")}>Tag</button>
    <button type="button" class="button" onClick=${r}>
      ${u?"Enable":"Disable"}</button>
    <button type="button" class="button" onClick=${o}>QR codes</button>
    <button type="button" class="button danger" onClick=${g}>Delete</button>
    <${A} icon="close" label="Clear the selection" onClick=${l} />
    ${c==="tag"&&p`<${J} links=${t} onClose=${()=>e("")}
      onApply=${n=>{e(""),d(n)}} />`}
  </section>`}var W=t=>t.toLowerCase();function J({links:t,onClose:l,onApply:c}){let e=S(M),[a,i]=b([]),[d,u]=b(""),[r,g]=b([]);D(()=>{w()},[]);let o=[...new Set(t.flatMap(s=>s.tags??[]))].sort(),n=s=>{if(s.preventDefault(),!d.trim()){if(!a.length&&!r.length)return l();c(()=>Z(t,$=>{let v=($.tags??[]).filter(y=>!r.includes(y)),F=a.filter(y=>!v.some(G=>W(G)===W(y))),T=[...v,...F];return{tags:T.length?T:null}},a.length?`${m(t.length)} tagged`:`Tags of ${m(t.length)} changed`).then(()=>w(!0)))}},f=s=>g(r.includes(s)?r.filter($=>$!==s):[...r,s]);return p`<${E} label="Tag links" onClose=${l}><form onSubmit=${n}>
    <${R} onClose=${l}>Tag ${m(t.length)}<//>
    <label for="tag-add">Add tags</label>
    <${L} id="tag-add" label="Add tags" values=${a} text=${d} parse=${I}
      onChange=${(s,$)=>{i(s),u($)}}
      options=${N(e)} create=${!0} placeholder="newsletter" />
    ${o.length>0&&p`<fieldset class="take-off"><legend>Remove</legend>
      <span class="toggles">${o.map(s=>p`<button type="button" key=${s}
        class="toggle" aria-pressed=${r.includes(s)} onClick=${()=>f(s)}>
        ${x(s)}</button>`)}</span></fieldset>`}
    <div class="buttons"><button type="button" class="button" onClick=${l}>Cancel</button>
      <button class="button primary">Apply</button></div>
  </form><//>`}export{ct as Selection};
