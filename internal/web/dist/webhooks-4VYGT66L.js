import{o as le,t as De}from"./chunk-KH3W3422.js";import"./chunk-E2DBQZWT.js";import"./chunk-I52D3NO7.js";import{Aa as ae,Ba as xe,Ca as Ce,Ea as X,Ga as Oe,Ha as Y,K as z,Kb as re,M as ge,Mb as ie,O as G,P as J,R as S,S as ye,Sb as Ae,T as K,Ta as Te,Tb as Ee,U as Q,Ub as qe,W as ke,Ya as Se,a as b,b as T,d as q,ga as N,h as he,i as U,ja as H,k as B,ma as C,oa as o,p as I,pa as se,q as $e,qa as V,ta as ve,ua as O,v as F,va as we,x,y as fe,z as be,za as ne}from"./chunk-GS2UUHZM.js";var ce=e=>e.match(/^http:\/\//i)?.[0]??"";function de(e){let t=[...e];return t.length>60?[...t.slice(0,35),"…",...t.slice(-24)].join(""):e}var A=({description:e,url:t})=>x(e||ce(t)+be(de(t)).join(""));var j=[["link.created","A link is created","created"],["link.updated","A link is updated","updated"],["link.deleted","A link is deleted","deleted"],["link.expired","A link expires, or its clicks are used up","expired"],["clicks","Clicks are counted: batches, at most one a second",""]],Xe={...Object.fromEntries(j.map(([e,,t])=>[e,`Link ${t}`])),clicks:"Clicks","webhook.test":"Test"},_e=e=>F(Xe,e)??x(e);function Z(e){let t=j.filter(([s,,n])=>n&&e.includes(s));return[t.length&&`Links ${t.map(([,,s])=>s).join(", ")}`,e.includes("clicks")&&(t.length?"clicks":"Clicks")].filter(Boolean).join(" · ")}var Ye={gone:"Answer 410 (gone)",failing:"Three days without success",backlog:`${he(1e4)} deliveries were waiting`},P=({disabled_reason:e})=>F(Ye,e)??"",E=({status:e})=>e==="disabled",_=({url:e,whole:t=!1})=>o`<bdi dir="ltr" class="hook-url" title=${t?void 0:x(e)}>
    ${ce(e)}<${Ce} url=${t?e:de(e)} /></bdi>`,ee=({hook:{description:e,url:t}})=>e?o`<bdi>${x(e)}</bdi>`:o`<${_} url=${t} />`,te=(e,t)=>K(t)||Q(t)&&e.created_by===t.identity&&e.owner!==S,Ze=e=>e.created_by===ye.get().identity?"":S,D=(e,t="",s={})=>N(G(`/api/webhooks/${encodeURIComponent(e.id)}${t}`,s),Ze(e)),L=(e,t)=>C("PATCH",D(e),{body:t}),pe=(e,{id:t},s="")=>D(e,`/deliveries/${encodeURIComponent(t)}${s}`),ue=({status:e,error:t})=>e?`Answer ${e}`:t?x(t):"No answer",et={waiting:"Waiting",delivered:"Delivered",failed:"Failed"},Re=e=>F(et,e)??x(e),Ne=({attempts:e})=>e.length>1?U(e.length,"attempt","attempts"):"",Pe=e=>JSON.stringify(e,null,2);var Le=2048,We=500,Be=e=>({url:e?.url??"",events:e?.events??j.map(([t])=>t).filter(t=>t!=="clicks"),tags:e?.tags??[],tag_text:"",description:e?.description??"",ofAll:e?.owner===S});function tt(e){let t={},s=re(e.url);return s?ie(s)?t.url=ie(s):new TextEncoder().encode(s).length>Le&&(t.url=`A URL can have at most ${Le} bytes.`):t.url="Enter a URL.",e.events.length||(t.events="Choose at least one."),e.tag_text.trim()&&(t.tags=le(e.tag_text.trim()).problem??"Press Enter to add this tag."),[...e.description.trim()].length>We&&(t.description=`A description can have at most ${We} characters.`),t}function ot(e,t){let s={url:re(e.url),events:e.events,tags:e.tags,description:e.description.trim()};if(!t)return s;let n=Be(t),a=(m,r)=>JSON.stringify([m].flat().toSorted())===JSON.stringify([r].flat().toSorted());return Object.fromEntries(Object.entries(s).filter(([m,r])=>!a(r,n[m])))}function me({who:e,hook:t,onDone:s,onClose:n}){let[a,m]=b(()=>Be(t)),[r,l]=b({}),[p,h]=b(!1),[u,g]=b(null),c=ge(Ae),i=q();T(()=>{Ee()},[]);let d=$=>v=>{m(y=>({...y,[$]:v})),l({})},f=$=>{l($),Oe(i.current)},k=async $=>{if($.preventDefault(),p)return;let v=tt(a);if(Object.keys(v).length)return f(v);let y=ot(a,t);if(!Object.keys(y).length)return n();h(!0);try{if(t)return s(await L(t,y)),O("Saved"),n();let R=N("/api/webhooks",a.ofAll?S:""),W=await C("POST",R,{body:y});s(W),g(W)}catch(R){let[W]=(R.field??"").split("[");f({[["url","events","tags","description"].includes(W)?W:"other"]:st(R.message)})}finally{h(!1)}};if(u)return o`<${He} hook=${u} secret=${u.secret} onClose=${n} />`;let w=t?"Edit webhook":"Create webhook";return o`<${ne} label=${w} class="new-token ask hook-form" onClose=${n}><form
    ref=${i} onSubmit=${k} novalidate>
    <${ae} onClose=${n}>${w}<//>
    <label for="hook-url">URL</label>
    <input id="hook-url" class="field mono" inputmode="url" autocomplete="off"
      autocapitalize="off" spellcheck=${!1} placeholder="https://example.com/hook"
      value=${a.url} onInput=${$=>d("url")($.target.value)}
      aria-invalid=${!!r.url}
      aria-describedby=${r.url?"hook-url-problem":"hook-url-hint"} />
    <${X} id="hook-url" text=${r.url} />
    ${!r.url&&o`<p id="hook-url-hint" class="hint">It gets a signed POST request for each event.</p>`}
    <fieldset aria-describedby=${r.events?"hook-events-problem":void 0}>
      <legend>Events</legend>
      ${j.map(([$,v])=>o`<label key=${$} class="check"><input type="checkbox"
          checked=${a.events.includes($)} aria-invalid=${!!r.events}
          onChange=${y=>d("events")(y.target.checked?[...a.events,$]:a.events.filter(R=>R!==$))} /><span>${v}</span></label>`)}
      <${X} id="hook-events" text=${r.events} /></fieldset>
    <label for="hook-tags">Tags</label>
    <${De} id="hook-tags" label="Tags" values=${a.tags}
      text=${a.tag_text} parse=${le} options=${qe(c)} create=${!0}
      placeholder="All links" hint="With tags, only links that have one of them."
      problem=${r.tags}
      onChange=${($,v)=>{m(y=>({...y,tags:$,tag_text:v})),l({})}} />
    ${!t&&K(e)&&e.others&&o`<label class="check"><input type="checkbox" checked=${a.ofAll}
        onChange=${$=>d("ofAll")($.target.checked)} />
        <span>Everybody's links, not only yours</span></label>`}
    <label for="hook-description">Description</label>
    <input id="hook-description" class="field" autocomplete="off" value=${a.description}
      placeholder="What it is for" aria-invalid=${!!r.description}
      aria-describedby=${r.description?"hook-description-problem":void 0}
      onInput=${$=>d("description")($.target.value)} />
    <${X} id="hook-description" text=${r.description} />
    ${r.other&&o`<p class="problem" role="alert">${r.other}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${n}>Cancel</button>
      <button class="button primary" aria-busy=${p}>
        ${t?"Save":"Create webhook"}</button></div>
  </form><//>`}var st=e=>/address is not allowed/i.test(e)?"Webhook address is not allowed: its host is unknown or private. The server's WEBHOOK_ALLOWED_NETWORKS permits private networks.":e,He=({hook:e,secret:t,onClose:s})=>o`<${xe} title=${`The secret of ${A(e)}`}
  what="secret" text=${t} onClose=${s}>
  With it the receiver checks that a request is from here.<//>`;function je({label:e,title:t,keep:s,act:n,danger:a,onAct:m,onClose:r,children:l}){let[p,h]=b(!1),[u,g]=b(""),c=async()=>{if(!p){h(!0);try{await m()}catch(i){h(!1),g(i.message)}}};return o`<${ne} label=${e} onClose=${r}>
    <${ae} onClose=${r}>${t}<//>
    <p>${l}</p>
    ${u&&o`<p class="problem" role="alert">${u}</p>`}
    <div class="buttons"><button type="button" class="button" data-focus=${!0}
        onClick=${r}>${s}</button>
      <button type="button" class=${`button ${a?"danger":"primary"}`} aria-busy=${p}
        onClick=${c}>${n}</button></div>
  <//>`}function Me({hook:e,onClose:t}){let[s,n]=b("");if(s)return o`<${He} hook=${e} secret=${s} onClose=${t} />`;let a=async()=>n((await C("POST",D(e,"/rotate"))).secret);return o`<${je} label="Rotate secret" title=${`Rotate the secret of ${A(e)}?`}
    keep="Cancel" act="Rotate secret" onAct=${a} onClose=${t}>
    For 24 hours requests are signed with the present secret, too, so that you can change over.
    Rotating again within them ends the present one at once.<//>`}function Ue({hook:e,onDone:t,onClose:s}){let n=async()=>{try{await C("DELETE",D(e))}catch(a){if(a.status!==404)throw a}O("Webhook deleted"),t()};return o`<${je} label="Delete webhook" title=${`Delete ${A(e)}?`}
    keep="Keep it" act="Delete webhook" danger=${!0} onAct=${n} onClose=${s}>
    Nothing more is sent to <${_} url=${e.url} />, what waits included, and the list of
    what was sent is gone. This can't be undone.<//>`}var Ie=`/* Webhooks and their deliveries */
.hook-form fieldset {
  display: grid;
  margin: 12px 0 0;
  padding: 0;
  border: 0;
}
.hook-form legend {
  margin-bottom: 4px;
  padding: 0;
  color: var(--quiet);
  font-size: 12px;
}
.hook-form .check {
  display: inline-flex;
  min-height: 32px;
  margin: 0;
  color: var(--text);
  font-size: 14px;
}
.hook-form .chips-field + .check {
  margin-top: 8px;
}
.hook-form .check input {
  flex: none;
}
.hook-bad {
  color: var(--danger);
  font-weight: 600;
}
.hook-url {
  word-break: break-all; /* not behind the scheme */
}
.hook-back {
  margin-bottom: 8px;
}
.hook-back a {
  display: inline-flex;
  align-items: center;
  gap: 4px;
  min-height: 32px;
}
.hook-head {
  flex-wrap: wrap;
}
.hook-head h2 {
  overflow-wrap: anywhere;
}
.hook-acts {
  display: flex;
  align-items: center;
  gap: 8px;
}
.hook-note {
  margin-bottom: 12px;
  padding: 12px 16px;
  border: 1px solid var(--line);
  border-radius: 8px;
}
.hook-note .button {
  margin-top: 8px;
}
.hook-facts {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(260px, 100%), 1fr));
  gap: 12px 24px;
}
.hook-facts > :first-child {
  grid-column: 1 / -1;
}
.hook-facts dt {
  font-size: 12px;
}
.hook-facts dd {
  margin: 0;
  overflow-wrap: anywhere;
}
.hook-back ~ .panel + .panel {
  margin-top: 16px;
}
.deliveries,
.attempts {
  padding: 0;
  list-style: none;
}
.deliveries > li {
  border-top: 1px solid var(--line);
}
.deliveries summary {
  display: grid;
  grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) 20px;
  align-items: center;
  gap: 2px 16px;
  min-height: 52px;
  padding: 8px 0;
  list-style: none;
  cursor: pointer;
}
.deliveries summary::-webkit-details-marker {
  display: none;
}
.deliveries summary:focus-visible {
  outline-offset: -2px;
}
.deliveries [open] > summary .icon-down {
  transform: rotate(180deg);
}
.delivery-what,
.delivery-how {
  display: flex;
  flex-wrap: wrap;
  gap: 2px 12px;
  overflow-wrap: anywhere;
}
.delivery-what b,
.delivery-status {
  font-weight: 600;
}
.delivery-status[data-status="failed"] {
  color: var(--danger);
}
.delivery {
  display: grid;
  gap: 8px;
  padding: 4px 0 16px;
}
.delivery h3 {
  font-size: 14px;
}
.delivery pre {
  max-height: 360px;
  margin: 4px 0 0;
  padding: 8px 12px;
  overflow: auto;
  border: 1px solid var(--line);
  border-radius: 8px;
  font: 13px/1.4 var(--mono);
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}
.attempts li + li {
  margin-top: 8px;
}
.delivery-head,
.delivery-foot {
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 12px;
}
.delivery-foot .mono {
  overflow-wrap: anywhere;
  font-size: 12px;
}
.delivery-foot .button {
  flex: none;
}
@media (max-width: 720px) {
  .hook-why::before {
    content: "· ";
  }
  .deliveries summary {
    grid-template-columns: minmax(0, 1fr) 20px;
  }
  .deliveries summary .icon-down {
    grid-row: 1 / 3;
    grid-column: 2;
  }
}
@media (min-width: 721px) {
  .entries th:has(.hook-link) {
    width: 42%;
  }
  .hook-why {
    display: block;
    white-space: nowrap;
  }
}
@media (hover: none), (pointer: coarse) {
  .hook-form .check,
  .hook-back a {
    min-height: 44px;
  }
  .entries th:has(.hook-link) {
    position: relative;
  }
  .hook-link::after {
    content: "";
    position: absolute;
    inset: 0;
  }
}
`;var at=50,ze=2e3,rt=6e4,Fe=2e4,it=({next_attempt_at:e})=>Math.min(Math.max(Math.abs(Date.parse(e)-Date.now()),ze),rt),Ge=e=>e?.map(({id:t,status:s,attempts:n})=>t+s+n.length).join();function lt(e,t){let[s,n]=b({status:t,list:null,next:"",error:null}),[a,m]=b(0),[r,l]=b(!1),p=(c,i)=>C("GET",D(e,"/deliveries",{status:t,limit:at,cursor:c}),{signal:i}),h=s.status===t?s:{list:null,next:"",error:null};T(()=>{let c=new AbortController;return p("",c.signal).then(({deliveries:i,next_cursor:d=""})=>n(f=>{let k=i.at(-1)?.created_at??"",w=f.status===t&&d?(f.list??[]).filter(({id:$,created_at:v})=>v<=k&&!i.some(y=>y.id===$)):[];return{status:t,list:[...i,...w],next:w.length?f.next:d,error:null}}),i=>H(i)||n(d=>({...d.status===t?d:h,status:t,error:i}))),()=>c.abort()},[e.id,e.status,t,a]);let u=q("");return T(()=>{let c=h.list?.filter(w=>w.status==="waiting")??[];if(!c.length||h.error)return;let i=Ge(h.list),d=i!==u.current;u.current=i;let f=d?ze:Math.min(...c.map(it)),k=setTimeout(()=>m(w=>w+1),f);return()=>clearTimeout(k)},[s]),{...h,busy:r,more:async()=>{if(!r){l(!0);try{let{deliveries:c,next_cursor:i=""}=await p(h.next);n(d=>d.status===t?{...d,list:[...d.list,...c],next:i,error:null}:d)}catch(c){n(i=>({...i,error:c}))}finally{l(!1)}}},reload:()=>m(c=>c+1)}}var ct=[["","All"],["waiting","Waiting"],["delivered","Delivered"],["failed","Failed"]];function Je({hook:e,who:t,back:s,onEdit:n,onMenu:a,onChange:m}){let[r,l]=b(""),{list:p,next:h,error:u,busy:g,more:c,reload:i}=lt(e,r),[d,f]=b(!1),k=q();T(()=>k.current.focus({preventScroll:!0}),[]);let w=Ge(p);T(()=>{w&&C("GET",D(e)).then(m,()=>{})},[w]);let $=te(e,t),v=async()=>{if(!d){f(!0);try{await C("POST",D(e,"/test")),l(""),i()}catch(y){O(`Not sent: ${y.message}`)}finally{f(!1)}}};return o`<p class="hook-back"><a href=${z(s)}><${se} name="back" />Webhooks</a></p>
    <section class="panel" aria-labelledby="hook-title">
      <header class="panel-head hook-head"><h2 id="hook-title" tabindex="-1" ref=${k}>
          <${ee} hook=${e} /></h2>
        ${$&&o`<span class="hook-acts">
          <button type="button" class="button" aria-busy=${d} disabled=${E(e)}
            onClick=${v}>Send a test</button>
          <button type="button" class="button" onClick=${n}>Edit</button>
          <${V} icon="more" label=${`Actions for ${A(e)}`} aria-haspopup="menu"
            onClick=${a} /></span>`}</header>
      <${dt} hook=${e} may=${$} onChange=${m} />
      <${pt} hook=${e} who=${t} /></section>
    <section class="panel" aria-labelledby="deliveries-title">
      <header class="panel-head"><h2 id="deliveries-title">Deliveries</h2>
        <${Se} label="Show" value=${r} options=${ct} onChange=${l} /></header>
      <p class="quiet settings-what">Those that are done are kept for 7 days.</p>
      ${p?p.length?o`<ol class="deliveries">${p.map(y=>o`<${mt} key=${y.id} hook=${e} delivery=${y} may=${$}
                    onRetry=${i} />`)}</ol>`:o`<p class="panel-empty quiet" role="status">${r?"None with this status.":"No deliveries yet."}</p>`:u?o`<${Y} title="Couldn't load the deliveries" message=${u.message}
              onRetry=${i} />`:o`<div class="bars-bone" role="status" aria-label="Loading deliveries"></div>`}
      ${p&&u&&o`<p class="problem" role="alert">${u.message}</p>`}
      ${h&&o`<p class="panel-more"><button type="button" class="text-button" aria-busy=${g}
          onClick=${c}>Show older deliveries</button></p>`}</section>`}function dt({hook:e,may:t,onChange:s}){let[n,a]=b(!1),{failing_since:m}=e,r=async()=>{if(!n){a(!0);try{s(await L(e,{disabled:!1})),O("Enabled. What happens from now on is sent.")}catch(l){O(`Not changed: ${l.message}`)}finally{a(!1)}}};return!E(e)&&!m?null:E(e)?o`<div class="hook-note"><p><b>Disabled.</b>${" "}
      ${P(e)&&`${P(e)}. `}Nothing is sent, and what happens meanwhile is never
      sent.</p>
    ${t&&o`<button type="button" class="button" aria-busy=${n} onClick=${r}>
      Enable</button>`}</div>`:o`<p class="hook-note"><span class="hook-bad">Failing.</span> It began${" "}
      <${oe} time=${m} />. What waits is tried again; after three days without success the
      webhook is disabled.</p>`}var pt=({hook:e,who:t})=>o`<dl class="hook-facts">
  <div><dt class="quiet">URL</dt>
    <dd class="mono"><${_} url=${e.url} whole=${!0} /></dd></div>
  <div><dt class="quiet">Events</dt><dd>${Z(e.events)}</dd></div>
  ${e.tags.length>0&&o`<div><dt class="quiet">Tags</dt>
    <dd><bdi>${e.tags.map(x).join(", ")}</bdi></dd></div>`}
  ${e.owner===S&&o`<div><dt class="quiet">Links</dt><dd>Everybody's</dd></div>`}
  <div><dt class="quiet">Created</dt><dd><${oe} time=${e.created_at} />${e.created_by!==t.identity&&o` by <bdi>${x(e.created_by)}</bdi>`}</dd></div></dl>`,oe=({time:e})=>o`<time datetime=${e} title=${B(Date.parse(e))}>
  ${I(Date.parse(e),"long")}</time>`;function ut({at:e}){let[,t]=b();return T(()=>{let s=e-Date.now();if(s<=0)return;let n=setTimeout(t,Math.min(s,s<9e4?1e3:3e4),{});return()=>clearTimeout(n)}),o`next <time datetime=${new Date(e).toISOString()}
    title=${B(e)}>${$e(e)}</time>`}function mt({hook:e,delivery:t,may:s,onRetry:n}){let[a,m]=b(!1),{type:r,status:l,created_at:p,attempts:h,next_attempt_at:u}=t,g=h.at(-1),c=[g?ue(g):l==="waiting"?"not tried yet":"not tried",Ne(t),g&&u&&o`<${ut} key="next" at=${Date.parse(u)} />`].filter(Boolean);return o`<li><details onToggle=${i=>m(i.currentTarget.open)}>
    <summary><span class="delivery-what"><b>${_e(r)}</b>
        <span class="quiet"><${oe} time=${p} /></span></span>
      <span class="delivery-how"><span data-status=${l} class="delivery-status">
          ${Re(l)}</span>
        <span class="quiet">${c.flatMap((i,d)=>d?[" · ",i]:i)}</span></span>
      <${se} name="down" /></summary>
    ${a&&o`<${ht} hook=${e} delivery=${t} may=${s} onRetry=${n} />`}
  </details></li>`}function ht({hook:e,delivery:t,may:s,onRetry:n}){let[a,m]=b(null),[r,l]=b(""),[p,h]=b(!1),{id:u,attempts:g}=t;T(()=>{let f=new AbortController;return C("GET",pe(e,t),{signal:f.signal}).then(k=>m(k),k=>H(k)||l(k.message)),()=>f.abort()},[u]);let c=async()=>{if(!p){h(!0);try{await C("POST",pe(e,t,"/retry")),O("Sending again"),n()}catch(f){O(`Not sent: ${f.message}`)}finally{h(!1)}}},i=a?Pe(a.payload):"",d=i.length>Fe;return o`<div class="delivery">
    ${g.length>0&&o`<h3>Attempts</h3><ol class="attempts">${g.map((f,k)=>o`<li key=${k}><p>${ue(f)}
            <span class="quiet"> after ${f.duration_ms} ms · <${oe}
              time=${f.time} /></span></p>
          ${f.response&&o`<pre class="mono" tabindex="0" role="group" aria-label="Answer">${fe(f.response)}</pre>`}
        </li>`)}</ol>`}
    <div class="delivery-head"><h3>Payload</h3>
      ${a&&o`<${ve} text=${i} label="Copy the payload" />`}</div>
    ${a?o`<pre class="mono payload" tabindex="0" role="group" aria-label="Payload">${d?`${i.slice(0,Fe)}…`:i}</pre>
          ${d&&o`<p class="hint">It is longer: copy it to see all.</p>`}`:r?o`<p class="problem" role="alert">${r}</p>`:o`<p class="quiet" role="status">Loading…</p>`}
    <div class="delivery-foot"><span class="quiet mono">${x(u)}</span>
    ${s&&o`<button type="button" class="button" aria-busy=${p} disabled=${E(e)}
        onClick=${c}>Send again</button>`}</div></div>`}var Ve=new CSSStyleSheet;Ve.replaceSync(Ie);document.adoptedStyleSheets=[...document.adoptedStyleSheets,Ve];function $t(e){let[t,s]=b({hooks:null,error:null}),[n,a]=b(0);return T(()=>{let r=new AbortController;return C("GET",N("/api/webhooks",e),{signal:r.signal}).then(({webhooks:l})=>s({hooks:l,error:null}),l=>H(l)||s(p=>({...p,error:l}))),()=>r.abort()},[e,n]),{...t,replace:r=>s(l=>({...l,hooks:l.hooks?.map(p=>p.id===r.id?r:p)??null})),reload:()=>a(r=>r+1)}}var M=(e="")=>G("/ui/settings",{show:"webhooks",webhook:e});function yo({who:e,query:t}){let{hooks:s,error:n,replace:a,reload:m}=$t(ke(e)?S:""),[r,l]=b(null),p=q(),{kind:h,hook:u,anchor:g}=r??{},c=()=>l(null),i=t.get("webhook"),d=i&&s?.find(v=>v.id===i),f=ft({who:e,replace:a,open:l,isPage:!!d}),k=()=>{c(),m(),d&&J(M()),requestAnimationFrame(()=>p.current?.focus())},w=o`${h==="menu"&&o`<${Te} anchor=${g} label=${`Actions for ${A(u)}`}
        items=${f(u)} onClose=${c} />`}
    ${h==="new"&&o`<${me} who=${e} onDone=${m} onClose=${c} />`}
    ${h==="edit"&&o`<${me} who=${e} hook=${u} onDone=${a} onClose=${c} />`}
    ${h==="rotate"&&o`<${Me} hook=${u} onClose=${c} />`}
    ${h==="delete"&&o`<${Ue} hook=${u} onDone=${k} onClose=${c} />`}`,$=v=>y=>l({kind:"menu",hook:v,anchor:y.currentTarget});return d?o`<${Je} key=${d.id} hook=${d} who=${e} back=${M()}
        onEdit=${()=>l({kind:"edit",hook:d})} onMenu=${$(d)}
        onChange=${a} />${w}`:o`<section class="panel" aria-labelledby="webhooks-title">
    <header class="panel-head"><h2 id="webhooks-title">Webhooks</h2>
      ${Q(e)&&o`<button type="button" class="button" ref=${p}
        onClick=${()=>l({kind:"new"})}>Create webhook</button>`}</header>
    <p class="quiet settings-what">Other programs that are told what happens to links. What can't be
      delivered is tried again for a day.</p>
    ${i&&s&&o`<p class="problem" role="alert">This webhook is not there any more.</p>`}
    ${s?s.length?o`<${gt} who=${e} hooks=${s} onMenu=${$} />`:o`<p class="panel-empty quiet">No webhooks yet.</p>`:n?o`<${Y} title="Couldn't load the webhooks" message=${n.message}
            onRetry=${m} />`:o`<div class="bars-bone" role="status" aria-label="Loading webhooks"></div>`}
    ${s&&n&&o`<p class="problem" role="alert">${n.message}</p>`}
    ${w}</section>`}var ft=({replace:e,open:t,isPage:s})=>n=>[!s&&{icon:"forth",label:"Deliveries",onChoose:()=>J(M(n.id))},!s&&{icon:"edit",label:"Edit",onChoose:()=>t({kind:"edit",hook:n})},!s&&!E(n)&&{icon:"swap",label:"Send a test",onChoose:()=>bt(n)},{icon:"key",label:"Rotate secret",onChoose:()=>t({kind:"rotate",hook:n})},E(n)?{icon:"done",label:"Enable",onChoose:()=>Ke(n,!1,e)}:{icon:"pause",label:"Disable",onChoose:()=>Ke(n,!0,e)},{icon:"remove",label:"Delete",danger:!0,onChoose:()=>t({kind:"delete",hook:n})}].filter(Boolean);async function bt(e){try{await C("POST",D(e,"/test")),J(M(e.id))}catch(t){O(`Not sent: ${t.message}`)}}async function Ke(e,t,s){let n=async a=>s(await L(e,{disabled:a}));try{await n(t),we(`${t?"Disabled":"Enabled"} ${A(e)}`,()=>n(!t))}catch(a){O(`Not changed: ${a.message}`)}}function Qe({hook:e}){let{failing_since:t}=e;return E(e)?o`<span class="state-badge">Disabled</span>${" "}
      ${P(e)&&o`<span class="hook-why quiet">${P(e)}</span>`}`:t?o`<span class="hook-bad">Failing</span>${" "}<span class="hook-why quiet">began${" "}
    <time datetime=${t} title=${B(Date.parse(t))}>
      ${I(Date.parse(t),"long")}</time></span>`:"Active"}var gt=({who:e,hooks:t,onMenu:s})=>o`<table class="entries">
  <thead><tr><th scope="col">Webhook</th><th scope="col" class="wide-only">Events</th>
    <th scope="col" class="wide-only">Status</th>
    <th><span class="unseen">Actions</span></th></tr></thead>
  <tbody>${t.map(n=>{let{id:a,url:m,events:r,tags:l,description:p,owner:h,created_by:u}=n,g=o`${Z(r)}${l.length>0&&o` <span class="quiet">tagged ${l.map(x).join(", ")}</span>`}${h===S&&o` <span class="quiet">of everybody's links</span>`}`;return o`<tr key=${a} data-off=${E(n)}>
      <th scope="row"><a class="hook-link entry-name" href=${z(M(a))}>
          <${ee} hook=${n} /></a>
        <span class="entry-kind quiet">${[p&&o`<${_} key="url" url=${m} />`,u!==e.identity&&o`<bdi key="by">${x(u)}</bdi>`].filter(Boolean).flatMap((c,i)=>i?[" · ",c]:c)}</span>
        <span class="entry-more quiet"><span>${g}</span>
          <span><${Qe} hook=${n} /></span></span></th>
      <td class="wide-only">${g}</td>
      <td class="wide-only"><${Qe} hook=${n} /></td>
      <td class="entry-end">${te(n,e)&&o`<${V} icon="more" label=${`Actions for ${A(n)}`}
          aria-haspopup="menu" onClick=${s(n)} />`}</td></tr>`})}</tbody></table>
  <p class="quiet settings-what">${U(t.length,"webhook","webhooks")}</p>`;export{yo as Webhooks};
