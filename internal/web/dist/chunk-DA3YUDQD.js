import{f as S}from"./chunk-NTORZWUK.js";import{u as k,v as b}from"./chunk-3ICLPHQE.js";import{m as T}from"./chunk-HMKSKISY.js";import{b as C,c as x}from"./chunk-PCD4SETE.js";import{E as m,b as $,c as h,e as w,h as g,i as r,k as u,l as f,x as d}from"./chunk-7IY37C7O.js";var A=[["newest","Newest"],["oldest","Oldest"],["clicks","Most clicks"],["clicks-24h","Most clicks in 24 hours"],["clicks-7d","Most clicks in 7 days"],["clicks-30d","Most clicks in 30 days"]],D={active:"Active",...S},j=200,v=t=>[...t].slice(0,j).join("").trim();function P(t){let c=(o,a,l)=>a(t.get(o))?t.get(o):l;return{search:v(t.get("search")??""),sort:c("sort",o=>A.some(([a])=>a===o),"newest"),tag:[...new Set(t.getAll("tag").filter(Boolean))].slice(0,20),status:c("status",o=>o!==null&&Object.hasOwn(D,o),"")}}var B=t=>C("/ui/",{...t,sort:t.sort==="newest"?"":t.sort}),U=({tag:t,status:c})=>t.length>0||!!c;function V({query:t,state:c,total:o}){let[a,l]=$(t.search),s=w(t.search);h(()=>{t.search!==s.current&&l(t.search),s.current=t.search},[t.search]);let n=(e,p)=>{s.current=e.search??v(a),x(B({...t,search:s.current,...e}),p)},i=e=>{l(e),n({search:v(e)},{replace:!0})},L=e=>{e.key==="Escape"&&(e.preventDefault(),a?i(""):e.target.blur())},M=t.search?f(o,"match","matches"):f(o,"link","links");return r`<div class="toolbar" role="search">
    <div class="search"><${m} name="search" />
      <input id="search" type="search" class="field" aria-label="Search links"
        placeholder="Search links" autocomplete="off" spellcheck=${!1}
        value=${a} onInput=${e=>i(e.target.value)} onKeyDown=${L} />
      <kbd aria-hidden="true">/</kbd></div>
    <${I} query=${t} ask=${n} />
    <${O} label="State" value=${t.status} onChange=${e=>n({status:e})}
      options=${[["","Any state"],...Object.entries(D)]} />
    <${O} label="Sort" value=${t.sort} options=${A}
      onChange=${e=>n({sort:e},{replace:!0})} />
    <p class="amount" role="status">${c.loaded?c.isLowerBound?`${u(o)}+ matches`:M:""}</p>
  </div>
  ${t.tag.length>0&&r`<div class="chips list-chips">${t.tag.map(e=>r`<button type="button" class="chip" key=${e}
      onClick=${()=>n({tag:t.tag.filter(p=>p!==e)})}>
      <span class="unseen">Remove filter: </span><span class="chip-text">${d(e)}</span>
      <${m} name="close" /></button>`)}
    ${t.tag.length===1&&r`<${F} key=${t.tag[0]} tag=${t.tag[0]}
      onDone=${e=>n({tag:e?[e]:[]},{replace:!0})} />`}</div>`}`}function F({tag:t,onDone:c}){let[o,a]=$(!1),l=i=>i.tag.toLowerCase()===t.toLowerCase(),s=g(k).find(l);if(!s)return null;let n=i=>{a(!1),c(i)};return r`<button type="button" class="text-button" onClick=${()=>a(!0)}>
    Rename or delete this tag</button>
    ${o&&r`<${T} tag=${s.tag} links=${s.links} onDone=${n}
      onClose=${()=>a(!1)} />`}`}var O=({label:t,value:c,options:o,onChange:a})=>r`<span class="sort">
  <select class="field" aria-label=${t} value=${c}
    onChange=${l=>a(l.target.value)}>
    ${o.map(([l,s])=>r`<option key=${l} value=${l}>${s}</option>`)}</select></span>`;function I({query:t,ask:c}){let o=g(k);h(()=>{b()},[]);let a=s=>t.tag.some(n=>n.toLowerCase()===s.toLowerCase());return r`<span class="sort tag-filter"><select class="field" aria-label="Tag" value=""
      onChange=${s=>{let{value:n}=s.target;s.target.value="",n&&c({tag:[...t.tag,n]})}} onFocus=${()=>b()}>
      <option value="">${t.tag.length?"Another tag":"Any tag"}</option>
      ${o.length?o.filter(({tag:s})=>!a(s)).map(({tag:s,links:n})=>r`<option key=${s} value=${s}>${d(s)} (${u(n)})</option>`):r`<option value="-" disabled>No tags yet</option>`}</select></span>`}export{P as a,B as b,U as c,V as d,I as e};
