import{b as bt}from"./chunk-MT2ENRJ7.js";import{e as _t}from"./chunk-DJZ7C7BC.js";import{a as Q,b as V,c as gt,d as j,e as N,f as wt,i as vt,j as Ct,k as St}from"./chunk-EX4NFYVQ.js";import{c as dt,d as ft}from"./chunk-HG4VCURU.js";import{b as k,l as U,s as kt,w as yt}from"./chunk-KC36Q3EU.js";import{a as K,b as X,c as z,d as W}from"./chunk-3D3MQ6UY.js";import{g as Y,h as Lt}from"./chunk-LLRDHFJK.js";import{g as xt,h as Dt}from"./chunk-PR57ZTHD.js";import{h as M}from"./chunk-TCPXZI2J.js";import"./chunk-IWDCQHFB.js";import{a as B,c as E}from"./chunk-XRTBMXZZ.js";import{a as ht,b as R,c as G}from"./chunk-UIXWYBJW.js";import{A as ut,B as T,C,D as m,E as b,F as pt,G as I,I as _,L as $t,M as S,N as q,O as A,P as et,Q as F,S as H,T as mt,b as u,c as h,d as D,e as tt,h as L,i as s,k as f,l as w,n as P,q as at,v as rt,w as v,x as it,y as lt,z as ct}from"./chunk-UT4IJLDF.js";var Et=t=>P(new Date(t));function Tt({starts_at:t,expires_at:e,max_clicks:n,clicks_left:a},o=Date.now()){return[t&&(Date.parse(t)>o?`Starts ${Et(t)}`:""),e&&`${Date.parse(e)>o?"Ends":"Ended"} ${Et(e)}`,n&&(a===void 0?`Ends after ${w(n,"click","clicks")}`:`${f(a)} of ${w(n,"click","clicks")} left`)].filter(Boolean)}var At={301:"Permanent redirect (301)",302:"Redirect 302",307:"Redirect 307",308:"Permanent redirect (308)"};function qt(t){return[t.password&&"Password",t.rules?.length&&w(t.rules.length,"rule","rules"),t.redirect_status&&At[t.redirect_status],t.forward_query&&"Forwards the query",t.forward_path&&"Forwards the path"].filter(Boolean)}function Rt({code:t,link:e,onDialog:n}){let a=e?[...Tt(e),...qt(e)]:[];return s`<header class="link-head">
    <a class="back" href=${U.href}><${m} name="back" />Links</a>
    <div class="link-title"><h1 class="mono"><span class="quiet">${C}/</span>${t}</h1>
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
      <h2>${e.title&&v(e.title)}</h2><${yt} tags=${e.tags} /></div>`}
    ${e?s`<${Ht} key=${t} link=${e} />`:s`<p class="link-leads"><i class="bone wide"></i></p>`}
    ${e&&(a.length>0||N[e.status])&&s`<ul class="link-facts">
      ${N[e.status]&&s`<li><${Ft} status=${e.status} /></li>`}
      ${a.map(o=>s`<li key=${o}>${o}</li>`)}</ul>`}
    ${e?.note&&s`<p class="link-note quiet">${it(e.note)}</p>`}
  </header>`}var Ft=({status:t})=>N[t]&&s`<span class="state-badge">${N[t]}</span>`;function Ht({link:t}){let[e,n]=u(!1),a=tt(),o=()=>{n(!1),requestAnimationFrame(()=>a.current?.querySelector("button").focus())};if(e)return s`<${Mt} link=${t} onLeave=${o} />`;let{original_url:r,created_at:i}=t,l=rt(r);return s`<div class="link-leads" ref=${a}><${m} name="arrow" />
    ${l?s`<a class="leads" href=${l.href} target="_blank" rel="noreferrer noopener"
        title=${v(r)}><${et} url=${r} /></a>`:s`<span class="leads"><${et} url=${r} /></span>`}
    <${b} icon="edit" label="Change the destination" onClick=${()=>n(!0)} />
    <${Gt} code=${t.short_code}>
      <time class="quiet" datetime=${i} title=${P(new Date(i))}>
        Created ${at(new Date(i),"long")}</time><//></div>`}function Gt({code:t,children:e}){let n=L(gt),a=n?.code===t?n:null;if(h(()=>{a&&S(a.undo?"Saved. Undo is offered.":"Saved")},[a]),!a)return e;let o=async()=>{try{await a.undo(),S("Changed back")}catch(r){_(r.status===412?"Not changed back: somebody else changed the link meanwhile.":`Not changed back: ${r.message}`)}};return s`<span class="saved"><${m} name="done" />Saved
    ${a.undo&&s`<button type="button" class="text-button" onClick=${o}>Undo</button>`}
  </span>`}function Mt({link:t,onLeave:e}){let[n,a]=u(t),[o,r]=u(t.original_url),[i,l]=u(""),[p,c]=u(!1),d=tt();h(()=>d.current.select(),[]);let $=async g=>{g.preventDefault();let x=o===n.original_url?o:wt(o);if(p||x===n.original_url)return p||e();let y=St(x);if(y)return l(y);c(!0);try{await j(n,{original_url:x}),e()}catch(It){l(await J(It)),c(!1)}},J=async({status:g,message:x})=>{if(g===0)return"Not saved: can't reach the server. Your text is kept.";if(/short link/i.test(x))return Ct;if(/original.url/i.test(x))return vt;if(g!==412)return x;try{let y=await Q(n.short_code);return a(y),y.original_url===n.original_url?"Somebody changed the link meanwhile. Save again to change its destination.":`Somebody changed it to ${v(y.original_url)} meanwhile. Save again to replace it.`}catch(y){return y.message}};return s`<form class="link-edit" onSubmit=${$}>
    <input ref=${d} class="field mono" type="text" inputmode="url" aria-label="Destination"
      autocomplete="off" autocapitalize="off" spellcheck=${!1} value=${o}
      onInput=${g=>{r(g.target.value),l("")}}
      onKeyDown=${g=>g.key==="Escape"&&e()} aria-invalid=${!!i}
      aria-describedby=${i?"destination-problem":void 0} />
    <button type="button" class="button" onClick=${e}>Cancel</button>
    <button class="button primary" aria-busy=${p}>Save</button>
    <${$t} text=${o} />
    ${i&&s`<p id="destination-problem" class="problem" role="alert">${i}</p>`}
  </form>`}var Qt=t=>ct?ut+new URL(t).pathname:t;function Vt(t){let[e,n]=u(void 0),[a,o]=u(""),[r,i]=u(!1),l=`/api/urls/${encodeURIComponent(t)}/share`,p=async(c,d)=>{i(!0),o("");try{let $=await k(c,l,{signal:d});return n($?Qt($.url):""),!0}catch($){return E($)||($.status===404&&/share/i.test($.message)?n(""):o($.message)),!1}finally{i(!1)}};return h(()=>{let c=new AbortController;return p("GET",c.signal),()=>c.abort()},[l]),{url:e,problem:a,busy:r,ask:p}}function Ut({code:t,onClose:e}){let{url:n,problem:a,busy:o,ask:r}=Vt(t),i=async()=>{!o&&await r("POST")&&S("Shared")},l=async()=>{!o&&await r("DELETE")&&S("No longer shared")};return s`<${q} label="Share statistics" class="sharing" onClose=${e}>
    <${A} onClose=${e}>Share statistics<//>
    <p>A page with the clicks of <b class="mono">${C}/${t}</b>, for people without a
      token. Whoever has its address sees the link's title and its clicks, but not where it leads,
      and no note, tag or full referrer.</p>
    <div class="sharing-address">${n?s`<${jt} url=${n} />`:n===""?s`<p class="quiet">Not shared.</p>`:null}</div>
    ${a&&s`<p class="problem" role="alert">${a}</p>`}
    <div class="buttons">${n?s`<button type="button" class="button" aria-busy=${o} onClick=${l}>
          Stop sharing</button>
        <button type="button" class="button primary" onClick=${e}>Done</button>`:s`<button type="button" class="button" onClick=${e}>Cancel</button>
        <button type="button" class="button primary" aria-busy=${o}
          disabled=${n===void 0} onClick=${i}>Share</button>`}</div>
    ${n&&s`<p class="hint">The address stops working when you stop sharing. Sharing again
      makes another one.</p>`}
  <//>`}var jt=({url:t})=>s`
  <input class="field mono" type="text" readonly aria-label="Address of the shared page"
    value=${t} onFocus=${e=>e.target.select()} />
  <${I} text=${t} label="Copy the address" />
  <a class="icon-button" href=${t} target="_blank" rel="noreferrer noopener"
    aria-label="Open the shared page" title="Open the shared page"><${m} name="open" /></a>`;function Nt({link:t,onClose:e,onDelete:n,onCleared:a}){let[o,r]=u(""),{short_code:i,disabled:l}=t,p=async()=>{e();try{await j(t,{disabled:l?null:!0})}catch(c){_(c.status===412?"Not changed: somebody else changed the link meanwhile.":`Not changed: ${c.message}`)}};return o==="clear"?s`<${Kt} code=${i} onClose=${e} onCleared=${a} />`:o==="share"?s`<${Ut} code=${i} onClose=${e} />`:s`<${q} label=${`More actions for ${i}`} class="sheet" onClose=${e}>
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
  <//>`}function Kt({code:t,onClose:e,onCleared:n}){let[a,o]=u(!1),[r,i]=u("");return s`<${q} label="Delete statistics" onClose=${e}><form onSubmit=${async p=>{if(p.preventDefault(),!a){o(!0);try{await k("DELETE",`/api/urls/${encodeURIComponent(t)}/clicks`),e(),n(),_("Statistics deleted")}catch(c){i(c.message),o(!1)}}}}>
    <${A} onClose=${e}>Delete statistics?<//>
    <p>All clicks of <b class="mono">${C}/${t}</b> are forgotten. The link itself stays.
      This can't be undone.</p>
    ${r&&s`<p class="problem" role="alert">${r}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${e}>Cancel</button>
      <button class="button danger" aria-busy=${a}>Delete statistics</button></div>
  </form><//>`}var Z=(t,e)=>({name:t,clicks:e,get:(n,a)=>k("GET",n,a),pause:2e3});function Xt(t){let e=L(V),[n,a]=u(null),[o,r]=u(0);return D(()=>{let i=new AbortController,l=async()=>{try{let c=await Q(t,i.signal);a(null),V.set(c)}catch(c){E(c)||a(c)}};V.set(kt(t)??null),l(),addEventListener("focus",l);let p=B.watch(c=>c==="up"&&l());return()=>{p(),removeEventListener("focus",l),i.abort()}},[t,o]),[e?.short_code===t?e:null,n,()=>r(o+1)]}function zt({code:t}){let[e,n]=u(""),a=W(),[o,r,i]=Xt(t),l=`/api/urls/${encodeURIComponent(t)}`,p={...Z(t,`${l}/clicks`),events:`${l}/events`},c=M(p,a);D(()=>{document.title=`${t} · terse`,scrollTo(0,0)},[t]),h(()=>{o?.title&&(document.title=`${v(o.title)} · ${t} · terse`)},[o?.title]);let d=()=>{o&&(ft({short_code:t,original_url:o.original_url}),S(`Deleted ${t}. Press Z to undo.`),G(U.href))};mt({q:()=>n("qr"),e:()=>n("edit"),c:async()=>_(await pt(T(t))?`Copied ${C}/${t}`:"Couldn't copy"),Delete:d});let $=()=>n("");return r?.status===404||c.error?.status===404||dt(t)?s`<${Wt} code=${t} />`:s`<main class="page" id="main">
    <${Rt} code=${t} link=${o} onDialog=${n} />
    ${o?s`<${z} source=${p} view=${a} clicks=${c}
        nothing=${s`<${X} code=${t} onQR=${()=>n("qr")} />`}
        isNew=${J=>Date.parse(o.created_at)>=J} />
      ${o.updated_at&&s`<${bt} link=${o} />`}`:r&&s`<${F} title="Couldn't load the link" message=${r.message}
        onRetry=${()=>{i(),c.reload()}} />`}
    ${e==="qr"&&s`<${Y} code=${t} onClose=${$} />`}
    ${e==="edit"&&o&&s`<${Lt} code=${t} onClose=${$} />`}
    ${e==="menu"&&o&&s`<${Nt} link=${o} onClose=${$}
      onDelete=${d} onCleared=${c.reload} />`}
  </main>`}var Wt=({code:t})=>s`<main class="page" id="main"><div class="state">
  <h1>Link not found</h1><p>"${t}" doesn't exist or was deleted.</p>
  <a class="button" href=${U.href}>Back to links</a></div></main>`;var Ot={...Z("overview","/api/overview"),events:"/api/events",ofAll:!0};function Yt(){let[t,e]=u(""),n=W(),a=M(Ot,n);D(()=>{document.title="Overview · terse",scrollTo(0,0)},[]);let{data:o}=a,r=o?.top_links[0]?.short_code;return s`<main class="page" id="main">
    <header class="overview-head"><h1>Overview</h1><p class="quiet">
      ${o?w(o.links,"link","links"):""}</p>
      <a class="text-button overview-more" href="/ui/unknown">Codes that people looked for</a>
      <${_t} query=${{tag:n.tags}} ask=${({tag:i})=>n.setTags(i)} /></header>
    <${z} source=${Ot} view=${n} clicks=${a} isNew=${()=>o?.links===0}
      nothing=${r?s`<${X} code=${r} onQR=${()=>e(r)} />`:s`<p><a href="/ui/">Create a link</a> and open it.</p>`}>
      ${o&&s`<${Zt} links=${o.top_links} isEmpty=${o.links===0} />`}
    <//>
    ${t&&s`<${Y} code=${t} onClose=${()=>e("")} />`}
  </main>`}function Zt({links:t,isEmpty:e}){let n=t[0]?.clicks||1;return s`<${K} id="top" wide=${!0} title="Top links"
    extra=${t.length>0&&s`<${b} icon="download" label="Export top links as CSV"
      onClick=${()=>H(...Dt("overview",t))} />`}>
    ${t.length?s`<ul class="bars">
        ${t.map(({short_code:a,original_url:o,clicks:r})=>s`<li key=${a}><a class="bar" href=${`/ui/links/${a}`} title=${v(o)}>
          <span class="bar-fill" style=${{transform:`scaleX(${r/n})`}}></span>
          <span class="bar-code mono">${a}</span><span class="bar-name quiet">
            <bdi dir="ltr">${lt(o).join("")}</bdi></span>
          <span class="bar-count">${f(r)}</span></a></li>`)}</ul>`:s`<p class="panel-empty quiet">
        ${e?"No links yet.":"No data for this range."}</p>`}
  <//>`}var Jt=1e3,Pt=30,O=50,Bt="Codes that people looked for",nt=t=>new Date(t).toISOString().slice(0,10),ot=(t,e)=>nt(Date.parse(t)+e*864e5),st=t=>G(R("/ui/unknown",{date:t===nt(Date.now())?"":t}));function te(t){let[{asked:e,data:n,error:a},o]=u({}),[r,i]=u(0);return h(()=>{let l=new AbortController,p=async()=>{try{let d=await k("GET",R("/api/unknown",{date:t,limit:Jt}),{signal:l.signal});o({asked:t,data:d})}catch(d){if(E(d))return;o($=>({asked:t,data:$.asked===t?$.data:null,error:d}))}};p(),addEventListener("focus",p);let c=B.watch(d=>d==="up"&&p());return()=>{c(),removeEventListener("focus",p),l.abort()}},[t,r]),e===t?{data:n,error:a,retry:()=>i(r+1)}:{}}function ee(){let t=L(ht).query.get("date")??"",{data:e,error:n,retry:a}=te(t);return D(()=>{document.title=`${Bt} · terse`,scrollTo(0,0)},[]),s`<main class="page" id="main">
    <header class="unknown-head"><a class="back" href="/ui/overview"><${m}
      name="back" />Overview</a>
      <h1>${Bt}</h1>
      <p class="quiet">Short URLs that were opened and that no link has: mistyped ones, or those of
        links that were deleted. Kept for ${Pt} days.</p></header>
    <${oe} date=${e?.date??t} />
    ${e?s`<${se} key=${e.date} data=${e} />`:n?s`<${F} title="Couldn't load the codes" message=${n.message}
        onRetry=${a} />`:s`<div class="panel" role="status" aria-label="Loading codes"><i
        class="bone title-bone"></i><div class="bars-bone"></div></div>`}
  </main>`}function oe({date:t}){let e=nt(Date.now()),n=ot(e,-Pt),a=Number.isNaN(Date.parse(t))?e:t;return s`<div class="unknown-day">
    <${b} icon="back" label="Previous day" disabled=${a<=n}
      onClick=${()=>st(ot(a,-1))} />
    <label><span class="quiet">Day (UTC)</span>
      <input class="field" type="date" required min=${n} max=${e} value=${a}
        onChange=${o=>o.target.validity.valid&&st(o.target.value)} /></label>
    <${b} icon="back" class="forward" label="Next day" disabled=${a>=e}
      onClick=${()=>st(ot(a,1))} /></div>`}function se({data:{date:t,total:e,codes:n}}){let[a,o]=u(O),r=[];for(let i=0;i<Math.min(a,n.length);i+=O)r.push(n.slice(i,i+O));return s`<${K} id="unknown" title=${w(e,"visit","visits")}
    extra=${n.length>0&&s`<${b} icon="download" label="Export codes as CSV"
      onClick=${()=>H(...xt(t,n))} />`}>
    ${n.length?s`<ul class="bars">${r.map((i,l)=>s`<${ae} key=${l} codes=${i}
          highest=${n[0].count} />`)}</ul>`:s`<p class="panel-empty quiet">Nobody looked for a code without a link.</p>`}
    ${n.length>a&&s`<p class="panel-more"><button type="button" class="text-button"
      onClick=${()=>o(a+O)}>
      Show ${f(Math.min(O,n.length-a))} more</button></p>`}
  <//>`}function ne(t){let[e,n]=u({}),a=t.map(o=>o.short_code).join(",");return h(()=>{let o=new AbortController;return k("GET",R("/api/recent",{short_codes:a}),{signal:o.signal}).then(({clicks:r})=>n(r)).catch(()=>{}),()=>o.abort()},[a]),e}function ae({codes:t,highest:e}){let n=ne(t);return t.map(({short_code:a,count:o,error:r})=>s`<li class="unknown" key=${a}>
    <span class="bar">
      <span class="bar-fill" style=${{transform:`scaleX(${o/e})`}}></span>
      <span class="bar-code mono">${a}</span><span class="bar-name"></span>
      <${re} n=${o} error=${r} /></span>
    ${Object.hasOwn(n,a)?s`<a class="text-button" href=${`/ui/links/${a}`}
        aria-label=${`Show the link ${a}`}><span>Show<span
          class="unknown-more"> the link</span></span></a>`:s`<a class="text-button" href=${R("/ui/",{code:a})}
        aria-label=${`Create this link: ${a}`}><span>Create<span
          class="unknown-more"> this link</span></span></a>`}</li>`)}var re=({n:t,error:e})=>e?s`<span class="bar-count" title=${`Between ${f(t-e)} and ${f(t)} times`}>
    ${f(t-e)}–${f(t)}</span>`:s`<span class="bar-count">${f(t)}</span>`;export{zt as LinkPage,Yt as Overview,ee as Unknown};
