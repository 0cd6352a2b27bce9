import{b as L}from"./chunk-LSDBELR7.js";import{g as $,h as M,i as C,k as H,m as K,o as D,q as w}from"./chunk-QZJQ5DS4.js";import{H as s,R as x,S as E,V as q,W as A,a as r,ab as N,b as k,cb as S,d,db as b,fb as R,z as O}from"./chunk-VS3EXAIA.js";function rt({code:n,onClose:a}){let[e,p]=r(()=>b.get()?.short_code===n&&b.get().etag?b.get():null),[o,u]=r(null);return k(()=>{e||S(n).then(p,u)},[]),e?s`<${Q} link=${e} onClose=${a} />`:s`<${x} label=${`Edit ${n}`} class="edit" onClose=${a}>
    <${E} onClose=${a}>Edit<//>
    ${o&&s`<${A} title="Couldn't load the link" message=${o.message} />`}<//>`}function Q({link:n,onClose:a}){let[e,p]=r(n),[o,u]=r(()=>$(n)),[W,_]=r({}),[l,f]=r(null),[j,F]=r(!1),[m,g]=r(!1),T=d(),B=d(),h=d(),v=()=>{if(!H(o,e))return a();m||(h.current=document.activeElement,h.current.blur(),g(!0))};k(()=>{m&&B.current.focus()},[m]);let Y=()=>{g(!1),requestAnimationFrame(()=>h.current.focus())},z=t=>{u(t),_({}),g(!1)},P=t=>{_(t),q(T.current)},G=async t=>{if(t.preventDefault(),j)return;let i=D(o,e);if(Object.keys(i).length)return P(i);let c=C(o,e);if(!Object.keys(c).length)return a();F(!0),f(null);try{await R(e,c),a()}catch(y){F(!1),await I(y)}},I=async t=>{if(t.status===412)return J();let i=w(t,o);if(i)return P(i);f({text:t.status===0?"Not saved: can't reach the server. What you typed is kept.":t.message})},J=async()=>{try{let t=await S(e.short_code),i=Object.entries(C($(t),e)).map(([c,y])=>N(c,{old:e[c]??null,new:y}));f({text:"Someone else edited this link. Your text is kept; save again to overwrite.",lines:i}),u(K(o,e,t)),p(t)}catch(t){f({text:t.message})}};return s`<${x} label=${`Edit ${O}/${n.short_code}`} class="edit"
    onClose=${v}><form ref=${T} onSubmit=${G} novalidate>
    <${E} onClose=${v}>Edit <span class="mono">
      ${O}/${n.short_code}</span><//>
    <div class="form"><${L} draft=${o} onChange=${z} problems=${W}
      link=${e} /></div>
    <div class="edit-end">
      ${l&&s`<div class="edit-trouble" role="alert"><p class="problem">
        ${l.text}</p>${l.lines&&s`<ul>
          ${l.lines.map(t=>s`<li key=${t}>${t}</li>`)}</ul>`}</div>`}
      ${m?s`<p role="alert">Discard your changes?</p>
        <button type="button" class="button" ref=${B}
          onClick=${Y}>Keep editing</button>
        <button type="button" class="button danger" onClick=${a}>Discard</button>`:s`<button type="button" class="button" onClick=${v}>Cancel</button>
        <button class="button primary" aria-busy=${j}>
          ${l?.lines?"Save again":"Save"}</button>`}
    </div>
  </form><//>`}export{rt as EditLink,L as LinkForm,$ as draftOf,M as fieldsOf,D as problemsOf,w as refusalOf};
