import{b as p,c as i}from"./chunk-ZZGKPRYP.js";import{f as D}from"./chunk-TULNJS2H.js";import{v,w as x}from"./chunk-ECZEFQF6.js";import{b as L,c as T}from"./chunk-OY4QQMVY.js";import{E as b,b as g,c as u,e as S,h as f,i as r,k as m,l as d,x as k}from"./chunk-EIQ3LMFE.js";var w=p(()=>import("./edit-EH7MPTVL.js")),z=i(w,"EditLink"),K=i(w,"LinkForm"),G=w,E=p(()=>import("./batch-V4BKRM7Z.js")),J=i(E,"Batch"),P=i(p(()=>import("./qr-6YQANOHI.js")),"QR"),U=i(p(()=>import("./selected-YTL3BHWY.js")),"Selection"),O=i(p(()=>import("./tagdialog-HUZVEYT7.js")),"TagDialog"),V=i(p(()=>import("./help-DOHC7L25.js")),"Help");var B=[["newest","Newest"],["oldest","Oldest"],["clicks","Most clicks"],["clicks-24h","Most clicks in 24 hours"],["clicks-7d","Most clicks in 7 days"],["clicks-30d","Most clicks in 30 days"]],F={active:"Active",...D},j=200,C=t=>[...t].slice(0,j).join("").trim();function ot(t){let c=(o,a,l)=>a(t.get(o))?t.get(o):l;return{search:C(t.get("search")??""),sort:c("sort",o=>B.some(([a])=>a===o),"newest"),tag:[...new Set(t.getAll("tag").filter(Boolean))].slice(0,20),status:c("status",o=>o!==null&&Object.hasOwn(F,o),"")}}var I=t=>L("/ui/",{...t,sort:t.sort==="newest"?"":t.sort}),at=({tag:t,status:c})=>t.length>0||!!c;function nt({query:t,state:c,total:o}){let[a,l]=g(t.search),s=S(t.search);u(()=>{t.search!==s.current&&l(t.search),s.current=t.search},[t.search]);let n=(e,h)=>{s.current=e.search??C(a),T(I({...t,search:s.current,...e}),h)},$=e=>{l(e),n({search:C(e)},{replace:!0})},M=e=>{e.key==="Escape"&&(e.preventDefault(),a?$(""):e.target.blur())},R=t.search?d(o,"match","matches"):d(o,"link","links");return r`<div class="toolbar" role="search">
    <div class="search"><${b} name="search" />
      <input id="search" type="search" class="field" aria-label="Search links"
        placeholder="Search links" autocomplete="off" spellcheck=${!1}
        value=${a} onInput=${e=>$(e.target.value)} onKeyDown=${M} />
      <kbd aria-hidden="true">/</kbd></div>
    <${H} query=${t} ask=${n} />
    <${A} label="State" value=${t.status} onChange=${e=>n({status:e})}
      options=${[["","Any state"],...Object.entries(F)]} />
    <${A} label="Sort" value=${t.sort} options=${B}
      onChange=${e=>n({sort:e},{replace:!0})} />
    <p class="amount" role="status">${c.loaded?c.isLowerBound?`${m(o)}+ matches`:R:""}</p>
  </div>
  ${t.tag.length>0&&r`<div class="chips list-chips">${t.tag.map(e=>r`<button type="button" class="chip" key=${e}
      onClick=${()=>n({tag:t.tag.filter(h=>h!==e)})}>
      <span class="unseen">Remove filter: </span><span class="chip-text">${k(e)}</span>
      <${b} name="close" /></button>`)}
    ${t.tag.length===1&&r`<${Q} key=${t.tag[0]} tag=${t.tag[0]}
      onDone=${e=>n({tag:e?[e]:[]},{replace:!0})} />`}</div>`}`}function Q({tag:t,onDone:c}){let[o,a]=g(!1),l=$=>$.tag.toLowerCase()===t.toLowerCase(),s=f(v).find(l);if(!s)return null;let n=$=>{a(!1),c($)};return r`<button type="button" class="text-button" onClick=${()=>a(!0)}>
    Rename or delete this tag</button>
    ${o&&r`<${O} tag=${s.tag} links=${s.links} onDone=${n}
      onClose=${()=>a(!1)} />`}`}var A=({label:t,value:c,options:o,onChange:a})=>r`<span class="sort">
  <select class="field" aria-label=${t} value=${c}
    onChange=${l=>a(l.target.value)}>
    ${o.map(([l,s])=>r`<option key=${l} value=${l}>${s}</option>`)}</select></span>`;function H({query:t,ask:c}){let o=f(v);u(()=>{x()},[]);let a=s=>t.tag.some(n=>n.toLowerCase()===s.toLowerCase());return r`<span class="sort tag-filter"><select class="field" aria-label="Tag" value=""
      onChange=${s=>{let{value:n}=s.target;s.target.value="",n&&c({tag:[...t.tag,n]})}} onFocus=${()=>x()}>
      <option value="">${t.tag.length?"Another tag":"Any tag"}</option>
      ${o.length?o.filter(({tag:s})=>!a(s)).map(({tag:s,links:n})=>r`<option key=${s} value=${s}>${k(s)} (${m(n)})</option>`):r`<option value="-" disabled>No tags yet</option>`}</select></span>`}export{z as a,K as b,G as c,E as d,J as e,P as f,U as g,V as h,ot as i,I as j,at as k,nt as l,H as m};
