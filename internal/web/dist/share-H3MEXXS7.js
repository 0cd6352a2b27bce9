import{a as ne}from"./chunk-LLQLX74O.js";import{a as oe,b as se,c as re,d as ht,e as st,f as ae,g as ie,h as ce}from"./chunk-KRBWYOXF.js";import{a as ot,b as nt,e as ee}from"./chunk-DP4WKNSZ.js";import{a as R,b as N,c as dt,f as Gt,g as Xt}from"./chunk-LGGWYSOB.js";import"./chunk-4XAJFIWW.js";import{a as Z,b as Q,c as Rt,d as Nt,e as Bt,f as Ft,i as zt,j as X,k as qt,l as Ut,p as ft,q as et,s as Zt,t as Qt}from"./chunk-7QUFHXSW.js";import{$ as jt,A as Y,B as Pt,D as Tt,E as Lt,F as O,G,H as Dt,J as _t,M as Et,N as It,O as Wt,P as At,Q as J,S as Ht,T as Jt,U as ut,X as mt,Y as P,Z as pt,_ as E,a as wt,aa as Kt,b,ba as $t,c as M,ca as Vt,d as D,da as Yt,e as x,f as q,fa as tt,g as r,h as xt,i as S,ia as te,j as v,k as C,l as _,m as V,n as U,o as H,p as vt,q as Ct,r as Mt,t as St,w as L,y as lt,z as Ot}from"./chunk-FDNYYYYD.js";var W=["system","light","dark"];function le(){let[t,e]=b(document.documentElement.dataset.theme??"system"),o=()=>{let n=W[(W.indexOf(t)+1)%W.length];e(n),n==="system"?delete document.documentElement.dataset.theme:document.documentElement.dataset.theme=n;try{localStorage.setItem("terse-theme",n)}catch{}};return r`<${G} icon=${t}
    label=${`Theme: ${t} (click for ${W[(W.indexOf(t)+1)%W.length]})`}
    onClick=${o} />`}function ue(){let t=S(Z);return t==="up"?null:r`<div class="away" role="alert"><${O} name="alert" />
    ${t==="offline"?"You're offline. We'll reconnect when you're back.":"Can't reach the server. Retrying…"}</div>`}var A=264,k={top:12,right:12,bottom:28,left:48},gt=84,Be=112,me={hour:v({weekday:"short",day:"numeric",month:"short",hour:"numeric",minute:"2-digit"}),day:v({weekday:"short",day:"numeric",month:"short",year:"numeric"}),week:v({day:"numeric",month:"short",year:"numeric"}),month:v({month:"long",year:"numeric"})},Fe=v({hour:"numeric",minute:"2-digit"}),ze=v({day:"numeric",month:"short"}),qe=v({day:"numeric",month:"short",year:"numeric"}),Ue=v({month:"short",year:"numeric"});function j(t,e){return e==="week"?me.week().formatRange(t,tt(t,"week")-1):me[e]().format(t)}function He(t,e,o){let n=i=>new Date(i.time).getFullYear(),s=t.every(i=>n(i)===new Date().getFullYear()),a=Math.max(1,Math.ceil(t.length*(s?gt:Be)/o)),u=s?n(t[0]):0;return t.flatMap((i,m)=>{if(m%a)return[];let l=e==="hour"&&(m===0||!Ht(i.time));if(e==="month"||l)return[{i:m,time:i.time,text:(l?Fe:Ue)().format(i.time)}];let c=(n(i)===u?ze:qe)().format(i.time);return u=n(i),[{i:m,time:i.time,text:c}]})}function Je(t){let e=Math.max(t,5)/5,o=10**Math.floor(Math.log10(e)),n=Math.max(1,[1,2,2.5,5,10].map(a=>a*o).find(a=>a>=e&&Number.isInteger(a))??Math.ceil(e)),s=[];for(let a=0;;a+=n)if(s.push(a),a>=t&&a>0)return s}function pe(t,e,{interval:o,width:n,of:s}){let a=Math.max(1,n-k.left-k.right),u=A-k.top-k.bottom,i=t.length-1,m=Je(Math.max(...t.map(s),...(e??[]).map(s),0)),l=m.at(-1),c=f=>k.left+(i>0?a*f/i:a/2),d=f=>k.top+u*(1-f/l);return{width:n,last:i,lines:m,x:c,y:d,labels:He(t,o,a),base:d(0),line:f=>f.map((p,$)=>`${$?"L":"M"}${c($).toFixed(1)} ${d(s(p)).toFixed(1)}`).join(""),at:f=>Math.min(i,Math.max(0,Math.round((f-k.left)/a*i||0)))}}function $e({box:t,at:e,last:o,interval:n,onZoom:s,onReset:a}){let[u,i]=b(-1),[m,l]=b(null),c=x(""),d=m&&m.from!==m.to?[Math.min(m.from,m.to),Math.max(m.from,m.to)]:null,f=()=>{i(-1),l(null)},p=()=>{d&&s(...d),f()};M(f,[n,o]),M(()=>{let h=g=>c.current!=="mouse"&&!t.current.contains(g.target)&&f();return document.addEventListener("pointerdown",h),()=>document.removeEventListener("pointerdown",h)},[]);let $={hover:u,setHover:i,drag:m,setDrag:l,by:c,selected:d,clear:f,zoom:p};return{hover:u,selected:d,zoom:p,isByMouse:()=>c.current==="mouse",pointer:je({...$,box:t,at:e,onReset:a}),keys:Ke({...$,last:o,onReset:a})}}function je({setHover:t,drag:e,setDrag:o,by:n,selected:s,clear:a,zoom:u,box:i,at:m,onReset:l}){let c=x(!1),d=f=>m(f.clientX-i.current.getBoundingClientRect().left);return{onPointerDown(f){if(f.button!==0)return;n.current=f.pointerType,c.current=!0,f.currentTarget.setPointerCapture(f.pointerId);let p=d(f);t(p),o({from:p,to:p})},onPointerMove(f){if(f.pointerType!=="mouse"&&!c.current)return;n.current=f.pointerType;let p=d(f);t(p),c.current&&o({...e,to:p})},onPointerUp(f){c.current=!1,s?f.pointerType==="mouse"&&u():o(null)},onPointerCancel(){c.current=!1,a()},onPointerLeave:f=>f.pointerType==="mouse"&&!c.current&&a(),onDblClick:()=>n.current==="mouse"&&l()}}var Ke=({hover:t,setHover:e,drag:o,setDrag:n,by:s,clear:a,zoom:u,last:i,onReset:m})=>({onKeyDown(l){let c=t<0?i:t,d=Math.max(1,Math.round(i/10)),f={ArrowLeft:c-(t<0?0:1),ArrowRight:c+1,ArrowDown:c-1,ArrowUp:c+1,PageDown:c-d,PageUp:c+d,Home:0,End:i}[l.key];if(f!==void 0){let p=Math.min(i,Math.max(0,f));s.current="key",e(p),n(l.shiftKey?{from:o?.from??c,to:p}:null)}else if(l.key==="Enter"&&o)u();else if(l.key==="Escape"&&t>=0)a();else if(l.key==="Backspace")m();else return;l.preventDefault(),l.stopPropagation()},onBlur:()=>s.current==="key"&&a()});function Ve(t){let[e,o]=b(0);return D(()=>{let n=new ResizeObserver(([s])=>o(Math.round(s.contentRect.width)));return n.observe(t.current),o(Math.round(t.current.getBoundingClientRect().width)),()=>n.disconnect()},[]),e}function de({series:t,earlier:e,interval:o,measures:n,live:s,onZoom:a,onReset:u}){let{shown:i}=n,{of:m,say:l}=i,c=x(),d=Ve(c),f=q(()=>pe(t,e?.slice(0,t.length),{interval:o,width:d,of:m}),[d,t,e,i]),{last:p}=f,{hover:$,selected:h,zoom:g,isByMouse:w,pointer:I,keys:F}=$e({box:c,at:f.at,last:p,interval:o,onZoom:(We,Ae)=>a(t[We].time,tt(t[Ae].time,o)-1),onReset:u}),y=`${i.head} over time, by ${o}`,T=$>=0&&$<=p?t[$]:null,z=T??t[p],ct={plot:f,series:t,earlier:e,interval:o,measures:n,live:s,hover:$,point:T};return r`<figure class="chart" ref=${c}>
    ${d>0&&r`<${Ye} ...${ct} selected=${h} pointer=${I} />`}
    ${T&&r`<${Ze} ...${ct} />`}
    ${h&&!w()&&r`<${Qe} plot=${f} selected=${h} zoom=${g} />`}
    <div class="chart-steps" tabindex="0" role="slider"
      aria-label=${y} aria-valuemin="0"
      aria-valuemax=${Math.max(p,0)} aria-valuenow=${Math.max(T?$:p,0)}
      aria-valuetext=${z?`${j(z.time,o)}: ${l(m(z))}`:"No clicks"} ...${F}></div>
    <figcaption class="unseen">${y}</figcaption>
    <${Ge} ...${ct} title=${y} />
  </figure>`}function Ye({plot:t,series:e,earlier:o,measures:n,live:s,hover:a,point:u,selected:i,pointer:m}){let{width:l,last:c,lines:d,labels:f,x:p,y:$,line:h,base:g}=t,{of:w}=n.shown,I=s&&c>0?e.slice(0,-1):e,F=y=>y===0&&c>0?"start":p(y)>l-gt/2?"end":"middle";return r`<svg width=${l} height=${A} viewBox=${`0 0 ${l} ${A}`}
    aria-hidden="true" ...${m}>
    <rect class="chart-ground" width=${l} height=${A} />
    ${d.map(y=>r`<g key=${y}><line class="chart-grid" x1=${k.left} x2=${l-k.right}
          y1=${$(y)} y2=${$(y)} />
        <text class="chart-label" x=${k.left-10} y=${$(y)+4} text-anchor="end">
          ${H(y)}</text></g>`)}
    ${f.map(({i:y,time:T,text:z})=>r`<text key=${T} class="chart-label" x=${p(y)} y=${A-8}
          text-anchor=${F(y)}>${z}</text>`)}
    ${i&&r`<rect class="chart-drag" x=${p(i[0])} y=${k.top}
        width=${p(i[1])-p(i[0])} height=${g-k.top} />`}
    ${c>0&&r`<path class="chart-area"
        d=${`${h(e)}L${p(c)} ${g}L${p(0)} ${g}z`} />`}
    ${o&&r`<path class="chart-earlier" d=${h(o.slice(0,e.length))} />`}
    <path class="chart-line" d=${h(I)} />
    ${s&&c>0&&r`<path class="chart-line chart-unfinished"
          d=${`M${p(c-1)} ${$(w(e[c-1]))}L${p(c)} ${$(w(e[c]))}`} />`}
    ${c===0&&r`<circle class="chart-dot" cx=${p(0)} cy=${$(w(e[0]))} r="4" />`}
    ${u&&r`<line class="chart-cursor" x1=${p(a)} x2=${p(a)} y1=${k.top}
        y2=${g} />
        ${o?.[a]&&r`<circle class="chart-dot chart-dot-earlier" cx=${p(a)}
            cy=${$(w(o[a]))} r="4" />`}
        <circle class="chart-dot" cx=${p(a)} cy=${$(w(u))} r="4" />`}
  </svg>`}function Ze({plot:{x:t,width:e,last:o},earlier:n,interval:s,measures:a,live:u,hover:i,point:m}){let{shown:l,clicks:c}=a,d=n?.[i];return r`<div class="tip" data-side=${t(i)>e/2?"left":"right"}
    style=${{left:`${t(i)}px`}}>
    <span class="quiet">${j(m.time,s)}
      ${u&&i===o?" so far":""}</span>
    <b>${l.say(l.of(m))}</b>
    ${l!==c&&r`<span>${c.say(c.of(m))}</span>`}
    ${d&&r`<span class="quiet">
        ${C(l.of(d))} · ${j(d.time,s)}</span>`}
  </div>`}function Qe({plot:{x:t,width:e},selected:[o,n],zoom:s}){let a=Math.min(e-52,Math.max(52,(t(o)+t(n))/2));return r`<button type="button" class="button chart-zoom" tabindex="-1"
    style=${{left:`${a}px`}} onMouseDown=${u=>u.preventDefault()}
    onClick=${s}>Zoom in</button>`}function Ge({title:t,series:e,earlier:o,interval:n,measures:{shown:s,clicks:a}}){let u=s===a?[a]:[s,a];return r`<div class="unseen"><table><caption>${t}</caption>
    <thead><tr><th scope="col">Time</th>${u.map(({head:i})=>r`<th scope="col" key=${i}>${i}</th>`)}
      ${o&&r`<th scope="col">${s.head} in the period compared</th>`}</tr>
    </thead>
    <tbody>${e.map((i,m)=>r`<tr key=${i.time}>
      <th scope="row">${j(i.time,n)}</th>
      ${u.map(({head:l,of:c})=>r`<td key=${l}>${C(c(i))}</td>`)}
      ${o&&r`<td>${o[m]?C(s.of(o[m])):""}</td>`}</tr>`)}</tbody></table></div>`}var fe=({view:{people:t,setPeople:e},bots:o})=>r`<label class="check people"><input type="checkbox" checked=${t}
    onChange=${n=>e(n.target.checked)} /><span>People only</span>${" "}
    ${o>0&&r`<span>·</span> <span>${C(o)} by bots ${t?"left out":"counted"}</span>`}</label>`;var Xe=ot(()=>import("./rangepicker-FHPWI63F.js")),to=nt(Xe,"RangePicker"),eo=v({day:"numeric",month:"short",year:"numeric"}),oo=v({dateStyle:"medium",timeStyle:"short"});function ge({view:t,bots:e}){let{range:o,comparing:n}=t,[s,a]=b(null),{state:u}=S(R),i=J.some(([p])=>p===o.preset),m=u?.wider||!o.preset&&!mt(o),l=p=>$=>a({anchor:$.currentTarget,isComparing:p}),c=p=>s?.isComparing===p,d=p=>$=>{a(null),p($)},f=d(t.setRange);return r`<div class="ranges"><div class="segments" role="group" aria-label="Range">
      ${J.map(([p,$,h])=>r`<button type="button" key=${p} title=${h}
          aria-pressed=${o.preset===p} onClick=${()=>f({preset:p})}>
          ${$}</button>`)}
      <button type="button" aria-pressed=${!i} aria-haspopup="dialog"
        aria-expanded=${c(!1)} onClick=${l(!1)}>
        ${i?"Custom":ye(o)}</button></div>
    ${m&&r`<button type="button" class="button" onClick=${t.zoomOut}>Reset zoom</button>`}
    ${o.preset!=="all"&&r`<button type="button" class="button pick choice" data-on=${!!n}
        aria-label=${n?`Compare with: ${he(n)}`:"Compare"}
        aria-haspopup="dialog" aria-expanded=${c(!0)} onClick=${l(!0)}>
        <span>${n?he(n):"Compare"}</span><${O} name="down" />
      </button>`}
    <${fe} view=${t} bots=${e} />
    ${s&&r`<${to} ...${s} range=${o} comparing=${n}
      onPick=${f} onCompare=${d(t.setComparing)} onClose=${()=>a(null)} />`}</div>`}var be=t=>mt(t)?eo():oo(),ye=({preset:t,from:e,to:o})=>t?pt(t):be({from:e,to:o}).formatRange(e,o);function K({preset:t,from:e,to:o}){let{format:n}=be({from:e,to:o});return t?pt(t):`${n(e)} to ${n(o)}`}var ke={before:"Previous period",year:"Year before"},he=t=>ke[t]??ye(t),we=t=>t&&(ke[t]?.toLowerCase()??K(t));var no={before:"in the previous period",year:"a year before"},xe=(t,{counted_start_time:e,counted_end_time:o})=>Yt(e?{start:Date.parse(e),end:Date.parse(o)}:t);function so({range:t,comparing:e},o,n){let s=e&&E(t);if(!s)return null;let a=Vt(s,t,e),u=[xe(s,o),xe(a,n)],i=o.counted_start_time||n.counted_start_time;return{periods:[s,a],days:(e.from||i)&&u[0]!==u[1]&&u}}function ve({source:t,view:e,data:o,measures:n,earlier:s,error:a}){let[u,i]=b(null),{there:m,shown:l}=n,c=s&&so(e,o,s);return r`<div class="figures">
    <div class="figure-row" role="group" aria-label="The page shows">${m.map(d=>r`<${ao} key=${d.name} measure=${d} view=${e} data=${o}
        earlier=${s} pair=${c} isShown=${d===l}
        isOnly=${m.length===1} />`)}</div>
    ${c&&r`<${ro} periods=${c.periods} />`}
    <span class="figures-end"><${io} view=${e} error=${a} />
      <span class="quiet zone" title="Time zone"><span class="unseen">Time zone: </span>
        ${vt().replaceAll("_"," ")}</span>
      <button type="button" class="text-button" aria-haspopup="menu"
        aria-expanded=${!!u} onClick=${d=>i(d.currentTarget)}>
        <${O} name="download" />Export</button></span>
    ${u&&r`<${oe} anchor=${u} source=${t} view=${e} data=${o}
      measures=${n} earlier=${s} onClose=${()=>i(null)} />`}</div>`}var ro=({periods:t})=>r`<span class="legend quiet">${ne(...t).map((e,o)=>r`<span key=${o}><svg viewBox="0 0 24 8" aria-hidden="true">
    <path class=${o?"legend-line":"legend-now"} d="M0 4h24" /></svg>${e}</span>`)}</span>`;function ao({measure:t,view:e,data:o,earlier:n,pair:s,isShown:a,isOnly:u}){let{name:i,total:m,unit:l}=t,c=m(o),d=r`<span class=${`total ${i}`}><b>${C(c)}</b> ${" "}
    ${l(c)}</span>
    ${s&&r`<${co} now=${c} then=${m(n)} days=${s.days} how=${e.comparing} />`}`;return u?r`<p class="figure">${d}</p>`:r`<button type="button" class="figure" aria-pressed=${a}
    onClick=${()=>e.setMeasure(i)}>${d}</button>`}function io({view:t,error:e}){let o=S(Z)!=="up";return e||o?r`<span class="live" data-off title=${e?.message}>Paused</span>`:P(t.range)?r`<span class="live" title="Updates by itself">Live</span>`:null}function co({now:t,then:e,days:o,how:n}){let[s,a]=o?[t/o[0],e/o[1]]:[t,e];if(s===a)return r`<span class="change">no change</span>`;if(!e)return r`<span class="change" data-up="true">new</span>`;let u=s>a,i=V(Math.abs(s-a),a)+(o?" per day":"");return r`<span class="change" data-up=${u}><span aria-hidden="true">
    ${u?"▲":"▼"} ${i} <span class="quiet">vs. ${C(e)}</span></span>
    <span class="unseen">${u?"Up":"Down"} ${i} from ${C(e)}${" "}
      ${no[n]??`in ${K(n)}`}</span>
  </span>`}var lo=({what:t,text:e,onRemove:o})=>r`<button type="button" class="chip"
  onClick=${o}><span class="unseen">Remove filter: </span><span class="chip-text">
    <span class="chip-what">${t}</span> <bdi>${e}</bdi></span>
    <${O} name="close" /></button>`;function Ce({view:t}){let e=X(t);return e.length?r`<div class="chips" role="group" aria-label="Filters">${e.map(({key:o,what:n,text:s,remove:a})=>r`<${lo} key=${o} what=${n} text=${s} onRemove=${a} />`)}
    ${e.length>1&&r`<button type="button" class="text-button"
      onClick=${t.clearFilters}>Remove all filters</button>`}</div>`:null}var uo=`terse-me${Tt}`;var mo="*",Me={identity:"",role:"",byToken:!1,others:!1},bt=xt(po());function po(){try{return{...Me,...JSON.parse(localStorage.getItem(uo))}}catch{return Me}}var B=(...t)=>({role:e}=bt.get())=>t.includes(e),Hn=B("admin"),Jn=B("","editor","admin"),jn=B("","editor","auditor","admin"),Kn=B("auditor","admin"),Vn=B("","auditor","admin");var Yn=B("editor","auditor","admin");var yt=({query:t}=R.get())=>t.get("owner")??"",$o=({created_by:t},{identity:e}=bt.get())=>!t||!e||t===e;var fo=t=>!t||!bt.get().identity?yt():$o(t)?"":mo;function Se(t,e=""){let{domain:o,code:n}=Pt(t);return N(`/ui/links/${n}`,{domain:o,owner:fo({created_by:e})})}function rt(t){let[e,o]=b(!1);return D(()=>{if(e)return;let n=new IntersectionObserver(([s])=>s.isIntersecting&&o(!0),{rootMargin:"160px"});return n.observe(t.current),()=>n.disconnect()},[e]),e}var ho=10,Pe=50,go=3e3,bo=9,yo=t=>({...t.asked,...$t(E(t.range))});function ko(t,e,o){let[n,s]=b({events:null,next:"",error:null}),[a,u]=b(!1),i=JSON.stringify([t.events,t.owner,e.range,e.asked]),m=(c,d)=>t.get(N(t.events,{...yo(e),...c}),{signal:d});return D(()=>{u(!1),s(c=>({...c,events:null}))},[i]),D(()=>{if(!o||a)return;let c=new AbortController,{signal:d}=c,f=0,p=!1,$=async()=>{if(clearTimeout(f),p||document.hidden)return;p=!0;let h=performance.now();try{let g=await m({limit:ho},d);s({events:g.events,next:g.next_cursor??"",error:null})}catch(g){if(Q(g))return;s(w=>({...w,error:g}))}finally{p=!1}P(e.range)&&(f=setTimeout($,Math.max(go,bo*(performance.now()-h))))};return $(),document.addEventListener("visibilitychange",$),()=>{c.abort(),clearTimeout(f),document.removeEventListener("visibilitychange",$)}},[i,o,a]),{...n,paused:a,setPaused:u,more:async()=>{u(!0);try{let c=await m({limit:Pe,cursor:n.next});s(d=>({events:[...d.events,...c.events],next:c.next_cursor??"",error:null}))}catch(c){s(d=>({...d,error:c}))}}}}var Oe="Export single clicks as CSV, with those by bots";function Te({source:t,view:e}){let o=x(),{events:n,next:s,error:a,paused:u,setPaused:i,more:m}=ko(t,e,rt(o)),l=N(t.events,{...e.filters,tag:e.tags,domain:e.domain,...$t(E(e.range)),format:"csv"});return r`<${st} id="latest" title="Latest clicks" wide=${!0}
    extra=${r`<span class="latest-tools">${P(e.range)&&r`<button type="button" class="text-button" onClick=${()=>i(!u)}>
          ${u?"Resume":"Pause"}</button>`}
      <a class="icon-button" href=${t.fileOf(l)} download aria-label=${Oe}
        title=${Oe}><${O} name="download" /></a></span>`}>
    <div ref=${o}>${n?n.length?r`<${wo} events=${n} source=${t} />`:r`<p class="panel-empty quiet">No clicks to show.</p>`:r`<div class="bars-bone"></div>`}
    ${a&&r`<p class="panel-note problem" role="status">${a.message}</p>`}
    ${n&&s&&r`<p class="panel-foot"><button type="button" class="text-button"
      onClick=${m}>Show ${_(Pe,"older click","older clicks")}</button></p>`}</div><//>`}var wo=({events:t,source:{ofAll:e,titleOf:o,owner:n}})=>r`<table class="latest" role="table">
  <thead role="rowgroup"><tr role="row">
    ${["When",e&&"Link","Where","Who","From"].filter(Boolean).map(s=>r`<th key=${s} scope="col" role="columnheader">${s}</th>`)}</tr></thead>
  <tbody role="rowgroup">${t.map((s,a)=>r`<tr key=${`${s.time} ${Y(s)} ${a}`} role="row">
    <td class="latest-when quiet" role="cell">
      <time datetime=${s.time} title=${U(Date.parse(s.time))}>
      ${vo(Date.parse(s.time))}</time></td>
    ${e&&r`<td class="latest-link" role="cell">
        <${xo} of=${Y(s)} title=${o(Y(s))} owner=${n} />
      </td>`}
    <td class="latest-where" role="cell">
      <span aria-hidden="true">${St(s.country)} </span>${Co(s)}</td>
    <td class="latest-who" role="cell">${Mo(s)}${s.count&&r` <span class="quiet">· ${_(s.count,"click","clicks")}</span>`}</td>
    <td class="latest-from" role="cell">${So(s)}</td></tr>`)}</tbody></table>`,xo=({of:t,title:e,owner:o})=>r`<a href=${Lt(Se(t,o))}
  title=${e?`${L(e)} (${t})`:t}>${e?r`<bdi>${L(e)}</bdi>`:r`<span class="mono"><${Et} of=${t} /></span>`}</a>`;function vo(t){let e=Math.max(0,Math.floor((Date.now()-t)/1e3));return e<60?`${e} s ago`:Ct(t)}var at=t=>t&&t!=="unknown"&&t!=="other"&&t!=="none";function Co({city:t,region:e,country:o}){let[n]=at(t)?t.split(", "):[];return L(n??(at(e)?e:Mt(o)))}function Mo({visitor:t,browser:e,os:o}){if(t==="bot")return"Bot";let n=[e,o].filter(at).join(" on ")||"Unknown";return t==="prefetch"?`${n}, in advance`:n}function So({referrer_host:t,source:e,campaign:o}){let n=[e,o].filter(at).map(L).join(", ");return r`<bdi>${se(t)}</bdi>
    ${n&&r`<span class="quiet"> · <bdi>${n}</bdi></span>`}`}var Oo=[...Array(24).keys()];function Po(t,e,o){let[n,s]=b({days:null,isCut:!1}),a=P(e.range)?Math.floor(Date.now()/6e4):0;return M(()=>{if(!o)return;let u=new AbortController;return Xt(t,e,u.signal).then(s).catch(i=>{Q(i)||s(m=>m)}),()=>u.abort()},[o,a,JSON.stringify([t.clicks,e.range,e.asked])]),n}function Le({source:t,view:e,measures:o}){let n=x(),{days:s,isCut:a}=Po(t,e,rt(n)),[u,i]=b(null),{shown:m}=o,l=q(()=>s&&Zt(s.flat().map(m.of)),[s,m]);return r`<${st} id="when" title="Hours of the week" extra=${r`<span class="unit quiet">
    ${a&&"Last 200 days · "}${m.head}</span>`}>
    <div class="when" ref=${n}>
      ${s?r`<${No} days=${s} measure=${m} ends=${l} at=${u} setAt=${i} />
        <${To} ends=${l} />
        <p class="panel-foot"><${Ro} days=${s} measure=${m} at=${u} />
          <${G} icon="download" label="Export hours of the week as CSV"
            onClick=${()=>Wt(...ee(t.name,s,o))} /></p>`:r`<div class="when-bone bone"></div>`}</div><//>`}var To=({ends:t})=>r`<p class="when-legend quiet" aria-hidden="true">
  <span><i></i>0</span>${t.map((e,o)=>r`<span key=${o} data-level=${o+1}><i></i>
      ${o===t.length-1?H(e):`≤ ${H(e)}`}</span>`)}</p>`;function Lo(t,{of:e}){return t.flatMap((n,s)=>n.map((a,u)=>[s,u,e(a)])).reduce((n,s)=>s[2]>n[2]?s:n)}function Ro({days:t,measure:e,at:o}){let n=t.flat().reduce((i,m)=>i+e.of(m),0);if(!n)return r`<span class="quiet">No data for this range.</span>`;let[s,a]=o??Lo(t,e),u=e.of(t[s][a]);return r`<span class="when-words">${!o&&"Most: "}${ft()[s]},${" "}
    ${et(a)} to ${et((a+1)%24)}: <b>${e.say(u)}</b>${" "}
    <span class="quiet">${V(u,n)}</span></span>`}function No({days:t,measure:e,ends:o,at:n,setAt:s}){let a=x(),[u,i]=b([0,0]),[m,l]=q(()=>[ft(),Oo.map(et)],[]),c=p=>{let $=p.target.closest?.("td");$&&s([Number($.dataset.day),Number($.dataset.hour)])},d=p=>{let[$,h]=u,g={ArrowUp:[$-1,h],ArrowDown:[$+1,h],ArrowLeft:[$,h-1],ArrowRight:[$,h+1],Home:[$,0],End:[$,23]}[p.key];if(!g)return;p.preventDefault(),a.current.querySelector(`[data-day="${g[0]}"][data-hour="${g[1]}"]`)?.focus()},f=(p,$)=>{i([p,$]),s([p,$])};return r`<table role="grid" aria-label="Hours of the week" ref=${a}
    onPointerMove=${c} onPointerDown=${c} onKeyDown=${d}
    onPointerLeave=${p=>p.pointerType==="mouse"&&s(null)}
    onBlur=${()=>s(null)}>
    <thead><tr><th scope="col"><span class="unseen">Day</span></th>${l.map((p,$)=>r`<th scope="col" key=${$}><span class=${$%6?"unseen":"when-hour"}>
        ${p}</span></th>`)}</tr></thead>
    <tbody>${t.map((p,$)=>r`<tr key=${$}>
      <th scope="row"><span aria-hidden="true">${m[$].slice(0,3)}</span>
        <span class="unseen">${m[$]}</span></th>
      ${p.map((h,g)=>r`<td key=${g} data-day=${$} data-hour=${g}
        data-level=${Qt(e.of(h),o)}
        data-at=${n?.[0]===$&&n[1]===g}
        tabindex=${u[0]===$&&u[1]===g?0:-1}
        onFocus=${()=>f($,g)}><span class="unseen">${C(e.of(h))}</span>
      </td>`)}</tr>`)}</tbody></table>`}var Do=3;function _o(t,e){let o=X(t),n=we(t.comparing);return[K(t.range)+(n&&`, compared with ${n}`),...o.length>Do?[_(o.length,"filter","filters")]:o.map(({what:s,text:a})=>`${s} ${a}`),Ut(t,e)].filter(Boolean).join(". ")}function Eo(t,{data:e,stale:o}){let n=JSON.stringify([t.range,t.comparing,t.asked]),s=x(n);M(()=>{!e||o||s.current===n||(s.current=n,_t(_o(t,e)))},[n,e,o])}function Ne({source:t,view:e,clicks:o,nothing:n,nothingTitle:s,belowChart:a,isNew:u,children:i}){let{data:m,panels:l,earlier:c,error:d,stale:f,reload:p}=o,$=te();Eo(e,o),At(Object.fromEntries(J.map(([y,,,T])=>[T,()=>e.setRange({preset:y})])));let h=qt(e,m),g=e.comparing?c:null,w=l.visitor&&(l.visitor.clicks.counts.bot??0),I=r`<${ge} view=${e} bots=${w} />
    <${Ce} view=${e} />`,F=m?r`<${ve} source=${t} view=${e} data=${m} measures=${h}
        earlier=${g} error=${d} />`:!d&&r`<div class="figures"><i class="bone total-bone"></i></div>`;return r`${!$&&I}
    <div class="stats" data-stale=${!!m&&f} aria-busy=${f}>
      ${F}
      ${$&&I}
      ${m?r`<${Io} view=${e} clicks=${o} then=${g} measures=${h}
              nothing=${n} nothingTitle=${s} isNew=${u} />`:d?r`<${It} title="Couldn't load clicks" message=${d.message}
                onRetry=${p} />`:r`<${Bo} />`}
      ${(m||d)&&a}
      ${m&&r`<${Wo} source=${t} view=${e} answers=${l} measures=${h}
          isEmpty=${!m.total_clicks} />
        ${m.total_clicks>0&&i?.(h)}
        ${m.total_clicks>0&&t.events&&r`<${Te} source=${t} view=${e} />`}`}
    </div>`}function Io({view:t,clicks:e,then:o,measures:n,nothing:s,nothingTitle:a,isNew:u}){let{data:i,panels:m}=e;return r`${i.total_clicks>0||o?.total_clicks?r`<${de} series=${i.series} earlier=${o?.series??null}
        interval=${i.interval} measures=${n} live=${P(t.range)}
        onZoom=${t.zoom} onReset=${t.zoomOut} />`:r`<${Ao} view=${t} nothing=${s} title=${a} isNew=${u}
        bots=${m.visitor?.clicks.counts.bot} />`}
    <${Re} view=${t} data=${i} />
    ${o&&r`<${Re} view=${t} data=${o} what="The other range is counted" />`}`}function Re({view:t,data:e,what:o="Counted"}){let{counted_start_time:n,counted_end_time:s}=e;if(!n)return null;let a=Date.parse(n)>Date.parse(e.start_time);return r`<p class="counted quiet">${o} from ${U(Date.parse(n))} to${" "}
    ${U(Date.parse(s))}. ${a?"Of older clicks only their numbers by day are kept.":"Of days that are long over only the whole is known."}${" "}
    ${a&&r`<button type="button" class="text-button" onClick=${t.countAll}>
      Count all, without filters</button>`}</p>`}function Wo({source:t,view:e,answers:o,measures:n,isEmpty:s}){let a=u=>{let i=e.panels.find(m=>m.id===u);return i&&ae(i,e,o,s)&&r`<${ie} key=${u} panel=${i}
      source=${t} view=${e} answers=${o} measures=${n} />`};return r`<div class="panels">
    <div class="panel-column">
      ${a("referrers")}${a("campaigns")}${a("devices")}
      ${a("rules")}${a("addresses")}</div>
    <div class="panel-column">${a("places")}
      ${!s&&r`<${Le} source=${t} view=${e} measures=${n} />`}</div>
  </div>`}function Ao({view:t,nothing:e,title:o="No clicks yet",isNew:n,bots:s}){let{range:a}=t;if(Ft(t.filters)||t.tags.length)return r`<div class="chart-empty"><h2>No data for this filter</h2>
      <button type="button" class="button" onClick=${t.clearFilters}>Remove filter</button>
    </div>`;if(t.people&&s>0)return r`<div class="chart-empty"><h2>No clicks by people in this range</h2>
      <button type="button" class="button" onClick=${()=>t.setPeople(!1)}>
        Count bots, too</button></div>`;let u=a.preset==="all"||P(a)&&n(E(a).start);return r`<div class="chart-empty">
    <h2>${u?o:"No clicks in this range"}</h2>
    ${u?e:r`<button type="button" class="button"
        onClick=${()=>t.setRange({preset:"all"})}>Show all time</button>`}</div>`}var Bo=()=>r`<div role="status" aria-label="Loading clicks">
  <div class="chart-bone"></div><${ce} /></div>`;function Fo(t,e,o){let n=Jt(t),s=ht(e);return{range:n,filters:Bt(t,e),people:t.get("bots")!=="1",comparing:n.preset==="all"?"":jt(t),measure:t.get("show")??"",owner:o?"":yt({query:t}),domain:!o&&lt&&t.get("domain")||"",tags:o?[]:t.getAll("tag").filter(Boolean).slice(0,20),tabs:t.getAll("tab").filter(a=>s.some(({tabs:u})=>u.slice(1).some(i=>i.name===a)))}}var De=({range:t,filters:e,people:o,comparing:n,measure:s,owner:a,domain:u,tags:i,tabs:m})=>({...ut(t),...e,owner:a,domain:u,tag:i,bots:o?"":"1",...Kt(n),show:s,tab:m});function _e(t=[]){let{path:e,query:o,state:n}=S(R),s=re.filter(({name:l})=>!t.includes(l)),a=Fo(o,s,t.length>0),u=ht(s),i=(l,c)=>dt(N(e,De({...a,...l})),c),m=({tabs:l})=>l.find(({name:c})=>a.tabs.includes(c))??l[0];return{...a,dimensions:s,panels:u,openIn:m,open:u.map(l=>m(l).name),visitors:a.measure==="clicks"?"true":"by",asked:{...a.filters,...a.people&&{not_visitor:["bot"]},tag:a.tags,domain:a.domain},setRange:l=>i({range:l}),setPeople:l=>i({people:l}),setComparing:l=>i({comparing:l}),setMeasure:l=>i({measure:l},{replace:!0,state:n}),setOwner:(l,c)=>i({owner:l,tags:[]},c),setDomain:l=>i({domain:l}),setTags:l=>i({tags:l}),setFilters:l=>i({filters:l}),toggle:(l,c,d)=>i({filters:zt(a.filters,l,c,d)}),clearFilters:()=>i({filters:{},tags:[]}),countAll:()=>i({filters:{},tags:[],people:!1}),openTab:(l,c)=>i({tabs:[...a.tabs.filter(d=>l.tabs.every(f=>f.name!==d)),...c===l.tabs[0].name?[]:[c]]},{replace:!0,state:n}),zoom:(l,c)=>c-l>36e5&&i({range:{from:l,to:Math.min(c,Math.max(Date.now(),l+1))}},{state:{wider:ut(a.range),outer:n}}),zoomOut:()=>{n?.wider?dt(N(e,{...De(a),from:"",to:"",...n.wider}),{state:n.outer}):a.range.preset||i({range:{preset:"30d"}})}}}var zo=nt(ot(()=>import("./toplinks-UPN336GI.js")),"TopLinks"),Ie=document.getElementById("app"),{shows:kt}=Ie.dataset,it={name:"shared",clicks:`${R.get().path}/${kt}`,pause:3e4,get:async(t,e)=>Nt(await Rt("GET",t,e))},qo=["referrer","alias"];function Uo(){let t=_e(qo),e=Gt(it,t),{data:o,error:n}=e,s=n?.status===404,a=o?.short_code,u=o?.title??a;return M(()=>{n?.status===401&&location.reload()},[n]),M(()=>{s?document.title="Not found · terse":u&&(document.title=`${L(u)} · terse`)},[u,s]),r`<a class="skip" href="#main">Skip to content</a>
    <header class="top"><div class="top-inner"><span class="brand">terse</span>
      <div class="top-end"><${le} /></div></div></header>
    <${ue} />
    <main class="page" id="main">${s?r`<${jo} />`:r`<${Jo} data=${o} />
      <${Ne} source=${{...it,name:a??it.name}} view=${t} clicks=${e}
        isNew=${()=>!1}>
        ${kt==="overview"?i=>r`<${zo} name=${it.name} links=${o.top_links}
              measures=${i} />`:void 0}<//>`}</main>
    <${Ho} />
    <p id="said" class="unseen" role="status"></p>`}function Ho(){let t=S(Dt);return r`<div class="toasts" role="region" aria-label="Messages">
    ${t&&r`<div class="toast">${t}</div>`}</div>`}var Jo=({data:t})=>r`<header class="share-head">
  ${t?r`<h1>${t.title?L(t.title):r`<${Ee} link=${t} />`}</h1>
    <p class="quiet">Clicks of ${kt==="overview"?_(t.links,"link","links"):r`<${Ee} link=${t} />`}, shared by ${t.links>1?"their":"its"} owner.</p>`:r`<h1>Statistics</h1><p><i class="bone"></i></p>`}</header>`,Ee=({link:{domain:t,short_code:e}})=>r`<span class="mono"><span class="quiet">${Ot(t)}/</span>${e}</span>`,jo=()=>r`<div class="state" role="alert"><h1>Nothing is shared here</h1>
  <p>It was deleted, or is no longer shared.</p></div>`;wt(r`<${Uo} />`,Ie);
