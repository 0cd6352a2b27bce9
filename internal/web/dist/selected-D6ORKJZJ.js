import{c as g}from"./chunk-HU3G67K4.js";import{d as S}from"./chunk-IIN5GL3B.js";import{a as P}from"./chunk-5MQKWDHJ.js";import{d as D,w as x,x as B,y as C}from"./chunk-OYAFK2TB.js";import"./chunk-HAJHQ5YN.js";import{B as b,D as _,H as h,J as E,K as y,L as O,M as j,b as f,c as T,h as v,k as A}from"./chunk-M7NGA6HC.js";var p=t=>A(t,"link","links");async function z(t,r,a){let c=t.map(s=>({op:"update",short_code:s.short_code,link:r(s)})),l=t.map((s,o)=>Object.fromEntries(Object.keys(c[o].link).map(e=>[e,s[e]??null]))),i=await R(c),n=c.map((s,o)=>({...s,link:l[o]})).filter(s=>i.has(s.short_code)),d=t.length-i.size,u=d?`${a}, but for ${p(d)}`:a;E(u,n.length>0&&(async()=>{await R(n),y("Changed back")}))}async function R(t){let{results:r}=await D("POST","/api/bulk",{body:{operations:t}}),a=new Set;return r.forEach(({status:c,link:l},i)=>{c>=300||(a.add(t[i].short_code),x(l))}),a}function X({links:t}){let[r,a]=f(""),[c,l]=f(!1),i=async o=>{if(!c){l(!0);try{await o(),g()}catch(e){h(`Not changed: ${e.message}`)}finally{l(!1)}}},n=t.every(o=>o.disabled),d=()=>i(()=>z(t,()=>({disabled:n?null:!0}),`${p(t.length)} ${n?"enabled":"disabled"}`)),u=()=>{let o=t.filter(S).length;y(`${p(o)} deleted. Press Z to undo.`),o<t.length&&h("Too many deletes at once. Wait ten seconds."),g()},s=()=>i(async()=>{let{downloadCodes:o}=await import("./qrcodes-DJ4662SH.js");await o(t.map(e=>e.short_code))});return b`<section class="selection" aria-label="Selected links" aria-busy=${c}>
    <p role="status"><b>${t.length}</b> selected</p>
    <button type="button" class="button" onClick=${()=>a("tag")}>Tag</button>
    <button type="button" class="button" onClick=${d}>
      ${n?"Enable":"Disable"}</button>
    <button type="button" class="button" onClick=${s}>QR codes</button>
    <button type="button" class="button danger" onClick=${u}>Delete</button>
    <${_} icon="close" label="Clear the selection" onClick=${g} />
    ${r==="tag"&&b`<${M} links=${t} onClose=${()=>a("")}
      onApply=${o=>{a(""),i(o)}} />`}
  </section>`}var q=t=>t.toLowerCase();function M({links:t,onClose:r,onApply:a}){let c=v(B),[l,i]=f([]),[n,d]=f([]);T(()=>{C()},[]);let u=[...new Set(t.flatMap(e=>e.tags??[]))].sort(),s=e=>{if(e.preventDefault(),!l.length&&!n.length)return r();a(()=>z(t,m=>{let w=(m.tags??[]).filter($=>!n.includes($)),I=l.filter($=>!w.some(L=>q(L)===q($))),k=[...w,...I];return{tags:k.length?k:null}},l.length?`${p(t.length)} tagged`:`Tags of ${p(t.length)} changed`).then(()=>C(!0)))},o=e=>d(n.includes(e)?n.filter(m=>m!==e):[...n,e]);return b`<${O} label="Tag links" onClose=${r}><form onSubmit=${s}>
    <${j} onClose=${r}>Tag ${p(t.length)}<//>
    <label for="tag-add">Add tags</label>
    <${P} id="tag-add" label="Add tags" values=${l} onChange=${i}
      options=${c.map(({tag:e})=>[e])} placeholder="newsletter" />
    ${u.length>0&&b`<fieldset class="take-off"><legend>Take off</legend>
      <span class="toggles">${u.map(e=>b`<button type="button" key=${e}
        class="toggle" aria-pressed=${n.includes(e)} onClick=${()=>o(e)}>
        ${e}</button>`)}</span></fieldset>`}
    <div class="buttons"><button type="button" class="button" onClick=${r}>Cancel</button>
      <button class="button primary">Apply</button></div>
  </form><//>`}export{X as Selection};
