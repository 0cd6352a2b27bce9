import{e as R}from"./chunk-LGGWYSOB.js";import{c as q}from"./chunk-4XAJFIWW.js";import{b as L,g as E,n as K,o as P}from"./chunk-7QUFHXSW.js";import{F as C,K as I,L as O,N as B,b as i,c as v,e as M,f as A,g as r,k as D,ka as U,l as T}from"./chunk-FDNYYYYD.js";function V({label:e,text:n,popup:s,isField:u=!1,children:a,...l}){let[t,c]=i(null),$=o=>c(o.currentTarget),m=o=>{!/^Arrow(Up|Down)$/.test(o.key)||o.altKey||s!=="listbox"||(o.preventDefault(),$(o))};return r`<button type="button" class=${`pick ${u?"field":"button"}`}
      aria-label=${e&&`${e}: ${n}`} aria-haspopup=${s}
      aria-expanded=${!!t} onClick=${$} onKeyDown=${m} ...${l}>
      <span>${n}</span><${C} name="down" /></button>
    ${t&&a({anchor:t,label:e,onClose:()=>c(null)})}`}var F=({label:e,value:n,options:s,onChange:u,...a})=>{let l=s.map(([t,c])=>({label:c,checked:t===n,onChoose:()=>t===n||u(t)}));return r`<${V} label=${e} popup="listbox"
    text=${l.find(({checked:t})=>t)?.label??""} ...${a}>
    ${t=>r`<${U} ...${t} items=${l} isList=${!0} />`}<//>`};var Z=1e3,y=200;function at({dimension:e,source:n,view:s,measures:u,onClose:a}){let[l,t]=i(null),[c,$]=i(null),[m,o]=i(0),{name:f,many:p}=e;return v(()=>{let h=new AbortController;return $(null),R(n,s,f,{limit:Z,signal:h.signal}).then(t).catch(d=>L(d)||$(d)),()=>h.abort()},[JSON.stringify([s.range,s.asked,s.visitors]),m]),r`<${I} label=${`All ${p}`} class="all-values" onClose=${a}>
    <${O} onClose=${a}>${p[0].toUpperCase()+p.slice(1)}<//>
    ${l?r`<${j} ...${K(l,u)} dimension=${e} view=${s} />`:c?r`<${B} title="Couldn't load them" message=${c.message}
        onRetry=${()=>o(m+1)} />`:r`<div class="bars-bone" role="status" aria-label="Loading"></div>`}
  <//>`}function j({measure:e,counts:n,total:s,rest:u,dimension:a,view:l}){let[t,c]=i(""),[$,m]=i("most"),[o,f]=i(y),p=M();v(()=>p.current.focus(),[]);let{name:h,one:d,many:J,text:w}=a,k=A(()=>P(n),[n]),b=A(()=>{let x=t.trim().toLowerCase(),S=k.filter(([g])=>`${w(g)}
${g}`.toLowerCase().includes(x));return $==="most"?S:S.sort(([g],[N])=>w(g).localeCompare(w(N),"en"))},[k,t,$]);return r`<div class="all-tools">
      <div class="search"><${C} name="search" />
        <input type="search" class="field" ref=${p}
          aria-label=${`Search ${J}`} placeholder="Search"
          autocomplete="off" spellcheck=${!1} value=${t}
          onInput=${x=>{c(x.target.value),f(y)}} /></div>
      <${F} label="Sort" value=${$} onChange=${m}
        options=${[["most",`Most ${e.many}`],["name",`${d}, A to Z`]]} />
    </div>
    <p class="quiet" role="status">${T(b.length,"value","values")}
      ${u>0&&`, and ${e.say(u)} of rarer ones`}</p>
    <${q} rows=${b.slice(0,o)} total=${s} highest=${k[0]?.[1]??0}
      measure=${e} dimension=${a} picked=${E(l.filters,h)} view=${l} />
    ${b.length>o&&r`<p class="panel-foot"><button type="button" class="text-button"
      onClick=${()=>f(o+y)}>
      Show ${D(Math.min(y,b.length-o))} more</button></p>`}`}export{at as AllValues};
