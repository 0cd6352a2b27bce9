import{b as h,d as i}from"./chunk-P5NLHDLW.js";import{f as O}from"./chunk-VQ4JKL63.js";import{A as v,B as x}from"./chunk-7RNX2GPN.js";import{b as B,c as D}from"./chunk-NTYZJBCE.js";import{F as b,G as T,b as g,c as u,e as L,h as f,i as l,k as m,l as d,y as k}from"./chunk-T63LDOMM.js";var w=h(()=>import("./edit-OP3QV2GB.js")),G=i(w,"EditLink"),J=i(w,"LinkForm"),U=w,j=h(()=>import("./batch-CAGV6MQ5.js")),V=i(j,"Batch"),W=i(h(()=>import("./qr-KDCLABYP.js")),"QR"),X=i(h(()=>import("./selected-VIA5UJSG.js")),"Selection"),A=i(h(()=>import("./tagdialog-3DSKM7AH.js")),"TagDialog"),Y=i(h(()=>import("./help-HKD6BZNO.js")),"Help");var C=[["newest","Newest"],["oldest","Oldest"],["clicks","Most clicks"],["clicks-24h","Most clicks in 24 hours"],["clicks-7d","Most clicks in 7 days"],["clicks-30d","Most clicks in 30 days"]],Q=t=>t?C.map(([c,o])=>[c,o.replace("clicks","clicks with bots")]):C,F={active:"Active",...O},H=200,S=t=>[...t].slice(0,H).join("").trim();function ct(t){let c=(o,a,r)=>a(t.get(o))?t.get(o):r;return{search:S(t.get("search")??""),sort:c("sort",o=>C.some(([a])=>a===o),"newest"),tag:[...new Set(t.getAll("tag").filter(Boolean))].slice(0,20),status:c("status",o=>o!==null&&Object.hasOwn(F,o),""),bots:t.get("bots")==="1"}}var N=t=>B("/ui/",{...t,sort:t.sort==="newest"?"":t.sort,bots:t.bots&&"1"}),lt=({tag:t,status:c})=>t.length>0||!!c;function rt({query:t,state:c,total:o}){let[a,r]=g(t.search),s=L(t.search);u(()=>{t.search!==s.current&&r(t.search),s.current=t.search},[t.search]);let n=(e,$)=>{s.current=e.search??S(a),D(N({...t,search:s.current,...e}),$)},p=e=>{r(e),n({search:S(e)},{replace:!0})},I=e=>{e.key==="Escape"&&(e.preventDefault(),a?p(""):e.target.blur())},M=()=>{p(""),document.getElementById("search").focus()},R=t.search?d(o,"match","matches"):d(o,"link","links");return l`<div class="toolbar" role="search">
    <div class="search"><${b} name="search" />
      <input id="search" type="search" class="field" aria-label="Search links"
        placeholder="Search links" autocomplete="off" spellcheck=${!1}
        value=${a} onInput=${e=>p(e.target.value)} onKeyDown=${I} />
      ${a?l`<${T} icon="close" label="Clear the search" onClick=${M} />`:l`<kbd aria-hidden="true">/</kbd>`}</div>
    <${K} query=${t} ask=${n} />
    <${E} label="State" value=${t.status} onChange=${e=>n({status:e})}
      options=${[["","Any state"],...Object.entries(F)]} />
    <${E} label="Sort" value=${t.sort} options=${Q(t.bots)}
      onChange=${e=>n({sort:e},{replace:!0})} />
    <label class="check list-people"><input type="checkbox" checked=${!t.bots}
      onChange=${e=>n({bots:!e.target.checked},{replace:!0})} />
      <span>People only</span> <span class="quiet">· bots ${t.bots?"are counted":"are left out"}</span></label>
    <p class="amount" role="status">${c.loaded?c.isLowerBound?`${m(o)}+ matches`:R:""}</p>
  </div>
  ${t.tag.length>0&&l`<div class="chips list-chips">${t.tag.map(e=>l`<button type="button" class="chip" key=${e}
      onClick=${()=>n({tag:t.tag.filter($=>$!==e)})}>
      <span class="unseen">Remove filter: </span><span class="chip-text">${k(e)}</span>
      <${b} name="close" /></button>`)}
    ${t.tag.length===1&&l`<${z} key=${t.tag[0]} tag=${t.tag[0]}
      onDone=${e=>n({tag:e?[e]:[]},{replace:!0})} />`}</div>`}`}function z({tag:t,onDone:c}){let[o,a]=g(!1),r=p=>p.tag.toLowerCase()===t.toLowerCase(),s=f(v).find(r);if(!s)return null;let n=p=>{a(!1),c(p)};return l`<button type="button" class="text-button" onClick=${()=>a(!0)}>
    Rename or delete this tag</button>
    ${o&&l`<${A} tag=${s.tag} links=${s.links} onDone=${n}
      onClose=${()=>a(!1)} />`}`}var E=({label:t,value:c,options:o,onChange:a})=>l`<span class="sort">
  <select class="field" aria-label=${t} value=${c}
    onChange=${r=>a(r.target.value)}>
    ${o.map(([r,s])=>l`<option key=${r} value=${r}>${s}</option>`)}</select></span>`;function K({query:t,ask:c}){let o=f(v);u(()=>{x()},[]);let a=s=>t.tag.some(n=>n.toLowerCase()===s.toLowerCase());return l`<span class="sort tag-filter"><select class="field" aria-label="Tag" value=""
      onChange=${s=>{let{value:n}=s.target;s.target.value="",n&&c({tag:[...t.tag,n]})}} onFocus=${()=>x()}>
      <option value="">${t.tag.length?"Another tag":"Any tag"}</option>
      ${o.length?o.filter(({tag:s})=>!a(s)).map(({tag:s,links:n})=>l`<option key=${s} value=${s}>${k(s)} (${m(n)})</option>`):l`<option value="-" disabled>No tags yet</option>`}</select></span>`}export{G as a,J as b,U as c,j as d,V as e,W as f,X as g,Y as h,ct as i,N as j,lt as k,rt as l,K as m};
