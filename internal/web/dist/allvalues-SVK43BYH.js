import{$ as o,Y as L,a as e,aa as O,b as S,d as A,e as k,g as M,gc as R,h as T,ja as D,jc as q,ka as E,oa as I,pc as B,qc as F,sc as J}from"./chunk-UIRYTHGR.js";var U=1e3,y=200;function Y({dimension:s,source:$,view:t,measures:m,onClose:n}){let[c,i]=e(null),[p,l]=e(null),[f,r]=e(0),{name:d,many:a}=s;return S(()=>{let h=new AbortController;return l(null),J($,t,d,{limit:U,signal:h.signal}).then(i).catch(g=>L(g)||l(g)),()=>h.abort()},[JSON.stringify([t.range,t.asked,t.visitors]),f]),o`<${D} label=${`All ${a}`} class="all-values" onClose=${n}>
    <${E} onClose=${n}>${a[0].toUpperCase()+a.slice(1)}<//>
    ${c?o`<${V} ...${B(c,m)} dimension=${s} view=${t} />`:p?o`<${I} title="Couldn't load them" message=${p.message}
        onRetry=${()=>r(f+1)} />`:o`<div class="bars-bone" role="status" aria-label="Loading"></div>`}
  <//>`}function V({measure:s,counts:$,total:t,rest:m,dimension:n,view:c}){let[i,p]=e(""),[l,f]=e("most"),[r,d]=e(y),a=A();S(()=>a.current.focus(),[]);let{name:h,one:g,many:N,text:C}=n,w=k(()=>F($),[$]),b=k(()=>{let u=i.trim().toLowerCase(),x=w.filter(([v])=>`${C(v)}
${v}`.toLowerCase().includes(u));return l==="most"?x:x.sort(([v],[P])=>C(v).localeCompare(C(P),"en"))},[w,i,l]);return o`<div class="all-tools">
      <div class="search"><${O} name="search" />
        <input type="search" class="field" ref=${a}
          aria-label=${`Search ${N}`} placeholder="Search"
          autocomplete="off" spellcheck=${!1} value=${i}
          onInput=${u=>{p(u.target.value),d(y)}} /></div>
      <select class="field" aria-label="Sort" value=${l}
        onChange=${u=>f(u.target.value)}>
        <option value="most">Most ${s.many}</option>
        <option value="name">${g}, A to Z</option>
      </select>
    </div>
    <p class="quiet" role="status">${T(b.length,"value","values")}
      ${m>0&&`, and ${s.say(m)} of rarer ones`}</p>
    <${R} rows=${b.slice(0,r)} total=${t} highest=${w[0]?.[1]??0}
      measure=${s} dimension=${n} picked=${q(c.filters,h)} view=${c} />
    ${b.length>r&&o`<p class="panel-foot"><button type="button" class="text-button"
      onClick=${()=>d(r+y)}>
      Show ${M(Math.min(y,b.length-r))} more</button></p>`}`}export{Y as AllValues};
