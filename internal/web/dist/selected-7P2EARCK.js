import{a as R}from"./chunk-554B5AWV.js";import{c as m}from"./chunk-EVRTXDX2.js";import{d as q}from"./chunk-MIHY2BHD.js";import{b as D,s as x,t as B,u as P,v as C}from"./chunk-MBTQ5TKJ.js";import{b as z}from"./chunk-SXFYFMZK.js";import"./chunk-W3YQ4EOJ.js";import"./chunk-JSWS2VBR.js";import{E as A,I as h,K as E,M as y,N as O,O as j,b as g,c as v,h as T,i as b,l as S,w as _}from"./chunk-CXPDZ6Q7.js";var W=z(()=>import("./qrcodes-3CNBHFC5.js")),p=e=>S(e,"link","links");async function M(e,l,a){let r=e.map(t=>x(t.short_code)??t),n=r.map(t=>({op:"update",short_code:t.short_code,link:l(t)})),c=r.map((t,o)=>Object.fromEntries(Object.keys(n[o].link).map(u=>[u,t[u]??null]))),s=await I(n),d=n.map((t,o)=>({...t,link:c[o]})).filter(t=>s.has(t.short_code)),i=r.length-s.size,f=i?`${a}, but for ${p(i)}`:a;E(f,d.length>0&&(async()=>{await I(d),y("Changed back")}))}async function I(e){let{results:l}=await D("POST","/api/bulk",{body:{operations:e}}),a=new Set;return l.forEach(({status:r,link:n},c)=>{r>=300||(a.add(e[c].short_code),B(n))}),a}function nt({links:e}){let[l,a]=g(""),[r,n]=g(!1),c=async t=>{if(!r){n(!0);try{await t(),m()}catch(o){h(`Not changed: ${o.message}`)}finally{n(!1)}}},s=e.every(t=>t.disabled),d=()=>c(()=>M(e,()=>({disabled:s?null:!0}),`${p(e.length)} ${s?"enabled":"disabled"}`)),i=()=>{let t=e.filter(q).length;y(`${p(t)} deleted. Press Z to undo.`),t<e.length&&h("Too many deletes at once. Wait ten seconds."),m()},f=()=>c(async()=>{let{downloadCodes:t}=await W();await t(e.map(o=>o.short_code))});return b`<section class="selection" aria-label="Selected links" aria-busy=${r}>
    <p role="status"><b>${e.length}</b> selected</p>
    <button type="button" class="button" onClick=${()=>a("tag")}>Tag</button>
    <button type="button" class="button" onClick=${d}>
      ${s?"Enable":"Disable"}</button>
    <button type="button" class="button" onClick=${f}>QR codes</button>
    <button type="button" class="button danger" onClick=${i}>Delete</button>
    <${A} icon="close" label="Clear the selection" onClick=${m} />
    ${l==="tag"&&b`<${Z} links=${e} onClose=${()=>a("")}
      onApply=${t=>{a(""),c(t)}} />`}
  </section>`}var L=e=>e.toLowerCase();function Z({links:e,onClose:l,onApply:a}){let r=T(P),[n,c]=g([]),[s,d]=g([]);v(()=>{C()},[]);let i=[...new Set(e.flatMap(o=>o.tags??[]))].sort(),f=o=>{if(o.preventDefault(),!n.length&&!s.length)return l();a(()=>M(e,u=>{let w=(u.tags??[]).filter($=>!s.includes($)),N=n.filter($=>!w.some(Q=>L(Q)===L($))),k=[...w,...N];return{tags:k.length?k:null}},n.length?`${p(e.length)} tagged`:`Tags of ${p(e.length)} changed`).then(()=>C(!0)))},t=o=>d(s.includes(o)?s.filter(u=>u!==o):[...s,o]);return b`<${O} label="Tag links" onClose=${l}><form onSubmit=${f}>
    <${j} onClose=${l}>Tag ${p(e.length)}<//>
    <label for="tag-add">Add tags</label>
    <${R} id="tag-add" label="Add tags" values=${n} onChange=${c}
      options=${r.map(({tag:o})=>[o])} placeholder="newsletter" />
    ${i.length>0&&b`<fieldset class="take-off"><legend>Take off</legend>
      <span class="toggles">${i.map(o=>b`<button type="button" key=${o}
        class="toggle" aria-pressed=${s.includes(o)} onClick=${()=>t(o)}>
        ${_(o)}</button>`)}</span></fieldset>`}
    <div class="buttons"><button type="button" class="button" onClick=${l}>Cancel</button>
      <button class="button primary">Apply</button></div>
  </form><//>`}export{nt as Selection};
