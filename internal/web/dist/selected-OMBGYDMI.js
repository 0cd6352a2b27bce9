import{n as Z,s as G}from"./chunk-AYFJKBNQ.js";import"./chunk-LCBIPPYB.js";import{$a as H,D as M,I as $,K as j,O as D,P,R as k,S as A,T as q,a as y,aa as F,ab as _,b as R,ba as I,bb as J,ca as K,d as O,db as v,ea as N,eb as V,fb as X,g as C,gb as Y,h as z,na as x,pa as Q,sa as U,ta as W,u as E}from"./chunk-IEPOQJS4.js";var et=N(()=>import("./qrcodes-OK6LVDJO.js")),p=t=>z(t,"link","links");async function tt(t,e,l){let r=t.map(n=>U(n.short_code)??n),o=r.map(n=>({op:"update",short_code:n.short_code,link:e(n)})),c=r.map((n,m)=>Object.fromEntries(Object.keys(o[m].link).map(h=>[h,n[h]??null]))),i=await B(o),g=o.map((n,m)=>({...n,link:c[m]})).filter(n=>i.has(n.short_code)),u=r.length-i.size,f=u?`${l}, but for ${p(u)}`:l;P(f,g.length>0&&(async()=>{await B(g),k("Changed back")}))}async function B(t){let e=new Set,l=[],r=0;try{await F(t,o=>{for(let{status:c,link:i}of o)c<300&&(e.add(t[r].short_code),i&&(W(i),l.push(i))),r++},{onPause:o=>o&&D(`Too many requests. Continuing in ${o} s.`)})}catch(o){if(!e.size)throw o}return Y(l),e}var ot=20;function ht({links:t,total:e,isLowerBound:l,onClear:r}){let[o,c]=y(""),[i,g]=y(!1),u=O(),f=async a=>{if(!i){g(!0);try{await a()}catch(b){D(`Not changed: ${b.message}`)}finally{g(!1)}}},n=t.every(a=>a.disabled),m=()=>f(()=>tt(t,()=>({disabled:n?null:!0}),`${p(t.length)} ${n?"enabled":"disabled"}`)),h=()=>{let a=t.filter(K).length;k(`${p(a)} deleted. Press Z to undo.`),a<t.length?D("Too many deletes at once. Wait ten seconds."):V()},s=()=>t.length>ot?c("delete"):h(),d=l?v:Math.min(e,v),w=()=>f(async()=>{let{query:a}=x.get(),b=await Q(v);x.get().query===a&&(X(new Map([...b].filter(([T])=>!I(T)))),k(`${p(b.size)} selected`),requestAnimationFrame(()=>u.current?.querySelector("button").focus()))}),S=()=>f(async()=>{let{downloadCodes:a}=await et();await a(t.map(b=>b.short_code))});return $`<section ref=${u} class="selection" aria-label="Selected links" aria-busy=${i}>
    <p role="status"><b>${C(t.length)}</b> selected${l&&t.length<e&&` of more than ${C(e)}`}</p>
    ${d>t.length&&(!l||t.length<e)&&$`<button type="button" class="button" onClick=${w}>${l?`Select all, at most ${C(d)}`:`Select ${d<e?"the first":"all"} ${C(d)}`}</button>`}
    <button type="button" class="button" onClick=${()=>c("tag")}>Tag</button>
    <button type="button" class="button" onClick=${m}>
      ${n?"Enable":"Disable"}</button>
    <button type="button" class="button" onClick=${S}>QR codes</button>
    <button type="button" class="button danger" onClick=${s}>Delete</button>
    <${j} icon="close" label="Clear the selection" onClick=${r} />
    ${o==="delete"&&$`<${nt} links=${t} onClose=${()=>c("")}
      onDelete=${()=>{c(""),h()}} />`}
    ${o==="tag"&&$`<${st} links=${t} onClose=${()=>c("")}
      onApply=${a=>{c(""),f(a)}} />`}
  </section>`}var nt=({links:t,onClose:e,onDelete:l})=>{let r=`Delete ${p(t.length)}?`;return $`<${A} label=${r} onClose=${e}>
    <${q} onClose=${e}>${r}<//>
    <p>Their short URLs stop working, and their statistics are deleted.</p>
    <div class="buttons"><button type="button" class="button" data-focus=${!0} onClick=${e}>
      Keep them</button>
      <button type="button" class="button danger" onClick=${l}>Delete</button></div>
  <//>`},L=t=>t.toLowerCase();function st({links:t,onClose:e,onApply:l}){let r=M(H),[o,c]=y([]),[i,g]=y(""),[u,f]=y([]);R(()=>{_()},[]);let n=[...new Set(t.flatMap(s=>s.tags??[]))].sort(),m=s=>{if(s.preventDefault(),!i.trim()){if(!o.length&&!u.length)return e();l(()=>tt(t,d=>{let w=(d.tags??[]).filter(b=>!u.includes(b)),S=o.filter(b=>!w.some(T=>L(T)===L(b))),a=[...w,...S];return{tags:a.length?a:null}},o.length?`${p(t.length)} tagged`:`Tags of ${p(t.length)} changed`).then(()=>_(!0)))}},h=s=>f(u.includes(s)?u.filter(d=>d!==s):[...u,s]);return $`<${A} label="Tag links" onClose=${e}><form onSubmit=${m}>
    <${q} onClose=${e}>Tag ${p(t.length)}<//>
    <label for="tag-add">Add tags</label>
    <${G} id="tag-add" label="Add tags" values=${o} text=${i} parse=${Z}
      onChange=${(s,d)=>{c(s),g(d)}}
      options=${J(r)} create=${!0} placeholder="newsletter" />
    ${n.length>0&&$`<fieldset class="take-off"><legend>Remove</legend>
      <span class="toggles">${n.map(s=>$`<button type="button" key=${s}
        class="toggle" aria-pressed=${u.includes(s)} onClick=${()=>h(s)}>
        ${E(s)}</button>`)}</span></fieldset>`}
    <div class="buttons"><button type="button" class="button" onClick=${e}>Cancel</button>
      <button class="button primary">Apply</button></div>
  </form><//>`}export{ht as Selection};
