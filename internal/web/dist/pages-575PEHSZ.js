import{a as Gt,b as tt,c as Qt,d as jt}from"./chunk-HOSMGA6Z.js";import{a as Nt,f as X,m as Pt}from"./chunk-IYWWPIOS.js";import{a as J,b as et,c as ot,d as st}from"./chunk-L27MFHWL.js";import{a as Vt,b as Ft}from"./chunk-K3ING5IB.js";import{f as It,g as Ht,i as Mt,m as Y}from"./chunk-OGKY3UJM.js";import"./chunk-P5NLHDLW.js";import{c as At}from"./chunk-APLCKXZT.js";import{b as Rt}from"./chunk-4UJ5XYEJ.js";import{a as K,b as Z,c as Ut,d as W,f as z}from"./chunk-VQ4JKL63.js";import{d as gt,e as wt}from"./chunk-FFUFBBNV.js";import{d as Ot,e as Bt}from"./chunk-JOD6ODCJ.js";import"./chunk-BX7JQ4FX.js";import{f as Tt}from"./chunk-74QLAJ52.js";import{a as _t,d as qt,e as Et}from"./chunk-NNMME5EZ.js";import{D as Dt,b as y,g as Ct,h as St,k as Lt,q as A,y as j}from"./chunk-7RNX2GPN.js";import{j as xt}from"./chunk-A22ICIJG.js";import{a as I,c as q}from"./chunk-72OCHUFX.js";import{a as vt,b as N,c as Q}from"./chunk-NTYZJBCE.js";import{A as $t,B as mt,C as dt,D as B,E as w,F as v,G as b,H as ft,I as ht,J as bt,L as x,O as kt,P as k,R as H,S as M,T as V,W as F,Y as G,Z as yt,b as p,c as m,d as L,e as R,h as _,i as s,j as rt,k as d,l as U,m as it,n as O,r as lt,w as ct,x as ut,y as h,z as pt}from"./chunk-T63LDOMM.js";function Kt({code:t,link:e,view:a,clicks:n,onDialog:o}){let r=s`<span class="quiet">${w}/</span>${t}`;return s`<header class="link-head">
    <a class="back" href=${A.href}><${v} name="back" />Links</a>
    <div class="link-title">${e?.title?s`<h1><bdi>${h(e.title)}</bdi></h1>`:s`<h1 class="mono">${r}</h1>`}
      <span class="link-end">
        <button type="button" class="button" disabled=${!e}
          onClick=${()=>o("edit")}>Edit</button>
        <${b} icon="more" label="More actions" disabled=${!e} aria-haspopup="menu"
          onClick=${i=>o(i.currentTarget)} /></span></div>
    <div class="link-short">${e?.title&&s`<span class="mono short">${r}</span>`}
      <span class="link-actions"><${ee} text=${B(t)} />
        <${b} icon="qr" label="QR code" onClick=${()=>o("qr")} />
        <a class="icon-button" href=${B(t)} target="_blank" rel="noreferrer noopener"
          aria-label="Open the short URL, which counts as a click"
          title="Open the short URL (counts as a click)"><${v} name="open" /></a></span>
      <${Dt} tags=${e?.tags} /></div>
    ${e?s`<${ae} key=${t} link=${e} />`:s`<p class="link-leads"><i class="bone wide"></i></p>`}
    ${e?s`<${oe} link=${e} />`:s`<p class="link-facts"><i class="bone"></i></p>`}
    ${e?.note&&s`<p class="link-note"><span class="quiet">Note: </span>${pt(e.note)}</p>`}
    ${e?.rules?.length>0&&s`<${se} link=${e} view=${a} clicks=${n} />`}
  </header>`}function ee({text:t}){let[e,a]=ht();return s`<button type="button" class="button primary copy-short"
    aria-label="Copy the short URL" onClick=${()=>a(t)}>
    <${v} name=${e==="done"?"done":"copy"} />Copy
    ${e&&s`<span class="bubble" aria-hidden="true">
      ${e==="done"?"Copied":"Couldn't copy"}</span>`}</button>`}function oe({link:t}){let e=new Date(t.created_at);return s`<ul class="link-facts">
    ${z[t.status]&&s`<li><${ne} status=${t.status} /></li>`}
    ${[...St(t),...Lt(t)].map(a=>s`<li key=${a}>${a}</li>`)}
    <li><${re} code=${t.short_code}>
      <time datetime=${t.created_at} title=${O(e)}>Created ${lt(e,"long")}</time>
      <//></li></ul>`}function se({link:{rules:t},view:e,clicks:{data:a,panels:n}}){let o=n.rule&&a&&Mt(n.rule,It(e,a)),r=(i,c,u)=>{let l=ct(o?.counts??{},i)??0;return s`<li key=${i}><span>${c} <span class="quiet">→</span>${" "}
      ${u}</span>
      <span class="end">${o&&`${d(l)} ${o.measure.unit(l)}`}</span>
      <span class="end quiet">${o&&it(l,o.total)}</span></li>`};return s`<ol class="link-rules" aria-label="Rules in words">
    ${t.map((i,c)=>r(i.name,h(Tt(i,c)),s`<${V} url=${i.url} />`))}
    ${r("default","Everyone else","the destination")}</ol>`}var ne=({status:t})=>z[t]&&s`<span class="state-badge">${z[t]}</span>`;function ae({link:t}){let[e,a]=p(!1),n=R(),o=()=>{a(!1),requestAnimationFrame(()=>n.current?.querySelector("button").focus())};if(e)return s`<${ie} link=${t} onLeave=${o} />`;let{original_url:r}=t,i=ut(r);return s`<div class="link-leads" ref=${n}><${v} name="arrow" />
    ${i?s`<a class="leads" href=${i.href} target="_blank" rel="noreferrer noopener"
        title=${h(r)}><${V} url=${r} /></a>`:s`<span class="leads"><${V} url=${r} /></span>`}
    <${b} icon="edit" label="Change the destination"
      onClick=${()=>a(!0)} /></div>`}function re({code:t,children:e}){let a=_(Ut),n=a?.code===t?a:null;if(m(()=>{n&&k(n.undo?"Saved. Undo is offered.":"Saved")},[n]),!n)return e;let o=async()=>{try{await n.undo(),k("Changed back")}catch(r){x(r.status===412?"Not changed back: someone else edited the link.":`Not changed back: ${r.message}`)}};return s`<span class="saved"><${v} name="done" />Saved
    ${n.undo&&s`<button type="button" class="text-button" onClick=${o}>Undo</button>`}
  </span>`}function ie({link:t,onLeave:e}){let[a,n]=p(t),[o,r]=p(t.original_url),[i,c]=p(""),[u,l]=p(!1),f=R();m(()=>f.current.select(),[]);let $=async g=>{g.preventDefault();let E=o===a.original_url?o:_t(o);if(u||E===a.original_url)return u||e();let D=qt(E);if(D)return c(D);l(!0);try{await W(a,{original_url:E}),e()}catch(S){c(await T(S)),l(!1)}},T=async({status:g,field:E,message:D})=>{if(g===0)return"Not saved: can't reach the server. Your text is kept.";if(E==="original_url")return Et(o,D);if(g!==412)return D;try{let S=await K(a.short_code);return n(S),S.original_url===a.original_url?"Someone else edited this link. Save again to change its destination.":`Someone else changed it to ${h(S.original_url)}. Save again to overwrite.`}catch(S){return S.message}};return s`<form class="link-edit" onSubmit=${$}>
    <input ref=${f} class="field mono" type="text" inputmode="url" aria-label="Destination"
      autocomplete="off" autocapitalize="off" spellcheck=${!1} value=${o}
      onInput=${g=>{r(g.target.value),c("")}}
      onKeyDown=${g=>g.key==="Escape"&&e()} aria-invalid=${!!i}
      aria-describedby=${i?"destination-problem":void 0} />
    <button type="button" class="button" onClick=${e}>Cancel</button>
    <button class="button primary" aria-busy=${u}>Save</button>
    <${kt} text=${o} />
    ${i&&s`<p id="destination-problem" class="problem" role="alert">${i}</p>`}
  </form>`}function Zt({link:t,anchor:e,onClose:a,onChoose:n,onDelete:o}){let{short_code:r,disabled:i}=t,u=[{icon:i?"done":"pause",label:i?"Enable":"Disable",onChoose:async()=>{try{await W(t,{disabled:i?null:!0})}catch(l){x(l.status===412?"Not changed: someone else edited the link.":`Not changed: ${l.message}`)}}},{icon:"share",label:"Share statistics",onChoose:()=>n("share")},null,{icon:"remove",label:"Delete",onChoose:o},{icon:"remove",label:"Delete statistics",danger:!0,onChoose:()=>n("clear")}];return s`<${At} anchor=${e} label=${`More actions for ${r}`} items=${u}
    onClose=${a} />`}function Wt({code:t,onClose:e,onCleared:a}){let[n,o]=p(!1),[r,i]=p("");return s`<${H} label="Delete statistics" onClose=${e}><form onSubmit=${async u=>{if(u.preventDefault(),!n){o(!0);try{await y("DELETE",`/api/urls/${encodeURIComponent(t)}/clicks`),e(),a(),x("Statistics deleted")}catch(l){i(l.message),o(!1)}}}}>
    <${M} onClose=${e}>Delete statistics?<//>
    <p>All clicks of <b class="mono">${w}/${t}</b> are forgotten. The link itself stays.
      This can't be undone.</p>
    ${r&&s`<p class="problem" role="alert">${r}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${e}>Cancel</button>
      <button class="button danger" aria-busy=${n}>Delete statistics</button></div>
  </form><//>`}var nt=(t,e)=>({name:t,clicks:e,get:(a,n)=>y("GET",a,n),pause:2e3});var le=t=>mt?dt+new URL(t).pathname:t;function ce(t){let[e,a]=p(void 0),[n,o]=p(""),[r,i]=p(!1),c=`/api/urls/${encodeURIComponent(t)}/share`,u=async(l,f)=>{i(!0),o("");try{let $=await y(l,c,{signal:f});return a($?le($.url):""),!0}catch($){return q($)||($.field==="share"?a(""):o($.message)),!1}finally{i(!1)}};return m(()=>{let l=new AbortController;return u("GET",l.signal),()=>l.abort()},[c]),{url:e,problem:n,busy:r,ask:u}}function zt({code:t,onClose:e}){let{url:a,problem:n,busy:o,ask:r}=ce(t),i=async()=>{!o&&await r("POST")&&k("Shared")},c=async()=>{!o&&await r("DELETE")&&k("No longer shared")};return s`<${H} label="Share statistics" class="sharing" onClose=${e}>
    <${M} onClose=${e}>Share statistics<//>
    <p>A page with the clicks of <b class="mono">${w}/${t}</b>, for people without a
      token. Whoever has its address sees the link's title and its clicks, but not where it leads,
      and no note, tag or full referrer.</p>
    <div class="sharing-address">${a?s`<${ue} url=${a} />`:a===""?s`<p class="quiet">Not shared.</p>`:null}</div>
    ${n&&s`<p class="problem" role="alert">${n}</p>`}
    <div class="buttons">${a?s`<button type="button" class="button" aria-busy=${o} onClick=${c}>
          Stop sharing</button>
        <button type="button" class="button primary" onClick=${e}>Done</button>`:s`<button type="button" class="button" onClick=${e}>Cancel</button>
        <button type="button" class="button primary" aria-busy=${o}
          disabled=${a===void 0} onClick=${i}>Share</button>`}</div>
    ${a&&s`<p class="hint">The address stops working when you stop sharing. Sharing again
      makes another one.</p>`}
  <//>`}var ue=({url:t})=>s`
  <input class="field mono" type="text" readonly aria-label="Address of the shared page"
    value=${t} onFocus=${e=>e.target.select()} />
  <${bt} text=${t} label="Copy the address" />
  <a class="icon-button" href=${t} target="_blank" rel="noreferrer noopener"
    aria-label="Open the shared page" title="Open the shared page"><${v} name="open" /></a>`;var Xt=53;function pe(t){let e=_(Z),[a,n]=p(null),[o,r]=p(0);return L(()=>{let i=new AbortController,c=async()=>{try{let l=await K(t,i.signal);n(null),Z.set(l)}catch(l){q(l)||n(l)}};Z.set(j(t)??null),c(),addEventListener("focus",c);let u=I.watch(l=>l==="up"&&c());return()=>{u(),removeEventListener("focus",c),i.abort()}},[t,o]),[e?.short_code===t?e:null,a,()=>r(o+1)]}function $e({code:t}){let[e,a]=p(""),n=st(),[o,r,i]=pe(t),c=`/api/urls/${encodeURIComponent(t)}`,u={...nt(t,`${c}/clicks`),events:`${c}/events`},l=Y(u,n);L(()=>{document.title=`${t} · terse`,scrollTo(0,0)},[t]),m(()=>{o?.title&&(document.title=`${h(o.title)} · ${t} · terse`)},[o?.title]);let f=()=>{o&&(wt({short_code:t,original_url:o.original_url}),k(`Deleted ${t}. Press Z to undo.`),Q(A.href))};yt({q:()=>a("qr"),e:()=>a("edit"),c:async()=>x(await ft(B(t))?`Copied ${w}/${t}`:"Couldn't copy"),Delete:f});let $=()=>a("");return r?.status===404||l.error?.status===404||gt(t)?s`<${de} code=${t} />`:s`<main class="page" id="main">
    <${Kt} code=${t} link=${o} view=${n} clicks=${l}
      onDialog=${a} />
    <${me} view=${n} clicks=${l} />
    ${o?s`<${ot} source=${u} view=${n} clicks=${l}
        nothing=${s`<${et} code=${t} onQR=${()=>a("qr")} />`}
        isNew=${T=>Date.parse(o.created_at)>=T} />
      ${o.updated_at&&s`<${Rt} link=${o} />`}`:r&&s`<${F} title="Couldn't load the link" message=${r.message}
        onRetry=${()=>{i(),l.reload()}} />`}
    ${e==="qr"&&s`<${X} code=${t} onClose=${$} />`}
    ${e==="edit"&&o&&s`<${Nt} code=${t} onClose=${$} />`}
    ${e instanceof Element&&o&&s`<${Zt} link=${o} anchor=${e} onClose=${$} onChoose=${a}
      onDelete=${f} />`}
    ${e==="share"&&s`<${zt} code=${t} onClose=${$} />`}
    ${e==="clear"&&s`<${Wt} code=${t} onClose=${$} onCleared=${l.reload} />`}
  </main>`}function me({view:t,clicks:{data:e}}){let[a,n]=p(!1);if(m(()=>{let u=()=>{let l=document.querySelector(".figures");n(!!l&&l.getBoundingClientRect().bottom<Xt)};return addEventListener("scroll",u,{passive:!0}),()=>removeEventListener("scroll",u)},[]),!a||!e)return null;let{preset:o,from:r,to:i}=t.range;return s`<button type="button" class="in-sight" onClick=${()=>{let u=document.querySelector(".ranges");scrollBy(0,u.getBoundingClientRect().top-Xt-8),u.querySelector('[aria-pressed="true"]')?.focus({preventScroll:!0})}}>
    <span class="quiet">${o?xt(o):`${O(r)} to ${O(i)}`}</span>
    <b>${Ht(t,e)}</b></button>`}var de=({code:t})=>s`<main class="page" id="main"><div class="state">
  <h1>Link not found</h1><p>"${t}" doesn't exist or was deleted.</p>
  <a class="button" href=${A.href}>Back to links</a></div></main>`;var Yt={...nt("overview","/api/overview"),events:"/api/events",ofAll:!0};function fe(){let[t,e]=p(""),a=st(),n=Y(Yt,a);L(()=>{document.title="Overview · terse",scrollTo(0,0)},[]);let{data:o}=n,r=c=>(o?.top_links.find(u=>u.short_code===c)??j(c))?.title,i=o?.top_links[0]?.short_code;return s`<main class="page" id="main">
    <header class="overview-head"><h1>Overview</h1><p class="quiet">
      ${o?U(o.links,"link","links"):""}</p>
      <${Pt} query=${{tag:a.tags}} ask=${({tag:c})=>a.setTags(c)} /></header>
    <${ot} source=${{...Yt,titleOf:r}} view=${a} clicks=${n}
      isNew=${()=>o?.links===0}
      nothing=${i?s`<${et} code=${i} onQR=${()=>e(i)} />`:s`<p><a href="/ui/">Create a link</a> and open it.</p>`}>
      ${c=>s`<${he} links=${o.top_links} measures=${c} />`}
    <//>
    ${t&&s`<${X} code=${t} onClose=${()=>e("")} />`}
  </main>`}function he({links:t,measures:e}){let{clicks:a}=e,n=t[0]?.clicks??0,o=({short_code:r,title:i,original_url:c,clicks:u})=>s`<li key=${r}><a class="bar" href=${`/ui/links/${r}`}
      title=${`${h(i??r)}
${h(c)}`}>
      <span class="bar-fill" style=${{transform:`scaleX(${u/n})`}}></span>
      ${i&&s`<span class="bar-title"><bdi>${h(i)}</bdi></span>`}
      <span class="bar-code mono">${r}</span><span class="bar-name quiet">
        <bdi dir="ltr">${$t(c).join("")}</bdi></span>
      <span class="bar-count">${d(u)}</span></a></li>`;return s`<${J} id="top" wide=${!0} title="Top links"
    extra=${t.length>0&&s`<${b} icon="download" label="Export top links as CSV"
      onClick=${()=>G(...Bt("overview",t,e))} />`}>
    ${t.length?s`<${Vt} rows="Link" measure=${a} />
        <ul class="bars" style=${Ft(n)}>${t.map(o)}</ul>`:s`<p class="panel-empty quiet">These links were deleted.</p>`}
  <//>`}var be=1e3,C=30,P=50,Jt="Not found",ke=rt({dateStyle:"long",timeZone:"UTC"}),ye=rt({month:"short",day:"numeric",timeZone:"UTC"}),ge=t=>ke().format(Date.parse(t)),te=t=>ye().format(Date.parse(t)),at=t=>Q(N("/ui/unknown",{date:t}));function we(t){let[{asked:e,data:a,error:n},o]=p({}),[r,i]=p(0);return m(()=>{let c=new AbortController,u={limit:be,...t?{date:t}:{days:C}},l=async()=>{try{let $=await y("GET",N("/api/unknown",u),{signal:c.signal});o({asked:t,data:$})}catch($){if(q($))return;o(T=>({asked:t,data:T.asked===t?T.data:null,error:$}))}};l(),addEventListener("focus",l);let f=I.watch($=>$==="up"&&l());return()=>{f(),removeEventListener("focus",l),c.abort()}},[t,r]),e===t?{data:a,error:n,retry:()=>i(r+1)}:{}}function ve(){let t=_(vt).query.get("date")??"",{data:e,error:a,retry:n}=we(t),o=R(null);return m(()=>{e&&(o.current!==null&&o.current!==t&&k(`${t?ge(t):`${C} days`}: ${U(e.total,"visit","visits")}`),o.current=t)},[e,t]),L(()=>{document.title=`${Jt} · terse`,scrollTo(0,0)},[]),s`<main class="page" id="main">
    <header class="unknown-head"><h1>${Jt}</h1>
      <p class="quiet">Codes that people looked for and that no link has: a misprint, or a link that
        was deleted too early. Kept for ${C} days, which begin at midnight UTC.</p></header>
    <${Ce} date=${t} />
    ${e?s`<${Se} key=${t} date=${t} data=${e} />`:a?s`<${F} title="Couldn't load the codes" message=${a.message}
        onRetry=${n} />`:s`<div class="panel" role="status" aria-label="Loading codes"><i
        class="bone title-bone"></i><div class="bars-bone"></div></div>`}
  </main>`}function Ce({date:t}){let e=Gt(Date.now()),a=tt(e,1-C),n=Qt(t)?t:e;return s`<div class="unknown-days" role="group" aria-label="Days">
    <button type="button" class="button" aria-pressed=${!t} onClick=${()=>at("")}>
      Last ${C} days</button>
    <span class="unknown-day" data-on=${!!t}>
      <${b} icon="back" label="Previous day" disabled=${n<=a}
        onClick=${()=>at(tt(n,-1))} />
      <label><span class="quiet">One day</span>
        <input class="field" type="date" required min=${a} max=${e}
          value=${t?n:""} onChange=${o=>o.target.validity.valid&&at(o.target.value)} /></label>
      <${b} icon="back" class="forward" label="Next day"
        disabled=${!t||n>=e} onClick=${()=>at(tt(n,1))} /></span>
  </div>`}function Se({date:t,data:{date:e,total:a,codes:n}}){let[o,r]=p(P),i=t?[]:jt(e,C),c=[];for(let l=0;l<Math.min(o,n.length);l+=P)c.push(n.slice(l,l+P));let u=t||`${C}-days-to-${e}`;return s`<${J} id="unknown" title=${U(a,"visit","visits")}
    extra=${n.length>0&&s`<${b} icon="download" label="Export codes as CSV"
      onClick=${()=>G(...Ot(u,i,n))} />`}>
    ${n.length?s`<table class="unknown"><thead><tr><th scope="col">Code</th>
          ${!t&&s`<th scope="col" class="unknown-spark">Last ${C} days</th>
            <th scope="col" class="unknown-last">Last visit</th>`}
          <th scope="col" class="end">Visits</th>
          <th><span class="unseen">Link</span></th></tr></thead>
          <tbody>${c.map((l,f)=>s`<${xe} key=${f} codes=${l} days=${i} />`)}</tbody></table>`:s`<p class="panel-empty quiet">Nobody looked for a code without a link.</p>`}
    ${n.length>o&&s`<p class="panel-more"><button type="button" class="text-button"
      onClick=${()=>r(o+P)}>
      Show ${d(Math.min(P,n.length-o))} more</button></p>`}
  <//>`}function Le(t){let[e,a]=p({}),n=t.map(o=>o.short_code).join(",");return m(()=>{let o=new AbortController;return y("GET",N("/api/recent",{short_codes:n}),{signal:o.signal}).then(({clicks:r})=>a(r)).catch(()=>{}),()=>o.abort()},[n]),e}function xe({codes:t,days:e}){let a=Le(t);return t.map(({short_code:n,count:o,error:r,by_date:i})=>s`<tr key=${n}>
    <th scope="row" class="mono">${n}</th>
    ${i&&s`<td class="unknown-spark"><${_e} days=${e} byDate=${i} /></td>
      <td class="unknown-last quiet">${te(Te(i))}</td>`}
    <td class="end"><${qe} n=${o} error=${r} /></td>
    <td class="unknown-link">${Object.hasOwn(a,n)?s`<a class="text-button" href=${`/ui/links/${n}`}
        aria-label=${`Show the link ${n}`}>Show<span class="unknown-more"> the link</span></a>`:s`<a class="text-button" href=${N("/ui/",{code:n})}
        aria-label=${`Create this link: ${n}`}>Create<span
          class="unknown-more"> this link</span></a>`}</td></tr>`)}var Te=t=>Object.keys(t).sort().at(-1);function _e({days:t,byDate:e}){let[a]=Object.entries(e).sort(([,o],[,r])=>r-o)[0],n=`Most on ${te(a)}: ${d(e[a])}`;return s`<svg class="spark" viewBox=${`0 0 ${3*t.length} 20`} role="img"
    aria-label=${n}><title>${n}</title>
    <path d=${Ct(t.map(o=>e[o]??0))} /></svg>`}var qe=({n:t,error:e})=>e?s`<span title=${`Between ${d(t-e)} and ${d(t)} times`}>
    ${d(t-e)}–${d(t)}</span>`:d(t);export{$e as LinkPage,fe as Overview,ve as Unknown};
