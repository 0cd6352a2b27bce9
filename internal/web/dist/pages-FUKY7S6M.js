import{a as Et,f as Y,m as qt}from"./chunk-2M27JZCI.js";import{a as tt,b as et,c as ot,d as st}from"./chunk-IDAJQHFM.js";import{a as Rt,b as Ut}from"./chunk-QUMTLINL.js";import{m as J}from"./chunk-2EMFZHOC.js";import"./chunk-ZZGKPRYP.js";import{b as xt}from"./chunk-G7RYRW7M.js";import{a as z,b as W,c as Dt,d as X,f as I}from"./chunk-TULNJS2H.js";import{d as kt,e as yt}from"./chunk-LVW5UB23.js";import{d as Lt,e as Tt}from"./chunk-JLZ4MDFI.js";import"./chunk-KRR7AGZT.js";import{a as vt,d as Ct,e as St}from"./chunk-PNWE3WK5.js";import{b as g,g as wt,m as A,t as Z,y as _t}from"./chunk-ECZEFQF6.js";import"./chunk-2PYVH3MR.js";import"./chunk-LBTNOKNR.js";import{a as F,c as E}from"./chunk-7FXM3Z4H.js";import{a as gt,b as P,c as K}from"./chunk-OY4QQMVY.js";import{A as dt,B as mt,C as B,D as C,E as d,F as k,G as ft,H as V,J as D,M as ht,N as y,P as N,Q as G,R as it,U as Q,W as j,X as bt,b as u,c as h,d as x,e as O,h as T,i as n,j as rt,k as m,l as w,n as M,q as ct,w as ut,x as b,y as pt,z as $t}from"./chunk-EIQ3LMFE.js";var Ot=t=>M(new Date(t));function Bt({starts_at:t,expires_at:e,max_clicks:a,clicks_left:s},o=Date.now()){return[t&&(Date.parse(t)>o?`Starts ${Ot(t)}`:""),e&&`${Date.parse(e)>o?"Ends":"Ended"} ${Ot(e)}`,a&&(s===void 0?`Ends after ${w(a,"click","clicks")}`:`${m(s)} of ${w(a,"click","clicks")} left`)].filter(Boolean)}var Qt={301:"Permanent redirect (301)",302:"Redirect 302",307:"Redirect 307",308:"Permanent redirect (308)"};function Nt(t){return[t.password&&"Password",t.rules?.length&&w(t.rules.length,"rule","rules"),t.redirect_status&&Qt[t.redirect_status],t.forward_query&&"Forwards the query",t.forward_path&&"Forwards the path"].filter(Boolean)}function Pt({code:t,link:e,onDialog:a}){let s=e?[...Bt(e),...Nt(e)]:[];return n`<header class="link-head">
    <a class="back" href=${A.href}><${d} name="back" />Links</a>
    <div class="link-title"><h1 class="mono"><span class="quiet">${C}/</span>${t}</h1>
      <span class="link-actions"><${V} text=${B(t)}
        label="Copy the short URL" />
        <${k} icon="qr" label="QR code" onClick=${()=>a("qr")} />
        <a class="icon-button" href=${B(t)} target="_blank" rel="noreferrer noopener"
          aria-label="Open the short URL, which counts as a click"
          title="Open the short URL (counts as a click)"><${d} name="open" /></a></span>
      <span class="link-end">
        <button type="button" class="button" disabled=${!e}
          onClick=${()=>a("edit")}>Edit</button>
        <${k} icon="more" label="More actions" disabled=${!e} aria-haspopup="dialog"
          onClick=${()=>a("menu")} /></span></div>
    ${(e?.title||e?.tags)&&n`<div class="link-name">
      <h2>${e.title&&b(e.title)}</h2><${_t} tags=${e.tags} /></div>`}
    ${e?n`<${Kt} key=${t} link=${e} />`:n`<p class="link-leads"><i class="bone wide"></i></p>`}
    ${e&&(s.length>0||I[e.status])&&n`<ul class="link-facts">
      ${I[e.status]&&n`<li><${jt} status=${e.status} /></li>`}
      ${s.map(o=>n`<li key=${o}>${o}</li>`)}</ul>`}
    ${e?.note&&n`<p class="link-note quiet">${pt(e.note)}</p>`}
  </header>`}var jt=({status:t})=>I[t]&&n`<span class="state-badge">${I[t]}</span>`;function Kt({link:t}){let[e,a]=u(!1),s=O(),o=()=>{a(!1),requestAnimationFrame(()=>s.current?.querySelector("button").focus())};if(e)return n`<${zt} link=${t} onLeave=${o} />`;let{original_url:r,created_at:i}=t,l=ut(r);return n`<div class="link-leads" ref=${s}><${d} name="arrow" />
    ${l?n`<a class="leads" href=${l.href} target="_blank" rel="noreferrer noopener"
        title=${b(r)}><${it} url=${r} /></a>`:n`<span class="leads"><${it} url=${r} /></span>`}
    <${k} icon="edit" label="Change the destination" onClick=${()=>a(!0)} />
    <${Zt} code=${t.short_code}>
      <time class="quiet" datetime=${i} title=${M(new Date(i))}>
        Created ${ct(new Date(i),"long")}</time><//></div>`}function Zt({code:t,children:e}){let a=T(Dt),s=a?.code===t?a:null;if(h(()=>{s&&y(s.undo?"Saved. Undo is offered.":"Saved")},[s]),!s)return e;let o=async()=>{try{await s.undo(),y("Changed back")}catch(r){D(r.status===412?"Not changed back: someone else edited the link.":`Not changed back: ${r.message}`)}};return n`<span class="saved"><${d} name="done" />Saved
    ${s.undo&&n`<button type="button" class="text-button" onClick=${o}>Undo</button>`}
  </span>`}function zt({link:t,onLeave:e}){let[a,s]=u(t),[o,r]=u(t.original_url),[i,l]=u(""),[p,c]=u(!1),f=O();h(()=>f.current.select(),[]);let $=async v=>{v.preventDefault();let R=o===a.original_url?o:vt(o);if(p||R===a.original_url)return p||e();let U=Ct(R);if(U)return l(U);c(!0);try{await X(a,{original_url:R}),e()}catch(_){l(await L(_)),c(!1)}},L=async({status:v,field:R,message:U})=>{if(v===0)return"Not saved: can't reach the server. Your text is kept.";if(R==="original_url")return St(o,U);if(v!==412)return U;try{let _=await z(a.short_code);return s(_),_.original_url===a.original_url?"Someone else edited this link. Save again to change its destination.":`Someone else changed it to ${b(_.original_url)}. Save again to overwrite.`}catch(_){return _.message}};return n`<form class="link-edit" onSubmit=${$}>
    <input ref=${f} class="field mono" type="text" inputmode="url" aria-label="Destination"
      autocomplete="off" autocapitalize="off" spellcheck=${!1} value=${o}
      onInput=${v=>{r(v.target.value),l("")}}
      onKeyDown=${v=>v.key==="Escape"&&e()} aria-invalid=${!!i}
      aria-describedby=${i?"destination-problem":void 0} />
    <button type="button" class="button" onClick=${e}>Cancel</button>
    <button class="button primary" aria-busy=${p}>Save</button>
    <${ht} text=${o} />
    ${i&&n`<p id="destination-problem" class="problem" role="alert">${i}</p>`}
  </form>`}var Wt=t=>dt?mt+new URL(t).pathname:t;function Xt(t){let[e,a]=u(void 0),[s,o]=u(""),[r,i]=u(!1),l=`/api/urls/${encodeURIComponent(t)}/share`,p=async(c,f)=>{i(!0),o("");try{let $=await g(c,l,{signal:f});return a($?Wt($.url):""),!0}catch($){return E($)||($.field==="share"?a(""):o($.message)),!1}finally{i(!1)}};return h(()=>{let c=new AbortController;return p("GET",c.signal),()=>c.abort()},[l]),{url:e,problem:s,busy:r,ask:p}}function At({code:t,onClose:e}){let{url:a,problem:s,busy:o,ask:r}=Xt(t),i=async()=>{!o&&await r("POST")&&y("Shared")},l=async()=>{!o&&await r("DELETE")&&y("No longer shared")};return n`<${N} label="Share statistics" class="sharing" onClose=${e}>
    <${G} onClose=${e}>Share statistics<//>
    <p>A page with the clicks of <b class="mono">${C}/${t}</b>, for people without a
      token. Whoever has its address sees the link's title and its clicks, but not where it leads,
      and no note, tag or full referrer.</p>
    <div class="sharing-address">${a?n`<${Yt} url=${a} />`:a===""?n`<p class="quiet">Not shared.</p>`:null}</div>
    ${s&&n`<p class="problem" role="alert">${s}</p>`}
    <div class="buttons">${a?n`<button type="button" class="button" aria-busy=${o} onClick=${l}>
          Stop sharing</button>
        <button type="button" class="button primary" onClick=${e}>Done</button>`:n`<button type="button" class="button" onClick=${e}>Cancel</button>
        <button type="button" class="button primary" aria-busy=${o}
          disabled=${a===void 0} onClick=${i}>Share</button>`}</div>
    ${a&&n`<p class="hint">The address stops working when you stop sharing. Sharing again
      makes another one.</p>`}
  <//>`}var Yt=({url:t})=>n`
  <input class="field mono" type="text" readonly aria-label="Address of the shared page"
    value=${t} onFocus=${e=>e.target.select()} />
  <${V} text=${t} label="Copy the address" />
  <a class="icon-button" href=${t} target="_blank" rel="noreferrer noopener"
    aria-label="Open the shared page" title="Open the shared page"><${d} name="open" /></a>`;function It({link:t,onClose:e,onDelete:a,onCleared:s}){let[o,r]=u(""),{short_code:i,disabled:l}=t,p=async()=>{e();try{await X(t,{disabled:l?null:!0})}catch(c){D(c.status===412?"Not changed: someone else edited the link.":`Not changed: ${c.message}`)}};return o==="clear"?n`<${Jt} code=${i} onClose=${e} onCleared=${s} />`:o==="share"?n`<${At} code=${i} onClose=${e} />`:n`<${N} label=${`More actions for ${i}`} class="sheet" onClose=${e}>
    <button type="button" class="sheet-item" onClick=${p}>
      <${d} name=${l?"done":"pause"} />${l?"Enable":"Disable"}</button>
    <button type="button" class="sheet-item" onClick=${()=>r("share")}>
      <${d} name="share" />Share statistics</button>
    <button type="button" class="sheet-item" onClick=${()=>r("clear")}>
      <${d} name="remove" />Delete statistics</button>
    <button type="button" class="sheet-item danger" onClick=${()=>{e(),a()}}>
      <${d} name="remove" />Delete</button>
    <button type="button" class="sheet-item" onClick=${e}>
      <${d} name="close" />Cancel</button>
  <//>`}function Jt({code:t,onClose:e,onCleared:a}){let[s,o]=u(!1),[r,i]=u("");return n`<${N} label="Delete statistics" onClose=${e}><form onSubmit=${async p=>{if(p.preventDefault(),!s){o(!0);try{await g("DELETE",`/api/urls/${encodeURIComponent(t)}/clicks`),e(),a(),D("Statistics deleted")}catch(c){i(c.message),o(!1)}}}}>
    <${G} onClose=${e}>Delete statistics?<//>
    <p>All clicks of <b class="mono">${C}/${t}</b> are forgotten. The link itself stays.
      This can't be undone.</p>
    ${r&&n`<p class="problem" role="alert">${r}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${e}>Cancel</button>
      <button class="button danger" aria-busy=${s}>Delete statistics</button></div>
  </form><//>`}var nt=(t,e)=>({name:t,clicks:e,get:(a,s)=>g("GET",a,s),pause:2e3});function te(t){let e=T(W),[a,s]=u(null),[o,r]=u(0);return x(()=>{let i=new AbortController,l=async()=>{try{let c=await z(t,i.signal);s(null),W.set(c)}catch(c){E(c)||s(c)}};W.set(Z(t)??null),l(),addEventListener("focus",l);let p=F.watch(c=>c==="up"&&l());return()=>{p(),removeEventListener("focus",l),i.abort()}},[t,o]),[e?.short_code===t?e:null,a,()=>r(o+1)]}function ee({code:t}){let[e,a]=u(""),s=st(),[o,r,i]=te(t),l=`/api/urls/${encodeURIComponent(t)}`,p={...nt(t,`${l}/clicks`),events:`${l}/events`},c=J(p,s);x(()=>{document.title=`${t} · terse`,scrollTo(0,0)},[t]),h(()=>{o?.title&&(document.title=`${b(o.title)} · ${t} · terse`)},[o?.title]);let f=()=>{o&&(yt({short_code:t,original_url:o.original_url}),y(`Deleted ${t}. Press Z to undo.`),K(A.href))};bt({q:()=>a("qr"),e:()=>a("edit"),c:async()=>D(await ft(B(t))?`Copied ${C}/${t}`:"Couldn't copy"),Delete:f});let $=()=>a("");return r?.status===404||c.error?.status===404||kt(t)?n`<${oe} code=${t} />`:n`<main class="page" id="main">
    <${Pt} code=${t} link=${o} onDialog=${a} />
    ${o?n`<${ot} source=${p} view=${s} clicks=${c}
        nothing=${n`<${et} code=${t} onQR=${()=>a("qr")} />`}
        isNew=${L=>Date.parse(o.created_at)>=L} />
      ${o.updated_at&&n`<${xt} link=${o} />`}`:r&&n`<${Q} title="Couldn't load the link" message=${r.message}
        onRetry=${()=>{i(),c.reload()}} />`}
    ${e==="qr"&&n`<${Y} code=${t} onClose=${$} />`}
    ${e==="edit"&&o&&n`<${Et} code=${t} onClose=${$} />`}
    ${e==="menu"&&o&&n`<${It} link=${o} onClose=${$}
      onDelete=${f} onCleared=${c.reload} />`}
  </main>`}var oe=({code:t})=>n`<main class="page" id="main"><div class="state">
  <h1>Link not found</h1><p>"${t}" doesn't exist or was deleted.</p>
  <a class="button" href=${A.href}>Back to links</a></div></main>`;var Ht={...nt("overview","/api/overview"),events:"/api/events",ofAll:!0};function se(){let[t,e]=u(""),a=st(),s=J(Ht,a);x(()=>{document.title="Overview · terse",scrollTo(0,0)},[]);let{data:o}=s,r=l=>(o?.top_links.find(p=>p.short_code===l)??Z(l))?.title,i=o?.top_links[0]?.short_code;return n`<main class="page" id="main">
    <header class="overview-head"><h1>Overview</h1><p class="quiet">
      ${o?w(o.links,"link","links"):""}</p>
      <${qt} query=${{tag:a.tags}} ask=${({tag:l})=>a.setTags(l)} /></header>
    <${ot} source=${{...Ht,titleOf:r}} view=${a} clicks=${s}
      isNew=${()=>o?.links===0}
      nothing=${i?n`<${et} code=${i} onQR=${()=>e(i)} />`:n`<p><a href="/ui/">Create a link</a> and open it.</p>`}>
      ${l=>n`<${ne} links=${o.top_links} measures=${l} />`}
    <//>
    ${t&&n`<${Y} code=${t} onClose=${()=>e("")} />`}
  </main>`}function ne({links:t,measures:e}){let{clicks:a}=e,s=t[0]?.clicks??0,o=({short_code:r,title:i,original_url:l,clicks:p})=>n`<li key=${r}><a class="bar" href=${`/ui/links/${r}`}
      title=${`${b(i??r)}
${b(l)}`}>
      <span class="bar-fill" style=${{transform:`scaleX(${p/s})`}}></span>
      ${i&&n`<span class="bar-title"><bdi>${b(i)}</bdi></span>`}
      <span class="bar-code mono">${r}</span><span class="bar-name quiet">
        <bdi dir="ltr">${$t(l).join("")}</bdi></span>
      <span class="bar-count">${m(p)}</span></a></li>`;return n`<${tt} id="top" wide=${!0} title="Top links"
    extra=${t.length>0&&n`<${k} icon="download" label="Export top links as CSV"
      onClick=${()=>j(...Tt("overview",t,e))} />`}>
    ${t.length?n`<${Rt} rows="Link" measure=${a} />
        <ul class="bars" style=${Ut(s)}>${t.map(o)}</ul>`:n`<p class="panel-empty quiet">These links were deleted.</p>`}
  <//>`}var lt=t=>new Date(t).toISOString().slice(0,10),q=(t,e)=>lt(Date.parse(t)+e*864e5),Ft=t=>/^\d{4}-\d\d-\d\d$/.test(t)&&!Number.isNaN(Date.parse(t))&&q(t,0)===t,Mt=(t,e)=>Array.from({length:e},(a,s)=>q(t,s+1-e));var ae=1e3,S=30,H=50,Vt="Not found",re=rt({dateStyle:"long",timeZone:"UTC"}),ie=rt({month:"short",day:"numeric",timeZone:"UTC"}),le=t=>re().format(Date.parse(t)),Gt=t=>ie().format(Date.parse(t)),at=t=>K(P("/ui/unknown",{date:t}));function ce(t){let[{asked:e,data:a,error:s},o]=u({}),[r,i]=u(0);return h(()=>{let l=new AbortController,p={limit:ae,...t?{date:t}:{days:S}},c=async()=>{try{let $=await g("GET",P("/api/unknown",p),{signal:l.signal});o({asked:t,data:$})}catch($){if(E($))return;o(L=>({asked:t,data:L.asked===t?L.data:null,error:$}))}};c(),addEventListener("focus",c);let f=F.watch($=>$==="up"&&c());return()=>{f(),removeEventListener("focus",c),l.abort()}},[t,r]),e===t?{data:a,error:s,retry:()=>i(r+1)}:{}}function ue(){let t=T(gt).query.get("date")??"",{data:e,error:a,retry:s}=ce(t),o=O(null);return h(()=>{e&&(o.current!==null&&o.current!==t&&y(`${t?le(t):`${S} days`}: ${w(e.total,"visit","visits")}`),o.current=t)},[e,t]),x(()=>{document.title=`${Vt} · terse`,scrollTo(0,0)},[]),n`<main class="page" id="main">
    <header class="unknown-head"><h1>${Vt}</h1>
      <p class="quiet">Codes that people looked for and that no link has: a misprint, or a link that
        was deleted too early. Kept for ${S} days, which begin at midnight UTC.</p></header>
    <${pe} date=${t} />
    ${e?n`<${$e} key=${t} date=${t} data=${e} />`:a?n`<${Q} title="Couldn't load the codes" message=${a.message}
        onRetry=${s} />`:n`<div class="panel" role="status" aria-label="Loading codes"><i
        class="bone title-bone"></i><div class="bars-bone"></div></div>`}
  </main>`}function pe({date:t}){let e=lt(Date.now()),a=q(e,1-S),s=Ft(t)?t:e;return n`<div class="unknown-days" role="group" aria-label="Days">
    <button type="button" class="button" aria-pressed=${!t} onClick=${()=>at("")}>
      Last ${S} days</button>
    <span class="unknown-day" data-on=${!!t}>
      <${k} icon="back" label="Previous day" disabled=${s<=a}
        onClick=${()=>at(q(s,-1))} />
      <label><span class="quiet">One day</span>
        <input class="field" type="date" required min=${a} max=${e}
          value=${t?s:""} onChange=${o=>o.target.validity.valid&&at(o.target.value)} /></label>
      <${k} icon="back" class="forward" label="Next day"
        disabled=${!t||s>=e} onClick=${()=>at(q(s,1))} /></span>
  </div>`}function $e({date:t,data:{date:e,total:a,codes:s}}){let[o,r]=u(H),i=t?[]:Mt(e,S),l=[];for(let c=0;c<Math.min(o,s.length);c+=H)l.push(s.slice(c,c+H));let p=t||`${S}-days-to-${e}`;return n`<${tt} id="unknown" title=${w(a,"visit","visits")}
    extra=${s.length>0&&n`<${k} icon="download" label="Export codes as CSV"
      onClick=${()=>j(...Lt(p,i,s))} />`}>
    ${s.length?n`<table class="unknown"><thead><tr><th scope="col">Code</th>
          ${!t&&n`<th scope="col" class="unknown-spark">Last ${S} days</th>
            <th scope="col" class="unknown-last">Last visit</th>`}
          <th scope="col" class="end">Visits</th>
          <th><span class="unseen">Link</span></th></tr></thead>
          <tbody>${l.map((c,f)=>n`<${me} key=${f} codes=${c} days=${i} />`)}</tbody></table>`:n`<p class="panel-empty quiet">Nobody looked for a code without a link.</p>`}
    ${s.length>o&&n`<p class="panel-more"><button type="button" class="text-button"
      onClick=${()=>r(o+H)}>
      Show ${m(Math.min(H,s.length-o))} more</button></p>`}
  <//>`}function de(t){let[e,a]=u({}),s=t.map(o=>o.short_code).join(",");return h(()=>{let o=new AbortController;return g("GET",P("/api/recent",{short_codes:s}),{signal:o.signal}).then(({clicks:r})=>a(r)).catch(()=>{}),()=>o.abort()},[s]),e}function me({codes:t,days:e}){let a=de(t);return t.map(({short_code:s,count:o,error:r,by_date:i})=>n`<tr key=${s}>
    <th scope="row" class="mono">${s}</th>
    ${i&&n`<td class="unknown-spark"><${he} days=${e} byDate=${i} /></td>
      <td class="unknown-last quiet">${Gt(fe(i))}</td>`}
    <td class="end"><${be} n=${o} error=${r} /></td>
    <td class="unknown-link">${Object.hasOwn(a,s)?n`<a class="text-button" href=${`/ui/links/${s}`}
        aria-label=${`Show the link ${s}`}>Show<span class="unknown-more"> the link</span></a>`:n`<a class="text-button" href=${P("/ui/",{code:s})}
        aria-label=${`Create this link: ${s}`}>Create<span
          class="unknown-more"> this link</span></a>`}</td></tr>`)}var fe=t=>Object.keys(t).sort().at(-1);function he({days:t,byDate:e}){let[a]=Object.entries(e).sort(([,o],[,r])=>r-o)[0],s=`Most on ${Gt(a)}: ${m(e[a])}`;return n`<svg class="spark" viewBox=${`0 0 ${3*t.length} 20`} role="img"
    aria-label=${s}><title>${s}</title>
    <path d=${wt(t.map(o=>e[o]??0))} /></svg>`}var be=({n:t,error:e})=>e?n`<span title=${`Between ${m(t-e)} and ${m(t)} times`}>
    ${m(t-e)}–${m(t)}</span>`:m(t);export{ee as LinkPage,se as Overview,ue as Unknown};
