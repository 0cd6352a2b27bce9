import{m as W,r as Z}from"./chunk-7MXWYO5C.js";import"./chunk-UJISLY72.js";import{$ as B,$a as D,D as R,I as $,K as z,O as C,P as E,R as k,S as M,T as j,_a as G,a as y,aa as P,ab as H,b as q,ba as F,cb as A,d as x,da as I,db as J,eb as K,fb as U,g as S,h as _,ma as T,oa as L,ra as N,sa as Q,u as O}from"./chunk-T5QJKFSV.js";var et=I(()=>import("./qrcodes-SNL62RCT.js")),h=t=>_(t,"link","links");async function Y(t,l,i){let c=t.map(o=>N(o.short_code)??o),e=c.map(o=>({op:"update",short_code:o.short_code,link:l(o)})),u=c.map((o,m)=>Object.fromEntries(Object.keys(e[m].link).map(d=>[d,o[d]??null]))),r=await V(e),b=e.map((o,m)=>({...o,link:u[m]})).filter(o=>r.has(o.short_code)),a=c.length-r.size,p=a?`${i}, but for ${h(a)}`:i;E(p,b.length>0&&(async()=>{await V(b),k("Changed back")}))}async function V(t){let l=new Set,i=[],c=0;try{await B(t,e=>{for(let{status:u,link:r}of e)u<300&&(l.add(t[c].short_code),r&&(Q(r),i.push(r))),c++},{onPause:e=>e&&C(`Too many requests. Continuing in ${e} s.`)})}catch(e){if(!l.size)throw e}return U(i),l}function gt({links:t,total:l,onClear:i}){let[c,e]=y(""),[u,r]=y(!1),b=x(),a=async s=>{if(!u){r(!0);try{await s()}catch(f){C(`Not changed: ${f.message}`)}finally{r(!1)}}},p=t.every(s=>s.disabled),o=()=>a(()=>Y(t,()=>({disabled:p?null:!0}),`${h(t.length)} ${p?"enabled":"disabled"}`)),m=()=>{let s=t.filter(F).length;k(`${h(s)} deleted. Press Z to undo.`),s<t.length?C("Too many deletes at once. Wait ten seconds."):J()},d=Math.min(l,A),n=()=>a(async()=>{let{query:s}=T.get(),f=await L(A);T.get().query===s&&(K(new Map([...f].filter(([w])=>!P(w)))),k(`${h(f.size)} selected`),requestAnimationFrame(()=>b.current?.querySelector("button").focus()))}),g=()=>a(async()=>{let{downloadCodes:s}=await et();await s(t.map(f=>f.short_code))});return $`<section ref=${b} class="selection" aria-label="Selected links" aria-busy=${u}>
    <p role="status"><b>${S(t.length)}</b> selected</p>
    ${d>t.length&&$`<button type="button" class="button" onClick=${n}>Select ${d<l?"the first":"all"} ${S(d)}</button>`}
    <button type="button" class="button" onClick=${()=>e("tag")}>Tag</button>
    <button type="button" class="button" onClick=${o}>
      ${p?"Enable":"Disable"}</button>
    <button type="button" class="button" onClick=${g}>QR codes</button>
    <button type="button" class="button danger" onClick=${m}>Delete</button>
    <${z} icon="close" label="Clear the selection" onClick=${i} />
    ${c==="tag"&&$`<${ot} links=${t} onClose=${()=>e("")}
      onApply=${s=>{e(""),a(s)}} />`}
  </section>`}var X=t=>t.toLowerCase();function ot({links:t,onClose:l,onApply:i}){let c=R(G),[e,u]=y([]),[r,b]=y(""),[a,p]=y([]);q(()=>{D()},[]);let o=[...new Set(t.flatMap(n=>n.tags??[]))].sort(),m=n=>{if(n.preventDefault(),!r.trim()){if(!e.length&&!a.length)return l();i(()=>Y(t,g=>{let s=(g.tags??[]).filter(v=>!a.includes(v)),f=e.filter(v=>!s.some(tt=>X(tt)===X(v))),w=[...s,...f];return{tags:w.length?w:null}},e.length?`${h(t.length)} tagged`:`Tags of ${h(t.length)} changed`).then(()=>D(!0)))}},d=n=>p(a.includes(n)?a.filter(g=>g!==n):[...a,n]);return $`<${M} label="Tag links" onClose=${l}><form onSubmit=${m}>
    <${j} onClose=${l}>Tag ${h(t.length)}<//>
    <label for="tag-add">Add tags</label>
    <${Z} id="tag-add" label="Add tags" values=${e} text=${r} parse=${W}
      onChange=${(n,g)=>{u(n),b(g)}}
      options=${H(c)} create=${!0} placeholder="newsletter" />
    ${o.length>0&&$`<fieldset class="take-off"><legend>Remove</legend>
      <span class="toggles">${o.map(n=>$`<button type="button" key=${n}
        class="toggle" aria-pressed=${a.includes(n)} onClick=${()=>d(n)}>
        ${O(n)}</button>`)}</span></fieldset>`}
    <div class="buttons"><button type="button" class="button" onClick=${l}>Cancel</button>
      <button class="button primary">Apply</button></div>
  </form><//>`}export{gt as Selection};
