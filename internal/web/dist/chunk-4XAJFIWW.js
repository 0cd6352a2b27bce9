import{G as K,b as w,e as x,g as $,k,ka as R,m as E}from"./chunk-FDNYYYYD.js";function A(e){let a=x(),[l,u]=w(null),d=e.includes(l)?l:e[0],i=t=>t.closest("[data-row]");return{rows:{ref:a,role:"toolbar","aria-orientation":"vertical",onKeyDown:t=>{let o=[...a.current.querySelectorAll("[data-row]")],r=i(t.target),n=o.indexOf(r),c={ArrowUp:o[n-1]?.firstElementChild,ArrowDown:o[n+1]?.firstElementChild,Home:o[0]?.firstElementChild,End:o.at(-1)?.firstElementChild,ArrowRight:r?.lastElementChild,ArrowLeft:r?.firstElementChild}[t.key];!c||t.altKey||t.ctrlKey||t.metaKey||(t.preventDefault(),c.focus())},onfocusin:t=>u(i(t.target)?.dataset.row??null)},tabIndex:t=>t===d?0:-1}}var I=({rows:e,measure:a})=>$`<p class="bar-heads"><span>${e}</span>
  <span>${a.head}</span></p>`,M=e=>({"--digits":k(e).length});function j({rows:e,total:a,highest:l,measure:u,dimension:d,picked:{only:i,not:m},view:t}){let[o,r]=w(null),{name:n,one:c,many:g,label:y,text:f}=d,h=A(e.map(([s])=>s)),D=([s,C])=>{let O=i.includes(s),b=m.includes(s),B=p=>{p.key!=="Enter"||!p.altKey||(p.preventDefault(),t.toggle(n,s,!0))};return $`<li key=${s} class="bar-row" data-row=${s} data-not=${b}>
      <button type="button" class="bar" aria-pressed=${O||b} title=${f(s)}
        tabindex=${h.tabIndex(s)} onKeyDown=${B}
        onClick=${p=>t.toggle(n,s,p.altKey||b)}>
        <span class="bar-fill" style=${{transform:`scaleX(${l?C/l:0})`}}>
        </span>${b&&$`<span class="unseen">Not </span>`}${y(s)}
        <span class="bar-share quiet">${E(C,a)}</span>
        <span class="bar-count">${k(C)}</span></button>
      <${K} icon="more" class="bar-more" label=${`More for ${f(s)}`}
        tabindex="-1" aria-haspopup="menu"
        onClick=${p=>r({value:s,anchor:p.currentTarget})} /></li>`};return $`<${I} rows=${c} measure=${u} />
    <div aria-label=${g} ...${h.rows}>
      <ul class="bars" data-chosen=${i.length>0} style=${M(l)}>
        ${e.map(D)}</ul></div>
    ${o!==null&&$`<${N} asking=${o} dimension=${d} picked=${{only:i,not:m}}
      view=${t} onClose=${()=>r(null)} />`}`}function N({asking:e,dimension:{name:a,text:l},picked:{only:u,not:d},view:i,onClose:m}){let{value:t,anchor:o}=e,r=u.includes(t),n=d.includes(t),c=(y,f,h)=>({icon:y,label:f,onChoose:()=>i.toggle(a,t,h)}),g=[(r||n)&&c("close","Remove this filter",n),!r&&c("done","Filter by this",!1),!n&&c("less","Leave this out",!0)].filter(Boolean);return $`<${R} anchor=${o} label=${`Filter by ${l(t)}`} items=${g}
    onClose=${m} />`}export{I as a,M as b,j as c};
