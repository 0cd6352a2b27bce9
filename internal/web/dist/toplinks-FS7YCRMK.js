import{e as w}from"./chunk-A36IASED.js";import{a as f,b as h}from"./chunk-NT6EHCVZ.js";import{f as k}from"./chunk-ASMJXJ32.js";import"./chunk-XZNAUU72.js";import{D as b,K as u,g as s,k as d,w as i,x as m}from"./chunk-GRS3MP3T.js";function P({name:y,links:a,measures:t,pageOf:r}){let{clicks:p}=t,e=a[0]?.clicks??0,g=({short_code:n,title:l,original_url:o,clicks:c})=>{let $=s`<span class="bar-fill"
        style=${{transform:`scaleX(${c/e})`}}></span>
      ${l&&s`<span class="bar-title"><bdi>${i(l)}</bdi></span>`}
      <span class="bar-code mono">${n}</span><span class="bar-name quiet">
        ${o&&s`<bdi dir="ltr">${m(o).join("")}</bdi>`}</span>
      <span class="bar-count">${d(c)}</span>`;return s`<li key=${n}>${r?s`<a class="bar" href=${r(n)}
          title=${`${i(l??n)}
${i(o)}`}>${$}</a>`:s`<div class="bar">${$}</div>`}</li>`};return s`<${w} id="top" wide=${!0} title="Top links"
    extra=${a.length>0&&s`<span class="panel-extra">${t.shown!==p&&s`<span class="quiet">by clicks</span>`}
      <${b} icon="download" label="Export top links as CSV"
        onClick=${()=>u(...k(y,a,t))} /></span>`}>
    ${a.length?s`<${f} rows="Link" measure=${p} />
        <ul class="bars" style=${h(e)}>${a.map(g)}</ul>`:s`<p class="panel-empty quiet">These links were deleted.</p>`}
  <//>`}export{P as TopLinks};
