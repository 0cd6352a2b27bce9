import{a as Bt,b as J,c as Nt,d as Pt}from"./chunk-HOSMGA6Z.js";import{a as qt,f as W,m as Rt}from"./chunk-YKHIFXF7.js";import{a as Y,b as tt,c as et,d as ot}from"./chunk-65YWHTD2.js";import{a as Ut,b as Ot}from"./chunk-JYRKN2AQ.js";import{m as X}from"./chunk-4AYOEZCU.js";import"./chunk-CQ5BCSGB.js";import"./chunk-GIT5BM5A.js";import{b as Tt}from"./chunk-A6B6WGHJ.js";import{a as K,b as Z,c as _t,d as z,f as A}from"./chunk-GYCB65KH.js";import{d as bt,e as kt}from"./chunk-WTXZAN6C.js";import{d as Dt,e as Et}from"./chunk-LOAF4HOH.js";import"./chunk-VERH77BP.js";import{a as Ct,d as St,e as Lt}from"./chunk-EG65HM2L.js";import{C as xt,b as g,g as gt,h as wt,k as vt,q as P,x as F}from"./chunk-GKH2TNPE.js";import"./chunk-A22ICIJG.js";import{a as H,c as D}from"./chunk-CSD52RKA.js";import{a as yt,b as N,c as j}from"./chunk-S46MJI4S.js";import{A as $t,B as pt,C as mt,D as O,E as v,F as m,G as k,H as dt,J as M,L as x,O as ft,P as y,R as B,S as V,T as rt,W as G,Y as Q,Z as ht,b as u,c as f,d as L,e as R,h as _,i as s,j as at,k as h,l as U,n as it,r as lt,x as ct,y as b,z as ut}from"./chunk-B7TPDEC6.js";function At({code:t,link:e,onDialog:a}){let n=e?[...wt(e),...vt(e)]:[];return s`<header class="link-head">
    <a class="back" href=${P.href}><${m} name="back" />Links</a>
    <div class="link-title"><h1 class="mono"><span class="quiet">${v}/</span>${t}</h1>
      <span class="link-actions"><${M} text=${O(t)}
        label="Copy the short URL" />
        <${k} icon="qr" label="QR code" onClick=${()=>a("qr")} />
        <a class="icon-button" href=${O(t)} target="_blank" rel="noreferrer noopener"
          aria-label="Open the short URL, which counts as a click"
          title="Open the short URL (counts as a click)"><${m} name="open" /></a></span>
      <span class="link-end">
        <button type="button" class="button" disabled=${!e}
          onClick=${()=>a("edit")}>Edit</button>
        <${k} icon="more" label="More actions" disabled=${!e} aria-haspopup="dialog"
          onClick=${()=>a("menu")} /></span></div>
    ${(e?.title||e?.tags)&&s`<div class="link-name">
      <h2>${e.title&&b(e.title)}</h2><${xt} tags=${e.tags} /></div>`}
    ${e?s`<${jt} key=${t} link=${e} />`:s`<p class="link-leads"><i class="bone wide"></i></p>`}
    ${e&&(n.length>0||A[e.status])&&s`<ul class="link-facts">
      ${A[e.status]&&s`<li><${Qt} status=${e.status} /></li>`}
      ${n.map(o=>s`<li key=${o}>${o}</li>`)}</ul>`}
    ${e?.note&&s`<p class="link-note quiet">${ut(e.note)}</p>`}
  </header>`}var Qt=({status:t})=>A[t]&&s`<span class="state-badge">${A[t]}</span>`;function jt({link:t}){let[e,a]=u(!1),n=R(),o=()=>{a(!1),requestAnimationFrame(()=>n.current?.querySelector("button").focus())};if(e)return s`<${Kt} link=${t} onLeave=${o} />`;let{original_url:r,created_at:i}=t,l=ct(r);return s`<div class="link-leads" ref=${n}><${m} name="arrow" />
    ${l?s`<a class="leads" href=${l.href} target="_blank" rel="noreferrer noopener"
        title=${b(r)}><${rt} url=${r} /></a>`:s`<span class="leads"><${rt} url=${r} /></span>`}
    <${k} icon="edit" label="Change the destination" onClick=${()=>a(!0)} />
    <${Ft} code=${t.short_code}>
      <time class="quiet" datetime=${i} title=${it(new Date(i))}>
        Created ${lt(new Date(i),"long")}</time><//></div>`}function Ft({code:t,children:e}){let a=_(_t),n=a?.code===t?a:null;if(f(()=>{n&&y(n.undo?"Saved. Undo is offered.":"Saved")},[n]),!n)return e;let o=async()=>{try{await n.undo(),y("Changed back")}catch(r){x(r.status===412?"Not changed back: someone else edited the link.":`Not changed back: ${r.message}`)}};return s`<span class="saved"><${m} name="done" />Saved
    ${n.undo&&s`<button type="button" class="text-button" onClick=${o}>Undo</button>`}
  </span>`}function Kt({link:t,onLeave:e}){let[a,n]=u(t),[o,r]=u(t.original_url),[i,l]=u(""),[$,c]=u(!1),d=R();f(()=>d.current.select(),[]);let p=async w=>{w.preventDefault();let E=o===a.original_url?o:Ct(o);if($||E===a.original_url)return $||e();let q=St(E);if(q)return l(q);c(!0);try{await z(a,{original_url:E}),e()}catch(S){l(await T(S)),c(!1)}},T=async({status:w,field:E,message:q})=>{if(w===0)return"Not saved: can't reach the server. Your text is kept.";if(E==="original_url")return Lt(o,q);if(w!==412)return q;try{let S=await K(a.short_code);return n(S),S.original_url===a.original_url?"Someone else edited this link. Save again to change its destination.":`Someone else changed it to ${b(S.original_url)}. Save again to overwrite.`}catch(S){return S.message}};return s`<form class="link-edit" onSubmit=${p}>
    <input ref=${d} class="field mono" type="text" inputmode="url" aria-label="Destination"
      autocomplete="off" autocapitalize="off" spellcheck=${!1} value=${o}
      onInput=${w=>{r(w.target.value),l("")}}
      onKeyDown=${w=>w.key==="Escape"&&e()} aria-invalid=${!!i}
      aria-describedby=${i?"destination-problem":void 0} />
    <button type="button" class="button" onClick=${e}>Cancel</button>
    <button class="button primary" aria-busy=${$}>Save</button>
    <${ft} text=${o} />
    ${i&&s`<p id="destination-problem" class="problem" role="alert">${i}</p>`}
  </form>`}var Zt=t=>pt?mt+new URL(t).pathname:t;function zt(t){let[e,a]=u(void 0),[n,o]=u(""),[r,i]=u(!1),l=`/api/urls/${encodeURIComponent(t)}/share`,$=async(c,d)=>{i(!0),o("");try{let p=await g(c,l,{signal:d});return a(p?Zt(p.url):""),!0}catch(p){return D(p)||(p.field==="share"?a(""):o(p.message)),!1}finally{i(!1)}};return f(()=>{let c=new AbortController;return $("GET",c.signal),()=>c.abort()},[l]),{url:e,problem:n,busy:r,ask:$}}function It({code:t,onClose:e}){let{url:a,problem:n,busy:o,ask:r}=zt(t),i=async()=>{!o&&await r("POST")&&y("Shared")},l=async()=>{!o&&await r("DELETE")&&y("No longer shared")};return s`<${B} label="Share statistics" class="sharing" onClose=${e}>
    <${V} onClose=${e}>Share statistics<//>
    <p>A page with the clicks of <b class="mono">${v}/${t}</b>, for people without a
      token. Whoever has its address sees the link's title and its clicks, but not where it leads,
      and no note, tag or full referrer.</p>
    <div class="sharing-address">${a?s`<${Wt} url=${a} />`:a===""?s`<p class="quiet">Not shared.</p>`:null}</div>
    ${n&&s`<p class="problem" role="alert">${n}</p>`}
    <div class="buttons">${a?s`<button type="button" class="button" aria-busy=${o} onClick=${l}>
          Stop sharing</button>
        <button type="button" class="button primary" onClick=${e}>Done</button>`:s`<button type="button" class="button" onClick=${e}>Cancel</button>
        <button type="button" class="button primary" aria-busy=${o}
          disabled=${a===void 0} onClick=${i}>Share</button>`}</div>
    ${a&&s`<p class="hint">The address stops working when you stop sharing. Sharing again
      makes another one.</p>`}
  <//>`}var Wt=({url:t})=>s`
  <input class="field mono" type="text" readonly aria-label="Address of the shared page"
    value=${t} onFocus=${e=>e.target.select()} />
  <${M} text=${t} label="Copy the address" />
  <a class="icon-button" href=${t} target="_blank" rel="noreferrer noopener"
    aria-label="Open the shared page" title="Open the shared page"><${m} name="open" /></a>`;function Ht({link:t,onClose:e,onDelete:a,onCleared:n}){let[o,r]=u(""),{short_code:i,disabled:l}=t,$=async()=>{e();try{await z(t,{disabled:l?null:!0})}catch(c){x(c.status===412?"Not changed: someone else edited the link.":`Not changed: ${c.message}`)}};return o==="clear"?s`<${Xt} code=${i} onClose=${e} onCleared=${n} />`:o==="share"?s`<${It} code=${i} onClose=${e} />`:s`<${B} label=${`More actions for ${i}`} class="sheet" onClose=${e}>
    <button type="button" class="sheet-item" onClick=${$}>
      <${m} name=${l?"done":"pause"} />${l?"Enable":"Disable"}</button>
    <button type="button" class="sheet-item" onClick=${()=>r("share")}>
      <${m} name="share" />Share statistics</button>
    <button type="button" class="sheet-item" onClick=${()=>r("clear")}>
      <${m} name="remove" />Delete statistics</button>
    <button type="button" class="sheet-item danger" onClick=${()=>{e(),a()}}>
      <${m} name="remove" />Delete</button>
    <button type="button" class="sheet-item" onClick=${e}>
      <${m} name="close" />Cancel</button>
  <//>`}function Xt({code:t,onClose:e,onCleared:a}){let[n,o]=u(!1),[r,i]=u("");return s`<${B} label="Delete statistics" onClose=${e}><form onSubmit=${async $=>{if($.preventDefault(),!n){o(!0);try{await g("DELETE",`/api/urls/${encodeURIComponent(t)}/clicks`),e(),a(),x("Statistics deleted")}catch(c){i(c.message),o(!1)}}}}>
    <${V} onClose=${e}>Delete statistics?<//>
    <p>All clicks of <b class="mono">${v}/${t}</b> are forgotten. The link itself stays.
      This can't be undone.</p>
    ${r&&s`<p class="problem" role="alert">${r}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${e}>Cancel</button>
      <button class="button danger" aria-busy=${n}>Delete statistics</button></div>
  </form><//>`}var st=(t,e)=>({name:t,clicks:e,get:(a,n)=>g("GET",a,n),pause:2e3});function Yt(t){let e=_(Z),[a,n]=u(null),[o,r]=u(0);return L(()=>{let i=new AbortController,l=async()=>{try{let c=await K(t,i.signal);n(null),Z.set(c)}catch(c){D(c)||n(c)}};Z.set(F(t)??null),l(),addEventListener("focus",l);let $=H.watch(c=>c==="up"&&l());return()=>{$(),removeEventListener("focus",l),i.abort()}},[t,o]),[e?.short_code===t?e:null,a,()=>r(o+1)]}function Jt({code:t}){let[e,a]=u(""),n=ot(),[o,r,i]=Yt(t),l=`/api/urls/${encodeURIComponent(t)}`,$={...st(t,`${l}/clicks`),events:`${l}/events`},c=X($,n);L(()=>{document.title=`${t} · terse`,scrollTo(0,0)},[t]),f(()=>{o?.title&&(document.title=`${b(o.title)} · ${t} · terse`)},[o?.title]);let d=()=>{o&&(kt({short_code:t,original_url:o.original_url}),y(`Deleted ${t}. Press Z to undo.`),j(P.href))};ht({q:()=>a("qr"),e:()=>a("edit"),c:async()=>x(await dt(O(t))?`Copied ${v}/${t}`:"Couldn't copy"),Delete:d});let p=()=>a("");return r?.status===404||c.error?.status===404||bt(t)?s`<${te} code=${t} />`:s`<main class="page" id="main">
    <${At} code=${t} link=${o} onDialog=${a} />
    ${o?s`<${et} source=${$} view=${n} clicks=${c}
        nothing=${s`<${tt} code=${t} onQR=${()=>a("qr")} />`}
        isNew=${T=>Date.parse(o.created_at)>=T} />
      ${o.updated_at&&s`<${Tt} link=${o} />`}`:r&&s`<${G} title="Couldn't load the link" message=${r.message}
        onRetry=${()=>{i(),c.reload()}} />`}
    ${e==="qr"&&s`<${W} code=${t} onClose=${p} />`}
    ${e==="edit"&&o&&s`<${qt} code=${t} onClose=${p} />`}
    ${e==="menu"&&o&&s`<${Ht} link=${o} onClose=${p}
      onDelete=${d} onCleared=${c.reload} />`}
  </main>`}var te=({code:t})=>s`<main class="page" id="main"><div class="state">
  <h1>Link not found</h1><p>"${t}" doesn't exist or was deleted.</p>
  <a class="button" href=${P.href}>Back to links</a></div></main>`;var Mt={...st("overview","/api/overview"),events:"/api/events",ofAll:!0};function ee(){let[t,e]=u(""),a=ot(),n=X(Mt,a);L(()=>{document.title="Overview · terse",scrollTo(0,0)},[]);let{data:o}=n,r=l=>(o?.top_links.find($=>$.short_code===l)??F(l))?.title,i=o?.top_links[0]?.short_code;return s`<main class="page" id="main">
    <header class="overview-head"><h1>Overview</h1><p class="quiet">
      ${o?U(o.links,"link","links"):""}</p>
      <${Rt} query=${{tag:a.tags}} ask=${({tag:l})=>a.setTags(l)} /></header>
    <${et} source=${{...Mt,titleOf:r}} view=${a} clicks=${n}
      isNew=${()=>o?.links===0}
      nothing=${i?s`<${tt} code=${i} onQR=${()=>e(i)} />`:s`<p><a href="/ui/">Create a link</a> and open it.</p>`}>
      ${l=>s`<${oe} links=${o.top_links} measures=${l} />`}
    <//>
    ${t&&s`<${W} code=${t} onClose=${()=>e("")} />`}
  </main>`}function oe({links:t,measures:e}){let{clicks:a}=e,n=t[0]?.clicks??0,o=({short_code:r,title:i,original_url:l,clicks:$})=>s`<li key=${r}><a class="bar" href=${`/ui/links/${r}`}
      title=${`${b(i??r)}
${b(l)}`}>
      <span class="bar-fill" style=${{transform:`scaleX(${$/n})`}}></span>
      ${i&&s`<span class="bar-title"><bdi>${b(i)}</bdi></span>`}
      <span class="bar-code mono">${r}</span><span class="bar-name quiet">
        <bdi dir="ltr">${$t(l).join("")}</bdi></span>
      <span class="bar-count">${h($)}</span></a></li>`;return s`<${Y} id="top" wide=${!0} title="Top links"
    extra=${t.length>0&&s`<${k} icon="download" label="Export top links as CSV"
      onClick=${()=>Q(...Et("overview",t,e))} />`}>
    ${t.length?s`<${Ut} rows="Link" measure=${a} />
        <ul class="bars" style=${Ot(n)}>${t.map(o)}</ul>`:s`<p class="panel-empty quiet">These links were deleted.</p>`}
  <//>`}var se=1e3,C=30,I=50,Vt="Not found",ne=at({dateStyle:"long",timeZone:"UTC"}),ae=at({month:"short",day:"numeric",timeZone:"UTC"}),re=t=>ne().format(Date.parse(t)),Gt=t=>ae().format(Date.parse(t)),nt=t=>j(N("/ui/unknown",{date:t}));function ie(t){let[{asked:e,data:a,error:n},o]=u({}),[r,i]=u(0);return f(()=>{let l=new AbortController,$={limit:se,...t?{date:t}:{days:C}},c=async()=>{try{let p=await g("GET",N("/api/unknown",$),{signal:l.signal});o({asked:t,data:p})}catch(p){if(D(p))return;o(T=>({asked:t,data:T.asked===t?T.data:null,error:p}))}};c(),addEventListener("focus",c);let d=H.watch(p=>p==="up"&&c());return()=>{d(),removeEventListener("focus",c),l.abort()}},[t,r]),e===t?{data:a,error:n,retry:()=>i(r+1)}:{}}function le(){let t=_(yt).query.get("date")??"",{data:e,error:a,retry:n}=ie(t),o=R(null);return f(()=>{e&&(o.current!==null&&o.current!==t&&y(`${t?re(t):`${C} days`}: ${U(e.total,"visit","visits")}`),o.current=t)},[e,t]),L(()=>{document.title=`${Vt} · terse`,scrollTo(0,0)},[]),s`<main class="page" id="main">
    <header class="unknown-head"><h1>${Vt}</h1>
      <p class="quiet">Codes that people looked for and that no link has: a misprint, or a link that
        was deleted too early. Kept for ${C} days, which begin at midnight UTC.</p></header>
    <${ce} date=${t} />
    ${e?s`<${ue} key=${t} date=${t} data=${e} />`:a?s`<${G} title="Couldn't load the codes" message=${a.message}
        onRetry=${n} />`:s`<div class="panel" role="status" aria-label="Loading codes"><i
        class="bone title-bone"></i><div class="bars-bone"></div></div>`}
  </main>`}function ce({date:t}){let e=Bt(Date.now()),a=J(e,1-C),n=Nt(t)?t:e;return s`<div class="unknown-days" role="group" aria-label="Days">
    <button type="button" class="button" aria-pressed=${!t} onClick=${()=>nt("")}>
      Last ${C} days</button>
    <span class="unknown-day" data-on=${!!t}>
      <${k} icon="back" label="Previous day" disabled=${n<=a}
        onClick=${()=>nt(J(n,-1))} />
      <label><span class="quiet">One day</span>
        <input class="field" type="date" required min=${a} max=${e}
          value=${t?n:""} onChange=${o=>o.target.validity.valid&&nt(o.target.value)} /></label>
      <${k} icon="back" class="forward" label="Next day"
        disabled=${!t||n>=e} onClick=${()=>nt(J(n,1))} /></span>
  </div>`}function ue({date:t,data:{date:e,total:a,codes:n}}){let[o,r]=u(I),i=t?[]:Pt(e,C),l=[];for(let c=0;c<Math.min(o,n.length);c+=I)l.push(n.slice(c,c+I));let $=t||`${C}-days-to-${e}`;return s`<${Y} id="unknown" title=${U(a,"visit","visits")}
    extra=${n.length>0&&s`<${k} icon="download" label="Export codes as CSV"
      onClick=${()=>Q(...Dt($,i,n))} />`}>
    ${n.length?s`<table class="unknown"><thead><tr><th scope="col">Code</th>
          ${!t&&s`<th scope="col" class="unknown-spark">Last ${C} days</th>
            <th scope="col" class="unknown-last">Last visit</th>`}
          <th scope="col" class="end">Visits</th>
          <th><span class="unseen">Link</span></th></tr></thead>
          <tbody>${l.map((c,d)=>s`<${pe} key=${d} codes=${c} days=${i} />`)}</tbody></table>`:s`<p class="panel-empty quiet">Nobody looked for a code without a link.</p>`}
    ${n.length>o&&s`<p class="panel-more"><button type="button" class="text-button"
      onClick=${()=>r(o+I)}>
      Show ${h(Math.min(I,n.length-o))} more</button></p>`}
  <//>`}function $e(t){let[e,a]=u({}),n=t.map(o=>o.short_code).join(",");return f(()=>{let o=new AbortController;return g("GET",N("/api/recent",{short_codes:n}),{signal:o.signal}).then(({clicks:r})=>a(r)).catch(()=>{}),()=>o.abort()},[n]),e}function pe({codes:t,days:e}){let a=$e(t);return t.map(({short_code:n,count:o,error:r,by_date:i})=>s`<tr key=${n}>
    <th scope="row" class="mono">${n}</th>
    ${i&&s`<td class="unknown-spark"><${de} days=${e} byDate=${i} /></td>
      <td class="unknown-last quiet">${Gt(me(i))}</td>`}
    <td class="end"><${fe} n=${o} error=${r} /></td>
    <td class="unknown-link">${Object.hasOwn(a,n)?s`<a class="text-button" href=${`/ui/links/${n}`}
        aria-label=${`Show the link ${n}`}>Show<span class="unknown-more"> the link</span></a>`:s`<a class="text-button" href=${N("/ui/",{code:n})}
        aria-label=${`Create this link: ${n}`}>Create<span
          class="unknown-more"> this link</span></a>`}</td></tr>`)}var me=t=>Object.keys(t).sort().at(-1);function de({days:t,byDate:e}){let[a]=Object.entries(e).sort(([,o],[,r])=>r-o)[0],n=`Most on ${Gt(a)}: ${h(e[a])}`;return s`<svg class="spark" viewBox=${`0 0 ${3*t.length} 20`} role="img"
    aria-label=${n}><title>${n}</title>
    <path d=${gt(t.map(o=>e[o]??0))} /></svg>`}var fe=({n:t,error:e})=>e?s`<span title=${`Between ${h(t-e)} and ${h(t)} times`}>
    ${h(t-e)}–${h(t)}</span>`:h(t);export{Jt as LinkPage,ee as Overview,le as Unknown};
