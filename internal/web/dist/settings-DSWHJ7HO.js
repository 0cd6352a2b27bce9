import{a as W}from"./chunk-ITBDEP7L.js";import"./chunk-GNVBELXB.js";import{A as he,Ac as ce,Ba as H,Bc as _e,Da as ee,E as fe,Ea as N,Hb as Ae,J as A,Jb as le,L as O,M as be,N as w,O as F,P as Q,Q as I,Qa as xe,R as V,S,Sa as Se,V as L,Va as z,W as ge,Wa as te,X,Xa as Ce,Y as ye,Z as R,a as m,b as T,c as me,ca as ke,d as q,ea as ie,h as Y,ha as B,i as v,k as x,ka as y,l as pe,ma as n,na as ve,oa as Z,p as U,ra as we,sa as E,ta as M,u as J,va as De,w as b,xa as _,y as $e,ya as j,za as Te,zc as Ee}from"./chunk-VYYL47CL.js";var Ge={original_url:"destination",short_code:"code",starts_at:"start",expires_at:"end",max_clicks:"number of clicks",expired_url:"destination after the end",redirect_status:"type of redirect",forward_query:"forwarding of the query",forward_path:"forwarding of the path",aliases:"addresses",disabled:"whether it is switched off",archived:"whether it is archived"},Ke={"link.create":"made the link","link.update":"changed the link","link.delete":"deleted the link","link.reset":"deleted the statistics of","link.share":"shared the statistics of","link.unshare":"stopped sharing the statistics of","overview.share":"shared the statistics of the overview","overview.unshare":"stopped sharing the statistics of the overview","tag.share":"shared the statistics of the tag","tag.unshare":"stopped sharing the statistics of the tag","tag.rename":"renamed the tag","tag.delete":"deleted the tag","links.import":"imported links","links.export":"exported links","domain.update":"changed where to lead visitors of","token.create":"made the token","token.delete":"deleted the token","user.create":"added","user.update":"changed","user.delete":"deleted","user.refused":"was not let in","session.create":"signed in","session.delete":"signed out","sign_in.failed":"failed to sign in"};function Ne({action:e,target:t,domain:s,details:o}){let a=o??{};return{what:J(Ke,e)??b(e),name:e.startsWith("token.")&&typeof a.name=="string"?a.name:fe({domain:s,short_code:t}),isLink:e.startsWith("link.")&&e!=="link.delete",more:Ye(e,a)}}function Ye(e,t){return e==="link.update"&&Array.isArray(t.fields)?qe(t.fields):e==="link.delete"&&typeof t.original_url=="string"?$e(t.original_url).join(""):Object.entries(t).filter(([s])=>!(e.startsWith("token.")&&s==="name")).map(([s,o])=>Ve(s,o)).filter(Boolean).join(", ")}var qe=e=>e.map(t=>b(String(J(Ge,t)??t))).join(", "),Je={identity:"for",expires_at:"until"},Qe=200;function Ve(e,t){let s=t!==null&&typeof t=="object"&&"new"in t?t.new:t;if(e==="disabled")return s?"disabled":"enabled";if(e==="fields"&&Array.isArray(s))return qe(s);let o=e==="expires_at"&&Date.parse(s)>0?x(Date.parse(s)):Array.isArray(s)?s.join(", "):s!==null&&typeof s=="object"?JSON.stringify(s):String(s),a=J(Je,e)??e.replaceAll("_"," ");return b(`${a} ${[...o].slice(0,Qe).join("")}`)}var Xe=50;function Ze(e,t){let s=JSON.stringify([e,t]),[o,a]=m({key:s,entries:null,next:"",error:null}),[r,i]=m(0),[l,c]=m(!1),$=(p,f)=>y("GET",w("/api/audit",{by:e,target:t,limit:Xe,cursor:p}),{signal:f});T(()=>{let p=new AbortController;return $("",p.signal).then(({entries:f,next_cursor:u=""})=>a({key:s,entries:f,next:u,error:null}),f=>B(f)||a({key:s,entries:null,next:"",error:f})),()=>p.abort()},[s,r]);let h=async()=>{if(!l){c(!0);try{let{entries:p,next_cursor:f=""}=await $(o.next);a(u=>u.key===s?{...u,entries:[...u.entries,...p],next:f,error:null}:u)}catch(p){a(f=>({...f,error:p}))}finally{c(!1)}}};return{...o.key===s?o:{entries:null,next:"",error:null},busy:l,more:h,reload:()=>i(r+1)}}var Oe=(e,t)=>w("/ui/settings",{show:"audit",by:e,target:t});function Ie({query:e}){let t=e.get("by")??"",s=e.get("target")??"",{entries:o,next:a,error:r,busy:i,more:l,reload:c}=Ze(t,s);return n`<section class="panel" aria-labelledby="audit-title">
    <header class="panel-head"><h2 id="audit-title">Audit</h2></header>
    <p class="quiet settings-what">What was done to links, tokens and users. Kept for as long as
      AUDIT_RETENTION says.</p>
    <${et} key=${`${t} ${s}`} by=${t} target=${s} />
    ${o?o.length?n`<ol class="audit">${o.map($=>n`<${st} key=${$.id} entry=${$} />`)}</ol>`:n`<p class="panel-empty quiet" role="status">${t||s?"Nothing with this filter.":"Nothing yet."}</p>`:r?n`<${N} title="Couldn't load the audit" message=${r.message}
            onRetry=${c} />`:n`<div class="bars-bone" role="status" aria-label="Loading the audit"></div>`}
    ${o&&r&&n`<p class="problem" role="alert">${r.message}</p>`}
    ${a&&n`<p class="panel-more"><button type="button" class="text-button" aria-busy=${i}
        onClick=${l}>Show older entries</button></p>`}</section>`}function et({by:e,target:t}){let[s,o]=m(e),[a,r]=m(t);return n`<form class="audit-filter" role="search" aria-label="Filter" onSubmit=${l=>{l.preventDefault(),F(Oe(s.trim(),a.trim()))}}>
    <div><${W} id="audit-by" label="By" text=${s} onText=${o} /></div>
    <div><label for="audit-target">About</label>
      <input id="audit-target" class="field" autocomplete="off" autocapitalize="off"
        spellcheck=${!1} placeholder="Code, tag, token or user" value=${a}
        onInput=${l=>r(l.target.value)} /></div>
    <button class="button">Show</button>
    ${(e||t)&&n`<a class="text-button" href=${A(Oe("",""))}>Remove filter</a>`}</form>`}var tt={auth_tokens:"with a token of the settings",token:"with a token",session:""};function st({entry:e}){let{time:t,by:s,via:o,action:a,target:r,address:i}=e,{what:l,name:c,isLink:$,more:h}=Ne(e),d=/^(session|sign_in)\.|^user\.refused/.test(a)&&(!s||s===r),p=r&&!d&&($?n`<a class="mono" href=${A(ke(c,I))}>${b(c)}</a>`:n`<bdi class="audit-target">${b(c)}</bdi>`),f=s||d&&r||"Somebody",u=[tt[o]??o,i&&`from ${b(i)}`].filter(Boolean).join(" ");return n`<li><p><bdi class="audit-by">${b(f)}</bdi>${" "}
    ${l}${p&&" "}${p}${h&&n`<span class="quiet">: <bdi>${h}</bdi></span>`}</p>
    <p class="quiet"><time datetime=${t} title=${x(Date.parse(t))}>
      ${U(Date.parse(t),"long")}</time>${u&&` · ${u}`}</p></li>`}var se=[["root_url","Where visitors of the bare domain go","Nowhere: the server answers itself"],["unknown_url","Where visitors of unknown addresses go","A page that says there is no link"],["ended_url","Where visitors of ended links go","A page that says it has ended"]];async function Le({domain:e},t){let s=await y("PATCH",`/api/domains/${encodeURIComponent(e)}`,{body:t});te.set(te.get().map(o=>o.domain===e?{...o,...s}:o))}function Re({who:e}){let t=O(te),[s,o]=m(null),[a,r]=m(0),[i,l]=m(null);return T(()=>{o(null),Ce(!0).catch(o)},[a]),n`<section class="panel" aria-labelledby="domains-title">
    <header class="panel-head"><h2 id="domains-title">Domains</h2></header>
    <p class="quiet settings-what">The hosts at which links are served, as BASE_URL and DOMAINS name
      them. The same code can stand for another link at each.</p>
    ${t.length?n`<ul class="domains">${t.map(c=>n`<${nt} key=${c.domain} row=${c} who=${e}
                onEdit=${()=>l(c)} />`)}</ul>`:s?n`<${N} title="Couldn't load the domains" message=${s.message}
            onRetry=${()=>r(a+1)} />`:n`<div class="bars-bone" role="status" aria-label="Loading domains"></div>`}
    ${t.length>0&&s&&n`<p class="problem" role="alert">${s.message}</p>`}
    ${i&&n`<${ot} row=${i} onClose=${()=>l(null)} />`}</section>`}function nt({row:e,who:t,onEdit:s}){let{domain:o,links:a}=e,r=L(t)&&V.get().others?I:"",i=v(a,"link","links");return n`<li><header><h3 class="mono"><bdi>${b(o)}</bdi></h3>
      ${e.default&&n`<span class="badge">Default</span>`}
      ${!e.configured&&n`<span class="state-badge">Not served</span>`}
      <span class="quiet">${a>0?n`<a href=${A(w("/ui/",{domain:o,owner:r,archived:"all"}))}>${i}</a>`:i}</span>
      ${S(t)&&n`<button type="button" class="button" aria-label=${`Edit ${o}`}
        onClick=${s}>Edit</button>`}</header>
    ${!e.configured&&n`<p class="quiet">It is no longer in DOMAINS: visitors get a 404, and new links can't be
      made. Its links and their statistics are kept.</p>`}
    <dl>${se.map(([l,c,$])=>n`<div key=${l}><dt class="quiet">${c}</dt><dd>${e[l]?n`<${Te} url=${e[l]} />`:n`<span class="quiet">${$}</span>`}</dd></div>`)}</dl></li>`}function ot({row:e,onClose:t}){let[s,o]=m(()=>Object.fromEntries(se.map(([d])=>[d,e[d]??""]))),[a,r]=m({}),[i,l]=m(!1),c=q(),$=d=>{r(d),ee(c.current)},h=async d=>{if(d.preventDefault(),i)return;let p={},f={};for(let[u]of se){let g=s[u].trim()?Ae(s[u]):null;g!==(e[u]??null)&&(p[u]=g,g&&le(g)&&(f[u]=le(g)))}if(Object.keys(f).length)return $(f);if(!Object.keys(p).length)return t();l(!0);try{await Le(e,p);let u=Object.fromEntries(Object.keys(p).map(g=>[g,e[g]??null]));M(`${e.domain} changed`,async()=>{try{await Le(e,u)}catch(g){E(`Not changed: ${g.message}`)}}),t()}catch(u){l(!1),$({[Object.hasOwn(s,u.field)?u.field:"other"]:u.message})}};return n`<${_} label=${`Edit ${e.domain}`} class="ask" onClose=${t}><form
    ref=${c} onSubmit=${h} novalidate>
    <${j} onClose=${t}>Edit <span class="mono">${b(e.domain)}</span><//>
    ${se.map(([d,p,f])=>n`<label for=${`domain-${d}`}>${p}</label>
      <input id=${`domain-${d}`} class="field mono" inputmode="url" autocomplete="off"
        autocapitalize="off" spellcheck=${!1} placeholder=${f} value=${s[d]}
        aria-invalid=${!!a[d]}
        aria-describedby=${a[d]?`domain-${d}-problem`:void 0}
        onInput=${u=>{o({...s,[d]:u.target.value}),r({})}} />
      <${H} id=${`domain-${d}`} text=${a[d]} />`)}
    ${a.other&&n`<p class="problem" role="alert">${a.other}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${t}>Cancel</button>
      <button class="button primary" aria-busy=${i}>Save</button></div>
  </form><//>`}var je=64,at=864e5;function rt(e){let[t,s]=m({tokens:null,error:null}),[o,a]=m(0);return T(()=>{let r=new AbortController;return y("GET",ie("/api/tokens",e),{signal:r.signal}).then(({tokens:i})=>s({tokens:i,error:null}),i=>B(i)||s(l=>({...l,error:i}))),()=>r.abort()},[e,o]),{...t,reload:()=>a(o+1)}}function Be({who:e}){let{tokens:t,error:s,reload:o}=rt(L(e)?I:""),[a,r]=m(null),i=q(),l=()=>r(null),c=()=>{l(),o(),requestAnimationFrame(()=>i.current?.focus())};return n`<section class="panel" aria-labelledby="tokens-title">
    <header class="panel-head"><h2 id="tokens-title">Tokens</h2>
      <button type="button" class="button" ref=${i} onClick=${()=>r("new")}>
        New token</button></header>
    <p class="quiet settings-what">For programs. A token acts for whom it was made for, and may do
      what both its role and theirs allow.</p>
    ${t?t.length?n`<${lt} who=${e} tokens=${t} onDelete=${r} />`:n`<p class="panel-empty quiet">No tokens yet.</p>`:s?n`<${N} title="Couldn't load the tokens" message=${s.message}
            onRetry=${o} />`:n`<div class="bars-bone" role="status" aria-label="Loading tokens"></div>`}
    ${t&&s&&n`<p class="problem" role="alert">${s.message}</p>`}
    ${a==="new"&&n`<${ut} who=${e} onClose=${l} onMade=${o} />`}
    ${a?.id&&n`<${pt} who=${e} token=${a} onClose=${l} onDone=${c} />`}</section>`}var it=({expires_at:e})=>e!==null&&Date.parse(e)<=Date.now(),Pe=({time:e,never:t="Never"})=>e?n`<time datetime=${e} title=${x(Date.parse(e))}>
        ${U(Date.parse(e),"long")}</time>`:t,Ue=({token:e,never:t="Never"})=>{let{expires_at:s}=e;return s?it(e)?n`<span class="state-badge">Expired</span>`:n`<time datetime=${s} title=${x(Date.parse(s))}>
    ${pe(new Date(s))}</time>`:t},lt=({who:e,tokens:t,onDelete:s})=>n`<table class="entries">
  <thead><tr><th scope="col">Name</th><th scope="col" class="wide-only">Acts for</th>
    <th scope="col" class="wide-only">Role</th><th scope="col" class="wide-only">Last used</th>
    <th scope="col" class="wide-only">Expires</th>
    <th><span class="unseen">Actions</span></th></tr></thead>
  <tbody>${t.map(o=>{let{id:a,name:r,identity:i,role:l,hint:c,last_used_at:$}=o,h=i===e.identity?"You":i;return n`<tr key=${a}>
      <th scope="row"><span class="entry-name"><bdi>${b(r)}</bdi>${" "}
        <span class="quiet mono" title="The last characters of the token">…${c}</span></span>
        <span class="entry-more quiet"><span><bdi>${b(h)}</bdi> · ${R(l)}</span>
          <span>Used: <${Pe} time=${$} never="never" /></span>
          <span>Expires: <${Ue} token=${o} never="never" /></span></span></th>
      <td class="wide-only"><bdi>${b(h)}</bdi></td>
      <td class="wide-only">${R(l)}</td>
      <td class="wide-only"><${Pe} time=${$} /></td>
      <td class="wide-only"><${Ue} token=${o} /></td>
      <td class="entry-end">${(i===e.identity||S(e))&&n`<${Z} icon="remove" label=${`Delete ${b(r)}`}
          onClick=${()=>s(o)} />`}</td></tr>`})}</tbody></table>
  <p class="quiet settings-what">${v(t.length,"token","tokens")}</p>`,ct=[["7","In 7 days"],["30","In 30 days"],["90","In 90 days"],["365","In a year"],["","Never"]],dt=e=>e==="admin"?Object.keys(X):e==="viewer"?["viewer"]:["viewer",e];function ut({who:e,onClose:t,onMade:s}){let o=dt(e.role),[a,r]=m(""),[i,l]=m(o.includes("editor")?"editor":e.role),[c,$]=m("90"),[h,d]=m(""),[p,f]=m({}),[u,g]=m(!1),[k,P]=m(null),G=q(),ae=D=>{f(D),ee(G.current)},ze=async D=>{if(D.preventDefault(),!u){if(!a.trim())return ae({name:"Enter a name."});if([...a.trim()].length>je)return ae({name:`A name can have at most ${je} characters.`});g(!0),f({});try{let C={name:a.trim(),role:i,...h.trim()&&{identity:h.trim()},...c&&{expires_at:new Date(Date.now()+Number(c)*at).toISOString()}},re=await y("POST","/api/tokens",{body:C});s(),P(re)}catch(C){let re=["name","identity"].includes(C.field)?C.field:/token name/i.test(C.message)?"name":"other";ae({[re]:C.message})}finally{g(!1)}}};if(k)return n`<${mt} token=${k} onClose=${t} />`;let K=D=>C=>{D(C),f({})};return n`<${_} label="New token" class="new-token ask" onClose=${t}><form
    ref=${G} onSubmit=${ze} novalidate>
    <${j} onClose=${t}>New token<//>
    <label for="token-name">Name</label>
    <input id="token-name" class="field" autocomplete="off" spellcheck=${!1} value=${a}
      placeholder="What it is for" onInput=${D=>K(r)(D.target.value)}
      aria-invalid=${!!p.name}
      aria-describedby=${p.name?"token-name-problem":void 0} />
    <${H} id="token-name" text=${p.name} />
    <div class="token-choices"><div><span class="form-label">Role</span>
      <${z} label="Role" value=${i} onChange=${K(l)}
        options=${o.map(D=>[D,R(D)])} /></div>
    <div><span class="form-label">Expires</span>
      <${z} label="Expires" value=${c} onChange=${K($)} options=${ct} /></div>
    </div>
    <p class="hint">${R(i)}: ${ye[i]}.${i==="viewer"&&S(e)&&" A new name has no links, so it sees none; an auditor sees those of all."}</p>
    ${S(e)&&n`<${W} id="token-identity" label="Acts for" text=${h} create=${!0}
        problem=${p.identity} onText=${K(d)}
        placeholder="Yourself"
        hint="A new name, such as ci, makes a service with links of its own." />`}
    <${H} id="token-other" text=${p.other} />
    <div class="buttons"><button type="button" class="button" onClick=${t}>Cancel</button>
      <button class="button primary" aria-busy=${u}>Make token</button></div>
  </form><//>`}function mt({token:{token:e,name:t},onClose:s}){let o=`The token ${b(t)}`;return T(()=>De(`Made the token ${t}. It is shown only now.`),[]),n`<${_} key="made" label=${o} class="new-token">
    <header class="dialog-title"><h2>${o}</h2></header>
    <div class="sharing-address">
      <input class="field mono" type="text" readonly aria-label="Token" value=${e}
        aria-describedby="token-once" onFocus=${a=>a.target.select()} />
      <${we} text=${e} label="Copy the token" /></div>
    <p id="token-once" class="token-once"><b>It is shown only now.</b> Copy it to where it is
      needed. Whoever has it can do what it may.</p>
    <div class="buttons one"><button type="button" class="button primary" onClick=${s}>
      Done</button></div>
  <//>`}function pt({who:e,token:{id:t,name:s,identity:o},onClose:a,onDone:r}){let[i,l]=m(!1),[c,$]=m(""),h=async()=>{if(!i){l(!0);try{let d=o===e.identity?"":I;await y("DELETE",ie(`/api/tokens/${encodeURIComponent(t)}`,d))}catch(d){if(d.status!==404)return l(!1),$(d.message)}E("Token deleted"),r()}};return n`<${_} label="Delete token" onClose=${a}>
    <${j} onClose=${a}>Delete ${b(s)}?<//>
    <p>Programs with this token are refused at once, and whoever signed in with it is signed out.
      This can't be undone.</p>
    ${c&&n`<p class="problem" role="alert">${c}</p>`}
    <div class="buttons"><button type="button" class="button" data-focus=${!0}
        onClick=${a}>Keep it</button>
      <button type="button" class="button danger" aria-busy=${i} onClick=${h}>
        Delete token</button></div>
  <//>`}var ne=100,$t=20,ue=e=>`/api/users/${encodeURIComponent(e)}`;async function oe({identity:e},t){_e(await y("PATCH",ue(e),{body:t}))}async function de(e){try{await e()}catch(t){E(`Not changed: ${t.message}`)}}var We=e=>(e??"").normalize("NFC").toLowerCase();function He({who:e}){let t=O(Ee),[s,o]=m(null),[a,r]=m(0),[i,l]=m(""),[c,$]=m(ne),[h,d]=m(null),p=q();T(()=>{let k=new AbortController;return o(null),ce({signal:k.signal}).catch(P=>B(P)||o(P)),()=>k.abort()},[a]);let f=We(i.trim()),u=(t??[]).filter(({identity:k,name:P})=>[k,P].some(G=>We(G).includes(f))),g=()=>{d(null),requestAnimationFrame(()=>p.current?.focus())};return n`<section class="panel" aria-labelledby="people-title">
    <header class="panel-head"><h2 id="people-title" tabindex="-1" ref=${p}>People</h2>
      ${t?.length>=$t&&n`<div class="search"><${ve} name="search" /><input type="search" class="field"
          aria-label="Search people" placeholder="Search people" autocomplete="off"
          spellcheck=${!1} value=${i} onInput=${k=>{l(k.target.value),$(ne)}} /></div>`}</header>
    <p class="quiet settings-what">People appear here when they first sign in, services when a token
      is made for them.</p>
    ${t?n`<${ht} who=${e} users=${u.slice(0,c)} onMenu=${d} />
        <p class="quiet settings-what" role="status">${f?v(u.length,"match","matches"):v(u.length,"user","users")}</p>
        ${u.length>c&&n`<p class="panel-more"><button type="button" class="text-button"
            onClick=${()=>$(c+ne)}>
            Show ${Y(Math.min(ne,u.length-c))} more</button></p>`}`:s?n`<${N} title="Couldn't load the users" message=${s.message}
            onRetry=${()=>r(a+1)} />`:n`<div class="bars-bone" role="status" aria-label="Loading users"></div>`}
    ${t&&s&&n`<p class="problem" role="alert">${s.message}</p>`}
    ${h?.anchor&&n`<${bt} who=${e} ...${h} onDelete=${k=>d({user:k})}
        onClose=${()=>d(null)} />`}
    ${h&&!h.anchor&&n`<${gt} who=${e} user=${h.user} onDone=${g}
        onClose=${()=>d(null)} />`}</section>`}var Fe=({identity:e,email:t,name:s})=>e===Q?"The tokens of the settings":t?s?e:"":"Service",Me=({time:e,never:t})=>e?n`<time datetime=${e} title=${x(Date.parse(e))}>
        ${U(Date.parse(e),"long")}</time>`:t,ht=({who:e,users:t,onMenu:s})=>n`<table class="entries">
  <thead><tr><th scope="col">Who</th><th scope="col">Role</th>
    <th scope="col" class="wide-only">Last seen</th>
    <th scope="col" class="wide-only end">Links</th>
    <th scope="col" class="wide-only end">Tokens</th>
    <th><span class="unseen">Actions</span></th></tr></thead>
  <tbody>${t.map(o=>{let{identity:a,name:r,role:i,disabled:l,links:c,tokens:$,last_seen_at:h}=o,d=a===e.identity;return n`<tr key=${a} data-off=${l}>
      <th scope="row"><span class="entry-name"><bdi>${b(r||a)}</bdi>
        ${d&&n`${" "}<span class="badge">You</span>`}
        ${l&&n`${" "}<span class="state-badge">Disabled</span>`}</span>
        ${Fe(o)&&n`<span class="entry-kind quiet"><bdi>${b(Fe(o))}</bdi></span>`}
        <span class="entry-more quiet"><span>${v(c,"link","links")},${" "}
          ${v($,"token","tokens")}</span>
          <span>Seen: <${Me} time=${h} never="never" /></span></span></th>
      <td>${S(e)&&!d&&a!==Q?n`<${z} label=${`Role of ${b(a)}`} value=${i}
            options=${Object.entries(X)} onChange=${p=>p!==i&&ft(o,p)} />`:R(i)}</td>
      <td class="wide-only"><${Me} time=${h} never="Never" /></td>
      <td class="wide-only end">${Y(c)}</td>
      <td class="wide-only end">${Y($)}</td>
      <td class="entry-end"><${Z} icon="more" label=${`Actions for ${b(a)}`}
        aria-haspopup="menu"
        onClick=${p=>s({user:o,anchor:p.currentTarget})} /></td></tr>`})}</tbody></table>`,ft=(e,t)=>de(async()=>{await oe(e,{role:t}),M(`${e.identity} is ${t==="viewer"?"a":"an"} ${t} now`,()=>oe(e,{role:e.role}))});function bt({who:e,user:t,anchor:s,onDelete:o,onClose:a}){let{identity:r,disabled:i}=t,l=r===e.identity,c=()=>de(async()=>{await oe(t,{disabled:!i}),M(i?`Enabled ${r}`:`Disabled ${r}, and ended all sessions`,()=>oe(t,{disabled:!!i}))}),$=()=>de(async()=>{await y("DELETE",`${ue(r)}/sessions`),E(`Signed out ${r} everywhere`)}),h=[{icon:"forth",label:"Show links",onChoose:()=>F(w("/ui/",{owner:l?"":r}))},{icon:"forth",label:"Show in the audit",onChoose:()=>F(w("/ui/settings",{show:"audit",by:r}))},...S(e)&&!l?[null,{icon:"leave",label:"Sign out everywhere",onChoose:$},...r===Q?[]:[{icon:i?"done":"pause",label:i?"Enable":"Disable",onChoose:c},{icon:"remove",label:"Delete",danger:!0,onChoose:()=>o(t)}]]:[]];return n`<${xe} anchor=${s} label=${`Actions for ${b(r)}`} items=${h}
    onClose=${a} />`}function gt({who:e,user:{identity:t,links:s,tokens:o},onClose:a,onDone:r}){let[i,l]=m(e.identity),[c,$]=m(""),[h,d]=m(!1);return n`<${_} label="Delete user" class="ask" onClose=${a}><form
    onSubmit=${async f=>{if(f.preventDefault(),!h){if(s&&!i.trim())return $("Choose who gets the links.");d(!0);try{await y("DELETE",w(ue(t),{move_to:s?i.trim():""}))}catch(u){if(u.status!==404)return d(!1),$(u.message)}ce().catch(()=>{}),E(`Deleted ${t}`),r()}}} novalidate>
    <${j} onClose=${a}>Delete ${b(t)}?<//>
    <p>${o?`${v(o,"token","tokens")} and all sessions end.`:""}
      ${!o&&"All sessions end."}
      ${" "}This can't be undone. Whom the sign-in still allows can come back, as somebody new.</p>
    ${s>0?n`<${W} id="move-to" label=${`Give ${v(s,"link","links")} to`}
          text=${i} except=${t} problem=${c} onText=${f=>{l(f),$("")}} />`:c&&n`<p class="problem" role="alert">${c}</p>`}
    <div class="buttons"><button type="button" class="button" data-focus=${!0}
        onClick=${a}>Keep</button>
      <button class="button danger" aria-busy=${h}>Delete</button></div>
  </form><//>`}var yt=[{name:"tokens",title:"Tokens",Section:Be,isFor:ge},{name:"people",title:"People",Section:He,isFor:L},{name:"domains",title:"Domains",Section:Re,isFor:()=>he},{name:"audit",title:"Audit",Section:Ie,isFor:L}];function _s(){let e=O(V),{query:t}=O(be),s=yt.filter(({isFor:r})=>r(e)),o=s.find(({name:r})=>r===t.get("show"))??s[0];if(me(()=>{document.title=`${o?.title??"Settings"} · terse`,scrollTo(0,0)},[o?.title]),!e.identity)return n`<${Se} />`;if(!o)return n`<main class="page" id="main"><div class="state"><h1>Settings</h1>
    <p>Whoever signed in with a token can't change any.</p>
    <a class="button" href=${A("/ui/")}>Back to links</a></div></main>`;let{Section:a}=o;return n`<main class="page settings" id="main">
    <header class="settings-head"><h1>Settings</h1>
      <nav class="tabs" aria-label="Settings">${s.map(({name:r,title:i},l)=>n`<a key=${r} class="tab"
        href=${A(w("/ui/settings",{show:l?r:""}))}
        aria-current=${r===o.name?"page":void 0}>${i}</a>`)}</nav></header>
    <${a} who=${e} query=${t} />
  </main>`}export{_s as Settings};
