import{o as P,t as Q}from"./chunk-G2554LAM.js";import"./chunk-YMNBS4HA.js";import{a as r,b as A,c as V}from"./chunk-QLYYKUKQ.js";import{b as X}from"./chunk-TLFASEXB.js";import"./chunk-RMLAKTFL.js";import{Ab as Z,Bb as G,Ca as K,Cb as _,Da as N,F as U,Hb as T,Ja as O,Kb as j,L as W,M as F,Pb as D,Rb as H,Sb as J,a as b,b as B,d as E,fa as s,h as C,ha as I,la as k,oa as R,qa as M,ra as z,w as L}from"./chunk-5RJPQ6WF.js";var et=O(()=>import("./qrcodes-OL66QQMT.js")),ot=20;function vt({links:t,total:n,isLowerBound:p,onClear:m}){let[c,l]=b(""),[f,q]=b({}),[a,w]=b(!1),h=E(),d=async e=>{if(!a){w(!0);try{await e()}catch(u){k(`Not changed: ${u.message}`)}finally{w(!1)}}},y=t.every(e=>e.disabled),o=()=>d(()=>A(t,()=>({disabled:y?null:!0}),`${r(t.length)} ${y?"enabled":"disabled"}`)),i=()=>{let e=t.filter(N).length;R(`${r(e)} deleted. Press Z to undo.`),e<t.length?k("Too many deletes at once. Wait ten seconds."):H()},S=()=>t.length>ot?l("delete"):i(),g=f.query===T.get().query?f.n:p?void 0:n,$=Math.min(g??D,D),v=()=>d(async()=>{let{query:e}=T.get(),u=await j(D);T.get().query===e&&(J(new Map([...u].filter(([tt])=>!K(tt)))),u.size<D&&q({query:e,n:u.size}),R(`${r(u.size)} selected`),requestAnimationFrame(()=>h.current?.querySelector("button").focus()))}),x=()=>d(async()=>{let{downloadCodes:e}=await et();await e(t.map(u=>u.short_code))});return s`<section ref=${h} class="selection" aria-label="Selected links" aria-busy=${a}>
    <p role="status"><b>${C(t.length)}</b> selected${g===void 0&&` of more than ${C(Math.max(n,t.length))}`}</p>
    ${$>t.length&&s`<button type="button" class="button" onClick=${v}>${g===void 0?`Select all, at most ${C($)}`:`Select ${$<g?"the first":"all"} ${C($)}`}</button>`}
    <button type="button" class="button" onClick=${()=>l("tag")}>Tag</button>
    <button type="button" class="button" onClick=${o}>
      ${y?"Enable":"Disable"}</button>
    <button type="button" class="button" onClick=${()=>d(()=>V(t))}>
      ${t.every(e=>e.archived)?"Unarchive":"Archive"}</button>
    <button type="button" class="button" onClick=${x}>QR codes</button>
    ${F()&&W.get().others&&s`<button type="button" class="button" onClick=${()=>l("give")}>Give</button>`}
    <button type="button" class="button danger" onClick=${S}>Delete</button>
    <${I} icon="close" label="Clear the selection" onClick=${m} />
    ${c==="delete"&&s`<${nt} links=${t} onClose=${()=>l("")}
      onDelete=${()=>{l(""),i()}} />`}
    ${c==="give"&&s`<${X} links=${t} onClose=${()=>l("")} onGive=${e=>A(t,()=>({owner:e}),`${r(t.length)} given to ${e}`)} />`}
    ${c==="tag"&&s`<${st} links=${t} onClose=${()=>l("")}
      onApply=${e=>{l(""),d(e)}} />`}
  </section>`}var nt=({links:t,onClose:n,onDelete:p})=>{let m=`Delete ${r(t.length)}?`;return s`<${M} label=${m} onClose=${n}>
    <${z} onClose=${n}>${m}<//>
    <p>Their short URLs stop working, and their statistics are deleted.</p>
    <div class="buttons"><button type="button" class="button" data-focus=${!0} onClick=${n}>
      Keep them</button>
      <button type="button" class="button danger" onClick=${p}>Delete</button></div>
  <//>`},Y=t=>t.toLowerCase();function st({links:t,onClose:n,onApply:p}){let m=U(Z),[c,l]=b([]),[f,q]=b(""),[a,w]=b([]);B(()=>{G()},[]);let h=[...new Set(t.flatMap(o=>o.tags??[]))].sort(),d=o=>{if(o.preventDefault(),!f.trim()){if(!c.length&&!a.length)return n();p(()=>A(t,i=>{let S=(i.tags??[]).filter(v=>!a.includes(v)),g=c.filter(v=>!S.some(x=>Y(x)===Y(v))),$=[...S,...g];return{tags:$.length?$:null}},c.length?`${r(t.length)} tagged`:`Tags of ${r(t.length)} changed`).then(()=>G(!0)))}},y=o=>w(a.includes(o)?a.filter(i=>i!==o):[...a,o]);return s`<${M} label="Tag links" onClose=${n}><form onSubmit=${d}>
    <${z} onClose=${n}>Tag ${r(t.length)}<//>
    <label for="tag-add">Add tags</label>
    <${Q} id="tag-add" label="Add tags" values=${c} text=${f} parse=${P}
      onChange=${(o,i)=>{l(o),q(i)}}
      options=${_(m)} create=${!0} placeholder="newsletter" />
    ${h.length>0&&s`<fieldset class="take-off"><legend>Remove</legend>
      <span class="toggles">${h.map(o=>s`<button type="button" key=${o}
        class="toggle" aria-pressed=${a.includes(o)} onClick=${()=>y(o)}>
        ${L(o)}</button>`)}</span></fieldset>`}
    <div class="buttons"><button type="button" class="button" onClick=${n}>Cancel</button>
      <button class="button primary">Apply</button></div>
  </form><//>`}export{vt as Selection};
