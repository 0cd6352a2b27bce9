import{a as P}from"./chunk-7JUXGVQD.js";import{c as $}from"./chunk-3TURLDSG.js";import{a as O,e as j}from"./chunk-K6AM6KM2.js";import{s as x,t as z,u as B,v as w}from"./chunk-IYJPOXOO.js";import"./chunk-NGWLXG47.js";import"./chunk-2KLYX56Z.js";import{E as S,I as m,K as _,L as y,M as A,N as E,b as g,c as T,h as v,i as b,l as D}from"./chunk-5ZXISLGS.js";var f=e=>D(e,"link","links");async function I(e,l,r){let n=e.map(t=>x(t.short_code)??t),s=n.map(t=>({op:"update",short_code:t.short_code,link:l(t)})),c=n.map((t,o)=>Object.fromEntries(Object.keys(s[o].link).map(u=>[u,t[u]??null]))),a=await R(s),d=s.map((t,o)=>({...t,link:c[o]})).filter(t=>a.has(t.short_code)),i=n.length-a.size,p=i?`${r}, but for ${f(i)}`:r;_(p,d.length>0&&(async()=>{await R(d),y("Changed back")}))}async function R(e){let l=new Set,r=0;try{await O(e,n=>{for(let{status:s,link:c}of n)s<300&&(l.add(e[r].short_code),z(c)),r++},{onPause:n=>n&&m(`Too many requests. Continuing in ${n} s.`)})}catch(n){if(!l.size)throw n}return l}function Y({links:e}){let[l,r]=g(""),[n,s]=g(!1),c=async t=>{if(!n){s(!0);try{await t(),$()}catch(o){m(`Not changed: ${o.message}`)}finally{s(!1)}}},a=e.every(t=>t.disabled),d=()=>c(()=>I(e,()=>({disabled:a?null:!0}),`${f(e.length)} ${a?"enabled":"disabled"}`)),i=()=>{let t=e.filter(j).length;y(`${f(t)} deleted. Press Z to undo.`),t<e.length&&m("Too many deletes at once. Wait ten seconds."),$()},p=()=>c(async()=>{let{downloadCodes:t}=await import("./qrcodes-Z4MVK75S.js");await t(e.map(o=>o.short_code))});return b`<section class="selection" aria-label="Selected links" aria-busy=${n}>
    <p role="status"><b>${e.length}</b> selected</p>
    <button type="button" class="button" onClick=${()=>r("tag")}>Tag</button>
    <button type="button" class="button" onClick=${d}>
      ${a?"Enable":"Disable"}</button>
    <button type="button" class="button" onClick=${p}>QR codes</button>
    <button type="button" class="button danger" onClick=${i}>Delete</button>
    <${S} icon="close" label="Clear the selection" onClick=${$} />
    ${l==="tag"&&b`<${N} links=${e} onClose=${()=>r("")}
      onApply=${t=>{r(""),c(t)}} />`}
  </section>`}var q=e=>e.toLowerCase();function N({links:e,onClose:l,onApply:r}){let n=v(B),[s,c]=g([]),[a,d]=g([]);T(()=>{w()},[]);let i=[...new Set(e.flatMap(o=>o.tags??[]))].sort(),p=o=>{if(o.preventDefault(),!s.length&&!a.length)return l();r(()=>I(e,u=>{let C=(u.tags??[]).filter(h=>!a.includes(h)),L=s.filter(h=>!C.some(M=>q(M)===q(h))),k=[...C,...L];return{tags:k.length?k:null}},s.length?`${f(e.length)} tagged`:`Tags of ${f(e.length)} changed`).then(()=>w(!0)))},t=o=>d(a.includes(o)?a.filter(u=>u!==o):[...a,o]);return b`<${A} label="Tag links" onClose=${l}><form onSubmit=${p}>
    <${E} onClose=${l}>Tag ${f(e.length)}<//>
    <label for="tag-add">Add tags</label>
    <${P} id="tag-add" label="Add tags" values=${s} onChange=${c}
      options=${n.map(({tag:o})=>[o])} placeholder="newsletter" />
    ${i.length>0&&b`<fieldset class="take-off"><legend>Take off</legend>
      <span class="toggles">${i.map(o=>b`<button type="button" key=${o}
        class="toggle" aria-pressed=${a.includes(o)} onClick=${()=>t(o)}>
        ${o}</button>`)}</span></fieldset>`}
    <div class="buttons"><button type="button" class="button" onClick=${l}>Cancel</button>
      <button class="button primary">Apply</button></div>
  </form><//>`}export{Y as Selection};
