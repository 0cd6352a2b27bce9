import{a as B}from"./chunk-R4BM6DS6.js";import"./chunk-I52D3NO7.js";import{$ as L,Aa as j,B as he,Ba as De,Ca as Se,Cc as Ee,Dc as de,Ea as H,Ec as _e,F as fe,Ga as ee,Ha as _,K as C,Kb as Ce,M as q,Mb as ce,N as be,O as v,P as F,Q,Qc as Ne,R as O,S as V,T,Ta as Te,Va as xe,W as I,X as ge,Y as ye,Ya as z,Z as X,Za as te,_ as ke,_a as Ae,a as m,b as A,c as pe,d as N,ea as we,ga as le,h as Y,i as w,ja as U,k as S,l as $e,ma as k,oa as o,p as P,pa as ve,qa as Z,ua as E,v as J,va as M,x as b,z as ie,za as R}from"./chunk-GS2UUHZM.js";var Ye={original_url:"destination",short_code:"code",starts_at:"start",expires_at:"end",max_clicks:"number of clicks",expired_url:"destination after the end",redirect_status:"type of redirect",forward_query:"forwarding of the query",forward_path:"forwarding of the path",aliases:"addresses",disabled:"whether it is switched off",archived:"whether it is archived"},Je={"link.create":"made the link","link.update":"changed the link","link.delete":"deleted the link","link.reset":"deleted the statistics of","link.share":"shared the statistics of","link.unshare":"stopped sharing the statistics of","overview.share":"shared the statistics of the overview","overview.unshare":"stopped sharing the statistics of the overview","tag.share":"shared the statistics of the tag","tag.unshare":"stopped sharing the statistics of the tag","tag.rename":"renamed the tag","tag.delete":"deleted the tag","links.import":"imported links","links.export":"exported links","domain.update":"changed where to lead visitors of","token.create":"made the token","token.delete":"deleted the token","webhook.create":"created the webhook","webhook.update":"changed the webhook","webhook.rotate":"rotated the secret of the webhook","webhook.delete":"deleted the webhook","user.create":"added","user.update":"changed","user.delete":"deleted","user.refused":"was not let in","session.create":"signed in","session.delete":"signed out","sign_in.failed":"failed to sign in"};function qe({action:e,target:t,domain:s,details:n}){let a=n??{};return{what:J(Je,e)??b(e),name:Oe(e,a)||fe({domain:s,short_code:t}),isLink:e.startsWith("link.")&&e!=="link.delete",more:Qe(e,a)}}function Oe(e,{name:t,url:s}){return e.startsWith("token.")&&typeof t=="string"?t:e.startsWith("webhook.")&&typeof s=="string"?ie(s).join(""):""}function Qe(e,t){return e==="link.update"&&Array.isArray(t.fields)?Ie(t.fields):e==="link.delete"&&typeof t.original_url=="string"?ie(t.original_url).join(""):Object.entries(t).filter(([s])=>!(Oe(e,t)&&(s==="name"||s==="url"))).map(([s,n])=>Ze(s,n)).filter(Boolean).join(", ")}var Ie=e=>e.map(t=>b(String(J(Ye,t)??t))).join(", "),Ve={identity:"for",expires_at:"until"},Xe=200;function Ze(e,t){let s=t!==null&&typeof t=="object"&&"new"in t?t.new:t;if(e==="disabled")return s?"disabled":"enabled";if(e==="fields"&&Array.isArray(s))return Ie(s);let n=e==="expires_at"&&Date.parse(s)>0?S(Date.parse(s)):Array.isArray(s)?s.join(", "):s!==null&&typeof s=="object"?JSON.stringify(s):String(s),a=J(Ve,e)??e.replaceAll("_"," ");return b(`${a} ${[...n].slice(0,Xe).join("")}`)}var et=50;function tt(e,t){let s=JSON.stringify([e,t]),[n,a]=m({key:s,entries:null,next:"",error:null}),[r,i]=m(0),[l,c]=m(!1),$=(p,f)=>k("GET",v("/api/audit",{by:e,target:t,limit:et,cursor:p}),{signal:f});A(()=>{let p=new AbortController;return $("",p.signal).then(({entries:f,next_cursor:u=""})=>a({key:s,entries:f,next:u,error:null}),f=>U(f)||a({key:s,entries:null,next:"",error:f})),()=>p.abort()},[s,r]);let h=async()=>{if(!l){c(!0);try{let{entries:p,next_cursor:f=""}=await $(n.next);a(u=>u.key===s?{...u,entries:[...u.entries,...p],next:f,error:null}:u)}catch(p){a(f=>({...f,error:p}))}finally{c(!1)}}};return{...n.key===s?n:{entries:null,next:"",error:null},busy:l,more:h,reload:()=>i(r+1)}}var Le=(e,t)=>v("/ui/settings",{show:"audit",by:e,target:t});function Re({query:e}){let t=e.get("by")??"",s=e.get("target")??"",{entries:n,next:a,error:r,busy:i,more:l,reload:c}=tt(t,s);return o`<section class="panel" aria-labelledby="audit-title">
    <header class="panel-head"><h2 id="audit-title">Audit</h2></header>
    <p class="quiet settings-what">What was done to links, tokens and users. Kept for as long as
      AUDIT_RETENTION says.</p>
    <${st} key=${`${t} ${s}`} by=${t} target=${s} />
    ${n?n.length?o`<ol class="audit">${n.map($=>o`<${nt} key=${$.id} entry=${$} />`)}</ol>`:o`<p class="panel-empty quiet" role="status">${t||s?"Nothing with this filter.":"Nothing yet."}</p>`:r?o`<${_} title="Couldn't load the audit" message=${r.message}
            onRetry=${c} />`:o`<div class="bars-bone" role="status" aria-label="Loading the audit"></div>`}
    ${n&&r&&o`<p class="problem" role="alert">${r.message}</p>`}
    ${a&&o`<p class="panel-more"><button type="button" class="text-button" aria-busy=${i}
        onClick=${l}>Show older entries</button></p>`}</section>`}function st({by:e,target:t}){let[s,n]=m(e),[a,r]=m(t);return o`<form class="audit-filter" role="search" aria-label="Filter" onSubmit=${l=>{l.preventDefault(),F(Le(s.trim(),a.trim()))}}>
    <div><${B} id="audit-by" label="By" text=${s} onText=${n} /></div>
    <div><label for="audit-target">About</label>
      <input id="audit-target" class="field" autocomplete="off" autocapitalize="off"
        spellcheck=${!1} placeholder="Code, tag, token or user" value=${a}
        onInput=${l=>r(l.target.value)} /></div>
    <button class="button">Show</button>
    ${(e||t)&&o`<a class="text-button" href=${C(Le("",""))}>Remove filter</a>`}</form>`}var ot={auth_tokens:"with a token of the settings",token:"with a token",session:""};function nt({entry:e}){let{time:t,by:s,via:n,action:a,target:r,address:i}=e,{what:l,name:c,isLink:$,more:h}=qe(e),d=/^(session|sign_in)\.|^user\.refused/.test(a)&&(!s||s===r),p=r&&!d&&($?o`<a class="mono" href=${C(we(c,O))}>${b(c)}</a>`:o`<bdi class="audit-target">${b(c)}</bdi>`),f=s||d&&r||"Somebody",u=[ot[n]??n,i&&`from ${b(i)}`].filter(Boolean).join(" ");return o`<li><p><bdi class="audit-by">${b(f)}</bdi>${" "}
    ${l}${p&&" "}${p}${h&&o`<span class="quiet">: <bdi>${h}</bdi></span>`}</p>
    <p class="quiet"><time datetime=${t} title=${S(Date.parse(t))}>
      ${P(Date.parse(t),"long")}</time>${u&&` · ${u}`}</p></li>`}var se=[["root_url","Where visitors of the bare domain go","Nowhere: the server answers itself"],["unknown_url","Where visitors of unknown addresses go","A page that says there is no link"],["ended_url","Where visitors of ended links go","A page that says it has ended"]];async function je({domain:e},t){let s=await k("PATCH",`/api/domains/${encodeURIComponent(e)}`,{body:t});te.set(te.get().map(n=>n.domain===e?{...n,...s}:n))}function We({who:e}){let t=q(te),[s,n]=m(null),[a,r]=m(0),[i,l]=m(null);return A(()=>{n(null),Ae(!0).catch(n)},[a]),o`<section class="panel" aria-labelledby="domains-title">
    <header class="panel-head"><h2 id="domains-title">Domains</h2></header>
    <p class="quiet settings-what">The hosts at which links are served, as BASE_URL and DOMAINS name
      them. The same code can stand for another link at each.</p>
    ${t.length?o`<ul class="domains">${t.map(c=>o`<${at} key=${c.domain} row=${c} who=${e}
                onEdit=${()=>l(c)} />`)}</ul>`:s?o`<${_} title="Couldn't load the domains" message=${s.message}
            onRetry=${()=>r(a+1)} />`:o`<div class="bars-bone" role="status" aria-label="Loading domains"></div>`}
    ${t.length>0&&s&&o`<p class="problem" role="alert">${s.message}</p>`}
    ${i&&o`<${rt} row=${i} onClose=${()=>l(null)} />`}</section>`}function at({row:e,who:t,onEdit:s}){let{domain:n,links:a}=e,r=I(t)&&V.get().others?O:"",i=w(a,"link","links");return o`<li><header><h3 class="mono"><bdi>${b(n)}</bdi></h3>
      ${e.default&&o`<span class="badge">Default</span>`}
      ${!e.configured&&o`<span class="state-badge">Not served</span>`}
      <span class="quiet">${a>0?o`<a href=${C(v("/ui/",{domain:n,owner:r,archived:"all"}))}>${i}</a>`:i}</span>
      ${T(t)&&o`<button type="button" class="button" aria-label=${`Edit ${n}`}
        onClick=${s}>Edit</button>`}</header>
    ${!e.configured&&o`<p class="quiet">It is no longer in DOMAINS: visitors get a 404, and new links can't be
      made. Its links and their statistics are kept.</p>`}
    <dl>${se.map(([l,c,$])=>o`<div key=${l}><dt class="quiet">${c}</dt><dd>${e[l]?o`<${Se} url=${e[l]} />`:o`<span class="quiet">${$}</span>`}</dd></div>`)}</dl></li>`}function rt({row:e,onClose:t}){let[s,n]=m(()=>Object.fromEntries(se.map(([d])=>[d,e[d]??""]))),[a,r]=m({}),[i,l]=m(!1),c=N(),$=d=>{r(d),ee(c.current)},h=async d=>{if(d.preventDefault(),i)return;let p={},f={};for(let[u]of se){let g=s[u].trim()?Ce(s[u]):null;g!==(e[u]??null)&&(p[u]=g,g&&ce(g)&&(f[u]=ce(g)))}if(Object.keys(f).length)return $(f);if(!Object.keys(p).length)return t();l(!0);try{await je(e,p);let u=Object.fromEntries(Object.keys(p).map(g=>[g,e[g]??null]));M(`${e.domain} changed`,async()=>{try{await je(e,u)}catch(g){E(`Not changed: ${g.message}`)}}),t()}catch(u){l(!1),$({[Object.hasOwn(s,u.field)?u.field:"other"]:u.message})}};return o`<${R} label=${`Edit ${e.domain}`} class="ask" onClose=${t}><form
    ref=${c} onSubmit=${h} novalidate>
    <${j} onClose=${t}>Edit <span class="mono">${b(e.domain)}</span><//>
    ${se.map(([d,p,f])=>o`<label for=${`domain-${d}`}>${p}</label>
      <input id=${`domain-${d}`} class="field mono" inputmode="url" autocomplete="off"
        autocapitalize="off" spellcheck=${!1} placeholder=${f} value=${s[d]}
        aria-invalid=${!!a[d]}
        aria-describedby=${a[d]?`domain-${d}-problem`:void 0}
        onInput=${u=>{n({...s,[d]:u.target.value}),r({})}} />
      <${H} id=${`domain-${d}`} text=${a[d]} />`)}
    ${a.other&&o`<p class="problem" role="alert">${a.other}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${t}>Cancel</button>
      <button class="button primary" aria-busy=${i}>Save</button></div>
  </form><//>`}var Pe=64,it=864e5;function lt(e){let[t,s]=m({tokens:null,error:null}),[n,a]=m(0);return A(()=>{let r=new AbortController;return k("GET",le("/api/tokens",e),{signal:r.signal}).then(({tokens:i})=>s({tokens:i,error:null}),i=>U(i)||s(l=>({...l,error:i}))),()=>r.abort()},[e,n]),{...t,reload:()=>a(n+1)}}function Fe({who:e}){let{tokens:t,error:s,reload:n}=lt(I(e)?O:""),[a,r]=m(null),i=N(),l=()=>r(null),c=()=>{l(),n(),requestAnimationFrame(()=>i.current?.focus())};return o`<section class="panel" aria-labelledby="tokens-title">
    <header class="panel-head"><h2 id="tokens-title">Tokens</h2>
      <button type="button" class="button" ref=${i} onClick=${()=>r("new")}>
        New token</button></header>
    <p class="quiet settings-what">For programs. A token acts for whom it was made for, and may do
      what both its role and theirs allow.</p>
    ${t?t.length?o`<${dt} who=${e} tokens=${t} onDelete=${r} />`:o`<p class="panel-empty quiet">No tokens yet.</p>`:s?o`<${_} title="Couldn't load the tokens" message=${s.message}
            onRetry=${n} />`:o`<div class="bars-bone" role="status" aria-label="Loading tokens"></div>`}
    ${t&&s&&o`<p class="problem" role="alert">${s.message}</p>`}
    ${a==="new"&&o`<${pt} who=${e} onClose=${l} onMade=${n} />`}
    ${a?.id&&o`<${$t} who=${e} token=${a} onClose=${l} onDone=${c} />`}</section>`}var ct=({expires_at:e})=>e!==null&&Date.parse(e)<=Date.now(),Ue=({time:e,never:t="Never"})=>e?o`<time datetime=${e} title=${S(Date.parse(e))}>
        ${P(Date.parse(e),"long")}</time>`:t,Be=({token:e,never:t="Never"})=>{let{expires_at:s}=e;return s?ct(e)?o`<span class="state-badge">Expired</span>`:o`<time datetime=${s} title=${S(Date.parse(s))}>
    ${$e(new Date(s))}</time>`:t},dt=({who:e,tokens:t,onDelete:s})=>o`<table class="entries">
  <thead><tr><th scope="col">Name</th><th scope="col" class="wide-only">Acts for</th>
    <th scope="col" class="wide-only">Role</th><th scope="col" class="wide-only">Last used</th>
    <th scope="col" class="wide-only">Expires</th>
    <th><span class="unseen">Actions</span></th></tr></thead>
  <tbody>${t.map(n=>{let{id:a,name:r,identity:i,role:l,hint:c,last_used_at:$}=n,h=i===e.identity?"You":i;return o`<tr key=${a}>
      <th scope="row"><span class="entry-name"><bdi>${b(r)}</bdi>${" "}
        <span class="quiet mono" title="The last characters of the token">…${c}</span></span>
        <span class="entry-more quiet"><span><bdi>${b(h)}</bdi> · ${L(l)}</span>
          <span>Used: <${Ue} time=${$} never="never" /></span>
          <span>Expires: <${Be} token=${n} never="never" /></span></span></th>
      <td class="wide-only"><bdi>${b(h)}</bdi></td>
      <td class="wide-only">${L(l)}</td>
      <td class="wide-only"><${Ue} time=${$} /></td>
      <td class="wide-only"><${Be} token=${n} /></td>
      <td class="entry-end">${(i===e.identity||T(e))&&o`<${Z} icon="remove" label=${`Delete ${b(r)}`}
          onClick=${()=>s(n)} />`}</td></tr>`})}</tbody></table>
  <p class="quiet settings-what">${w(t.length,"token","tokens")}</p>`,ut=[["7","In 7 days"],["30","In 30 days"],["90","In 90 days"],["365","In a year"],["","Never"]],mt=e=>e==="admin"?Object.keys(X):e==="viewer"?["viewer"]:["viewer",e];function pt({who:e,onClose:t,onMade:s}){let n=mt(e.role),[a,r]=m(""),[i,l]=m(n.includes("editor")?"editor":e.role),[c,$]=m("90"),[h,d]=m(""),[p,f]=m({}),[u,g]=m(!1),[y,W]=m(null),G=N(),ae=D=>{f(D),ee(G.current)},Ke=async D=>{if(D.preventDefault(),!u){if(!a.trim())return ae({name:"Enter a name."});if([...a.trim()].length>Pe)return ae({name:`A name can have at most ${Pe} characters.`});g(!0),f({});try{let x={name:a.trim(),role:i,...h.trim()&&{identity:h.trim()},...c&&{expires_at:new Date(Date.now()+Number(c)*it).toISOString()}},re=await k("POST","/api/tokens",{body:x});s(),W(re)}catch(x){let re=["name","identity"].includes(x.field)?x.field:/token name/i.test(x.message)?"name":"other";ae({[re]:x.message})}finally{g(!1)}}};if(y)return o`<${De} title=${`The token ${b(y.name)}`} what="token" text=${y.token}
      onClose=${t}>
      Copy it to where it is needed. Whoever has it can do what it may.<//>`;let K=D=>x=>{D(x),f({})};return o`<${R} label="New token" class="new-token ask" onClose=${t}><form
    ref=${G} onSubmit=${Ke} novalidate>
    <${j} onClose=${t}>New token<//>
    <label for="token-name">Name</label>
    <input id="token-name" class="field" autocomplete="off" spellcheck=${!1} value=${a}
      placeholder="What it is for" onInput=${D=>K(r)(D.target.value)}
      aria-invalid=${!!p.name}
      aria-describedby=${p.name?"token-name-problem":void 0} />
    <${H} id="token-name" text=${p.name} />
    <div class="token-choices"><div><span class="form-label">Role</span>
      <${z} label="Role" value=${i} onChange=${K(l)}
        options=${n.map(D=>[D,L(D)])} /></div>
    <div><span class="form-label">Expires</span>
      <${z} label="Expires" value=${c} onChange=${K($)} options=${ut} /></div>
    </div>
    <p class="hint">${L(i)}: ${ke[i]}.${i==="viewer"&&T(e)&&" A new name has no links, so it sees none; an auditor sees those of all."}</p>
    ${T(e)&&o`<${B} id="token-identity" label="Acts for" text=${h} create=${!0}
        problem=${p.identity} onText=${K(d)}
        placeholder="Yourself"
        hint="A new name, such as ci, makes a service with links of its own." />`}
    <${H} id="token-other" text=${p.other} />
    <div class="buttons"><button type="button" class="button" onClick=${t}>Cancel</button>
      <button class="button primary" aria-busy=${u}>Make token</button></div>
  </form><//>`}function $t({who:e,token:{id:t,name:s,identity:n},onClose:a,onDone:r}){let[i,l]=m(!1),[c,$]=m(""),h=async()=>{if(!i){l(!0);try{let d=n===e.identity?"":O;await k("DELETE",le(`/api/tokens/${encodeURIComponent(t)}`,d))}catch(d){if(d.status!==404)return l(!1),$(d.message)}E("Token deleted"),r()}};return o`<${R} label="Delete token" onClose=${a}>
    <${j} onClose=${a}>Delete ${b(s)}?<//>
    <p>Programs with this token are refused at once, and whoever signed in with it is signed out.
      This can't be undone.</p>
    ${c&&o`<p class="problem" role="alert">${c}</p>`}
    <div class="buttons"><button type="button" class="button" data-focus=${!0}
        onClick=${a}>Keep it</button>
      <button type="button" class="button danger" aria-busy=${i} onClick=${h}>
        Delete token</button></div>
  <//>`}var oe=100,ht=20,me=e=>`/api/users/${encodeURIComponent(e)}`;async function ne({identity:e},t){_e(await k("PATCH",me(e),{body:t}))}async function ue(e){try{await e()}catch(t){E(`Not changed: ${t.message}`)}}var Me=e=>(e??"").normalize("NFC").toLowerCase();function Ge({who:e}){let t=q(Ee),[s,n]=m(null),[a,r]=m(0),[i,l]=m(""),[c,$]=m(oe),[h,d]=m(null),p=N();A(()=>{let y=new AbortController;return n(null),de({signal:y.signal}).catch(W=>U(W)||n(W)),()=>y.abort()},[a]);let f=Me(i.trim()),u=(t??[]).filter(({identity:y,name:W})=>[y,W].some(G=>Me(G).includes(f))),g=()=>{d(null),requestAnimationFrame(()=>p.current?.focus())};return o`<section class="panel" aria-labelledby="people-title">
    <header class="panel-head"><h2 id="people-title" tabindex="-1" ref=${p}>People</h2>
      ${t?.length>=ht&&o`<div class="search"><${ve} name="search" /><input type="search" class="field"
          aria-label="Search people" placeholder="Search people" autocomplete="off"
          spellcheck=${!1} value=${i} onInput=${y=>{l(y.target.value),$(oe)}} /></div>`}</header>
    <p class="quiet settings-what">People appear here when they first sign in, services when a token
      is made for them.</p>
    ${t?o`<${ft} who=${e} users=${u.slice(0,c)} onMenu=${d} />
        <p class="quiet settings-what" role="status">${f?w(u.length,"match","matches"):w(u.length,"user","users")}</p>
        ${u.length>c&&o`<p class="panel-more"><button type="button" class="text-button"
            onClick=${()=>$(c+oe)}>
            Show ${Y(Math.min(oe,u.length-c))} more</button></p>`}`:s?o`<${_} title="Couldn't load the users" message=${s.message}
            onRetry=${()=>r(a+1)} />`:o`<div class="bars-bone" role="status" aria-label="Loading users"></div>`}
    ${t&&s&&o`<p class="problem" role="alert">${s.message}</p>`}
    ${h?.anchor&&o`<${gt} who=${e} ...${h} onDelete=${y=>d({user:y})}
        onClose=${()=>d(null)} />`}
    ${h&&!h.anchor&&o`<${yt} who=${e} user=${h.user} onDone=${g}
        onClose=${()=>d(null)} />`}</section>`}var He=({identity:e,email:t,name:s})=>e===Q?"The tokens of the settings":t?s?e:"":"Service",ze=({time:e,never:t})=>e?o`<time datetime=${e} title=${S(Date.parse(e))}>
        ${P(Date.parse(e),"long")}</time>`:t,ft=({who:e,users:t,onMenu:s})=>o`<table class="entries">
  <thead><tr><th scope="col">Who</th><th scope="col">Role</th>
    <th scope="col" class="wide-only">Last seen</th>
    <th scope="col" class="wide-only end">Links</th>
    <th scope="col" class="wide-only end">Tokens</th>
    <th><span class="unseen">Actions</span></th></tr></thead>
  <tbody>${t.map(n=>{let{identity:a,name:r,role:i,disabled:l,links:c,tokens:$,last_seen_at:h}=n,d=a===e.identity;return o`<tr key=${a} data-off=${l}>
      <th scope="row"><span class="entry-name"><bdi>${b(r||a)}</bdi>
        ${d&&o`${" "}<span class="badge">You</span>`}
        ${l&&o`${" "}<span class="state-badge">Disabled</span>`}</span>
        ${He(n)&&o`<span class="entry-kind quiet"><bdi>${b(He(n))}</bdi></span>`}
        <span class="entry-more quiet"><span>${w(c,"link","links")},${" "}
          ${w($,"token","tokens")}</span>
          <span>Seen: <${ze} time=${h} never="never" /></span></span></th>
      <td>${T(e)&&!d&&a!==Q?o`<${z} label=${`Role of ${b(a)}`} value=${i}
            options=${Object.entries(X)} onChange=${p=>p!==i&&bt(n,p)} />`:L(i)}</td>
      <td class="wide-only"><${ze} time=${h} never="Never" /></td>
      <td class="wide-only end">${Y(c)}</td>
      <td class="wide-only end">${Y($)}</td>
      <td class="entry-end"><${Z} icon="more" label=${`Actions for ${b(a)}`}
        aria-haspopup="menu"
        onClick=${p=>s({user:n,anchor:p.currentTarget})} /></td></tr>`})}</tbody></table>`,bt=(e,t)=>ue(async()=>{await ne(e,{role:t}),M(`${e.identity} is ${t==="viewer"?"a":"an"} ${t} now`,()=>ne(e,{role:e.role}))});function gt({who:e,user:t,anchor:s,onDelete:n,onClose:a}){let{identity:r,disabled:i}=t,l=r===e.identity,c=()=>ue(async()=>{await ne(t,{disabled:!i}),M(i?`Enabled ${r}`:`Disabled ${r}, and ended all sessions`,()=>ne(t,{disabled:!!i}))}),$=()=>ue(async()=>{await k("DELETE",`${me(r)}/sessions`),E(`Signed out ${r} everywhere`)}),h=[{icon:"forth",label:"Show links",onChoose:()=>F(v("/ui/",{owner:l?"":r}))},{icon:"forth",label:"Show in the audit",onChoose:()=>F(v("/ui/settings",{show:"audit",by:r}))},...T(e)&&!l?[null,{icon:"leave",label:"Sign out everywhere",onChoose:$},...r===Q?[]:[{icon:i?"done":"pause",label:i?"Enable":"Disable",onChoose:c},{icon:"remove",label:"Delete",danger:!0,onChoose:()=>n(t)}]]:[]];return o`<${Te} anchor=${s} label=${`Actions for ${b(r)}`} items=${h}
    onClose=${a} />`}function yt({who:e,user:{identity:t,links:s,tokens:n},onClose:a,onDone:r}){let[i,l]=m(e.identity),[c,$]=m(""),[h,d]=m(!1);return o`<${R} label="Delete user" class="ask" onClose=${a}><form
    onSubmit=${async f=>{if(f.preventDefault(),!h){if(s&&!i.trim())return $("Choose who gets the links.");d(!0);try{await k("DELETE",v(me(t),{move_to:s?i.trim():""}))}catch(u){if(u.status!==404)return d(!1),$(u.message)}de().catch(()=>{}),E(`Deleted ${t}`),r()}}} novalidate>
    <${j} onClose=${a}>Delete ${b(t)}?<//>
    <p>${n?`${w(n,"token","tokens")} and all sessions end.`:""}
      ${!n&&"All sessions end."}
      ${" "}This can't be undone. Whom the sign-in still allows can come back, as somebody new.</p>
    ${s>0?o`<${B} id="move-to" label=${`Give ${w(s,"link","links")} to`}
          text=${i} except=${t} problem=${c} onText=${f=>{l(f),$("")}} />`:c&&o`<p class="problem" role="alert">${c}</p>`}
    <div class="buttons"><button type="button" class="button" data-focus=${!0}
        onClick=${a}>Keep</button>
      <button class="button danger" aria-busy=${h}>Delete</button></div>
  </form><//>`}var kt=[{name:"tokens",title:"Tokens",Section:Fe,isFor:ge},{name:"people",title:"People",Section:Ge,isFor:I},{name:"webhooks",title:"Webhooks",Section:Ne,isFor:ye},{name:"domains",title:"Domains",Section:We,isFor:()=>he},{name:"audit",title:"Audit",Section:Re,isFor:I}];function qs(){let e=q(V),{query:t}=q(be),s=kt.filter(({isFor:r})=>r(e)),n=s.find(({name:r})=>r===t.get("show"))??s[0];if(pe(()=>{document.title=`${n?.title??"Settings"} · terse`,scrollTo(0,0)},[n?.title]),!e.identity)return o`<${xe} />`;if(!n)return o`<main class="page" id="main"><div class="state"><h1>Settings</h1>
    <p>Whoever signed in with a token can't change any.</p>
    <a class="button" href=${C("/ui/")}>Back to links</a></div></main>`;let{Section:a}=n;return o`<main class="page settings" id="main">
    <header class="settings-head"><h1>Settings</h1>
      <nav class="tabs" aria-label="Settings">${s.map(({name:r,title:i},l)=>o`<a key=${r} class="tab"
        href=${C(v("/ui/settings",{show:l?r:""}))}
        aria-current=${r===n.name?"page":void 0}>${i}</a>`)}</nav></header>
    <${a} who=${e} query=${t} />
  </main>`}export{qs as Settings};
