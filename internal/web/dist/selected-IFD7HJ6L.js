import{r as I,w as L}from"./chunk-I7RBVRPJ.js";import{c as k}from"./chunk-NYUPYJT4.js";import{a as j,e as q}from"./chunk-OO4P75XP.js";import"./chunk-REUYSCSA.js";import{s as z,t as B,u as P,v as w}from"./chunk-L7GIIX4J.js";import{b as M}from"./chunk-OX2CX3BJ.js";import"./chunk-LBTNOKNR.js";import"./chunk-XXY224PG.js";import"./chunk-HTBVYQPN.js";import{F as A,J as h,L as E,N as C,O,P as R,b as p,c as D,h as S,i as f,l as _,x}from"./chunk-GYYNKYWK.js";var G=M(()=>import("./qrcodes-VVEGGW65.js")),m=t=>_(t,"link","links");async function W(t,l,c){let e=t.map(o=>z(o.short_code)??o),a=e.map(o=>({op:"update",short_code:o.short_code,link:l(o)})),d=e.map((o,n)=>Object.fromEntries(Object.keys(a[n].link).map(b=>[b,o[b]??null]))),i=await N(a),u=a.map((o,n)=>({...o,link:d[n]})).filter(o=>i.has(o.short_code)),r=e.length-i.size,g=r?`${c}, but for ${m(r)}`:c;E(g,u.length>0&&(async()=>{await N(u),C("Changed back")}))}async function N(t){let l=new Set,c=0;try{await j(t,e=>{for(let{status:a,link:d}of e)a<300&&(l.add(t[c].short_code),B(d)),c++},{onPause:e=>e&&h(`Too many requests. Continuing in ${e} s.`)})}catch(e){if(!l.size)throw e}return l}function rt({links:t,onClear:l}){let[c,e]=p(""),[a,d]=p(!1),i=async n=>{if(!a){d(!0);try{await n(),k()}catch(b){h(`Not changed: ${b.message}`)}finally{d(!1)}}},u=t.every(n=>n.disabled),r=()=>i(()=>W(t,()=>({disabled:u?null:!0}),`${m(t.length)} ${u?"enabled":"disabled"}`)),g=()=>{let n=t.filter(q).length;C(`${m(n)} deleted. Press Z to undo.`),n<t.length&&h("Too many deletes at once. Wait ten seconds."),k()},o=()=>i(async()=>{let{downloadCodes:n}=await G();await n(t.map(b=>b.short_code))});return f`<section class="selection" aria-label="Selected links" aria-busy=${a}>
    <p role="status"><b>${t.length}</b> selected</p>
    <button type="button" class="button" onClick=${()=>e("tag")}>Tag</button>
    <button type="button" class="button" onClick=${r}>
      ${u?"Enable":"Disable"}</button>
    <button type="button" class="button" onClick=${o}>QR codes</button>
    <button type="button" class="button danger" onClick=${g}>Delete</button>
    <${A} icon="close" label="Clear the selection" onClick=${l} />
    ${c==="tag"&&f`<${H} links=${t} onClose=${()=>e("")}
      onApply=${n=>{e(""),i(n)}} />`}
  </section>`}var Q=t=>t.toLowerCase();function H({links:t,onClose:l,onApply:c}){let e=S(P),[a,d]=p([]),[i,u]=p(""),[r,g]=p([]);D(()=>{w()},[]);let o=[...new Set(t.flatMap(s=>s.tags??[]))].sort(),n=s=>{if(s.preventDefault(),!i.trim()){if(!a.length&&!r.length)return l();c(()=>W(t,$=>{let v=($.tags??[]).filter(y=>!r.includes(y)),Z=a.filter(y=>!v.some(F=>Q(F)===Q(y))),T=[...v,...Z];return{tags:T.length?T:null}},a.length?`${m(t.length)} tagged`:`Tags of ${m(t.length)} changed`).then(()=>w(!0)))}},b=s=>g(r.includes(s)?r.filter($=>$!==s):[...r,s]);return f`<${O} label="Tag links" onClose=${l}><form onSubmit=${n}>
    <${R} onClose=${l}>Tag ${m(t.length)}<//>
    <label for="tag-add">Add tags</label>
    <${L} id="tag-add" label="Add tags" values=${a} text=${i} parse=${I}
      onChange=${(s,$)=>{d(s),u($)}}
      options=${e.map(({tag:s})=>[s])} placeholder="newsletter" />
    ${o.length>0&&f`<fieldset class="take-off"><legend>Remove</legend>
      <span class="toggles">${o.map(s=>f`<button type="button" key=${s}
        class="toggle" aria-pressed=${r.includes(s)} onClick=${()=>b(s)}>
        ${x(s)}</button>`)}</span></fieldset>`}
    <div class="buttons"><button type="button" class="button" onClick=${l}>Cancel</button>
      <button class="button primary">Apply</button></div>
  </form><//>`}export{rt as Selection};
