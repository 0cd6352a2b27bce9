import{c as R,h as q,j as B,k as F}from"./chunk-AKXJM73T.js";import{h as O}from"./chunk-LBTNOKNR.js";import{c as L}from"./chunk-FXXZJDXJ.js";import"./chunk-PCD4SETE.js";import{E as T,O as D,P as E,T as I,b as t,c as C,e as A,f as S,i as o,k as M,l as x}from"./chunk-7IY37C7O.js";var P=1e3,g=200;function X({dimension:r,source:k,view:e,onClose:a}){let[n,c]=t(null),[$,s]=t(null),[m,l]=t(0),{name:p,tab:i}=r;return C(()=>{let f=new AbortController;return s(null),q(k,O(e.range),e.asked,p,{limit:P,signal:f.signal}).then(c).catch(d=>L(d)||s(d)),()=>f.abort()},[JSON.stringify([e.range,e.asked]),m]),o`<${D} label=${`All ${i.toLowerCase()}`} class="all-values" onClose=${a}>
    <${E} onClose=${a}>${i}<//>
    ${n?o`<${V} answer=${n} dimension=${r} view=${e} />`:$?o`<${I} title="Couldn't load them" message=${$.message}
        onRetry=${()=>l(m+1)} />`:o`<div class="bars-bone" role="status" aria-label="Loading"></div>`}
  <//>`}function V({answer:{counts:r,total:k,rest:e},dimension:a,view:n}){let[c,$]=t(""),[s,m]=t("clicks"),[l,p]=t(g),i=A();C(()=>i.current.focus(),[]);let{name:f,one:d,tab:J,text:v}=a,w=S(()=>B(r),[r]),h=S(()=>{let u=c.trim().toLowerCase(),y=w.filter(([b])=>`${v(b)}
${b}`.toLowerCase().includes(u));return s==="clicks"?y:y.sort(([b],[N])=>v(b).localeCompare(v(N),"en"))},[w,c,s]);return o`<div class="all-tools">
      <div class="search"><${T} name="search" />
        <input type="search" class="field" ref=${i}
          aria-label=${`Search ${J.toLowerCase()}`} placeholder="Search"
          autocomplete="off" spellcheck=${!1} value=${c}
          onInput=${u=>{$(u.target.value),p(g)}} /></div>
      <select class="field" aria-label="Sort" value=${s}
        onChange=${u=>m(u.target.value)}>
        <option value="clicks">Most clicks</option><option value="name">${d}, A to Z</option>
      </select>
    </div>
    <p class="quiet" role="status">${x(h.length,"value","values")}
      ${e>0&&`, and ${x(e,"click","clicks")} of rarer ones`}</p>
    <${F} rows=${h.slice(0,l)} total=${k} highest=${w[0]?.[1]??0}
      dimension=${a} picked=${R(n.filters,f)} view=${n} />
    ${h.length>l&&o`<p class="panel-foot"><button type="button" class="text-button"
      onClick=${()=>p(l+g)}>
      Show ${M(Math.min(g,h.length-l))} more</button></p>`}`}export{X as AllValues};
