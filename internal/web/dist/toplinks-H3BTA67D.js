import{e as g}from"./chunk-SHDQTBNH.js";import{f as y}from"./chunk-G3UQFQJZ.js";import{a as h,b as w}from"./chunk-2MBYD5H7.js";import"./chunk-C7ST6TGD.js";import{A as u,G as f,N as k,g as s,k as m,w as l,x as b}from"./chunk-DRQYC4XW.js";function V({name:x,links:a,measures:n,pageOf:r}){let{clicks:e}=n,c=a[0]?.clicks??0,q=p=>{let{title:i,original_url:o,clicks:$}=p,t=u(p),d=s`<span class="bar-fill"
        style=${{transform:`scaleX(${$/c})`}}></span>
      ${i&&s`<span class="bar-title"><bdi>${l(i)}</bdi></span>`}
      <span class="bar-code mono">${t}</span><span class="bar-name quiet">
        ${o&&s`<bdi dir="ltr">${b(o).join("")}</bdi>`}</span>
      <span class="bar-count">${m($)}</span>`;return s`<li key=${t}>${r?s`<a class="bar" href=${r(t)}
          title=${`${l(i??t)}
${l(o)}`}>${d}</a>`:s`<div class="bar">${d}</div>`}</li>`};return s`<${g} id="top" wide=${!0} title="Top links"
    extra=${a.length>0&&s`<span class="panel-extra">${n.shown!==e&&s`<span class="quiet">by clicks</span>`}
      <${f} icon="download" label="Export top links as CSV"
        onClick=${()=>k(...y(x,a,n))} /></span>`}>
    ${a.length?s`<${h} rows="Link" measure=${e} />
        <ul class="bars" style=${w(c)}>${a.map(q)}</ul>`:s`<p class="panel-empty quiet">These links were deleted.</p>`}
  <//>`}export{V as TopLinks};
