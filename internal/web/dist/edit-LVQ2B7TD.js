import{b as L}from"./chunk-A6BLD46T.js";import{g as $,h as M,i as Q,k as U,l as w,n as Y,p as q,q as C,s as D}from"./chunk-G2554LAM.js";import"./chunk-YMNBS4HA.js";import"./chunk-PQNCIE7P.js";import"./chunk-7HN7DR3R.js";import"./chunk-RMLAKTFL.js";import{B as O,Ub as b,Vb as S,Xb as H,_b as K,a as n,b as k,d as m,fa as s,qa as x,ra as E,va as N,wa as P}from"./chunk-5RJPQ6WF.js";var V="Not saved: the link was deleted, or has another code now. Your text is kept.";function it({code:r,onClose:a}){let[e,p]=n(()=>b.get()?.short_code===r&&b.get().etag?b.get():null),[o,f]=n(null);return k(()=>{e||S(r).then(p,f)},[]),e?s`<${X} link=${e} onClose=${a} />`:s`<${x} label=${`Edit ${r}`} class="edit" onClose=${a}>
    <${E} onClose=${a}>Edit<//>
    ${o&&s`<${P} title="Couldn't load the link" message=${o.message} />`}<//>`}function X({link:r,onClose:a}){let[e,p]=n(r),[o,f]=n(()=>$(r)),[R,_]=n({}),[l,c]=n(null),[j,F]=n(!1),[d,h]=n(!1),T=m(),A=m(),g=m(),v=()=>{if(!Y(o,e))return a();d||(g.current=document.activeElement,g.current.blur(),h(!0))};k(()=>{d&&A.current.focus()},[d]);let W=()=>{h(!1),requestAnimationFrame(()=>g.current.focus())},z=t=>{f(t),_({}),h(!1)},B=t=>{_(t),N(T.current)},G=async t=>{if(t.preventDefault(),j)return;let i=C(o,e);if(Object.keys(i).length)return B(i);let u=w(o,e);if(!Object.keys(u).length)return a();F(!0),c(null);try{await H(e,u),a()}catch(y){F(!1),await I(y)}},I=async t=>{if(t.status===412)return J();if(t.status===404)return c({text:V});let i=D(t,o);if(i)return B(i);c({text:t.status===0?"Not saved: can't reach the server. What you typed is kept.":t.message})},J=async()=>{try{let t=await S(e.short_code),i=Object.entries(w($(t),e)).map(([u,y])=>K(u,{old:e[u]??null,new:y}));c({text:"Someone else edited this link. Your text is kept; save again to overwrite.",lines:i}),f(q(o,e,t)),p(t)}catch(t){c({text:t.message})}};return s`<${x} label=${`Edit ${O}/${r.short_code}`} class="edit"
    onClose=${v}><form ref=${T} onSubmit=${G} novalidate>
    <${E} onClose=${v}>Edit <span class="mono">
      ${O}/${r.short_code}</span><//>
    <div class="form"><${L} draft=${o} onChange=${z} problems=${R}
      link=${e} /></div>
    <div class="edit-end">
      ${l&&s`<div class="edit-trouble" role="alert"><p class="problem">
        ${l.text}</p>${l.lines&&s`<ul>
          ${l.lines.map(t=>s`<li key=${t}>${t}</li>`)}</ul>`}</div>`}
      ${d?s`<p role="alert">Discard your changes?</p>
        <button type="button" class="button" ref=${A}
          onClick=${W}>Keep editing</button>
        <button type="button" class="button danger" onClick=${a}>Discard</button>`:s`<button type="button" class="button" onClick=${v}>Cancel</button>
        <button class="button primary" aria-busy=${j}>
          ${l?.lines?"Save again":"Save"}</button>`}
    </div>
  </form><//>`}export{it as EditLink,L as LinkForm,M as copyOf,$ as draftOf,U as fieldsOf,C as problemsOf,D as refusalOf,Q as withAddress};
