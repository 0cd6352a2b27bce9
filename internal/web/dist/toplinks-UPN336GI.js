import{e as x}from"./chunk-KRBWYOXF.js";import{f as g}from"./chunk-DP4WKNSZ.js";import{a as w,b as y}from"./chunk-4XAJFIWW.js";import"./chunk-7QUFHXSW.js";import{A as u,G as f,M as h,O as k,g as s,k as m,w as l,x as b}from"./chunk-FDNYYYYD.js";function j({name:q,links:a,measures:n,pageOf:r}){let{clicks:e}=n,c=a[0]?.clicks??0,v=p=>{let{title:o,original_url:i,clicks:$}=p,t=u(p),d=s`<span class="bar-fill"
        style=${{transform:`scaleX(${$/c})`}}></span>
      ${o&&s`<span class="bar-title"><bdi>${l(o)}</bdi></span>`}
      <span class="bar-code mono"><${h} of=${t} /></span><span class="bar-name quiet">
        ${i&&s`<bdi dir="ltr">${b(i).join("")}</bdi>`}</span>
      <span class="bar-count">${m($)}</span>`;return s`<li key=${t}>${r?s`<a class="bar" href=${r(t)}
          title=${`${l(o??t)}
${l(i)}`}>${d}</a>`:s`<div class="bar">${d}</div>`}</li>`};return s`<${x} id="top" wide=${!0} title="Top links"
    extra=${a.length>0&&s`<span class="panel-extra">${n.shown!==e&&s`<span class="quiet">by clicks</span>`}
      <${f} icon="download" label="Export top links as CSV"
        onClick=${()=>k(...g(q,a,n))} /></span>`}>
    ${a.length?s`<${w} rows="Link" measure=${e} />
        <ul class="bars" style=${y(c)}>${a.map(v)}</ul>`:s`<p class="panel-empty quiet">These links were deleted.</p>`}
  <//>`}export{j as TopLinks};
