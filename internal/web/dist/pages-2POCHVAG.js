import{b as at}from"./chunk-WSGJE6VD.js";import{e as ft}from"./chunk-LFBIHREG.js";import{a as A,b as I,c as it,d as F,e as L,f as ct,i as ut,j as pt,k as $t}from"./chunk-KBZFFNUA.js";import{c as ot,d as st}from"./chunk-5OFMCC26.js";import{b as C,l as T,s as nt,w as lt}from"./chunk-5PC4BVFW.js";import{a as dt,b as H,c as Q,d as M}from"./chunk-4MPDR5RI.js";import{f as V,g as ht}from"./chunk-VKVCTMHJ.js";import{g as mt}from"./chunk-DHCC2WN3.js";import{h as N}from"./chunk-2ICM5NG5.js";import"./chunk-JKNNT6MQ.js";import{a as z,c as q}from"./chunk-FF3G7ASX.js";import{c as rt}from"./chunk-D7E6UWU7.js";import{A as x,B as b,C as $,D as _,E as Z,F as O,H as v,K as g,L as E,M as P,N as K,O as J,Q as tt,R as et,b as u,c as k,d as D,e as j,h as R,i as o,k as U,l as S,n as B,q as W,v as X,w,x as Y}from"./chunk-PE56B7N7.js";var bt=t=>B(new Date(t));function gt({starts_at:t,expires_at:e,max_clicks:r,clicks_left:a},s=Date.now()){return[t&&(Date.parse(t)>s?`Starts ${bt(t)}`:""),e&&`${Date.parse(e)>s?"Ends":"Ended"} ${bt(e)}`,r&&(a===void 0?`Ends after ${S(r,"click","clicks")}`:`${U(a)} of ${S(r,"click","clicks")} left`)].filter(Boolean)}var xt={301:"Permanent redirect (301)",302:"Redirect 302",307:"Redirect 307",308:"Permanent redirect (308)"};function yt(t){return[t.password&&"Password",t.rules?.length&&S(t.rules.length,"rule","rules"),t.redirect_status&&xt[t.redirect_status],t.forward_query&&"Forwards the query",t.forward_path&&"Forwards the path"].filter(Boolean)}function kt({code:t,link:e,onDialog:r}){let a=e?[...gt(e),...yt(e)]:[];return o`<header class="link-head">
    <a class="back" href=${T.href}><${$} name="back" />Links</a>
    <div class="link-title"><h1 class="mono"><span class="quiet">${b}/</span>${t}</h1>
      <span class="link-actions"><${O} text=${x(t)}
        label="Copy the short URL" />
        <${_} icon="qr" label="QR code" onClick=${()=>r("qr")} />
        <a class="icon-button" href=${x(t)} target="_blank" rel="noreferrer noopener"
          aria-label="Open the short URL, which counts as a click"
          title="Open the short URL (counts as a click)"><${$} name="open" /></a></span>
      <span class="link-end">
        <button type="button" class="button" disabled=${!e}
          onClick=${()=>r("edit")}>Edit</button>
        <${_} icon="more" label="More actions" disabled=${!e} aria-haspopup="dialog"
          onClick=${()=>r("menu")} /></span></div>
    ${(e?.title||e?.tags)&&o`<div class="link-name">
      <h2>${e.title&&w(e.title)}</h2><${lt} tags=${e.tags} /></div>`}
    ${e?o`<${Lt} key=${t} link=${e} />`:o`<p class="link-leads"><i class="bone wide"></i></p>`}
    ${e&&(a.length>0||L[e.status])&&o`<ul class="link-facts">
      ${L[e.status]&&o`<li><${Tt} status=${e.status} /></li>`}
      ${a.map(s=>o`<li key=${s}>${s}</li>`)}</ul>`}
    ${e?.note&&o`<p class="link-note quiet">${Et(e.note)}</p>`}
  </header>`}var Et=t=>t.split(/\r\n|\r|\n/).map(e=>w(e.replaceAll("	","  "))).join(`
`),Tt=({status:t})=>L[t]&&o`<span class="state-badge">${L[t]}</span>`;function Lt({link:t}){let[e,r]=u(!1),a=j(),s=()=>{r(!1),requestAnimationFrame(()=>a.current?.querySelector("button").focus())};if(e)return o`<${qt} link=${t} onLeave=${s} />`;let{original_url:n,created_at:i}=t,l=X(n);return o`<div class="link-leads" ref=${a}><${$} name="arrow" />
    ${l?o`<a class="leads" href=${l.href} target="_blank" rel="noreferrer noopener"
        title=${w(n)}><${K} url=${n} /></a>`:o`<span class="leads"><${K} url=${n} /></span>`}
    <${_} icon="edit" label="Change the destination" onClick=${()=>r(!0)} />
    <${Rt} code=${t.short_code}>
      <time class="quiet" datetime=${i} title=${B(new Date(i))}>
        Created ${W(new Date(i),"long")}</time><//></div>`}function Rt({code:t,children:e}){let r=R(it),a=r?.code===t?r:null;if(k(()=>{a&&g(a.undo?"Saved. Undo is offered.":"Saved")},[a]),!a)return e;let s=async()=>{try{await a.undo(),g("Changed back")}catch(n){v(n.status===412?"Not changed back: somebody else changed the link meanwhile.":`Not changed back: ${n.message}`)}};return o`<span class="saved"><${$} name="done" />Saved
    ${a.undo&&o`<button type="button" class="text-button" onClick=${s}>Undo</button>`}
  </span>`}function qt({link:t,onLeave:e}){let[r,a]=u(t),[s,n]=u(t.original_url),[i,l]=u(""),[p,c]=u(!1),d=j();k(()=>d.current.select(),[]);let m=async f=>{f.preventDefault();let y=s===r.original_url?s:ct(s);if(p||y===r.original_url)return p||e();let h=$t(y);if(h)return l(h);c(!0);try{await F(r,{original_url:y}),e()}catch(Dt){l(await _t(Dt)),c(!1)}},_t=async({status:f,message:y})=>{if(f===0)return"Not saved: can't reach the server. Your text is kept.";if(/short link/i.test(y))return pt;if(/original.url/i.test(y))return ut;if(f!==412)return y;try{let h=await A(r.short_code);return a(h),h.original_url===r.original_url?"Somebody changed the link meanwhile. Save again to change its destination.":`Somebody changed it to ${w(h.original_url)} meanwhile. Save again to replace it.`}catch(h){return h.message}};return o`<form class="link-edit" onSubmit=${m}>
    <input ref=${d} class="field mono" type="text" inputmode="url" aria-label="Destination"
      autocomplete="off" autocapitalize="off" spellcheck=${!1} value=${s}
      onInput=${f=>{n(f.target.value),l("")}}
      onKeyDown=${f=>f.key==="Escape"&&e()} aria-invalid=${!!i}
      aria-describedby=${i?"destination-problem":void 0} />
    <button type="button" class="button" onClick=${e}>Cancel</button>
    <button class="button primary" aria-busy=${p}>Save</button>
    ${i&&o`<p id="destination-problem" class="problem" role="alert">${i}</p>`}
  </form>`}function Ut(t){let[e,r]=u(void 0),[a,s]=u(""),[n,i]=u(!1),l=`/api/urls/${encodeURIComponent(t)}/share`,p=async(c,d)=>{i(!0),s("");try{let m=await C(c,l,{signal:d});return r(m?.url??""),!0}catch(m){return q(m)||(m.status===404&&/share/i.test(m.message)?r(""):s(m.message)),!1}finally{i(!1)}};return k(()=>{let c=new AbortController;return p("GET",c.signal),()=>c.abort()},[l]),{url:e,problem:a,busy:n,ask:p}}function wt({code:t,onClose:e}){let{url:r,problem:a,busy:s,ask:n}=Ut(t),i=async()=>{!s&&await n("POST")&&g("Shared")},l=async()=>{!s&&await n("DELETE")&&g("No longer shared")};return o`<${E} label="Share statistics" class="sharing" onClose=${e}>
    <${P} onClose=${e}>Share statistics<//>
    <p>A page with the clicks of <b class="mono">${b}/${t}</b>, for people without a
      token. Whoever has its address sees the link's title and its clicks, but not where it leads,
      and no note, tag or full referrer.</p>
    <div class="sharing-address">${r?o`<${Bt} url=${r} />`:r===""?o`<p class="quiet">Not shared.</p>`:null}</div>
    ${a&&o`<p class="problem" role="alert">${a}</p>`}
    <div class="buttons">${r?o`<button type="button" class="button" aria-busy=${s} onClick=${l}>
          Stop sharing</button>
        <button type="button" class="button primary" onClick=${e}>Done</button>`:o`<button type="button" class="button" onClick=${e}>Cancel</button>
        <button type="button" class="button primary" aria-busy=${s}
          disabled=${r===void 0} onClick=${i}>Share</button>`}</div>
    ${r&&o`<p class="hint">The address stops working when you stop sharing. Sharing again
      makes another one.</p>`}
  <//>`}var Bt=({url:t})=>o`
  <input class="field mono" type="text" readonly aria-label="Address of the shared page"
    value=${t} onFocus=${e=>e.target.select()} />
  <${O} text=${t} label="Copy the address" />
  <a class="icon-button" href=${t} target="_blank" rel="noreferrer noopener"
    aria-label="Open the shared page" title="Open the shared page"><${$} name="open" /></a>`;function vt({link:t,onClose:e,onDelete:r,onCleared:a}){let[s,n]=u(""),{short_code:i,disabled:l}=t,p=async()=>{e();try{await F(t,{disabled:l?null:!0})}catch(c){v(c.status===412?"Not changed: somebody else changed the link meanwhile.":`Not changed: ${c.message}`)}};return s==="clear"?o`<${Ot} code=${i} onClose=${e} onCleared=${a} />`:s==="share"?o`<${wt} code=${i} onClose=${e} />`:o`<${E} label=${`More actions for ${i}`} class="sheet" onClose=${e}>
    <button type="button" class="sheet-item" onClick=${p}>
      <${$} name=${l?"done":"pause"} />${l?"Enable":"Disable"}</button>
    <button type="button" class="sheet-item" onClick=${()=>n("share")}>
      <${$} name="share" />Share statistics</button>
    <button type="button" class="sheet-item" onClick=${()=>n("clear")}>
      <${$} name="remove" />Delete statistics</button>
    <button type="button" class="sheet-item danger" onClick=${()=>{e(),r()}}>
      <${$} name="remove" />Delete</button>
    <button type="button" class="sheet-item" onClick=${e}>
      <${$} name="close" />Cancel</button>
  <//>`}function Ot({code:t,onClose:e,onCleared:r}){let[a,s]=u(!1),[n,i]=u("");return o`<${E} label="Delete statistics" onClose=${e}><form onSubmit=${async p=>{if(p.preventDefault(),!a){s(!0);try{await C("DELETE",`/api/urls/${encodeURIComponent(t)}/clicks`),e(),r(),v("Statistics deleted")}catch(c){i(c.message),s(!1)}}}}>
    <${P} onClose=${e}>Delete statistics?<//>
    <p>All clicks of <b class="mono">${b}/${t}</b> are forgotten. The link itself stays.
      This can't be undone.</p>
    ${n&&o`<p class="problem" role="alert">${n}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${e}>Cancel</button>
      <button class="button danger" aria-busy=${a}>Delete statistics</button></div>
  </form><//>`}var G=(t,e)=>({name:t,clicks:e,get:(r,a)=>C("GET",r,a),pause:2e3});function Pt(t){let e=R(I),[r,a]=u(null),[s,n]=u(0);return D(()=>{let i=new AbortController,l=async()=>{try{let c=await A(t,i.signal);a(null),I.set(c)}catch(c){q(c)||a(c)}};I.set(nt(t)??null),l(),addEventListener("focus",l);let p=z.watch(c=>c==="up"&&l());return()=>{p(),removeEventListener("focus",l),i.abort()}},[t,s]),[e?.short_code===t?e:null,r,()=>n(s+1)]}function Nt({code:t}){let[e,r]=u(""),a=M(),[s,n,i]=Pt(t),l=G(t,`/api/urls/${encodeURIComponent(t)}/clicks`),p=N(l,a);D(()=>{document.title=`${t} · terse`,scrollTo(0,0)},[t]),k(()=>{s?.title&&(document.title=`${s.title} · ${t} · terse`)},[s?.title]);let c=()=>{s&&(st({short_code:t,original_url:s.original_url}),g(`Deleted ${t}. Press Z to undo.`),rt(T.href))};et({q:()=>r("qr"),e:()=>r("edit"),c:async()=>v(await Z(x(t))?`Copied ${b}/${t}`:"Couldn't copy"),Delete:c});let d=()=>r("");return n?.status===404||p.error?.status===404||ot(t)?o`<${At} code=${t} />`:o`<main class="page" id="main">
    <${kt} code=${t} link=${s} onDialog=${r} />
    ${s?o`<${Q} source=${l} view=${a} clicks=${p}
        nothing=${o`<${H} code=${t} onQR=${()=>r("qr")} />`}
        isNew=${m=>Date.parse(s.created_at)>=m} />
      ${s.updated_at&&o`<${at} link=${s} />`}`:n&&o`<${J} title="Couldn't load the link" message=${n.message}
        onRetry=${()=>{i(),p.reload()}} />`}
    ${e==="qr"&&o`<${V} code=${t} onClose=${d} />`}
    ${e==="edit"&&s&&o`<${ht} code=${t} onClose=${d} />`}
    ${e==="menu"&&s&&o`<${vt} link=${s} onClose=${d}
      onDelete=${c} onCleared=${p.reload} />`}
  </main>`}var At=({code:t})=>o`<main class="page" id="main"><div class="state">
  <h1>Link not found</h1><p>"${t}" doesn't exist or was deleted.</p>
  <a class="button" href=${T.href}>Back to links</a></div></main>`;var Ct={...G("overview","/api/overview"),ofAll:!0},St=!1;function It(){let[t,e]=u(""),r=M(),a=N(Ct,r);D(()=>{document.title="Overview · terse",scrollTo(0,0)},[]);let{data:s}=a,n=s?.top_links[0]?.short_code;return o`<main class="page" id="main">
    <header class="overview-head"><h1>Overview</h1><p class="quiet">
      ${s?S(s.links,"link","links"):""}</p>
      ${St&&o`<${ft} query=${{tag:r.tags}}
        ask=${({tag:i})=>r.setTags(i)} />`}</header>
    <${Q} source=${Ct} view=${r} clicks=${a} isNew=${()=>s?.links===0}
      nothing=${n?o`<${H} code=${n} onQR=${()=>e(n)} />`:o`<p><a href="/ui/">Create a link</a> and open it.</p>`}>
      ${s&&o`<${Ft} links=${s.top_links} />`}
    <//>
    ${t&&o`<${V} code=${t} onClose=${()=>e("")} />`}
  </main>`}function Ft({links:t}){let e=t[0]?.clicks||1;return o`<${dt} id="top" wide=${!0} title=${St?"Top links":"Top links (all time)"}
    extra=${t.length>0&&o`<${_} icon="download" label="Export top links as CSV"
      onClick=${()=>tt(...mt("overview",t))} />`}>
    ${t.length?o`<ul class="bars">
        ${t.map(({short_code:r,original_url:a,clicks:s})=>o`<li key=${r}><a class="bar" href=${`/ui/links/${r}`} title=${w(a)}>
          <span class="bar-fill" style=${{transform:`scaleX(${s/e})`}}></span>
          <span class="bar-code mono">${r}</span><span class="bar-name quiet">
            <bdi dir="ltr">${Y(a).join("")}</bdi></span>
          <span class="bar-count">${U(s)}</span></a></li>`)}</ul>`:o`<p class="panel-empty quiet">No data for this range.</p>`}
  <//>`}export{Nt as LinkPage,It as Overview};
