import{o as B,t as H}from"./chunk-2KLKTNU7.js";import"./chunk-ZDZHO74M.js";import{b as st}from"./chunk-VUGCRNP7.js";import{Aa as U,Ab as x,Ba as W,Bb as V,G as E,Gb as _,Ha as Z,Ib as X,L as P,Lb as Y,M as j,Mb as L,N as F,Nb as k,Ob as tt,Pb as et,Qb as ot,Vb as nt,X as I,a as y,b as O,d as z,fa as d,h as C,ha as K,i as G,la as w,ma as N,oa as D,pa as A,qa as q,w as M,za as Q,zb as J}from"./chunk-OJWYDKY6.js";var rt=Z(()=>import("./qrcodes-OTNYGPVL.js")),p=t=>G(t,"link","links");async function R(t,o,a){let c=t.map(r=>Y(r.short_code)??r),l=c.map(r=>({op:"update",short_code:r.short_code,link:o(r)})),e=c.map((r,h)=>nt(r,Object.keys(l[h].link))),$=c.map(I).find(Boolean)??"",u=await at(l,$),i=l.map((r,h)=>({...r,link:e[h]})).filter(r=>u.has(r.short_code)),m=c.length-u.size,g=m?`${a}, but for ${p(m)}`:a;N(g,i.length>0&&(async()=>{await at(i,"owner"in i[0].link?P:$),D("Changed back")}))}async function at(t,o){let a=new Set,c=[],l=0;try{await Q(t,e=>{for(let{status:$,link:u}of e)$<300&&(a.add(t[l].short_code),u&&(L(u),c.push(u))),l++},{owner:o,onPause:e=>e&&w(`Too many requests. Continuing in ${e} s.`)})}catch(e){if(!a.size)throw e}return ot(c),a}var ct=20;function At({links:t,total:o,isLowerBound:a,onClear:c}){let[l,e]=y(""),[$,u]=y(!1),i=z(),m=async n=>{if(!$){u(!0);try{await n()}catch(f){w(`Not changed: ${f.message}`)}finally{u(!1)}}},g=t.every(n=>n.disabled),r=()=>m(()=>R(t,()=>({disabled:g?null:!0}),`${p(t.length)} ${g?"enabled":"disabled"}`)),h=()=>{let n=t.filter(W).length;D(`${p(n)} deleted. Press Z to undo.`),n<t.length?w("Too many deletes at once. Wait ten seconds."):tt()},s=()=>t.length>ct?e("delete"):h(),b=a?k:Math.min(o,k),v=()=>m(async()=>{let{query:n}=_.get(),f=await X(k);_.get().query===n&&(et(new Map([...f].filter(([T])=>!U(T)))),D(`${p(f.size)} selected`),requestAnimationFrame(()=>i.current?.querySelector("button").focus()))}),S=()=>m(async()=>{let{downloadCodes:n}=await rt();await n(t.map(f=>f.short_code))});return d`<section ref=${i} class="selection" aria-label="Selected links" aria-busy=${$}>
    <p role="status"><b>${C(t.length)}</b> selected${a&&t.length<o&&` of more than ${C(o)}`}</p>
    ${b>t.length&&(!a||t.length<o)&&d`<button type="button" class="button" onClick=${v}>${a?`Select all, at most ${C(b)}`:`Select ${b<o?"the first":"all"} ${C(b)}`}</button>`}
    <button type="button" class="button" onClick=${()=>e("tag")}>Tag</button>
    <button type="button" class="button" onClick=${r}>
      ${g?"Enable":"Disable"}</button>
    <button type="button" class="button" onClick=${S}>QR codes</button>
    ${F()&&j.get().others&&d`<button type="button" class="button" onClick=${()=>e("give")}>Give</button>`}
    <button type="button" class="button danger" onClick=${s}>Delete</button>
    <${K} icon="close" label="Clear the selection" onClick=${c} />
    ${l==="delete"&&d`<${it} links=${t} onClose=${()=>e("")}
      onDelete=${()=>{e(""),h()}} />`}
    ${l==="give"&&d`<${st} links=${t} onClose=${()=>e("")} onGive=${n=>R(t,()=>({owner:n}),`${p(t.length)} given to ${n}`)} />`}
    ${l==="tag"&&d`<${ut} links=${t} onClose=${()=>e("")}
      onApply=${n=>{e(""),m(n)}} />`}
  </section>`}var it=({links:t,onClose:o,onDelete:a})=>{let c=`Delete ${p(t.length)}?`;return d`<${A} label=${c} onClose=${o}>
    <${q} onClose=${o}>${c}<//>
    <p>Their short URLs stop working, and their statistics are deleted.</p>
    <div class="buttons"><button type="button" class="button" data-focus=${!0} onClick=${o}>
      Keep them</button>
      <button type="button" class="button danger" onClick=${a}>Delete</button></div>
  <//>`},lt=t=>t.toLowerCase();function ut({links:t,onClose:o,onApply:a}){let c=E(J),[l,e]=y([]),[$,u]=y(""),[i,m]=y([]);O(()=>{x()},[]);let g=[...new Set(t.flatMap(s=>s.tags??[]))].sort(),r=s=>{if(s.preventDefault(),!$.trim()){if(!l.length&&!i.length)return o();a(()=>R(t,b=>{let v=(b.tags??[]).filter(f=>!i.includes(f)),S=l.filter(f=>!v.some(T=>lt(T)===lt(f))),n=[...v,...S];return{tags:n.length?n:null}},l.length?`${p(t.length)} tagged`:`Tags of ${p(t.length)} changed`).then(()=>x(!0)))}},h=s=>m(i.includes(s)?i.filter(b=>b!==s):[...i,s]);return d`<${A} label="Tag links" onClose=${o}><form onSubmit=${r}>
    <${q} onClose=${o}>Tag ${p(t.length)}<//>
    <label for="tag-add">Add tags</label>
    <${H} id="tag-add" label="Add tags" values=${l} text=${$} parse=${B}
      onChange=${(s,b)=>{e(s),u(b)}}
      options=${V(c)} create=${!0} placeholder="newsletter" />
    ${g.length>0&&d`<fieldset class="take-off"><legend>Remove</legend>
      <span class="toggles">${g.map(s=>d`<button type="button" key=${s}
        class="toggle" aria-pressed=${i.includes(s)} onClick=${()=>h(s)}>
        ${M(s)}</button>`)}</span></fieldset>`}
    <div class="buttons"><button type="button" class="button" onClick=${o}>Cancel</button>
      <button class="button primary">Apply</button></div>
  </form><//>`}export{At as Selection};
