import{a as R}from"./chunk-7JUXGVQD.js";import{c as m}from"./chunk-3TURLDSG.js";import{d as j}from"./chunk-XEY72XJ5.js";import{b as D,s as x,t as B,u as P,v as w}from"./chunk-M7YVRRNQ.js";import"./chunk-WDYLYDDB.js";import"./chunk-2KLYX56Z.js";import{E as _,I as h,K as A,L as y,M as E,N as O,b as g,c as T,h as v,i as b,l as S}from"./chunk-5ZXISLGS.js";var p=e=>S(e,"link","links");async function I(e,l,a){let r=e.map(t=>x(t.short_code)??t),n=r.map(t=>({op:"update",short_code:t.short_code,link:l(t)})),c=r.map((t,o)=>Object.fromEntries(Object.keys(n[o].link).map(u=>[u,t[u]??null]))),s=await q(n),d=n.map((t,o)=>({...t,link:c[o]})).filter(t=>s.has(t.short_code)),i=r.length-s.size,f=i?`${a}, but for ${p(i)}`:a;A(f,d.length>0&&(async()=>{await q(d),y("Changed back")}))}async function q(e){let{results:l}=await D("POST","/api/bulk",{body:{operations:e}}),a=new Set;return l.forEach(({status:r,link:n},c)=>{r>=300||(a.add(e[c].short_code),B(n))}),a}function Y({links:e}){let[l,a]=g(""),[r,n]=g(!1),c=async t=>{if(!r){n(!0);try{await t(),m()}catch(o){h(`Not changed: ${o.message}`)}finally{n(!1)}}},s=e.every(t=>t.disabled),d=()=>c(()=>I(e,()=>({disabled:s?null:!0}),`${p(e.length)} ${s?"enabled":"disabled"}`)),i=()=>{let t=e.filter(j).length;y(`${p(t)} deleted. Press Z to undo.`),t<e.length&&h("Too many deletes at once. Wait ten seconds."),m()},f=()=>c(async()=>{let{downloadCodes:t}=await import("./qrcodes-Z4MVK75S.js");await t(e.map(o=>o.short_code))});return b`<section class="selection" aria-label="Selected links" aria-busy=${r}>
    <p role="status"><b>${e.length}</b> selected</p>
    <button type="button" class="button" onClick=${()=>a("tag")}>Tag</button>
    <button type="button" class="button" onClick=${d}>
      ${s?"Enable":"Disable"}</button>
    <button type="button" class="button" onClick=${f}>QR codes</button>
    <button type="button" class="button danger" onClick=${i}>Delete</button>
    <${_} icon="close" label="Clear the selection" onClick=${m} />
    ${l==="tag"&&b`<${N} links=${e} onClose=${()=>a("")}
      onApply=${t=>{a(""),c(t)}} />`}
  </section>`}var z=e=>e.toLowerCase();function N({links:e,onClose:l,onApply:a}){let r=v(P),[n,c]=g([]),[s,d]=g([]);T(()=>{w()},[]);let i=[...new Set(e.flatMap(o=>o.tags??[]))].sort(),f=o=>{if(o.preventDefault(),!n.length&&!s.length)return l();a(()=>I(e,u=>{let C=(u.tags??[]).filter($=>!s.includes($)),L=n.filter($=>!C.some(M=>z(M)===z($))),k=[...C,...L];return{tags:k.length?k:null}},n.length?`${p(e.length)} tagged`:`Tags of ${p(e.length)} changed`).then(()=>w(!0)))},t=o=>d(s.includes(o)?s.filter(u=>u!==o):[...s,o]);return b`<${E} label="Tag links" onClose=${l}><form onSubmit=${f}>
    <${O} onClose=${l}>Tag ${p(e.length)}<//>
    <label for="tag-add">Add tags</label>
    <${R} id="tag-add" label="Add tags" values=${n} onChange=${c}
      options=${r.map(({tag:o})=>[o])} placeholder="newsletter" />
    ${i.length>0&&b`<fieldset class="take-off"><legend>Take off</legend>
      <span class="toggles">${i.map(o=>b`<button type="button" key=${o}
        class="toggle" aria-pressed=${s.includes(o)} onClick=${()=>t(o)}>
        ${o}</button>`)}</span></fieldset>`}
    <div class="buttons"><button type="button" class="button" onClick=${l}>Cancel</button>
      <button class="button primary">Apply</button></div>
  </form><//>`}export{Y as Selection};
