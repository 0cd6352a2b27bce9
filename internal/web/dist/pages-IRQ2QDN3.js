import{a as xt,d as Z,k as Dt}from"./chunk-UQDYNIHK.js";import{d as bt,e as kt}from"./chunk-OPAJI5F2.js";import{a as W,b as Y,c as J,d as tt}from"./chunk-OZBMMRW2.js";import{a as Lt,b as Tt}from"./chunk-G7OXDWDY.js";import{d as Et,e as qt}from"./chunk-4YHEHFLE.js";import{q as z}from"./chunk-V5U35DYY.js";import"./chunk-ADVO36UZ.js";import{b as St}from"./chunk-AVO6GI54.js";import{a as j,b as K,c as _t,d as X,f as B}from"./chunk-OO7ZWDZD.js";import{a as yt,d as wt,e as vt}from"./chunk-HWTRYWDJ.js";import{b as y,l as N,s as V,x as Ct}from"./chunk-K3SGBJKO.js";import"./chunk-5RRWXWCY.js";import"./chunk-LBTNOKNR.js";import{a as I,c as L}from"./chunk-OCLH7YZM.js";import{a as gt,b as O,c as Q}from"./chunk-ZZZNG5XI.js";import{A as $t,B as mt,C as R,D as C,E as m,F as k,G as dt,H,J as x,M as ft,N as g,O as U,P as F,Q as st,T as G,V as M,W as ht,b as p,c as f,d as _,e as q,h as D,i as s,j as it,k as h,l as w,n as A,q as lt,w as ct,x as b,y as ut,z as pt}from"./chunk-24W5OBKW.js";var Rt=t=>A(new Date(t));function Ut({starts_at:t,expires_at:e,max_clicks:n,clicks_left:a},o=Date.now()){return[t&&(Date.parse(t)>o?`Starts ${Rt(t)}`:""),e&&`${Date.parse(e)>o?"Ends":"Ended"} ${Rt(e)}`,n&&(a===void 0?`Ends after ${w(n,"click","clicks")}`:`${h(a)} of ${w(n,"click","clicks")} left`)].filter(Boolean)}var Ft={301:"Permanent redirect (301)",302:"Redirect 302",307:"Redirect 307",308:"Permanent redirect (308)"};function Ot(t){return[t.password&&"Password",t.rules?.length&&w(t.rules.length,"rule","rules"),t.redirect_status&&Ft[t.redirect_status],t.forward_query&&"Forwards the query",t.forward_path&&"Forwards the path"].filter(Boolean)}function Nt({code:t,link:e,onDialog:n}){let a=e?[...Ut(e),...Ot(e)]:[];return s`<header class="link-head">
    <a class="back" href=${N.href}><${m} name="back" />Links</a>
    <div class="link-title"><h1 class="mono"><span class="quiet">${C}/</span>${t}</h1>
      <span class="link-actions"><${H} text=${R(t)}
        label="Copy the short URL" />
        <${k} icon="qr" label="QR code" onClick=${()=>n("qr")} />
        <a class="icon-button" href=${R(t)} target="_blank" rel="noreferrer noopener"
          aria-label="Open the short URL, which counts as a click"
          title="Open the short URL (counts as a click)"><${m} name="open" /></a></span>
      <span class="link-end">
        <button type="button" class="button" disabled=${!e}
          onClick=${()=>n("edit")}>Edit</button>
        <${k} icon="more" label="More actions" disabled=${!e} aria-haspopup="dialog"
          onClick=${()=>n("menu")} /></span></div>
    ${(e?.title||e?.tags)&&s`<div class="link-name">
      <h2>${e.title&&b(e.title)}</h2><${Ct} tags=${e.tags} /></div>`}
    ${e?s`<${Mt} key=${t} link=${e} />`:s`<p class="link-leads"><i class="bone wide"></i></p>`}
    ${e&&(a.length>0||B[e.status])&&s`<ul class="link-facts">
      ${B[e.status]&&s`<li><${Gt} status=${e.status} /></li>`}
      ${a.map(o=>s`<li key=${o}>${o}</li>`)}</ul>`}
    ${e?.note&&s`<p class="link-note quiet">${ut(e.note)}</p>`}
  </header>`}var Gt=({status:t})=>B[t]&&s`<span class="state-badge">${B[t]}</span>`;function Mt({link:t}){let[e,n]=p(!1),a=q(),o=()=>{n(!1),requestAnimationFrame(()=>a.current?.querySelector("button").focus())};if(e)return s`<${Vt} link=${t} onLeave=${o} />`;let{original_url:r,created_at:i}=t,l=ct(r);return s`<div class="link-leads" ref=${a}><${m} name="arrow" />
    ${l?s`<a class="leads" href=${l.href} target="_blank" rel="noreferrer noopener"
        title=${b(r)}><${st} url=${r} /></a>`:s`<span class="leads"><${st} url=${r} /></span>`}
    <${k} icon="edit" label="Change the destination" onClick=${()=>n(!0)} />
    <${Qt} code=${t.short_code}>
      <time class="quiet" datetime=${i} title=${A(new Date(i))}>
        Created ${lt(new Date(i),"long")}</time><//></div>`}function Qt({code:t,children:e}){let n=D(_t),a=n?.code===t?n:null;if(f(()=>{a&&g(a.undo?"Saved. Undo is offered.":"Saved")},[a]),!a)return e;let o=async()=>{try{await a.undo(),g("Changed back")}catch(r){x(r.status===412?"Not changed back: someone else edited the link.":`Not changed back: ${r.message}`)}};return s`<span class="saved"><${m} name="done" />Saved
    ${a.undo&&s`<button type="button" class="text-button" onClick=${o}>Undo</button>`}
  </span>`}function Vt({link:t,onLeave:e}){let[n,a]=p(t),[o,r]=p(t.original_url),[i,l]=p(""),[u,c]=p(!1),d=q();f(()=>d.current.select(),[]);let $=async v=>{v.preventDefault();let T=o===n.original_url?o:yt(o);if(u||T===n.original_url)return u||e();let E=wt(T);if(E)return l(E);c(!0);try{await X(n,{original_url:T}),e()}catch(S){l(await ot(S)),c(!1)}},ot=async({status:v,field:T,message:E})=>{if(v===0)return"Not saved: can't reach the server. Your text is kept.";if(T==="original_url")return vt(o,E);if(v!==412)return E;try{let S=await j(n.short_code);return a(S),S.original_url===n.original_url?"Someone else edited this link. Save again to change its destination.":`Someone else changed it to ${b(S.original_url)}. Save again to overwrite.`}catch(S){return S.message}};return s`<form class="link-edit" onSubmit=${$}>
    <input ref=${d} class="field mono" type="text" inputmode="url" aria-label="Destination"
      autocomplete="off" autocapitalize="off" spellcheck=${!1} value=${o}
      onInput=${v=>{r(v.target.value),l("")}}
      onKeyDown=${v=>v.key==="Escape"&&e()} aria-invalid=${!!i}
      aria-describedby=${i?"destination-problem":void 0} />
    <button type="button" class="button" onClick=${e}>Cancel</button>
    <button class="button primary" aria-busy=${u}>Save</button>
    <${ft} text=${o} />
    ${i&&s`<p id="destination-problem" class="problem" role="alert">${i}</p>`}
  </form>`}var jt=t=>$t?mt+new URL(t).pathname:t;function Kt(t){let[e,n]=p(void 0),[a,o]=p(""),[r,i]=p(!1),l=`/api/urls/${encodeURIComponent(t)}/share`,u=async(c,d)=>{i(!0),o("");try{let $=await y(c,l,{signal:d});return n($?jt($.url):""),!0}catch($){return L($)||($.field==="share"?n(""):o($.message)),!1}finally{i(!1)}};return f(()=>{let c=new AbortController;return u("GET",c.signal),()=>c.abort()},[l]),{url:e,problem:a,busy:r,ask:u}}function Bt({code:t,onClose:e}){let{url:n,problem:a,busy:o,ask:r}=Kt(t),i=async()=>{!o&&await r("POST")&&g("Shared")},l=async()=>{!o&&await r("DELETE")&&g("No longer shared")};return s`<${U} label="Share statistics" class="sharing" onClose=${e}>
    <${F} onClose=${e}>Share statistics<//>
    <p>A page with the clicks of <b class="mono">${C}/${t}</b>, for people without a
      token. Whoever has its address sees the link's title and its clicks, but not where it leads,
      and no note, tag or full referrer.</p>
    <div class="sharing-address">${n?s`<${Xt} url=${n} />`:n===""?s`<p class="quiet">Not shared.</p>`:null}</div>
    ${a&&s`<p class="problem" role="alert">${a}</p>`}
    <div class="buttons">${n?s`<button type="button" class="button" aria-busy=${o} onClick=${l}>
          Stop sharing</button>
        <button type="button" class="button primary" onClick=${e}>Done</button>`:s`<button type="button" class="button" onClick=${e}>Cancel</button>
        <button type="button" class="button primary" aria-busy=${o}
          disabled=${n===void 0} onClick=${i}>Share</button>`}</div>
    ${n&&s`<p class="hint">The address stops working when you stop sharing. Sharing again
      makes another one.</p>`}
  <//>`}var Xt=({url:t})=>s`
  <input class="field mono" type="text" readonly aria-label="Address of the shared page"
    value=${t} onFocus=${e=>e.target.select()} />
  <${H} text=${t} label="Copy the address" />
  <a class="icon-button" href=${t} target="_blank" rel="noreferrer noopener"
    aria-label="Open the shared page" title="Open the shared page"><${m} name="open" /></a>`;function Pt({link:t,onClose:e,onDelete:n,onCleared:a}){let[o,r]=p(""),{short_code:i,disabled:l}=t,u=async()=>{e();try{await X(t,{disabled:l?null:!0})}catch(c){x(c.status===412?"Not changed: someone else edited the link.":`Not changed: ${c.message}`)}};return o==="clear"?s`<${Zt} code=${i} onClose=${e} onCleared=${a} />`:o==="share"?s`<${Bt} code=${i} onClose=${e} />`:s`<${U} label=${`More actions for ${i}`} class="sheet" onClose=${e}>
    <button type="button" class="sheet-item" onClick=${u}>
      <${m} name=${l?"done":"pause"} />${l?"Enable":"Disable"}</button>
    <button type="button" class="sheet-item" onClick=${()=>r("share")}>
      <${m} name="share" />Share statistics</button>
    <button type="button" class="sheet-item" onClick=${()=>r("clear")}>
      <${m} name="remove" />Delete statistics</button>
    <button type="button" class="sheet-item danger" onClick=${()=>{e(),n()}}>
      <${m} name="remove" />Delete</button>
    <button type="button" class="sheet-item" onClick=${e}>
      <${m} name="close" />Cancel</button>
  <//>`}function Zt({code:t,onClose:e,onCleared:n}){let[a,o]=p(!1),[r,i]=p("");return s`<${U} label="Delete statistics" onClose=${e}><form onSubmit=${async u=>{if(u.preventDefault(),!a){o(!0);try{await y("DELETE",`/api/urls/${encodeURIComponent(t)}/clicks`),e(),n(),x("Statistics deleted")}catch(c){i(c.message),o(!1)}}}}>
    <${F} onClose=${e}>Delete statistics?<//>
    <p>All clicks of <b class="mono">${C}/${t}</b> are forgotten. The link itself stays.
      This can't be undone.</p>
    ${r&&s`<p class="problem" role="alert">${r}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${e}>Cancel</button>
      <button class="button danger" aria-busy=${a}>Delete statistics</button></div>
  </form><//>`}var et=(t,e)=>({name:t,clicks:e,get:(n,a)=>y("GET",n,a),pause:2e3});function zt(t){let e=D(K),[n,a]=p(null),[o,r]=p(0);return _(()=>{let i=new AbortController,l=async()=>{try{let c=await j(t,i.signal);a(null),K.set(c)}catch(c){L(c)||a(c)}};K.set(V(t)??null),l(),addEventListener("focus",l);let u=I.watch(c=>c==="up"&&l());return()=>{u(),removeEventListener("focus",l),i.abort()}},[t,o]),[e?.short_code===t?e:null,n,()=>r(o+1)]}function Wt({code:t}){let[e,n]=p(""),a=tt(),[o,r,i]=zt(t),l=`/api/urls/${encodeURIComponent(t)}`,u={...et(t,`${l}/clicks`),events:`${l}/events`},c=z(u,a);_(()=>{document.title=`${t} · terse`,scrollTo(0,0)},[t]),f(()=>{o?.title&&(document.title=`${b(o.title)} · ${t} · terse`)},[o?.title]);let d=()=>{o&&(kt({short_code:t,original_url:o.original_url}),g(`Deleted ${t}. Press Z to undo.`),Q(N.href))};ht({q:()=>n("qr"),e:()=>n("edit"),c:async()=>x(await dt(R(t))?`Copied ${C}/${t}`:"Couldn't copy"),Delete:d});let $=()=>n("");return r?.status===404||c.error?.status===404||bt(t)?s`<${Yt} code=${t} />`:s`<main class="page" id="main">
    <${Nt} code=${t} link=${o} onDialog=${n} />
    ${o?s`<${J} source=${u} view=${a} clicks=${c}
        nothing=${s`<${Y} code=${t} onQR=${()=>n("qr")} />`}
        isNew=${ot=>Date.parse(o.created_at)>=ot} />
      ${o.updated_at&&s`<${St} link=${o} />`}`:r&&s`<${G} title="Couldn't load the link" message=${r.message}
        onRetry=${()=>{i(),c.reload()}} />`}
    ${e==="qr"&&s`<${Z} code=${t} onClose=${$} />`}
    ${e==="edit"&&o&&s`<${xt} code=${t} onClose=${$} />`}
    ${e==="menu"&&o&&s`<${Pt} link=${o} onClose=${$}
      onDelete=${d} onCleared=${c.reload} />`}
  </main>`}var Yt=({code:t})=>s`<main class="page" id="main"><div class="state">
  <h1>Link not found</h1><p>"${t}" doesn't exist or was deleted.</p>
  <a class="button" href=${N.href}>Back to links</a></div></main>`;var It={...et("overview","/api/overview"),events:"/api/events",ofAll:!0};function Jt(){let[t,e]=p(""),n=tt(),a=z(It,n);_(()=>{document.title="Overview · terse",scrollTo(0,0)},[]);let{data:o}=a,r=l=>(o?.top_links.find(u=>u.short_code===l)??V(l))?.title,i=o?.top_links[0]?.short_code;return s`<main class="page" id="main">
    <header class="overview-head"><h1>Overview</h1><p class="quiet">
      ${o?w(o.links,"link","links"):""}</p>
      <a class="text-button overview-more" href="/ui/unknown">Codes that people looked for</a>
      <${Dt} query=${{tag:n.tags}} ask=${({tag:l})=>n.setTags(l)} /></header>
    <${J} source=${{...It,titleOf:r}} view=${n} clicks=${a}
      isNew=${()=>o?.links===0}
      nothing=${i?s`<${Y} code=${i} onQR=${()=>e(i)} />`:s`<p><a href="/ui/">Create a link</a> and open it.</p>`}>
      ${l=>s`<${te} links=${o.top_links} measures=${l} />`}
    <//>
    ${t&&s`<${Z} code=${t} onClose=${()=>e("")} />`}
  </main>`}function te({links:t,measures:e}){let{clicks:n}=e,a=t[0]?.clicks??0,o=({short_code:r,title:i,original_url:l,clicks:u})=>s`<li key=${r}><a class="bar" href=${`/ui/links/${r}`}
      title=${`${b(i??r)}
${b(l)}`}>
      <span class="bar-fill" style=${{transform:`scaleX(${u/a})`}}></span>
      ${i&&s`<span class="bar-title"><bdi>${b(i)}</bdi></span>`}
      <span class="bar-code mono">${r}</span><span class="bar-name quiet">
        <bdi dir="ltr">${pt(l).join("")}</bdi></span>
      <span class="bar-count">${h(u)}</span></a></li>`;return s`<${W} id="top" wide=${!0} title="Top links"
    extra=${t.length>0&&s`<${k} icon="download" label="Export top links as CSV"
      onClick=${()=>M(...qt("overview",t,e))} />`}>
    ${t.length?s`<${Lt} rows="Link" measure=${n} />
        <ul class="bars" style=${Tt(a)}>${t.map(o)}</ul>`:s`<p class="panel-empty quiet">These links were deleted.</p>`}
  <//>`}var ee=1e3,Ht=30,P=50,At="Codes that people looked for",oe=it({dateStyle:"long",timeZone:"UTC"}),rt=t=>new Date(t).toISOString().slice(0,10),nt=(t,e)=>rt(Date.parse(t)+e*864e5),at=t=>Q(O("/ui/unknown",{date:t===rt(Date.now())?"":t}));function se(t){let[{asked:e,data:n,error:a},o]=p({}),[r,i]=p(0);return f(()=>{let l=new AbortController,u=async()=>{try{let d=await y("GET",O("/api/unknown",{date:t,limit:ee}),{signal:l.signal});o({asked:t,data:d})}catch(d){if(L(d))return;o($=>({asked:t,data:$.asked===t?$.data:null,error:d}))}};u(),addEventListener("focus",u);let c=I.watch(d=>d==="up"&&u());return()=>{c(),removeEventListener("focus",u),l.abort()}},[t,r]),e===t?{data:n,error:a,retry:()=>i(r+1)}:{}}function ne(){let t=D(gt).query.get("date")??"",{data:e,error:n,retry:a}=se(t),o=q("");return f(()=>{e&&(o.current&&o.current!==e.date&&g(`${oe().format(Date.parse(e.date))}: ${w(e.total,"visit","visits")}`),o.current=e.date)},[e?.date]),_(()=>{document.title=`${At} · terse`,scrollTo(0,0)},[]),s`<main class="page" id="main">
    <header class="unknown-head"><a class="back" href="/ui/overview"><${m}
      name="back" />Overview</a>
      <h1>${At}</h1>
      <p class="quiet">Short URLs that were opened and that no link has: mistyped ones, or those of
        links that were deleted. Kept for ${Ht} days.</p></header>
    <${ae} date=${e?.date??t} />
    ${e?s`<${re} key=${e.date} data=${e} />`:n?s`<${G} title="Couldn't load the codes" message=${n.message}
        onRetry=${a} />`:s`<div class="panel" role="status" aria-label="Loading codes"><i
        class="bone title-bone"></i><div class="bars-bone"></div></div>`}
  </main>`}function ae({date:t}){let e=rt(Date.now()),n=nt(e,-Ht),a=Number.isNaN(Date.parse(t))?e:t;return s`<div class="unknown-day">
    <${k} icon="back" label="Previous day" disabled=${a<=n}
      onClick=${()=>at(nt(a,-1))} />
    <label><span class="quiet">Day (UTC)</span>
      <input class="field" type="date" required min=${n} max=${e} value=${a}
        onChange=${o=>o.target.validity.valid&&at(o.target.value)} /></label>
    <${k} icon="back" class="forward" label="Next day" disabled=${a>=e}
      onClick=${()=>at(nt(a,1))} /></div>`}function re({data:{date:t,total:e,codes:n}}){let[a,o]=p(P),r=[];for(let i=0;i<Math.min(a,n.length);i+=P)r.push(n.slice(i,i+P));return s`<${W} id="unknown" title=${w(e,"visit","visits")}
    extra=${n.length>0&&s`<${k} icon="download" label="Export codes as CSV"
      onClick=${()=>M(...Et(t,n))} />`}>
    ${n.length?s`<ul class="bars">${r.map((i,l)=>s`<${le} key=${l} codes=${i}
          highest=${n[0].count} />`)}</ul>`:s`<p class="panel-empty quiet">Nobody looked for a code without a link.</p>`}
    ${n.length>a&&s`<p class="panel-more"><button type="button" class="text-button"
      onClick=${()=>o(a+P)}>
      Show ${h(Math.min(P,n.length-a))} more</button></p>`}
  <//>`}function ie(t){let[e,n]=p({}),a=t.map(o=>o.short_code).join(",");return f(()=>{let o=new AbortController;return y("GET",O("/api/recent",{short_codes:a}),{signal:o.signal}).then(({clicks:r})=>n(r)).catch(()=>{}),()=>o.abort()},[a]),e}function le({codes:t,highest:e}){let n=ie(t);return t.map(({short_code:a,count:o,error:r})=>s`<li class="unknown" key=${a}>
    <span class="bar">
      <span class="bar-fill" style=${{transform:`scaleX(${o/e})`}}></span>
      <span class="bar-code mono">${a}</span><span class="bar-name"></span>
      <${ce} n=${o} error=${r} /></span>
    ${Object.hasOwn(n,a)?s`<a class="text-button" href=${`/ui/links/${a}`}
        aria-label=${`Show the link ${a}`}><span>Show<span
          class="unknown-more"> the link</span></span></a>`:s`<a class="text-button" href=${O("/ui/",{code:a})}
        aria-label=${`Create this link: ${a}`}><span>Create<span
          class="unknown-more"> this link</span></span></a>`}</li>`)}var ce=({n:t,error:e})=>e?s`<span class="bar-count" title=${`Between ${h(t-e)} and ${h(t)} times`}>
    ${h(t-e)}–${h(t)}</span>`:s`<span class="bar-count">${h(t)}</span>`;export{Wt as LinkPage,Jt as Overview,ne as Unknown};
