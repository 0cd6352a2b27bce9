import{o as le,t as Oe}from"./chunk-W7HBU6FU.js";import"./chunk-KDFBUZPN.js";import"./chunk-7AJW3CQ4.js";import{Aa as xe,Ba as we,Da as X,Fa as Ce,Ga as Y,J as M,Jb as re,L as be,Lb as ie,N as G,O as J,Q as T,R as ge,Rb as De,S as K,Sa as Se,Sb as Ae,T as Q,Tb as qe,V as ye,Xa as Te,a as h,b as D,d as P,fa as N,h as $e,i as F,ia as B,k as W,la as w,na as o,oa as se,p as I,pa as V,sa as ve,ta as C,u as z,ua as ke,w as k,x as fe,y as he,ya as ne,za as ae}from"./chunk-3MHDXEBF.js";var ce=e=>e.match(/^http:\/\//i)?.[0]??"";function de(e){let t=[...e];return t.length>60?[...t.slice(0,35),"…",...t.slice(-24)].join(""):e}var A=({description:e,url:t})=>k(e||ce(t)+he(de(t)).join(""));var j=[["link.created","A link is created","created"],["link.updated","A link is updated","updated"],["link.deleted","A link is deleted","deleted"],["link.expired","A link expires, or its clicks are used up","expired"],["clicks","Clicks are counted: batches, at most one a second",""]],Qe={...Object.fromEntries(j.map(([e,,t])=>[e,`Link ${t}`])),clicks:"Clicks","webhook.test":"Test"},Ee=e=>z(Qe,e)??k(e);function Z(e){let t=j.filter(([n,,s])=>s&&e.includes(n));return[t.length&&`Links ${t.map(([,,n])=>n).join(", ")}`,e.includes("clicks")&&(t.length?"clicks":"Clicks")].filter(Boolean).join(" · ")}var Ve={gone:"Answer 410",failing:"Three days without success",backlog:`${$e(1e4)} deliveries were waiting`},H=({disabled_reason:e})=>z(Ve,e)??"",q=({status:e})=>e==="disabled",_=({url:e,whole:t=!1})=>o`<bdi dir="ltr" title=${t?void 0:k(e)}>${ce(e)}<${we}
    url=${t?e:de(e)} /></bdi>`,ee=({hook:{description:e,url:t}})=>e?o`<bdi>${k(e)}</bdi>`:o`<${_} url=${t} />`,te=(e,t)=>K(t)||Q(t)&&e.created_by===t.identity&&e.owner!==T,Xe=e=>e.created_by===ge.get().identity?"":T,O=(e,t="",n={})=>N(G(`/api/webhooks/${encodeURIComponent(e.id)}${t}`,n),Xe(e)),L=(e,t)=>w("PATCH",O(e),{body:t}),pe=(e,{id:t},n="")=>O(e,`/deliveries/${encodeURIComponent(t)}${n}`),ue=({status:e,error:t})=>e?`Answer ${e}`:t?k(t):"No answer",Ye={waiting:"Waiting",delivered:"Delivered",failed:"Failed"},Re=e=>z(Ye,e)??k(e),_e=({attempts:e})=>e.length>1?F(e.length,"attempt","attempts"):"",Pe=e=>JSON.stringify(e,null,2);var Ne=2048,Le=500,We=e=>({url:e?.url??"",events:e?.events??j.map(([t])=>t).filter(t=>t!=="clicks"),tags:e?.tags??[],tag_text:"",description:e?.description??"",ofAll:e?.owner===T});function Ze(e){let t={},n=re(e.url);return n?ie(n)?t.url=ie(n):new TextEncoder().encode(n).length>Ne&&(t.url=`A URL can have at most ${Ne} bytes.`):t.url="Enter a URL.",e.events.length||(t.events="Choose at least one."),e.tag_text.trim()&&(t.tags=le(e.tag_text.trim()).problem??"Press Enter to add this tag."),[...e.description.trim()].length>Le&&(t.description=`A description can have at most ${Le} characters.`),t}function et(e,t){let n={url:re(e.url),events:e.events,tags:e.tags,description:e.description.trim()};if(!t)return n;let s=We(t),a=(m,r)=>JSON.stringify([m].flat().toSorted())===JSON.stringify([r].flat().toSorted());return Object.fromEntries(Object.entries(n).filter(([m,r])=>!a(r,s[m])))}function me({who:e,hook:t,onDone:n,onClose:s}){let[a,m]=h(()=>We(t)),[r,i]=h({}),[d,f]=h(!1),[p,y]=h(null),c=be(De),l=P();D(()=>{Ae()},[]);let u=$=>v=>{m(g=>({...g,[$]:v})),i({})},b=$=>{i($),Ce(l.current)},x=async $=>{if($.preventDefault(),d)return;let v=Ze(a);if(Object.keys(v).length)return b(v);let g=et(a,t);if(!Object.keys(g).length)return s();f(!0);try{if(t)return n(await L(t,g)),C("Saved"),s();let E=N("/api/webhooks",a.ofAll?T:""),R=await w("POST",E,{body:g});n(R),y(R)}catch(E){let[R]=(E.field??"").split("[");b({[["url","events","tags","description"].includes(R)?R:"other"]:E.message})}finally{f(!1)}};if(p)return o`<${Be} hook=${p} secret=${p.secret} onClose=${s} />`;let S=t?"Edit webhook":"Create webhook";return o`<${ne} label=${S} class="new-token ask hook-form" onClose=${s}><form
    ref=${l} onSubmit=${x} novalidate>
    <${ae} onClose=${s}>${S}<//>
    <label for="hook-url">URL</label>
    <input id="hook-url" class="field mono" inputmode="url" autocomplete="off"
      autocapitalize="off" spellcheck=${!1} placeholder="https://example.com/hook"
      value=${a.url} onInput=${$=>u("url")($.target.value)}
      aria-invalid=${!!r.url}
      aria-describedby=${r.url?"hook-url-problem":"hook-url-hint"} />
    <${X} id="hook-url" text=${r.url} />
    ${!r.url&&o`<p id="hook-url-hint" class="hint">It gets a signed POST request for each event.</p>`}
    <fieldset aria-describedby=${r.events?"hook-events-problem":void 0}>
      <legend>Events</legend>
      ${j.map(([$,v])=>o`<label key=${$} class="check"><input type="checkbox"
          checked=${a.events.includes($)} aria-invalid=${!!r.events}
          onChange=${g=>u("events")(g.target.checked?[...a.events,$]:a.events.filter(E=>E!==$))} /><span>${v}</span></label>`)}
      <${X} id="hook-events" text=${r.events} /></fieldset>
    <label for="hook-tags">Tags</label>
    <${Oe} id="hook-tags" label="Tags" values=${a.tags}
      text=${a.tag_text} parse=${le} options=${qe(c)} create=${!0}
      placeholder="All links" problem=${r.tags}
      onChange=${($,v)=>{m(g=>({...g,tags:$,tag_text:v})),i({})}} />
    ${!t&&K(e)&&e.others&&o`<label class="check"><input type="checkbox" checked=${a.ofAll}
        onChange=${$=>u("ofAll")($.target.checked)} />
        <span>Everybody's links, not only yours</span></label>`}
    <label for="hook-description">Description</label>
    <input id="hook-description" class="field" autocomplete="off" value=${a.description}
      placeholder="What it is for" aria-invalid=${!!r.description}
      aria-describedby=${r.description?"hook-description-problem":void 0}
      onInput=${$=>u("description")($.target.value)} />
    <${X} id="hook-description" text=${r.description} />
    ${r.other&&o`<p class="problem" role="alert">${r.other}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${s}>Cancel</button>
      <button class="button primary" aria-busy=${d}>
        ${t?"Save":"Create webhook"}</button></div>
  </form><//>`}var Be=({hook:e,secret:t,onClose:n})=>o`<${xe} title=${`The secret of ${A(e)}`}
  what="secret" text=${t} onClose=${n}>
  With it the receiver checks that a request is from here.<//>`;function je({label:e,title:t,keep:n,act:s,danger:a,onAct:m,onClose:r,children:i}){let[d,f]=h(!1),[p,y]=h(""),c=async()=>{if(!d){f(!0);try{await m()}catch(l){f(!1),y(l.message)}}};return o`<${ne} label=${e} onClose=${r}>
    <${ae} onClose=${r}>${t}<//>
    <p>${i}</p>
    ${p&&o`<p class="problem" role="alert">${p}</p>`}
    <div class="buttons"><button type="button" class="button" data-focus=${!0}
        onClick=${r}>${n}</button>
      <button type="button" class=${`button ${a?"danger":"primary"}`} aria-busy=${d}
        onClick=${c}>${s}</button></div>
  <//>`}function He({hook:e,onClose:t}){let[n,s]=h("");if(n)return o`<${Be} hook=${e} secret=${n} onClose=${t} />`;let a=async()=>s((await w("POST",O(e,"/rotate"))).secret);return o`<${je} label="Rotate secret" title=${`Rotate the secret of ${A(e)}?`}
    keep="Cancel" act="Rotate secret" onAct=${a} onClose=${t}>
    For 24 hours requests are signed with the present secret, too, so that you can change over.
    Rotating again within them ends the present one at once.<//>`}function Ue({hook:e,onDone:t,onClose:n}){let s=async()=>{try{await w("DELETE",O(e))}catch(a){if(a.status!==404)throw a}C("Webhook deleted"),t()};return o`<${je} label="Delete webhook" title=${`Delete ${A(e)}?`}
    keep="Keep it" act="Delete webhook" danger=${!0} onAct=${s} onClose=${n}>
    Nothing more is sent to <${_} url=${e.url} />, what waits included, and the list of
    what was sent is gone. This can't be undone.<//>`}var Fe=`/* Webhooks and their deliveries */
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
`;var ot=50,ze=2e3,Ie=2e4,st=({status:e,next_attempt_at:t})=>e==="waiting"&&Date.parse(t)-Date.now()<5*ze;function nt(e,t){let[n,s]=h({status:t,list:null,next:"",error:null}),[a,m]=h(0),[r,i]=h(!1),d=(c,l)=>w("GET",O(e,"/deliveries",{status:t,limit:ot,cursor:c}),{signal:l}),f=n.status===t?n:{list:null,next:"",error:null};D(()=>{let c=new AbortController;return d("",c.signal).then(({deliveries:l,next_cursor:u=""})=>s(b=>{let x=l.at(-1)?.created_at??"",S=b.status===t&&u?(b.list??[]).filter(({id:$,created_at:v})=>v<=x&&!l.some(g=>g.id===$)):[];return{status:t,list:[...l,...S],next:S.length?b.next:u,error:null}}),l=>B(l)||s(u=>({...u.status===t?u:f,status:t,error:l}))),()=>c.abort()},[e.id,e.status,t,a]);let p=f.list?.some(st)&&!f.error;return D(()=>{if(!p)return;let c=setTimeout(()=>m(l=>l+1),ze);return()=>clearTimeout(c)},[p,n]),{...f,busy:r,more:async()=>{if(!r){i(!0);try{let{deliveries:c,next_cursor:l=""}=await d(f.next);s(u=>u.status===t?{...u,list:[...u.list,...c],next:l,error:null}:u)}catch(c){s(l=>({...l,error:c}))}finally{i(!1)}}},reload:()=>m(c=>c+1)}}var at=[["","All"],["waiting","Waiting"],["delivered","Delivered"],["failed","Failed"]];function Me({hook:e,who:t,back:n,onEdit:s,onMenu:a,onChange:m}){let[r,i]=h(""),{list:d,next:f,error:p,busy:y,more:c,reload:l}=nt(e,r),[u,b]=h(!1),x=P();D(()=>x.current.focus({preventScroll:!0}),[]);let S=d?.map(({id:g,status:E,attempts:R})=>g+E+R.length).join();D(()=>{S&&w("GET",O(e)).then(m,()=>{})},[S]);let $=te(e,t),v=async()=>{if(!u){b(!0);try{await w("POST",O(e,"/test")),i(""),l()}catch(g){C(`Not sent: ${g.message}`)}finally{b(!1)}}};return o`<p class="hook-back"><a href=${M(n)}><${se} name="back" />Webhooks</a></p>
    <section class="panel" aria-labelledby="hook-title">
      <header class="panel-head hook-head"><h2 id="hook-title" tabindex="-1" ref=${x}>
          <${ee} hook=${e} /></h2>
        ${$&&o`<span class="hook-acts">
          <button type="button" class="button" aria-busy=${u} disabled=${q(e)}
            onClick=${v}>Send a test</button>
          <button type="button" class="button" onClick=${s}>Edit</button>
          <${V} icon="more" label=${`Actions for ${A(e)}`} aria-haspopup="menu"
            onClick=${a} /></span>`}</header>
      <${rt} hook=${e} may=${$} onChange=${m} />
      <${it} hook=${e} who=${t} /></section>
    <section class="panel" aria-labelledby="deliveries-title">
      <header class="panel-head"><h2 id="deliveries-title">Deliveries</h2>
        <${Te} label="Show" value=${r} options=${at} onChange=${i} /></header>
      <p class="quiet settings-what">Those that are done are kept for 7 days.</p>
      ${d?d.length?o`<ol class="deliveries">${d.map(g=>o`<${lt} key=${g.id} hook=${e} delivery=${g} may=${$}
                    onRetry=${l} />`)}</ol>`:o`<p class="panel-empty quiet" role="status">${r?"None with this status.":"No deliveries yet."}</p>`:p?o`<${Y} title="Couldn't load the deliveries" message=${p.message}
              onRetry=${l} />`:o`<div class="bars-bone" role="status" aria-label="Loading deliveries"></div>`}
      ${d&&p&&o`<p class="problem" role="alert">${p.message}</p>`}
      ${f&&o`<p class="panel-more"><button type="button" class="text-button" aria-busy=${y}
          onClick=${c}>Show older deliveries</button></p>`}</section>`}function rt({hook:e,may:t,onChange:n}){let[s,a]=h(!1),{failing_since:m}=e,r=async()=>{if(!s){a(!0);try{n(await L(e,{disabled:!1})),C("Enabled. What happens from now on is sent.")}catch(i){C(`Not changed: ${i.message}`)}finally{a(!1)}}};return!q(e)&&!m?null:q(e)?o`<div class="hook-note"><p><b>Disabled.</b>${" "}
      ${H(e)&&`${H(e)}. `}Nothing is sent, and what happens meanwhile is never
      sent.</p>
    ${t&&o`<button type="button" class="button" aria-busy=${s} onClick=${r}>
      Enable</button>`}</div>`:o`<p class="hook-note"><span class="hook-bad">Failing</span> since${" "}
      <${oe} time=${m} />. What waits is tried again; after three days without success the
      webhook is disabled.</p>`}var it=({hook:e,who:t})=>o`<dl class="hook-facts">
  <div><dt class="quiet">URL</dt>
    <dd class="mono"><${_} url=${e.url} whole=${!0} /></dd></div>
  <div><dt class="quiet">Events</dt><dd>${Z(e.events)}</dd></div>
  ${e.tags.length>0&&o`<div><dt class="quiet">Tags</dt>
    <dd><bdi>${e.tags.map(k).join(", ")}</bdi></dd></div>`}
  ${e.owner===T&&o`<div><dt class="quiet">Links</dt><dd>Everybody's</dd></div>`}
  ${e.description&&o`<div><dt class="quiet">Description</dt>
    <dd><bdi>${k(e.description)}</bdi></dd></div>`}
  <div><dt class="quiet">Created</dt><dd><${oe} time=${e.created_at} />${e.created_by!==t.identity&&o` by <bdi>${k(e.created_by)}</bdi>`}</dd></div></dl>`,oe=({time:e})=>o`<time datetime=${e} title=${W(Date.parse(e))}>
  ${I(Date.parse(e),"long")}</time>`;function lt({hook:e,delivery:t,may:n,onRetry:s}){let[a,m]=h(!1),{type:r,status:i,created_at:d,attempts:f,next_attempt_at:p}=t,y=f.at(-1),c=[y&&ue(y),_e(t),i==="waiting"&&y&&p&&`next ${W(Date.parse(p))}`].filter(Boolean);return o`<li><details onToggle=${l=>m(l.currentTarget.open)}>
    <summary><span class="delivery-what"><b>${Ee(r)}</b>
        <span class="quiet"><${oe} time=${d} /></span></span>
      <span class="delivery-how"><span data-status=${i} class="delivery-status">
          ${Re(i)}</span>
        <span class="quiet">${c.join(" · ")}</span></span>
      <${se} name="down" /></summary>
    ${a&&o`<${ct} hook=${e} delivery=${t} may=${n} onRetry=${s} />`}
  </details></li>`}function ct({hook:e,delivery:t,may:n,onRetry:s}){let[a,m]=h(null),[r,i]=h(""),[d,f]=h(!1),{id:p,attempts:y}=t;D(()=>{let b=new AbortController;return w("GET",pe(e,t),{signal:b.signal}).then(x=>m(x),x=>B(x)||i(x.message)),()=>b.abort()},[p]);let c=async()=>{if(!d){f(!0);try{await w("POST",pe(e,t,"/retry")),C("Sending again"),s()}catch(b){C(`Not sent: ${b.message}`)}finally{f(!1)}}},l=a?Pe(a.payload):"",u=l.length>Ie;return o`<div class="delivery">
    ${y.length>0&&o`<h3>Attempts</h3><ol class="attempts">${y.map((b,x)=>o`<li key=${x}><p>${ue(b)}
            <span class="quiet"> after ${b.duration_ms} ms · <${oe}
              time=${b.time} /></span></p>
          ${b.response&&o`<pre class="mono" tabindex="0" role="group" aria-label="Answer">${fe(b.response)}</pre>`}
        </li>`)}</ol>`}
    <div class="delivery-head"><h3>Payload</h3>
      ${a&&o`<${ve} text=${l} label="Copy the payload" />`}</div>
    ${a?o`<pre class="mono payload" tabindex="0" role="group" aria-label="Payload">${u?`${l.slice(0,Ie)}…`:l}</pre>
          ${u&&o`<p class="hint">It is longer: copy it to see all.</p>`}`:r?o`<p class="problem" role="alert">${r}</p>`:o`<p class="quiet" role="status">Loading…</p>`}
    <div class="delivery-foot"><span class="quiet mono">${k(p)}</span>
    ${n&&o`<button type="button" class="button" aria-busy=${d} disabled=${q(e)}
        onClick=${c}>Send again</button>`}</div></div>`}var Ke=new CSSStyleSheet;Ke.replaceSync(Fe);document.adoptedStyleSheets=[...document.adoptedStyleSheets,Ke];function dt(e){let[t,n]=h({hooks:null,error:null}),[s,a]=h(0);return D(()=>{let r=new AbortController;return w("GET",N("/api/webhooks",e),{signal:r.signal}).then(({webhooks:i})=>n({hooks:i,error:null}),i=>B(i)||n(d=>({...d,error:i}))),()=>r.abort()},[e,s]),{...t,replace:r=>n(i=>({...i,hooks:i.hooks?.map(d=>d.id===r.id?r:d)??null})),reload:()=>a(r=>r+1)}}var U=(e="")=>G("/ui/settings",{show:"webhooks",webhook:e});function $o({who:e,query:t}){let{hooks:n,error:s,replace:a,reload:m}=dt(ye(e)?T:""),[r,i]=h(null),d=P(),{kind:f,hook:p,anchor:y}=r??{},c=()=>i(null),l=t.get("webhook"),u=l&&n?.find(v=>v.id===l),b=pt({who:e,replace:a,open:i,isPage:!!u}),x=()=>{c(),m(),u&&J(U()),requestAnimationFrame(()=>d.current?.focus())},S=o`${f==="menu"&&o`<${Se} anchor=${y} label=${`Actions for ${A(p)}`}
        items=${b(p)} onClose=${c} />`}
    ${f==="new"&&o`<${me} who=${e} onDone=${m} onClose=${c} />`}
    ${f==="edit"&&o`<${me} who=${e} hook=${p} onDone=${a} onClose=${c} />`}
    ${f==="rotate"&&o`<${He} hook=${p} onClose=${c} />`}
    ${f==="delete"&&o`<${Ue} hook=${p} onDone=${x} onClose=${c} />`}`,$=v=>g=>i({kind:"menu",hook:v,anchor:g.currentTarget});return u?o`<${Me} key=${u.id} hook=${u} who=${e} back=${U()}
        onEdit=${()=>i({kind:"edit",hook:u})} onMenu=${$(u)}
        onChange=${a} />${S}`:o`<section class="panel" aria-labelledby="webhooks-title">
    <header class="panel-head"><h2 id="webhooks-title">Webhooks</h2>
      ${Q(e)&&o`<button type="button" class="button" ref=${d}
        onClick=${()=>i({kind:"new"})}>Create webhook</button>`}</header>
    <p class="quiet settings-what">Other programs that are told what happens to links. What can't be
      delivered is tried again for a day.</p>
    ${l&&n&&o`<p class="problem" role="alert">This webhook is not there any more.</p>`}
    ${n?n.length?o`<${mt} who=${e} hooks=${n} onMenu=${$} />`:o`<p class="panel-empty quiet">No webhooks yet.</p>`:s?o`<${Y} title="Couldn't load the webhooks" message=${s.message}
            onRetry=${m} />`:o`<div class="bars-bone" role="status" aria-label="Loading webhooks"></div>`}
    ${n&&s&&o`<p class="problem" role="alert">${s.message}</p>`}
    ${S}</section>`}var pt=({replace:e,open:t,isPage:n})=>s=>[!n&&{icon:"forth",label:"Deliveries",onChoose:()=>J(U(s.id))},!n&&{icon:"edit",label:"Edit",onChoose:()=>t({kind:"edit",hook:s})},!n&&!q(s)&&{icon:"swap",label:"Send a test",onChoose:()=>ut(s)},{icon:"key",label:"Rotate secret",onChoose:()=>t({kind:"rotate",hook:s})},q(s)?{icon:"done",label:"Enable",onChoose:()=>Ge(s,!1,e)}:{icon:"pause",label:"Disable",onChoose:()=>Ge(s,!0,e)},{icon:"remove",label:"Delete",danger:!0,onChoose:()=>t({kind:"delete",hook:s})}].filter(Boolean);async function ut(e){try{await w("POST",O(e,"/test")),J(U(e.id))}catch(t){C(`Not sent: ${t.message}`)}}async function Ge(e,t,n){let s=async a=>n(await L(e,{disabled:a}));try{await s(t),ke(`${t?"Disabled":"Enabled"} ${A(e)}`,()=>s(!t))}catch(a){C(`Not changed: ${a.message}`)}}function Je({hook:e}){let{failing_since:t}=e;return q(e)?o`<span class="state-badge">Disabled</span>${" "}
      <span class="quiet">${H(e)}</span>`:t?o`<span class="hook-bad">Failing</span>${" "}<span class="quiet">since${" "}
    <time datetime=${t} title=${W(Date.parse(t))}>
      ${I(Date.parse(t),"long")}</time></span>`:"Active"}var mt=({who:e,hooks:t,onMenu:n})=>o`<table class="entries">
  <thead><tr><th scope="col">Webhook</th><th scope="col" class="wide-only">Events</th>
    <th scope="col" class="wide-only">Status</th>
    <th><span class="unseen">Actions</span></th></tr></thead>
  <tbody>${t.map(s=>{let{id:a,url:m,events:r,tags:i,description:d,owner:f,created_by:p}=s,y=o`${Z(r)}${i.length>0&&o` <span class="quiet">of ${i.map(k).join(", ")}</span>`}${f===T&&o` <span class="quiet">of everybody's links</span>`}`;return o`<tr key=${a} data-off=${q(s)}>
      <th scope="row"><a href=${M(U(a))}><${ee} hook=${s} /></a>
        <span class="entry-kind quiet">${[d&&o`<${_} key="url" url=${m} />`,p!==e.identity&&o`<bdi key="by">${k(p)}</bdi>`].filter(Boolean).flatMap((c,l)=>l?[" · ",c]:c)}</span>
        <span class="entry-more quiet"><span>${y}</span>
          <span><${Je} hook=${s} /></span></span></th>
      <td class="wide-only">${y}</td>
      <td class="wide-only"><${Je} hook=${s} /></td>
      <td class="entry-end">${te(s,e)&&o`<${V} icon="more" label=${`Actions for ${A(s)}`}
          aria-haspopup="menu" onClick=${n(s)} />`}</td></tr>`})}</tbody></table>
  <p class="quiet settings-what">${F(t.length,"webhook","webhooks")}</p>`;export{$o as Webhooks};
