import{a as R}from"./chunk-TLFASEXB.js";import"./chunk-RMLAKTFL.js";import{D as _,F as O,G as de,H as x,I as U,Ia as ge,J as z,K as B,Ka as ke,L as ue,M as C,P as M,Q as pe,R as J,S as me,T as S,Y as $e,Z as te,a as d,aa as N,b as T,c as ie,d as F,da as k,fa as o,ga as he,h as K,ha as Q,i as w,k as v,ka as fe,kc as we,l as le,la as q,lc as oe,ma as se,mc as ve,oa as be,p as E,qa as I,ra as P,ta as ne,u as Y,va as ye,w as h,wa as L,y as ce,zb as W}from"./chunk-5RJPQ6WF.js";var Fe={original_url:"destination",short_code:"code",starts_at:"start",expires_at:"end",max_clicks:"number of clicks",expired_url:"destination after the end",redirect_status:"type of redirect",forward_query:"forwarding of the query",forward_path:"forwarding of the path",aliases:"addresses",disabled:"whether it is switched off",archived:"whether it is archived"},Oe={"link.create":"made the link","link.update":"changed the link","link.delete":"deleted the link","link.reset":"deleted the statistics of","link.share":"shared the statistics of","link.unshare":"stopped sharing the statistics of","overview.share":"shared the statistics of the overview","overview.unshare":"stopped sharing the statistics of the overview","tag.share":"shared the statistics of the tag","tag.unshare":"stopped sharing the statistics of the tag","tag.rename":"renamed the tag","tag.delete":"deleted the tag","links.import":"imported links","links.export":"exported links","token.create":"made the token","token.delete":"deleted the token","user.create":"added","user.update":"changed","user.delete":"deleted","user.refused":"was not let in","session.create":"signed in","session.delete":"signed out","sign_in.failed":"failed to sign in"};function xe({action:e,target:t,details:s}){let n=s??{};return{what:Y(Oe,e)??h(e),name:e.startsWith("token.")&&typeof n.name=="string"?n.name:t,isLink:e.startsWith("link.")&&e!=="link.delete",more:Ue(e,n)}}function Ue(e,t){return e==="link.update"&&Array.isArray(t.fields)?De(t.fields):e==="link.delete"&&typeof t.original_url=="string"?ce(t.original_url).join(""):Object.entries(t).filter(([s])=>!(e.startsWith("token.")&&s==="name")).map(([s,n])=>Pe(s,n)).filter(Boolean).join(", ")}var De=e=>e.map(t=>h(String(Y(Fe,t)??t))).join(", "),Be={identity:"for",expires_at:"until"},Me=200;function Pe(e,t){let s=t!==null&&typeof t=="object"&&"new"in t?t.new:t;if(e==="disabled")return s?"disabled":"enabled";if(e==="fields"&&Array.isArray(s))return De(s);let n=e==="expires_at"&&Date.parse(s)>0?v(Date.parse(s)):Array.isArray(s)?s.join(", "):s!==null&&typeof s=="object"?JSON.stringify(s):String(s),r=Y(Be,e)??e.replaceAll("_"," ");return h(`${r} ${[...n].slice(0,Me).join("")}`)}var We=50;function je(e,t){let s=JSON.stringify([e,t]),[n,r]=d({key:s,entries:null,next:"",error:null}),[a,i]=d(0),[l,c]=d(!1),p=(m,$)=>k("GET",x("/api/audit",{by:e,target:t,limit:We,cursor:m}),{signal:$});T(()=>{let m=new AbortController;return p("",m.signal).then(({entries:$,next_cursor:b=""})=>r({key:s,entries:$,next:b,error:null}),$=>N($)||r({key:s,entries:null,next:"",error:$})),()=>m.abort()},[s,a]);let u=async()=>{if(!l){c(!0);try{let{entries:m,next_cursor:$=""}=await p(n.next);r(b=>b.key===s?{...b,entries:[...b.entries,...m],next:$,error:null}:b)}catch(m){r($=>({...$,error:m}))}finally{c(!1)}}};return{...n.key===s?n:{entries:null,next:"",error:null},busy:l,more:u,reload:()=>i(a+1)}}var Te=(e,t)=>x("/ui/settings",{show:"audit",by:e,target:t});function Ce({query:e}){let t=e.get("by")??"",s=e.get("target")??"",{entries:n,next:r,error:a,busy:i,more:l,reload:c}=je(t,s);return o`<section class="panel" aria-labelledby="audit-title">
    <header class="panel-head"><h2 id="audit-title">Audit</h2></header>
    <p class="quiet settings-what">What was done to links, tokens and users. Kept for as long as
      AUDIT_RETENTION says.</p>
    <${He} key=${`${t} ${s}`} by=${t} target=${s} />
    ${n?n.length?o`<ol class="audit">${n.map(p=>o`<${Ke} key=${p.id} entry=${p} />`)}</ol>`:o`<p class="panel-empty quiet" role="status">${t||s?"Nothing with this filter.":"Nothing yet."}</p>`:a?o`<${L} title="Couldn't load the audit" message=${a.message}
            onRetry=${c} />`:o`<div class="bars-bone" role="status" aria-label="Loading the audit"></div>`}
    ${n&&a&&o`<p class="problem" role="alert">${a.message}</p>`}
    ${r&&o`<p class="panel-more"><button type="button" class="text-button" aria-busy=${i}
        onClick=${l}>Show older entries</button></p>`}</section>`}function He({by:e,target:t}){let[s,n]=d(e),[r,a]=d(t);return o`<form class="audit-filter" role="search" aria-label="Filter" onSubmit=${l=>{l.preventDefault(),U(Te(s.trim(),r.trim()))}}>
    <div><${R} id="audit-by" label="By" text=${s} onText=${n} /></div>
    <div><label for="audit-target">About</label>
      <input id="audit-target" class="field" autocomplete="off" autocapitalize="off"
        spellcheck=${!1} placeholder="Code, tag, token or user" value=${r}
        onInput=${l=>a(l.target.value)} /></div>
    <button class="button">Show</button>
    ${(e||t)&&o`<a class="text-button" href=${_(Te("",""))}>Remove filter</a>`}</form>`}var Ge={auth_tokens:"with a token of the settings",token:"with a token",session:""};function Ke({entry:e}){let{time:t,by:s,via:n,action:r,target:a,address:i}=e,{what:l,name:c,isLink:p,more:u}=xe(e),f=/^(session|sign_in)\.|^user\.refused/.test(r)&&(!s||s===a),m=a&&!f&&(p?o`<a class="mono" href=${_($e(a,B))}>${h(a)}</a>`:o`<bdi class="audit-target">${h(c)}</bdi>`),$=s||f&&a||"Somebody",b=[Ge[n]??n,i&&`from ${h(i)}`].filter(Boolean).join(" ");return o`<li><p><bdi class="audit-by">${h($)}</bdi>${" "}
    ${l}${m&&" "}${m}${u&&o`<span class="quiet">: <bdi>${u}</bdi></span>`}</p>
    <p class="quiet"><time datetime=${t} title=${v(Date.parse(t))}>
      ${E(Date.parse(t),"long")}</time>${b&&` · ${b}`}</p></li>`}var Se=64,Ye=864e5;function ze(e){let[t,s]=d({tokens:null,error:null}),[n,r]=d(0);return T(()=>{let a=new AbortController;return k("GET",te("/api/tokens",e),{signal:a.signal}).then(({tokens:i})=>s({tokens:i,error:null}),i=>N(i)||s(l=>({...l,error:i}))),()=>a.abort()},[e,n]),{...t,reload:()=>r(n+1)}}function _e({who:e}){let{tokens:t,error:s,reload:n}=ze(M(e)?B:""),[r,a]=d(null),i=F(),l=()=>a(null),c=()=>{l(),n(),requestAnimationFrame(()=>i.current?.focus())};return o`<section class="panel" aria-labelledby="tokens-title">
    <header class="panel-head"><h2 id="tokens-title">Tokens</h2>
      <button type="button" class="button" ref=${i} onClick=${()=>a("new")}>
        New token</button></header>
    <p class="quiet settings-what">For programs. A token acts for whom it was made for, and may do
      what both its role and theirs allow.</p>
    ${t?t.length?o`<${Qe} who=${e} tokens=${t} onDelete=${a} />`:o`<p class="panel-empty quiet">No tokens yet.</p>`:s?o`<${L} title="Couldn't load the tokens" message=${s.message}
            onRetry=${n} />`:o`<div class="bars-bone" role="status" aria-label="Loading tokens"></div>`}
    ${t&&s&&o`<p class="problem" role="alert">${s.message}</p>`}
    ${r==="new"&&o`<${Ze} who=${e} onClose=${l} onMade=${n} />`}
    ${r?.id&&o`<${tt} who=${e} token=${r} onClose=${l} onDone=${c} />`}</section>`}var Je=({expires_at:e})=>e!==null&&Date.parse(e)<=Date.now(),Ae=({time:e,never:t="Never"})=>e?o`<time datetime=${e} title=${v(Date.parse(e))}>
        ${E(Date.parse(e),"long")}</time>`:t,Ee=({token:e,never:t="Never"})=>{let{expires_at:s}=e;return s?Je(e)?o`<span class="state-badge">Expired</span>`:o`<time datetime=${s} title=${v(Date.parse(s))}>
    ${le(new Date(s))}</time>`:t},Qe=({who:e,tokens:t,onDelete:s})=>o`<table class="entries">
  <thead><tr><th scope="col">Name</th><th scope="col" class="wide-only">Acts for</th>
    <th scope="col" class="wide-only">Role</th><th scope="col" class="wide-only">Last used</th>
    <th scope="col" class="wide-only">Expires</th>
    <th><span class="unseen">Actions</span></th></tr></thead>
  <tbody>${t.map(n=>{let{id:r,name:a,identity:i,role:l,hint:c,last_used_at:p}=n,u=i===e.identity?"You":i;return o`<tr key=${r}>
      <th scope="row"><span class="entry-name"><bdi>${h(a)}</bdi>${" "}
        <span class="quiet mono" title="The last characters of the token">…${c}</span></span>
        <span class="entry-more quiet"><span><bdi>${h(u)}</bdi> · ${S(l)}</span>
          <span>Used: <${Ae} time=${p} never="never" /></span>
          <span>Expires: <${Ee} token=${n} never="never" /></span></span></th>
      <td class="wide-only"><bdi>${h(u)}</bdi></td>
      <td class="wide-only">${S(l)}</td>
      <td class="wide-only"><${Ae} time=${p} /></td>
      <td class="wide-only"><${Ee} token=${n} /></td>
      <td class="entry-end">${(i===e.identity||C(e))&&o`<${Q} icon="remove" label=${`Delete ${h(a)}`}
          onClick=${()=>s(n)} />`}</td></tr>`})}</tbody></table>
  <p class="quiet settings-what">${w(t.length,"token","tokens")}</p>`,Ve=[["7","In 7 days"],["30","In 30 days"],["90","In 90 days"],["365","In a year"],["","Never"]],Xe=e=>e==="admin"?Object.keys(J):e==="viewer"?["viewer"]:["viewer",e];function Ze({who:e,onClose:t,onMade:s}){let n=Xe(e.role),[r,a]=d(""),[i,l]=d(n.includes("editor")?"editor":e.role),[c,p]=d("90"),[u,f]=d(""),[m,$]=d({}),[b,j]=d(!1),[y,A]=d(null),H=F(),Z=g=>{$(g),ye(H.current)},Re=async g=>{if(g.preventDefault(),!b){if(!r.trim())return Z({name:"Enter a name."});if([...r.trim()].length>Se)return Z({name:`A name can have at most ${Se} characters.`});j(!0),$({});try{let D={name:r.trim(),role:i,...u.trim()&&{identity:u.trim()},...c&&{expires_at:new Date(Date.now()+Number(c)*Ye).toISOString()}},ee=await k("POST","/api/tokens",{body:D});s(),A(ee)}catch(D){let ee=["name","identity"].includes(D.field)?D.field:/token name/i.test(D.message)?"name":"other";Z({[ee]:D.message})}finally{j(!1)}}};if(y)return o`<${et} token=${y} onClose=${t} />`;let G=g=>D=>{g(D),$({})};return o`<${I} label="New token" class="new-token ask" onClose=${t}><form
    ref=${H} onSubmit=${Re} novalidate>
    <${P} onClose=${t}>New token<//>
    <label for="token-name">Name</label>
    <input id="token-name" class="field" autocomplete="off" spellcheck=${!1} value=${r}
      placeholder="What it is for" onInput=${g=>G(a)(g.target.value)}
      aria-invalid=${!!m.name}
      aria-describedby=${m.name?"token-name-problem":void 0} />
    <${ne} id="token-name" text=${m.name} />
    <div class="token-choices"><div><span class="form-label">Role</span>
      <${W} label="Role" value=${i} onChange=${G(l)}
        options=${n.map(g=>[g,S(g)])} /></div>
    <div><span class="form-label">Expires</span>
      <${W} label="Expires" value=${c} onChange=${G(p)} options=${Ve} /></div>
    </div>
    <p class="hint">${S(i)}: ${me[i]}.${i==="viewer"&&C(e)&&" A new name has no links, so it sees none; an auditor sees those of all."}</p>
    ${C(e)&&o`<${R} id="token-identity" label="Acts for" text=${u} create=${!0}
        problem=${m.identity} onText=${G(f)}
        placeholder="Yourself"
        hint="A new name, such as ci, makes a service with links of its own." />`}
    <${ne} id="token-other" text=${m.other} />
    <div class="buttons"><button type="button" class="button" onClick=${t}>Cancel</button>
      <button class="button primary" aria-busy=${b}>Make token</button></div>
  </form><//>`}function et({token:{token:e,name:t},onClose:s}){let n=`The token ${h(t)}`;return T(()=>be(`Made the token ${t}. It is shown only now.`),[]),o`<${I} key="made" label=${n} class="new-token">
    <header class="dialog-title"><h2>${n}</h2></header>
    <div class="sharing-address">
      <input class="field mono" type="text" readonly aria-label="Token" value=${e}
        aria-describedby="token-once" onFocus=${r=>r.target.select()} />
      <${fe} text=${e} label="Copy the token" /></div>
    <p id="token-once" class="token-once"><b>It is shown only now.</b> Copy it to where it is
      needed. Whoever has it can do what it may.</p>
    <div class="buttons one"><button type="button" class="button primary" onClick=${s}>
      Done</button></div>
  <//>`}function tt({who:e,token:{id:t,name:s,identity:n},onClose:r,onDone:a}){let[i,l]=d(!1),[c,p]=d(""),u=async()=>{if(!i){l(!0);try{let f=n===e.identity?"":B;await k("DELETE",te(`/api/tokens/${encodeURIComponent(t)}`,f))}catch(f){if(f.status!==404)return l(!1),p(f.message)}q("Token deleted"),a()}};return o`<${I} label="Delete token" onClose=${r}>
    <${P} onClose=${r}>Delete ${h(s)}?<//>
    <p>Programs with this token are refused at once, and whoever signed in with it is signed out.
      This can't be undone.</p>
    ${c&&o`<p class="problem" role="alert">${c}</p>`}
    <div class="buttons"><button type="button" class="button" data-focus=${!0}
        onClick=${r}>Keep it</button>
      <button type="button" class="button danger" aria-busy=${i} onClick=${u}>
        Delete token</button></div>
  <//>`}var V=100,st=20,re=e=>`/api/users/${encodeURIComponent(e)}`;async function X({identity:e},t){ve(await k("PATCH",re(e),{body:t}))}async function ae(e){try{await e()}catch(t){q(`Not changed: ${t.message}`)}}var Ne=e=>(e??"").normalize("NFC").toLowerCase();function Le({who:e}){let t=O(we),[s,n]=d(null),[r,a]=d(0),[i,l]=d(""),[c,p]=d(V),[u,f]=d(null),m=F();T(()=>{let y=new AbortController;return n(null),oe({signal:y.signal}).catch(A=>N(A)||n(A)),()=>y.abort()},[r]);let $=Ne(i.trim()),b=(t??[]).filter(({identity:y,name:A})=>[y,A].some(H=>Ne(H).includes($))),j=()=>{f(null),requestAnimationFrame(()=>m.current?.focus())};return o`<section class="panel" aria-labelledby="people-title">
    <header class="panel-head"><h2 id="people-title" tabindex="-1" ref=${m}>People</h2>
      ${t?.length>=st&&o`<div class="search"><${he} name="search" /><input type="search" class="field"
          aria-label="Search people" placeholder="Search people" autocomplete="off"
          spellcheck=${!1} value=${i} onInput=${y=>{l(y.target.value),p(V)}} /></div>`}</header>
    <p class="quiet settings-what">People appear here when they first sign in, services when a token
      is made for them.</p>
    ${t?o`<${nt} who=${e} users=${b.slice(0,c)} onMenu=${f} />
        <p class="quiet settings-what" role="status">${$?w(b.length,"match","matches"):w(b.length,"user","users")}</p>
        ${b.length>c&&o`<p class="panel-more"><button type="button" class="text-button"
            onClick=${()=>p(c+V)}>
            Show ${K(Math.min(V,b.length-c))} more</button></p>`}`:s?o`<${L} title="Couldn't load the users" message=${s.message}
            onRetry=${()=>a(r+1)} />`:o`<div class="bars-bone" role="status" aria-label="Loading users"></div>`}
    ${t&&s&&o`<p class="problem" role="alert">${s.message}</p>`}
    ${u?.anchor&&o`<${at} who=${e} ...${u} onDelete=${y=>f({user:y})}
        onClose=${()=>f(null)} />`}
    ${u&&!u.anchor&&o`<${rt} who=${e} user=${u.user} onDone=${j}
        onClose=${()=>f(null)} />`}</section>`}var qe=({identity:e,email:t,name:s})=>e===z?"The tokens of the settings":t?s?e:"":"Service",Ie=({time:e,never:t})=>e?o`<time datetime=${e} title=${v(Date.parse(e))}>
        ${E(Date.parse(e),"long")}</time>`:t,nt=({who:e,users:t,onMenu:s})=>o`<table class="entries">
  <thead><tr><th scope="col">Who</th><th scope="col">Role</th>
    <th scope="col" class="wide-only">Last seen</th>
    <th scope="col" class="wide-only end">Links</th>
    <th scope="col" class="wide-only end">Tokens</th>
    <th><span class="unseen">Actions</span></th></tr></thead>
  <tbody>${t.map(n=>{let{identity:r,name:a,role:i,disabled:l,links:c,tokens:p,last_seen_at:u}=n,f=r===e.identity;return o`<tr key=${r} data-off=${l}>
      <th scope="row"><span class="entry-name"><bdi>${h(a||r)}</bdi>
        ${f&&o`${" "}<span class="badge">You</span>`}
        ${l&&o`${" "}<span class="state-badge">Disabled</span>`}</span>
        ${qe(n)&&o`<span class="entry-kind quiet"><bdi>${h(qe(n))}</bdi></span>`}
        <span class="entry-more quiet"><span>${w(c,"link","links")},${" "}
          ${w(p,"token","tokens")}</span>
          <span>Seen: <${Ie} time=${u} never="never" /></span></span></th>
      <td>${C(e)&&!f&&r!==z?o`<${W} label=${`Role of ${h(r)}`} value=${i}
            options=${Object.entries(J)} onChange=${m=>m!==i&&ot(n,m)} />`:S(i)}</td>
      <td class="wide-only"><${Ie} time=${u} never="Never" /></td>
      <td class="wide-only end">${K(c)}</td>
      <td class="wide-only end">${K(p)}</td>
      <td class="entry-end"><${Q} icon="more" label=${`Actions for ${h(r)}`}
        aria-haspopup="menu"
        onClick=${m=>s({user:n,anchor:m.currentTarget})} /></td></tr>`})}</tbody></table>`,ot=(e,t)=>ae(async()=>{await X(e,{role:t}),se(`${e.identity} is ${t==="viewer"?"a":"an"} ${t} now`,()=>X(e,{role:e.role}))});function at({who:e,user:t,anchor:s,onDelete:n,onClose:r}){let{identity:a,disabled:i}=t,l=a===e.identity,c=()=>ae(async()=>{await X(t,{disabled:!i}),se(i?`Enabled ${a}`:`Disabled ${a}, and ended all sessions`,()=>X(t,{disabled:!!i}))}),p=()=>ae(async()=>{await k("DELETE",`${re(a)}/sessions`),q(`Signed out ${a} everywhere`)}),u=[{icon:"forth",label:"Show links",onChoose:()=>U(x("/ui/",{owner:l?"":a}))},{icon:"forth",label:"Show in the audit",onChoose:()=>U(x("/ui/settings",{show:"audit",by:a}))},...C(e)&&!l?[null,{icon:"leave",label:"Sign out everywhere",onChoose:p},...a===z?[]:[{icon:i?"done":"pause",label:i?"Enable":"Disable",onChoose:c},{icon:"remove",label:"Delete",danger:!0,onChoose:()=>n(t)}]]:[]];return o`<${ge} anchor=${s} label=${`Actions for ${h(a)}`} items=${u}
    onClose=${r} />`}function rt({who:e,user:{identity:t,links:s,tokens:n},onClose:r,onDone:a}){let[i,l]=d(e.identity),[c,p]=d(""),[u,f]=d(!1);return o`<${I} label="Delete user" class="ask" onClose=${r}><form
    onSubmit=${async $=>{if($.preventDefault(),!u){if(s&&!i.trim())return p("Choose who gets the links.");f(!0);try{await k("DELETE",x(re(t),{move_to:s?i.trim():""}))}catch(b){if(b.status!==404)return f(!1),p(b.message)}oe().catch(()=>{}),q(`Deleted ${t}`),a()}}} novalidate>
    <${P} onClose=${r}>Delete ${h(t)}?<//>
    <p>${n?`${w(n,"token","tokens")} and all sessions end.`:""}
      ${!n&&"All sessions end."}
      ${" "}This can't be undone. Whom the sign-in still allows can come back, as somebody new.</p>
    ${s>0?o`<${R} id="move-to" label=${`Give ${w(s,"link","links")} to`}
          text=${i} except=${t} problem=${c} onText=${$=>{l($),p("")}} />`:c&&o`<p class="problem" role="alert">${c}</p>`}
    <div class="buttons"><button type="button" class="button" data-focus=${!0}
        onClick=${r}>Keep</button>
      <button class="button danger" aria-busy=${u}>Delete</button></div>
  </form><//>`}var it=[{name:"tokens",title:"Tokens",Section:_e,isFor:pe},{name:"people",title:"People",Section:Le,isFor:M},{name:"audit",title:"Audit",Section:Ce,isFor:M}];function as(){let e=O(ue),{query:t}=O(de),s=it.filter(({isFor:a})=>a(e)),n=s.find(({name:a})=>a===t.get("show"))??s[0];if(ie(()=>{document.title=`${n?.title??"Settings"} · terse`,scrollTo(0,0)},[n?.title]),!e.identity)return o`<${ke} />`;if(!n)return o`<main class="page" id="main"><div class="state"><h1>Settings</h1>
    <p>Whoever signed in with a token can't change any.</p>
    <a class="button" href=${_("/ui/")}>Back to links</a></div></main>`;let{Section:r}=n;return o`<main class="page settings" id="main">
    <header class="settings-head"><h1>Settings</h1>
      <nav class="tabs" aria-label="Settings">${s.map(({name:a,title:i},l)=>o`<a key=${a} class="tab"
        href=${_(x("/ui/settings",{show:l?a:""}))}
        aria-current=${a===n.name?"page":void 0}>${i}</a>`)}</nav></header>
    <${r} who=${e} query=${t} />
  </main>`}export{as as Settings};
