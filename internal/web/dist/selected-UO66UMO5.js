import{o as H,t as J}from"./chunk-RXQHKCVZ.js";import"./chunk-BLDDEBZM.js";import{b as lt}from"./chunk-2ARMZBR5.js";import"./chunk-WBLN66OK.js";import{Aa as N,Ab as X,Ba as Q,Ca as U,F as L,Fb as A,Hb as Y,Ia as Z,K as P,Kb as tt,L as W,Lb as et,M as j,Mb as D,Nb as ot,Ob as nt,Pb as st,Ub as at,X as F,a as w,b as O,d as B,fa as u,h as k,ha as I,i as G,la as T,ma as K,oa as q,qa as _,ra as z,w as E,yb as V,zb as R}from"./chunk-LD747BCO.js";var ut=Z(()=>import("./qrcodes-PSD6SZPJ.js")),f=t=>G(t,"link","links");async function M(t,a,i){let r=t.map(o=>tt(o.short_code)??o),l=r.map(o=>({op:"update",short_code:o.short_code,link:a(o)})),e=r.map((o,b)=>at(o,Object.keys(l[b].link))),d=r.map(F).find(Boolean)??"",$=await rt(l,d),c=l.map((o,b)=>({...o,link:e[b]})).filter(o=>$.has(o.short_code)),g=r.length-$.size,h=g?`${i}, but for ${f(g)}`:i;K(h,c.length>0&&(async()=>{await rt(c,"owner"in c[0].link?P:d),q("Changed back")}))}async function rt(t,a){let i=new Set,r=[],l=0;try{await N(t,e=>{for(let{status:d,link:$}of e)d<300&&(i.add(t[l].short_code),$&&(et($),r.push($))),l++},{owner:a,onPause:e=>e&&T(`Too many requests. Continuing in ${e} s.`)})}catch(e){if(!i.size)throw e}return st(r),i}var dt=20;function _t({links:t,total:a,isLowerBound:i,onClear:r}){let[l,e]=w(""),[d,$]=w({}),[c,g]=w(!1),h=B(),o=async s=>{if(!c){g(!0);try{await s()}catch(p){T(`Not changed: ${p.message}`)}finally{g(!1)}}},b=t.every(s=>s.disabled),n=()=>o(()=>M(t,()=>({disabled:b?null:!0}),`${f(t.length)} ${b?"enabled":"disabled"}`)),m=()=>{let s=t.filter(U).length;q(`${f(s)} deleted. Press Z to undo.`),s<t.length?T("Too many deletes at once. Wait ten seconds."):ot()},S=()=>t.length>dt?e("delete"):m(),C=d.query===A.get().query?d.n:i?void 0:a,y=Math.min(C??D,D),v=()=>o(async()=>{let{query:s}=A.get(),p=await Y(D);A.get().query===s&&(nt(new Map([...p].filter(([it])=>!Q(it)))),p.size<D&&$({query:s,n:p.size}),q(`${f(p.size)} selected`),requestAnimationFrame(()=>h.current?.querySelector("button").focus()))}),x=()=>o(async()=>{let{downloadCodes:s}=await ut();await s(t.map(p=>p.short_code))});return u`<section ref=${h} class="selection" aria-label="Selected links" aria-busy=${c}>
    <p role="status"><b>${k(t.length)}</b> selected${C===void 0&&` of more than ${k(Math.max(a,t.length))}`}</p>
    ${y>t.length&&u`<button type="button" class="button" onClick=${v}>${C===void 0?`Select all, at most ${k(y)}`:`Select ${y<C?"the first":"all"} ${k(y)}`}</button>`}
    <button type="button" class="button" onClick=${()=>e("tag")}>Tag</button>
    <button type="button" class="button" onClick=${n}>
      ${b?"Enable":"Disable"}</button>
    <button type="button" class="button" onClick=${x}>QR codes</button>
    ${j()&&W.get().others&&u`<button type="button" class="button" onClick=${()=>e("give")}>Give</button>`}
    <button type="button" class="button danger" onClick=${S}>Delete</button>
    <${I} icon="close" label="Clear the selection" onClick=${r} />
    ${l==="delete"&&u`<${$t} links=${t} onClose=${()=>e("")}
      onDelete=${()=>{e(""),m()}} />`}
    ${l==="give"&&u`<${lt} links=${t} onClose=${()=>e("")} onGive=${s=>M(t,()=>({owner:s}),`${f(t.length)} given to ${s}`)} />`}
    ${l==="tag"&&u`<${bt} links=${t} onClose=${()=>e("")}
      onApply=${s=>{e(""),o(s)}} />`}
  </section>`}var $t=({links:t,onClose:a,onDelete:i})=>{let r=`Delete ${f(t.length)}?`;return u`<${_} label=${r} onClose=${a}>
    <${z} onClose=${a}>${r}<//>
    <p>Their short URLs stop working, and their statistics are deleted.</p>
    <div class="buttons"><button type="button" class="button" data-focus=${!0} onClick=${a}>
      Keep them</button>
      <button type="button" class="button danger" onClick=${i}>Delete</button></div>
  <//>`},ct=t=>t.toLowerCase();function bt({links:t,onClose:a,onApply:i}){let r=L(V),[l,e]=w([]),[d,$]=w(""),[c,g]=w([]);O(()=>{R()},[]);let h=[...new Set(t.flatMap(n=>n.tags??[]))].sort(),o=n=>{if(n.preventDefault(),!d.trim()){if(!l.length&&!c.length)return a();i(()=>M(t,m=>{let S=(m.tags??[]).filter(v=>!c.includes(v)),C=l.filter(v=>!S.some(x=>ct(x)===ct(v))),y=[...S,...C];return{tags:y.length?y:null}},l.length?`${f(t.length)} tagged`:`Tags of ${f(t.length)} changed`).then(()=>R(!0)))}},b=n=>g(c.includes(n)?c.filter(m=>m!==n):[...c,n]);return u`<${_} label="Tag links" onClose=${a}><form onSubmit=${o}>
    <${z} onClose=${a}>Tag ${f(t.length)}<//>
    <label for="tag-add">Add tags</label>
    <${J} id="tag-add" label="Add tags" values=${l} text=${d} parse=${H}
      onChange=${(n,m)=>{e(n),$(m)}}
      options=${X(r)} create=${!0} placeholder="newsletter" />
    ${h.length>0&&u`<fieldset class="take-off"><legend>Remove</legend>
      <span class="toggles">${h.map(n=>u`<button type="button" key=${n}
        class="toggle" aria-pressed=${c.includes(n)} onClick=${()=>b(n)}>
        ${E(n)}</button>`)}</span></fieldset>`}
    <div class="buttons"><button type="button" class="button" onClick=${a}>Cancel</button>
      <button class="button primary">Apply</button></div>
  </form><//>`}export{_t as Selection};
