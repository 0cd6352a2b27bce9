import{b as S}from"./chunk-TJEJFGZP.js";import{g as $,h as U,i as V,k as X,l as C,n as K,p as R,q as D,s as L}from"./chunk-KH3W3422.js";import"./chunk-E2DBQZWT.js";import"./chunk-NGQ3C66V.js";import"./chunk-DQ3U2WIG.js";import"./chunk-I52D3NO7.js";import{Aa as w,F as f,Ga as Y,H as x,Ha as q,a as n,b as O,d as b,kc as p,lc as j,nc as W,oa as s,qc as z,za as E}from"./chunk-GS2UUHZM.js";var Z="Not saved: the link was deleted, or has another code now. Your text is kept.";function lt({of:r,onClose:a}){let[e,g]=n(()=>p.get()?.etag&&f(p.get())===r?p.get():null),[o,m]=n(null);return O(()=>{e||j(r).then(g,m)},[]),e?s`<${_} link=${e} onClose=${a} />`:s`<${E} label=${`Edit ${r}`} class="edit" onClose=${a}>
    <${w} onClose=${a}>Edit<//>
    ${o&&s`<${q} title="Couldn't load the link" message=${o.message} />`}<//>`}function _({link:r,onClose:a}){let[e,g]=n(r),[o,m]=n(()=>$(r)),[G,F]=n({}),[l,u]=n(null),[T,A]=n(!1),[d,h]=n(!1),B=b(),N=b(),v=b(),y=()=>{if(!K(o,e))return a();d||(v.current=document.activeElement,v.current.blur(),h(!0))};O(()=>{d&&N.current.focus()},[d]);let H=()=>{h(!1),requestAnimationFrame(()=>v.current.focus())},I=t=>{m(t),F({}),h(!1)},P=t=>{F(t),Y(B.current)},J=async t=>{if(t.preventDefault(),T)return;let i=D(o,e);if(Object.keys(i).length)return P(i);let c=C(o,e);if(!Object.keys(c).length)return a();A(!0),u(null);try{await W(e,c),a()}catch(k){A(!1),await M(k)}},M=async t=>{if(t.status===412)return Q();if(t.status===404)return u({text:Z});let i=L(t,o);if(i)return P(i);u({text:t.status===0?"Not saved: can't reach the server. What you typed is kept.":t.message})},Q=async()=>{try{let t=await j(f(e)),i=Object.entries(C($(t),e)).map(([c,k])=>z(c,{old:e[c]??null,new:k}));u({text:"Someone else edited this link. Your text is kept; save again to overwrite.",lines:i}),m(R(o,e,t)),g(t)}catch(t){u({text:t.message})}};return s`<${E} label=${`Edit ${x(f(r))}`} class="edit"
    onClose=${y}><form ref=${B} onSubmit=${J} novalidate>
    <${w} onClose=${y}>Edit <span class="mono">
      ${x(f(r))}</span><//>
    <div class="form"><${S} draft=${o} onChange=${I} problems=${G}
      link=${e} /></div>
    <div class="edit-end">
      ${l&&s`<div class="edit-trouble" role="alert"><p class="problem">
        ${l.text}</p>${l.lines&&s`<ul>
          ${l.lines.map(t=>s`<li key=${t}>${t}</li>`)}</ul>`}</div>`}
      ${d?s`<p role="alert">Discard your changes?</p>
        <button type="button" class="button" ref=${N}
          onClick=${H}>Keep editing</button>
        <button type="button" class="button danger" onClick=${a}>Discard</button>`:s`<button type="button" class="button" onClick=${y}>Cancel</button>
        <button class="button primary" aria-busy=${T}>
          ${l?.lines?"Save again":"Save"}</button>`}
    </div>
  </form><//>`}export{lt as EditLink,S as LinkForm,U as copyOf,$ as draftOf,X as fieldsOf,D as problemsOf,L as refusalOf,V as withAddress};
