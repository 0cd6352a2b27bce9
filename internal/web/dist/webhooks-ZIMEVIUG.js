import{o as le,t as xe}from"./chunk-ZNEIVDJT.js";import"./chunk-IMBBSCZP.js";import"./chunk-US535QSP.js";import{Aa as Y,Ca as Z,Ea as ve,Fa as ee,Ib as ie,J as H,Kb as re,L as he,N as z,O as G,Q as T,Qb as Ce,R as fe,Ra as we,Rb as Se,S as J,Sb as Oe,T as K,V as be,Wa as ke,a as f,b as O,d as E,fa as P,h as ue,i as F,ia as B,k as R,la as x,na as o,oa as ne,p as I,pa as Q,sa as V,ta as C,u as M,ua as ge,w,wa as ye,x as me,y as $e,ya as X,za as ae}from"./chunk-OYUWV7EC.js";var L=[["link.created","A link is made","made"],["link.updated","A link is changed","changed"],["link.deleted","A link is deleted","deleted"],["link.expired","A link ends: its time is over, or its clicks are used up","ended"],["clicks","Clicks are counted: together, at most once a second",""]],ze={...Object.fromEntries(L.map(([e,,t])=>[e,`Link ${t}`])),clicks:"Clicks","webhook.test":"Test"},Te=e=>M(ze,e)??w(e);function te(e){let t=L.filter(([n,,s])=>s&&e.includes(n));return[t.length&&`Links ${t.map(([,,n])=>n).join(", ")}`,e.includes("clicks")&&(t.length?"clicks":"Clicks")].filter(Boolean).join(" · ")}var Ge={gone:"The receiver answered that nothing is to be sent any more (410).",failing:"For three days nothing was accepted.",backlog:`${ue(1e4)} deliveries were waiting.`},j=({disabled_reason:e})=>M(Ge,e)??"",D=({status:e})=>e==="disabled",A=({url:e})=>w($e(e)[0]),oe=(e,t)=>J(t)||K(t)&&e.created_by===t.identity&&e.owner!==T,Je=e=>e.created_by===fe.get().identity?"":T,q=(e,t="",n={})=>P(z(`/api/webhooks/${encodeURIComponent(e.id)}${t}`,n),Je(e)),W=(e,t)=>x("PATCH",q(e),{body:t}),ce=(e,{id:t},n="")=>q(e,`/deliveries/${encodeURIComponent(t)}${n}`),de=({status:e,error:t})=>e?`Answer ${e}`:t?w(t):"No answer",Ke={waiting:"Waiting",delivered:"Delivered",failed:"Failed"},Ae=e=>M(Ke,e)??w(e),qe=({attempts:e})=>e.length>1?F(e.length,"attempt","attempts"):"",De=e=>JSON.stringify(e,null,2);var Ne=2048,_e=500,Ee=e=>({url:e?.url??"",events:e?.events??L.map(([t])=>t).filter(t=>t!=="clicks"),tags:e?.tags??[],tag_text:"",description:e?.description??"",ofAll:e?.owner===T});function Qe(e){let t={},n=ie(e.url);return n?re(n)?t.url=re(n):new TextEncoder().encode(n).length>Ne&&(t.url=`A URL can have at most ${Ne} bytes.`):t.url="Enter a URL.",e.events.length||(t.events="Choose at least one."),e.tag_text.trim()&&(t.tags=le(e.tag_text.trim()).problem??"Press Enter to add this tag."),[...e.description.trim()].length>_e&&(t.description=`A note can have at most ${_e} characters.`),t}function Ve(e,t){let n={url:ie(e.url),events:e.events,tags:e.tags,description:e.description.trim()};if(!t)return n;let s=Ee(t),a=(m,i)=>JSON.stringify([m].flat().toSorted())===JSON.stringify([i].flat().toSorted());return Object.fromEntries(Object.entries(n).filter(([m,i])=>!a(i,s[m])))}function pe({who:e,hook:t,onDone:n,onClose:s}){let[a,m]=f(()=>Ee(t)),[i,r]=f({}),[d,h]=f(!1),[p,y]=f(null),c=he(Ce),l=E();O(()=>{Se()},[]);let u=$=>v=>{m(g=>({...g,[$]:v})),r({})},b=$=>{r($),ve(l.current)},k=async $=>{if($.preventDefault(),d)return;let v=Qe(a);if(Object.keys(v).length)return b(v);let g=Ve(a,t);if(!Object.keys(g).length)return s();h(!0);try{if(t)return n(await W(t,g)),C("Saved"),s();let N=P("/api/webhooks",a.ofAll?T:""),_=await x("POST",N,{body:g});n(_),y(_)}catch(N){let[_]=(N.field??"").split("[");b({[["url","events","tags","description"].includes(_)?_:"other"]:Xe(N.message)})}finally{h(!1)}};if(p)return o`<${Pe} hook=${p} secret=${p.secret} onClose=${s} />`;let S=t?"Edit webhook":"New webhook";return o`<${X} label=${S} class="new-token ask hook-form" onClose=${s}><form
    ref=${l} onSubmit=${k} novalidate>
    <${ae} onClose=${s}>${S}<//>
    <label for="hook-url">URL</label>
    <input id="hook-url" class="field mono" inputmode="url" autocomplete="off"
      autocapitalize="off" spellcheck=${!1} placeholder="https://example.com/hook"
      value=${a.url} onInput=${$=>u("url")($.target.value)}
      aria-invalid=${!!i.url}
      aria-describedby=${i.url?"hook-url-problem":"hook-url-hint"} />
    <${Z} id="hook-url" text=${i.url} />
    ${!i.url&&o`<p id="hook-url-hint" class="hint">It gets a signed POST request for each event.</p>`}
    <fieldset aria-describedby=${i.events?"hook-events-problem":void 0}>
      <legend>When</legend>
      ${L.map(([$,v])=>o`<label key=${$} class="check"><input type="checkbox"
          checked=${a.events.includes($)} aria-invalid=${!!i.events}
          onChange=${g=>u("events")(g.target.checked?[...a.events,$]:a.events.filter(N=>N!==$))} /><span>${v}</span></label>`)}
      <${Z} id="hook-events" text=${i.events} /></fieldset>
    <label for="hook-tags">Only links with one of these tags</label>
    <${xe} id="hook-tags" label="Only links with one of these tags" values=${a.tags}
      text=${a.tag_text} parse=${le} options=${Oe(c)} create=${!0}
      placeholder="All links" problem=${i.tags}
      onChange=${($,v)=>{m(g=>({...g,tags:$,tag_text:v})),r({})}} />
    ${!t&&J(e)&&e.others&&o`<label class="check"><input type="checkbox" checked=${a.ofAll}
        onChange=${$=>u("ofAll")($.target.checked)} />
        <span>Also links of others</span></label>`}
    <label for="hook-description">Note</label>
    <input id="hook-description" class="field" autocomplete="off" value=${a.description}
      placeholder="What it is for" aria-invalid=${!!i.description}
      aria-describedby=${i.description?"hook-description-problem":void 0}
      onInput=${$=>u("description")($.target.value)} />
    <${Z} id="hook-description" text=${i.description} />
    ${i.other&&o`<p class="problem" role="alert">${i.other}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${s}>Cancel</button>
      <button class="button primary" aria-busy=${d}>
        ${t?"Save":"Make webhook"}</button></div>
  </form><//>`}var Xe=e=>/address is not allowed/i.test(e)?"Nothing can be sent there: the host is private or unknown.":e;function Pe({hook:e,secret:t,onClose:n}){let s=`The secret for ${A(e)}`;return O(()=>ye("The secret is shown only now."),[]),o`<${X} key="secret" label=${s} class="new-token">
    <header class="dialog-title"><h2>${s}</h2></header>
    <div class="sharing-address">
      <input class="field mono" type="text" readonly aria-label="Secret" value=${t}
        aria-describedby="secret-once" onFocus=${a=>a.target.select()} />
      <${V} text=${t} label="Copy the secret" /></div>
    <p id="secret-once" class="token-once"><b>It is shown only now.</b> With it the receiver checks
      that a request is from here.</p>
    <div class="buttons one"><button type="button" class="button primary" onClick=${n}>
      Done</button></div>
  <//>`}function We({label:e,title:t,keep:n,act:s,danger:a,onAct:m,onClose:i,children:r}){let[d,h]=f(!1),[p,y]=f(""),c=async()=>{if(!d){h(!0);try{await m()}catch(l){h(!1),y(l.message)}}};return o`<${X} label=${e} onClose=${i}>
    <${ae} onClose=${i}>${t}<//>
    <p>${r}</p>
    ${p&&o`<p class="problem" role="alert">${p}</p>`}
    <div class="buttons"><button type="button" class="button" data-focus=${!0}
        onClick=${i}>${n}</button>
      <button type="button" class=${`button ${a?"danger":"primary"}`} aria-busy=${d}
        onClick=${c}>${s}</button></div>
  <//>`}function Re({hook:e,onClose:t}){let[n,s]=f("");if(n)return o`<${Pe} hook=${e} secret=${n} onClose=${t} />`;let a=async()=>s((await x("POST",q(e,"/rotate"))).secret);return o`<${We} label="New secret" title=${`A new secret for ${A(e)}?`}
    keep="Cancel" act="Make a new secret" onAct=${a} onClose=${t}>
    For 24 hours requests are signed with the old one, too, so that you can change over.<//>`}function Be({hook:e,onDone:t,onClose:n}){let s=async()=>{try{await x("DELETE",q(e))}catch(a){if(a.status!==404)throw a}C("Webhook deleted"),t()};return o`<${We} label="Delete webhook" title=${`Delete ${w(A(e))}?`}
    keep="Keep it" act="Delete webhook" danger=${!0} onAct=${s} onClose=${n}>
    Nothing more is sent there, what waits included, and the list of what was sent is gone. This
    can't be undone.<//>`}var Le=`/* Webhooks and their deliveries */
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
`;var Ze=50,Ue=2e3,je=2e4,et=({status:e,next_attempt_at:t})=>e==="waiting"&&Date.parse(t)-Date.now()<5*Ue;function tt(e,t){let[n,s]=f({status:t,list:null,next:"",error:null}),[a,m]=f(0),[i,r]=f(!1),d=(c,l)=>x("GET",q(e,"/deliveries",{status:t,limit:Ze,cursor:c}),{signal:l}),h=n.status===t?n:{list:null,next:"",error:null};O(()=>{let c=new AbortController;return d("",c.signal).then(({deliveries:l,next_cursor:u=""})=>s(b=>{let k=l.at(-1)?.created_at??"",S=b.status===t&&u?(b.list??[]).filter(({id:$,created_at:v})=>v<=k&&!l.some(g=>g.id===$)):[];return{status:t,list:[...l,...S],next:S.length?b.next:u,error:null}}),l=>B(l)||s(u=>({...u.status===t?u:h,status:t,error:l}))),()=>c.abort()},[e.id,e.status,t,a]);let p=h.list?.some(et)&&!h.error;return O(()=>{if(!p)return;let c=setTimeout(()=>m(l=>l+1),Ue);return()=>clearTimeout(c)},[p,n]),{...h,busy:i,more:async()=>{if(!i){r(!0);try{let{deliveries:c,next_cursor:l=""}=await d(h.next);s(u=>u.status===t?{...u,list:[...u.list,...c],next:l,error:null}:u)}catch(c){s(l=>({...l,error:c}))}finally{r(!1)}}},reload:()=>m(c=>c+1)}}var ot=[["","All"],["waiting","Waiting"],["delivered","Delivered"],["failed","Failed"]];function Fe({hook:e,who:t,back:n,onEdit:s,onMenu:a,onChange:m}){let[i,r]=f(""),{list:d,next:h,error:p,busy:y,more:c,reload:l}=tt(e,i),[u,b]=f(!1),k=E();O(()=>k.current.focus({preventScroll:!0}),[]);let S=d?.map(({id:g,status:N,attempts:_})=>g+N+_.length).join();O(()=>{S&&x("GET",q(e)).then(m,()=>{})},[S]);let $=oe(e,t),v=async()=>{if(!u){b(!0);try{await x("POST",q(e,"/test")),r(""),l()}catch(g){C(`Not sent: ${g.message}`)}finally{b(!1)}}};return o`<p class="hook-back"><a href=${H(n)}><${ne} name="back" />Webhooks</a></p>
    <section class="panel" aria-labelledby="hook-title">
      <header class="panel-head hook-head"><h2 id="hook-title" tabindex="-1" ref=${k}>
          <bdi>${A(e)}</bdi></h2>
        ${$&&o`<span class="hook-acts">
          <button type="button" class="button" aria-busy=${u} disabled=${D(e)}
            onClick=${v}>Send a test</button>
          <button type="button" class="button" onClick=${s}>Edit</button>
          <${Q} icon="more" label=${`Actions for ${A(e)}`} aria-haspopup="menu"
            onClick=${a} /></span>`}</header>
      <${st} hook=${e} may=${$} onChange=${m} />
      <${nt} hook=${e} who=${t} /></section>
    <section class="panel" aria-labelledby="deliveries-title">
      <header class="panel-head"><h2 id="deliveries-title">Deliveries</h2>
        <${ke} label="Show" value=${i} options=${ot} onChange=${r} /></header>
      <p class="quiet settings-what">What is done is kept for 7 days.</p>
      ${d?d.length?o`<ol class="deliveries">${d.map(g=>o`<${at} key=${g.id} hook=${e} delivery=${g} may=${$}
                    onRetry=${l} />`)}</ol>`:o`<p class="panel-empty quiet" role="status">${i?"None in this state.":"Nothing was sent yet."}</p>`:p?o`<${ee} title="Couldn't load the deliveries" message=${p.message}
              onRetry=${l} />`:o`<div class="bars-bone" role="status" aria-label="Loading deliveries"></div>`}
      ${d&&p&&o`<p class="problem" role="alert">${p.message}</p>`}
      ${h&&o`<p class="panel-more"><button type="button" class="text-button" aria-busy=${y}
          onClick=${c}>Show older deliveries</button></p>`}</section>`}function st({hook:e,may:t,onChange:n}){let[s,a]=f(!1),{failing_since:m}=e,i=async()=>{if(!s){a(!0);try{n(await W(e,{disabled:!1})),C("On again. What happens from now on is sent.")}catch(r){C(`Not changed: ${r.message}`)}finally{a(!1)}}};return!D(e)&&!m?null:D(e)?o`<div class="hook-note"><p><b>${j(e)?"Stopped.":"Off."}</b>${" "}
      ${j(e)} Nothing is sent, and what happens meanwhile is never sent.</p>
    ${t&&o`<button type="button" class="button" aria-busy=${s} onClick=${i}>
      Switch on</button>`}</div>`:o`<p class="hook-note"><span class="hook-bad">Failing</span> since${" "}
      <${se} time=${m} />. What waits is tried again; after three days without success nothing
      more is sent.</p>`}var nt=({hook:e,who:t})=>o`<dl class="hook-facts">
  <div><dt class="quiet">URL</dt><dd class="mono"><${Y} url=${e.url} /></dd></div>
  <div><dt class="quiet">Told of</dt><dd>${te(e.events)}</dd></div>
  ${e.tags.length>0&&o`<div><dt class="quiet">Only with a tag</dt>
    <dd><bdi>${e.tags.map(w).join(", ")}</bdi></dd></div>`}
  ${e.owner===T&&o`<div><dt class="quiet">Links of</dt><dd>Everybody</dd></div>`}
  ${e.description&&o`<div><dt class="quiet">Note</dt><dd><bdi>${w(e.description)}</bdi></dd></div>`}
  <div><dt class="quiet">Made</dt><dd><${se} time=${e.created_at} />${e.created_by!==t.identity&&o` by <bdi>${w(e.created_by)}</bdi>`}</dd></div></dl>`,se=({time:e})=>o`<time datetime=${e} title=${R(Date.parse(e))}>
  ${I(Date.parse(e),"long")}</time>`;function at({hook:e,delivery:t,may:n,onRetry:s}){let[a,m]=f(!1),{type:i,status:r,created_at:d,attempts:h,next_attempt_at:p}=t,y=h.at(-1),c=[y&&de(y),qe(t),r==="waiting"&&y&&p&&`next ${R(Date.parse(p))}`].filter(Boolean);return o`<li><details onToggle=${l=>m(l.currentTarget.open)}>
    <summary><span class="delivery-what"><b>${Te(i)}</b>
        <span class="quiet"><${se} time=${d} /></span></span>
      <span class="delivery-how"><span data-status=${r} class="delivery-status">
          ${Ae(r)}</span>
        <span class="quiet">${c.join(" · ")}</span></span>
      <${ne} name="down" /></summary>
    ${a&&o`<${it} hook=${e} delivery=${t} may=${n} onRetry=${s} />`}
  </details></li>`}function it({hook:e,delivery:t,may:n,onRetry:s}){let[a,m]=f(null),[i,r]=f(""),[d,h]=f(!1),{id:p,attempts:y}=t;O(()=>{let b=new AbortController;return x("GET",ce(e,t),{signal:b.signal}).then(k=>m(k),k=>B(k)||r(k.message)),()=>b.abort()},[p]);let c=async()=>{if(!d){h(!0);try{await x("POST",ce(e,t,"/retry")),C("Sending again"),s()}catch(b){C(`Not sent: ${b.message}`)}finally{h(!1)}}},l=a?De(a.payload):"",u=l.length>je;return o`<div class="delivery">
    ${y.length>0&&o`<h3>Attempts</h3><ol class="attempts">${y.map((b,k)=>o`<li key=${k}><p>${de(b)}
            <span class="quiet"> after ${b.duration_ms} ms · <${se}
              time=${b.time} /></span></p>
          ${b.response&&o`<pre class="mono" tabindex="0" role="group" aria-label="Answer">${me(b.response)}</pre>`}
        </li>`)}</ol>`}
    <div class="delivery-head"><h3>What is sent</h3>
      ${a&&o`<${V} text=${l} label="Copy what is sent" />`}</div>
    ${a?o`<pre class="mono payload" tabindex="0" role="group" aria-label="What is sent">${u?`${l.slice(0,je)}…`:l}</pre>
          ${u&&o`<p class="hint">It is longer: copy it to see all.</p>`}`:i?o`<p class="problem" role="alert">${i}</p>`:o`<p class="quiet" role="status">Loading…</p>`}
    <div class="delivery-foot"><span class="quiet mono">${w(p)}</span>
    ${n&&o`<button type="button" class="button" aria-busy=${d} disabled=${D(e)}
        onClick=${c}>Send again</button>`}</div></div>`}var He=new CSSStyleSheet;He.replaceSync(Le);document.adoptedStyleSheets=[...document.adoptedStyleSheets,He];function rt(e){let[t,n]=f({hooks:null,error:null}),[s,a]=f(0);return O(()=>{let i=new AbortController;return x("GET",P("/api/webhooks",e),{signal:i.signal}).then(({webhooks:r})=>n({hooks:r,error:null}),r=>B(r)||n(d=>({...d,error:r}))),()=>i.abort()},[e,s]),{...t,replace:i=>n(r=>({...r,hooks:r.hooks?.map(d=>d.id===i.id?i:d)??null})),reload:()=>a(i=>i+1)}}var U=(e="")=>z("/ui/settings",{show:"webhooks",webhook:e});function oo({who:e,query:t}){let{hooks:n,error:s,replace:a,reload:m}=rt(be(e)?T:""),[i,r]=f(null),d=E(),{kind:h,hook:p,anchor:y}=i??{},c=()=>r(null),l=t.get("webhook"),u=l&&n?.find(v=>v.id===l),b=lt({who:e,replace:a,open:r,isPage:!!u}),k=()=>{c(),m(),u&&G(U()),requestAnimationFrame(()=>d.current?.focus())},S=o`${h==="menu"&&o`<${we} anchor=${y} label=${`Actions for ${A(p)}`}
        items=${b(p)} onClose=${c} />`}
    ${h==="new"&&o`<${pe} who=${e} onDone=${m} onClose=${c} />`}
    ${h==="edit"&&o`<${pe} who=${e} hook=${p} onDone=${a} onClose=${c} />`}
    ${h==="rotate"&&o`<${Re} hook=${p} onClose=${c} />`}
    ${h==="delete"&&o`<${Be} hook=${p} onDone=${k} onClose=${c} />`}`,$=v=>g=>r({kind:"menu",hook:v,anchor:g.currentTarget});return u?o`<${Fe} key=${u.id} hook=${u} who=${e} back=${U()}
        onEdit=${()=>r({kind:"edit",hook:u})} onMenu=${$(u)}
        onChange=${a} />${S}`:o`<section class="panel" aria-labelledby="webhooks-title">
    <header class="panel-head"><h2 id="webhooks-title">Webhooks</h2>
      ${K(e)&&o`<button type="button" class="button" ref=${d}
        onClick=${()=>r({kind:"new"})}>New webhook</button>`}</header>
    <p class="quiet settings-what">Other programs that are told what happens to links. What can't be
      delivered is tried again for a day.</p>
    ${l&&n&&o`<p class="problem" role="alert">This webhook is not there any more.</p>`}
    ${n?n.length?o`<${dt} who=${e} hooks=${n} onMenu=${$} />`:o`<p class="panel-empty quiet">No webhooks yet.</p>`:s?o`<${ee} title="Couldn't load the webhooks" message=${s.message}
            onRetry=${m} />`:o`<div class="bars-bone" role="status" aria-label="Loading webhooks"></div>`}
    ${n&&s&&o`<p class="problem" role="alert">${s.message}</p>`}
    ${S}</section>`}var lt=({replace:e,open:t,isPage:n})=>s=>[!n&&{icon:"forth",label:"Deliveries",onChoose:()=>G(U(s.id))},!n&&{icon:"edit",label:"Edit",onChoose:()=>t({kind:"edit",hook:s})},!n&&!D(s)&&{icon:"swap",label:"Send a test",onChoose:()=>ct(s)},{icon:"key",label:"New secret",onChoose:()=>t({kind:"rotate",hook:s})},D(s)?{icon:"done",label:"Switch on",onChoose:()=>Ie(s,!1,e)}:{icon:"pause",label:"Switch off",onChoose:()=>Ie(s,!0,e)},{icon:"remove",label:"Delete",danger:!0,onChoose:()=>t({kind:"delete",hook:s})}].filter(Boolean);async function ct(e){try{await x("POST",q(e,"/test")),G(U(e.id))}catch(t){C(`Not sent: ${t.message}`)}}async function Ie(e,t,n){let s=async a=>n(await W(e,{disabled:a}));try{await s(t),ge(`${A(e)} is ${t?"off":"on again"}`,()=>s(!t))}catch(a){C(`Not changed: ${a.message}`)}}function Me({hook:e}){let{failing_since:t}=e;return D(e)?o`<span class="state-badge">${j(e)?"Stopped":"Off"}</span>`:t?o`<span class="hook-bad">Failing</span>${" "}<span class="quiet">since${" "}
    <time datetime=${t} title=${R(Date.parse(t))}>
      ${I(Date.parse(t),"long")}</time></span>`:"Active"}var dt=({who:e,hooks:t,onMenu:n})=>o`<table class="entries">
  <thead><tr><th scope="col">URL</th><th scope="col" class="wide-only">Told of</th>
    <th scope="col" class="wide-only">State</th>
    <th><span class="unseen">Actions</span></th></tr></thead>
  <tbody>${t.map(s=>{let{id:a,url:m,events:i,tags:r,description:d,owner:h,created_by:p}=s,y=o`${te(i)}${r.length>0&&o` <span class="quiet">of ${r.map(w).join(", ")}</span>`}${h===T&&o` <span class="quiet">of everybody's links</span>`}`;return o`<tr key=${a} data-off=${D(s)}>
      <th scope="row"><a href=${H(U(a))}><${Y} url=${m} /></a>
        <span class="entry-kind quiet">${[d&&o`<bdi key="what">${w(d)}</bdi>`,p!==e.identity&&o`<bdi key="by">${w(p)}</bdi>`].filter(Boolean).flatMap((c,l)=>l?[" · ",c]:c)}</span>
        <span class="entry-more quiet"><span>${y}</span>
          <span><${Me} hook=${s} /></span></span></th>
      <td class="wide-only">${y}</td>
      <td class="wide-only"><${Me} hook=${s} /></td>
      <td class="entry-end">${oe(s,e)&&o`<${Q} icon="more" label=${`Actions for ${A(s)}`}
          aria-haspopup="menu" onClick=${n(s)} />`}</td></tr>`})}</tbody></table>
  <p class="quiet settings-what">${F(t.length,"webhook","webhooks")}</p>`;export{Me as State,oo as Webhooks};
