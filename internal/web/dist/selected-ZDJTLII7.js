import{l as W,r as Z}from"./chunk-TMG23YRG.js";import{$ as P,A as O,I as z,M as y,N as E,P as w,Q as M,R,Xa as F,Ya as D,Z as j,Za as G,_ as B,a as $,b as A,ba as I,g as _,ja as T,l as p,la as L,n as v,o as q,oa as N,pa as Q,qb as S,rb as H,sb as J,tb as K}from"./chunk-QKNOUYFT.js";var tt=I(()=>import("./qrcodes-6L4U64IF.js")),m=t=>q(t,"link","links");async function X(t,a,i){let c=t.map(n=>N(n.short_code)??n),e=c.map(n=>({op:"update",short_code:n.short_code,link:a(n)})),b=c.map((n,d)=>Object.fromEntries(Object.keys(e[d].link).map(g=>[g,n[g]??null]))),r=await U(e),u=e.map((n,d)=>({...n,link:b[d]})).filter(n=>r.has(n.short_code)),l=c.length-r.size,h=l?`${i}, but for ${m(l)}`:i;E(h,u.length>0&&(async()=>{await U(u),w("Changed back")}))}async function U(t){let a=new Set,i=[],c=0;try{await j(t,e=>{for(let{status:b,link:r}of e)b<300&&(a.add(t[c].short_code),r&&(Q(r),i.push(r))),c++},{onPause:e=>e&&y(`Too many requests. Continuing in ${e} s.`)})}catch(e){if(!a.size)throw e}return K(i),a}function mt({links:t,total:a,onClear:i}){let[c,e]=$(""),[b,r]=$(!1),u=async o=>{if(!b){r(!0);try{await o()}catch(f){y(`Not changed: ${f.message}`)}finally{r(!1)}}},l=t.every(o=>o.disabled),h=()=>u(()=>X(t,()=>({disabled:l?null:!0}),`${m(t.length)} ${l?"enabled":"disabled"}`)),n=()=>{let o=t.filter(P).length;w(`${m(o)} deleted. Press Z to undo.`),o<t.length?y("Too many deletes at once. Wait ten seconds."):H()},d=Math.min(a,S),g=()=>u(async()=>{let{query:o}=T.get(),f=await L(S);T.get().query===o&&(J(new Map([...f].filter(([C])=>!B(C)))),w(`${m(f.size)} selected`))}),s=()=>u(async()=>{let{downloadCodes:o}=await tt();await o(t.map(f=>f.short_code))});return p`<section class="selection" aria-label="Selected links" aria-busy=${b}>
    <p role="status"><b>${v(t.length)}</b> selected</p>
    ${d>t.length&&p`<button type="button" class="button" onClick=${g}>Select ${d<a?"the first":"all"} ${v(d)}</button>`}
    <button type="button" class="button" onClick=${()=>e("tag")}>Tag</button>
    <button type="button" class="button" onClick=${h}>
      ${l?"Enable":"Disable"}</button>
    <button type="button" class="button" onClick=${s}>QR codes</button>
    <button type="button" class="button danger" onClick=${n}>Delete</button>
    <${z} icon="close" label="Clear the selection" onClick=${i} />
    ${c==="tag"&&p`<${et} links=${t} onClose=${()=>e("")}
      onApply=${o=>{e(""),u(o)}} />`}
  </section>`}var V=t=>t.toLowerCase();function et({links:t,onClose:a,onApply:i}){let c=_(F),[e,b]=$([]),[r,u]=$(""),[l,h]=$([]);A(()=>{D()},[]);let n=[...new Set(t.flatMap(s=>s.tags??[]))].sort(),d=s=>{if(s.preventDefault(),!r.trim()){if(!e.length&&!l.length)return a();i(()=>X(t,o=>{let f=(o.tags??[]).filter(k=>!l.includes(k)),C=e.filter(k=>!f.some(Y=>V(Y)===V(k))),x=[...f,...C];return{tags:x.length?x:null}},e.length?`${m(t.length)} tagged`:`Tags of ${m(t.length)} changed`).then(()=>D(!0)))}},g=s=>h(l.includes(s)?l.filter(o=>o!==s):[...l,s]);return p`<${M} label="Tag links" onClose=${a}><form onSubmit=${d}>
    <${R} onClose=${a}>Tag ${m(t.length)}<//>
    <label for="tag-add">Add tags</label>
    <${Z} id="tag-add" label="Add tags" values=${e} text=${r} parse=${W}
      onChange=${(s,o)=>{b(s),u(o)}}
      options=${G(c)} create=${!0} placeholder="newsletter" />
    ${n.length>0&&p`<fieldset class="take-off"><legend>Remove</legend>
      <span class="toggles">${n.map(s=>p`<button type="button" key=${s}
        class="toggle" aria-pressed=${l.includes(s)} onClick=${()=>g(s)}>
        ${O(s)}</button>`)}</span></fieldset>`}
    <div class="buttons"><button type="button" class="button" onClick=${a}>Cancel</button>
      <button class="button primary">Apply</button></div>
  </form><//>`}export{mt as Selection};
