import{$ as u,Ta as N,Xa as D,Ya as v,_b as d,a as w,ab as L,ba as C,c as T,d as A,f as O,ia as x,xa as E,za as K}from"./chunk-UIRYTHGR.js";var $=t=>t.slice(0,7);function m(t,o){let e=new Date(`${t}-01`);return e.setUTCMonth(e.getUTCMonth()+o),$(e.toISOString())}var Y=t=>d(`${m(t,1)}-01`,-1),V=(t,o)=>{let e=t+o.slice(7),c=Y(t);return e<c?e:c},_="AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN IS JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW",q="AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY";function U(t){let{region:o}=new Intl.Locale(t).maximize();return _.split(" ").includes(o)?0:q.split(" ").includes(o)?6:1}var B=(t,o)=>(new Date(t).getUTCDay()-o+7)%7;function H(t,o){let e=d(`${t}-01`,-B(`${t}-01`,o)),c=i=>{let n=d(e,i);return $(n)===t?n:""};return Array.from({length:6},(i,n)=>Array.from({length:7},(h,l)=>c(7*n+l)))}function R(t,{key:o,shiftKey:e},c){let i=B(t,c),n=h=>V(m($(t),e?12*h:h),t);switch(o){case"ArrowLeft":return d(t,-1);case"ArrowRight":return d(t,1);case"ArrowUp":return d(t,-7);case"ArrowDown":return d(t,7);case"Home":return d(t,-i);case"End":return d(t,6-i);case"PageUp":return n(-1);case"PageDown":return n(1);default:return}}var g=t=>{let o=O({...t,timeZone:"UTC"});return e=>o().format(Date.parse(e))},Q=g({month:"long",year:"numeric"}),P=g({dateStyle:"full"}),z=g({weekday:"long"}),X=g({weekday:"short"});function dt({anchor:t,range:o,onPick:e,onClose:c}){return u`<${K} anchor=${t} label="Choose a range" class="picker" onClose=${c}>
    <div class="picker-body">
      <div class="picker-presets" role="group" aria-label="Named ranges">${N.map(([i,n])=>u`<button type="button" key=${i} class="menu-item"
          aria-pressed=${o.preset===i} onClick=${()=>e({preset:i})}>
          ${n}</button>`)}</div>
      <${j} range=${o} onPick=${e} />
    </div>
  <//>`}function j({range:t,onPick:o}){let e=D(Date.now()),c=L(t),i=c&&[D(c.start),D(Math.min(c.end,Date.now()))],[n,h]=w(""),[l,y]=w(i?.[1]??e),f=E()?1:2,[p,r]=w($(l)),k=A(),b=A(!1),S=U(new Intl.DateTimeFormat().resolvedOptions().locale),F=s=>{let a=$(s);a>p?r(a):a<m(p,1-f)&&r(m(a,f-1)),y(s)};T(()=>{b.current&&k.current.querySelector(`[data-day="${l}"]`)?.focus(),b.current=!1},[l,p]);let W=s=>{if(s.altKey||s.ctrlKey||s.metaKey||!s.target.dataset.day)return;let a=R(l,s,S);a&&(s.preventDefault(),b.current=!0,F(a<e?a:e))},Z=s=>{if(n)return o(v(...[n,s].sort()));h(s),y(s),x(`From ${P(s)}. Choose the last day.`)},M=s=>{let a=m(p,s);r(a);let I=m(a,1-f);($(l)>a||$(l)<I)&&y(s<0?`${a}-01`:`${I}-01`)},[G,J]=n?[n,l].sort():i??["",""];return u`<div class="picker-days" ref=${k} onKeyDown=${W}>
    <${C} icon="back" class="picker-turn" label="Previous month"
      onClick=${()=>M(-1)} />
    <${C} icon="back" class="picker-turn forward" label="Next month"
      disabled=${p>=$(e)} onClick=${()=>M(1)} />
    ${Array.from({length:f},(s,a)=>m(p,a+1-f)).map(s=>u`<${tt} key=${s} month=${s} week=${S} at=${l} today=${e}
        from=${G} to=${J} onChoose=${Z} onPoint=${a=>n&&y(a)} />`)}
    <p class="picker-hint quiet">${n?`From ${P(n)}. Choose the last day.`:"Choose the first day."}</p></div>`}function tt({month:t,week:o,at:e,today:c,from:i,to:n,onChoose:h,onPoint:l}){let y=H(t,o),f=`month-${t}`,p=(r,k)=>{if(!r)return u`<td key=${k}></td>`;let b=i<=r&&r<=n;return u`<td key=${k} role="gridcell" aria-selected=${b}
      data-end=${b&&(r===i||r===n)}>
      <button type="button" data-day=${r} data-focus=${r===e} aria-label=${P(r)}
        tabindex=${r===e?0:-1} disabled=${r>c}
        aria-current=${r===c?"date":void 0}
        onClick=${()=>h(r)} onPointerEnter=${()=>l(r)}>
        ${Number(r.slice(8))}</button></td>`};return u`<div class="month"><h2 id=${f}>${Q(`${t}-01`)}</h2>
    <table role="grid" aria-labelledby=${f}><thead><tr>${y[1].map(r=>u`<th key=${r} scope="col" abbr=${z(r)}>
        ${X(r).slice(0,2)}</th>`)}</tr></thead>
    <tbody>${y.map((r,k)=>u`<tr key=${k}>${r.map(p)}</tr>`)}</tbody></table>
  </div>`}export{dt as RangePicker};
