import{b as kt}from"./chunk-GO2KAPJ6.js";import{e as Lt}from"./chunk-TPOEMGFW.js";import{a as V,b as j,c as yt,d as K,f as O}from"./chunk-WEVPUCCW.js";import{d as ft,e as ht}from"./chunk-QU67S2UC.js";import{a as vt,d as Ct,e as St,f as Dt}from"./chunk-77G6WIYE.js";import{b as g,l as N,s as gt,w as wt}from"./chunk-QVZNLVCY.js";import{a as X,b as Z,c as z,d as W}from"./chunk-DHBZL2MS.js";import"./chunk-K7ATW4SV.js";import{g as xt,h as _t}from"./chunk-MWLGL4VQ.js";import{h as Y,i as Et}from"./chunk-CL43O32P.js";import{i as Q}from"./chunk-XPAWMYIY.js";import"./chunk-LBTNOKNR.js";import{a as P,c as E}from"./chunk-JFPPKJB3.js";import{a as bt,b as U,c as M}from"./chunk-PCD4SETE.js";import{A as ut,B as pt,C as q,D as S,E as m,F as b,G as $t,H as A,J as _,M as mt,N as k,O as R,P as F,Q as et,T as H,V as G,W as dt,b as u,c as f,d as x,e as T,h as L,i as s,j as at,k as h,l as y,n as I,q as rt,w as it,x as C,y as lt,z as ct}from"./chunk-7IY37C7O.js";var Tt=t=>I(new Date(t));function qt({starts_at:t,expires_at:e,max_clicks:n,clicks_left:a},o=Date.now()){return[t&&(Date.parse(t)>o?`Starts ${Tt(t)}`:""),e&&`${Date.parse(e)>o?"Ends":"Ended"} ${Tt(e)}`,n&&(a===void 0?`Ends after ${y(n,"click","clicks")}`:`${h(a)} of ${y(n,"click","clicks")} left`)].filter(Boolean)}var Ft={301:"Permanent redirect (301)",302:"Redirect 302",307:"Redirect 307",308:"Permanent redirect (308)"};function Rt(t){return[t.password&&"Password",t.rules?.length&&y(t.rules.length,"rule","rules"),t.redirect_status&&Ft[t.redirect_status],t.forward_query&&"Forwards the query",t.forward_path&&"Forwards the path"].filter(Boolean)}function Ut({code:t,link:e,onDialog:n}){let a=e?[...qt(e),...Rt(e)]:[];return s`<header class="link-head">
    <a class="back" href=${N.href}><${m} name="back" />Links</a>
    <div class="link-title"><h1 class="mono"><span class="quiet">${S}/</span>${t}</h1>
      <span class="link-actions"><${A} text=${q(t)}
        label="Copy the short URL" />
        <${b} icon="qr" label="QR code" onClick=${()=>n("qr")} />
        <a class="icon-button" href=${q(t)} target="_blank" rel="noreferrer noopener"
          aria-label="Open the short URL, which counts as a click"
          title="Open the short URL (counts as a click)"><${m} name="open" /></a></span>
      <span class="link-end">
        <button type="button" class="button" disabled=${!e}
          onClick=${()=>n("edit")}>Edit</button>
        <${b} icon="more" label="More actions" disabled=${!e} aria-haspopup="dialog"
          onClick=${()=>n("menu")} /></span></div>
    ${(e?.title||e?.tags)&&s`<div class="link-name">
      <h2>${e.title&&C(e.title)}</h2><${wt} tags=${e.tags} /></div>`}
    ${e?s`<${Gt} key=${t} link=${e} />`:s`<p class="link-leads"><i class="bone wide"></i></p>`}
    ${e&&(a.length>0||O[e.status])&&s`<ul class="link-facts">
      ${O[e.status]&&s`<li><${Ht} status=${e.status} /></li>`}
      ${a.map(o=>s`<li key=${o}>${o}</li>`)}</ul>`}
    ${e?.note&&s`<p class="link-note quiet">${lt(e.note)}</p>`}
  </header>`}var Ht=({status:t})=>O[t]&&s`<span class="state-badge">${O[t]}</span>`;function Gt({link:t}){let[e,n]=u(!1),a=T(),o=()=>{n(!1),requestAnimationFrame(()=>a.current?.querySelector("button").focus())};if(e)return s`<${Qt} link=${t} onLeave=${o} />`;let{original_url:r,created_at:i}=t,l=it(r);return s`<div class="link-leads" ref=${a}><${m} name="arrow" />
    ${l?s`<a class="leads" href=${l.href} target="_blank" rel="noreferrer noopener"
        title=${C(r)}><${et} url=${r} /></a>`:s`<span class="leads"><${et} url=${r} /></span>`}
    <${b} icon="edit" label="Change the destination" onClick=${()=>n(!0)} />
    <${Mt} code=${t.short_code}>
      <time class="quiet" datetime=${i} title=${I(new Date(i))}>
        Created ${rt(new Date(i),"long")}</time><//></div>`}function Mt({code:t,children:e}){let n=L(yt),a=n?.code===t?n:null;if(f(()=>{a&&k(a.undo?"Saved. Undo is offered.":"Saved")},[a]),!a)return e;let o=async()=>{try{await a.undo(),k("Changed back")}catch(r){_(r.status===412?"Not changed back: someone else edited the link.":`Not changed back: ${r.message}`)}};return s`<span class="saved"><${m} name="done" />Saved
    ${a.undo&&s`<button type="button" class="text-button" onClick=${o}>Undo</button>`}
  </span>`}function Qt({link:t,onLeave:e}){let[n,a]=u(t),[o,r]=u(t.original_url),[i,l]=u(""),[p,c]=u(!1),d=T();f(()=>d.current.select(),[]);let $=async w=>{w.preventDefault();let D=o===n.original_url?o:vt(o);if(p||D===n.original_url)return p||e();let v=Dt(D);if(v)return l(v);c(!0);try{await K(n,{original_url:D}),e()}catch(At){l(await tt(At)),c(!1)}},tt=async({status:w,message:D})=>{if(w===0)return"Not saved: can't reach the server. Your text is kept.";if(/short link/i.test(D))return St;if(/original.url/i.test(D))return Ct;if(w!==412)return D;try{let v=await V(n.short_code);return a(v),v.original_url===n.original_url?"Someone else edited this link. Save again to change its destination.":`Someone else changed it to ${C(v.original_url)}. Save again to overwrite.`}catch(v){return v.message}};return s`<form class="link-edit" onSubmit=${$}>
    <input ref=${d} class="field mono" type="text" inputmode="url" aria-label="Destination"
      autocomplete="off" autocapitalize="off" spellcheck=${!1} value=${o}
      onInput=${w=>{r(w.target.value),l("")}}
      onKeyDown=${w=>w.key==="Escape"&&e()} aria-invalid=${!!i}
      aria-describedby=${i?"destination-problem":void 0} />
    <button type="button" class="button" onClick=${e}>Cancel</button>
    <button class="button primary" aria-busy=${p}>Save</button>
    <${mt} text=${o} />
    ${i&&s`<p id="destination-problem" class="problem" role="alert">${i}</p>`}
  </form>`}var Vt=t=>ut?pt+new URL(t).pathname:t;function jt(t){let[e,n]=u(void 0),[a,o]=u(""),[r,i]=u(!1),l=`/api/urls/${encodeURIComponent(t)}/share`,p=async(c,d)=>{i(!0),o("");try{let $=await g(c,l,{signal:d});return n($?Vt($.url):""),!0}catch($){return E($)||($.status===404&&/share/i.test($.message)?n(""):o($.message)),!1}finally{i(!1)}};return f(()=>{let c=new AbortController;return p("GET",c.signal),()=>c.abort()},[l]),{url:e,problem:a,busy:r,ask:p}}function Nt({code:t,onClose:e}){let{url:n,problem:a,busy:o,ask:r}=jt(t),i=async()=>{!o&&await r("POST")&&k("Shared")},l=async()=>{!o&&await r("DELETE")&&k("No longer shared")};return s`<${R} label="Share statistics" class="sharing" onClose=${e}>
    <${F} onClose=${e}>Share statistics<//>
    <p>A page with the clicks of <b class="mono">${S}/${t}</b>, for people without a
      token. Whoever has its address sees the link's title and its clicks, but not where it leads,
      and no note, tag or full referrer.</p>
    <div class="sharing-address">${n?s`<${Kt} url=${n} />`:n===""?s`<p class="quiet">Not shared.</p>`:null}</div>
    ${a&&s`<p class="problem" role="alert">${a}</p>`}
    <div class="buttons">${n?s`<button type="button" class="button" aria-busy=${o} onClick=${l}>
          Stop sharing</button>
        <button type="button" class="button primary" onClick=${e}>Done</button>`:s`<button type="button" class="button" onClick=${e}>Cancel</button>
        <button type="button" class="button primary" aria-busy=${o}
          disabled=${n===void 0} onClick=${i}>Share</button>`}</div>
    ${n&&s`<p class="hint">The address stops working when you stop sharing. Sharing again
      makes another one.</p>`}
  <//>`}var Kt=({url:t})=>s`
  <input class="field mono" type="text" readonly aria-label="Address of the shared page"
    value=${t} onFocus=${e=>e.target.select()} />
  <${A} text=${t} label="Copy the address" />
  <a class="icon-button" href=${t} target="_blank" rel="noreferrer noopener"
    aria-label="Open the shared page" title="Open the shared page"><${m} name="open" /></a>`;function Ot({link:t,onClose:e,onDelete:n,onCleared:a}){let[o,r]=u(""),{short_code:i,disabled:l}=t,p=async()=>{e();try{await K(t,{disabled:l?null:!0})}catch(c){_(c.status===412?"Not changed: someone else edited the link.":`Not changed: ${c.message}`)}};return o==="clear"?s`<${Xt} code=${i} onClose=${e} onCleared=${a} />`:o==="share"?s`<${Nt} code=${i} onClose=${e} />`:s`<${R} label=${`More actions for ${i}`} class="sheet" onClose=${e}>
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
  <//>`}function Xt({code:t,onClose:e,onCleared:n}){let[a,o]=u(!1),[r,i]=u("");return s`<${R} label="Delete statistics" onClose=${e}><form onSubmit=${async p=>{if(p.preventDefault(),!a){o(!0);try{await g("DELETE",`/api/urls/${encodeURIComponent(t)}/clicks`),e(),n(),_("Statistics deleted")}catch(c){i(c.message),o(!1)}}}}>
    <${F} onClose=${e}>Delete statistics?<//>
    <p>All clicks of <b class="mono">${S}/${t}</b> are forgotten. The link itself stays.
      This can't be undone.</p>
    ${r&&s`<p class="problem" role="alert">${r}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${e}>Cancel</button>
      <button class="button danger" aria-busy=${a}>Delete statistics</button></div>
  </form><//>`}var J=(t,e)=>({name:t,clicks:e,get:(n,a)=>g("GET",n,a),pause:2e3});function Zt(t){let e=L(j),[n,a]=u(null),[o,r]=u(0);return x(()=>{let i=new AbortController,l=async()=>{try{let c=await V(t,i.signal);a(null),j.set(c)}catch(c){E(c)||a(c)}};j.set(gt(t)??null),l(),addEventListener("focus",l);let p=P.watch(c=>c==="up"&&l());return()=>{p(),removeEventListener("focus",l),i.abort()}},[t,o]),[e?.short_code===t?e:null,n,()=>r(o+1)]}function zt({code:t}){let[e,n]=u(""),a=W(),[o,r,i]=Zt(t),l=`/api/urls/${encodeURIComponent(t)}`,p={...J(t,`${l}/clicks`),events:`${l}/events`},c=Q(p,a);x(()=>{document.title=`${t} · terse`,scrollTo(0,0)},[t]),f(()=>{o?.title&&(document.title=`${C(o.title)} · ${t} · terse`)},[o?.title]);let d=()=>{o&&(ht({short_code:t,original_url:o.original_url}),k(`Deleted ${t}. Press Z to undo.`),M(N.href))};dt({q:()=>n("qr"),e:()=>n("edit"),c:async()=>_(await $t(q(t))?`Copied ${S}/${t}`:"Couldn't copy"),Delete:d});let $=()=>n("");return r?.status===404||c.error?.status===404||ft(t)?s`<${Wt} code=${t} />`:s`<main class="page" id="main">
    <${Ut} code=${t} link=${o} onDialog=${n} />
    ${o?s`<${z} source=${p} view=${a} clicks=${c}
        nothing=${s`<${Z} code=${t} onQR=${()=>n("qr")} />`}
        isNew=${tt=>Date.parse(o.created_at)>=tt} />
      ${o.updated_at&&s`<${kt} link=${o} />`}`:r&&s`<${H} title="Couldn't load the link" message=${r.message}
        onRetry=${()=>{i(),c.reload()}} />`}
    ${e==="qr"&&s`<${Y} code=${t} onClose=${$} />`}
    ${e==="edit"&&o&&s`<${Et} code=${t} onClose=${$} />`}
    ${e==="menu"&&o&&s`<${Ot} link=${o} onClose=${$}
      onDelete=${d} onCleared=${c.reload} />`}
  </main>`}var Wt=({code:t})=>s`<main class="page" id="main"><div class="state">
  <h1>Link not found</h1><p>"${t}" doesn't exist or was deleted.</p>
  <a class="button" href=${N.href}>Back to links</a></div></main>`;var Bt={...J("overview","/api/overview"),events:"/api/events",ofAll:!0};function Yt(){let[t,e]=u(""),n=W(),a=Q(Bt,n);x(()=>{document.title="Overview · terse",scrollTo(0,0)},[]);let{data:o}=a,r=o?.top_links[0]?.short_code;return s`<main class="page" id="main">
    <header class="overview-head"><h1>Overview</h1><p class="quiet">
      ${o?y(o.links,"link","links"):""}</p>
      <a class="text-button overview-more" href="/ui/unknown">Codes that people looked for</a>
      <${Lt} query=${{tag:n.tags}} ask=${({tag:i})=>n.setTags(i)} /></header>
    <${z} source=${Bt} view=${n} clicks=${a} isNew=${()=>o?.links===0}
      nothing=${r?s`<${Z} code=${r} onQR=${()=>e(r)} />`:s`<p><a href="/ui/">Create a link</a> and open it.</p>`}>
      ${o&&s`<${Jt} links=${o.top_links} isEmpty=${o.links===0} />`}
    <//>
    ${t&&s`<${Y} code=${t} onClose=${()=>e("")} />`}
  </main>`}function Jt({links:t,isEmpty:e}){let n=t[0]?.clicks||1;return s`<${X} id="top" wide=${!0} title="Top links"
    extra=${t.length>0&&s`<${b} icon="download" label="Export top links as CSV"
      onClick=${()=>G(..._t("overview",t))} />`}>
    ${t.length?s`<ul class="bars">
        ${t.map(({short_code:a,original_url:o,clicks:r})=>s`<li key=${a}><a class="bar" href=${`/ui/links/${a}`} title=${C(o)}>
          <span class="bar-fill" style=${{transform:`scaleX(${r/n})`}}></span>
          <span class="bar-code mono">${a}</span><span class="bar-name quiet">
            <bdi dir="ltr">${ct(o).join("")}</bdi></span>
          <span class="bar-count">${h(r)}</span></a></li>`)}</ul>`:s`<p class="panel-empty quiet">
        ${e?"No links yet.":"No data for this range."}</p>`}
  <//>`}var te=1e3,It=30,B=50,Pt="Codes that people looked for",ee=at({dateStyle:"long",timeZone:"UTC"}),nt=t=>new Date(t).toISOString().slice(0,10),ot=(t,e)=>nt(Date.parse(t)+e*864e5),st=t=>M(U("/ui/unknown",{date:t===nt(Date.now())?"":t}));function oe(t){let[{asked:e,data:n,error:a},o]=u({}),[r,i]=u(0);return f(()=>{let l=new AbortController,p=async()=>{try{let d=await g("GET",U("/api/unknown",{date:t,limit:te}),{signal:l.signal});o({asked:t,data:d})}catch(d){if(E(d))return;o($=>({asked:t,data:$.asked===t?$.data:null,error:d}))}};p(),addEventListener("focus",p);let c=P.watch(d=>d==="up"&&p());return()=>{c(),removeEventListener("focus",p),l.abort()}},[t,r]),e===t?{data:n,error:a,retry:()=>i(r+1)}:{}}function se(){let t=L(bt).query.get("date")??"",{data:e,error:n,retry:a}=oe(t),o=T("");return f(()=>{e&&(o.current&&o.current!==e.date&&k(`${ee().format(Date.parse(e.date))}: ${y(e.total,"visit","visits")}`),o.current=e.date)},[e?.date]),x(()=>{document.title=`${Pt} · terse`,scrollTo(0,0)},[]),s`<main class="page" id="main">
    <header class="unknown-head"><a class="back" href="/ui/overview"><${m}
      name="back" />Overview</a>
      <h1>${Pt}</h1>
      <p class="quiet">Short URLs that were opened and that no link has: mistyped ones, or those of
        links that were deleted. Kept for ${It} days.</p></header>
    <${ne} date=${e?.date??t} />
    ${e?s`<${ae} key=${e.date} data=${e} />`:n?s`<${H} title="Couldn't load the codes" message=${n.message}
        onRetry=${a} />`:s`<div class="panel" role="status" aria-label="Loading codes"><i
        class="bone title-bone"></i><div class="bars-bone"></div></div>`}
  </main>`}function ne({date:t}){let e=nt(Date.now()),n=ot(e,-It),a=Number.isNaN(Date.parse(t))?e:t;return s`<div class="unknown-day">
    <${b} icon="back" label="Previous day" disabled=${a<=n}
      onClick=${()=>st(ot(a,-1))} />
    <label><span class="quiet">Day (UTC)</span>
      <input class="field" type="date" required min=${n} max=${e} value=${a}
        onChange=${o=>o.target.validity.valid&&st(o.target.value)} /></label>
    <${b} icon="back" class="forward" label="Next day" disabled=${a>=e}
      onClick=${()=>st(ot(a,1))} /></div>`}function ae({data:{date:t,total:e,codes:n}}){let[a,o]=u(B),r=[];for(let i=0;i<Math.min(a,n.length);i+=B)r.push(n.slice(i,i+B));return s`<${X} id="unknown" title=${y(e,"visit","visits")}
    extra=${n.length>0&&s`<${b} icon="download" label="Export codes as CSV"
      onClick=${()=>G(...xt(t,n))} />`}>
    ${n.length?s`<ul class="bars">${r.map((i,l)=>s`<${ie} key=${l} codes=${i}
          highest=${n[0].count} />`)}</ul>`:s`<p class="panel-empty quiet">Nobody looked for a code without a link.</p>`}
    ${n.length>a&&s`<p class="panel-more"><button type="button" class="text-button"
      onClick=${()=>o(a+B)}>
      Show ${h(Math.min(B,n.length-a))} more</button></p>`}
  <//>`}function re(t){let[e,n]=u({}),a=t.map(o=>o.short_code).join(",");return f(()=>{let o=new AbortController;return g("GET",U("/api/recent",{short_codes:a}),{signal:o.signal}).then(({clicks:r})=>n(r)).catch(()=>{}),()=>o.abort()},[a]),e}function ie({codes:t,highest:e}){let n=re(t);return t.map(({short_code:a,count:o,error:r})=>s`<li class="unknown" key=${a}>
    <span class="bar">
      <span class="bar-fill" style=${{transform:`scaleX(${o/e})`}}></span>
      <span class="bar-code mono">${a}</span><span class="bar-name"></span>
      <${le} n=${o} error=${r} /></span>
    ${Object.hasOwn(n,a)?s`<a class="text-button" href=${`/ui/links/${a}`}
        aria-label=${`Show the link ${a}`}><span>Show<span
          class="unknown-more"> the link</span></span></a>`:s`<a class="text-button" href=${U("/ui/",{code:a})}
        aria-label=${`Create this link: ${a}`}><span>Create<span
          class="unknown-more"> this link</span></span></a>`}</li>`)}var le=({n:t,error:e})=>e?s`<span class="bar-count" title=${`Between ${h(t-e)} and ${h(t)} times`}>
    ${h(t-e)}–${h(t)}</span>`:s`<span class="bar-count">${h(t)}</span>`;export{zt as LinkPage,Yt as Overview,se as Unknown};
