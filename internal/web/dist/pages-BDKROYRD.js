import{a as Rt,f as X,m as Ut}from"./chunk-UEJZ3P6M.js";import{a as J,b as tt,c as et,d as ot}from"./chunk-HN2SDS4A.js";import{a as Ot,b as Nt}from"./chunk-CSIUFP4S.js";import{m as Y}from"./chunk-P5LK5KCM.js";import"./chunk-X4MLVFI4.js";import{b as Tt}from"./chunk-DWJL7WZA.js";import{a as Z,b as z,c as _t,d as W,f as P}from"./chunk-AWWBW2XM.js";import{d as kt,e as yt}from"./chunk-7EZT7IEC.js";import{d as Et,e as qt}from"./chunk-B62H5LRH.js";import"./chunk-T5DWKXGH.js";import{a as St,d as Lt,e as Dt}from"./chunk-URBZI2JD.js";import{C as xt,b as g,g as wt,h as vt,k as Ct,q as I,x as K}from"./chunk-66DA3MCB.js";import"./chunk-HR2WDUUC.js";import"./chunk-LBTNOKNR.js";import{a as M,c as _}from"./chunk-HJGBUGDL.js";import{a as gt,b as A,c as F}from"./chunk-PG5OKJ3A.js";import{A as $t,B as mt,C as dt,D as N,E as v,F as m,G as k,H as ft,I as V,K as D,N as ht,O as y,Q as B,R as G,S as rt,V as Q,X as j,Y as bt,b as u,c as f,d as L,e as U,h as T,i as s,j as at,k as h,l as O,n as lt,r as ct,x as ut,y as b,z as pt}from"./chunk-7IEWZMB5.js";function Bt({code:t,link:e,onDialog:a}){let n=e?[...vt(e),...Ct(e)]:[];return s`<header class="link-head">
    <a class="back" href=${I.href}><${m} name="back" />Links</a>
    <div class="link-title"><h1 class="mono"><span class="quiet">${v}/</span>${t}</h1>
      <span class="link-actions"><${V} text=${N(t)}
        label="Copy the short URL" />
        <${k} icon="qr" label="QR code" onClick=${()=>a("qr")} />
        <a class="icon-button" href=${N(t)} target="_blank" rel="noreferrer noopener"
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
    ${e&&(n.length>0||P[e.status])&&s`<ul class="link-facts">
      ${P[e.status]&&s`<li><${Qt} status=${e.status} /></li>`}
      ${n.map(o=>s`<li key=${o}>${o}</li>`)}</ul>`}
    ${e?.note&&s`<p class="link-note quiet">${pt(e.note)}</p>`}
  </header>`}var Qt=({status:t})=>P[t]&&s`<span class="state-badge">${P[t]}</span>`;function jt({link:t}){let[e,a]=u(!1),n=U(),o=()=>{a(!1),requestAnimationFrame(()=>n.current?.querySelector("button").focus())};if(e)return s`<${Kt} link=${t} onLeave=${o} />`;let{original_url:r,created_at:i}=t,l=ut(r);return s`<div class="link-leads" ref=${n}><${m} name="arrow" />
    ${l?s`<a class="leads" href=${l.href} target="_blank" rel="noreferrer noopener"
        title=${b(r)}><${rt} url=${r} /></a>`:s`<span class="leads"><${rt} url=${r} /></span>`}
    <${k} icon="edit" label="Change the destination" onClick=${()=>a(!0)} />
    <${Ft} code=${t.short_code}>
      <time class="quiet" datetime=${i} title=${lt(new Date(i))}>
        Created ${ct(new Date(i),"long")}</time><//></div>`}function Ft({code:t,children:e}){let a=T(_t),n=a?.code===t?a:null;if(f(()=>{n&&y(n.undo?"Saved. Undo is offered.":"Saved")},[n]),!n)return e;let o=async()=>{try{await n.undo(),y("Changed back")}catch(r){D(r.status===412?"Not changed back: someone else edited the link.":`Not changed back: ${r.message}`)}};return s`<span class="saved"><${m} name="done" />Saved
    ${n.undo&&s`<button type="button" class="text-button" onClick=${o}>Undo</button>`}
  </span>`}function Kt({link:t,onLeave:e}){let[a,n]=u(t),[o,r]=u(t.original_url),[i,l]=u(""),[p,c]=u(!1),d=U();f(()=>d.current.select(),[]);let $=async w=>{w.preventDefault();let q=o===a.original_url?o:St(o);if(p||q===a.original_url)return p||e();let R=Lt(q);if(R)return l(R);c(!0);try{await W(a,{original_url:q}),e()}catch(S){l(await x(S)),c(!1)}},x=async({status:w,field:q,message:R})=>{if(w===0)return"Not saved: can't reach the server. Your text is kept.";if(q==="original_url")return Dt(o,R);if(w!==412)return R;try{let S=await Z(a.short_code);return n(S),S.original_url===a.original_url?"Someone else edited this link. Save again to change its destination.":`Someone else changed it to ${b(S.original_url)}. Save again to overwrite.`}catch(S){return S.message}};return s`<form class="link-edit" onSubmit=${$}>
    <input ref=${d} class="field mono" type="text" inputmode="url" aria-label="Destination"
      autocomplete="off" autocapitalize="off" spellcheck=${!1} value=${o}
      onInput=${w=>{r(w.target.value),l("")}}
      onKeyDown=${w=>w.key==="Escape"&&e()} aria-invalid=${!!i}
      aria-describedby=${i?"destination-problem":void 0} />
    <button type="button" class="button" onClick=${e}>Cancel</button>
    <button class="button primary" aria-busy=${p}>Save</button>
    <${ht} text=${o} />
    ${i&&s`<p id="destination-problem" class="problem" role="alert">${i}</p>`}
  </form>`}var Zt=t=>mt?dt+new URL(t).pathname:t;function zt(t){let[e,a]=u(void 0),[n,o]=u(""),[r,i]=u(!1),l=`/api/urls/${encodeURIComponent(t)}/share`,p=async(c,d)=>{i(!0),o("");try{let $=await g(c,l,{signal:d});return a($?Zt($.url):""),!0}catch($){return _($)||($.field==="share"?a(""):o($.message)),!1}finally{i(!1)}};return f(()=>{let c=new AbortController;return p("GET",c.signal),()=>c.abort()},[l]),{url:e,problem:n,busy:r,ask:p}}function At({code:t,onClose:e}){let{url:a,problem:n,busy:o,ask:r}=zt(t),i=async()=>{!o&&await r("POST")&&y("Shared")},l=async()=>{!o&&await r("DELETE")&&y("No longer shared")};return s`<${B} label="Share statistics" class="sharing" onClose=${e}>
    <${G} onClose=${e}>Share statistics<//>
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
  <${V} text=${t} label="Copy the address" />
  <a class="icon-button" href=${t} target="_blank" rel="noreferrer noopener"
    aria-label="Open the shared page" title="Open the shared page"><${m} name="open" /></a>`;function It({link:t,onClose:e,onDelete:a,onCleared:n}){let[o,r]=u(""),{short_code:i,disabled:l}=t,p=async()=>{e();try{await W(t,{disabled:l?null:!0})}catch(c){D(c.status===412?"Not changed: someone else edited the link.":`Not changed: ${c.message}`)}};return o==="clear"?s`<${Xt} code=${i} onClose=${e} onCleared=${n} />`:o==="share"?s`<${At} code=${i} onClose=${e} />`:s`<${B} label=${`More actions for ${i}`} class="sheet" onClose=${e}>
    <button type="button" class="sheet-item" onClick=${p}>
      <${m} name=${l?"done":"pause"} />${l?"Enable":"Disable"}</button>
    <button type="button" class="sheet-item" onClick=${()=>r("share")}>
      <${m} name="share" />Share statistics</button>
    <button type="button" class="sheet-item" onClick=${()=>r("clear")}>
      <${m} name="remove" />Delete statistics</button>
    <button type="button" class="sheet-item danger" onClick=${()=>{e(),a()}}>
      <${m} name="remove" />Delete</button>
    <button type="button" class="sheet-item" onClick=${e}>
      <${m} name="close" />Cancel</button>
  <//>`}function Xt({code:t,onClose:e,onCleared:a}){let[n,o]=u(!1),[r,i]=u("");return s`<${B} label="Delete statistics" onClose=${e}><form onSubmit=${async p=>{if(p.preventDefault(),!n){o(!0);try{await g("DELETE",`/api/urls/${encodeURIComponent(t)}/clicks`),e(),a(),D("Statistics deleted")}catch(c){i(c.message),o(!1)}}}}>
    <${G} onClose=${e}>Delete statistics?<//>
    <p>All clicks of <b class="mono">${v}/${t}</b> are forgotten. The link itself stays.
      This can't be undone.</p>
    ${r&&s`<p class="problem" role="alert">${r}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${e}>Cancel</button>
      <button class="button danger" aria-busy=${n}>Delete statistics</button></div>
  </form><//>`}var st=(t,e)=>({name:t,clicks:e,get:(a,n)=>g("GET",a,n),pause:2e3});function Yt(t){let e=T(z),[a,n]=u(null),[o,r]=u(0);return L(()=>{let i=new AbortController,l=async()=>{try{let c=await Z(t,i.signal);n(null),z.set(c)}catch(c){_(c)||n(c)}};z.set(K(t)??null),l(),addEventListener("focus",l);let p=M.watch(c=>c==="up"&&l());return()=>{p(),removeEventListener("focus",l),i.abort()}},[t,o]),[e?.short_code===t?e:null,a,()=>r(o+1)]}function Jt({code:t}){let[e,a]=u(""),n=ot(),[o,r,i]=Yt(t),l=`/api/urls/${encodeURIComponent(t)}`,p={...st(t,`${l}/clicks`),events:`${l}/events`},c=Y(p,n);L(()=>{document.title=`${t} · terse`,scrollTo(0,0)},[t]),f(()=>{o?.title&&(document.title=`${b(o.title)} · ${t} · terse`)},[o?.title]);let d=()=>{o&&(yt({short_code:t,original_url:o.original_url}),y(`Deleted ${t}. Press Z to undo.`),F(I.href))};bt({q:()=>a("qr"),e:()=>a("edit"),c:async()=>D(await ft(N(t))?`Copied ${v}/${t}`:"Couldn't copy"),Delete:d});let $=()=>a("");return r?.status===404||c.error?.status===404||kt(t)?s`<${te} code=${t} />`:s`<main class="page" id="main">
    <${Bt} code=${t} link=${o} onDialog=${a} />
    ${o?s`<${et} source=${p} view=${n} clicks=${c}
        nothing=${s`<${tt} code=${t} onQR=${()=>a("qr")} />`}
        isNew=${x=>Date.parse(o.created_at)>=x} />
      ${o.updated_at&&s`<${Tt} link=${o} />`}`:r&&s`<${Q} title="Couldn't load the link" message=${r.message}
        onRetry=${()=>{i(),c.reload()}} />`}
    ${e==="qr"&&s`<${X} code=${t} onClose=${$} />`}
    ${e==="edit"&&o&&s`<${Rt} code=${t} onClose=${$} />`}
    ${e==="menu"&&o&&s`<${It} link=${o} onClose=${$}
      onDelete=${d} onCleared=${c.reload} />`}
  </main>`}var te=({code:t})=>s`<main class="page" id="main"><div class="state">
  <h1>Link not found</h1><p>"${t}" doesn't exist or was deleted.</p>
  <a class="button" href=${I.href}>Back to links</a></div></main>`;var Pt={...st("overview","/api/overview"),events:"/api/events",ofAll:!0};function ee(){let[t,e]=u(""),a=ot(),n=Y(Pt,a);L(()=>{document.title="Overview · terse",scrollTo(0,0)},[]);let{data:o}=n,r=l=>(o?.top_links.find(p=>p.short_code===l)??K(l))?.title,i=o?.top_links[0]?.short_code;return s`<main class="page" id="main">
    <header class="overview-head"><h1>Overview</h1><p class="quiet">
      ${o?O(o.links,"link","links"):""}</p>
      <${Ut} query=${{tag:a.tags}} ask=${({tag:l})=>a.setTags(l)} /></header>
    <${et} source=${{...Pt,titleOf:r}} view=${a} clicks=${n}
      isNew=${()=>o?.links===0}
      nothing=${i?s`<${tt} code=${i} onQR=${()=>e(i)} />`:s`<p><a href="/ui/">Create a link</a> and open it.</p>`}>
      ${l=>s`<${oe} links=${o.top_links} measures=${l} />`}
    <//>
    ${t&&s`<${X} code=${t} onClose=${()=>e("")} />`}
  </main>`}function oe({links:t,measures:e}){let{clicks:a}=e,n=t[0]?.clicks??0,o=({short_code:r,title:i,original_url:l,clicks:p})=>s`<li key=${r}><a class="bar" href=${`/ui/links/${r}`}
      title=${`${b(i??r)}
${b(l)}`}>
      <span class="bar-fill" style=${{transform:`scaleX(${p/n})`}}></span>
      ${i&&s`<span class="bar-title"><bdi>${b(i)}</bdi></span>`}
      <span class="bar-code mono">${r}</span><span class="bar-name quiet">
        <bdi dir="ltr">${$t(l).join("")}</bdi></span>
      <span class="bar-count">${h(p)}</span></a></li>`;return s`<${J} id="top" wide=${!0} title="Top links"
    extra=${t.length>0&&s`<${k} icon="download" label="Export top links as CSV"
      onClick=${()=>j(...qt("overview",t,e))} />`}>
    ${t.length?s`<${Ot} rows="Link" measure=${a} />
        <ul class="bars" style=${Nt(n)}>${t.map(o)}</ul>`:s`<p class="panel-empty quiet">These links were deleted.</p>`}
  <//>`}var it=t=>new Date(t).toISOString().slice(0,10),E=(t,e)=>it(Date.parse(t)+e*864e5),Ht=t=>/^\d{4}-\d\d-\d\d$/.test(t)&&!Number.isNaN(Date.parse(t))&&E(t,0)===t,Mt=(t,e)=>Array.from({length:e},(a,n)=>E(t,n+1-e));var se=1e3,C=30,H=50,Vt="Not found",ne=at({dateStyle:"long",timeZone:"UTC"}),ae=at({month:"short",day:"numeric",timeZone:"UTC"}),re=t=>ne().format(Date.parse(t)),Gt=t=>ae().format(Date.parse(t)),nt=t=>F(A("/ui/unknown",{date:t}));function ie(t){let[{asked:e,data:a,error:n},o]=u({}),[r,i]=u(0);return f(()=>{let l=new AbortController,p={limit:se,...t?{date:t}:{days:C}},c=async()=>{try{let $=await g("GET",A("/api/unknown",p),{signal:l.signal});o({asked:t,data:$})}catch($){if(_($))return;o(x=>({asked:t,data:x.asked===t?x.data:null,error:$}))}};c(),addEventListener("focus",c);let d=M.watch($=>$==="up"&&c());return()=>{d(),removeEventListener("focus",c),l.abort()}},[t,r]),e===t?{data:a,error:n,retry:()=>i(r+1)}:{}}function le(){let t=T(gt).query.get("date")??"",{data:e,error:a,retry:n}=ie(t),o=U(null);return f(()=>{e&&(o.current!==null&&o.current!==t&&y(`${t?re(t):`${C} days`}: ${O(e.total,"visit","visits")}`),o.current=t)},[e,t]),L(()=>{document.title=`${Vt} · terse`,scrollTo(0,0)},[]),s`<main class="page" id="main">
    <header class="unknown-head"><h1>${Vt}</h1>
      <p class="quiet">Codes that people looked for and that no link has: a misprint, or a link that
        was deleted too early. Kept for ${C} days, which begin at midnight UTC.</p></header>
    <${ce} date=${t} />
    ${e?s`<${ue} key=${t} date=${t} data=${e} />`:a?s`<${Q} title="Couldn't load the codes" message=${a.message}
        onRetry=${n} />`:s`<div class="panel" role="status" aria-label="Loading codes"><i
        class="bone title-bone"></i><div class="bars-bone"></div></div>`}
  </main>`}function ce({date:t}){let e=it(Date.now()),a=E(e,1-C),n=Ht(t)?t:e;return s`<div class="unknown-days" role="group" aria-label="Days">
    <button type="button" class="button" aria-pressed=${!t} onClick=${()=>nt("")}>
      Last ${C} days</button>
    <span class="unknown-day" data-on=${!!t}>
      <${k} icon="back" label="Previous day" disabled=${n<=a}
        onClick=${()=>nt(E(n,-1))} />
      <label><span class="quiet">One day</span>
        <input class="field" type="date" required min=${a} max=${e}
          value=${t?n:""} onChange=${o=>o.target.validity.valid&&nt(o.target.value)} /></label>
      <${k} icon="back" class="forward" label="Next day"
        disabled=${!t||n>=e} onClick=${()=>nt(E(n,1))} /></span>
  </div>`}function ue({date:t,data:{date:e,total:a,codes:n}}){let[o,r]=u(H),i=t?[]:Mt(e,C),l=[];for(let c=0;c<Math.min(o,n.length);c+=H)l.push(n.slice(c,c+H));let p=t||`${C}-days-to-${e}`;return s`<${J} id="unknown" title=${O(a,"visit","visits")}
    extra=${n.length>0&&s`<${k} icon="download" label="Export codes as CSV"
      onClick=${()=>j(...Et(p,i,n))} />`}>
    ${n.length?s`<table class="unknown"><thead><tr><th scope="col">Code</th>
          ${!t&&s`<th scope="col" class="unknown-spark">Last ${C} days</th>
            <th scope="col" class="unknown-last">Last visit</th>`}
          <th scope="col" class="end">Visits</th>
          <th><span class="unseen">Link</span></th></tr></thead>
          <tbody>${l.map((c,d)=>s`<${$e} key=${d} codes=${c} days=${i} />`)}</tbody></table>`:s`<p class="panel-empty quiet">Nobody looked for a code without a link.</p>`}
    ${n.length>o&&s`<p class="panel-more"><button type="button" class="text-button"
      onClick=${()=>r(o+H)}>
      Show ${h(Math.min(H,n.length-o))} more</button></p>`}
  <//>`}function pe(t){let[e,a]=u({}),n=t.map(o=>o.short_code).join(",");return f(()=>{let o=new AbortController;return g("GET",A("/api/recent",{short_codes:n}),{signal:o.signal}).then(({clicks:r})=>a(r)).catch(()=>{}),()=>o.abort()},[n]),e}function $e({codes:t,days:e}){let a=pe(t);return t.map(({short_code:n,count:o,error:r,by_date:i})=>s`<tr key=${n}>
    <th scope="row" class="mono">${n}</th>
    ${i&&s`<td class="unknown-spark"><${de} days=${e} byDate=${i} /></td>
      <td class="unknown-last quiet">${Gt(me(i))}</td>`}
    <td class="end"><${fe} n=${o} error=${r} /></td>
    <td class="unknown-link">${Object.hasOwn(a,n)?s`<a class="text-button" href=${`/ui/links/${n}`}
        aria-label=${`Show the link ${n}`}>Show<span class="unknown-more"> the link</span></a>`:s`<a class="text-button" href=${A("/ui/",{code:n})}
        aria-label=${`Create this link: ${n}`}>Create<span
          class="unknown-more"> this link</span></a>`}</td></tr>`)}var me=t=>Object.keys(t).sort().at(-1);function de({days:t,byDate:e}){let[a]=Object.entries(e).sort(([,o],[,r])=>r-o)[0],n=`Most on ${Gt(a)}: ${h(e[a])}`;return s`<svg class="spark" viewBox=${`0 0 ${3*t.length} 20`} role="img"
    aria-label=${n}><title>${n}</title>
    <path d=${wt(t.map(o=>e[o]??0))} /></svg>`}var fe=({n:t,error:e})=>e?s`<span title=${`Between ${h(t-e)} and ${h(t)} times`}>
    ${h(t-e)}–${h(t)}</span>`:h(t);export{Jt as LinkPage,ee as Overview,le as Unknown};
