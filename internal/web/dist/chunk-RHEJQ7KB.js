import{b as $,c as i}from"./chunk-KCHCFZU3.js";import{f as D}from"./chunk-34G3JOU4.js";import{v,w as x}from"./chunk-3M7SCBBP.js";import{b as L,c as T}from"./chunk-4ML2RHRV.js";import{E as b,b as h,c as u,e as S,h as f,i as r,k as m,l as d,x as k}from"./chunk-AF6ZNSPA.js";var w=$(()=>import("./edit-P5HYNFBW.js")),N=i(w,"EditLink"),z=i(w,"LinkForm"),K=w,G=i($(()=>import("./qr-6EZF2MJB.js")),"QR"),J=i($(()=>import("./selected-CIIOI66A.js")),"Selection"),O=i($(()=>import("./tagdialog-E77625RT.js")),"TagDialog"),P=i($(()=>import("./help-KIOUERIY.js")),"Help");var F=[["newest","Newest"],["oldest","Oldest"],["clicks","Most clicks"],["clicks-24h","Most clicks in 24 hours"],["clicks-7d","Most clicks in 7 days"],["clicks-30d","Most clicks in 30 days"]],M={active:"Active",...D},j=200,C=t=>[...t].slice(0,j).join("").trim();function et(t){let c=(o,a,l)=>a(t.get(o))?t.get(o):l;return{search:C(t.get("search")??""),sort:c("sort",o=>F.some(([a])=>a===o),"newest"),tag:[...new Set(t.getAll("tag").filter(Boolean))].slice(0,20),status:c("status",o=>o!==null&&Object.hasOwn(M,o),"")}}var B=t=>L("/ui/",{...t,sort:t.sort==="newest"?"":t.sort}),st=({tag:t,status:c})=>t.length>0||!!c;function ot({query:t,state:c,total:o}){let[a,l]=h(t.search),s=S(t.search);u(()=>{t.search!==s.current&&l(t.search),s.current=t.search},[t.search]);let n=(e,g)=>{s.current=e.search??C(a),T(B({...t,search:s.current,...e}),g)},p=e=>{l(e),n({search:C(e)},{replace:!0})},R=e=>{e.key==="Escape"&&(e.preventDefault(),a?p(""):e.target.blur())},E=t.search?d(o,"match","matches"):d(o,"link","links");return r`<div class="toolbar" role="search">
    <div class="search"><${b} name="search" />
      <input id="search" type="search" class="field" aria-label="Search links"
        placeholder="Search links" autocomplete="off" spellcheck=${!1}
        value=${a} onInput=${e=>p(e.target.value)} onKeyDown=${R} />
      <kbd aria-hidden="true">/</kbd></div>
    <${Q} query=${t} ask=${n} />
    <${A} label="State" value=${t.status} onChange=${e=>n({status:e})}
      options=${[["","Any state"],...Object.entries(M)]} />
    <${A} label="Sort" value=${t.sort} options=${F}
      onChange=${e=>n({sort:e},{replace:!0})} />
    <p class="amount" role="status">${c.loaded?c.isLowerBound?`${m(o)}+ matches`:E:""}</p>
  </div>
  ${t.tag.length>0&&r`<div class="chips list-chips">${t.tag.map(e=>r`<button type="button" class="chip" key=${e}
      onClick=${()=>n({tag:t.tag.filter(g=>g!==e)})}>
      <span class="unseen">Remove filter: </span><span class="chip-text">${k(e)}</span>
      <${b} name="close" /></button>`)}
    ${t.tag.length===1&&r`<${I} key=${t.tag[0]} tag=${t.tag[0]}
      onDone=${e=>n({tag:e?[e]:[]},{replace:!0})} />`}</div>`}`}function I({tag:t,onDone:c}){let[o,a]=h(!1),l=p=>p.tag.toLowerCase()===t.toLowerCase(),s=f(v).find(l);if(!s)return null;let n=p=>{a(!1),c(p)};return r`<button type="button" class="text-button" onClick=${()=>a(!0)}>
    Rename or delete this tag</button>
    ${o&&r`<${O} tag=${s.tag} links=${s.links} onDone=${n}
      onClose=${()=>a(!1)} />`}`}var A=({label:t,value:c,options:o,onChange:a})=>r`<span class="sort">
  <select class="field" aria-label=${t} value=${c}
    onChange=${l=>a(l.target.value)}>
    ${o.map(([l,s])=>r`<option key=${l} value=${l}>${s}</option>`)}</select></span>`;function Q({query:t,ask:c}){let o=f(v);u(()=>{x()},[]);let a=s=>t.tag.some(n=>n.toLowerCase()===s.toLowerCase());return r`<span class="sort tag-filter"><select class="field" aria-label="Tag" value=""
      onChange=${s=>{let{value:n}=s.target;s.target.value="",n&&c({tag:[...t.tag,n]})}} onFocus=${()=>x()}>
      <option value="">${t.tag.length?"Another tag":"Any tag"}</option>
      ${o.length?o.filter(({tag:s})=>!a(s)).map(({tag:s,links:n})=>r`<option key=${s} value=${s}>${k(s)} (${m(n)})</option>`):r`<option value="-" disabled>No tags yet</option>`}</select></span>`}export{N as a,z as b,K as c,G as d,J as e,P as f,et as g,B as h,st as i,ot as j,Q as k};
