import{a as B}from"./chunk-ZNITV4JE.js";import"./chunk-KCFPTUA7.js";import{A as he,Aa as Se,Ac as _e,Bc as de,Ca as H,Cc as Ne,E as fe,Ea as ee,Fa as N,Ib as Ee,J as A,Kb as ce,L as O,M as be,N as v,O as F,Oc as qe,P as Q,Q as I,R as V,Ra as xe,S as x,Ta as Ce,V as L,W as ge,Wa as z,X as ye,Xa as te,Y as X,Ya as Ae,Z as ke,_ as R,a as p,b as T,c as me,d as q,da as we,fa as le,h as Y,i as w,ia as U,k as S,l as $e,la as y,na as o,oa as ve,p as P,pa as Z,sa as De,ta as E,u as J,ua as M,w as b,wa as Te,y as ie,ya as _,za as j}from"./chunk-XE44KXM2.js";var Je={original_url:"destination",short_code:"code",starts_at:"start",expires_at:"end",max_clicks:"number of clicks",expired_url:"destination after the end",redirect_status:"type of redirect",forward_query:"forwarding of the query",forward_path:"forwarding of the path",aliases:"addresses",disabled:"whether it is switched off",archived:"whether it is archived"},Qe={"link.create":"made the link","link.update":"changed the link","link.delete":"deleted the link","link.reset":"deleted the statistics of","link.share":"shared the statistics of","link.unshare":"stopped sharing the statistics of","overview.share":"shared the statistics of the overview","overview.unshare":"stopped sharing the statistics of the overview","tag.share":"shared the statistics of the tag","tag.unshare":"stopped sharing the statistics of the tag","tag.rename":"renamed the tag","tag.delete":"deleted the tag","links.import":"imported links","links.export":"exported links","domain.update":"changed where to lead visitors of","token.create":"made the token","token.delete":"deleted the token","webhook.create":"created the webhook","webhook.update":"changed the webhook","webhook.rotate":"rotated the secret of the webhook","webhook.delete":"deleted the webhook","user.create":"added","user.update":"changed","user.delete":"deleted","user.refused":"was not let in","session.create":"signed in","session.delete":"signed out","sign_in.failed":"failed to sign in"};function Oe({action:e,target:t,domain:s,details:n}){let a=n??{};return{what:J(Qe,e)??b(e),name:Ie(e,a)||fe({domain:s,short_code:t}),isLink:e.startsWith("link.")&&e!=="link.delete",more:Ve(e,a)}}function Ie(e,{name:t,url:s}){return e.startsWith("token.")&&typeof t=="string"?t:e.startsWith("webhook.")&&typeof s=="string"?ie(s).join(""):""}function Ve(e,t){return e==="link.update"&&Array.isArray(t.fields)?Le(t.fields):e==="link.delete"&&typeof t.original_url=="string"?ie(t.original_url).join(""):Object.entries(t).filter(([s])=>!(Ie(e,t)&&(s==="name"||s==="url"))).map(([s,n])=>et(s,n)).filter(Boolean).join(", ")}var Le=e=>e.map(t=>b(String(J(Je,t)??t))).join(", "),Xe={identity:"for",expires_at:"until"},Ze=200;function et(e,t){let s=t!==null&&typeof t=="object"&&"new"in t?t.new:t;if(e==="disabled")return s?"disabled":"enabled";if(e==="fields"&&Array.isArray(s))return Le(s);let n=e==="expires_at"&&Date.parse(s)>0?S(Date.parse(s)):Array.isArray(s)?s.join(", "):s!==null&&typeof s=="object"?JSON.stringify(s):String(s),a=J(Xe,e)??e.replaceAll("_"," ");return b(`${a} ${[...n].slice(0,Ze).join("")}`)}var tt=50;function st(e,t){let s=JSON.stringify([e,t]),[n,a]=p({key:s,entries:null,next:"",error:null}),[r,i]=p(0),[l,c]=p(!1),$=(m,f)=>y("GET",v("/api/audit",{by:e,target:t,limit:tt,cursor:m}),{signal:f});T(()=>{let m=new AbortController;return $("",m.signal).then(({entries:f,next_cursor:u=""})=>a({key:s,entries:f,next:u,error:null}),f=>U(f)||a({key:s,entries:null,next:"",error:f})),()=>m.abort()},[s,r]);let h=async()=>{if(!l){c(!0);try{let{entries:m,next_cursor:f=""}=await $(n.next);a(u=>u.key===s?{...u,entries:[...u.entries,...m],next:f,error:null}:u)}catch(m){a(f=>({...f,error:m}))}finally{c(!1)}}};return{...n.key===s?n:{entries:null,next:"",error:null},busy:l,more:h,reload:()=>i(r+1)}}var Re=(e,t)=>v("/ui/settings",{show:"audit",by:e,target:t});function je({query:e}){let t=e.get("by")??"",s=e.get("target")??"",{entries:n,next:a,error:r,busy:i,more:l,reload:c}=st(t,s);return o`<section class="panel" aria-labelledby="audit-title">
    <header class="panel-head"><h2 id="audit-title">Audit</h2></header>
    <p class="quiet settings-what">What was done to links, tokens and users. Kept for as long as
      AUDIT_RETENTION says.</p>
    <${ot} key=${`${t} ${s}`} by=${t} target=${s} />
    ${n?n.length?o`<ol class="audit">${n.map($=>o`<${at} key=${$.id} entry=${$} />`)}</ol>`:o`<p class="panel-empty quiet" role="status">${t||s?"Nothing with this filter.":"Nothing yet."}</p>`:r?o`<${N} title="Couldn't load the audit" message=${r.message}
            onRetry=${c} />`:o`<div class="bars-bone" role="status" aria-label="Loading the audit"></div>`}
    ${n&&r&&o`<p class="problem" role="alert">${r.message}</p>`}
    ${a&&o`<p class="panel-more"><button type="button" class="text-button" aria-busy=${i}
        onClick=${l}>Show older entries</button></p>`}</section>`}function ot({by:e,target:t}){let[s,n]=p(e),[a,r]=p(t);return o`<form class="audit-filter" role="search" aria-label="Filter" onSubmit=${l=>{l.preventDefault(),F(Re(s.trim(),a.trim()))}}>
    <div><${B} id="audit-by" label="By" text=${s} onText=${n} /></div>
    <div><label for="audit-target">About</label>
      <input id="audit-target" class="field" autocomplete="off" autocapitalize="off"
        spellcheck=${!1} placeholder="Code, tag, token or user" value=${a}
        onInput=${l=>r(l.target.value)} /></div>
    <button class="button">Show</button>
    ${(e||t)&&o`<a class="text-button" href=${A(Re("",""))}>Remove filter</a>`}</form>`}var nt={auth_tokens:"with a token of the settings",token:"with a token",session:""};function at({entry:e}){let{time:t,by:s,via:n,action:a,target:r,address:i}=e,{what:l,name:c,isLink:$,more:h}=Oe(e),d=/^(session|sign_in)\.|^user\.refused/.test(a)&&(!s||s===r),m=r&&!d&&($?o`<a class="mono" href=${A(we(c,I))}>${b(c)}</a>`:o`<bdi class="audit-target">${b(c)}</bdi>`),f=s||d&&r||"Somebody",u=[nt[n]??n,i&&`from ${b(i)}`].filter(Boolean).join(" ");return o`<li><p><bdi class="audit-by">${b(f)}</bdi>${" "}
    ${l}${m&&" "}${m}${h&&o`<span class="quiet">: <bdi>${h}</bdi></span>`}</p>
    <p class="quiet"><time datetime=${t} title=${S(Date.parse(t))}>
      ${P(Date.parse(t),"long")}</time>${u&&` · ${u}`}</p></li>`}var se=[["root_url","Where visitors of the bare domain go","Nowhere: the server answers itself"],["unknown_url","Where visitors of unknown addresses go","A page that says there is no link"],["ended_url","Where visitors of ended links go","A page that says it has ended"]];async function We({domain:e},t){let s=await y("PATCH",`/api/domains/${encodeURIComponent(e)}`,{body:t});te.set(te.get().map(n=>n.domain===e?{...n,...s}:n))}function Pe({who:e}){let t=O(te),[s,n]=p(null),[a,r]=p(0),[i,l]=p(null);return T(()=>{n(null),Ae(!0).catch(n)},[a]),o`<section class="panel" aria-labelledby="domains-title">
    <header class="panel-head"><h2 id="domains-title">Domains</h2></header>
    <p class="quiet settings-what">The hosts at which links are served, as BASE_URL and DOMAINS name
      them. The same code can stand for another link at each.</p>
    ${t.length?o`<ul class="domains">${t.map(c=>o`<${rt} key=${c.domain} row=${c} who=${e}
                onEdit=${()=>l(c)} />`)}</ul>`:s?o`<${N} title="Couldn't load the domains" message=${s.message}
            onRetry=${()=>r(a+1)} />`:o`<div class="bars-bone" role="status" aria-label="Loading domains"></div>`}
    ${t.length>0&&s&&o`<p class="problem" role="alert">${s.message}</p>`}
    ${i&&o`<${it} row=${i} onClose=${()=>l(null)} />`}</section>`}function rt({row:e,who:t,onEdit:s}){let{domain:n,links:a}=e,r=L(t)&&V.get().others?I:"",i=w(a,"link","links");return o`<li><header><h3 class="mono"><bdi>${b(n)}</bdi></h3>
      ${e.default&&o`<span class="badge">Default</span>`}
      ${!e.configured&&o`<span class="state-badge">Not served</span>`}
      <span class="quiet">${a>0?o`<a href=${A(v("/ui/",{domain:n,owner:r,archived:"all"}))}>${i}</a>`:i}</span>
      ${x(t)&&o`<button type="button" class="button" aria-label=${`Edit ${n}`}
        onClick=${s}>Edit</button>`}</header>
    ${!e.configured&&o`<p class="quiet">It is no longer in DOMAINS: visitors get a 404, and new links can't be
      made. Its links and their statistics are kept.</p>`}
    <dl>${se.map(([l,c,$])=>o`<div key=${l}><dt class="quiet">${c}</dt><dd>${e[l]?o`<${Se} url=${e[l]} />`:o`<span class="quiet">${$}</span>`}</dd></div>`)}</dl></li>`}function it({row:e,onClose:t}){let[s,n]=p(()=>Object.fromEntries(se.map(([d])=>[d,e[d]??""]))),[a,r]=p({}),[i,l]=p(!1),c=q(),$=d=>{r(d),ee(c.current)},h=async d=>{if(d.preventDefault(),i)return;let m={},f={};for(let[u]of se){let g=s[u].trim()?Ee(s[u]):null;g!==(e[u]??null)&&(m[u]=g,g&&ce(g)&&(f[u]=ce(g)))}if(Object.keys(f).length)return $(f);if(!Object.keys(m).length)return t();l(!0);try{await We(e,m);let u=Object.fromEntries(Object.keys(m).map(g=>[g,e[g]??null]));M(`${e.domain} changed`,async()=>{try{await We(e,u)}catch(g){E(`Not changed: ${g.message}`)}}),t()}catch(u){l(!1),$({[Object.hasOwn(s,u.field)?u.field:"other"]:u.message})}};return o`<${_} label=${`Edit ${e.domain}`} class="ask" onClose=${t}><form
    ref=${c} onSubmit=${h} novalidate>
    <${j} onClose=${t}>Edit <span class="mono">${b(e.domain)}</span><//>
    ${se.map(([d,m,f])=>o`<label for=${`domain-${d}`}>${m}</label>
      <input id=${`domain-${d}`} class="field mono" inputmode="url" autocomplete="off"
        autocapitalize="off" spellcheck=${!1} placeholder=${f} value=${s[d]}
        aria-invalid=${!!a[d]}
        aria-describedby=${a[d]?`domain-${d}-problem`:void 0}
        onInput=${u=>{n({...s,[d]:u.target.value}),r({})}} />
      <${H} id=${`domain-${d}`} text=${a[d]} />`)}
    ${a.other&&o`<p class="problem" role="alert">${a.other}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${t}>Cancel</button>
      <button class="button primary" aria-busy=${i}>Save</button></div>
  </form><//>`}var Ue=64,lt=864e5;function ct(e){let[t,s]=p({tokens:null,error:null}),[n,a]=p(0);return T(()=>{let r=new AbortController;return y("GET",le("/api/tokens",e),{signal:r.signal}).then(({tokens:i})=>s({tokens:i,error:null}),i=>U(i)||s(l=>({...l,error:i}))),()=>r.abort()},[e,n]),{...t,reload:()=>a(n+1)}}function Me({who:e}){let{tokens:t,error:s,reload:n}=ct(L(e)?I:""),[a,r]=p(null),i=q(),l=()=>r(null),c=()=>{l(),n(),requestAnimationFrame(()=>i.current?.focus())};return o`<section class="panel" aria-labelledby="tokens-title">
    <header class="panel-head"><h2 id="tokens-title">Tokens</h2>
      <button type="button" class="button" ref=${i} onClick=${()=>r("new")}>
        New token</button></header>
    <p class="quiet settings-what">For programs. A token acts for whom it was made for, and may do
      what both its role and theirs allow.</p>
    ${t?t.length?o`<${ut} who=${e} tokens=${t} onDelete=${r} />`:o`<p class="panel-empty quiet">No tokens yet.</p>`:s?o`<${N} title="Couldn't load the tokens" message=${s.message}
            onRetry=${n} />`:o`<div class="bars-bone" role="status" aria-label="Loading tokens"></div>`}
    ${t&&s&&o`<p class="problem" role="alert">${s.message}</p>`}
    ${a==="new"&&o`<${$t} who=${e} onClose=${l} onMade=${n} />`}
    ${a?.id&&o`<${ft} who=${e} token=${a} onClose=${l} onDone=${c} />`}</section>`}var dt=({expires_at:e})=>e!==null&&Date.parse(e)<=Date.now(),Be=({time:e,never:t="Never"})=>e?o`<time datetime=${e} title=${S(Date.parse(e))}>
        ${P(Date.parse(e),"long")}</time>`:t,Fe=({token:e,never:t="Never"})=>{let{expires_at:s}=e;return s?dt(e)?o`<span class="state-badge">Expired</span>`:o`<time datetime=${s} title=${S(Date.parse(s))}>
    ${$e(new Date(s))}</time>`:t},ut=({who:e,tokens:t,onDelete:s})=>o`<table class="entries">
  <thead><tr><th scope="col">Name</th><th scope="col" class="wide-only">Acts for</th>
    <th scope="col" class="wide-only">Role</th><th scope="col" class="wide-only">Last used</th>
    <th scope="col" class="wide-only">Expires</th>
    <th><span class="unseen">Actions</span></th></tr></thead>
  <tbody>${t.map(n=>{let{id:a,name:r,identity:i,role:l,hint:c,last_used_at:$}=n,h=i===e.identity?"You":i;return o`<tr key=${a}>
      <th scope="row"><span class="entry-name"><bdi>${b(r)}</bdi>${" "}
        <span class="quiet mono" title="The last characters of the token">…${c}</span></span>
        <span class="entry-more quiet"><span><bdi>${b(h)}</bdi> · ${R(l)}</span>
          <span>Used: <${Be} time=${$} never="never" /></span>
          <span>Expires: <${Fe} token=${n} never="never" /></span></span></th>
      <td class="wide-only"><bdi>${b(h)}</bdi></td>
      <td class="wide-only">${R(l)}</td>
      <td class="wide-only"><${Be} time=${$} /></td>
      <td class="wide-only"><${Fe} token=${n} /></td>
      <td class="entry-end">${(i===e.identity||x(e))&&o`<${Z} icon="remove" label=${`Delete ${b(r)}`}
          onClick=${()=>s(n)} />`}</td></tr>`})}</tbody></table>
  <p class="quiet settings-what">${w(t.length,"token","tokens")}</p>`,pt=[["7","In 7 days"],["30","In 30 days"],["90","In 90 days"],["365","In a year"],["","Never"]],mt=e=>e==="admin"?Object.keys(X):e==="viewer"?["viewer"]:["viewer",e];function $t({who:e,onClose:t,onMade:s}){let n=mt(e.role),[a,r]=p(""),[i,l]=p(n.includes("editor")?"editor":e.role),[c,$]=p("90"),[h,d]=p(""),[m,f]=p({}),[u,g]=p(!1),[k,W]=p(null),G=q(),ae=D=>{f(D),ee(G.current)},Ye=async D=>{if(D.preventDefault(),!u){if(!a.trim())return ae({name:"Enter a name."});if([...a.trim()].length>Ue)return ae({name:`A name can have at most ${Ue} characters.`});g(!0),f({});try{let C={name:a.trim(),role:i,...h.trim()&&{identity:h.trim()},...c&&{expires_at:new Date(Date.now()+Number(c)*lt).toISOString()}},re=await y("POST","/api/tokens",{body:C});s(),W(re)}catch(C){let re=["name","identity"].includes(C.field)?C.field:/token name/i.test(C.message)?"name":"other";ae({[re]:C.message})}finally{g(!1)}}};if(k)return o`<${ht} token=${k} onClose=${t} />`;let K=D=>C=>{D(C),f({})};return o`<${_} label="New token" class="new-token ask" onClose=${t}><form
    ref=${G} onSubmit=${Ye} novalidate>
    <${j} onClose=${t}>New token<//>
    <label for="token-name">Name</label>
    <input id="token-name" class="field" autocomplete="off" spellcheck=${!1} value=${a}
      placeholder="What it is for" onInput=${D=>K(r)(D.target.value)}
      aria-invalid=${!!m.name}
      aria-describedby=${m.name?"token-name-problem":void 0} />
    <${H} id="token-name" text=${m.name} />
    <div class="token-choices"><div><span class="form-label">Role</span>
      <${z} label="Role" value=${i} onChange=${K(l)}
        options=${n.map(D=>[D,R(D)])} /></div>
    <div><span class="form-label">Expires</span>
      <${z} label="Expires" value=${c} onChange=${K($)} options=${pt} /></div>
    </div>
    <p class="hint">${R(i)}: ${ke[i]}.${i==="viewer"&&x(e)&&" A new name has no links, so it sees none; an auditor sees those of all."}</p>
    ${x(e)&&o`<${B} id="token-identity" label="Acts for" text=${h} create=${!0}
        problem=${m.identity} onText=${K(d)}
        placeholder="Yourself"
        hint="A new name, such as ci, makes a service with links of its own." />`}
    <${H} id="token-other" text=${m.other} />
    <div class="buttons"><button type="button" class="button" onClick=${t}>Cancel</button>
      <button class="button primary" aria-busy=${u}>Make token</button></div>
  </form><//>`}function ht({token:{token:e,name:t},onClose:s}){let n=`The token ${b(t)}`;return T(()=>Te(`Made the token ${t}. It is shown only now.`),[]),o`<${_} key="made" label=${n} class="new-token">
    <header class="dialog-title"><h2>${n}</h2></header>
    <div class="sharing-address">
      <input class="field mono" type="text" readonly aria-label="Token" value=${e}
        aria-describedby="token-once" onFocus=${a=>a.target.select()} />
      <${De} text=${e} label="Copy the token" /></div>
    <p id="token-once" class="token-once"><b>It is shown only now.</b> Copy it to where it is
      needed. Whoever has it can do what it may.</p>
    <div class="buttons one"><button type="button" class="button primary" onClick=${s}>
      Done</button></div>
  <//>`}function ft({who:e,token:{id:t,name:s,identity:n},onClose:a,onDone:r}){let[i,l]=p(!1),[c,$]=p(""),h=async()=>{if(!i){l(!0);try{let d=n===e.identity?"":I;await y("DELETE",le(`/api/tokens/${encodeURIComponent(t)}`,d))}catch(d){if(d.status!==404)return l(!1),$(d.message)}E("Token deleted"),r()}};return o`<${_} label="Delete token" onClose=${a}>
    <${j} onClose=${a}>Delete ${b(s)}?<//>
    <p>Programs with this token are refused at once, and whoever signed in with it is signed out.
      This can't be undone.</p>
    ${c&&o`<p class="problem" role="alert">${c}</p>`}
    <div class="buttons"><button type="button" class="button" data-focus=${!0}
        onClick=${a}>Keep it</button>
      <button type="button" class="button danger" aria-busy=${i} onClick=${h}>
        Delete token</button></div>
  <//>`}var oe=100,bt=20,pe=e=>`/api/users/${encodeURIComponent(e)}`;async function ne({identity:e},t){Ne(await y("PATCH",pe(e),{body:t}))}async function ue(e){try{await e()}catch(t){E(`Not changed: ${t.message}`)}}var He=e=>(e??"").normalize("NFC").toLowerCase();function Ke({who:e}){let t=O(_e),[s,n]=p(null),[a,r]=p(0),[i,l]=p(""),[c,$]=p(oe),[h,d]=p(null),m=q();T(()=>{let k=new AbortController;return n(null),de({signal:k.signal}).catch(W=>U(W)||n(W)),()=>k.abort()},[a]);let f=He(i.trim()),u=(t??[]).filter(({identity:k,name:W})=>[k,W].some(G=>He(G).includes(f))),g=()=>{d(null),requestAnimationFrame(()=>m.current?.focus())};return o`<section class="panel" aria-labelledby="people-title">
    <header class="panel-head"><h2 id="people-title" tabindex="-1" ref=${m}>People</h2>
      ${t?.length>=bt&&o`<div class="search"><${ve} name="search" /><input type="search" class="field"
          aria-label="Search people" placeholder="Search people" autocomplete="off"
          spellcheck=${!1} value=${i} onInput=${k=>{l(k.target.value),$(oe)}} /></div>`}</header>
    <p class="quiet settings-what">People appear here when they first sign in, services when a token
      is made for them.</p>
    ${t?o`<${gt} who=${e} users=${u.slice(0,c)} onMenu=${d} />
        <p class="quiet settings-what" role="status">${f?w(u.length,"match","matches"):w(u.length,"user","users")}</p>
        ${u.length>c&&o`<p class="panel-more"><button type="button" class="text-button"
            onClick=${()=>$(c+oe)}>
            Show ${Y(Math.min(oe,u.length-c))} more</button></p>`}`:s?o`<${N} title="Couldn't load the users" message=${s.message}
            onRetry=${()=>r(a+1)} />`:o`<div class="bars-bone" role="status" aria-label="Loading users"></div>`}
    ${t&&s&&o`<p class="problem" role="alert">${s.message}</p>`}
    ${h?.anchor&&o`<${kt} who=${e} ...${h} onDelete=${k=>d({user:k})}
        onClose=${()=>d(null)} />`}
    ${h&&!h.anchor&&o`<${wt} who=${e} user=${h.user} onDone=${g}
        onClose=${()=>d(null)} />`}</section>`}var ze=({identity:e,email:t,name:s})=>e===Q?"The tokens of the settings":t?s?e:"":"Service",Ge=({time:e,never:t})=>e?o`<time datetime=${e} title=${S(Date.parse(e))}>
        ${P(Date.parse(e),"long")}</time>`:t,gt=({who:e,users:t,onMenu:s})=>o`<table class="entries">
  <thead><tr><th scope="col">Who</th><th scope="col">Role</th>
    <th scope="col" class="wide-only">Last seen</th>
    <th scope="col" class="wide-only end">Links</th>
    <th scope="col" class="wide-only end">Tokens</th>
    <th><span class="unseen">Actions</span></th></tr></thead>
  <tbody>${t.map(n=>{let{identity:a,name:r,role:i,disabled:l,links:c,tokens:$,last_seen_at:h}=n,d=a===e.identity;return o`<tr key=${a} data-off=${l}>
      <th scope="row"><span class="entry-name"><bdi>${b(r||a)}</bdi>
        ${d&&o`${" "}<span class="badge">You</span>`}
        ${l&&o`${" "}<span class="state-badge">Disabled</span>`}</span>
        ${ze(n)&&o`<span class="entry-kind quiet"><bdi>${b(ze(n))}</bdi></span>`}
        <span class="entry-more quiet"><span>${w(c,"link","links")},${" "}
          ${w($,"token","tokens")}</span>
          <span>Seen: <${Ge} time=${h} never="never" /></span></span></th>
      <td>${x(e)&&!d&&a!==Q?o`<${z} label=${`Role of ${b(a)}`} value=${i}
            options=${Object.entries(X)} onChange=${m=>m!==i&&yt(n,m)} />`:R(i)}</td>
      <td class="wide-only"><${Ge} time=${h} never="Never" /></td>
      <td class="wide-only end">${Y(c)}</td>
      <td class="wide-only end">${Y($)}</td>
      <td class="entry-end"><${Z} icon="more" label=${`Actions for ${b(a)}`}
        aria-haspopup="menu"
        onClick=${m=>s({user:n,anchor:m.currentTarget})} /></td></tr>`})}</tbody></table>`,yt=(e,t)=>ue(async()=>{await ne(e,{role:t}),M(`${e.identity} is ${t==="viewer"?"a":"an"} ${t} now`,()=>ne(e,{role:e.role}))});function kt({who:e,user:t,anchor:s,onDelete:n,onClose:a}){let{identity:r,disabled:i}=t,l=r===e.identity,c=()=>ue(async()=>{await ne(t,{disabled:!i}),M(i?`Enabled ${r}`:`Disabled ${r}, and ended all sessions`,()=>ne(t,{disabled:!!i}))}),$=()=>ue(async()=>{await y("DELETE",`${pe(r)}/sessions`),E(`Signed out ${r} everywhere`)}),h=[{icon:"forth",label:"Show links",onChoose:()=>F(v("/ui/",{owner:l?"":r}))},{icon:"forth",label:"Show in the audit",onChoose:()=>F(v("/ui/settings",{show:"audit",by:r}))},...x(e)&&!l?[null,{icon:"leave",label:"Sign out everywhere",onChoose:$},...r===Q?[]:[{icon:i?"done":"pause",label:i?"Enable":"Disable",onChoose:c},{icon:"remove",label:"Delete",danger:!0,onChoose:()=>n(t)}]]:[]];return o`<${xe} anchor=${s} label=${`Actions for ${b(r)}`} items=${h}
    onClose=${a} />`}function wt({who:e,user:{identity:t,links:s,tokens:n},onClose:a,onDone:r}){let[i,l]=p(e.identity),[c,$]=p(""),[h,d]=p(!1);return o`<${_} label="Delete user" class="ask" onClose=${a}><form
    onSubmit=${async f=>{if(f.preventDefault(),!h){if(s&&!i.trim())return $("Choose who gets the links.");d(!0);try{await y("DELETE",v(pe(t),{move_to:s?i.trim():""}))}catch(u){if(u.status!==404)return d(!1),$(u.message)}de().catch(()=>{}),E(`Deleted ${t}`),r()}}} novalidate>
    <${j} onClose=${a}>Delete ${b(t)}?<//>
    <p>${n?`${w(n,"token","tokens")} and all sessions end.`:""}
      ${!n&&"All sessions end."}
      ${" "}This can't be undone. Whom the sign-in still allows can come back, as somebody new.</p>
    ${s>0?o`<${B} id="move-to" label=${`Give ${w(s,"link","links")} to`}
          text=${i} except=${t} problem=${c} onText=${f=>{l(f),$("")}} />`:c&&o`<p class="problem" role="alert">${c}</p>`}
    <div class="buttons"><button type="button" class="button" data-focus=${!0}
        onClick=${a}>Keep</button>
      <button class="button danger" aria-busy=${h}>Delete</button></div>
  </form><//>`}var vt=[{name:"tokens",title:"Tokens",Section:Me,isFor:ge},{name:"people",title:"People",Section:Ke,isFor:L},{name:"webhooks",title:"Webhooks",Section:qe,isFor:ye},{name:"domains",title:"Domains",Section:Pe,isFor:()=>he},{name:"audit",title:"Audit",Section:je,isFor:L}];function Is(){let e=O(V),{query:t}=O(be),s=vt.filter(({isFor:r})=>r(e)),n=s.find(({name:r})=>r===t.get("show"))??s[0];if(me(()=>{document.title=`${n?.title??"Settings"} · terse`,scrollTo(0,0)},[n?.title]),!e.identity)return o`<${Ce} />`;if(!n)return o`<main class="page" id="main"><div class="state"><h1>Settings</h1>
    <p>Whoever signed in with a token can't change any.</p>
    <a class="button" href=${A("/ui/")}>Back to links</a></div></main>`;let{Section:a}=n;return o`<main class="page settings" id="main">
    <header class="settings-head"><h1>Settings</h1>
      <nav class="tabs" aria-label="Settings">${s.map(({name:r,title:i},l)=>o`<a key=${r} class="tab"
        href=${A(v("/ui/settings",{show:l?r:""}))}
        aria-current=${r===n.name?"page":void 0}>${i}</a>`)}</nav></header>
    <${a} who=${e} query=${t} />
  </main>`}export{Is as Settings};
