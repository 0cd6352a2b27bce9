import{a as Dt,d as X,k as _t}from"./chunk-DSSXSCDF.js";import{d as ht,e as bt}from"./chunk-3NTMNNGE.js";import{a as z,b as W,c as Y,d as J}from"./chunk-VKNOKQEE.js";import{g as Lt,h as Et}from"./chunk-SPI5Q57H.js";import{i as Z}from"./chunk-AKXJM73T.js";import"./chunk-UC6BWB4E.js";import{b as St}from"./chunk-TRTURPA6.js";import{a as V,b as j,c as xt,d as K,f as B}from"./chunk-DBZ44P4X.js";import{a as yt,d as wt,e as vt}from"./chunk-IUC3FUOW.js";import{b as g,l as O,s as gt,x as Ct}from"./chunk-YVB4RRGB.js";import"./chunk-K7ATW4SV.js";import"./chunk-LBTNOKNR.js";import{a as I,c as L}from"./chunk-FXXZJDXJ.js";import{a as kt,b as N,c as Q}from"./chunk-PCD4SETE.js";import{A as pt,B as $t,C as R,D as C,E as m,F as b,G as mt,H as F,J as D,M as dt,N as k,O as U,P as H,Q as ot,T as G,V as M,W as ft,b as u,c as f,d as x,e as q,h as _,i as s,j as rt,k as h,l as y,n as A,q as it,w as lt,x as v,y as ct,z as ut}from"./chunk-7IY37C7O.js";var Tt=t=>A(new Date(t));function qt({starts_at:t,expires_at:e,max_clicks:n,clicks_left:a},o=Date.now()){return[t&&(Date.parse(t)>o?`Starts ${Tt(t)}`:""),e&&`${Date.parse(e)>o?"Ends":"Ended"} ${Tt(e)}`,n&&(a===void 0?`Ends after ${y(n,"click","clicks")}`:`${h(a)} of ${y(n,"click","clicks")} left`)].filter(Boolean)}var At={301:"Permanent redirect (301)",302:"Redirect 302",307:"Redirect 307",308:"Permanent redirect (308)"};function Rt(t){return[t.password&&"Password",t.rules?.length&&y(t.rules.length,"rule","rules"),t.redirect_status&&At[t.redirect_status],t.forward_query&&"Forwards the query",t.forward_path&&"Forwards the path"].filter(Boolean)}function Ut({code:t,link:e,onDialog:n}){let a=e?[...qt(e),...Rt(e)]:[];return s`<header class="link-head">
    <a class="back" href=${O.href}><${m} name="back" />Links</a>
    <div class="link-title"><h1 class="mono"><span class="quiet">${C}/</span>${t}</h1>
      <span class="link-actions"><${F} text=${R(t)}
        label="Copy the short URL" />
        <${b} icon="qr" label="QR code" onClick=${()=>n("qr")} />
        <a class="icon-button" href=${R(t)} target="_blank" rel="noreferrer noopener"
          aria-label="Open the short URL, which counts as a click"
          title="Open the short URL (counts as a click)"><${m} name="open" /></a></span>
      <span class="link-end">
        <button type="button" class="button" disabled=${!e}
          onClick=${()=>n("edit")}>Edit</button>
        <${b} icon="more" label="More actions" disabled=${!e} aria-haspopup="dialog"
          onClick=${()=>n("menu")} /></span></div>
    ${(e?.title||e?.tags)&&s`<div class="link-name">
      <h2>${e.title&&v(e.title)}</h2><${Ct} tags=${e.tags} /></div>`}
    ${e?s`<${Ht} key=${t} link=${e} />`:s`<p class="link-leads"><i class="bone wide"></i></p>`}
    ${e&&(a.length>0||B[e.status])&&s`<ul class="link-facts">
      ${B[e.status]&&s`<li><${Ft} status=${e.status} /></li>`}
      ${a.map(o=>s`<li key=${o}>${o}</li>`)}</ul>`}
    ${e?.note&&s`<p class="link-note quiet">${ct(e.note)}</p>`}
  </header>`}var Ft=({status:t})=>B[t]&&s`<span class="state-badge">${B[t]}</span>`;function Ht({link:t}){let[e,n]=u(!1),a=q(),o=()=>{n(!1),requestAnimationFrame(()=>a.current?.querySelector("button").focus())};if(e)return s`<${Mt} link=${t} onLeave=${o} />`;let{original_url:r,created_at:i}=t,l=lt(r);return s`<div class="link-leads" ref=${a}><${m} name="arrow" />
    ${l?s`<a class="leads" href=${l.href} target="_blank" rel="noreferrer noopener"
        title=${v(r)}><${ot} url=${r} /></a>`:s`<span class="leads"><${ot} url=${r} /></span>`}
    <${b} icon="edit" label="Change the destination" onClick=${()=>n(!0)} />
    <${Gt} code=${t.short_code}>
      <time class="quiet" datetime=${i} title=${A(new Date(i))}>
        Created ${it(new Date(i),"long")}</time><//></div>`}function Gt({code:t,children:e}){let n=_(xt),a=n?.code===t?n:null;if(f(()=>{a&&k(a.undo?"Saved. Undo is offered.":"Saved")},[a]),!a)return e;let o=async()=>{try{await a.undo(),k("Changed back")}catch(r){D(r.status===412?"Not changed back: someone else edited the link.":`Not changed back: ${r.message}`)}};return s`<span class="saved"><${m} name="done" />Saved
    ${a.undo&&s`<button type="button" class="text-button" onClick=${o}>Undo</button>`}
  </span>`}function Mt({link:t,onLeave:e}){let[n,a]=u(t),[o,r]=u(t.original_url),[i,l]=u(""),[p,c]=u(!1),d=q();f(()=>d.current.select(),[]);let $=async w=>{w.preventDefault();let E=o===n.original_url?o:yt(o);if(p||E===n.original_url)return p||e();let T=wt(E);if(T)return l(T);c(!0);try{await K(n,{original_url:E}),e()}catch(S){l(await et(S)),c(!1)}},et=async({status:w,field:E,message:T})=>{if(w===0)return"Not saved: can't reach the server. Your text is kept.";if(E==="original_url")return vt(o,T);if(w!==412)return T;try{let S=await V(n.short_code);return a(S),S.original_url===n.original_url?"Someone else edited this link. Save again to change its destination.":`Someone else changed it to ${v(S.original_url)}. Save again to overwrite.`}catch(S){return S.message}};return s`<form class="link-edit" onSubmit=${$}>
    <input ref=${d} class="field mono" type="text" inputmode="url" aria-label="Destination"
      autocomplete="off" autocapitalize="off" spellcheck=${!1} value=${o}
      onInput=${w=>{r(w.target.value),l("")}}
      onKeyDown=${w=>w.key==="Escape"&&e()} aria-invalid=${!!i}
      aria-describedby=${i?"destination-problem":void 0} />
    <button type="button" class="button" onClick=${e}>Cancel</button>
    <button class="button primary" aria-busy=${p}>Save</button>
    <${dt} text=${o} />
    ${i&&s`<p id="destination-problem" class="problem" role="alert">${i}</p>`}
  </form>`}var Qt=t=>pt?$t+new URL(t).pathname:t;function Vt(t){let[e,n]=u(void 0),[a,o]=u(""),[r,i]=u(!1),l=`/api/urls/${encodeURIComponent(t)}/share`,p=async(c,d)=>{i(!0),o("");try{let $=await g(c,l,{signal:d});return n($?Qt($.url):""),!0}catch($){return L($)||($.field==="share"?n(""):o($.message)),!1}finally{i(!1)}};return f(()=>{let c=new AbortController;return p("GET",c.signal),()=>c.abort()},[l]),{url:e,problem:a,busy:r,ask:p}}function Nt({code:t,onClose:e}){let{url:n,problem:a,busy:o,ask:r}=Vt(t),i=async()=>{!o&&await r("POST")&&k("Shared")},l=async()=>{!o&&await r("DELETE")&&k("No longer shared")};return s`<${U} label="Share statistics" class="sharing" onClose=${e}>
    <${H} onClose=${e}>Share statistics<//>
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
  <${F} text=${t} label="Copy the address" />
  <a class="icon-button" href=${t} target="_blank" rel="noreferrer noopener"
    aria-label="Open the shared page" title="Open the shared page"><${m} name="open" /></a>`;function Ot({link:t,onClose:e,onDelete:n,onCleared:a}){let[o,r]=u(""),{short_code:i,disabled:l}=t,p=async()=>{e();try{await K(t,{disabled:l?null:!0})}catch(c){D(c.status===412?"Not changed: someone else edited the link.":`Not changed: ${c.message}`)}};return o==="clear"?s`<${Kt} code=${i} onClose=${e} onCleared=${a} />`:o==="share"?s`<${Nt} code=${i} onClose=${e} />`:s`<${U} label=${`More actions for ${i}`} class="sheet" onClose=${e}>
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
  <//>`}function Kt({code:t,onClose:e,onCleared:n}){let[a,o]=u(!1),[r,i]=u("");return s`<${U} label="Delete statistics" onClose=${e}><form onSubmit=${async p=>{if(p.preventDefault(),!a){o(!0);try{await g("DELETE",`/api/urls/${encodeURIComponent(t)}/clicks`),e(),n(),D("Statistics deleted")}catch(c){i(c.message),o(!1)}}}}>
    <${H} onClose=${e}>Delete statistics?<//>
    <p>All clicks of <b class="mono">${C}/${t}</b> are forgotten. The link itself stays.
      This can't be undone.</p>
    ${r&&s`<p class="problem" role="alert">${r}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${e}>Cancel</button>
      <button class="button danger" aria-busy=${a}>Delete statistics</button></div>
  </form><//>`}var tt=(t,e)=>({name:t,clicks:e,get:(n,a)=>g("GET",n,a),pause:2e3});function Xt(t){let e=_(j),[n,a]=u(null),[o,r]=u(0);return x(()=>{let i=new AbortController,l=async()=>{try{let c=await V(t,i.signal);a(null),j.set(c)}catch(c){L(c)||a(c)}};j.set(gt(t)??null),l(),addEventListener("focus",l);let p=I.watch(c=>c==="up"&&l());return()=>{p(),removeEventListener("focus",l),i.abort()}},[t,o]),[e?.short_code===t?e:null,n,()=>r(o+1)]}function Zt({code:t}){let[e,n]=u(""),a=J(),[o,r,i]=Xt(t),l=`/api/urls/${encodeURIComponent(t)}`,p={...tt(t,`${l}/clicks`),events:`${l}/events`},c=Z(p,a);x(()=>{document.title=`${t} · terse`,scrollTo(0,0)},[t]),f(()=>{o?.title&&(document.title=`${v(o.title)} · ${t} · terse`)},[o?.title]);let d=()=>{o&&(bt({short_code:t,original_url:o.original_url}),k(`Deleted ${t}. Press Z to undo.`),Q(O.href))};ft({q:()=>n("qr"),e:()=>n("edit"),c:async()=>D(await mt(R(t))?`Copied ${C}/${t}`:"Couldn't copy"),Delete:d});let $=()=>n("");return r?.status===404||c.error?.status===404||ht(t)?s`<${zt} code=${t} />`:s`<main class="page" id="main">
    <${Ut} code=${t} link=${o} onDialog=${n} />
    ${o?s`<${Y} source=${p} view=${a} clicks=${c}
        nothing=${s`<${W} code=${t} onQR=${()=>n("qr")} />`}
        isNew=${et=>Date.parse(o.created_at)>=et} />
      ${o.updated_at&&s`<${St} link=${o} />`}`:r&&s`<${G} title="Couldn't load the link" message=${r.message}
        onRetry=${()=>{i(),c.reload()}} />`}
    ${e==="qr"&&s`<${X} code=${t} onClose=${$} />`}
    ${e==="edit"&&o&&s`<${Dt} code=${t} onClose=${$} />`}
    ${e==="menu"&&o&&s`<${Ot} link=${o} onClose=${$}
      onDelete=${d} onCleared=${c.reload} />`}
  </main>`}var zt=({code:t})=>s`<main class="page" id="main"><div class="state">
  <h1>Link not found</h1><p>"${t}" doesn't exist or was deleted.</p>
  <a class="button" href=${O.href}>Back to links</a></div></main>`;var Bt={...tt("overview","/api/overview"),events:"/api/events",ofAll:!0};function Wt(){let[t,e]=u(""),n=J(),a=Z(Bt,n);x(()=>{document.title="Overview · terse",scrollTo(0,0)},[]);let{data:o}=a,r=o?.top_links[0]?.short_code;return s`<main class="page" id="main">
    <header class="overview-head"><h1>Overview</h1><p class="quiet">
      ${o?y(o.links,"link","links"):""}</p>
      <a class="text-button overview-more" href="/ui/unknown">Codes that people looked for</a>
      <${_t} query=${{tag:n.tags}} ask=${({tag:i})=>n.setTags(i)} /></header>
    <${Y} source=${Bt} view=${n} clicks=${a} isNew=${()=>o?.links===0}
      nothing=${r?s`<${W} code=${r} onQR=${()=>e(r)} />`:s`<p><a href="/ui/">Create a link</a> and open it.</p>`}>
      ${o&&s`<${Yt} links=${o.top_links} isEmpty=${o.links===0} />`}
    <//>
    ${t&&s`<${X} code=${t} onClose=${()=>e("")} />`}
  </main>`}function Yt({links:t,isEmpty:e}){let n=t[0]?.clicks||1;return s`<${z} id="top" wide=${!0} title="Top links"
    extra=${t.length>0&&s`<${b} icon="download" label="Export top links as CSV"
      onClick=${()=>M(...Et("overview",t))} />`}>
    ${t.length?s`<ul class="bars">
        ${t.map(({short_code:a,original_url:o,clicks:r})=>s`<li key=${a}><a class="bar" href=${`/ui/links/${a}`} title=${v(o)}>
          <span class="bar-fill" style=${{transform:`scaleX(${r/n})`}}></span>
          <span class="bar-code mono">${a}</span><span class="bar-name quiet">
            <bdi dir="ltr">${ut(o).join("")}</bdi></span>
          <span class="bar-count">${h(r)}</span></a></li>`)}</ul>`:s`<p class="panel-empty quiet">
        ${e?"No links yet.":"No data for this range."}</p>`}
  <//>`}var Jt=1e3,It=30,P=50,Pt="Codes that people looked for",te=rt({dateStyle:"long",timeZone:"UTC"}),at=t=>new Date(t).toISOString().slice(0,10),st=(t,e)=>at(Date.parse(t)+e*864e5),nt=t=>Q(N("/ui/unknown",{date:t===at(Date.now())?"":t}));function ee(t){let[{asked:e,data:n,error:a},o]=u({}),[r,i]=u(0);return f(()=>{let l=new AbortController,p=async()=>{try{let d=await g("GET",N("/api/unknown",{date:t,limit:Jt}),{signal:l.signal});o({asked:t,data:d})}catch(d){if(L(d))return;o($=>({asked:t,data:$.asked===t?$.data:null,error:d}))}};p(),addEventListener("focus",p);let c=I.watch(d=>d==="up"&&p());return()=>{c(),removeEventListener("focus",p),l.abort()}},[t,r]),e===t?{data:n,error:a,retry:()=>i(r+1)}:{}}function oe(){let t=_(kt).query.get("date")??"",{data:e,error:n,retry:a}=ee(t),o=q("");return f(()=>{e&&(o.current&&o.current!==e.date&&k(`${te().format(Date.parse(e.date))}: ${y(e.total,"visit","visits")}`),o.current=e.date)},[e?.date]),x(()=>{document.title=`${Pt} · terse`,scrollTo(0,0)},[]),s`<main class="page" id="main">
    <header class="unknown-head"><a class="back" href="/ui/overview"><${m}
      name="back" />Overview</a>
      <h1>${Pt}</h1>
      <p class="quiet">Short URLs that were opened and that no link has: mistyped ones, or those of
        links that were deleted. Kept for ${It} days.</p></header>
    <${se} date=${e?.date??t} />
    ${e?s`<${ne} key=${e.date} data=${e} />`:n?s`<${G} title="Couldn't load the codes" message=${n.message}
        onRetry=${a} />`:s`<div class="panel" role="status" aria-label="Loading codes"><i
        class="bone title-bone"></i><div class="bars-bone"></div></div>`}
  </main>`}function se({date:t}){let e=at(Date.now()),n=st(e,-It),a=Number.isNaN(Date.parse(t))?e:t;return s`<div class="unknown-day">
    <${b} icon="back" label="Previous day" disabled=${a<=n}
      onClick=${()=>nt(st(a,-1))} />
    <label><span class="quiet">Day (UTC)</span>
      <input class="field" type="date" required min=${n} max=${e} value=${a}
        onChange=${o=>o.target.validity.valid&&nt(o.target.value)} /></label>
    <${b} icon="back" class="forward" label="Next day" disabled=${a>=e}
      onClick=${()=>nt(st(a,1))} /></div>`}function ne({data:{date:t,total:e,codes:n}}){let[a,o]=u(P),r=[];for(let i=0;i<Math.min(a,n.length);i+=P)r.push(n.slice(i,i+P));return s`<${z} id="unknown" title=${y(e,"visit","visits")}
    extra=${n.length>0&&s`<${b} icon="download" label="Export codes as CSV"
      onClick=${()=>M(...Lt(t,n))} />`}>
    ${n.length?s`<ul class="bars">${r.map((i,l)=>s`<${re} key=${l} codes=${i}
          highest=${n[0].count} />`)}</ul>`:s`<p class="panel-empty quiet">Nobody looked for a code without a link.</p>`}
    ${n.length>a&&s`<p class="panel-more"><button type="button" class="text-button"
      onClick=${()=>o(a+P)}>
      Show ${h(Math.min(P,n.length-a))} more</button></p>`}
  <//>`}function ae(t){let[e,n]=u({}),a=t.map(o=>o.short_code).join(",");return f(()=>{let o=new AbortController;return g("GET",N("/api/recent",{short_codes:a}),{signal:o.signal}).then(({clicks:r})=>n(r)).catch(()=>{}),()=>o.abort()},[a]),e}function re({codes:t,highest:e}){let n=ae(t);return t.map(({short_code:a,count:o,error:r})=>s`<li class="unknown" key=${a}>
    <span class="bar">
      <span class="bar-fill" style=${{transform:`scaleX(${o/e})`}}></span>
      <span class="bar-code mono">${a}</span><span class="bar-name"></span>
      <${ie} n=${o} error=${r} /></span>
    ${Object.hasOwn(n,a)?s`<a class="text-button" href=${`/ui/links/${a}`}
        aria-label=${`Show the link ${a}`}><span>Show<span
          class="unknown-more"> the link</span></span></a>`:s`<a class="text-button" href=${N("/ui/",{code:a})}
        aria-label=${`Create this link: ${a}`}><span>Create<span
          class="unknown-more"> this link</span></span></a>`}</li>`)}var ie=({n:t,error:e})=>e?s`<span class="bar-count" title=${`Between ${h(t-e)} and ${h(t)} times`}>
    ${h(t-e)}–${h(t)}</span>`:s`<span class="bar-count">${h(t)}</span>`;export{Zt as LinkPage,Wt as Overview,oe as Unknown};
