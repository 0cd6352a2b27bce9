import{b as at}from"./chunk-WSGJE6VD.js";import{a as I,b as A,c as lt,d as F,e as T,f as ut,i as pt,j as $t,k as mt}from"./chunk-KBZFFNUA.js";import{c as ot,d as st}from"./chunk-5OFMCC26.js";import{b as C,l as L,s as it,w as ct}from"./chunk-5PC4BVFW.js";import{a as ft,b as H,c as Q,d as M}from"./chunk-HRZYSNFE.js";import{f as V,g as ht}from"./chunk-M6RETURO.js";import{g as dt}from"./chunk-YVS3TIOQ.js";import{b as rt,h as N}from"./chunk-22T7LWLV.js";import"./chunk-AUZEML5G.js";import{a as z,c as q}from"./chunk-FF3G7ASX.js";import{c as nt}from"./chunk-D7E6UWU7.js";import{A as x,B as b,C as $,D as _,E as Z,F as O,H as v,K as g,L as E,M as P,N as K,O as J,Q as tt,R as et,b as u,c as k,d as D,e as G,h as R,i as s,k as U,l as S,n as B,q as W,v as X,w,x as Y}from"./chunk-PE56B7N7.js";var bt=t=>B(new Date(t));function gt({starts_at:t,expires_at:e,max_clicks:r,clicks_left:n},o=Date.now()){return[t&&(Date.parse(t)>o?`Starts ${bt(t)}`:""),e&&`${Date.parse(e)>o?"Ends":"Ended"} ${bt(e)}`,r&&(n===void 0?`Ends after ${S(r,"click","clicks")}`:`${U(n)} of ${S(r,"click","clicks")} left`)].filter(Boolean)}var xt={301:"Permanent redirect (301)",302:"Redirect 302",307:"Redirect 307",308:"Permanent redirect (308)"};function yt(t){return[t.password&&"Password",t.rules?.length&&S(t.rules.length,"rule","rules"),t.redirect_status&&xt[t.redirect_status],t.forward_query&&"Forwards the query",t.forward_path&&"Forwards the path"].filter(Boolean)}function kt({code:t,link:e,onDialog:r}){let n=e?[...gt(e),...yt(e)]:[];return s`<header class="link-head">
    <a class="back" href=${L.href}><${$} name="back" />Links</a>
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
    ${(e?.title||e?.tags)&&s`<div class="link-name">
      <h2>${e.title&&w(e.title)}</h2><${ct} tags=${e.tags} /></div>`}
    ${e?s`<${Tt} key=${t} link=${e} />`:s`<p class="link-leads"><i class="bone wide"></i></p>`}
    ${e&&(n.length>0||T[e.status])&&s`<ul class="link-facts">
      ${T[e.status]&&s`<li><${Lt} status=${e.status} /></li>`}
      ${n.map(o=>s`<li key=${o}>${o}</li>`)}</ul>`}
    ${e?.note&&s`<p class="link-note quiet">${Et(e.note)}</p>`}
  </header>`}var Et=t=>t.split(/\r\n|\r|\n/).map(e=>w(e.replaceAll("	","  "))).join(`
`),Lt=({status:t})=>T[t]&&s`<span class="state-badge">${T[t]}</span>`;function Tt({link:t}){let[e,r]=u(!1),n=G(),o=()=>{r(!1),requestAnimationFrame(()=>n.current?.querySelector("button").focus())};if(e)return s`<${qt} link=${t} onLeave=${o} />`;let{original_url:a,created_at:i}=t,l=X(a);return s`<div class="link-leads" ref=${n}><${$} name="arrow" />
    ${l?s`<a class="leads" href=${l.href} target="_blank" rel="noreferrer noopener"
        title=${w(a)}><${K} url=${a} /></a>`:s`<span class="leads"><${K} url=${a} /></span>`}
    <${_} icon="edit" label="Change the destination" onClick=${()=>r(!0)} />
    <${Rt} code=${t.short_code}>
      <time class="quiet" datetime=${i} title=${B(new Date(i))}>
        Created ${W(new Date(i),"long")}</time><//></div>`}function Rt({code:t,children:e}){let r=R(lt),n=r?.code===t?r:null;if(k(()=>{n&&g(n.undo?"Saved. Undo is offered.":"Saved")},[n]),!n)return e;let o=async()=>{try{await n.undo(),g("Changed back")}catch(a){v(a.status===412?"Not changed back: somebody else changed the link meanwhile.":`Not changed back: ${a.message}`)}};return s`<span class="saved"><${$} name="done" />Saved
    ${n.undo&&s`<button type="button" class="text-button" onClick=${o}>Undo</button>`}
  </span>`}function qt({link:t,onLeave:e}){let[r,n]=u(t),[o,a]=u(t.original_url),[i,l]=u(""),[p,c]=u(!1),d=G();k(()=>d.current.select(),[]);let m=async f=>{f.preventDefault();let y=o===r.original_url?o:ut(o);if(p||y===r.original_url)return p||e();let h=mt(y);if(h)return l(h);c(!0);try{await F(r,{original_url:y}),e()}catch(Dt){l(await _t(Dt)),c(!1)}},_t=async({status:f,message:y})=>{if(f===0)return"Not saved: can't reach the server. Your text is kept.";if(/short link/i.test(y))return $t;if(/original.url/i.test(y))return pt;if(f!==412)return y;try{let h=await I(r.short_code);return n(h),h.original_url===r.original_url?"Somebody changed the link meanwhile. Save again to change its destination.":`Somebody changed it to ${w(h.original_url)} meanwhile. Save again to replace it.`}catch(h){return h.message}};return s`<form class="link-edit" onSubmit=${m}>
    <input ref=${d} class="field mono" type="text" inputmode="url" aria-label="Destination"
      autocomplete="off" autocapitalize="off" spellcheck=${!1} value=${o}
      onInput=${f=>{a(f.target.value),l("")}}
      onKeyDown=${f=>f.key==="Escape"&&e()} aria-invalid=${!!i}
      aria-describedby=${i?"destination-problem":void 0} />
    <button type="button" class="button" onClick=${e}>Cancel</button>
    <button class="button primary" aria-busy=${p}>Save</button>
    ${i&&s`<p id="destination-problem" class="problem" role="alert">${i}</p>`}
  </form>`}function Ut(t){let[e,r]=u(void 0),[n,o]=u(""),[a,i]=u(!1),l=`/api/urls/${encodeURIComponent(t)}/share`,p=async(c,d)=>{i(!0),o("");try{let m=await C(c,l,{signal:d});return r(m?.url??""),!0}catch(m){return q(m)||(m.status===404&&/share/i.test(m.message)?r(""):o(m.message)),!1}finally{i(!1)}};return k(()=>{let c=new AbortController;return p("GET",c.signal),()=>c.abort()},[l]),{url:e,problem:n,busy:a,ask:p}}function wt({code:t,onClose:e}){let{url:r,problem:n,busy:o,ask:a}=Ut(t),i=async()=>{!o&&await a("POST")&&g("Shared")},l=async()=>{!o&&await a("DELETE")&&g("No longer shared")};return s`<${E} label="Share statistics" class="sharing" onClose=${e}>
    <${P} onClose=${e}>Share statistics<//>
    <p>A page with the clicks of <b class="mono">${b}/${t}</b>, for people without a
      token. Whoever has its address sees the link's title and its clicks, but not where it leads,
      and no note, tag or full referrer.</p>
    <div class="sharing-address">${r?s`<${Bt} url=${r} />`:r===""?s`<p class="quiet">Not shared.</p>`:null}</div>
    ${n&&s`<p class="problem" role="alert">${n}</p>`}
    <div class="buttons">${r?s`<button type="button" class="button" aria-busy=${o} onClick=${l}>
          Stop sharing</button>
        <button type="button" class="button primary" onClick=${e}>Done</button>`:s`<button type="button" class="button" onClick=${e}>Cancel</button>
        <button type="button" class="button primary" aria-busy=${o}
          disabled=${r===void 0} onClick=${i}>Share</button>`}</div>
    ${r&&s`<p class="hint">The address stops working when you stop sharing. Sharing again
      makes another one.</p>`}
  <//>`}var Bt=({url:t})=>s`
  <input class="field mono" type="text" readonly aria-label="Address of the shared page"
    value=${t} onFocus=${e=>e.target.select()} />
  <${O} text=${t} label="Copy the address" />
  <a class="icon-button" href=${t} target="_blank" rel="noreferrer noopener"
    aria-label="Open the shared page" title="Open the shared page"><${$} name="open" /></a>`;function vt({link:t,onClose:e,onDelete:r,onCleared:n}){let[o,a]=u(""),{short_code:i,disabled:l}=t,p=async()=>{e();try{await F(t,{disabled:l?null:!0})}catch(c){v(c.status===412?"Not changed: somebody else changed the link meanwhile.":`Not changed: ${c.message}`)}};return o==="clear"?s`<${Ot} code=${i} onClose=${e} onCleared=${n} />`:o==="share"?s`<${wt} code=${i} onClose=${e} />`:s`<${E} label=${`More actions for ${i}`} class="sheet" onClose=${e}>
    <button type="button" class="sheet-item" onClick=${p}>
      <${$} name=${l?"done":"pause"} />${l?"Enable":"Disable"}</button>
    <button type="button" class="sheet-item" onClick=${()=>a("share")}>
      <${$} name="share" />Share statistics</button>
    <button type="button" class="sheet-item" onClick=${()=>a("clear")}>
      <${$} name="remove" />Delete statistics</button>
    <button type="button" class="sheet-item danger" onClick=${()=>{e(),r()}}>
      <${$} name="remove" />Delete</button>
    <button type="button" class="sheet-item" onClick=${e}>
      <${$} name="close" />Cancel</button>
  <//>`}function Ot({code:t,onClose:e,onCleared:r}){let[n,o]=u(!1),[a,i]=u("");return s`<${E} label="Delete statistics" onClose=${e}><form onSubmit=${async p=>{if(p.preventDefault(),!n){o(!0);try{await C("DELETE",`/api/urls/${encodeURIComponent(t)}/clicks`),e(),r(),v("Statistics deleted")}catch(c){i(c.message),o(!1)}}}}>
    <${P} onClose=${e}>Delete statistics?<//>
    <p>All clicks of <b class="mono">${b}/${t}</b> are forgotten. The link itself stays.
      This can't be undone.</p>
    ${a&&s`<p class="problem" role="alert">${a}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${e}>Cancel</button>
      <button class="button danger" aria-busy=${n}>Delete statistics</button></div>
  </form><//>`}var j=(t,e)=>({name:t,clicks:e,get:(r,n)=>C("GET",r,n),pause:2e3});function Pt(t){let e=R(A),[r,n]=u(null),[o,a]=u(0);return D(()=>{let i=new AbortController,l=async()=>{try{let c=await I(t,i.signal);n(null),A.set(c)}catch(c){q(c)||n(c)}};A.set(it(t)??null),l(),addEventListener("focus",l);let p=z.watch(c=>c==="up"&&l());return()=>{p(),removeEventListener("focus",l),i.abort()}},[t,o]),[e?.short_code===t?e:null,r,()=>a(o+1)]}function Nt({code:t}){let[e,r]=u(""),n=M(),[o,a,i]=Pt(t),l=j(t,`/api/urls/${encodeURIComponent(t)}/clicks`),p=N(l,n);D(()=>{document.title=`${t} · terse`,scrollTo(0,0)},[t]),k(()=>{o?.title&&(document.title=`${o.title} · ${t} · terse`)},[o?.title]);let c=()=>{o&&(st({short_code:t,original_url:o.original_url}),g(`Deleted ${t}. Press Z to undo.`),nt(L.href))};et({q:()=>r("qr"),e:()=>r("edit"),c:async()=>v(await Z(x(t))?`Copied ${b}/${t}`:"Couldn't copy"),Delete:c});let d=()=>r("");return a?.status===404||p.error?.status===404||ot(t)?s`<${It} code=${t} />`:s`<main class="page" id="main">
    <${kt} code=${t} link=${o} onDialog=${r} />
    ${o?s`<${Q} source=${l} view=${n} clicks=${p}
        nothing=${s`<${H} code=${t} onQR=${()=>r("qr")} />`}
        isNew=${m=>Date.parse(o.created_at)>=m} />
      ${o.updated_at&&s`<${at} link=${o} />`}`:a&&s`<${J} title="Couldn't load the link" message=${a.message}
        onRetry=${()=>{i(),p.reload()}} />`}
    ${e==="qr"&&s`<${V} code=${t} onClose=${d} />`}
    ${e==="edit"&&o&&s`<${ht} code=${t} onClose=${d} />`}
    ${e==="menu"&&o&&s`<${vt} link=${o} onClose=${d}
      onDelete=${c} onCleared=${p.reload} />`}
  </main>`}var It=({code:t})=>s`<main class="page" id="main"><div class="state">
  <h1>Link not found</h1><p>"${t}" doesn't exist or was deleted.</p>
  <a class="button" href=${L.href}>Back to links</a></div></main>`;var Ct=j("overview","/api/overview"),St=!1;function At(){let[t,e]=u(""),r=M(),n=N(Ct,r);D(()=>{document.title="Overview · terse",scrollTo(0,0)},[]);let{data:o}=n,a=o?.top_links[0]?.short_code;return s`<main class="page" id="main">
    <header class="overview-head"><h1>Overview</h1><p class="quiet">
      ${o?S(o.links,"link","links"):""}</p></header>
    <${Q} source=${Ct} view=${r} clicks=${n} isNew=${()=>o?.links===0}
      nothing=${a?s`<${H} code=${a} onQR=${()=>e(a)} />`:s`<p><a href="/ui/">Create a link</a> and open it.</p>`}>
      ${o&&s`<${Ft} links=${o.top_links} view=${r} />`}
    <//>
    ${t&&s`<${V} code=${t} onClose=${()=>e("")} />`}
  </main>`}function Ft({links:t,view:{range:e,filters:r}}){let n=t[0]?.clicks||1,o=[e.preset!=="all"&&"range",rt(r)&&"filter"].filter(Boolean);return s`<${ft} id="top" wide=${!0}
    title=${St?"Top links":"Top links (all time)"}
    extra=${t.length>0&&s`<${_} icon="download" label="Export top links as CSV"
      onClick=${()=>tt(...dt("overview",t))} />`}>
    ${!St&&o.length>0&&s`<p class="panel-note quiet">
        The ${o.join(" and the ")} above${" "}
        ${o.length>1?"don't":"doesn't"} apply to this list.</p>`}
    ${t.length?s`<ul class="bars">
        ${t.map(({short_code:a,original_url:i,clicks:l})=>s`<li key=${a}><a class="bar" href=${`/ui/links/${a}`} title=${w(i)}>
          <span class="bar-fill" style=${{transform:`scaleX(${l/n})`}}></span>
          <span class="bar-code mono">${a}</span><span class="bar-name quiet">
            <bdi dir="ltr">${Y(i).join("")}</bdi></span>
          <span class="bar-count">${U(l)}</span></a></li>`)}</ul>`:s`<p class="panel-empty quiet">No links yet.</p>`}
  <//>`}export{Nt as LinkPage,At as Overview};
