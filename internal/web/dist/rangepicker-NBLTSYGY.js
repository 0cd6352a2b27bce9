import{a as A}from"./chunk-YLHWO2PM.js";import{a as b,b as D}from"./chunk-DQ3U2WIG.js";import{Qa as C,Sa as k,a as l,jb as v,nb as h,oa as t,ob as w,sb as N,wb as u,xa as y}from"./chunk-GS2UUHZM.js";var P=[["","No comparison"],["before","Previous period"],["year","Year before"]];function Y({anchor:e,range:$,comparing:r,isComparing:f,onPick:c,onCompare:m,onClose:a}){let[n,d]=l(f),i=N($),p=(o,s)=>t`<button type="button" aria-pressed=${n===s}
    onClick=${()=>d(s)}>${o}</button>`;return t`<${k} anchor=${e} class="picker" onClose=${a}
    label=${n?"Choose what to compare with":"Choose a range"}>
    ${i&&t`<div class="picker-modes"><div class="segments" role="group" aria-label="Choose">
        ${p("Range",!1)}${p("Compare with",!0)}</div></div>`}
    <div class="picker-body" key=${n}>${n?t`<div class="picker-presets" role="group" aria-label="Named comparisons">
          ${P.map(([o,s])=>t`<button type="button" key=${o} class="menu-item"
              data-focus=${r===o} aria-pressed=${r===o}
              onClick=${()=>m(o)}><span>${s}
              ${o&&t`<small>${A(u(i,$,o))}</small>`}
              </span></button>`)}</div>`:t`<div class="picker-presets" role="group" aria-label="Named ranges">
          ${v.map(([o,s])=>t`<button type="button" key=${o} class="menu-item"
              aria-pressed=${$.preset===o} onClick=${()=>c({preset:o})}>
              ${s}</button>`)}</div>`}
      <${g} shown=${F(i)} isOther=${n}
        others=${F(r&&u(i,$,r))}
        onChoose=${n?m:c} />
    </div>
  <//>`}var F=e=>e?[h(e.start),h(Math.min(e.end,Date.now()))]:void 0;function g({shown:e,others:$,isOther:r,onChoose:f}){let c=h(Date.now()),m=r?$:e,[a,n]=l(""),[d,i]=l(m?.[1]??e?.[0]??c),p=a&&[a,d].sort(),o=s=>{if(a)return f(w(...[a,s].sort()));n(s),i(s),y(`From ${b(s)}. Choose the last day.`)};return t`<${D} at=${d} onAt=${i} months=${C()?1:2}
    chosen=${!r&&p||e||["",""]} others=${r&&p||$}
    last=${c} isEarly=${r} onChoose=${o} onPoint=${s=>a&&i(s)}>
    <p class="picker-hint quiet">${a?`From ${b(a)}. Choose the last day.`:"Choose the first day."}</p><//>`}export{Y as RangePicker};
