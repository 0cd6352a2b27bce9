import{o as P,t as Q}from"./chunk-KH3W3422.js";import"./chunk-E2DBQZWT.js";import{a as r,b as A,c as X}from"./chunk-WVU4DAHW.js";import{b as Y}from"./chunk-R4BM6DS6.js";import"./chunk-I52D3NO7.js";import{Aa as z,M as U,Na as K,Oa as N,S as W,Sb as Z,T as F,Tb as G,Ua as O,Ub as j,Zb as T,a as $,ac as H,b as B,d as E,fc as D,h as C,hc as J,ic as V,oa as s,qa as I,ua as k,x as L,xa as R,za as M}from"./chunk-GS2UUHZM.js";var et=O(()=>import("./qrcodes-VMGWJL72.js")),ot=20;function vt({links:t,total:n,isLowerBound:f,onClear:b}){let[c,l]=$(""),[p,q]=$({}),[a,w]=$(!1),h=E(),u=async e=>{if(!a){w(!0);try{await e()}catch(m){k(`Not changed: ${m.message}`)}finally{w(!1)}}},y=t.every(e=>e.disabled),o=()=>u(()=>A(t,()=>({disabled:y?null:!0}),`${r(t.length)} ${y?"enabled":"disabled"}`)),i=()=>{let e=t.filter(N).length;R(`${r(e)} deleted. Press Z to undo.`),e<t.length?k("Too many deletes at once. Wait ten seconds."):J()},S=()=>t.length>ot?l("delete"):i(),g=p.query===T.get().query?p.n:f?void 0:n,d=Math.min(g??D,D),v=()=>u(async()=>{let{query:e}=T.get(),m=await H(D);T.get().query===e&&(V(new Map([...m].filter(([tt])=>!K(tt)))),m.size<D&&q({query:e,n:m.size}),R(`${r(m.size)} selected`),requestAnimationFrame(()=>h.current?.querySelector("button").focus()))}),x=()=>u(async()=>{let{downloadCodes:e}=await et();await e(t)});return s`<section ref=${h} class="selection" aria-label="Selected links" aria-busy=${a}>
    <p role="status"><b>${C(t.length)}</b> selected${g===void 0&&` of more than ${C(Math.max(n,t.length))}`}</p>
    ${d>t.length&&s`<button type="button" class="button" onClick=${v}>${g===void 0?`Select all, at most ${C(d)}`:`Select ${d<g?"the first":"all"} ${C(d)}`}</button>`}
    <button type="button" class="button" onClick=${()=>l("tag")}>Tag</button>
    <button type="button" class="button" onClick=${o}>
      ${y?"Enable":"Disable"}</button>
    <button type="button" class="button" onClick=${()=>u(()=>X(t))}>
      ${t.every(e=>e.archived)?"Unarchive":"Archive"}</button>
    <button type="button" class="button" onClick=${x}>QR codes</button>
    ${F()&&W.get().others&&s`<button type="button" class="button" onClick=${()=>l("give")}>Give</button>`}
    <button type="button" class="button danger" onClick=${S}>Delete</button>
    <${I} icon="close" label="Clear the selection" onClick=${b} />
    ${c==="delete"&&s`<${nt} links=${t} onClose=${()=>l("")}
      onDelete=${()=>{l(""),i()}} />`}
    ${c==="give"&&s`<${Y} links=${t} onClose=${()=>l("")} onGive=${e=>A(t,()=>({owner:e}),`${r(t.length)} given to ${e}`)} />`}
    ${c==="tag"&&s`<${st} links=${t} onClose=${()=>l("")}
      onApply=${e=>{l(""),u(e)}} />`}
  </section>`}var nt=({links:t,onClose:n,onDelete:f})=>{let b=`Delete ${r(t.length)}?`;return s`<${M} label=${b} onClose=${n}>
    <${z} onClose=${n}>${b}<//>
    <p>Their short URLs stop working, and their statistics are deleted.</p>
    <div class="buttons"><button type="button" class="button" data-focus=${!0} onClick=${n}>
      Keep them</button>
      <button type="button" class="button danger" onClick=${f}>Delete</button></div>
  <//>`},_=t=>t.toLowerCase();function st({links:t,onClose:n,onApply:f}){let b=U(Z),[c,l]=$([]),[p,q]=$(""),[a,w]=$([]);B(()=>{G()},[]);let h=[...new Set(t.flatMap(o=>o.tags??[]))].sort(),u=o=>{if(o.preventDefault(),!p.trim()){if(!c.length&&!a.length)return n();f(()=>A(t,i=>{let S=(i.tags??[]).filter(v=>!a.includes(v)),g=c.filter(v=>!S.some(x=>_(x)===_(v))),d=[...S,...g];return{tags:d.length?d:null}},c.length?`${r(t.length)} tagged`:`Tags of ${r(t.length)} changed`).then(()=>G(!0)))}},y=o=>w(a.includes(o)?a.filter(i=>i!==o):[...a,o]);return s`<${M} label="Tag links" onClose=${n}><form onSubmit=${u}>
    <${z} onClose=${n}>Tag ${r(t.length)}<//>
    <label for="tag-add">Add tags</label>
    <${Q} id="tag-add" label="Add tags" values=${c} text=${p} parse=${P}
      onChange=${(o,i)=>{l(o),q(i)}}
      options=${j(b)} create=${!0} placeholder="newsletter" />
    ${h.length>0&&s`<fieldset class="take-off"><legend>Remove</legend>
      <span class="toggles">${h.map(o=>s`<button type="button" key=${o}
        class="toggle" aria-pressed=${a.includes(o)} onClick=${()=>y(o)}>
        ${L(o)}</button>`)}</span></fieldset>`}
    <div class="buttons"><button type="button" class="button" onClick=${n}>Cancel</button>
      <button class="button primary">Apply</button></div>
  </form><//>`}export{vt as Selection};
