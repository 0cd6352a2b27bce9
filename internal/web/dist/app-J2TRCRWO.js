import{a as re,b as Ct,c as ze,d as me,e as xt}from"./chunk-HU3G67K4.js";import{a as Lt,c as _t,d as St,e as Et,f as Rt,g as Tt,h as At,i as _e,j as Ut,k as Bt,l as Ot}from"./chunk-HDP33XUB.js";import{e as $e,f as Ie,g as Pe,h as se,i as wt,j as Me}from"./chunk-DH55P5DA.js";import{a as ue,b as W,c as ge,d as at,e as Te,f as it,g as ct,h as be}from"./chunk-H7DWALJJ.js";import{a as ht,b as gt,c as Ae,d as bt,e as Ue,f as pe,g as vt,h as kt,i as Ce,j as xe,k as Be,l as Le,o as Oe,p as De,q as yt}from"./chunk-ILAACGSP.js";import{a as he,b as ot,c as nt,d as le,g as st,h as rt}from"./chunk-6QSJZ27G.js";import{a as ne,b as we,c as F}from"./chunk-HAJHQ5YN.js";import{A,B as s,C as w,D as U,E as de,F as te,G as $t,H as Z,I as ve,K as V,L as ke,N as oe,O as mt,P as ft,R as ye,a as tt,b as g,c as b,d as Y,e as T,f as ee,g as fe,h,j as D,k as I,m as lt,p as ut,u as G,v as q,x as dt,y as pt,z}from"./chunk-M7NGA6HC.js";var Se=1e3,H=fe(null),Fe=new AbortController,ae=e=>H.get()&&H.set({...H.get(),...e});function He(e){Fe.abort(),H.set({lines:e.map(t=>({url:t,code:"",problem:""})),busy:!1,pause:0})}function Ne(){Fe.abort(),H.set(null)}async function Dt(e){let{signal:t}=Fe=new AbortController,{lines:o}=H.get(),n=o.filter(a=>!a.code);ae({busy:!0});try{let a=n.map(({url:c})=>({op:"create",link:{original_url:c}})),{results:r}=await ro(()=>le("POST","/api/bulk",{body:{operations:a}}),t);if(t.aborted)return;let i=new Map(n.map((c,d)=>[c,r[d]]));ae({lines:o.map(c=>no(c,i.get(c),e))});for(let{link:c}of r)c&&so(c)}catch(a){if(nt(a))return;ae({lines:o.map(r=>r.code?r:{...r,problem:e(a)})})}ae({busy:!1,pause:0})}function no(e,t,o){return t?t.link?{...e,code:t.link.short_code,problem:""}:{...e,problem:o({status:t.status,message:t.error})}:e}function so(e){be(e.short_code),Le({created_at:new Date().toISOString(),click_count:0,...e})}async function ro(e,t){for(;;)try{return await e()}catch(o){if(o.status!==429)throw o;t.throwIfAborted(),ae({pause:o.retryAfter??10}),await ao(1e3*H.get().pause,t),ae({pause:0})}}var ao=(e,t)=>new Promise((o,n)=>{let a=setTimeout(o,e);t.addEventListener("abort",()=>{clearTimeout(a),n(t.reason)})});var je=20,io=200,Pt={url:"",code:"",choosing:!1,options:null},Ee=fe(Pt),N=e=>Ee.set({...Ee.get(),...e}),Mt=async e=>({...(await _e()).draftOf(e)});async function co(){let{path:e,query:t}=ne.get(),o=t.get("url")?.trim(),n=t.get("title")?.trim();if(e!=="/ui/"||!(o||n))return;N({url:o??""}),F("/ui/",{replace:!0}),ie();let a=await Mt({title:[...n??""].slice(0,200).join("")});N({options:a})}function zt({status:e,message:t},o){return e===0?{field:"url",message:"Not created: can't reach the server. Your text is kept."}:e===409?{field:"code",message:`"${o}" is taken. Try another.`}:e!==400?{field:"url",message:t}:/reserved/i.test(t)?{field:"code",message:`"${o}" is reserved. Try another.`}:/short code/i.test(t)?{field:"code",message:"Use 3–20 letters, digits, - or _."}:/short link/i.test(t)?{field:"url",message:Me}:/original.url/i.test(t)?{field:"url",message:wt}:{field:"url",message:t}}async function Ft(e,t){try{let o=[...e].slice(0,io).join(""),{urls:n}=await le("GET",we("/api/urls",{search:o,limit:20}),{signal:t});return n.filter(a=>a.original_url===e).map(a=>a.short_code)}catch{return[]}}function lo(e){let[t,o]=g({url:"",code:""});return b(()=>{if(!G(e)||se(e))return;let n=new AbortController,a=setTimeout(async()=>{let[r=""]=await Ft(e,n.signal);n.signal.aborted||o({url:e,code:r})},200);return()=>{clearTimeout(a),n.abort()}},[e]),t.url===e?t.code:""}var It=()=>requestAnimationFrame(()=>requestAnimationFrame(()=>document.querySelector('.create-options [aria-invalid="true"]')?.focus())),ie=()=>document.getElementById("create-url")?.focus();function Ht({onQR:e}){let{url:t,code:o,choosing:n,options:a}=h(Ee),[r,i]=g({}),c=h(H),[d,$]=g(null),[l,m]=g(null),[y,S]=g(!1),f=T(),E=lo(Ie(t)),C=(u,L)=>{m(null),$({field:u,message:L}),u==="code"&&f.current?.focus()},B=(u,L)=>{let P=Pe(u);if($(null),P.length>Se)C("url",`That's ${D(P.length)} URLs. At most ${D(Se)} can be shortened at a time.`);else if(P.length)He(P);else if(L&&/\s/.test(u.trim())){let K=u.trim().replace(/\s+/g," ");document.execCommand("insertText",!1,K),C("url",se(u.trim()))}else if(!L&&/^https?:\/\//i.test(u.trim())&&G(u))N({url:u.trim().replace(/\s+/g," ")}),se(u.trim())&&C("url",se(u.trim())),ie();else return!1;return!0},p=(u,L)=>B(L.getData("text"),!0)&&u.preventDefault();b(()=>{co().catch(()=>{})},[]),b(()=>{let u=L=>{L.target.closest?.("input, textarea, dialog")||document.querySelector("dialog[open]")||B(L.clipboardData.getData("text"),!1)&&L.preventDefault()};return addEventListener("paste",u),()=>removeEventListener("paste",u)},[]);let k=async u=>{if(u.preventDefault(),y)return;if(!t.trim())return ie();let L=Pe(t);if(L.length&&L.length<=Se)return He(L),N({url:""});let P={original_url:Ie(t)},K=n?o.trim():"",Ve=se(P.original_url);if(Ve)return C("url",Ve);if(K.length>je)return f.current?.focus();if(a){let{fieldsOf:_,problemsOf:X}=await _e(),Q={...a,original_url:t},{original_url:M,...Xe}=X(Q);if(i(Xe),Object.keys(Xe).length)return It();for(let[oo,et]of Object.entries(_(Q)))et!==null&&(P[oo]=et)}S(!0),$(null),K&&(P.short_code=K);let Je=le("POST","/api/urls",{body:P}),eo=de(Je.then(_=>z(_.short_code))).catch(()=>!1),to=E||Ft(P.original_url,AbortSignal.timeout(5e3));try{let _=await Je;be(_.short_code),Ee.set(Pt),Le({..._,created_at:new Date().toISOString(),click_count:0}),scrollTo(0,0);let X=await eo;m({..._,copied:X}),V(`${A}/${_.short_code} ${X?"copied":"created"}`),ie();let Q=E||(await to).find(M=>M!==_.short_code);Q&&m(M=>M?.short_code===_.short_code?{...M,existing:Q}:M)}catch(_){let{field:X,message:Q}=zt(_,K),M=a&&_.status===400&&(await _e()).where(_.message);M&&M!=="original_url"?(i({[M]:/short link/i.test(_.message)?Me:_.message}),It()):C(K?X:"url",Q)}finally{S(!1)}},j=()=>{N({choosing:!n,code:""}),$(null),n||requestAnimationFrame(()=>f.current?.focus())},J=u=>{N(u),$(null),l&&m(null)},v=async()=>{if(i({}),a)return N({options:null});N({options:await Mt({})}),requestAnimationFrame(()=>document.getElementById("new-title")?.focus())},R=({original_url:u,...L})=>{i({}),N({url:u,options:L})},O=n&&o.trim().length>je?{field:"code",message:`At most ${je} characters.`}:d,Ge=u=>O?.field===u?"create-problem":void 0,Ze=E||l?.existing;return s`<form class="create" onSubmit=${k} aria-label="Shorten a URL">
    <div class="create-line">
      <input id="create-url" class="field mono" type="text" inputmode="url" autocomplete="off"
        autocapitalize="off" spellcheck=${!1} aria-label="Long URL"
        placeholder="Paste a long URL" value=${t} onInput=${u=>J({url:u.target.value})}
        onPaste=${u=>p(u,u.clipboardData)} onDrop=${u=>p(u,u.dataTransfer)}
        onKeyDown=${u=>u.key==="Escape"&&u.target.blur()}
        aria-invalid=${O?.field==="url"} aria-describedby=${Ge("url")} />
      <button class="button primary" aria-busy=${y}>Shorten</button>
    </div>
    <div class="create-more">
      ${n?s`<span class="code-field" data-invalid=${O?.field==="code"}>
            <span class="quiet mono">${A}/</span>
            <input ref=${f} class="mono" aria-label="Short code" placeholder="my-link"
            autocomplete="off" autocapitalize="off" spellcheck=${!1}
            value=${o} onInput=${u=>J({code:u.target.value})}
            aria-invalid=${O?.field==="code"} aria-describedby=${Ge("code")} />
            <${U} icon="close" label="Use a random code" onClick=${j} /></span>`:s`<button type="button" class="text-button" onClick=${j}>Custom code</button>`}
      <button type="button" class="text-button" aria-expanded=${!!a}
        onClick=${v}>Options</button>
      ${O&&s`<p id="create-problem" class="problem" role="alert">${O.message}</p>`}
      ${Ze&&s`<${uo} code=${Ze} isOld=${!!l} />`}
      ${l&&s`<p class="made"><${w} name="done" />
        <a class="mono" href=${`/ui/links/${l.short_code}`}>${A}/${l.short_code}</a>
        <span class="quiet">${l.copied?"Copied":"Created"}</span>
        ${!l.copied&&s`<${te} text=${z(l.short_code)} label="Copy the short URL" />`}
        <${U} icon="qr" label="QR code for the new link"
          onClick=${()=>e(l.short_code)} /></p>`}
    </div>
    ${a&&s`<div class="create-options"><${At} id="new" withURL=${!1}
        draft=${{...a,original_url:t}} onChange=${R} problems=${r} />
      <div class="form-end"><button type="button" class="button"
        onClick=${v}>Cancel</button>
        <button class="button primary" aria-busy=${y}>Shorten</button></div></div>`}
    ${c&&s`<${$o} batch=${c} />`}
  </form>`}function uo({code:e,isOld:t}){let o=`${A}/${e}`;b(()=>V(`You already ${t?"had":"have"} ${o} for this URL`),[e]);let n=s`<a class="mono" href=${`/ui/links/${e}`}>${o}</a>`;return s`<p class="known">You already ${t?"had":"have"} ${n} for this URL
    <${te} text=${z(e)} label=${`Copy ${o} instead`} /></p>`}async function po(e){Z(await de(e.map(t=>z(t.code)).join(`
`))?`Copied ${I(e.length,"short URL","short URLs")}`:"Couldn't copy")}function $o({batch:{lines:e,busy:t,pause:o}}){let n=e.filter(m=>m.code),a=e.length-n.length,r=()=>Dt(m=>zt(m).message),i=T();b(()=>{(document.activeElement===document.body||!t&&!n.length)&&i.current.querySelector(".batch-end button:last-of-type").focus()},[t]);let c=I(a,"URL","URLs"),$=n.length>0||e.some(m=>m.problem)?`Try ${c} again`:`Shorten ${c}`,l="";return o?l=`Too many requests. Continuing in ${o} s.`:(n.length||t)&&(l=`${D(n.length)} of ${I(e.length,"URL","URLs")} shortened`),s`<section ref=${i} class="batch" aria-label="Several URLs">
    <ol>${e.map(({url:m,code:y,problem:S},f)=>s`<li key=${f}><${oe} url=${m} />
      ${y&&s`<span class="batch-result">
        <a class="mono" href=${`/ui/links/${y}`}>${A}/${y}</a>
        <${te} text=${z(y)} label=${`Copy ${A}/${y}`} /></span>`}
      ${S&&s`<span class="problem">${S}</span>`}</li>`)}</ol>
    <div class="batch-end"><p class="quiet" role="status">${l}</p>
      ${t?s`<button type="button" class="button" onClick=${Ne}>Stop</button>`:s`<button type="button" class="button" onClick=${Ne}>
          ${n.length?"Close":"Cancel"}</button>
        ${n.length>0&&s`<button type="button" class="button" onClick=${()=>po(n)}>
          ${`Copy ${I(n.length,"short URL","short URLs")}`}</button>`}
        ${a>0&&s`<button type="button" class="button primary" onClick=${r}>${$}</button>`}`}</div>
  </section>`}var mo=matchMedia("(max-width: 720px)"),qe=matchMedia("(hover: none), (pointer: coarse), (max-width: 720px)"),fo=()=>mo.matches?68:48,Nt=4,Ke=56;function ho(e,t){let o=()=>{let r=fo(),i=qe.matches,c=e.current?-e.current.getBoundingClientRect().top:0,d=Math.max(0,Math.floor(c/r)-Nt);return{height:r,bySheet:i,first:d-d%4,size:Math.ceil(innerHeight/r)+2*Nt+4}},[n,a]=g(o);return b(()=>{let r=()=>a(i=>{let c=o();return c.first===i.first&&c.size===i.size&&c.height===i.height&&c.bySheet===i.bySheet?i:c});return e.current&&r(),addEventListener("scroll",r,{passive:!0}),addEventListener("resize",r),qe.addEventListener("change",r),()=>{qe.removeEventListener("change",r),removeEventListener("scroll",r),removeEventListener("resize",r)}},[t===0]),n}function jt({state:e,rows:t,active:o,setActive:n,onDialog:a,onRemove:r}){let i=T(),{height:c,bySheet:d,first:$,size:l}=ho(i,t.length),m=Math.min(t.length,$+l);b(()=>{e.phase==="ready"&&m>t.length-40&&Ce()},[m,t.length,e.phase]),go(i,t,c);let y=h(ht),S=h(re),f=h(Ct);b(()=>gt(t.slice($,m)),[$,m,t,y]);let E=T({active:o,code:""});Y(()=>{let v=t[o]?.short_code,R=E.current.active!==o,x=E.current.code===v;if(E.current={active:o,code:v},x||o<0||!i.current||i.current.querySelector(":focus")?.closest(`[data-index="${o}"]`)||!R&&document.activeElement!==document.body)return;let O=i.current.getBoundingClientRect().top+o*c;O<Ke?scrollBy(0,O-Ke-8):O+c>innerHeight&&scrollBy(0,O+c-innerHeight+8),i.current.querySelector(`[data-index="${o}"] .row-link`)?.focus({preventScroll:!0})},[o,t[o]?.short_code]);let{pinned:C,fresh:B}=e,p=(v,R)=>me(v,t,R),k=o>=0&&o<t.length&&(o<$||o>=m)?o:-1,j=e.next?-1:t.length,J=ee(()=>{let v=x=>s`<${bo} key=${t[x].short_code} link=${t[x]} index=${x}
      top=${x*c} size=${j} flash=${t[x].short_code===B}
      isPinned=${C.includes(t[x])} bySheet=${d} boxed=${!d||f}
      chosen=${S.has(t[x].short_code)} onChoose=${p} onRemove=${r}
      shape=${t[x].click_count>0&&y.get(t[x].short_code)} onFocus=${n}
      onDialog=${a} />`,R=[];k>=0&&k<$&&R.push(v(k));for(let x=$;x<m;x++)R.push(v(x));return k>=m&&R.push(v(k)),R},[t,$,m,k,c,d,j,B,y,S,f]);return s`<${qt} rows=${t} />
    <ul class="rows" ref=${i} aria-label="Links" style=${{height:`${t.length*c}px`}}
      data-choosing=${f} aria-busy=${e.phase==="loading"}>
      ${J}
    </ul>`}function go(e,t,o){let n=T({index:-1,code:""});Y(()=>{let{index:a,code:r}=n.current;if(a<=0||!e.current||t[a]?.short_code===r)return;let i=t.findIndex(c=>c.short_code===r);i>=0&&scrollBy(0,(i-a)*o)},[t]),b(()=>{let a=()=>{let r=e.current?Math.ceil((Ke-e.current.getBoundingClientRect().top)/o):-1;n.current={index:r,code:t[r]?.short_code}};return a(),addEventListener("scroll",a,{passive:!0}),()=>removeEventListener("scroll",a)},[t,o])}function qt({rows:e}){let t=h(re).size,o=e&&s`<input type="checkbox" aria-label="Select all links that are shown"
    checked=${t>0&&t>=e.length} indeterminate=${t>0&&t<e.length} onChange=${()=>xt(e)} />`;return s`<div class="row-head"><span class="row-check">${o}</span>
    <span aria-hidden="true">Link</span><span aria-hidden="true">Destination</span>
    <span class="end" aria-hidden="true">Created</span>
    <span aria-hidden="true" title="Clicks a day, each link to its own scale">Last 30 days</span>
    <span class="end" aria-hidden="true">Clicks</span></div>`}function bo({link:e,index:t,top:o,size:n,flash:a,isPinned:r,bySheet:i,boxed:c,chosen:d,shape:$,onFocus:l,onDialog:m,onChoose:y,onRemove:S}){let{short_code:f,original_url:E,title:C,status:B}=e,p=G(E),k=v=>{_t();let R=v.currentTarget.querySelector(".row-link");R.title=`${q(E)}
${lt(new Date(e.created_at))}`},j=()=>m({kind:"actions",link:e}),J=v=>{v.pointerType==="touch"&&(v.preventDefault(),v.stopPropagation(),j())};return s`<li class="row" data-index=${t} data-flash=${a} style=${{top:`${o}px`}}
    aria-setsize=${n} aria-posinset=${t+1} onFocusIn=${()=>l(t)}
    onPointerEnter=${k} data-chosen=${d}>
    ${c&&s`<label class="row-check"><input type="checkbox" aria-label=${`Select ${f}`}
      checked=${d} onClick=${v=>y(e,v.shiftKey)} /></label>`}
    <span class="row-code"><a class="row-link mono" href=${`/ui/links/${f}`}
      aria-label=${`View ${f}`} onClick=${()=>{pe.code=f}}>${f}</a>
      <${te} text=${z(f)} label=${`Copy ${A}/${f}`} />
      ${r&&s`<span class="badge">New</span>`}
      ${$e[B]&&s`<span class="state-badge">${$e[B]}</span>`}</span>
    <span class="row-what"><span class="row-text">
      ${C&&s`<span class="row-title">${q(C)}</span>`}
      <span class="row-url"><${oe} url=${E} /></span></span>
      <${yt} tags=${e.tags} most=${i?1:2} plain=${i} class="row-tags" /></span>
    ${i?s`<${U} icon="more" class="row-more" label=${`Actions for ${f}`}
        onClick=${j} />`:s`<span class="row-actions" onClickCapture=${J}>
        <${U} icon="qr" label=${`QR code for ${f}`}
          onClick=${()=>m({kind:"qr",link:e})} />
        ${p&&s`<a class="icon-button" href=${p.href} target="_blank"
          rel="noreferrer noopener" aria-label=${`Open destination of ${f}`}
          title="Open destination"><${w} name="open" /></a>`}
        <${U} icon="remove" label=${`Delete ${f}`} onClick=${()=>S(e)} />
      </span>`}
    <time class="row-time quiet" datetime=${e.created_at}>
      ${ut(new Date(e.created_at))}</time>
    ${$&&s`<svg class="row-recent" viewBox="0 0 90 20" aria-hidden="true">
      <path d=${$} /></svg>`}
    <span class="row-clicks"><span class="unseen">clicks: </span>${D(e.click_count)}</span>
  </li>`}var Qe=({rows:e,bare:t})=>s`${!t&&s`<${qt} />`}
  <div class="rows-skeleton" role="status" aria-label="Loading links">
  ${Array.from({length:e},(o,n)=>s`<div class="row" key=${n}><i class="bone" data-size=${n%3} />
      <i class="bone wide" data-size=${(n+1)%3} /><i class="bone small" /></div>`)}
</div>`;var Qt=[["newest","Newest"],["oldest","Oldest"],["clicks","Most clicks"]],Yt={active:"Active",...$e},vo=200,Ye=e=>[...e].slice(0,vo).join("").trim();function Wt(e){let t=(o,n,a)=>n(e.get(o))?e.get(o):a;return{search:Ye(e.get("search")??""),sort:t("sort",o=>Qt.some(([n])=>n===o),"newest"),tag:[...new Set(e.getAll("tag").filter(Boolean))].slice(0,20),status:t("status",o=>o!==null&&Object.hasOwn(Yt,o),"")}}var Re=e=>we("/ui/",{...e,sort:e.sort==="newest"?"":e.sort}),Gt=({tag:e,status:t})=>e.length>0||!!t;function Zt({query:e,state:t,total:o}){let[n,a]=g(e.search),r=T(e.search);b(()=>{e.search!==r.current&&a(e.search),r.current=e.search},[e.search]),b(()=>{De()},[]);let i=(l,m)=>{r.current=l.search??Ye(n),F(Re({...e,search:r.current,...l}),m)},c=l=>{a(l),i({search:Ye(l)},{replace:!0})},d=l=>{l.key==="Escape"&&(l.preventDefault(),n?c(""):l.target.blur())},$=e.search?I(o,"match","matches"):I(o,"link","links");return s`<div class="toolbar" role="search">
    <div class="search"><${w} name="search" />
      <input id="search" type="search" class="field" aria-label="Search links"
        placeholder="Search links" autocomplete="off" spellcheck=${!1}
        value=${n} onInput=${l=>c(l.target.value)} onKeyDown=${d} />
      <kbd aria-hidden="true">/</kbd></div>
    <${yo} query=${e} ask=${i} />
    <${Kt} label="State" value=${e.status} onChange=${l=>i({status:l})}
      options=${[["","Any state"],...Object.entries(Yt)]} />
    <${Kt} label="Sort" value=${e.sort} options=${Qt}
      onChange=${l=>i({sort:l},{replace:!0})} />
    <p class="amount" role="status">${t.loaded?t.isLowerBound?`${D(o)}+ matches`:$:""}</p>
  </div>
  ${e.tag.length>0&&s`<div class="chips list-chips">${e.tag.map(l=>s`<button type="button" class="chip" key=${l}
      onClick=${()=>i({tag:e.tag.filter(m=>m!==l)})}>
      <span class="unseen">Remove filter: </span><span class="chip-text">${q(l)}</span>
      <${w} name="close" /></button>`)}
    ${e.tag.length===1&&s`<${ko} key=${e.tag[0]} tag=${e.tag[0]}
      onDone=${l=>i({tag:l?[l]:[]},{replace:!0})} />`}</div>`}`}function ko({tag:e,onDone:t}){let[o,n]=g(!1),a=c=>c.tag.toLowerCase()===e.toLowerCase(),r=h(Oe).find(a);if(!r)return null;let i=c=>{n(!1),t(c)};return s`<button type="button" class="text-button" onClick=${()=>n(!0)}>
    Rename or delete this tag</button>
    ${o&&s`<${Bt} tag=${r.tag} links=${r.links} onDone=${i}
      onClose=${()=>n(!1)} />`}`}var Kt=({label:e,value:t,options:o,onChange:n})=>s`<span class="sort">
  <select class="field" aria-label=${e} value=${t}
    onChange=${a=>n(a.target.value)}>
    ${o.map(([a,r])=>s`<option key=${a} value=${a}>${r}</option>`)}</select></span>`;function yo({query:e,ask:t}){let o=h(Oe),n=r=>e.tag.some(i=>i.toLowerCase()===r.toLowerCase());return s`<span class="sort tag-filter"><select class="field" aria-label="Tag" value=""
      onChange=${r=>{let{value:i}=r.target;r.target.value="",i&&t({tag:[...e.tag,i]})}} onFocus=${()=>De()}>
      <option value="">${e.tag.length?"Another tag":"Any tag"}</option>
      ${o.length?o.filter(({tag:r})=>!n(r)).map(({tag:r,links:i})=>s`<option key=${r} value=${r}>${q(r)} (${D(i)})</option>`):s`<option value="-" disabled>No tags yet</option>`}</select></span>`}async function Vt({short_code:e}){Z(await de(z(e))?`Copied ${A}/${e}`:"Couldn't copy")}function We(e){at(e)?V(`Deleted ${e.short_code}. Press Z to undo.`):Z("Too many deletes at once. Wait ten seconds.")}function Jt(){let{query:e}=h(ne),t=h(Ae),o=h(ue),n=h(W),a=h(re),[r,i]=g(null),c=e.toString(),d=ee(()=>Wt(e),[c]),$=vt(d),l=ee(()=>{let p=new Set(t.pinned.map(k=>k.short_code));return[...t.pinned,...t.rows.filter(k=>!p.has(k.short_code))].filter(k=>!ge(k.short_code))},[t.rows,t.pinned,o,n]),m=[...a.values()].filter(p=>!ge(p.short_code)),y=t.total-t.rows.filter(p=>ge(p.short_code)).length,[S,f]=wo(l,$?pe.code:"");Y(()=>{document.title="Links · terse",scrollTo(0,Ue.y);let p=()=>{Ue.y=scrollY};return addEventListener("scroll",p,{passive:!0}),()=>removeEventListener("scroll",p)},[]),Co(Be),Y(()=>{$?Be():(kt(d),f(-1),ze()),pe.href=Re(d)},[d]),b(()=>he.watch(p=>p==="up"&&Ae.get().phase==="error"&&xe()),[]);let E=p=>{l.length&&f(Math.min(l.length-1,Math.max(0,S+p)))},C=p=>k=>l[S]?k.repeat||p(l[S]):!1,B=()=>i(null);return ye({n:ie,"/":()=>document.getElementById("search").focus(),j:()=>E(1),k:()=>E(-1),c:C(p=>Vt(p)),q:C(p=>i({kind:"qr",link:p})),e:C(p=>i({kind:"edit",link:p})),x:C(p=>me(p,l)),Delete:C(We),Escape:()=>{document.activeElement.blur(),f(-1),ze()}}),s`<main class="page" id="main">
    <h1 class="unseen">Links</h1>
    <${Ht} onQR=${p=>i({kind:"qr",link:{short_code:p}})} />
    <${Zt} query=${d} state=${t} total=${y} />
    <${xo} state=${t} rows=${l} query=${d} active=${S} setActive=${f}
      onDialog=${i} />
    ${m.length>0&&s`<${Ut} links=${m} />`}
    ${r?.kind==="qr"&&s`<${Rt} code=${r.link.short_code} onClose=${B} />`}
    ${r?.kind==="edit"&&s`<${Tt} code=${r.link.short_code} onClose=${B} />`}
    ${r?.kind==="actions"&&s`<${To} link=${r.link} rows=${l} onDialog=${i} />`}
  </main>`}function wo(e,t){let[{index:o,code:n},a]=g(()=>({index:e.findIndex(c=>c.short_code===t),code:t})),r=ee(()=>{if(o<0||e[o]?.short_code===n)return o;let c=e.findIndex(d=>d.short_code===n);return c<0?o:c},[e,o,n]),i=c=>a(d=>{let $={index:c,code:e[c]?.short_code??""};return d.index===$.index&&d.code===$.code?d:$});return Y(()=>i(r),[r,e]),[r,i]}function Co(e){b(()=>{let t=!1,o=()=>{t=!0},n=()=>{document.hidden?o():t&&(t=!1,e())};return addEventListener("blur",o),addEventListener("focus",n),document.addEventListener("visibilitychange",n),()=>{removeEventListener("blur",o),removeEventListener("focus",n),document.removeEventListener("visibilitychange",n)}},[])}function xo({state:e,rows:t,query:o,...n}){return!e.loaded&&e.phase==="error"?s`<${mt} title="Couldn't load links"
    message=${e.error.message} onRetry=${xe} />`:e.loaded?t.length===0&&e.phase==="ready"?o.search?s`<${Eo} search=${o.search} />`:Gt(o)?s`<${Ro} query=${o} />`:s`<${_o} />`:s`<${jt} state=${e} rows=${t} onRemove=${We} ...${n} />
    <${Lo} state=${e} search=${o.search} />`:s`<${Qe} rows=${8} />`}function Lo({state:e,search:t}){return e.phase==="error"?s`<div class="foot" role="alert">
    <p>${e.error.message}</p><button type="button" class="button"
      onClick=${xe}>Try again</button></div>`:e.phase==="paused"?s`<div class="foot">
    <p>${e.rows.length?"No more matches so far.":"No matches yet."}</p>
    <button type="button" class="button" onClick=${Ce}>Keep searching</button></div>`:bt(e)&&e.next?s`<div class="foot">
    <p>Showing the first ${D(e.rows.length)}. Search or sort to find others.</p></div>`:e.next||e.phase==="more"?s`<${Qe}
    rows=${t&&!e.rows.length?8:3} bare=${!0} />`:null}var _o=()=>s`<div class="state"><h2>No links yet</h2>
  <p>Paste a long URL above and press Enter. Or from a terminal:</p>
  <${ft} line=${`curl -H "Authorization: Bearer $TERSE_TOKEN" -d '{"original_url":"https://example.com/"}' ${location.origin}/api/urls`} /></div>`,So=()=>{F("/ui/",{replace:!0}),document.getElementById("search").focus()},Eo=({search:e})=>s`<div class="state"><h2>No matches for "${q(e)}"</h2>
  <button type="button" class="button" onClick=${So}>Clear search</button></div>`,Ro=({query:e})=>s`<div class="state"><h2>No links with this filter</h2>
  <a class="button" href=${Re({...e,tag:[],status:""})}>Remove filter</a></div>`;function To({link:e,rows:t,onDialog:o}){let{short_code:n,original_url:a}=e,r=()=>o(null),i=G(a),c=()=>re.get().has(n)||me(e,t);return s`<${ke} label=${`Actions for ${n}`} class="sheet" onClose=${r}>
    <p class="sheet-title"><b class="mono">${A}/${n}</b>
      <span><${oe} url=${a} /></span></p>
    <button type="button" class="sheet-item" onClick=${()=>Vt(e).then(r)}>
      <${w} name="copy" />Copy link</button>
    <button type="button" class="sheet-item" onClick=${()=>o({kind:"qr",link:e})}>
      <${w} name="qr" />QR code</button>
    <button type="button" class="sheet-item" onClick=${()=>o({kind:"edit",link:e})}>
      <${w} name="edit" />Edit</button>
    <button type="button" class="sheet-item" onClick=${()=>{r(),c()}}>
      <${w} name="done" />Select</button>
    ${i&&s`<a class="sheet-item" href=${i.href} target="_blank"
      rel="noreferrer noopener" onClick=${r}><${w} name="open" />Open destination</a>`}
    <button type="button" class="sheet-item danger" onClick=${()=>{r(),We(e)}}>
      <${w} name="remove" />Delete</button>
    <button type="button" class="sheet-item" onClick=${r}>
      <${w} name="close" />Cancel</button>
  <//>`}function Ao(){let{path:e}=h(ne),t=h(ot),[o,n]=g(!1),a=h(ue);return ye({"?":()=>n(!0),n:()=>{F("/ui/"),requestAnimationFrame(()=>document.getElementById("create-url")?.focus())},"/":()=>{F("/ui/"),requestAnimationFrame(()=>document.getElementById("search")?.focus())},z:()=>a.length?Te():ve.get()?.undo?ve.get().undo():!1}),Uo(e),t==="left"?s`<${Xt} />`:s`<a class="skip" href="#main">Skip to content</a>
    <${Oo} path=${e} onHelp=${()=>n(!0)} />
    <${Po} />
    ${dt&&s`<aside class="notice" aria-label="Notice">
      Short links start with ${pt}, the address of this page. Set BASE_URL to your public
      address.</aside>`}
    <${Bo} path=${e} />
    <${Mo} />
    ${o&&s`<${Ot} onClose=${()=>n(!1)} />`}
    ${t==="out"&&s`<${Xt} />`}
    <p id="said" class="unseen" role="status"></p>`}function Uo(e){let t=T(e),o=h(Lt);b(()=>{let n=document.querySelector("#main h1");t.current===e||!n||(t.current=e,V(document.title.replace(/ · terse$/,"")),document.activeElement===document.body&&(n.tabIndex=-1,n.focus({preventScroll:!0})))},[e,o])}function Bo({path:e}){if(e==="/ui/")return s`<${Jt} />`;if(e==="/ui/overview")return s`<${Et} />`;let[,t]=e.match(/^\/ui\/links\/([A-Za-z0-9_-]{3,20})$/)??[];return t?s`<${St} key=${t} code=${t} />`:s`<main class="page" id="main"><div class="state"><h1>Page not found</h1>
    <p>Check the address.</p><a class="button" href="/ui/">Back to links</a></div></main>`}var Oo=({path:e,onHelp:t})=>s`<header class="top"><div class="top-inner">
  <a class="brand" href="/ui/">terse</a>
  <nav aria-label="Pages">
    <a href="/ui/" aria-current=${e==="/ui/"?"page":e.startsWith("/ui/links/")?"true":void 0}>Links</a>
    <a href="/ui/overview" aria-current=${e==="/ui/overview"?"page":void 0}>Overview</a>
  </nav>
  <div class="top-end"><${U} icon="help" label="Keyboard shortcuts" onClick=${t} />
    <${Io} />
    <${U} icon="leave" label="Sign out" onClick=${Do} /></div>
</div></header>`;async function Do(){try{let e=W.get();if(await ct(),W.get()!==e)return;await rt(),location.assign("/ui/")}catch(e){Z(`Couldn't sign out: ${e.message}`)}}var ce=["system","light","dark"];function Io(){let[e,t]=g(document.documentElement.dataset.theme??"system"),o=()=>{let n=ce[(ce.indexOf(e)+1)%ce.length];t(n),n==="system"?delete document.documentElement.dataset.theme:document.documentElement.dataset.theme=n;try{localStorage.setItem("terse-theme",n)}catch{}};return s`<${U} icon=${e}
    label=${`Theme: ${e} (click for ${ce[(ce.indexOf(e)+1)%ce.length]})`}
    onClick=${o} />`}function Po(){let e=h(he);return e==="up"?null:s`<div class="away" role="alert"><${w} name="alert" />
    ${e==="offline"?"You're offline. We'll reconnect when you're back.":"Can't reach the server. Retrying…"}</div>`}function Mo(){let e=h(ue),t=h(W),o=h($t),n=h(ve);return s`<div class="toasts" role="region" aria-label="Messages">
    ${o&&s`<div class="toast">${o}</div>`}
    ${n&&s`<div class="toast"><span>${n.text}</span>
      ${n.undo&&s`<button type="button" class="text-button"
        onClick=${n.undo}>Undo</button>`}</div>`}
    ${t&&s`<div class="toast" role="alert">Couldn't delete ${t.codes.length===1?t.codes[0]:I(t.codes.length,"link","links")}: ${t.message}
      <${U} icon="close" label="Close" onClick=${()=>W.set(null)} /></div>`}
    ${e.length>0&&s`<${zo} links=${e} />`}
  </div>`}function zo({links:e}){if(e.length>1)return s`<div class="toast">
    <span>${I(e.length,"link","links")} deleted</span>
    <button type="button" class="text-button" onClick=${it}>Undo all</button></div>`;let[{short_code:t}]=e;return s`<div class="toast"><span>Deleted <b class="mono">${t}</b></span>
    <button type="button" class="text-button" aria-label=${`Undo deleting ${t}`}
      onClick=${Te}>Undo</button></div>`}function Xt(){let[e,t]=g(""),[o,n]=g(""),[a,r]=g(!1),i=T();return b(()=>i.current.focus(),[]),s`<${ke} label="Sign in" class="sign-in"><form onSubmit=${async d=>{if(d.preventDefault(),!a){r(!0),n("");try{await st(e.trim())}catch($){n($.status===401||$.status===400?"That token isn't valid.":$.message),i.current?.select()}finally{r(!1)}}}}>
    <p class="brand">terse</p><h2>Sign in</h2>
    <input class="unseen" type="text" name="username" autocomplete="username" value="terse" readonly
      tabindex="-1" aria-hidden="true" />
    <label for="token">Access token</label>
    <input id="token" ref=${i} class="field mono" type="password"
      autocomplete="current-password" required value=${e}
      onInput=${d=>{t(d.target.value),n("")}}
      aria-invalid=${!!o}
      aria-describedby=${o?"token-problem":"token-hint"} />
    ${o?s`<p id="token-problem" class="problem" role="alert">${o}</p>`:s`<p id="token-hint" class="hint">
        The token printed when the server first started, or one from AUTH_TOKENS. Lost it?
        Run <code class="mono">terse token</code>.</p>`}
    <button class="button primary" aria-busy=${a}>Sign in</button>
  </form><//>`}tt(s`<${Ao} />`,document.getElementById("app"));
