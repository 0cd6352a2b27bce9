import{Aa as E,Ha as I,Ya as R,Zc as q,a as o,ad as B,b as S,d as A,e as k,gd as F,h as M,hd as J,i as T,ja as L,jd as N,oa as e,pa as O,za as D}from"./chunk-GS2UUHZM.js";var V=1e3,v=200;function tt({dimension:s,source:$,view:t,measures:m,onClose:a}){let[c,i]=o(null),[u,r]=o(null),[p,l]=o(0),{name:f,many:n}=s;return S(()=>{let d=new AbortController;return r(null),N($,t,f,{limit:V,signal:d.signal}).then(i).catch(h=>L(h)||r(h)),()=>d.abort()},[JSON.stringify([t.range,t.asked,t.visitors]),p]),e`<${D} label=${`All ${n}`} class="all-values" onClose=${a}>
    <${E} onClose=${a}>${n[0].toUpperCase()+n.slice(1)}<//>
    ${c?e`<${Z} ...${F(c,m)} dimension=${s} view=${t} />`:u?e`<${I} title="Couldn't load them" message=${u.message}
        onRetry=${()=>l(p+1)} />`:e`<div class="bars-bone" role="status" aria-label="Loading"></div>`}
  <//>`}function Z({measure:s,counts:$,total:t,rest:m,dimension:a,view:c}){let[i,u]=o(""),[r,p]=o("most"),[l,f]=o(v),n=A();S(()=>n.current.focus(),[]);let{name:d,one:h,many:P,text:C}=a,y=k(()=>J($),[$]),g=k(()=>{let w=i.trim().toLowerCase(),x=y.filter(([b])=>`${C(b)}
${b}`.toLowerCase().includes(w));return r==="most"?x:x.sort(([b],[U])=>C(b).localeCompare(C(U),"en"))},[y,i,r]);return e`<div class="all-tools">
      <div class="search"><${O} name="search" />
        <input type="search" class="field" ref=${n}
          aria-label=${`Search ${P}`} placeholder="Search"
          autocomplete="off" spellcheck=${!1} value=${i}
          onInput=${w=>{u(w.target.value),f(v)}} /></div>
      <${R} label="Sort" value=${r} onChange=${p}
        options=${[["most",`Most ${s.many}`],["name",`${h}, A to Z`]]} />
    </div>
    <p class="quiet" role="status">${T(g.length,"value","values")}
      ${m>0&&`, and ${s.say(m)} of rarer ones`}</p>
    <${q} rows=${g.slice(0,l)} total=${t} highest=${y[0]?.[1]??0}
      measure=${s} dimension=${a} picked=${B(c.filters,d)} view=${c} />
    ${g.length>l&&e`<p class="panel-foot"><button type="button" class="text-button"
      onClick=${()=>f(l+v)}>
      Show ${M(Math.min(v,g.length-l))} more</button></p>`}`}export{tt as AllValues};
