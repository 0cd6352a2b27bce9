import{a as Z}from"./chunk-LLQLX74O.js";import{G as T,J as L,R as U,V as C,W as H,_ as R,b as D,ca as M,d as E,e as I,g as n,ha as F,j as K,ja as W}from"./chunk-FDNYYYYD.js";var rt=t=>new Date(t).toISOString().slice(0,10),y=(t,r)=>rt(Date.parse(t)+r*864e5);var f=t=>t.slice(0,7);function h(t,r){let o=new Date(`${t}-01`);return o.setUTCMonth(o.getUTCMonth()+r),f(o.toISOString())}var st=t=>y(`${h(t,1)}-01`,-1),nt=(t,r)=>{let o=t+r.slice(7),p=st(t);return o<p?o:p},at="AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN IS JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW",ct="AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY";function G(t){let{region:r}=new Intl.Locale(t).maximize();return at.split(" ").includes(r)?0:ct.split(" ").includes(r)?6:1}var Y=(t,r)=>(new Date(t).getUTCDay()-r+7)%7;function J(t,r){let o=y(`${t}-01`,-Y(`${t}-01`,r)),p=$=>{let u=y(o,$);return f(u)===t?u:""};return Array.from({length:6},($,u)=>Array.from({length:7},(c,i)=>p(7*u+i)))}function _(t,{key:r,shiftKey:o},p){let $=Y(t,p),u=c=>nt(h(f(t),o?12*c:c),t);switch(r){case"ArrowLeft":return y(t,-1);case"ArrowRight":return y(t,1);case"ArrowUp":return y(t,-7);case"ArrowDown":return y(t,7);case"Home":return y(t,-$);case"End":return y(t,6-$);case"PageUp":return u(-1);case"PageDown":return u(1);default:return}}var A=t=>{let r=K({...t,timeZone:"UTC"});return o=>r().format(Date.parse(o))},it=A({month:"long",year:"numeric"}),O=A({dateStyle:"full"}),dt=A({weekday:"long"}),lt=A({weekday:"short"});function V({at:t,onAt:r,months:o=1,chosen:[p,$],others:[u,c]=["",""],first:i="",last:d="",today:m=C(Date.now()),isEarly:w=!1,onChoose:a,onPoint:l,children:Q}){let[g,S]=D(()=>{let e=h(f(t),w?o-1:0);return d&&e>f(d)?f(d):e}),x=I(),N=I(!1),v=G(new Intl.DateTimeFormat().resolvedOptions().locale),P=h(g,1-o),z=e=>{let s=f(e);s>g?S(s):s<P&&S(h(s,o-1)),r(e)};E(()=>{N.current&&x.current.querySelector(`[data-day="${t}"]`)?.focus(),N.current=!1},[t,g]);let X=e=>{if(e.altKey||e.ctrlKey||e.metaKey||!e.target.dataset.day)return;let s=_(t,e,v);s&&(e.preventDefault(),N.current=!0,z(d&&s>d?d:s<i?i:s))},B=e=>{let s=h(g,e),b=h(s,1-o);S(s),(f(t)>s||f(t)<b)&&r(e<0?`${s}-01`:`${b}-01`)},j=e=>e<i||!!(d&&e>d),tt=(e,s)=>{if(!e)return n`<td key=${s}></td>`;let b=p<=e&&e<=$,k=u<=e&&e<=c;return n`<td key=${s} role="gridcell" aria-selected=${b} data-other=${k}
      data-end=${b&&(e===p||e===$)}>
      <button type="button" data-day=${e} data-focus=${e===t}
        aria-label=${O(e)+(k?", compared":"")}
        tabindex=${e===t?0:-1} disabled=${j(e)}
        aria-current=${e===m?"date":void 0}
        onClick=${()=>a(e)} onPointerEnter=${()=>l?.(e)}>
        ${Number(e.slice(8))}</button></td>`},et=e=>{let s=J(e,v),b=`month-${e}`;return n`<div class="month" key=${e}><h2 id=${b}>${it(`${e}-01`)}</h2>
      <table role="grid" aria-labelledby=${b}><thead><tr>${s[1].map(k=>n`<th key=${k} scope="col" abbr=${dt(k)}>
          ${lt(k).slice(0,2)}</th>`)}</tr></thead>
      <tbody>${s.map((k,ot)=>n`<tr key=${ot}>${k.map(tt)}</tr>`)}</tbody></table>
    </div>`};return n`<div class="picker-days" data-months=${o} ref=${x} onKeyDown=${X}>
    <${T} icon="back" class="picker-turn" label="Previous month"
      disabled=${P<=f(i)} onClick=${()=>B(-1)} />
    <${T} icon="back" class="picker-turn forward" label="Next month"
      disabled=${!!d&&g>=f(d)} onClick=${()=>B(1)} />
    ${Array.from({length:o},(e,s)=>et(h(P,s)))}
    ${Q}</div>`}var $t=[["","No comparison"],["before","Previous period"],["year","Year before"]];function Tt({anchor:t,range:r,comparing:o,isComparing:p,onPick:$,onCompare:u,onClose:c}){let[i,d]=D(p),m=R(r),w=(a,l)=>n`<button type="button" aria-pressed=${i===l}
    onClick=${()=>d(l)}>${a}</button>`;return n`<${W} anchor=${t} class="picker" onClose=${c}
    label=${i?"Choose what to compare with":"Choose a range"}>
    ${m&&n`<div class="picker-modes"><div class="segments" role="group" aria-label="Choose">
        ${w("Range",!1)}${w("Compare with",!0)}</div></div>`}
    <div class="picker-body" key=${i}>${i?n`<div class="picker-presets" role="group" aria-label="Named comparisons">
          ${$t.map(([a,l])=>n`<button type="button" key=${a} class="menu-item"
              data-focus=${o===a} aria-pressed=${o===a}
              onClick=${()=>u(a)}><span>${l}
              ${a&&n`<small>${Z(M(m,r,a))}</small>`}
              </span></button>`)}</div>`:n`<div class="picker-presets" role="group" aria-label="Named ranges">
          ${U.map(([a,l])=>n`<button type="button" key=${a} class="menu-item"
              aria-pressed=${r.preset===a} onClick=${()=>$({preset:a})}>
              ${l}</button>`)}</div>`}
      <${ut} shown=${q(m)} isOther=${i}
        others=${q(o&&M(m,r,o))}
        onChoose=${i?u:$} />
    </div>
  <//>`}var q=t=>t?[C(t.start),C(Math.min(t.end,Date.now()))]:void 0;function ut({shown:t,others:r,isOther:o,onChoose:p}){let $=C(Date.now()),u=o?r:t,[c,i]=D(""),[d,m]=D(u?.[1]??t?.[0]??$),w=c&&[c,d].sort(),a=l=>{if(c)return p(H(...[c,l].sort()));i(l),m(l),L(`From ${O(l)}. Choose the last day.`)};return n`<${V} at=${d} onAt=${m} months=${F()?1:2}
    chosen=${!o&&w||t||["",""]} others=${o&&w||r}
    last=${$} isEarly=${o} onChoose=${a} onPoint=${l=>c&&m(l)}>
    <p class="picker-hint quiet">${c?`From ${O(c)}. Choose the last day.`:"Choose the first day."}</p><//>`}export{Tt as RangePicker};
