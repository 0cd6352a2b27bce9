import{D as S,G as N,N as x,R as D,S as E,W as K,aa as L,b as w,ba as v,d as O,e as A,g as d,j as T}from"./chunk-JUSFZGBY.js";var Y=t=>new Date(t).toISOString().slice(0,10),u=(t,o)=>Y(Date.parse(t)+o*864e5);var $=t=>t.slice(0,7);function m(t,o){let e=new Date(`${t}-01`);return e.setUTCMonth(e.getUTCMonth()+o),$(e.toISOString())}var _=t=>u(`${m(t,1)}-01`,-1),V=(t,o)=>{let e=t+o.slice(7),c=_(t);return e<c?e:c},q="AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN IS JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW",Q="AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY";function U(t){let{region:o}=new Intl.Locale(t).maximize();return q.split(" ").includes(o)?0:Q.split(" ").includes(o)?6:1}var B=(t,o)=>(new Date(t).getUTCDay()-o+7)%7;function H(t,o){let e=u(`${t}-01`,-B(`${t}-01`,o)),c=i=>{let n=u(e,i);return $(n)===t?n:""};return Array.from({length:6},(i,n)=>Array.from({length:7},(y,l)=>c(7*n+l)))}function R(t,{key:o,shiftKey:e},c){let i=B(t,c),n=y=>V(m($(t),e?12*y:y),t);switch(o){case"ArrowLeft":return u(t,-1);case"ArrowRight":return u(t,1);case"ArrowUp":return u(t,-7);case"ArrowDown":return u(t,7);case"Home":return u(t,-i);case"End":return u(t,6-i);case"PageUp":return n(-1);case"PageDown":return n(1);default:return}}var g=t=>{let o=T({...t,timeZone:"UTC"});return e=>o().format(Date.parse(e))},z=g({month:"long",year:"numeric"}),C=g({dateStyle:"full"}),X=g({weekday:"long"}),j=g({weekday:"short"});function $t({anchor:t,range:o,onPick:e,onClose:c}){return d`<${v} anchor=${t} label="Choose a range" class="picker" onClose=${c}>
    <div class="picker-body">
      <div class="picker-presets" role="group" aria-label="Named ranges">${x.map(([i,n])=>d`<button type="button" key=${i} class="menu-item"
          aria-pressed=${o.preset===i} onClick=${()=>e({preset:i})}>
          ${n}</button>`)}</div>
      <${tt} range=${o} onPick=${e} />
    </div>
  <//>`}function tt({range:t,onPick:o}){let e=D(Date.now()),c=K(t),i=c&&[D(c.start),D(Math.min(c.end,Date.now()))],[n,y]=w(""),[l,h]=w(i?.[1]??e),f=L()?1:2,[p,r]=w($(l)),k=A(),b=A(!1),P=U(new Intl.DateTimeFormat().resolvedOptions().locale),F=s=>{let a=$(s);a>p?r(a):a<m(p,1-f)&&r(m(a,f-1)),h(s)};O(()=>{b.current&&k.current.querySelector(`[data-day="${l}"]`)?.focus(),b.current=!1},[l,p]);let W=s=>{if(s.altKey||s.ctrlKey||s.metaKey||!s.target.dataset.day)return;let a=R(l,s,P);a&&(s.preventDefault(),b.current=!0,F(a<e?a:e))},Z=s=>{if(n)return o(E(...[n,s].sort()));y(s),h(s),N(`From ${C(s)}. Choose the last day.`)},I=s=>{let a=m(p,s);r(a);let M=m(a,1-f);($(l)>a||$(l)<M)&&h(s<0?`${a}-01`:`${M}-01`)},[G,J]=n?[n,l].sort():i??["",""];return d`<div class="picker-days" ref=${k} onKeyDown=${W}>
    <${S} icon="back" class="picker-turn" label="Previous month"
      onClick=${()=>I(-1)} />
    <${S} icon="back" class="picker-turn forward" label="Next month"
      disabled=${p>=$(e)} onClick=${()=>I(1)} />
    ${Array.from({length:f},(s,a)=>m(p,a+1-f)).map(s=>d`<${et} key=${s} month=${s} week=${P} at=${l} today=${e}
        from=${G} to=${J} onChoose=${Z} onPoint=${a=>n&&h(a)} />`)}
    <p class="picker-hint quiet">${n?`From ${C(n)}. Choose the last day.`:"Choose the first day."}</p></div>`}function et({month:t,week:o,at:e,today:c,from:i,to:n,onChoose:y,onPoint:l}){let h=H(t,o),f=`month-${t}`,p=(r,k)=>{if(!r)return d`<td key=${k}></td>`;let b=i<=r&&r<=n;return d`<td key=${k} role="gridcell" aria-selected=${b}
      data-end=${b&&(r===i||r===n)}>
      <button type="button" data-day=${r} data-focus=${r===e} aria-label=${C(r)}
        tabindex=${r===e?0:-1} disabled=${r>c}
        aria-current=${r===c?"date":void 0}
        onClick=${()=>y(r)} onPointerEnter=${()=>l(r)}>
        ${Number(r.slice(8))}</button></td>`};return d`<div class="month"><h2 id=${f}>${z(`${t}-01`)}</h2>
    <table role="grid" aria-labelledby=${f}><thead><tr>${h[1].map(r=>d`<th key=${r} scope="col" abbr=${X(r)}>
        ${j(r).slice(0,2)}</th>`)}</tr></thead>
    <tbody>${h.map((r,k)=>d`<tr key=${k}>${r.map(p)}</tr>`)}</tbody></table>
  </div>`}export{$t as RangePicker};
