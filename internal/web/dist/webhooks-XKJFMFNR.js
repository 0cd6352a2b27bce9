import{o as le,t as we}from"./chunk-MJMPSP43.js";import"./chunk-5HW2D2CR.js";import"./chunk-KRINPP7Q.js";import{Aa as Y,Ca as Z,Ea as ve,Fa as ee,Ib as re,J as z,Kb as ie,L as he,N as M,O as G,Q as O,Qb as Ce,R as be,Ra as ke,Rb as Te,S as J,Sb as Se,T as K,V as fe,Wa as xe,a as b,b as S,d as R,fa as P,h as ue,i as F,ia as L,k as B,la as w,na as s,oa as ne,p as I,pa as Q,sa as V,ta as C,u as H,ua as ye,w as k,wa as ge,x as me,y as $e,ya as X,za as ae}from"./chunk-KKXQAD3I.js";var W=[["link.created","A link is created","created"],["link.updated","A link is updated","updated"],["link.deleted","A link is deleted","deleted"],["link.expired","A link expires, or its clicks are used up","expired"],["clicks","Clicks are counted: batches, at most one a second",""]],Me={...Object.fromEntries(W.map(([e,,t])=>[e,`Link ${t}`])),clicks:"Clicks","webhook.test":"Test"},Oe=e=>H(Me,e)??k(e);function te(e){let t=W.filter(([n,,o])=>o&&e.includes(n));return[t.length&&`Links ${t.map(([,,n])=>n).join(", ")}`,e.includes("clicks")&&(t.length?"clicks":"Clicks")].filter(Boolean).join(" · ")}var Ge={gone:"Answer 410",failing:"Three days without success",backlog:`${ue(1e4)} deliveries were waiting`},j=({disabled_reason:e})=>H(Ge,e)??"",q=({status:e})=>e==="disabled",D=({url:e})=>k($e(e)[0]),se=(e,t)=>J(t)||K(t)&&e.created_by===t.identity&&e.owner!==O,Je=e=>e.created_by===be.get().identity?"":O,A=(e,t="",n={})=>P(M(`/api/webhooks/${encodeURIComponent(e.id)}${t}`,n),Je(e)),N=(e,t)=>w("PATCH",A(e),{body:t}),ce=(e,{id:t},n="")=>A(e,`/deliveries/${encodeURIComponent(t)}${n}`),de=({status:e,error:t})=>e?`Answer ${e}`:t?k(t):"No answer",Ke={waiting:"Waiting",delivered:"Delivered",failed:"Failed"},De=e=>H(Ke,e)??k(e),Ae=({attempts:e})=>e.length>1?F(e.length,"attempt","attempts"):"",qe=e=>JSON.stringify(e,null,2);var Ee=2048,_e=500,Re=e=>({url:e?.url??"",events:e?.events??W.map(([t])=>t).filter(t=>t!=="clicks"),tags:e?.tags??[],tag_text:"",description:e?.description??"",ofAll:e?.owner===O});function Qe(e){let t={},n=re(e.url);return n?ie(n)?t.url=ie(n):new TextEncoder().encode(n).length>Ee&&(t.url=`A URL can have at most ${Ee} bytes.`):t.url="Enter a URL.",e.events.length||(t.events="Choose at least one."),e.tag_text.trim()&&(t.tags=le(e.tag_text.trim()).problem??"Press Enter to add this tag."),[...e.description.trim()].length>_e&&(t.description=`A description can have at most ${_e} characters.`),t}function Ve(e,t){let n={url:re(e.url),events:e.events,tags:e.tags,description:e.description.trim()};if(!t)return n;let o=Re(t),a=(m,r)=>JSON.stringify([m].flat().toSorted())===JSON.stringify([r].flat().toSorted());return Object.fromEntries(Object.entries(n).filter(([m,r])=>!a(r,o[m])))}function pe({who:e,hook:t,onDone:n,onClose:o}){let[a,m]=b(()=>Re(t)),[r,i]=b({}),[d,h]=b(!1),[p,g]=b(null),c=he(Ce),l=R();S(()=>{Te()},[]);let u=$=>v=>{m(y=>({...y,[$]:v})),i({})},f=$=>{i($),ve(l.current)},x=async $=>{if($.preventDefault(),d)return;let v=Qe(a);if(Object.keys(v).length)return f(v);let y=Ve(a,t);if(!Object.keys(y).length)return o();h(!0);try{if(t)return n(await N(t,y)),C("Saved"),o();let E=P("/api/webhooks",a.ofAll?O:""),_=await w("POST",E,{body:y});n(_),g(_)}catch(E){let[_]=(E.field??"").split("[");f({[["url","events","tags","description"].includes(_)?_:"other"]:Xe(E.message)})}finally{h(!1)}};if(p)return s`<${Pe} hook=${p} secret=${p.secret} onClose=${o} />`;let T=t?"Edit webhook":"Create webhook";return s`<${X} label=${T} class="new-token ask hook-form" onClose=${o}><form
    ref=${l} onSubmit=${x} novalidate>
    <${ae} onClose=${o}>${T}<//>
    <label for="hook-url">URL</label>
    <input id="hook-url" class="field mono" inputmode="url" autocomplete="off"
      autocapitalize="off" spellcheck=${!1} placeholder="https://example.com/hook"
      value=${a.url} onInput=${$=>u("url")($.target.value)}
      aria-invalid=${!!r.url}
      aria-describedby=${r.url?"hook-url-problem":"hook-url-hint"} />
    <${Z} id="hook-url" text=${r.url} />
    ${!r.url&&s`<p id="hook-url-hint" class="hint">It gets a signed POST request for each event.</p>`}
    <fieldset aria-describedby=${r.events?"hook-events-problem":void 0}>
      <legend>Events</legend>
      ${W.map(([$,v])=>s`<label key=${$} class="check"><input type="checkbox"
          checked=${a.events.includes($)} aria-invalid=${!!r.events}
          onChange=${y=>u("events")(y.target.checked?[...a.events,$]:a.events.filter(E=>E!==$))} /><span>${v}</span></label>`)}
      <${Z} id="hook-events" text=${r.events} /></fieldset>
    <label for="hook-tags">Tags</label>
    <${we} id="hook-tags" label="Tags" values=${a.tags}
      text=${a.tag_text} parse=${le} options=${Se(c)} create=${!0}
      placeholder="All links" problem=${r.tags}
      onChange=${($,v)=>{m(y=>({...y,tags:$,tag_text:v})),i({})}} />
    ${!t&&J(e)&&e.others&&s`<label class="check"><input type="checkbox" checked=${a.ofAll}
        onChange=${$=>u("ofAll")($.target.checked)} />
        <span>Everybody's links, not only yours</span></label>`}
    <label for="hook-description">Description</label>
    <input id="hook-description" class="field" autocomplete="off" value=${a.description}
      placeholder="What it is for" aria-invalid=${!!r.description}
      aria-describedby=${r.description?"hook-description-problem":void 0}
      onInput=${$=>u("description")($.target.value)} />
    <${Z} id="hook-description" text=${r.description} />
    ${r.other&&s`<p class="problem" role="alert">${r.other}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${o}>Cancel</button>
      <button class="button primary" aria-busy=${d}>
        ${t?"Save":"Create webhook"}</button></div>
  </form><//>`}var Xe=e=>/address is not allowed/i.test(e)?"Nothing can be sent there: the host is private or unknown.":e;function Pe({hook:e,secret:t,onClose:n}){let o=`The secret of ${D(e)}`;return S(()=>ge("The secret is shown only now."),[]),s`<${X} key="secret" label=${o} class="new-token">
    <header class="dialog-title"><h2>${o}</h2></header>
    <div class="sharing-address">
      <input class="field mono" type="text" readonly aria-label="Secret" value=${t}
        aria-describedby="secret-once" onFocus=${a=>a.target.select()} />
      <${V} text=${t} label="Copy the secret" /></div>
    <p id="secret-once" class="token-once"><b>It is shown only now.</b> With it the receiver checks
      that a request is from here.</p>
    <div class="buttons one"><button type="button" class="button primary" onClick=${n}>
      Done</button></div>
  <//>`}function Ne({label:e,title:t,keep:n,act:o,danger:a,onAct:m,onClose:r,children:i}){let[d,h]=b(!1),[p,g]=b(""),c=async()=>{if(!d){h(!0);try{await m()}catch(l){h(!1),g(l.message)}}};return s`<${X} label=${e} onClose=${r}>
    <${ae} onClose=${r}>${t}<//>
    <p>${i}</p>
    ${p&&s`<p class="problem" role="alert">${p}</p>`}
    <div class="buttons"><button type="button" class="button" data-focus=${!0}
        onClick=${r}>${n}</button>
      <button type="button" class=${`button ${a?"danger":"primary"}`} aria-busy=${d}
        onClick=${c}>${o}</button></div>
  <//>`}function Be({hook:e,onClose:t}){let[n,o]=b("");if(n)return s`<${Pe} hook=${e} secret=${n} onClose=${t} />`;let a=async()=>o((await w("POST",A(e,"/rotate"))).secret);return s`<${Ne} label="Rotate secret" title=${`Rotate the secret of ${D(e)}?`}
    keep="Cancel" act="Rotate secret" onAct=${a} onClose=${t}>
    For 24 hours requests are signed with the old one, too, so that you can change over.<//>`}function Le({hook:e,onDone:t,onClose:n}){let o=async()=>{try{await w("DELETE",A(e))}catch(a){if(a.status!==404)throw a}C("Webhook deleted"),t()};return s`<${Ne} label="Delete webhook" title=${`Delete ${k(D(e))}?`}
    keep="Keep it" act="Delete webhook" danger=${!0} onAct=${o} onClose=${n}>
    Nothing more is sent there, what waits included, and the list of what was sent is gone. This
    can't be undone.<//>`}var We=`/* Webhooks and their deliveries */
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
  .deliveries summary {
    grid-template-columns: minmax(0, 1fr) 20px;
    padding: 8px 0;
  }
  .deliveries summary .icon-down {
    grid-row: 1 / 3;
    grid-column: 2;
  }
}
@media (hover: none), (pointer: coarse) {
  .hook-form .check,
  .hook-back a {
    min-height: 44px;
  }
}
`;var Ze=50,Ue=2e3,je=2e4,et=({status:e,next_attempt_at:t})=>e==="waiting"&&Date.parse(t)-Date.now()<5*Ue;function tt(e,t){let[n,o]=b({status:t,list:null,next:"",error:null}),[a,m]=b(0),[r,i]=b(!1),d=(c,l)=>w("GET",A(e,"/deliveries",{status:t,limit:Ze,cursor:c}),{signal:l}),h=n.status===t?n:{list:null,next:"",error:null};S(()=>{let c=new AbortController;return d("",c.signal).then(({deliveries:l,next_cursor:u=""})=>o(f=>{let x=l.at(-1)?.created_at??"",T=f.status===t&&u?(f.list??[]).filter(({id:$,created_at:v})=>v<=x&&!l.some(y=>y.id===$)):[];return{status:t,list:[...l,...T],next:T.length?f.next:u,error:null}}),l=>L(l)||o(u=>({...u.status===t?u:h,status:t,error:l}))),()=>c.abort()},[e.id,e.status,t,a]);let p=h.list?.some(et)&&!h.error;return S(()=>{if(!p)return;let c=setTimeout(()=>m(l=>l+1),Ue);return()=>clearTimeout(c)},[p,n]),{...h,busy:r,more:async()=>{if(!r){i(!0);try{let{deliveries:c,next_cursor:l=""}=await d(h.next);o(u=>u.status===t?{...u,list:[...u.list,...c],next:l,error:null}:u)}catch(c){o(l=>({...l,error:c}))}finally{i(!1)}}},reload:()=>m(c=>c+1)}}var st=[["","All"],["waiting","Waiting"],["delivered","Delivered"],["failed","Failed"]];function Fe({hook:e,who:t,back:n,onEdit:o,onMenu:a,onChange:m}){let[r,i]=b(""),{list:d,next:h,error:p,busy:g,more:c,reload:l}=tt(e,r),[u,f]=b(!1),x=R();S(()=>x.current.focus({preventScroll:!0}),[]);let T=d?.map(({id:y,status:E,attempts:_})=>y+E+_.length).join();S(()=>{T&&w("GET",A(e)).then(m,()=>{})},[T]);let $=se(e,t),v=async()=>{if(!u){f(!0);try{await w("POST",A(e,"/test")),i(""),l()}catch(y){C(`Not sent: ${y.message}`)}finally{f(!1)}}};return s`<p class="hook-back"><a href=${z(n)}><${ne} name="back" />Webhooks</a></p>
    <section class="panel" aria-labelledby="hook-title">
      <header class="panel-head hook-head"><h2 id="hook-title" tabindex="-1" ref=${x}>
          <bdi>${D(e)}</bdi></h2>
        ${$&&s`<span class="hook-acts">
          <button type="button" class="button" aria-busy=${u} disabled=${q(e)}
            onClick=${v}>Send a test</button>
          <button type="button" class="button" onClick=${o}>Edit</button>
          <${Q} icon="more" label=${`Actions for ${D(e)}`} aria-haspopup="menu"
            onClick=${a} /></span>`}</header>
      <${ot} hook=${e} may=${$} onChange=${m} />
      <${nt} hook=${e} who=${t} /></section>
    <section class="panel" aria-labelledby="deliveries-title">
      <header class="panel-head"><h2 id="deliveries-title">Deliveries</h2>
        <${xe} label="Show" value=${r} options=${st} onChange=${i} /></header>
      <p class="quiet settings-what">Those that are done are kept for 7 days.</p>
      ${d?d.length?s`<ol class="deliveries">${d.map(y=>s`<${at} key=${y.id} hook=${e} delivery=${y} may=${$}
                    onRetry=${l} />`)}</ol>`:s`<p class="panel-empty quiet" role="status">${r?"None with this status.":"No deliveries yet."}</p>`:p?s`<${ee} title="Couldn't load the deliveries" message=${p.message}
              onRetry=${l} />`:s`<div class="bars-bone" role="status" aria-label="Loading deliveries"></div>`}
      ${d&&p&&s`<p class="problem" role="alert">${p.message}</p>`}
      ${h&&s`<p class="panel-more"><button type="button" class="text-button" aria-busy=${g}
          onClick=${c}>Show older deliveries</button></p>`}</section>`}function ot({hook:e,may:t,onChange:n}){let[o,a]=b(!1),{failing_since:m}=e,r=async()=>{if(!o){a(!0);try{n(await N(e,{disabled:!1})),C("Enabled. What happens from now on is sent.")}catch(i){C(`Not changed: ${i.message}`)}finally{a(!1)}}};return!q(e)&&!m?null:q(e)?s`<div class="hook-note"><p><b>Disabled.</b>${" "}
      ${j(e)&&`${j(e)}. `}Nothing is sent, and what happens meanwhile is never
      sent.</p>
    ${t&&s`<button type="button" class="button" aria-busy=${o} onClick=${r}>
      Enable</button>`}</div>`:s`<p class="hook-note"><span class="hook-bad">Failing</span> since${" "}
      <${oe} time=${m} />. What waits is tried again; after three days without success the
      webhook is disabled.</p>`}var nt=({hook:e,who:t})=>s`<dl class="hook-facts">
  <div><dt class="quiet">URL</dt><dd class="mono"><${Y} url=${e.url} /></dd></div>
  <div><dt class="quiet">Events</dt><dd>${te(e.events)}</dd></div>
  ${e.tags.length>0&&s`<div><dt class="quiet">Tags</dt>
    <dd><bdi>${e.tags.map(k).join(", ")}</bdi></dd></div>`}
  ${e.owner===O&&s`<div><dt class="quiet">Links</dt><dd>Everybody's</dd></div>`}
  ${e.description&&s`<div><dt class="quiet">Description</dt>
    <dd><bdi>${k(e.description)}</bdi></dd></div>`}
  <div><dt class="quiet">Created</dt><dd><${oe} time=${e.created_at} />${e.created_by!==t.identity&&s` by <bdi>${k(e.created_by)}</bdi>`}</dd></div></dl>`,oe=({time:e})=>s`<time datetime=${e} title=${B(Date.parse(e))}>
  ${I(Date.parse(e),"long")}</time>`;function at({hook:e,delivery:t,may:n,onRetry:o}){let[a,m]=b(!1),{type:r,status:i,created_at:d,attempts:h,next_attempt_at:p}=t,g=h.at(-1),c=[g&&de(g),Ae(t),i==="waiting"&&g&&p&&`next ${B(Date.parse(p))}`].filter(Boolean);return s`<li><details onToggle=${l=>m(l.currentTarget.open)}>
    <summary><span class="delivery-what"><b>${Oe(r)}</b>
        <span class="quiet"><${oe} time=${d} /></span></span>
      <span class="delivery-how"><span data-status=${i} class="delivery-status">
          ${De(i)}</span>
        <span class="quiet">${c.join(" · ")}</span></span>
      <${ne} name="down" /></summary>
    ${a&&s`<${rt} hook=${e} delivery=${t} may=${n} onRetry=${o} />`}
  </details></li>`}function rt({hook:e,delivery:t,may:n,onRetry:o}){let[a,m]=b(null),[r,i]=b(""),[d,h]=b(!1),{id:p,attempts:g}=t;S(()=>{let f=new AbortController;return w("GET",ce(e,t),{signal:f.signal}).then(x=>m(x),x=>L(x)||i(x.message)),()=>f.abort()},[p]);let c=async()=>{if(!d){h(!0);try{await w("POST",ce(e,t,"/retry")),C("Sending again"),o()}catch(f){C(`Not sent: ${f.message}`)}finally{h(!1)}}},l=a?qe(a.payload):"",u=l.length>je;return s`<div class="delivery">
    ${g.length>0&&s`<h3>Attempts</h3><ol class="attempts">${g.map((f,x)=>s`<li key=${x}><p>${de(f)}
            <span class="quiet"> after ${f.duration_ms} ms · <${oe}
              time=${f.time} /></span></p>
          ${f.response&&s`<pre class="mono" tabindex="0" role="group" aria-label="Answer">${me(f.response)}</pre>`}
        </li>`)}</ol>`}
    <div class="delivery-head"><h3>Payload</h3>
      ${a&&s`<${V} text=${l} label="Copy the payload" />`}</div>
    ${a?s`<pre class="mono payload" tabindex="0" role="group" aria-label="Payload">${u?`${l.slice(0,je)}…`:l}</pre>
          ${u&&s`<p class="hint">It is longer: copy it to see all.</p>`}`:r?s`<p class="problem" role="alert">${r}</p>`:s`<p class="quiet" role="status">Loading…</p>`}
    <div class="delivery-foot"><span class="quiet mono">${k(p)}</span>
    ${n&&s`<button type="button" class="button" aria-busy=${d} disabled=${q(e)}
        onClick=${c}>Send again</button>`}</div></div>`}var ze=new CSSStyleSheet;ze.replaceSync(We);document.adoptedStyleSheets=[...document.adoptedStyleSheets,ze];function it(e){let[t,n]=b({hooks:null,error:null}),[o,a]=b(0);return S(()=>{let r=new AbortController;return w("GET",P("/api/webhooks",e),{signal:r.signal}).then(({webhooks:i})=>n({hooks:i,error:null}),i=>L(i)||n(d=>({...d,error:i}))),()=>r.abort()},[e,o]),{...t,replace:r=>n(i=>({...i,hooks:i.hooks?.map(d=>d.id===r.id?r:d)??null})),reload:()=>a(r=>r+1)}}var U=(e="")=>M("/ui/settings",{show:"webhooks",webhook:e});function ss({who:e,query:t}){let{hooks:n,error:o,replace:a,reload:m}=it(fe(e)?O:""),[r,i]=b(null),d=R(),{kind:h,hook:p,anchor:g}=r??{},c=()=>i(null),l=t.get("webhook"),u=l&&n?.find(v=>v.id===l),f=lt({who:e,replace:a,open:i,isPage:!!u}),x=()=>{c(),m(),u&&G(U()),requestAnimationFrame(()=>d.current?.focus())},T=s`${h==="menu"&&s`<${ke} anchor=${g} label=${`Actions for ${D(p)}`}
        items=${f(p)} onClose=${c} />`}
    ${h==="new"&&s`<${pe} who=${e} onDone=${m} onClose=${c} />`}
    ${h==="edit"&&s`<${pe} who=${e} hook=${p} onDone=${a} onClose=${c} />`}
    ${h==="rotate"&&s`<${Be} hook=${p} onClose=${c} />`}
    ${h==="delete"&&s`<${Le} hook=${p} onDone=${x} onClose=${c} />`}`,$=v=>y=>i({kind:"menu",hook:v,anchor:y.currentTarget});return u?s`<${Fe} key=${u.id} hook=${u} who=${e} back=${U()}
        onEdit=${()=>i({kind:"edit",hook:u})} onMenu=${$(u)}
        onChange=${a} />${T}`:s`<section class="panel" aria-labelledby="webhooks-title">
    <header class="panel-head"><h2 id="webhooks-title">Webhooks</h2>
      ${K(e)&&s`<button type="button" class="button" ref=${d}
        onClick=${()=>i({kind:"new"})}>Create webhook</button>`}</header>
    <p class="quiet settings-what">Other programs that are told what happens to links. What can't be
      delivered is tried again for a day.</p>
    ${l&&n&&s`<p class="problem" role="alert">This webhook is not there any more.</p>`}
    ${n?n.length?s`<${dt} who=${e} hooks=${n} onMenu=${$} />`:s`<p class="panel-empty quiet">No webhooks yet.</p>`:o?s`<${ee} title="Couldn't load the webhooks" message=${o.message}
            onRetry=${m} />`:s`<div class="bars-bone" role="status" aria-label="Loading webhooks"></div>`}
    ${n&&o&&s`<p class="problem" role="alert">${o.message}</p>`}
    ${T}</section>`}var lt=({replace:e,open:t,isPage:n})=>o=>[!n&&{icon:"forth",label:"Deliveries",onChoose:()=>G(U(o.id))},!n&&{icon:"edit",label:"Edit",onChoose:()=>t({kind:"edit",hook:o})},!n&&!q(o)&&{icon:"swap",label:"Send a test",onChoose:()=>ct(o)},{icon:"key",label:"Rotate secret",onChoose:()=>t({kind:"rotate",hook:o})},q(o)?{icon:"done",label:"Enable",onChoose:()=>Ie(o,!1,e)}:{icon:"pause",label:"Disable",onChoose:()=>Ie(o,!0,e)},{icon:"remove",label:"Delete",danger:!0,onChoose:()=>t({kind:"delete",hook:o})}].filter(Boolean);async function ct(e){try{await w("POST",A(e,"/test")),G(U(e.id))}catch(t){C(`Not sent: ${t.message}`)}}async function Ie(e,t,n){let o=async a=>n(await N(e,{disabled:a}));try{await o(t),ye(`${t?"Disabled":"Enabled"} ${D(e)}`,()=>o(!t))}catch(a){C(`Not changed: ${a.message}`)}}function He({hook:e}){let{failing_since:t}=e;return q(e)?s`<span class="state-badge">Disabled</span>${" "}
      <span class="quiet">${j(e)}</span>`:t?s`<span class="hook-bad">Failing</span>${" "}<span class="quiet">since${" "}
    <time datetime=${t} title=${B(Date.parse(t))}>
      ${I(Date.parse(t),"long")}</time></span>`:"Active"}var dt=({who:e,hooks:t,onMenu:n})=>s`<table class="entries">
  <thead><tr><th scope="col">URL</th><th scope="col" class="wide-only">Events</th>
    <th scope="col" class="wide-only">Status</th>
    <th><span class="unseen">Actions</span></th></tr></thead>
  <tbody>${t.map(o=>{let{id:a,url:m,events:r,tags:i,description:d,owner:h,created_by:p}=o,g=s`${te(r)}${i.length>0&&s` <span class="quiet">of ${i.map(k).join(", ")}</span>`}${h===O&&s` <span class="quiet">of everybody's links</span>`}`;return s`<tr key=${a} data-off=${q(o)}>
      <th scope="row"><a href=${z(U(a))}><${Y} url=${m} /></a>
        <span class="entry-kind quiet">${[d&&s`<bdi key="what">${k(d)}</bdi>`,p!==e.identity&&s`<bdi key="by">${k(p)}</bdi>`].filter(Boolean).flatMap((c,l)=>l?[" · ",c]:c)}</span>
        <span class="entry-more quiet"><span>${g}</span>
          <span><${He} hook=${o} /></span></span></th>
      <td class="wide-only">${g}</td>
      <td class="wide-only"><${He} hook=${o} /></td>
      <td class="entry-end">${se(o,e)&&s`<${Q} icon="more" label=${`Actions for ${D(o)}`}
          aria-haspopup="menu" onClick=${n(o)} />`}</td></tr>`})}</tbody></table>
  <p class="quiet settings-what">${F(t.length,"webhook","webhooks")}</p>`;export{ss as Webhooks};
