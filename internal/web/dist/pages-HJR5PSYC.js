import{b as $t}from"./chunk-WSGJE6VD.js";import{e as vt}from"./chunk-4UI2MEQ7.js";import{a as V,b as G,c as dt,d as j,e as O,f as ht,i as bt,j as kt,k as gt}from"./chunk-KBZFFNUA.js";import{c as ct,d as ut}from"./chunk-5OFMCC26.js";import{b as k,l as U,s as mt,w as ft}from"./chunk-5PC4BVFW.js";import{a as K,b as X,c as z,d as W}from"./chunk-XNCWIEY2.js";import{g as Y,h as Ct}from"./chunk-6N2UKP2A.js";import{g as yt,h as wt}from"./chunk-5B4WKWHA.js";import{h as Q}from"./chunk-2ICM5NG5.js";import"./chunk-JKNNT6MQ.js";import{a as B,c as L}from"./chunk-FF3G7ASX.js";import{a as pt,b as R,c as M}from"./chunk-D7E6UWU7.js";import{A as T,B as v,C as m,D as b,E as it,F as I,H as _,K as C,L as q,M as A,N as tt,O as F,Q as H,R as lt,b as c,c as h,d as D,e as J,h as E,i as s,k as f,l as w,n as P,q as nt,v as at,w as x,x as rt}from"./chunk-PE56B7N7.js";var St=t=>P(new Date(t));function Dt({starts_at:t,expires_at:e,max_clicks:o,clicks_left:a},n=Date.now()){return[t&&(Date.parse(t)>n?`Starts ${St(t)}`:""),e&&`${Date.parse(e)>n?"Ends":"Ended"} ${St(e)}`,o&&(a===void 0?`Ends after ${w(o,"click","clicks")}`:`${f(a)} of ${w(o,"click","clicks")} left`)].filter(Boolean)}var Bt={301:"Permanent redirect (301)",302:"Redirect 302",307:"Redirect 307",308:"Permanent redirect (308)"};function xt(t){return[t.password&&"Password",t.rules?.length&&w(t.rules.length,"rule","rules"),t.redirect_status&&Bt[t.redirect_status],t.forward_query&&"Forwards the query",t.forward_path&&"Forwards the path"].filter(Boolean)}function _t({code:t,link:e,onDialog:o}){let a=e?[...Dt(e),...xt(e)]:[];return s`<header class="link-head">
    <a class="back" href=${U.href}><${m} name="back" />Links</a>
    <div class="link-title"><h1 class="mono"><span class="quiet">${v}/</span>${t}</h1>
      <span class="link-actions"><${I} text=${T(t)}
        label="Copy the short URL" />
        <${b} icon="qr" label="QR code" onClick=${()=>o("qr")} />
        <a class="icon-button" href=${T(t)} target="_blank" rel="noreferrer noopener"
          aria-label="Open the short URL, which counts as a click"
          title="Open the short URL (counts as a click)"><${m} name="open" /></a></span>
      <span class="link-end">
        <button type="button" class="button" disabled=${!e}
          onClick=${()=>o("edit")}>Edit</button>
        <${b} icon="more" label="More actions" disabled=${!e} aria-haspopup="dialog"
          onClick=${()=>o("menu")} /></span></div>
    ${(e?.title||e?.tags)&&s`<div class="link-name">
      <h2>${e.title&&x(e.title)}</h2><${ft} tags=${e.tags} /></div>`}
    ${e?s`<${At} key=${t} link=${e} />`:s`<p class="link-leads"><i class="bone wide"></i></p>`}
    ${e&&(a.length>0||O[e.status])&&s`<ul class="link-facts">
      ${O[e.status]&&s`<li><${It} status=${e.status} /></li>`}
      ${a.map(n=>s`<li key=${n}>${n}</li>`)}</ul>`}
    ${e?.note&&s`<p class="link-note quiet">${Pt(e.note)}</p>`}
  </header>`}var Pt=t=>t.split(/\r\n|\r|\n/).map(e=>x(e.replaceAll("	","  "))).join(`
`),It=({status:t})=>O[t]&&s`<span class="state-badge">${O[t]}</span>`;function At({link:t}){let[e,o]=c(!1),a=J(),n=()=>{o(!1),requestAnimationFrame(()=>a.current?.querySelector("button").focus())};if(e)return s`<${Ht} link=${t} onLeave=${n} />`;let{original_url:r,created_at:i}=t,l=at(r);return s`<div class="link-leads" ref=${a}><${m} name="arrow" />
    ${l?s`<a class="leads" href=${l.href} target="_blank" rel="noreferrer noopener"
        title=${x(r)}><${tt} url=${r} /></a>`:s`<span class="leads"><${tt} url=${r} /></span>`}
    <${b} icon="edit" label="Change the destination" onClick=${()=>o(!0)} />
    <${Ft} code=${t.short_code}>
      <time class="quiet" datetime=${i} title=${P(new Date(i))}>
        Created ${nt(new Date(i),"long")}</time><//></div>`}function Ft({code:t,children:e}){let o=E(dt),a=o?.code===t?o:null;if(h(()=>{a&&C(a.undo?"Saved. Undo is offered.":"Saved")},[a]),!a)return e;let n=async()=>{try{await a.undo(),C("Changed back")}catch(r){_(r.status===412?"Not changed back: somebody else changed the link meanwhile.":`Not changed back: ${r.message}`)}};return s`<span class="saved"><${m} name="done" />Saved
    ${a.undo&&s`<button type="button" class="text-button" onClick=${n}>Undo</button>`}
  </span>`}function Ht({link:t,onLeave:e}){let[o,a]=c(t),[n,r]=c(t.original_url),[i,l]=c(""),[p,u]=c(!1),$=J();h(()=>$.current.select(),[]);let d=async g=>{g.preventDefault();let S=n===o.original_url?n:ht(n);if(p||S===o.original_url)return p||e();let y=gt(S);if(y)return l(y);u(!0);try{await j(o,{original_url:S}),e()}catch(Nt){l(await Ot(Nt)),u(!1)}},Ot=async({status:g,message:S})=>{if(g===0)return"Not saved: can't reach the server. Your text is kept.";if(/short link/i.test(S))return kt;if(/original.url/i.test(S))return bt;if(g!==412)return S;try{let y=await V(o.short_code);return a(y),y.original_url===o.original_url?"Somebody changed the link meanwhile. Save again to change its destination.":`Somebody changed it to ${x(y.original_url)} meanwhile. Save again to replace it.`}catch(y){return y.message}};return s`<form class="link-edit" onSubmit=${d}>
    <input ref=${$} class="field mono" type="text" inputmode="url" aria-label="Destination"
      autocomplete="off" autocapitalize="off" spellcheck=${!1} value=${n}
      onInput=${g=>{r(g.target.value),l("")}}
      onKeyDown=${g=>g.key==="Escape"&&e()} aria-invalid=${!!i}
      aria-describedby=${i?"destination-problem":void 0} />
    <button type="button" class="button" onClick=${e}>Cancel</button>
    <button class="button primary" aria-busy=${p}>Save</button>
    ${i&&s`<p id="destination-problem" class="problem" role="alert">${i}</p>`}
  </form>`}function Mt(t){let[e,o]=c(void 0),[a,n]=c(""),[r,i]=c(!1),l=`/api/urls/${encodeURIComponent(t)}/share`,p=async(u,$)=>{i(!0),n("");try{let d=await k(u,l,{signal:$});return o(d?.url??""),!0}catch(d){return L(d)||(d.status===404&&/share/i.test(d.message)?o(""):n(d.message)),!1}finally{i(!1)}};return h(()=>{let u=new AbortController;return p("GET",u.signal),()=>u.abort()},[l]),{url:e,problem:a,busy:r,ask:p}}function Et({code:t,onClose:e}){let{url:o,problem:a,busy:n,ask:r}=Mt(t),i=async()=>{!n&&await r("POST")&&C("Shared")},l=async()=>{!n&&await r("DELETE")&&C("No longer shared")};return s`<${q} label="Share statistics" class="sharing" onClose=${e}>
    <${A} onClose=${e}>Share statistics<//>
    <p>A page with the clicks of <b class="mono">${v}/${t}</b>, for people without a
      token. Whoever has its address sees the link's title and its clicks, but not where it leads,
      and no note, tag or full referrer.</p>
    <div class="sharing-address">${o?s`<${Qt} url=${o} />`:o===""?s`<p class="quiet">Not shared.</p>`:null}</div>
    ${a&&s`<p class="problem" role="alert">${a}</p>`}
    <div class="buttons">${o?s`<button type="button" class="button" aria-busy=${n} onClick=${l}>
          Stop sharing</button>
        <button type="button" class="button primary" onClick=${e}>Done</button>`:s`<button type="button" class="button" onClick=${e}>Cancel</button>
        <button type="button" class="button primary" aria-busy=${n}
          disabled=${o===void 0} onClick=${i}>Share</button>`}</div>
    ${o&&s`<p class="hint">The address stops working when you stop sharing. Sharing again
      makes another one.</p>`}
  <//>`}var Qt=({url:t})=>s`
  <input class="field mono" type="text" readonly aria-label="Address of the shared page"
    value=${t} onFocus=${e=>e.target.select()} />
  <${I} text=${t} label="Copy the address" />
  <a class="icon-button" href=${t} target="_blank" rel="noreferrer noopener"
    aria-label="Open the shared page" title="Open the shared page"><${m} name="open" /></a>`;function Lt({link:t,onClose:e,onDelete:o,onCleared:a}){let[n,r]=c(""),{short_code:i,disabled:l}=t,p=async()=>{e();try{await j(t,{disabled:l?null:!0})}catch(u){_(u.status===412?"Not changed: somebody else changed the link meanwhile.":`Not changed: ${u.message}`)}};return n==="clear"?s`<${Vt} code=${i} onClose=${e} onCleared=${a} />`:n==="share"?s`<${Et} code=${i} onClose=${e} />`:s`<${q} label=${`More actions for ${i}`} class="sheet" onClose=${e}>
    <button type="button" class="sheet-item" onClick=${p}>
      <${m} name=${l?"done":"pause"} />${l?"Enable":"Disable"}</button>
    <button type="button" class="sheet-item" onClick=${()=>r("share")}>
      <${m} name="share" />Share statistics</button>
    <button type="button" class="sheet-item" onClick=${()=>r("clear")}>
      <${m} name="remove" />Delete statistics</button>
    <button type="button" class="sheet-item danger" onClick=${()=>{e(),o()}}>
      <${m} name="remove" />Delete</button>
    <button type="button" class="sheet-item" onClick=${e}>
      <${m} name="close" />Cancel</button>
  <//>`}function Vt({code:t,onClose:e,onCleared:o}){let[a,n]=c(!1),[r,i]=c("");return s`<${q} label="Delete statistics" onClose=${e}><form onSubmit=${async p=>{if(p.preventDefault(),!a){n(!0);try{await k("DELETE",`/api/urls/${encodeURIComponent(t)}/clicks`),e(),o(),_("Statistics deleted")}catch(u){i(u.message),n(!1)}}}}>
    <${A} onClose=${e}>Delete statistics?<//>
    <p>All clicks of <b class="mono">${v}/${t}</b> are forgotten. The link itself stays.
      This can't be undone.</p>
    ${r&&s`<p class="problem" role="alert">${r}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${e}>Cancel</button>
      <button class="button danger" aria-busy=${a}>Delete statistics</button></div>
  </form><//>`}var Z=(t,e)=>({name:t,clicks:e,get:(o,a)=>k("GET",o,a),pause:2e3});function Gt(t){let e=E(G),[o,a]=c(null),[n,r]=c(0);return D(()=>{let i=new AbortController,l=async()=>{try{let u=await V(t,i.signal);a(null),G.set(u)}catch(u){L(u)||a(u)}};G.set(mt(t)??null),l(),addEventListener("focus",l);let p=B.watch(u=>u==="up"&&l());return()=>{p(),removeEventListener("focus",l),i.abort()}},[t,n]),[e?.short_code===t?e:null,o,()=>r(n+1)]}function jt({code:t}){let[e,o]=c(""),a=W(),[n,r,i]=Gt(t),l=Z(t,`/api/urls/${encodeURIComponent(t)}/clicks`),p=Q(l,a);D(()=>{document.title=`${t} · terse`,scrollTo(0,0)},[t]),h(()=>{n?.title&&(document.title=`${n.title} · ${t} · terse`)},[n?.title]);let u=()=>{n&&(ut({short_code:t,original_url:n.original_url}),C(`Deleted ${t}. Press Z to undo.`),M(U.href))};lt({q:()=>o("qr"),e:()=>o("edit"),c:async()=>_(await it(T(t))?`Copied ${v}/${t}`:"Couldn't copy"),Delete:u});let $=()=>o("");return r?.status===404||p.error?.status===404||ct(t)?s`<${Kt} code=${t} />`:s`<main class="page" id="main">
    <${_t} code=${t} link=${n} onDialog=${o} />
    ${n?s`<${z} source=${l} view=${a} clicks=${p}
        nothing=${s`<${X} code=${t} onQR=${()=>o("qr")} />`}
        isNew=${d=>Date.parse(n.created_at)>=d} />
      ${n.updated_at&&s`<${$t} link=${n} />`}`:r&&s`<${F} title="Couldn't load the link" message=${r.message}
        onRetry=${()=>{i(),p.reload()}} />`}
    ${e==="qr"&&s`<${Y} code=${t} onClose=${$} />`}
    ${e==="edit"&&n&&s`<${Ct} code=${t} onClose=${$} />`}
    ${e==="menu"&&n&&s`<${Lt} link=${n} onClose=${$}
      onDelete=${u} onCleared=${p.reload} />`}
  </main>`}var Kt=({code:t})=>s`<main class="page" id="main"><div class="state">
  <h1>Link not found</h1><p>"${t}" doesn't exist or was deleted.</p>
  <a class="button" href=${U.href}>Back to links</a></div></main>`;var Tt={...Z("overview","/api/overview"),ofAll:!0},qt=!1;function Xt(){let[t,e]=c(""),o=W(),a=Q(Tt,o);D(()=>{document.title="Overview · terse",scrollTo(0,0)},[]);let{data:n}=a,r=n?.top_links[0]?.short_code;return s`<main class="page" id="main">
    <header class="overview-head"><h1>Overview</h1><p class="quiet">
      ${n?w(n.links,"link","links"):""}</p>
      <a class="text-button overview-more" href="/ui/unknown">Codes that people looked for</a>
      ${qt&&s`<${vt} query=${{tag:o.tags}}
        ask=${({tag:i})=>o.setTags(i)} />`}</header>
    <${z} source=${Tt} view=${o} clicks=${a} isNew=${()=>n?.links===0}
      nothing=${r?s`<${X} code=${r} onQR=${()=>e(r)} />`:s`<p><a href="/ui/">Create a link</a> and open it.</p>`}>
      ${n&&s`<${zt} links=${n.top_links} />`}
    <//>
    ${t&&s`<${Y} code=${t} onClose=${()=>e("")} />`}
  </main>`}function zt({links:t}){let e=t[0]?.clicks||1;return s`<${K} id="top" wide=${!0} title=${qt?"Top links":"Top links (all time)"}
    extra=${t.length>0&&s`<${b} icon="download" label="Export top links as CSV"
      onClick=${()=>H(...wt("overview",t))} />`}>
    ${t.length?s`<ul class="bars">
        ${t.map(({short_code:o,original_url:a,clicks:n})=>s`<li key=${o}><a class="bar" href=${`/ui/links/${o}`} title=${x(a)}>
          <span class="bar-fill" style=${{transform:`scaleX(${n/e})`}}></span>
          <span class="bar-code mono">${o}</span><span class="bar-name quiet">
            <bdi dir="ltr">${rt(a).join("")}</bdi></span>
          <span class="bar-count">${f(n)}</span></a></li>`)}</ul>`:s`<p class="panel-empty quiet">No data for this range.</p>`}
  <//>`}var Wt=1e3,Ut=30,N=50,Rt="Codes that people looked for",st=t=>new Date(t).toISOString().slice(0,10),et=(t,e)=>st(Date.parse(t)+e*864e5),ot=t=>M(R("/ui/unknown",{date:t===st(Date.now())?"":t}));function Yt(t){let[{asked:e,data:o,error:a},n]=c({}),[r,i]=c(0);return h(()=>{let l=new AbortController,p=async()=>{try{let $=await k("GET",R("/api/unknown",{date:t,limit:Wt}),{signal:l.signal});n({asked:t,data:$})}catch($){if(L($))return;n(d=>({asked:t,data:d.asked===t?d.data:null,error:$}))}};p(),addEventListener("focus",p);let u=B.watch($=>$==="up"&&p());return()=>{u(),removeEventListener("focus",p),l.abort()}},[t,r]),e===t?{data:o,error:a,retry:()=>i(r+1)}:{}}function Zt(){let t=E(pt).query.get("date")??"",{data:e,error:o,retry:a}=Yt(t);return D(()=>{document.title=`${Rt} · terse`,scrollTo(0,0)},[]),s`<main class="page" id="main">
    <header class="unknown-head"><a class="back" href="/ui/overview"><${m}
      name="back" />Overview</a>
      <h1>${Rt}</h1>
      <p class="quiet">Short URLs that were opened and that no link has: mistyped ones, or those of
        links that were deleted. Kept for ${Ut} days.</p></header>
    <${Jt} date=${e?.date??t} />
    ${e?s`<${te} key=${e.date} data=${e} />`:o?s`<${F} title="Couldn't load the codes" message=${o.message}
        onRetry=${a} />`:s`<div class="panel" role="status" aria-label="Loading codes"><i
        class="bone title-bone"></i><div class="bars-bone"></div></div>`}
  </main>`}function Jt({date:t}){let e=st(Date.now()),o=et(e,-Ut),a=Number.isNaN(Date.parse(t))?e:t;return s`<div class="unknown-day">
    <${b} icon="back" label="Previous day" disabled=${a<=o}
      onClick=${()=>ot(et(a,-1))} />
    <label><span class="quiet">Day (UTC)</span>
      <input class="field" type="date" required min=${o} max=${e} value=${a}
        onChange=${n=>n.target.validity.valid&&ot(n.target.value)} /></label>
    <${b} icon="back" class="forward" label="Next day" disabled=${a>=e}
      onClick=${()=>ot(et(a,1))} /></div>`}function te({data:{date:t,total:e,codes:o}}){let[a,n]=c(N),r=[];for(let i=0;i<Math.min(a,o.length);i+=N)r.push(o.slice(i,i+N));return s`<${K} id="unknown" title=${w(e,"visit","visits")}
    extra=${o.length>0&&s`<${b} icon="download" label="Export codes as CSV"
      onClick=${()=>H(...yt(t,o))} />`}>
    ${o.length?s`<ul class="bars">${r.map((i,l)=>s`<${oe} key=${l} codes=${i}
          highest=${o[0].count} />`)}</ul>`:s`<p class="panel-empty quiet">Nobody looked for a code without a link.</p>`}
    ${o.length>a&&s`<p class="panel-more"><button type="button" class="text-button"
      onClick=${()=>n(a+N)}>
      Show ${f(Math.min(N,o.length-a))} more</button></p>`}
  <//>`}function ee(t){let[e,o]=c({}),a=t.map(n=>n.short_code).join(",");return h(()=>{let n=new AbortController;return k("GET",R("/api/recent",{short_codes:a}),{signal:n.signal}).then(({clicks:r})=>o(r)).catch(()=>{}),()=>n.abort()},[a]),e}function oe({codes:t,highest:e}){let o=ee(t);return t.map(({short_code:a,count:n,error:r})=>s`<li class="unknown" key=${a}>
    <span class="bar">
      <span class="bar-fill" style=${{transform:`scaleX(${n/e})`}}></span>
      <span class="bar-code mono">${a}</span><span class="bar-name"></span>
      <${se} n=${n} error=${r} /></span>
    ${Object.hasOwn(o,a)?s`<a class="text-button" href=${`/ui/links/${a}`}
        aria-label=${`Show the link ${a}`}><span>Show<span
          class="unknown-more"> the link</span></span></a>`:s`<a class="text-button" href=${R("/ui/",{code:a})}
        aria-label=${`Create this link: ${a}`}><span>Create<span
          class="unknown-more"> this link</span></span></a>`}</li>`)}var se=({n:t,error:e})=>e?s`<span class="bar-count" title=${`Between ${f(t-e)} and ${f(t)} times`}>
    ${f(t-e)}–${f(t)}</span>`:s`<span class="bar-count">${f(t)}</span>`;export{jt as LinkPage,Xt as Overview,Zt as Unknown};
