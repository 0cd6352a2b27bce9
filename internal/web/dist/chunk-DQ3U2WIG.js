import{Pb as a,a as T,c as M,d as g,g as P,nb as x,oa as p,qa as A}from"./chunk-GS2UUHZM.js";var s=e=>e.slice(0,7);function d(e,n){let o=new Date(`${e}-01`);return o.setUTCMonth(o.getUTCMonth()+n),s(o.toISOString())}var F=e=>a(`${d(e,1)}-01`,-1),V=(e,n)=>{let o=e+n.slice(7),i=F(e);return o<i?o:i},_="AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN IS JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW",Q="AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY";function B(e){let{region:n}=new Intl.Locale(e).maximize();return _.split(" ").includes(n)?0:Q.split(" ").includes(n)?6:1}var C=(e,n)=>(new Date(e).getUTCDay()-n+7)%7;function K(e,n){let o=a(`${e}-01`,-C(`${e}-01`,n)),i=l=>{let u=a(o,l);return s(u)===e?u:""};return Array.from({length:6},(l,u)=>Array.from({length:7},(m,y)=>i(7*u+y)))}function E(e,{key:n,shiftKey:o},i){let l=C(e,i),u=m=>V(d(s(e),o?12*m:m),e);switch(n){case"ArrowLeft":return a(e,-1);case"ArrowRight":return a(e,1);case"ArrowUp":return a(e,-7);case"ArrowDown":return a(e,7);case"Home":return a(e,-l);case"End":return a(e,6-l);case"PageUp":return u(-1);case"PageDown":return u(1);default:return}}var w=e=>{let n=P({...e,timeZone:"UTC"});return o=>n().format(Date.parse(o))},q=w({month:"long",year:"numeric"}),z=w({dateStyle:"full"}),X=w({weekday:"long"}),j=w({weekday:"short"});function ut({at:e,onAt:n,months:o=1,chosen:[i,l],others:[u,m]=["",""],first:y="",last:c="",today:L=x(Date.now()),isEarly:U=!1,onChoose:H,onPoint:N,children:R}){let[h,k]=T(()=>{let t=d(s(e),U?o-1:0);return c&&t>s(c)?s(c):t}),S=g(),b=g(!1),O=B(new Intl.DateTimeFormat().resolvedOptions().locale),D=d(h,1-o),W=t=>{let r=s(t);r>h?k(r):r<D&&k(d(r,o-1)),n(t)};M(()=>{b.current&&S.current.querySelector(`[data-day="${e}"]`)?.focus(),b.current=!1},[e,h]);let Z=t=>{if(t.altKey||t.ctrlKey||t.metaKey||!t.target.dataset.day)return;let r=E(e,t,O);r&&(t.preventDefault(),b.current=!0,W(c&&r>c?c:r<y?y:r))},I=t=>{let r=d(h,t),f=d(r,1-o);k(r),(s(e)>r||s(e)<f)&&n(t<0?`${r}-01`:`${f}-01`)},G=t=>t<y||!!(c&&t>c),v=(t,r)=>{if(!t)return p`<td key=${r}></td>`;let f=i<=t&&t<=l,$=u<=t&&t<=m;return p`<td key=${r} role="gridcell" aria-selected=${f} data-other=${$}
      data-end=${f&&(t===i||t===l)}>
      <button type="button" data-day=${t} data-focus=${t===e}
        aria-label=${z(t)+($?", compared":"")}
        tabindex=${t===e?0:-1} disabled=${G(t)}
        aria-current=${t===L?"date":void 0}
        onClick=${()=>H(t)} onPointerEnter=${()=>N?.(t)}>
        ${Number(t.slice(8))}</button></td>`},J=t=>{let r=K(t,O),f=`month-${t}`;return p`<div class="month" key=${t}><h2 id=${f}>${q(`${t}-01`)}</h2>
      <table role="grid" aria-labelledby=${f}><thead><tr>${r[1].map($=>p`<th key=${$} scope="col" abbr=${X($)}>
          ${j($).slice(0,2)}</th>`)}</tr></thead>
      <tbody>${r.map(($,Y)=>p`<tr key=${Y}>${$.map(v)}</tr>`)}</tbody></table>
    </div>`};return p`<div class="picker-days" data-months=${o} ref=${S} onKeyDown=${Z}>
    <${A} icon="back" class="picker-turn" label="Previous month"
      disabled=${D<=s(y)} onClick=${()=>I(-1)} />
    <${A} icon="back" class="picker-turn forward" label="Next month"
      disabled=${!!c&&h>=s(c)} onClick=${()=>I(1)} />
    ${Array.from({length:o},(t,r)=>J(d(D,r)))}
    ${R}</div>`}export{z as a,ut as b};
