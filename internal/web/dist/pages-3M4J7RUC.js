import{b as ft}from"./chunk-6GK7KZVP.js";import{e as Dt}from"./chunk-Z3CCLKWO.js";import{a as Q,b as V,c as bt,d as j,e as N,f as gt,i as yt,j as wt,k as vt}from"./chunk-ZL54JRRV.js";import{c as $t,d as mt}from"./chunk-YXCSMF3Z.js";import{b as k,l as U,s as ht,w as kt}from"./chunk-OB6QK4RN.js";import{a as K,b as X,c as z,d as W}from"./chunk-VD5ZOUU3.js";import{g as Y,h as xt}from"./chunk-D72RG5T3.js";import{g as Ct,h as St}from"./chunk-MFMU3UWY.js";import{h as M}from"./chunk-ORYMPYNJ.js";import"./chunk-IWDCQHFB.js";import{a as B,c as E}from"./chunk-FF3G7ASX.js";import{a as dt,b as R,c as G}from"./chunk-D7E6UWU7.js";import{A as T,B as v,C as m,D as b,E as ut,F as I,H as _,K as C,L as q,M as A,N as et,O as F,Q as H,R as pt,b as u,c as h,d as D,e as tt,h as L,i as s,k as f,l as w,n as P,q as at,v as rt,w as x,x as it,y as lt,z as ct}from"./chunk-PE56B7N7.js";var _t=t=>P(new Date(t));function Lt({starts_at:t,expires_at:e,max_clicks:n,clicks_left:a},o=Date.now()){return[t&&(Date.parse(t)>o?`Starts ${_t(t)}`:""),e&&`${Date.parse(e)>o?"Ends":"Ended"} ${_t(e)}`,n&&(a===void 0?`Ends after ${w(n,"click","clicks")}`:`${f(a)} of ${w(n,"click","clicks")} left`)].filter(Boolean)}var Pt={301:"Permanent redirect (301)",302:"Redirect 302",307:"Redirect 307",308:"Permanent redirect (308)"};function Et(t){return[t.password&&"Password",t.rules?.length&&w(t.rules.length,"rule","rules"),t.redirect_status&&Pt[t.redirect_status],t.forward_query&&"Forwards the query",t.forward_path&&"Forwards the path"].filter(Boolean)}function Tt({code:t,link:e,onDialog:n}){let a=e?[...Lt(e),...Et(e)]:[];return s`<header class="link-head">
    <a class="back" href=${U.href}><${m} name="back" />Links</a>
    <div class="link-title"><h1 class="mono"><span class="quiet">${v}/</span>${t}</h1>
      <span class="link-actions"><${I} text=${T(t)}
        label="Copy the short URL" />
        <${b} icon="qr" label="QR code" onClick=${()=>n("qr")} />
        <a class="icon-button" href=${T(t)} target="_blank" rel="noreferrer noopener"
          aria-label="Open the short URL, which counts as a click"
          title="Open the short URL (counts as a click)"><${m} name="open" /></a></span>
      <span class="link-end">
        <button type="button" class="button" disabled=${!e}
          onClick=${()=>n("edit")}>Edit</button>
        <${b} icon="more" label="More actions" disabled=${!e} aria-haspopup="dialog"
          onClick=${()=>n("menu")} /></span></div>
    ${(e?.title||e?.tags)&&s`<div class="link-name">
      <h2>${e.title&&x(e.title)}</h2><${kt} tags=${e.tags} /></div>`}
    ${e?s`<${Ft} key=${t} link=${e} />`:s`<p class="link-leads"><i class="bone wide"></i></p>`}
    ${e&&(a.length>0||N[e.status])&&s`<ul class="link-facts">
      ${N[e.status]&&s`<li><${At} status=${e.status} /></li>`}
      ${a.map(o=>s`<li key=${o}>${o}</li>`)}</ul>`}
    ${e?.note&&s`<p class="link-note quiet">${It(e.note)}</p>`}
  </header>`}var It=t=>t.split(/\r\n|\r|\n/).map(e=>x(e.replaceAll("	","  "))).join(`
`),At=({status:t})=>N[t]&&s`<span class="state-badge">${N[t]}</span>`;function Ft({link:t}){let[e,n]=u(!1),a=tt(),o=()=>{n(!1),requestAnimationFrame(()=>a.current?.querySelector("button").focus())};if(e)return s`<${Gt} link=${t} onLeave=${o} />`;let{original_url:r,created_at:i}=t,l=rt(r);return s`<div class="link-leads" ref=${a}><${m} name="arrow" />
    ${l?s`<a class="leads" href=${l.href} target="_blank" rel="noreferrer noopener"
        title=${x(r)}><${et} url=${r} /></a>`:s`<span class="leads"><${et} url=${r} /></span>`}
    <${b} icon="edit" label="Change the destination" onClick=${()=>n(!0)} />
    <${Ht} code=${t.short_code}>
      <time class="quiet" datetime=${i} title=${P(new Date(i))}>
        Created ${at(new Date(i),"long")}</time><//></div>`}function Ht({code:t,children:e}){let n=L(bt),a=n?.code===t?n:null;if(h(()=>{a&&C(a.undo?"Saved. Undo is offered.":"Saved")},[a]),!a)return e;let o=async()=>{try{await a.undo(),C("Changed back")}catch(r){_(r.status===412?"Not changed back: somebody else changed the link meanwhile.":`Not changed back: ${r.message}`)}};return s`<span class="saved"><${m} name="done" />Saved
    ${a.undo&&s`<button type="button" class="text-button" onClick=${o}>Undo</button>`}
  </span>`}function Gt({link:t,onLeave:e}){let[n,a]=u(t),[o,r]=u(t.original_url),[i,l]=u(""),[p,c]=u(!1),d=tt();h(()=>d.current.select(),[]);let $=async g=>{g.preventDefault();let S=o===n.original_url?o:gt(o);if(p||S===n.original_url)return p||e();let y=vt(S);if(y)return l(y);c(!0);try{await j(n,{original_url:S}),e()}catch(Bt){l(await J(Bt)),c(!1)}},J=async({status:g,message:S})=>{if(g===0)return"Not saved: can't reach the server. Your text is kept.";if(/short link/i.test(S))return wt;if(/original.url/i.test(S))return yt;if(g!==412)return S;try{let y=await Q(n.short_code);return a(y),y.original_url===n.original_url?"Somebody changed the link meanwhile. Save again to change its destination.":`Somebody changed it to ${x(y.original_url)} meanwhile. Save again to replace it.`}catch(y){return y.message}};return s`<form class="link-edit" onSubmit=${$}>
    <input ref=${d} class="field mono" type="text" inputmode="url" aria-label="Destination"
      autocomplete="off" autocapitalize="off" spellcheck=${!1} value=${o}
      onInput=${g=>{r(g.target.value),l("")}}
      onKeyDown=${g=>g.key==="Escape"&&e()} aria-invalid=${!!i}
      aria-describedby=${i?"destination-problem":void 0} />
    <button type="button" class="button" onClick=${e}>Cancel</button>
    <button class="button primary" aria-busy=${p}>Save</button>
    ${i&&s`<p id="destination-problem" class="problem" role="alert">${i}</p>`}
  </form>`}var Mt=t=>lt?ct+new URL(t).pathname:t;function Qt(t){let[e,n]=u(void 0),[a,o]=u(""),[r,i]=u(!1),l=`/api/urls/${encodeURIComponent(t)}/share`,p=async(c,d)=>{i(!0),o("");try{let $=await k(c,l,{signal:d});return n($?Mt($.url):""),!0}catch($){return E($)||($.status===404&&/share/i.test($.message)?n(""):o($.message)),!1}finally{i(!1)}};return h(()=>{let c=new AbortController;return p("GET",c.signal),()=>c.abort()},[l]),{url:e,problem:a,busy:r,ask:p}}function qt({code:t,onClose:e}){let{url:n,problem:a,busy:o,ask:r}=Qt(t),i=async()=>{!o&&await r("POST")&&C("Shared")},l=async()=>{!o&&await r("DELETE")&&C("No longer shared")};return s`<${q} label="Share statistics" class="sharing" onClose=${e}>
    <${A} onClose=${e}>Share statistics<//>
    <p>A page with the clicks of <b class="mono">${v}/${t}</b>, for people without a
      token. Whoever has its address sees the link's title and its clicks, but not where it leads,
      and no note, tag or full referrer.</p>
    <div class="sharing-address">${n?s`<${Vt} url=${n} />`:n===""?s`<p class="quiet">Not shared.</p>`:null}</div>
    ${a&&s`<p class="problem" role="alert">${a}</p>`}
    <div class="buttons">${n?s`<button type="button" class="button" aria-busy=${o} onClick=${l}>
          Stop sharing</button>
        <button type="button" class="button primary" onClick=${e}>Done</button>`:s`<button type="button" class="button" onClick=${e}>Cancel</button>
        <button type="button" class="button primary" aria-busy=${o}
          disabled=${n===void 0} onClick=${i}>Share</button>`}</div>
    ${n&&s`<p class="hint">The address stops working when you stop sharing. Sharing again
      makes another one.</p>`}
  <//>`}var Vt=({url:t})=>s`
  <input class="field mono" type="text" readonly aria-label="Address of the shared page"
    value=${t} onFocus=${e=>e.target.select()} />
  <${I} text=${t} label="Copy the address" />
  <a class="icon-button" href=${t} target="_blank" rel="noreferrer noopener"
    aria-label="Open the shared page" title="Open the shared page"><${m} name="open" /></a>`;function Rt({link:t,onClose:e,onDelete:n,onCleared:a}){let[o,r]=u(""),{short_code:i,disabled:l}=t,p=async()=>{e();try{await j(t,{disabled:l?null:!0})}catch(c){_(c.status===412?"Not changed: somebody else changed the link meanwhile.":`Not changed: ${c.message}`)}};return o==="clear"?s`<${jt} code=${i} onClose=${e} onCleared=${a} />`:o==="share"?s`<${qt} code=${i} onClose=${e} />`:s`<${q} label=${`More actions for ${i}`} class="sheet" onClose=${e}>
    <button type="button" class="sheet-item" onClick=${p}>
      <${m} name=${l?"done":"pause"} />${l?"Enable":"Disable"}</button>
    <button type="button" class="sheet-item" onClick=${()=>r("share")}>
      <${m} name="share" />Share statistics</button>
    <button type="button" class="sheet-item" onClick=${()=>r("clear")}>
      <${m} name="remove" />Delete statistics</button>
    <button type="button" class="sheet-item danger" onClick=${()=>{e(),n()}}>
      <${m} name="remove" />Delete</button>
    <button type="button" class="sheet-item" onClick=${e}>
      <${m} name="close" />Cancel</button>
  <//>`}function jt({code:t,onClose:e,onCleared:n}){let[a,o]=u(!1),[r,i]=u("");return s`<${q} label="Delete statistics" onClose=${e}><form onSubmit=${async p=>{if(p.preventDefault(),!a){o(!0);try{await k("DELETE",`/api/urls/${encodeURIComponent(t)}/clicks`),e(),n(),_("Statistics deleted")}catch(c){i(c.message),o(!1)}}}}>
    <${A} onClose=${e}>Delete statistics?<//>
    <p>All clicks of <b class="mono">${v}/${t}</b> are forgotten. The link itself stays.
      This can't be undone.</p>
    ${r&&s`<p class="problem" role="alert">${r}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${e}>Cancel</button>
      <button class="button danger" aria-busy=${a}>Delete statistics</button></div>
  </form><//>`}var Z=(t,e)=>({name:t,clicks:e,get:(n,a)=>k("GET",n,a),pause:2e3});function Kt(t){let e=L(V),[n,a]=u(null),[o,r]=u(0);return D(()=>{let i=new AbortController,l=async()=>{try{let c=await Q(t,i.signal);a(null),V.set(c)}catch(c){E(c)||a(c)}};V.set(ht(t)??null),l(),addEventListener("focus",l);let p=B.watch(c=>c==="up"&&l());return()=>{p(),removeEventListener("focus",l),i.abort()}},[t,o]),[e?.short_code===t?e:null,n,()=>r(o+1)]}function Xt({code:t}){let[e,n]=u(""),a=W(),[o,r,i]=Kt(t),l=`/api/urls/${encodeURIComponent(t)}`,p={...Z(t,`${l}/clicks`),events:`${l}/events`},c=M(p,a);D(()=>{document.title=`${t} · terse`,scrollTo(0,0)},[t]),h(()=>{o?.title&&(document.title=`${o.title} · ${t} · terse`)},[o?.title]);let d=()=>{o&&(mt({short_code:t,original_url:o.original_url}),C(`Deleted ${t}. Press Z to undo.`),G(U.href))};pt({q:()=>n("qr"),e:()=>n("edit"),c:async()=>_(await ut(T(t))?`Copied ${v}/${t}`:"Couldn't copy"),Delete:d});let $=()=>n("");return r?.status===404||c.error?.status===404||$t(t)?s`<${zt} code=${t} />`:s`<main class="page" id="main">
    <${Tt} code=${t} link=${o} onDialog=${n} />
    ${o?s`<${z} source=${p} view=${a} clicks=${c}
        nothing=${s`<${X} code=${t} onQR=${()=>n("qr")} />`}
        isNew=${J=>Date.parse(o.created_at)>=J} />
      ${o.updated_at&&s`<${ft} link=${o} />`}`:r&&s`<${F} title="Couldn't load the link" message=${r.message}
        onRetry=${()=>{i(),c.reload()}} />`}
    ${e==="qr"&&s`<${Y} code=${t} onClose=${$} />`}
    ${e==="edit"&&o&&s`<${xt} code=${t} onClose=${$} />`}
    ${e==="menu"&&o&&s`<${Rt} link=${o} onClose=${$}
      onDelete=${d} onCleared=${c.reload} />`}
  </main>`}var zt=({code:t})=>s`<main class="page" id="main"><div class="state">
  <h1>Link not found</h1><p>"${t}" doesn't exist or was deleted.</p>
  <a class="button" href=${U.href}>Back to links</a></div></main>`;var Ut={...Z("overview","/api/overview"),events:"/api/events",ofAll:!0};function Wt(){let[t,e]=u(""),n=W(),a=M(Ut,n);D(()=>{document.title="Overview · terse",scrollTo(0,0)},[]);let{data:o}=a,r=o?.top_links[0]?.short_code;return s`<main class="page" id="main">
    <header class="overview-head"><h1>Overview</h1><p class="quiet">
      ${o?w(o.links,"link","links"):""}</p>
      <a class="text-button overview-more" href="/ui/unknown">Codes that people looked for</a>
      <${Dt} query=${{tag:n.tags}} ask=${({tag:i})=>n.setTags(i)} /></header>
    <${z} source=${Ut} view=${n} clicks=${a} isNew=${()=>o?.links===0}
      nothing=${r?s`<${X} code=${r} onQR=${()=>e(r)} />`:s`<p><a href="/ui/">Create a link</a> and open it.</p>`}>
      ${o&&s`<${Yt} links=${o.top_links} isEmpty=${o.links===0} />`}
    <//>
    ${t&&s`<${Y} code=${t} onClose=${()=>e("")} />`}
  </main>`}function Yt({links:t,isEmpty:e}){let n=t[0]?.clicks||1;return s`<${K} id="top" wide=${!0} title="Top links"
    extra=${t.length>0&&s`<${b} icon="download" label="Export top links as CSV"
      onClick=${()=>H(...St("overview",t))} />`}>
    ${t.length?s`<ul class="bars">
        ${t.map(({short_code:a,original_url:o,clicks:r})=>s`<li key=${a}><a class="bar" href=${`/ui/links/${a}`} title=${x(o)}>
          <span class="bar-fill" style=${{transform:`scaleX(${r/n})`}}></span>
          <span class="bar-code mono">${a}</span><span class="bar-name quiet">
            <bdi dir="ltr">${it(o).join("")}</bdi></span>
          <span class="bar-count">${f(r)}</span></a></li>`)}</ul>`:s`<p class="panel-empty quiet">
        ${e?"No links yet.":"No data for this range."}</p>`}
  <//>`}var Zt=1e3,Ot=30,O=50,Nt="Codes that people looked for",nt=t=>new Date(t).toISOString().slice(0,10),ot=(t,e)=>nt(Date.parse(t)+e*864e5),st=t=>G(R("/ui/unknown",{date:t===nt(Date.now())?"":t}));function Jt(t){let[{asked:e,data:n,error:a},o]=u({}),[r,i]=u(0);return h(()=>{let l=new AbortController,p=async()=>{try{let d=await k("GET",R("/api/unknown",{date:t,limit:Zt}),{signal:l.signal});o({asked:t,data:d})}catch(d){if(E(d))return;o($=>({asked:t,data:$.asked===t?$.data:null,error:d}))}};p(),addEventListener("focus",p);let c=B.watch(d=>d==="up"&&p());return()=>{c(),removeEventListener("focus",p),l.abort()}},[t,r]),e===t?{data:n,error:a,retry:()=>i(r+1)}:{}}function te(){let t=L(dt).query.get("date")??"",{data:e,error:n,retry:a}=Jt(t);return D(()=>{document.title=`${Nt} · terse`,scrollTo(0,0)},[]),s`<main class="page" id="main">
    <header class="unknown-head"><a class="back" href="/ui/overview"><${m}
      name="back" />Overview</a>
      <h1>${Nt}</h1>
      <p class="quiet">Short URLs that were opened and that no link has: mistyped ones, or those of
        links that were deleted. Kept for ${Ot} days.</p></header>
    <${ee} date=${e?.date??t} />
    ${e?s`<${oe} key=${e.date} data=${e} />`:n?s`<${F} title="Couldn't load the codes" message=${n.message}
        onRetry=${a} />`:s`<div class="panel" role="status" aria-label="Loading codes"><i
        class="bone title-bone"></i><div class="bars-bone"></div></div>`}
  </main>`}function ee({date:t}){let e=nt(Date.now()),n=ot(e,-Ot),a=Number.isNaN(Date.parse(t))?e:t;return s`<div class="unknown-day">
    <${b} icon="back" label="Previous day" disabled=${a<=n}
      onClick=${()=>st(ot(a,-1))} />
    <label><span class="quiet">Day (UTC)</span>
      <input class="field" type="date" required min=${n} max=${e} value=${a}
        onChange=${o=>o.target.validity.valid&&st(o.target.value)} /></label>
    <${b} icon="back" class="forward" label="Next day" disabled=${a>=e}
      onClick=${()=>st(ot(a,1))} /></div>`}function oe({data:{date:t,total:e,codes:n}}){let[a,o]=u(O),r=[];for(let i=0;i<Math.min(a,n.length);i+=O)r.push(n.slice(i,i+O));return s`<${K} id="unknown" title=${w(e,"visit","visits")}
    extra=${n.length>0&&s`<${b} icon="download" label="Export codes as CSV"
      onClick=${()=>H(...Ct(t,n))} />`}>
    ${n.length?s`<ul class="bars">${r.map((i,l)=>s`<${ne} key=${l} codes=${i}
          highest=${n[0].count} />`)}</ul>`:s`<p class="panel-empty quiet">Nobody looked for a code without a link.</p>`}
    ${n.length>a&&s`<p class="panel-more"><button type="button" class="text-button"
      onClick=${()=>o(a+O)}>
      Show ${f(Math.min(O,n.length-a))} more</button></p>`}
  <//>`}function se(t){let[e,n]=u({}),a=t.map(o=>o.short_code).join(",");return h(()=>{let o=new AbortController;return k("GET",R("/api/recent",{short_codes:a}),{signal:o.signal}).then(({clicks:r})=>n(r)).catch(()=>{}),()=>o.abort()},[a]),e}function ne({codes:t,highest:e}){let n=se(t);return t.map(({short_code:a,count:o,error:r})=>s`<li class="unknown" key=${a}>
    <span class="bar">
      <span class="bar-fill" style=${{transform:`scaleX(${o/e})`}}></span>
      <span class="bar-code mono">${a}</span><span class="bar-name"></span>
      <${ae} n=${o} error=${r} /></span>
    ${Object.hasOwn(n,a)?s`<a class="text-button" href=${`/ui/links/${a}`}
        aria-label=${`Show the link ${a}`}><span>Show<span
          class="unknown-more"> the link</span></span></a>`:s`<a class="text-button" href=${R("/ui/",{code:a})}
        aria-label=${`Create this link: ${a}`}><span>Create<span
          class="unknown-more"> this link</span></span></a>`}</li>`)}var ae=({n:t,error:e})=>e?s`<span class="bar-count" title=${`Between ${f(t-e)} and ${f(t)} times`}>
    ${f(t-e)}–${f(t)}</span>`:s`<span class="bar-count">${f(t)}</span>`;export{Xt as LinkPage,Wt as Overview,te as Unknown};
