import{e as pe,f as De,g as Ie,h as se,i as Ct,j as Oe}from"./chunk-KBZFFNUA.js";import{a as re,b as xt,c as Pe,d as $e,e as Lt}from"./chunk-UQS7BAHB.js";import{a as ue,b as V,c as be,d as ft,e as Ee,f as mt,g as ht,h as ve}from"./chunk-5OFMCC26.js";import{a as ot,b as ce,d as nt,e as st,g as gt,h as bt,i as Re,j as vt,k as Ae,l as de,m as kt,n as yt,o as ye,p as we,q as Te,r as Ce,u as Ue,v as Be,w as wt}from"./chunk-5PC4BVFW.js";import{a as pt,b as $t}from"./chunk-GFCCFI37.js";import{a as _t,c as St,d as Et,e as Rt,f as At,g as Tt,h as Ut,i as xe,j as Bt,k as Dt,l as It}from"./chunk-M6RETURO.js";import{a as et,c as tt}from"./chunk-FF3G7ASX.js";import{a as ne,b as ke,c as F}from"./chunk-D7E6UWU7.js";import{A as z,B as T,C as S,D as O,E as le,F as te,G as lt,H as G,I as me,K as Z,L as he,N as oe,O as ut,P as dt,R as ge,a as Xe,b as v,c as g,d as Y,e as A,f as ee,g as fe,h,i as s,k as D,l as I,n as rt,q as at,v as W,w as q,y as it,z as ct}from"./chunk-PE56B7N7.js";var Le=1e3,H=fe(null),Me=new AbortController,ae=e=>H.get()&&H.set({...H.get(),...e});function ze(e){Me.abort(),H.set({lines:e.map(t=>({url:t,code:"",problem:""})),busy:!1,pause:0})}function Fe(){Me.abort(),H.set(null)}async function Ot(e){let{signal:t}=Me=new AbortController,{lines:o}=H.get(),n=o.filter(a=>!a.code);ae({busy:!0});try{let a=n.map(({url:c})=>({op:"create",link:{original_url:c}})),{results:r}=await ao(()=>ce("POST","/api/bulk",{body:{operations:a}}),t);if(t.aborted)return;let i=new Map(n.map((c,d)=>[c,r[d]]));ae({lines:o.map(c=>so(c,i.get(c),e))});for(let{link:c}of r)c&&ro(c)}catch(a){if(tt(a))return;ae({lines:o.map(r=>r.code?r:{...r,problem:e(a)})})}ae({busy:!1,pause:0})}function so(e,t,o){return t?t.link?{...e,code:t.link.short_code,problem:""}:{...e,problem:o({status:t.status,message:t.error})}:e}function ro(e){ve(e.short_code),Ce({created_at:new Date().toISOString(),click_count:0,...e})}async function ao(e,t){for(;;)try{return await e()}catch(o){if(o.status!==429)throw o;t.throwIfAborted(),ae({pause:o.retryAfter??10}),await io(1e3*H.get().pause,t),ae({pause:0})}}var io=(e,t)=>new Promise((o,n)=>{let a=setTimeout(o,e);t.addEventListener("abort",()=>{clearTimeout(a),n(t.reason)})});var He=20,co=200,Mt={url:"",code:"",choosing:!1,options:null},_e=fe(Mt),N=e=>_e.set({..._e.get(),...e}),zt=async e=>({...(await xe()).draftOf(e)});async function lo(){let{path:e,query:t}=ne.get(),o=t.get("url")?.trim(),n=t.get("title")?.trim();if(e!=="/ui/"||!(o||n))return;N({url:o??""}),F("/ui/",{replace:!0}),ie();let a=await zt({title:[...n??""].slice(0,200).join("")});N({options:a})}function Ft({status:e,message:t},o){return e===0?{field:"url",message:"Not created: can't reach the server. Your text is kept."}:e===409?{field:"code",message:`"${o}" is taken. Try another.`}:e!==400?{field:"url",message:t}:/reserved/i.test(t)?{field:"code",message:`"${o}" is reserved. Try another.`}:/short code/i.test(t)?{field:"code",message:"Use 3–20 letters, digits, - or _."}:/short link/i.test(t)?{field:"url",message:Oe}:/original.url/i.test(t)?{field:"url",message:Ct}:{field:"url",message:t}}async function Ht(e,t){try{let o=[...e].slice(0,co).join(""),{urls:n}=await ce("GET",ke("/api/urls",{search:o,limit:20}),{signal:t});return n.filter(a=>a.original_url===e).map(a=>a.short_code)}catch{return[]}}function uo(e){let[t,o]=v({url:"",code:""});return g(()=>{if(!W(e)||se(e))return;let n=new AbortController,a=setTimeout(async()=>{let[r=""]=await Ht(e,n.signal);n.signal.aborted||o({url:e,code:r})},200);return()=>{clearTimeout(a),n.abort()}},[e]),t.url===e?t.code:""}var Pt=()=>requestAnimationFrame(()=>requestAnimationFrame(()=>document.querySelector('.create-options [aria-invalid="true"]')?.focus())),ie=()=>document.getElementById("create-url")?.focus();function Nt({onQR:e}){let{url:t,code:o,choosing:n,options:a}=h(_e),[r,i]=v({}),c=h(H),[d,$]=v(null),[l,f]=v(null),[y,_]=v(!1),m=A(),E=uo(De(t)),w=(u,x)=>{f(null),$({field:u,message:x}),u==="code"&&m.current?.focus()},U=(u,x)=>{let P=Ie(u);if($(null),P.length>Le)w("url",`That's ${D(P.length)} URLs. At most ${D(Le)} can be shortened at a time.`);else if(P.length)ze(P);else if(x&&/\s/.test(u.trim())){let K=u.trim().replace(/\s+/g," ");document.execCommand("insertText",!1,K),w("url",se(u.trim()))}else if(!x&&/^https?:\/\//i.test(u.trim())&&W(u))N({url:u.trim().replace(/\s+/g," ")}),se(u.trim())&&w("url",se(u.trim())),ie();else return!1;return!0},p=(u,x)=>U(x.getData("text"),!0)&&u.preventDefault();g(()=>{lo().catch(()=>{})},[]),g(()=>{let u=x=>{x.target.closest?.("input, textarea, dialog")||document.querySelector("dialog[open]")||U(x.clipboardData.getData("text"),!1)&&x.preventDefault()};return addEventListener("paste",u),()=>removeEventListener("paste",u)},[]);let k=async u=>{if(u.preventDefault(),y)return;if(!t.trim())return ie();let x=Ie(t);if(x.length&&x.length<=Le)return ze(x),N({url:""});let P={original_url:De(t)},K=n?o.trim():"",Ge=se(P.original_url);if(Ge)return w("url",Ge);if(K.length>He)return m.current?.focus();if(a){let{fieldsOf:L,problemsOf:X}=await xe(),Q={...a,original_url:t},{original_url:M,...Ve}=X(Q);if(i(Ve),Object.keys(Ve).length)return Pt();for(let[no,Je]of Object.entries(L(Q)))Je!==null&&(P[no]=Je)}_(!0),$(null),K&&(P.short_code=K);let Ze=ce("POST","/api/urls",{body:P}),to=le(Ze.then(L=>z(L.short_code))).catch(()=>!1),oo=E||Ht(P.original_url,AbortSignal.timeout(5e3));try{let L=await Ze;ve(L.short_code),_e.set(Mt),Ce({...L,created_at:new Date().toISOString(),click_count:0}),scrollTo(0,0);let X=await to;f({...L,copied:X}),Z(`${T}/${L.short_code} ${X?"copied":"created"}`),ie();let Q=E||(await oo).find(M=>M!==L.short_code);Q&&f(M=>M?.short_code===L.short_code?{...M,existing:Q}:M)}catch(L){let{field:X,message:Q}=Ft(L,K),M=a&&L.status===400&&(await xe()).where(L.message);M&&M!=="original_url"?(i({[M]:/short link/i.test(L.message)?Oe:L.message}),Pt()):w(K?X:"url",Q)}finally{_(!1)}},j=()=>{N({choosing:!n,code:""}),$(null),n||requestAnimationFrame(()=>m.current?.focus())},J=u=>{N(u),$(null),l&&f(null)},b=async()=>{if(i({}),a)return N({options:null});N({options:await zt({})}),requestAnimationFrame(()=>document.getElementById("new-title")?.focus())},R=({original_url:u,...x})=>{i({}),N({url:u,options:x})},B=n&&o.trim().length>He?{field:"code",message:`At most ${He} characters.`}:d,Ye=u=>B?.field===u?"create-problem":void 0,We=E||l?.existing;return s`<form class="create" onSubmit=${k} aria-label="Shorten a URL">
    <div class="create-line">
      <input id="create-url" class="field mono" type="text" inputmode="url" autocomplete="off"
        autocapitalize="off" spellcheck=${!1} aria-label="Long URL"
        placeholder="Paste a long URL" value=${t} onInput=${u=>J({url:u.target.value})}
        onPaste=${u=>p(u,u.clipboardData)} onDrop=${u=>p(u,u.dataTransfer)}
        onKeyDown=${u=>u.key==="Escape"&&u.target.blur()}
        aria-invalid=${B?.field==="url"} aria-describedby=${Ye("url")} />
      <button class="button primary" aria-busy=${y}>Shorten</button>
    </div>
    <div class="create-more">
      ${n?s`<span class="code-field" data-invalid=${B?.field==="code"}>
            <span class="quiet mono">${T}/</span>
            <input ref=${m} class="mono" aria-label="Short code" placeholder="my-link"
            autocomplete="off" autocapitalize="off" spellcheck=${!1}
            value=${o} onInput=${u=>J({code:u.target.value})}
            aria-invalid=${B?.field==="code"} aria-describedby=${Ye("code")} />
            <${O} icon="close" label="Use a random code" onClick=${j} /></span>`:s`<button type="button" class="text-button" onClick=${j}>Custom code</button>`}
      <button type="button" class="text-button" aria-expanded=${!!a}
        onClick=${b}>Options</button>
      ${B&&s`<p id="create-problem" class="problem" role="alert">${B.message}</p>`}
      ${We&&s`<${po} code=${We} isOld=${!!l} />`}
      ${l&&s`<p class="made"><${S} name="done" />
        <a class="mono" href=${`/ui/links/${l.short_code}`}>${T}/${l.short_code}</a>
        <span class="quiet">${l.copied?"Copied":"Created"}</span>
        ${!l.copied&&s`<${te} text=${z(l.short_code)} label="Copy the short URL" />`}
        <${O} icon="qr" label="QR code for the new link"
          onClick=${()=>e(l.short_code)} /></p>`}
    </div>
    ${a&&s`<div class="create-options"><${Ut} id="new" withURL=${!1}
        draft=${{...a,original_url:t}} onChange=${R} problems=${r} />
      <div class="form-end"><button type="button" class="button"
        onClick=${b}>Cancel</button>
        <button class="button primary" aria-busy=${y}>Shorten</button></div></div>`}
    ${c&&s`<${fo} batch=${c} />`}
  </form>`}function po({code:e,isOld:t}){let o=`${T}/${e}`;g(()=>Z(`You already ${t?"had":"have"} ${o} for this URL`),[e]);let n=s`<a class="mono" href=${`/ui/links/${e}`}>${o}</a>`;return s`<p class="known">You already ${t?"had":"have"} ${n} for this URL
    <${te} text=${z(e)} label=${`Copy ${o} instead`} /></p>`}async function $o(e){G(await le(e.map(t=>z(t.code)).join(`
`))?`Copied ${I(e.length,"short URL","short URLs")}`:"Couldn't copy")}function fo({batch:{lines:e,busy:t,pause:o}}){let n=e.filter(f=>f.code),a=e.length-n.length,r=()=>Ot(f=>Ft(f).message),i=A();g(()=>{(document.activeElement===document.body||!t&&!n.length)&&i.current.querySelector(".batch-end button:last-of-type").focus()},[t]);let c=I(a,"URL","URLs"),$=n.length>0||e.some(f=>f.problem)?`Try ${c} again`:`Shorten ${c}`,l="";return o?l=`Too many requests. Continuing in ${o} s.`:(n.length||t)&&(l=`${D(n.length)} of ${I(e.length,"URL","URLs")} shortened`),s`<section ref=${i} class="batch" aria-label="Several URLs">
    <ol>${e.map(({url:f,code:y,problem:_},m)=>s`<li key=${m}><${oe} url=${f} />
      ${y&&s`<span class="batch-result">
        <a class="mono" href=${`/ui/links/${y}`}>${T}/${y}</a>
        <${te} text=${z(y)} label=${`Copy ${T}/${y}`} /></span>`}
      ${_&&s`<span class="problem">${_}</span>`}</li>`)}</ol>
    <div class="batch-end"><p class="quiet" role="status">${l}</p>
      ${t?s`<button type="button" class="button" onClick=${Fe}>Stop</button>`:s`<button type="button" class="button" onClick=${Fe}>
          ${n.length?"Close":"Cancel"}</button>
        ${n.length>0&&s`<button type="button" class="button" onClick=${()=>$o(n)}>
          ${`Copy ${I(n.length,"short URL","short URLs")}`}</button>`}
        ${a>0&&s`<button type="button" class="button primary" onClick=${r}>${$}</button>`}`}</div>
  </section>`}var mo=matchMedia("(max-width: 720px)"),Ne=matchMedia("(hover: none), (pointer: coarse), (max-width: 720px)"),ho=()=>mo.matches?68:48,jt=4,je=56;function go(e,t){let o=()=>{let r=ho(),i=Ne.matches,c=e.current?-e.current.getBoundingClientRect().top:0,d=Math.max(0,Math.floor(c/r)-jt);return{height:r,bySheet:i,first:d-d%4,size:Math.ceil(innerHeight/r)+2*jt+4}},[n,a]=v(o);return g(()=>{let r=()=>a(i=>{let c=o();return c.first===i.first&&c.size===i.size&&c.height===i.height&&c.bySheet===i.bySheet?i:c});return e.current&&r(),addEventListener("scroll",r,{passive:!0}),addEventListener("resize",r),Ne.addEventListener("change",r),()=>{Ne.removeEventListener("change",r),removeEventListener("scroll",r),removeEventListener("resize",r)}},[t===0]),n}function qt({state:e,rows:t,active:o,setActive:n,onDialog:a,onRemove:r}){let i=A(),{height:c,bySheet:d,first:$,size:l}=go(i,t.length),f=Math.min(t.length,$+l);g(()=>{e.phase==="ready"&&f>t.length-40&&ye()},[f,t.length,e.phase]),bo(i,t,c);let y=h(gt),_=h(re),m=h(xt);g(()=>bt(t.slice($,f)),[$,f,t,y]);let E=A({active:o,code:""});Y(()=>{let b=t[o]?.short_code,R=E.current.active!==o,C=E.current.code===b;if(E.current={active:o,code:b},C||o<0||!i.current||i.current.querySelector(":focus")?.closest(`[data-index="${o}"]`)||!R&&document.activeElement!==document.body)return;let B=i.current.getBoundingClientRect().top+o*c;B<je?scrollBy(0,B-je-8):B+c>innerHeight&&scrollBy(0,B+c-innerHeight+8),i.current.querySelector(`[data-index="${o}"] .row-link`)?.focus({preventScroll:!0})},[o,t[o]?.short_code]);let{pinned:w,fresh:U}=e,p=(b,R)=>$e(b,t,R),k=o>=0&&o<t.length&&(o<$||o>=f)?o:-1,j=e.next?-1:t.length,J=ee(()=>{let b=C=>s`<${vo} key=${t[C].short_code} link=${t[C]} index=${C}
      top=${C*c} size=${j} flash=${t[C].short_code===U}
      isPinned=${w.includes(t[C])} bySheet=${d} boxed=${!d||m}
      chosen=${_.has(t[C].short_code)} onChoose=${p} onRemove=${r}
      shape=${t[C].click_count>0&&y.get(t[C].short_code)} onFocus=${n}
      onDialog=${a} />`,R=[];k>=0&&k<$&&R.push(b(k));for(let C=$;C<f;C++)R.push(b(C));return k>=f&&R.push(b(k)),R},[t,$,f,k,c,d,j,U,y,_,m]);return s`<${Kt} rows=${t} />
    <ul class="rows" ref=${i} aria-label="Links" style=${{height:`${t.length*c}px`}}
      data-choosing=${m} aria-busy=${e.phase==="loading"}>
      ${J}
    </ul>`}function bo(e,t,o){let n=A({index:-1,code:""});Y(()=>{let{index:a,code:r}=n.current;if(a<=0||!e.current||t[a]?.short_code===r)return;let i=t.findIndex(c=>c.short_code===r);i>=0&&scrollBy(0,(i-a)*o)},[t]),g(()=>{let a=()=>{let r=e.current?Math.ceil((je-e.current.getBoundingClientRect().top)/o):-1;n.current={index:r,code:t[r]?.short_code}};return a(),addEventListener("scroll",a,{passive:!0}),()=>removeEventListener("scroll",a)},[t,o])}function Kt({rows:e}){let t=h(re).size,o=e&&s`<input type="checkbox" aria-label="Select all links that are shown"
    checked=${t>0&&t>=e.length} indeterminate=${t>0&&t<e.length} onChange=${()=>Lt(e)} />`;return s`<div class="row-head"><span class="row-check">${o}</span>
    <span aria-hidden="true">Link</span><span aria-hidden="true">Destination</span>
    <span class="end" aria-hidden="true">Created</span>
    <span aria-hidden="true" title="Clicks a day, each link to its own scale">Last 30 days</span>
    <span class="end" aria-hidden="true">Clicks</span></div>`}function vo({link:e,index:t,top:o,size:n,flash:a,isPinned:r,bySheet:i,boxed:c,chosen:d,shape:$,onFocus:l,onDialog:f,onChoose:y,onRemove:_}){let{short_code:m,original_url:E,title:w,status:U}=e,p=W(E),k=b=>{St();let R=b.currentTarget.querySelector(".row-link");R.title=`${q(E)}
${rt(new Date(e.created_at))}`},j=()=>f({kind:"actions",link:e}),J=b=>{b.pointerType==="touch"&&(b.preventDefault(),b.stopPropagation(),j())};return s`<li class="row" data-index=${t} data-flash=${a} style=${{top:`${o}px`}}
    aria-setsize=${n} aria-posinset=${t+1} onFocusIn=${()=>l(t)}
    onPointerEnter=${k} data-chosen=${d}>
    ${c&&s`<label class="row-check"><input type="checkbox" aria-label=${`Select ${m}`}
      checked=${d} onClick=${b=>y(e,b.shiftKey)} /></label>`}
    <span class="row-code"><a class="row-link mono" href=${`/ui/links/${m}`}
      aria-label=${`View ${m}`} onClick=${()=>{de.code=m}}>${m}</a>
      <${te} text=${z(m)} label=${`Copy ${T}/${m}`} />
      ${r&&s`<span class="badge">New</span>`}
      ${pe[U]&&s`<span class="state-badge">${pe[U]}</span>`}</span>
    <span class="row-what"><span class="row-text">
      ${w&&s`<span class="row-title">${q(w)}</span>`}
      <span class="row-url"><${oe} url=${E} /></span></span>
      <${wt} tags=${e.tags} most=${i?1:2} plain=${i} class="row-tags" /></span>
    ${i?s`<${O} icon="more" class="row-more" label=${`Actions for ${m}`}
        onClick=${j} />`:s`<span class="row-actions" onClickCapture=${J}>
        <${O} icon="qr" label=${`QR code for ${m}`}
          onClick=${()=>f({kind:"qr",link:e})} />
        ${p&&s`<a class="icon-button" href=${p.href} target="_blank"
          rel="noreferrer noopener" aria-label=${`Open destination of ${m}`}
          title="Open destination"><${S} name="open" /></a>`}
        <${O} icon="remove" label=${`Delete ${m}`} onClick=${()=>_(e)} />
      </span>`}
    <time class="row-time quiet" datetime=${e.created_at}>
      ${at(new Date(e.created_at))}</time>
    ${$&&s`<svg class="row-recent" viewBox="0 0 90 20" aria-hidden="true">
      <path d=${$} /></svg>`}
    <span class="row-clicks"><span class="unseen">clicks: </span>${D(e.click_count)}</span>
  </li>`}var qe=({rows:e,bare:t})=>s`${!t&&s`<${Kt} />`}
  <div class="rows-skeleton" role="status" aria-label="Loading links">
  ${Array.from({length:e},(o,n)=>s`<div class="row" key=${n}><i class="bone" data-size=${n%3} />
      <i class="bone wide" data-size=${(n+1)%3} /><i class="bone small" /></div>`)}
</div>`;var Yt=[["newest","Newest"],["oldest","Oldest"],["clicks","Most clicks"]],Wt={active:"Active",...pe},ko=200,Ke=e=>[...e].slice(0,ko).join("").trim();function Gt(e){let t=(o,n,a)=>n(e.get(o))?e.get(o):a;return{search:Ke(e.get("search")??""),sort:t("sort",o=>Yt.some(([n])=>n===o),"newest"),tag:[...new Set(e.getAll("tag").filter(Boolean))].slice(0,20),status:t("status",o=>o!==null&&Object.hasOwn(Wt,o),"")}}var Se=e=>ke("/ui/",{...e,sort:e.sort==="newest"?"":e.sort}),Zt=({tag:e,status:t})=>e.length>0||!!t;function Vt({query:e,state:t,total:o}){let[n,a]=v(e.search),r=A(e.search);g(()=>{e.search!==r.current&&a(e.search),r.current=e.search},[e.search]),g(()=>{Be()},[]);let i=(l,f)=>{r.current=l.search??Ke(n),F(Se({...e,search:r.current,...l}),f)},c=l=>{a(l),i({search:Ke(l)},{replace:!0})},d=l=>{l.key==="Escape"&&(l.preventDefault(),n?c(""):l.target.blur())},$=e.search?I(o,"match","matches"):I(o,"link","links");return s`<div class="toolbar" role="search">
    <div class="search"><${S} name="search" />
      <input id="search" type="search" class="field" aria-label="Search links"
        placeholder="Search links" autocomplete="off" spellcheck=${!1}
        value=${n} onInput=${l=>c(l.target.value)} onKeyDown=${d} />
      <kbd aria-hidden="true">/</kbd></div>
    <${wo} query=${e} ask=${i} />
    <${Qt} label="State" value=${e.status} onChange=${l=>i({status:l})}
      options=${[["","Any state"],...Object.entries(Wt)]} />
    <${Qt} label="Sort" value=${e.sort} options=${Yt}
      onChange=${l=>i({sort:l},{replace:!0})} />
    <p class="amount" role="status">${t.loaded?t.isLowerBound?`${D(o)}+ matches`:$:""}</p>
  </div>
  ${e.tag.length>0&&s`<div class="chips list-chips">${e.tag.map(l=>s`<button type="button" class="chip" key=${l}
      onClick=${()=>i({tag:e.tag.filter(f=>f!==l)})}>
      <span class="unseen">Remove filter: </span><span class="chip-text">${q(l)}</span>
      <${S} name="close" /></button>`)}
    ${e.tag.length===1&&s`<${yo} key=${e.tag[0]} tag=${e.tag[0]}
      onDone=${l=>i({tag:l?[l]:[]},{replace:!0})} />`}</div>`}`}function yo({tag:e,onDone:t}){let[o,n]=v(!1),a=c=>c.tag.toLowerCase()===e.toLowerCase(),r=h(Ue).find(a);if(!r)return null;let i=c=>{n(!1),t(c)};return s`<button type="button" class="text-button" onClick=${()=>n(!0)}>
    Rename or delete this tag</button>
    ${o&&s`<${Dt} tag=${r.tag} links=${r.links} onDone=${i}
      onClose=${()=>n(!1)} />`}`}var Qt=({label:e,value:t,options:o,onChange:n})=>s`<span class="sort">
  <select class="field" aria-label=${e} value=${t}
    onChange=${a=>n(a.target.value)}>
    ${o.map(([a,r])=>s`<option key=${a} value=${a}>${r}</option>`)}</select></span>`;function wo({query:e,ask:t}){let o=h(Ue),n=r=>e.tag.some(i=>i.toLowerCase()===r.toLowerCase());return s`<span class="sort tag-filter"><select class="field" aria-label="Tag" value=""
      onChange=${r=>{let{value:i}=r.target;r.target.value="",i&&t({tag:[...e.tag,i]})}} onFocus=${()=>Be()}>
      <option value="">${e.tag.length?"Another tag":"Any tag"}</option>
      ${o.length?o.filter(({tag:r})=>!n(r)).map(({tag:r,links:i})=>s`<option key=${r} value=${r}>${q(r)} (${D(i)})</option>`):s`<option value="-" disabled>No tags yet</option>`}</select></span>`}async function Jt({short_code:e}){G(await le(z(e))?`Copied ${T}/${e}`:"Couldn't copy")}function Qe(e){ft(e)?Z(`Deleted ${e.short_code}. Press Z to undo.`):G("Too many deletes at once. Wait ten seconds.")}function Xt(){let{query:e}=h(ne),t=h(Re),o=h(ue),n=h(V),a=h(re),[r,i]=v(null),c=e.toString(),d=ee(()=>Gt(e),[c]),$=kt(d),l=ee(()=>{let p=new Set(t.pinned.map(k=>k.short_code));return[...t.pinned,...t.rows.filter(k=>!p.has(k.short_code))].filter(k=>!be(k.short_code))},[t.rows,t.pinned,o,n]),f=[...a.values()].filter(p=>!be(p.short_code)),y=t.total-t.rows.filter(p=>be(p.short_code)).length,[_,m]=Co(l,$?de.code:"");Y(()=>{document.title="Links · terse",scrollTo(0,Ae.y);let p=()=>{Ae.y=scrollY};return addEventListener("scroll",p,{passive:!0}),()=>removeEventListener("scroll",p)},[]),xo(Te),Y(()=>{$?Te():(yt(d),m(-1),Pe()),de.href=Se(d)},[d]),g(()=>et.watch(p=>p==="up"&&Re.get().phase==="error"&&we()),[]);let E=p=>{l.length&&m(Math.min(l.length-1,Math.max(0,_+p)))},w=p=>k=>l[_]?k.repeat||p(l[_]):!1,U=()=>i(null);return ge({n:ie,"/":()=>document.getElementById("search").focus(),j:()=>E(1),k:()=>E(-1),c:w(p=>Jt(p)),q:w(p=>i({kind:"qr",link:p})),e:w(p=>i({kind:"edit",link:p})),x:w(p=>$e(p,l)),Delete:w(Qe),Escape:()=>{document.activeElement.blur(),m(-1),Pe()}}),s`<main class="page" id="main">
    <h1 class="unseen">Links</h1>
    <${Nt} onQR=${p=>i({kind:"qr",link:{short_code:p}})} />
    <${Vt} query=${d} state=${t} total=${y} />
    <${Lo} state=${t} rows=${l} query=${d} active=${_} setActive=${m}
      onDialog=${i} />
    ${f.length>0&&s`<${Bt} links=${f} />`}
    ${r?.kind==="qr"&&s`<${At} code=${r.link.short_code} onClose=${U} />`}
    ${r?.kind==="edit"&&s`<${Tt} code=${r.link.short_code} onClose=${U} />`}
    ${r?.kind==="actions"&&s`<${To} link=${r.link} rows=${l} onDialog=${i} />`}
  </main>`}function Co(e,t){let[{index:o,code:n},a]=v(()=>({index:e.findIndex(c=>c.short_code===t),code:t})),r=ee(()=>{if(o<0||e[o]?.short_code===n)return o;let c=e.findIndex(d=>d.short_code===n);return c<0?o:c},[e,o,n]),i=c=>a(d=>{let $={index:c,code:e[c]?.short_code??""};return d.index===$.index&&d.code===$.code?d:$});return Y(()=>i(r),[r,e]),[r,i]}function xo(e){g(()=>{let t=!1,o=()=>{t=!0},n=()=>{document.hidden?o():t&&(t=!1,e())};return addEventListener("blur",o),addEventListener("focus",n),document.addEventListener("visibilitychange",n),()=>{removeEventListener("blur",o),removeEventListener("focus",n),document.removeEventListener("visibilitychange",n)}},[])}function Lo({state:e,rows:t,query:o,...n}){return!e.loaded&&e.phase==="error"?s`<${ut} title="Couldn't load links"
    message=${e.error.message} onRetry=${we} />`:e.loaded?t.length===0&&e.phase==="ready"?o.search?s`<${Ro} search=${o.search} />`:Zt(o)?s`<${Ao} query=${o} />`:s`<${So} />`:s`<${qt} state=${e} rows=${t} onRemove=${Qe} ...${n} />
    <${_o} state=${e} search=${o.search} />`:s`<${qe} rows=${8} />`}function _o({state:e,search:t}){return e.phase==="error"?s`<div class="foot" role="alert">
    <p>${e.error.message}</p><button type="button" class="button"
      onClick=${we}>Try again</button></div>`:e.phase==="paused"?s`<div class="foot">
    <p>${e.rows.length?"No more matches so far.":"No matches yet."}</p>
    <button type="button" class="button" onClick=${ye}>Keep searching</button></div>`:vt(e)&&e.next?s`<div class="foot">
    <p>Showing the first ${D(e.rows.length)}. Search or sort to find others.</p></div>`:e.next||e.phase==="more"?s`<${qe}
    rows=${t&&!e.rows.length?8:3} bare=${!0} />`:null}var So=()=>s`<div class="state"><h2>No links yet</h2>
  <p>Paste a long URL above and press Enter. Or from a terminal:</p>
  <${dt} line=${`curl -H "Authorization: Bearer $TERSE_TOKEN" -d '{"original_url":"https://example.com/"}' ${location.origin}/api/urls`} /></div>`,Eo=()=>{F("/ui/",{replace:!0}),document.getElementById("search").focus()},Ro=({search:e})=>s`<div class="state"><h2>No matches for "${q(e)}"</h2>
  <button type="button" class="button" onClick=${Eo}>Clear search</button></div>`,Ao=({query:e})=>s`<div class="state"><h2>No links with this filter</h2>
  <a class="button" href=${Se({...e,tag:[],status:""})}>Remove filter</a></div>`;function To({link:e,rows:t,onDialog:o}){let{short_code:n,original_url:a}=e,r=()=>o(null),i=W(a),c=()=>re.get().has(n)||$e(e,t);return s`<${he} label=${`Actions for ${n}`} class="sheet" onClose=${r}>
    <p class="sheet-title"><b class="mono">${T}/${n}</b>
      <span><${oe} url=${a} /></span></p>
    <button type="button" class="sheet-item" onClick=${()=>Jt(e).then(r)}>
      <${S} name="copy" />Copy link</button>
    <button type="button" class="sheet-item" onClick=${()=>o({kind:"qr",link:e})}>
      <${S} name="qr" />QR code</button>
    <button type="button" class="sheet-item" onClick=${()=>o({kind:"edit",link:e})}>
      <${S} name="edit" />Edit</button>
    <button type="button" class="sheet-item" onClick=${()=>{r(),c()}}>
      <${S} name="done" />Select</button>
    ${i&&s`<a class="sheet-item" href=${i.href} target="_blank"
      rel="noreferrer noopener" onClick=${r}><${S} name="open" />Open destination</a>`}
    <button type="button" class="sheet-item danger" onClick=${()=>{r(),Qe(e)}}>
      <${S} name="remove" />Delete</button>
    <button type="button" class="sheet-item" onClick=${r}>
      <${S} name="close" />Cancel</button>
  <//>`}function Uo(){let{path:e}=h(ne),t=h(ot),[o,n]=v(!1),a=h(ue);return ge({"?":()=>n(!0),n:()=>{F("/ui/"),requestAnimationFrame(()=>document.getElementById("create-url")?.focus())},"/":()=>{F("/ui/"),requestAnimationFrame(()=>document.getElementById("search")?.focus())},z:()=>a.length?Ee():me.get()?.undo?me.get().undo():!1}),Bo(e),t==="left"?s`<${eo} />`:s`<a class="skip" href="#main">Skip to content</a>
    <${Io} path=${e} onHelp=${()=>n(!0)} />
    <${$t} />
    ${it&&s`<aside class="notice" aria-label="Notice">
      Short links start with ${ct}, the address of this page. Set BASE_URL to your public
      address.</aside>`}
    <${Do} path=${e} />
    <${Po} />
    ${o&&s`<${It} onClose=${()=>n(!1)} />`}
    ${t==="out"&&s`<${eo} />`}
    <p id="said" class="unseen" role="status"></p>`}function Bo(e){let t=A(e),o=h(_t);g(()=>{let n=document.querySelector("#main h1");t.current===e||!n||(t.current=e,Z(document.title.replace(/ · terse$/,"")),document.activeElement===document.body&&(n.tabIndex=-1,n.focus({preventScroll:!0})))},[e,o])}function Do({path:e}){if(e==="/ui/")return s`<${Xt} />`;if(e==="/ui/overview")return s`<${Rt} />`;let[,t]=e.match(/^\/ui\/links\/([A-Za-z0-9_-]{3,20})$/)??[];return t?s`<${Et} key=${t} code=${t} />`:s`<main class="page" id="main"><div class="state"><h1>Page not found</h1>
    <p>Check the address.</p><a class="button" href="/ui/">Back to links</a></div></main>`}var Io=({path:e,onHelp:t})=>s`<header class="top"><div class="top-inner">
  <a class="brand" href="/ui/">terse</a>
  <nav aria-label="Pages">
    <a href="/ui/" aria-current=${e==="/ui/"?"page":e.startsWith("/ui/links/")?"true":void 0}>Links</a>
    <a href="/ui/overview" aria-current=${e==="/ui/overview"?"page":void 0}>Overview</a>
  </nav>
  <div class="top-end"><${O} icon="help" label="Keyboard shortcuts" onClick=${t} />
    <${pt} />
    <${O} icon="leave" label="Sign out" onClick=${Oo} /></div>
</div></header>`;async function Oo(){try{let e=V.get();if(await ht(),V.get()!==e)return;await st(),location.assign("/ui/")}catch(e){G(`Couldn't sign out: ${e.message}`)}}function Po(){let e=h(ue),t=h(V),o=h(lt),n=h(me);return s`<div class="toasts" role="region" aria-label="Messages">
    ${o&&s`<div class="toast">${o}</div>`}
    ${n&&s`<div class="toast"><span>${n.text}</span>
      ${n.undo&&s`<button type="button" class="text-button"
        onClick=${n.undo}>Undo</button>`}</div>`}
    ${t&&s`<div class="toast" role="alert">Couldn't delete ${t.codes.length===1?t.codes[0]:I(t.codes.length,"link","links")}: ${t.message}
      <${O} icon="close" label="Close" onClick=${()=>V.set(null)} /></div>`}
    ${e.length>0&&s`<${Mo} links=${e} />`}
  </div>`}function Mo({links:e}){if(e.length>1)return s`<div class="toast">
    <span>${I(e.length,"link","links")} deleted</span>
    <button type="button" class="text-button" onClick=${mt}>Undo all</button></div>`;let[{short_code:t}]=e;return s`<div class="toast"><span>Deleted <b class="mono">${t}</b></span>
    <button type="button" class="text-button" aria-label=${`Undo deleting ${t}`}
      onClick=${Ee}>Undo</button></div>`}function eo(){let[e,t]=v(""),[o,n]=v(""),[a,r]=v(!1),i=A();return g(()=>i.current.focus(),[]),s`<${he} label="Sign in" class="sign-in"><form onSubmit=${async d=>{if(d.preventDefault(),!a){r(!0),n("");try{await nt(e.trim())}catch($){n($.status===401||$.status===400?"That token isn't valid.":$.message),i.current?.select()}finally{r(!1)}}}}>
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
  </form><//>`}Xe(s`<${Uo} />`,document.getElementById("app"));
