import{c as I,h as q,j as B,k as F}from"./chunk-2VVUQXSK.js";import{h as O}from"./chunk-VU5KR3ID.js";import{c as A}from"./chunk-W3YQ4EOJ.js";import"./chunk-JSWS2VBR.js";import{D as M,N as T,O as D,Q as E,b as e,c as y,f as C,i as o,k as L,l as S}from"./chunk-CXPDZ6Q7.js";var N=1e3,g=200;function U({dimension:a,source:k,view:t,onClose:r}){let[n,c]=e(null),[u,s]=e(null),[$,l]=e(0),{name:m,tab:p}=a;return y(()=>{let d=new AbortController;return s(null),q(k,O(t.range),t.asked,m,{limit:N,signal:d.signal}).then(c).catch(f=>A(f)||s(f)),()=>d.abort()},[JSON.stringify([t.range,t.asked]),$]),o`<${T} label=${`All ${p.toLowerCase()}`} class="all-values" onClose=${r}>
    <${D} onClose=${r}>${p}<//>
    ${n?o`<${P} answer=${n} dimension=${a} view=${t} />`:u?o`<${E} title="Couldn't load them" message=${u.message}
        onRetry=${()=>l($+1)} />`:o`<div class="bars-bone" role="status" aria-label="Loading"></div>`}
  <//>`}function P({answer:{counts:a,total:k,rest:t},dimension:r,view:n}){let[c,u]=e(""),[s,$]=e("clicks"),[l,m]=e(g),{name:p,one:d,tab:f,text:v}=r,w=C(()=>B(a),[a]),h=C(()=>{let i=c.trim().toLowerCase(),x=w.filter(([b])=>`${v(b)}
${b}`.toLowerCase().includes(i));return s==="clicks"?x:x.sort(([b],[J])=>v(b).localeCompare(v(J),"en"))},[w,c,s]);return o`<div class="all-tools">
      <div class="search"><${M} name="search" />
        <input type="search" class="field" aria-label=${`Search ${f.toLowerCase()}`}
          placeholder="Search" autocomplete="off" spellcheck=${!1} value=${c}
          onInput=${i=>{u(i.target.value),m(g)}} /></div>
      <select class="field" aria-label="Sort" value=${s}
        onChange=${i=>$(i.target.value)}>
        <option value="clicks">Most clicks</option><option value="name">${d}, A to Z</option>
      </select>
    </div>
    <p class="quiet" role="status">${S(h.length,"value","values")}
      ${t>0&&`, and ${S(t,"click","clicks")} of rarer ones`}</p>
    <${F} rows=${h.slice(0,l)} total=${k} highest=${w[0]?.[1]??0}
      dimension=${r} picked=${I(n.filters,p)} view=${n} />
    ${h.length>l&&o`<p class="panel-foot"><button type="button" class="text-button"
      onClick=${()=>m(l+g)}>
      Show ${L(Math.min(g,h.length-l))} more</button></p>`}`}export{U as AllValues};
