import{F as E,G as K,R,b,e as x,i as c,k as y,m as k}from"./chunk-B7TPDEC6.js";function A(s){let r=x(),[l,u]=b(null),p=s.includes(l)?l:s[0],a=t=>t.closest("[data-row]");return{rows:{ref:r,role:"toolbar","aria-orientation":"vertical",onKeyDown:t=>{let e=[...r.current.querySelectorAll("[data-row]")],n=a(t.target),$=e.indexOf(n),d={ArrowUp:e[$-1]?.firstElementChild,ArrowDown:e[$+1]?.firstElementChild,Home:e[0]?.firstElementChild,End:e.at(-1)?.firstElementChild,ArrowRight:n?.lastElementChild,ArrowLeft:n?.firstElementChild}[t.key];!d||t.altKey||t.ctrlKey||t.metaKey||(t.preventDefault(),d.focus())},onfocusin:t=>u(a(t.target)?.dataset.row??null)},tabIndex:t=>t===p?0:-1}}var F=({rows:s,measure:r})=>c`<p class="bar-heads"><span>${s}</span>
  <span>${r.head}</span></p>`,S=s=>({"--digits":y(s).length});function G({rows:s,total:r,highest:l,measure:u,dimension:p,picked:{only:a,not:i},view:t}){let[e,n]=b(null),{name:$,one:d,many:g,label:D,text:w}=p,C=A(s.map(([o])=>o)),I=([o,h])=>{let O=a.includes(o),m=i.includes(o),q=f=>{f.key!=="Enter"||!f.altKey||(f.preventDefault(),t.toggle($,o,!0))};return c`<li key=${o} class="bar-row" data-row=${o} data-not=${m}>
      <button type="button" class="bar" aria-pressed=${O||m} title=${w(o)}
        tabindex=${C.tabIndex(o)} onKeyDown=${q}
        onClick=${f=>t.toggle($,o,f.altKey||m)}>
        <span class="bar-fill" style=${{transform:`scaleX(${l?h/l:0})`}}>
        </span>${m&&c`<span class="unseen">Not </span>`}${D(o)}
        <span class="bar-share quiet">${k(h,r)}</span>
        <span class="bar-count">${y(h)}</span></button>
      <${K} icon="more" class="bar-more" label=${`More for ${w(o)}`}
        tabindex="-1" aria-haspopup="dialog" onClick=${()=>n(o)} /></li>`};return c`<${F} rows=${d} measure=${u} />
    <div aria-label=${g} ...${C.rows}>
      <ul class="bars" data-chosen=${a.length>0} style=${S(l)}>
        ${s.map(I)}</ul></div>
    ${e!==null&&c`<${B} value=${e} dimension=${p}
      isOnly=${a.includes(e)} isNot=${i.includes(e)} view=${t}
      onClose=${()=>n(null)} />`}`}function B({value:s,dimension:{name:r,one:l,text:u},isOnly:p,isNot:a,view:i,onClose:t}){let e=u(s),n=($,d,g)=>c`<button type="button" class="sheet-item"
    onClick=${()=>{t(),g()}}><${E} name=${$} />${d}</button>`;return c`<${R} label=${`Filter by ${e}`} class="sheet" onClose=${t}>
    <p class="sheet-title"><span class="quiet">${l}</span><span><bdi>${e}</bdi></span></p>
    ${p||a?n("close","Remove this filter",()=>i.toggle(r,s,a)):n("done","Filter by this",()=>i.toggle(r,s,!1))}
    ${!a&&n("less","Leave this out",()=>i.toggle(r,s,!0))}
    ${a&&n("done","Filter by this",()=>i.toggle(r,s,!1))}
    ${n("close","Cancel",()=>{})}
  <//>`}export{F as a,S as b,G as c};
