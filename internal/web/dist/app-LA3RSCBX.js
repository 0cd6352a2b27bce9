import{A as _e,B as me,C as Xe,D as et,E as tt,F as nt,G as ot,H as st,a as ie,b as qe,c as Ie,d as G,e as ze,f as Pe,g as Z,h as M,i as ye,j as Me,k as ve,l as Oe,m as He,n as ce,o as de,p as X,q as j,r as Ge,s as Ze,t as we,u as Ve,v as Ce,w as pe,x as Je,y as Le,z as fe}from"./chunk-G5XXJ47G.js";import{A as _,B as x,C as V,D as K,E as Qe,F as H,G as N,H as le,J,K as Ye,L as We,N as ue,a as Be,b as v,c as k,d as F,e as S,f as re,g as ae,h as g,j as D,k as E,m as Ne,p as Fe,s as O,t as ke,v as Ke,w as je,x as B,y as R,z as s}from"./chunk-IHNPMMYB.js";var he=100,A=ae(null),$e=new AbortController,Q=e=>A.set({...A.get(),...e});function xe(e){$e.abort(),A.set({lines:e.map(t=>({id:{},url:t,code:"",problem:""})),busy:!1,pause:0})}function rt(){$e.abort(),A.set(null)}function at(){$e.abort(),Q({busy:!1,pause:0})}async function it(e){let{signal:t}=$e=new AbortController;Q({busy:!0});for(let o of A.get().lines){if(t.aborted)return;if(!o.code&&!await Ct(o,e,t))break}t.aborted||Q({busy:!1})}async function Ct(e,t,o){let n=r=>{A.get()&&Q({lines:A.get().lines.map(i=>i.id===e.id?{...i,...r}:i)})};try{let r=await Lt(()=>G("POST","/api/urls",{body:{original_url:e.url}}),o);ce(r.short_code),me({...r,created_at:new Date().toISOString(),click_count:0}),n({code:r.short_code,problem:""})}catch(r){return Ie(r)?!1:(n({problem:t(r)}),r.status!==0)}return!0}async function Lt(e,t){for(;;)try{return await e()}catch(o){if(o.status!==429)throw o;t.throwIfAborted(),Q({pause:o.retryAfter??10}),await _t(1e3*A.get().pause,t),Q({pause:0})}}var _t=(e,t)=>new Promise((o,n)=>{let r=setTimeout(o,e);t.addEventListener("abort",()=>{clearTimeout(r),n(t.reason)})});var ct=8192,Se=20,xt=200,ge=ae({url:"",code:"",choosing:!1}),be=e=>ge.set({...ge.get(),...e});function Ee(e){return e=e.trim(),/^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?([/?#]|$)/i.test(e)?"http://"+e:/^[\p{L}\p{M}\p{N}_-]+(\.[\p{L}\p{M}\p{N}_-]+)+(:\d+)?([/?#]|$)/u.test(e)?"https://"+e:e}function lt(e){let t=e.trim().split(/\s+/).map(Ee);return t.length>1&&t.every(O)?t:[]}function ee(e){if(/\s/.test(e))return"A URL can't contain spaces: write them as %20. Put several URLs on separate lines.";let t=new TextEncoder().encode(e).length;if(t>ct)return`A URL can have at most ${D(ct)} bytes. This one has ${D(t)}.`;let[,o]=e.match(/^([a-z][a-z0-9+-]*):(?!\d)/i)??[];return o&&!/^https?$/i.test(o)?`Only http and https addresses can be shortened, not ${o.toLowerCase()}.`:""}function ut({status:e,message:t},o){return e===0?{field:"url",message:"Not created: can't reach the server. Your text is kept."}:e===409?{field:"code",message:`"${o}" is taken. Try another.`}:e!==400?{field:"url",message:t}:/reserved/i.test(t)?{field:"code",message:`"${o}" is reserved. Try another.`}:/short code/i.test(t)?{field:"code",message:"Use 3–20 letters, digits, - or _."}:/short link/i.test(t)?{field:"url",message:"That's already a short link on this server."}:/original.url/i.test(t)?{field:"url",message:"Enter a full web address, such as https://example.com/page."}:{field:"url",message:t}}async function dt(e,t){try{let o=[...e].slice(0,xt).join(""),{urls:n}=await G("GET",X("/api/urls",{search:o,limit:20}),{signal:t});return n.filter(r=>r.original_url===e).map(r=>r.short_code)}catch{return[]}}function St(e){let[t,o]=v({url:"",code:""});return k(()=>{if(!O(e)||ee(e))return;let n=new AbortController,r=setTimeout(async()=>{let[i=""]=await dt(e,n.signal);n.signal.aborted||o({url:e,code:i})},200);return()=>{clearTimeout(r),n.abort()}},[e]),t.url===e?t.code:""}var te=()=>document.getElementById("create-url")?.focus();function pt({onQR:e}){let{url:t,code:o,choosing:n}=g(ge),r=g(A),[i,c]=v(null),[a,f]=v(null),[d,h]=v(!1),p=S(),l=St(Ee(t)),b=(u,w)=>{f(null),c({field:u,message:w}),u==="code"&&p.current?.focus()},C=(u,w)=>{let U=lt(u);if(c(null),U.length>he)b("url",`That's ${D(U.length)} URLs. At most ${he} can be shortened at a time.`);else if(U.length)xe(U);else if(w&&/\s/.test(u.trim())){let P=u.trim().replace(/\s+/g," ");document.execCommand("insertText",!1,P),b("url",ee(u.trim()))}else if(!w&&/^https?:\/\//i.test(u.trim())&&O(u))be({url:u.trim().replace(/\s+/g," ")}),ee(u.trim())&&b("url",ee(u.trim())),te();else return!1;return!0},m=(u,w)=>C(w.getData("text"),!0)&&u.preventDefault();k(()=>{let u=w=>{w.target.closest?.("input, textarea, dialog")||document.querySelector("dialog[open]")||C(w.clipboardData.getData("text"),!1)&&w.preventDefault()};return addEventListener("paste",u),()=>removeEventListener("paste",u)},[]);let $=async u=>{if(u.preventDefault(),d)return;if(!t.trim())return te();let w=lt(t);if(w.length&&w.length<=he)return xe(w),be({url:""});let U={original_url:Ee(t)},P=n?o.trim():"",Ue=ee(U.original_url);if(Ue)return b("url",Ue);if(P.length>Se)return p.current?.focus();h(!0),c(null),P&&(U.short_code=P);let De=G("POST","/api/urls",{body:U}),kt=V(De.then(T=>B(T.short_code))).catch(()=>!1),wt=l||dt(U.original_url,AbortSignal.timeout(5e3));try{let T=await De;ce(T.short_code),ge.set({url:"",code:"",choosing:!1}),me({...T,created_at:new Date().toISOString(),click_count:0}),scrollTo(0,0);let oe=await kt;f({...T,copied:oe}),N(`${R}/${T.short_code} ${oe?"copied":"created"}`),te();let se=l||(await wt).find(W=>W!==T.short_code);se&&f(W=>W?.short_code===T.short_code?{...W,existing:se}:W)}catch(T){let{field:oe,message:se}=ut(T,P);b(P?oe:"url",se)}finally{h(!1)}},q=()=>{be({choosing:!n,code:""}),c(null),n||requestAnimationFrame(()=>p.current?.focus())},ne=u=>{be(u),c(null),a&&f(null)},L=n&&o.trim().length>Se?{field:"code",message:`At most ${Se} characters.`}:i,y=u=>L?.field===u?"create-problem":void 0,z=l||a?.existing;return s`<form class="create" onSubmit=${$} aria-label="Shorten a URL">
    <div class="create-line">
      <input id="create-url" class="field mono" type="text" inputmode="url" autocomplete="off"
        autocapitalize="off" spellcheck=${!1} aria-label="Long URL"
        placeholder="Paste a long URL" value=${t} onInput=${u=>ne({url:u.target.value})}
        onPaste=${u=>m(u,u.clipboardData)} onDrop=${u=>m(u,u.dataTransfer)}
        onKeyDown=${u=>u.key==="Escape"&&u.target.blur()}
        aria-invalid=${L?.field==="url"} aria-describedby=${y("url")} />
      <button class="button primary" aria-busy=${d}>Shorten</button>
    </div>
    <div class="create-more">
      ${n?s`<span class="code-field" data-invalid=${L?.field==="code"}>
            <span class="quiet mono">${R}/</span>
            <input ref=${p} class="mono" aria-label="Short code" placeholder="my-link"
            autocomplete="off" autocapitalize="off" spellcheck=${!1}
            value=${o} onInput=${u=>ne({code:u.target.value})}
            aria-invalid=${L?.field==="code"} aria-describedby=${y("code")} />
            <${x} icon="close" label="Use a random code" onClick=${q} /></span>`:s`<button type="button" class="text-button" onClick=${q}>Custom code</button>`}
      ${L&&s`<p id="create-problem" class="problem" role="alert">${L.message}</p>`}
      ${z&&s`<${Et} code=${z} isOld=${!!a} />`}
      ${a&&s`<p class="made"><${_} name="done" />
        <a class="mono" href=${`/ui/links/${a.short_code}`}>${R}/${a.short_code}</a>
        <span class="quiet">${a.copied?"Copied":"Created"}</span>
        ${!a.copied&&s`<${K} text=${B(a.short_code)} label="Copy the short URL" />`}
        <${x} icon="qr" label="QR code for the new link"
          onClick=${()=>e(a.short_code)} /></p>`}
    </div>
    ${r&&s`<${Tt} batch=${r} />`}
  </form>`}function Et({code:e,isOld:t}){let o=`${R}/${e}`;k(()=>N(`You already ${t?"had":"have"} ${o} for this URL`),[e]);let n=s`<a class="mono" href=${`/ui/links/${e}`}>${o}</a>`;return s`<p class="known">You already ${t?"had":"have"} ${n} for this URL
    <${K} text=${B(e)} label=${`Copy ${o} instead`} /></p>`}async function Rt(e){H(await V(e.map(t=>B(t.code)).join(`
`))?`Copied ${E(e.length,"short URL","short URLs")}`:"Couldn't copy")}function Tt({batch:{lines:e,busy:t,pause:o}}){let n=e.filter(p=>p.code),r=e.length-n.length,i=()=>it(p=>ut(p).message),c=S();k(()=>{(document.activeElement===document.body||!t&&!n.length)&&c.current.querySelector(".batch-end button:last-of-type").focus()},[t]);let a=E(r,"URL","URLs"),d=n.length>0||e.some(p=>p.problem)?`Try ${a} again`:`Shorten ${a}`,h="";return o?h=`Too many requests. Continuing in ${o} s.`:(n.length||t)&&(h=`${D(n.length)} of ${E(e.length,"URL","URLs")} shortened`),s`<section ref=${c} class="batch" aria-label="Several URLs">
    <ol>${e.map(({url:p,code:l,problem:b},C)=>s`<li key=${C}><${J} url=${p} />
      ${l&&s`<span class="batch-result">
        <a class="mono" href=${`/ui/links/${l}`}>${R}/${l}</a>
        <${K} text=${B(l)} label=${`Copy ${R}/${l}`} /></span>`}
      ${b&&s`<span class="problem">${b}</span>`}</li>`)}</ol>
    <div class="batch-end"><p class="quiet" role="status">${h}</p>
      ${t?s`<button type="button" class="button" onClick=${at}>Stop</button>`:s`<button type="button" class="button" onClick=${rt}>
          ${n.length?"Close":"Cancel"}</button>
        ${n.length>0&&s`<button type="button" class="button" onClick=${()=>Rt(n)}>
          ${`Copy ${E(n.length,"short URL","short URLs")}`}</button>`}
        ${r>0&&s`<button type="button" class="button primary" onClick=${i}>${d}</button>`}`}</div>
  </section>`}var At=matchMedia("(max-width: 720px)"),Re=matchMedia("(hover: none), (pointer: coarse), (max-width: 720px)"),Ut=()=>At.matches?68:48,ft=4,Te=56,mt=[["newest","Newest"],["oldest","Oldest"],["clicks","Most clicks"]],ht=200;async function $t({short_code:e}){H(await V(B(e))?`Copied ${R}/${e}`:"Couldn't copy")}function Ae(e){Me(e)?N(`Deleted ${e.short_code}. Press Z to undo.`):H("Too many deletes at once. Wait ten seconds.")}function bt(){let{query:e}=g(de),t=g(we),o=g(Z),n=g(M),[r,i]=v(null),c=[...e.get("search")??""].slice(0,ht).join("").trim(),a=mt.some(([m])=>m===e.get("sort"))?e.get("sort"):"newest",f=t.loaded&&t.search===c&&t.sort===a,d=re(()=>{let m=new Set(t.pinned.map($=>$.short_code));return[...t.pinned,...t.rows.filter($=>!m.has($.short_code))].filter($=>!ye($.short_code))},[t.rows,t.pinned,o,n]),h=t.total-t.rows.filter(m=>ye(m.short_code)).length,[p,l]=Dt(d,f?pe.code:"");F(()=>{document.title="Links · terse",scrollTo(0,Ce.y);let m=()=>{Ce.y=scrollY};return addEventListener("scroll",m,{passive:!0}),()=>removeEventListener("scroll",m)},[]),Bt(_e),F(()=>{f?_e():Je(c,a),f||l(-1),pe.href=X("/ui/",{search:c,sort:a==="newest"?"":a})},[c,a]),k(()=>ie.watch(m=>m==="up"&&we.get().phase==="error"&&fe()),[]);let b=m=>{d.length&&l(Math.min(d.length-1,Math.max(0,p+m)))},C=m=>$=>d[p]?$.repeat||m(d[p]):!1;return ue({n:te,"/":()=>document.getElementById("search").focus(),j:()=>b(1),k:()=>b(-1),c:C(m=>$t(m)),q:C(m=>i({kind:"qr",link:m})),Delete:C(Ae),Escape:()=>{document.activeElement.blur(),l(-1)}}),s`<main class="page" id="main">
    <h1 class="unseen">Links</h1>
    <${pt} onQR=${m=>i({kind:"qr",link:{short_code:m}})} />
    <${qt} search=${c} sort=${a} state=${t} total=${h} />
    <${zt} state=${t} rows=${d} search=${c} active=${p} setActive=${l}
      onDialog=${i} />
    ${r?.kind==="qr"&&s`<${ot} code=${r.link.short_code} onClose=${()=>i(null)} />`}
    ${r?.kind==="actions"&&s`<${Ft} link=${r.link} onDialog=${i} />`}
  </main>`}function Dt(e,t){let[{index:o,code:n},r]=v(()=>({index:e.findIndex(a=>a.short_code===t),code:t})),i=re(()=>{if(o<0||e[o]?.short_code===n)return o;let a=e.findIndex(f=>f.short_code===n);return a<0?o:a},[e,o,n]),c=a=>r(f=>{let d={index:a,code:e[a]?.short_code??""};return f.index===d.index&&f.code===d.code?f:d});return F(()=>c(i),[i,e]),[i,c]}function Bt(e){k(()=>{let t=!1,o=()=>{t=!0},n=()=>{document.hidden?o():t&&(t=!1,e())};return addEventListener("blur",o),addEventListener("focus",n),document.addEventListener("visibilitychange",n),()=>{removeEventListener("blur",o),removeEventListener("focus",n),document.removeEventListener("visibilitychange",n)}},[])}function qt({search:e,sort:t,state:o,total:n}){let[r,i]=v(e),c=S(e);k(()=>{e!==c.current&&i(e),c.current=e},[e]);let a=(l,b={sort:t==="newest"?"":t})=>{c.current=[...l].slice(0,ht).join("").trim(),j(X("/ui/",{search:c.current,...b}),{replace:!0})},f=l=>{i(l),a(l)},d=l=>{l.key==="Escape"&&(l.preventDefault(),r?f(""):l.target.blur())},h=l=>a(r,{sort:l.target.value==="newest"?"":l.target.value}),p=o.isLowerBound?`${D(n)}+ matches`:e?E(n,"match","matches"):E(n,"link","links");return s`<div class="toolbar" role="search">
    <div class="search"><${_} name="search" />
      <input id="search" type="search" class="field" aria-label="Search links"
        placeholder="Search links" autocomplete="off" spellcheck=${!1}
        value=${r} onInput=${l=>f(l.target.value)} onKeyDown=${d} />
      <kbd aria-hidden="true">/</kbd></div>
    <label class="sort"><span class="unseen">Sort</span>
      <select class="field" value=${t} onChange=${h}>
        ${mt.map(([l,b])=>s`<option value=${l}>${b}</option>`)}</select>
    </label>
    <p class="amount" role="status">${o.loaded?p:""}</p>
  </div>`}function It(e,t){let o=()=>{let i=Ut(),c=Re.matches,a=e.current?-e.current.getBoundingClientRect().top:0,f=Math.max(0,Math.floor(a/i)-ft);return{height:i,bySheet:c,first:f-f%4,size:Math.ceil(innerHeight/i)+2*ft+4}},[n,r]=v(o);return k(()=>{let i=()=>r(c=>{let a=o();return a.first===c.first&&a.size===c.size&&a.height===c.height&&a.bySheet===c.bySheet?c:a});return e.current&&i(),addEventListener("scroll",i,{passive:!0}),addEventListener("resize",i),Re.addEventListener("change",i),()=>{Re.removeEventListener("change",i),removeEventListener("scroll",i),removeEventListener("resize",i)}},[t===0]),n}function zt({state:e,rows:t,search:o,active:n,setActive:r,onDialog:i}){let c=S(),{height:a,bySheet:f,first:d,size:h}=It(c,t.length),p=Math.min(t.length,d+h);k(()=>{e.phase==="ready"&&p>t.length-40&&Le()},[p,t.length,e.phase]),Pt(c,t,a);let l=g(Ge);k(()=>Ze(t.slice(d,p)),[d,p,t,l]);let b=S({active:n,code:""});F(()=>{let I=t[n]?.short_code,L=b.current.active!==n,y=b.current.code===I;if(b.current={active:n,code:I},y||n<0||!c.current||c.current.querySelector(":focus")?.closest(`[data-index="${n}"]`)||!L&&document.activeElement!==document.body)return;let z=c.current.getBoundingClientRect().top+n*a;z<Te?scrollBy(0,z-Te-8):z+a>innerHeight&&scrollBy(0,z+a-innerHeight+8),c.current.querySelector(`[data-index="${n}"] .row-link`)?.focus({preventScroll:!0})},[n,t[n]?.short_code]);let{pinned:C,fresh:m}=e,$=n>=0&&n<t.length&&(n<d||n>=p)?n:-1,q=e.next?-1:t.length,ne=re(()=>{let I=y=>s`<${Mt} key=${t[y].short_code} link=${t[y]} index=${y}
      top=${y*a} size=${q} flash=${t[y].short_code===m}
      isPinned=${C.includes(t[y])} bySheet=${f}
      shape=${t[y].click_count>0&&l.get(t[y].short_code)} onFocus=${r}
      onDialog=${i} />`,L=[];$>=0&&$<d&&L.push(I($));for(let y=d;y<p;y++)L.push(I(y));return $>=p&&L.push(I($)),L},[t,d,p,$,a,f,q,m,l]);return!e.loaded&&e.phase==="error"?s`<${Ye} title="Couldn't load links"
    message=${e.error.message} onRetry=${fe} />`:e.loaded?t.length===0&&e.phase==="ready"?o?s`<${Nt} search=${o} />`:s`<${Ht} />`:s`<${gt} />
    <ul class="rows" ref=${c} aria-label="Links" style=${{height:`${t.length*a}px`}}
      aria-busy=${e.phase==="loading"}>
      ${ne}
    </ul>
    <${Ot} state=${e} search=${o} />`:s`<${yt} rows=${8} />`}function Pt(e,t,o){let n=S({index:-1,code:""});F(()=>{let{index:r,code:i}=n.current;if(r<=0||!e.current||t[r]?.short_code===i)return;let c=t.findIndex(a=>a.short_code===i);c>=0&&scrollBy(0,(c-r)*o)},[t]),k(()=>{let r=()=>{let i=e.current?Math.ceil((Te-e.current.getBoundingClientRect().top)/o):-1;n.current={index:i,code:t[i]?.short_code}};return r(),addEventListener("scroll",r,{passive:!0}),()=>removeEventListener("scroll",r)},[t,o])}var gt=()=>s`<div class="row-head" aria-hidden="true"><span>Link</span>
  <span>Destination</span><span class="end">Created</span>
  <span title="Clicks a day, each link to its own scale">Last 30 days</span>
  <span class="end">Clicks</span></div>`;function Mt({link:e,index:t,top:o,size:n,flash:r,isPinned:i,bySheet:c,shape:a,onFocus:f,onDialog:d}){let{short_code:h,original_url:p}=e,l=O(p),b=$=>{et();let q=$.currentTarget.querySelector(".row-link");q.title=`${ke(p)}
${Ne(new Date(e.created_at))}`},C=()=>d({kind:"actions",link:e}),m=$=>{$.pointerType==="touch"&&($.preventDefault(),$.stopPropagation(),C())};return s`<li class="row" data-index=${t} data-flash=${r} style=${{top:`${o}px`}}
    aria-setsize=${n} aria-posinset=${t+1} onFocusIn=${()=>f(t)}
    onPointerEnter=${b}>
    <span class="row-code"><a class="row-link mono" href=${`/ui/links/${h}`}
      aria-label=${`View ${h}`} onClick=${()=>{pe.code=h}}>${h}</a>
      <${K} text=${B(h)} label=${`Copy ${R}/${h}`} />
      ${i&&s`<span class="badge">New</span>`}</span>
    <span class="row-url"><${J} url=${p} /></span>
    ${c?s`<${x} icon="more" class="row-more" label=${`Actions for ${h}`}
        onClick=${C} />`:s`<span class="row-actions" onClickCapture=${m}>
        <${x} icon="qr" label=${`QR code for ${h}`}
          onClick=${()=>d({kind:"qr",link:e})} />
        ${l&&s`<a class="icon-button" href=${l.href} target="_blank"
          rel="noreferrer noopener" aria-label=${`Open destination of ${h}`}
          title="Open destination"><${_} name="open" /></a>`}
        <${x} icon="remove" label=${`Delete ${h}`} onClick=${()=>Ae(e)} />
      </span>`}
    <time class="row-time quiet" datetime=${e.created_at}>
      ${Fe(new Date(e.created_at))}</time>
    ${a&&s`<svg class="row-recent" viewBox="0 0 90 20" aria-hidden="true">
      <path d=${a} /></svg>`}
    <span class="row-clicks"><span class="unseen">clicks: </span>${D(e.click_count)}</span>
  </li>`}function Ot({state:e,search:t}){return e.phase==="error"?s`<div class="foot" role="alert">
    <p>${e.error.message}</p><button type="button" class="button"
      onClick=${fe}>Try again</button></div>`:e.phase==="paused"?s`<div class="foot">
    <p>${e.rows.length?"No more matches so far.":"No matches yet."}</p>
    <button type="button" class="button" onClick=${Le}>Keep searching</button></div>`:Ve(e)&&e.next?s`<div class="foot">
    <p>Showing the first ${D(e.rows.length)}. Search or sort to find others.</p></div>`:e.next||e.phase==="more"?s`<${yt}
    rows=${t&&!e.rows.length?8:3} bare=${!0} />`:null}var yt=({rows:e,bare:t})=>s`${!t&&s`<${gt} />`}
  <div class="rows-skeleton" role="status" aria-label="Loading links">
  ${Array.from({length:e},(o,n)=>s`<div class="row" key=${n}><i class="bone" data-size=${n%3} />
      <i class="bone wide" data-size=${(n+1)%3} /><i class="bone small" /></div>`)}
</div>`,Ht=()=>s`<div class="state"><h2>No links yet</h2>
  <p>Paste a long URL above and press Enter. Or from a terminal:</p>
  <${We} line=${`curl -H "Authorization: Bearer $TERSE_TOKEN" -d '{"original_url":"https://example.com/"}' ${location.origin}/api/urls`} /></div>`,Nt=({search:e})=>s`<div class="state"><h2>No matches for "${ke(e)}"</h2>
  <button type="button" class="button" onClick=${()=>{j("/ui/",{replace:!0}),document.getElementById("search").focus()}}>Clear search</button></div>`;function Ft({link:e,onDialog:t}){let{short_code:o,original_url:n}=e,r=()=>t(null),i=O(n);return s`<${le} label=${`Actions for ${o}`} class="sheet" onClose=${r}>
    <p class="sheet-title"><b class="mono">${R}/${o}</b>
      <span><${J} url=${n} /></span></p>
    <button type="button" class="sheet-item" onClick=${()=>$t(e).then(r)}>
      <${_} name="copy" />Copy link</button>
    <button type="button" class="sheet-item" onClick=${()=>t({kind:"qr",link:e})}>
      <${_} name="qr" />QR code</button>
    ${i&&s`<a class="sheet-item" href=${i.href} target="_blank"
      rel="noreferrer noopener" onClick=${r}><${_} name="open" />Open destination</a>`}
    <button type="button" class="sheet-item danger" onClick=${()=>{r(),Ae(e)}}>
      <${_} name="remove" />Delete</button>
    <button type="button" class="sheet-item" onClick=${r}>
      <${_} name="close" />Cancel</button>
  <//>`}function Kt(){let{path:e}=g(de),t=g(qe),[o,n]=v(!1),r=g(Z);return ue({"?":()=>n(!0),n:()=>{j("/ui/"),requestAnimationFrame(()=>document.getElementById("create-url")?.focus())},"/":()=>{j("/ui/"),requestAnimationFrame(()=>document.getElementById("search")?.focus())},z:()=>r.length?ve():!1}),jt(e),t==="left"?s`<${vt} />`:s`<a class="skip" href="#main">Skip to content</a>
    <${Yt} path=${e} onHelp=${()=>n(!0)} />
    <${Zt} />
    ${Ke&&s`<aside class="notice" aria-label="Notice">
      Short links start with ${je}, the address of this page. Set BASE_URL to your public
      address.</aside>`}
    <${Qt} path=${e} />
    <${Vt} />
    ${o&&s`<${st} onClose=${()=>n(!1)} />`}
    ${t==="out"&&s`<${vt} />`}
    <p id="said" class="unseen" role="status"></p>`}function jt(e){let t=S(e),o=g(Xe);k(()=>{let n=document.querySelector("#main h1");t.current===e||!n||(t.current=e,N(document.title.replace(/ · terse$/,"")),document.activeElement===document.body&&(n.tabIndex=-1,n.focus({preventScroll:!0})))},[e,o])}function Qt({path:e}){if(e==="/ui/")return s`<${bt} />`;if(e==="/ui/overview")return s`<${nt} />`;let[,t]=e.match(/^\/ui\/links\/([A-Za-z0-9_-]{3,20})$/)??[];return t?s`<${tt} key=${t} code=${t} />`:s`<main class="page" id="main"><div class="state"><h1>Page not found</h1>
    <p>Check the address.</p><a class="button" href="/ui/">Back to links</a></div></main>`}var Yt=({path:e,onHelp:t})=>s`<header class="top"><div class="top-inner">
  <a class="brand" href="/ui/">terse</a>
  <nav aria-label="Pages">
    <a href="/ui/" aria-current=${e==="/ui/"?"page":e.startsWith("/ui/links/")?"true":void 0}>Links</a>
    <a href="/ui/overview" aria-current=${e==="/ui/overview"?"page":void 0}>Overview</a>
  </nav>
  <div class="top-end"><${x} icon="help" label="Keyboard shortcuts" onClick=${t} />
    <${Gt} />
    <${x} icon="leave" label="Sign out" onClick=${Wt} /></div>
</div></header>`;async function Wt(){try{let e=M.get();if(await He(),M.get()!==e)return;await Pe(),location.assign("/ui/")}catch(e){H(`Couldn't sign out: ${e.message}`)}}var Y=["system","light","dark"];function Gt(){let[e,t]=v(document.documentElement.dataset.theme??"system"),o=()=>{let n=Y[(Y.indexOf(e)+1)%Y.length];t(n),n==="system"?delete document.documentElement.dataset.theme:document.documentElement.dataset.theme=n;try{localStorage.setItem("terse-theme",n)}catch{}};return s`<${x} icon=${e}
    label=${`Theme: ${e} (click for ${Y[(Y.indexOf(e)+1)%Y.length]})`}
    onClick=${o} />`}function Zt(){let e=g(ie);return e==="up"?null:s`<div class="away" role="alert"><${_} name="alert" />
    ${e==="offline"?"You're offline. We'll reconnect when you're back.":"Can't reach the server. Retrying…"}</div>`}function Vt(){let e=g(Z),t=g(M),o=g(Qe);return s`<div class="toasts" role="region" aria-label="Messages">
    ${o&&s`<div class="toast">${o}</div>`}
    ${t&&s`<div class="toast" role="alert">Couldn't delete ${t.codes.length===1?t.codes[0]:E(t.codes.length,"link","links")}: ${t.message}
      <${x} icon="close" label="Close" onClick=${()=>M.set(null)} /></div>`}
    ${e.length>0&&s`<${Jt} links=${e} />`}
  </div>`}function Jt({links:e}){if(e.length>1)return s`<div class="toast">
    <span>${E(e.length,"link","links")} deleted</span>
    <button type="button" class="text-button" onClick=${Oe}>Undo all</button></div>`;let[{short_code:t}]=e;return s`<div class="toast"><span>Deleted <b class="mono">${t}</b></span>
    <button type="button" class="text-button" aria-label=${`Undo deleting ${t}`}
      onClick=${ve}>Undo</button></div>`}function vt(){let[e,t]=v(""),[o,n]=v(""),[r,i]=v(!1),c=S();return k(()=>c.current.focus(),[]),s`<${le} label="Sign in" class="sign-in"><form onSubmit=${async f=>{if(f.preventDefault(),!r){i(!0),n("");try{await ze(e.trim())}catch(d){n(d.status===401||d.status===400?"That token isn't valid.":d.message),c.current?.select()}finally{i(!1)}}}}>
    <p class="brand">terse</p><h2>Sign in</h2>
    <input class="unseen" type="text" name="username" autocomplete="username" value="terse" readonly
      tabindex="-1" aria-hidden="true" />
    <label for="token">Access token</label>
    <input id="token" ref=${c} class="field mono" type="password"
      autocomplete="current-password" required value=${e}
      onInput=${f=>{t(f.target.value),n("")}}
      aria-invalid=${!!o}
      aria-describedby=${o?"token-problem":"token-hint"} />
    ${o?s`<p id="token-problem" class="problem" role="alert">${o}</p>`:s`<p id="token-hint" class="hint">
        The token printed when the server first started, or one from AUTH_TOKENS. Lost it?
        Run <code class="mono">terse token</code>.</p>`}
    <button class="button primary" aria-busy=${r}>Sign in</button>
  </form><//>`}Be(s`<${Kt} />`,document.getElementById("app"));
