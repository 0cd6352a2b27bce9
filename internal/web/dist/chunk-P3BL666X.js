import{e as S}from"./chunk-KBZFFNUA.js";import{u as b,v as k}from"./chunk-5PC4BVFW.js";import{l as T}from"./chunk-SAZQSFR7.js";import{b as C,c as x}from"./chunk-D7E6UWU7.js";import{C as m,b as $,c as h,e as w,h as g,i as r,k as u,l as f,w as d}from"./chunk-PE56B7N7.js";var A=[["newest","Newest"],["oldest","Oldest"],["clicks","Most clicks"]],D={active:"Active",...S},B=200,v=t=>[...t].slice(0,B).join("").trim();function P(t){let l=(o,a,c)=>a(t.get(o))?t.get(o):c;return{search:v(t.get("search")??""),sort:l("sort",o=>A.some(([a])=>a===o),"newest"),tag:[...new Set(t.getAll("tag").filter(Boolean))].slice(0,20),status:l("status",o=>o!==null&&Object.hasOwn(D,o),"")}}var F=t=>C("/ui/",{...t,sort:t.sort==="newest"?"":t.sort}),U=({tag:t,status:l})=>t.length>0||!!l;function V({query:t,state:l,total:o}){let[a,c]=$(t.search),s=w(t.search);h(()=>{t.search!==s.current&&c(t.search),s.current=t.search},[t.search]);let n=(e,p)=>{s.current=e.search??v(a),x(F({...t,search:s.current,...e}),p)},i=e=>{c(e),n({search:v(e)},{replace:!0})},L=e=>{e.key==="Escape"&&(e.preventDefault(),a?i(""):e.target.blur())},j=t.search?f(o,"match","matches"):f(o,"link","links");return r`<div class="toolbar" role="search">
    <div class="search"><${m} name="search" />
      <input id="search" type="search" class="field" aria-label="Search links"
        placeholder="Search links" autocomplete="off" spellcheck=${!1}
        value=${a} onInput=${e=>i(e.target.value)} onKeyDown=${L} />
      <kbd aria-hidden="true">/</kbd></div>
    <${R} query=${t} ask=${n} />
    <${O} label="State" value=${t.status} onChange=${e=>n({status:e})}
      options=${[["","Any state"],...Object.entries(D)]} />
    <${O} label="Sort" value=${t.sort} options=${A}
      onChange=${e=>n({sort:e},{replace:!0})} />
    <p class="amount" role="status">${l.loaded?l.isLowerBound?`${u(o)}+ matches`:j:""}</p>
  </div>
  ${t.tag.length>0&&r`<div class="chips list-chips">${t.tag.map(e=>r`<button type="button" class="chip" key=${e}
      onClick=${()=>n({tag:t.tag.filter(p=>p!==e)})}>
      <span class="unseen">Remove filter: </span><span class="chip-text">${d(e)}</span>
      <${m} name="close" /></button>`)}
    ${t.tag.length===1&&r`<${I} key=${t.tag[0]} tag=${t.tag[0]}
      onDone=${e=>n({tag:e?[e]:[]},{replace:!0})} />`}</div>`}`}function I({tag:t,onDone:l}){let[o,a]=$(!1),c=i=>i.tag.toLowerCase()===t.toLowerCase(),s=g(b).find(c);if(!s)return null;let n=i=>{a(!1),l(i)};return r`<button type="button" class="text-button" onClick=${()=>a(!0)}>
    Rename or delete this tag</button>
    ${o&&r`<${T} tag=${s.tag} links=${s.links} onDone=${n}
      onClose=${()=>a(!1)} />`}`}var O=({label:t,value:l,options:o,onChange:a})=>r`<span class="sort">
  <select class="field" aria-label=${t} value=${l}
    onChange=${c=>a(c.target.value)}>
    ${o.map(([c,s])=>r`<option key=${c} value=${c}>${s}</option>`)}</select></span>`;function R({query:t,ask:l}){let o=g(b);h(()=>{k()},[]);let a=s=>t.tag.some(n=>n.toLowerCase()===s.toLowerCase());return r`<span class="sort tag-filter"><select class="field" aria-label="Tag" value=""
      onChange=${s=>{let{value:n}=s.target;s.target.value="",n&&l({tag:[...t.tag,n]})}} onFocus=${()=>k()}>
      <option value="">${t.tag.length?"Another tag":"Any tag"}</option>
      ${o.length?o.filter(({tag:s})=>!a(s)).map(({tag:s,links:n})=>r`<option key=${s} value=${s}>${d(s)} (${u(n)})</option>`):r`<option value="-" disabled>No tags yet</option>`}</select></span>`}export{P as a,F as b,U as c,V as d,R as e};
