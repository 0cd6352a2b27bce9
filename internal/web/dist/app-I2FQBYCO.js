import{a as wt,b as qe,c as Ct,d as _t}from"./chunk-MUJKIRDD.js";import{e as Re,f as Ae,g as Te,h as ne,i as kt,j as Ue}from"./chunk-BYAWBIVS.js";import{a as se,b as xt,c as Be,d as pe,e as Lt}from"./chunk-EVRTXDX2.js";import{a as ue,b as G,c as be,d as dt,e as xe,f as pt,g as mt,h as ge}from"./chunk-MIHY2BHD.js";import{a as Je,b as ie,d as Xe,e as et,g as $t,h as ht,i as Le,j as bt,k as Se,l as de,m as gt,n as yt,o as ye,p as ve,q as Ee,r as ke,w as vt}from"./chunk-MBTQ5TKJ.js";import{a as lt,b as ut}from"./chunk-SMOPKFXZ.js";import{a as St,d as Et,e as Rt,f as At,g as Tt,h as Ut,i as qt,j as Bt,k as we,l as It,n as Dt}from"./chunk-SXFYFMZK.js";import{a as Ze,c as Ve}from"./chunk-W3YQ4EOJ.js";import{a as oe,b as ft,c as Z}from"./chunk-JSWS2VBR.js";import{A as st,B as O,C as R,D as A,E as q,F as le,G as ee,H as rt,I as Y,J as fe,L as at,M as W,N as $e,P as te,Q as it,R as ct,T as he,a as Ge,b as x,c as v,d as j,e as D,f as X,g as me,h,i as n,k as H,l as F,n as tt,q as ot,v as Q,w as ce,z as nt}from"./chunk-CXPDZ6Q7.js";var Ce=1e3,z=me(null),Ie=new AbortController,re=e=>z.get()&&z.set({...z.get(),...e});function De(e){Ie.abort(),z.set({lines:e.map(t=>({url:t,code:"",problem:""})),busy:!1,pause:0})}function Oe(){Ie.abort(),z.set(null)}async function Ot(e){let{signal:t}=Ie=new AbortController,{lines:o}=z.get(),s=o.filter(a=>!a.code);re({busy:!0});try{let a=s.map(({url:c})=>({op:"create",link:{original_url:c}})),{results:r}=await to(()=>ie("POST","/api/bulk",{body:{operations:a}}),t);if(t.aborted)return;let i=new Map(s.map((c,d)=>[c,r[d]]));re({lines:o.map(c=>Xt(c,i.get(c),e))});for(let{link:c}of r)c&&eo(c)}catch(a){if(Ve(a))return;re({lines:o.map(r=>r.code?r:{...r,problem:e(a)})})}re({busy:!1,pause:0})}function Xt(e,t,o){return t?t.link?{...e,code:t.link.short_code,problem:""}:{...e,problem:o({status:t.status,message:t.error})}:e}function eo(e){ge(e.short_code),ke({created_at:new Date().toISOString(),click_count:0,...e})}async function to(e,t){for(;;)try{return await e()}catch(o){if(o.status!==429)throw o;t.throwIfAborted(),re({pause:o.retryAfter??10}),await oo(1e3*z.get().pause,t),re({pause:0})}}var oo=(e,t)=>new Promise((o,s)=>{let a=setTimeout(o,e);t.addEventListener("abort",()=>{clearTimeout(a),s(t.reason)})});var Pe=20,no=200,zt={url:"",code:"",choosing:!1,options:null},_e=me(zt),P=e=>_e.set({..._e.get(),...e}),Mt=async e=>({...(await we()).draftOf(e)});async function so(){let{path:e,query:t}=oe.get(),[o,s,a]=["url","title","code"].map(i=>t.get(i)?.trim()??"");if(e!=="/ui/"||!(o||s||a)||((o||s)&&P({url:o}),a&&P({code:a,choosing:!0}),Z("/ui/",{replace:!0}),ae(),!o&&!s))return;let r=await Mt({title:[...s].slice(0,200).join("")});P({options:r})}function Ht({status:e,message:t},o){return e===0?{field:"url",message:"Not created: can't reach the server. Your text is kept."}:e===409?{field:"code",message:`"${o}" is taken. Try another.`}:e!==400?{field:"url",message:t}:/reserved/i.test(t)?{field:"code",message:`"${o}" is reserved. Try another.`}:/short code/i.test(t)?{field:"code",message:"Use 3–20 letters, digits, - or _."}:/short link/i.test(t)?{field:"url",message:Ue}:/original.url/i.test(t)?{field:"url",message:kt}:{field:"url",message:t}}async function Ft(e,t){try{let o=[...e].slice(0,no).join(""),{urls:s}=await ie("GET",ft("/api/urls",{search:o,limit:20}),{signal:t});return s.filter(a=>a.original_url===e).map(a=>a.short_code)}catch{return[]}}function ro(e){let[t,o]=x({url:"",code:""});return v(()=>{if(!Q(e)||ne(e))return;let s=new AbortController,a=setTimeout(async()=>{let[r=""]=await Ft(e,s.signal);s.signal.aborted||o({url:e,code:r})},200);return()=>{clearTimeout(a),s.abort()}},[e]),t.url===e?t.code:""}var Pt=()=>requestAnimationFrame(()=>requestAnimationFrame(()=>document.querySelector('.create-options [aria-invalid="true"]')?.focus())),ae=()=>document.getElementById("create-url")?.focus();function Nt({onQR:e}){let{url:t,code:o,choosing:s,options:a}=h(_e),[r,i]=x({}),c=h(z),[d,p]=x(null),[m,f]=x(null),[y,L]=x(!1),$=D(),S=ro(Ae(t)),k=(l,C)=>{f(null),p({field:l,message:C}),l==="code"&&$.current?.focus()},T=(l,C)=>{let B=Te(l);if(p(null),B.length>Ce)k("url",`That's ${H(B.length)} URLs. At most ${H(Ce)} can be shortened at a time.`);else if(B.length)De(B);else if(C&&/\s/.test(l.trim())){let N=l.trim().replace(/\s+/g," ");document.execCommand("insertText",!1,N),k("url",ne(l.trim()))}else if(!C&&/^https?:\/\//i.test(l.trim())&&Q(l))P({url:l.trim().replace(/\s+/g," ")}),ne(l.trim())&&k("url",ne(l.trim())),ae();else return!1;return!0},u=(l,C)=>T(C.getData("text"),!0)&&l.preventDefault();v(()=>{so().catch(()=>{})},[]),v(()=>{let l=C=>{C.target.closest?.("input, textarea, dialog")||document.querySelector("dialog[open]")||T(C.clipboardData.getData("text"),!1)&&C.preventDefault()};return addEventListener("paste",l),()=>removeEventListener("paste",l)},[]);let g=async l=>{if(l.preventDefault(),y)return;if(!t.trim())return ae();let C=Te(t);if(C.length&&C.length<=Ce)return De(C),P({url:""});let B={original_url:Ae(t)},N=s?o.trim():"",je=ne(B.original_url);if(je)return k("url",je);if(N.length>Pe)return $.current?.focus();if(a){let{fieldsOf:_,problemsOf:J}=await we(),K={...a,original_url:t},{original_url:I,...Ye}=J(K);if(i(Ye),Object.keys(Ye).length)return Pt();for(let[Jt,We]of Object.entries(_(K)))We!==null&&(B[Jt]=We)}L(!0),p(null),N&&(B.short_code=N);let Qe=ie("POST","/api/urls",{body:B}),Zt=le(Qe.then(_=>O(_.short_code))).catch(()=>!1),Vt=S||Ft(B.original_url,AbortSignal.timeout(5e3));try{let _=await Qe;ge(_.short_code),_e.set(zt),ke({..._,created_at:new Date().toISOString(),click_count:0}),scrollTo(0,0);let J=await Zt;f({..._,copied:J}),W(`${R}/${_.short_code} ${J?"copied":"created"}`),ae();let K=S||(await Vt).find(I=>I!==_.short_code);K&&f(I=>I?.short_code===_.short_code?{...I,existing:K}:I)}catch(_){let{field:J,message:K}=Ht(_,N),I=a&&_.status===400&&(await we()).where(_.message);I&&I!=="original_url"?(i({[I]:/short link/i.test(_.message)?Ue:_.message}),Pt()):k(N?J:"url",K)}finally{L(!1)}},M=()=>{P({choosing:!s,code:""}),p(null),s||requestAnimationFrame(()=>$.current?.focus())},V=l=>{P(l),p(null),m&&f(null)},b=async()=>{if(i({}),a)return P({options:null});P({options:await Mt({})}),requestAnimationFrame(()=>document.getElementById("new-title")?.focus())},E=({original_url:l,...C})=>{i({}),P({url:l,options:C})},U=s&&o.trim().length>Pe?{field:"code",message:`At most ${Pe} characters.`}:d,Ne=l=>U?.field===l?"create-problem":void 0,Ke=S||m?.existing;return n`<form class="create" onSubmit=${g} aria-label="Shorten a URL">
    <div class="create-line">
      <input id="create-url" class="field mono" type="text" inputmode="url" autocomplete="off"
        autocapitalize="off" spellcheck=${!1} aria-label="Long URL"
        placeholder="Paste a long URL" value=${t} onInput=${l=>V({url:l.target.value})}
        onPaste=${l=>u(l,l.clipboardData)} onDrop=${l=>u(l,l.dataTransfer)}
        onKeyDown=${l=>l.key==="Escape"&&l.target.blur()}
        aria-invalid=${U?.field==="url"} aria-describedby=${Ne("url")} />
      <button class="button primary" aria-busy=${y}>Shorten</button>
    </div>
    <${at} text=${t} />
    <div class="create-more">
      ${s?n`<span class="code-field" data-invalid=${U?.field==="code"}>
            <span class="quiet mono">${R}/</span>
            <input ref=${$} class="mono" aria-label="Short code" placeholder="my-link"
            autocomplete="off" autocapitalize="off" spellcheck=${!1}
            value=${o} onInput=${l=>V({code:l.target.value})}
            aria-invalid=${U?.field==="code"} aria-describedby=${Ne("code")} />
            <${q} icon="close" label="Use a random code" onClick=${M} /></span>`:n`<button type="button" class="text-button" onClick=${M}>Custom code</button>`}
      <button type="button" class="text-button" aria-expanded=${!!a}
        onClick=${b}>Options</button>
      ${U&&n`<p id="create-problem" class="problem" role="alert">${U.message}</p>`}
      ${Ke&&n`<${ao} code=${Ke} isOld=${!!m} />`}
      ${m&&n`<p class="made"><${A} name="done" />
        <a class="mono" href=${`/ui/links/${m.short_code}`}>${R}/${m.short_code}</a>
        <span class="quiet">${m.copied?"Copied":"Created"}</span>
        ${!m.copied&&n`<${ee} text=${O(m.short_code)} label="Copy the short URL" />`}
        <${q} icon="qr" label="QR code for the new link"
          onClick=${()=>e(m.short_code)} /></p>`}
    </div>
    ${a&&n`<div class="create-options"><${Bt} id="new" withURL=${!1}
        draft=${{...a,original_url:t}} onChange=${E} problems=${r} />
      <div class="form-end"><button type="button" class="button"
        onClick=${b}>Cancel</button>
        <button class="button primary" aria-busy=${y}>Shorten</button></div></div>`}
    ${c&&n`<${co} batch=${c} />`}
  </form>`}function ao({code:e,isOld:t}){let o=`${R}/${e}`;v(()=>W(`You already ${t?"had":"have"} ${o} for this URL`),[e]);let s=n`<a class="mono" href=${`/ui/links/${e}`}>${o}</a>`;return n`<p class="known">You already ${t?"had":"have"} ${s} for this URL
    <${ee} text=${O(e)} label=${`Copy ${o} instead`} /></p>`}async function io(e){Y(await le(e.map(t=>O(t.code)).join(`
`))?`Copied ${F(e.length,"short URL","short URLs")}`:"Couldn't copy")}function co({batch:{lines:e,busy:t,pause:o}}){let s=e.filter(f=>f.code),a=e.length-s.length,r=()=>Ot(f=>Ht(f).message),i=D();v(()=>{(document.activeElement===document.body||!t&&!s.length)&&i.current.querySelector(".batch-end button:last-of-type").focus()},[t]);let c=F(a,"URL","URLs"),p=s.length>0||e.some(f=>f.problem)?`Try ${c} again`:`Shorten ${c}`,m="";return o?m=`Too many requests. Continuing in ${o} s.`:(s.length||t)&&(m=`${H(s.length)} of ${F(e.length,"URL","URLs")} shortened`),n`<section ref=${i} class="batch" aria-label="Several URLs">
    <ol>${e.map(({url:f,code:y,problem:L},$)=>n`<li key=${$}><${te} url=${f} />
      ${y&&n`<span class="batch-result">
        <a class="mono" href=${`/ui/links/${y}`}>${R}/${y}</a>
        <${ee} text=${O(y)} label=${`Copy ${R}/${y}`} /></span>`}
      ${L&&n`<span class="problem">${L}</span>`}</li>`)}</ol>
    <div class="batch-end"><p class="quiet" role="status">${m}</p>
      ${t?n`<button type="button" class="button" onClick=${Oe}>Stop</button>`:n`<button type="button" class="button" onClick=${Oe}>
          ${s.length?"Close":"Cancel"}</button>
        ${s.length>0&&n`<button type="button" class="button" onClick=${()=>io(s)}>
          ${`Copy ${F(s.length,"short URL","short URLs")}`}</button>`}
        ${a>0&&n`<button type="button" class="button primary" onClick=${r}>${p}</button>`}`}</div>
  </section>`}var lo=matchMedia("(max-width: 720px)"),ze=matchMedia("(hover: none), (pointer: coarse), (max-width: 720px)"),uo=()=>lo.matches?68:48,Kt=4,Me=56;function po(e,t){let o=()=>{let r=uo(),i=ze.matches,c=e.current?-e.current.getBoundingClientRect().top:0,d=Math.max(0,Math.floor(c/r)-Kt);return{height:r,bySheet:i,first:d-d%4,size:Math.ceil(innerHeight/r)+2*Kt+4}},[s,a]=x(o);return v(()=>{let r=()=>a(i=>{let c=o();return c.first===i.first&&c.size===i.size&&c.height===i.height&&c.bySheet===i.bySheet?i:c});return e.current&&r(),addEventListener("scroll",r,{passive:!0}),addEventListener("resize",r),ze.addEventListener("change",r),()=>{ze.removeEventListener("change",r),removeEventListener("scroll",r),removeEventListener("resize",r)}},[t===0]),s}function jt({state:e,rows:t,active:o,setActive:s,onDialog:a,onRemove:r}){let i=D(),{height:c,bySheet:d,first:p,size:m}=po(i,t.length),f=Math.min(t.length,p+m);v(()=>{e.phase==="ready"&&f>t.length-40&&ye()},[f,t.length,e.phase]),mo(i,t,c);let y=h($t),L=h(se),$=h(xt);v(()=>ht(t.slice(p,f)),[p,f,t,y]);let S=D({active:o,code:""});j(()=>{let b=t[o]?.short_code,E=S.current.active!==o,w=S.current.code===b;if(S.current={active:o,code:b},w||o<0||!i.current||i.current.querySelector(":focus")?.closest(`[data-index="${o}"]`)||!E&&document.activeElement!==document.body)return;let U=i.current.getBoundingClientRect().top+o*c;U<Me?scrollBy(0,U-Me-8):U+c>innerHeight&&scrollBy(0,U+c-innerHeight+8),i.current.querySelector(`[data-index="${o}"] .row-link`)?.focus({preventScroll:!0})},[o,t[o]?.short_code]);let{pinned:k,fresh:T}=e,u=(b,E)=>pe(b,t,E),g=o>=0&&o<t.length&&(o<p||o>=f)?o:-1,M=e.next?-1:t.length,V=X(()=>{let b=w=>n`<${fo} key=${t[w].short_code} link=${t[w]} index=${w}
      top=${w*c} size=${M} flash=${t[w].short_code===T}
      isPinned=${k.includes(t[w])} bySheet=${d} boxed=${!d||$}
      chosen=${L.has(t[w].short_code)} onChoose=${u} onRemove=${r}
      shape=${t[w].click_count>0&&y.get(t[w].short_code)} onFocus=${s}
      onDialog=${a} />`,E=[];g>=0&&g<p&&E.push(b(g));for(let w=p;w<f;w++)E.push(b(w));return g>=f&&E.push(b(g)),E},[t,p,f,g,c,d,M,T,y,L,$]);return n`<${Qt} rows=${t} />
    <ul class="rows" ref=${i} aria-label="Links" style=${{height:`${t.length*c}px`}}
      data-choosing=${$} aria-busy=${e.phase==="loading"}>
      ${V}
    </ul>`}function mo(e,t,o){let s=D({index:-1,code:""});j(()=>{let{index:a,code:r}=s.current;if(a<=0||!e.current||t[a]?.short_code===r)return;let i=t.findIndex(c=>c.short_code===r);i>=0&&scrollBy(0,(i-a)*o)},[t]),v(()=>{let a=()=>{let r=e.current?Math.ceil((Me-e.current.getBoundingClientRect().top)/o):-1;s.current={index:r,code:t[r]?.short_code}};return a(),addEventListener("scroll",a,{passive:!0}),()=>removeEventListener("scroll",a)},[t,o])}function Qt({rows:e}){let t=h(se).size,o=e&&n`<input type="checkbox" aria-label="Select all links that are shown"
    checked=${t>0&&t>=e.length} indeterminate=${t>0&&t<e.length} onChange=${()=>Lt(e)} />`;return n`<div class="row-head"><span class="row-check">${o}</span>
    <span aria-hidden="true">Link</span><span aria-hidden="true">Destination</span>
    <span class="end" aria-hidden="true">Created</span>
    <span aria-hidden="true" title="Clicks a day, each link to its own scale">Last 30 days</span>
    <span class="end" aria-hidden="true">Clicks</span></div>`}function fo({link:e,index:t,top:o,size:s,flash:a,isPinned:r,bySheet:i,boxed:c,chosen:d,shape:p,onFocus:m,onDialog:f,onChoose:y,onRemove:L}){let{short_code:$,original_url:S,title:k,status:T}=e,u=Q(S),g=b=>{Et();let E=b.currentTarget.querySelector(".row-link");E.title=`${ce(S)}
${tt(new Date(e.created_at))}`},M=()=>f({kind:"actions",link:e}),V=b=>{b.pointerType==="touch"&&(b.preventDefault(),b.stopPropagation(),M())};return n`<li class="row" data-index=${t} data-flash=${a} style=${{top:`${o}px`}}
    aria-setsize=${s} aria-posinset=${t+1} onFocusIn=${()=>m(t)}
    onPointerEnter=${g} data-chosen=${d}>
    ${c&&n`<label class="row-check"><input type="checkbox" aria-label=${`Select ${$}`}
      checked=${d} onClick=${b=>y(e,b.shiftKey)} /></label>`}
    <span class="row-code"><a class="row-link mono" href=${`/ui/links/${$}`}
      aria-label=${`View ${$}`} onClick=${()=>{de.code=$}}>${$}</a>
      <${ee} text=${O($)} label=${`Copy ${R}/${$}`} />
      ${r&&n`<span class="badge">New</span>`}
      ${Re[T]&&n`<span class="state-badge">${Re[T]}</span>`}</span>
    <span class="row-what"><span class="row-text">
      ${k&&n`<span class="row-title">${ce(k)}</span>`}
      <span class="row-url"><${te} url=${S} /></span></span>
      <${vt} tags=${e.tags} most=${i?1:2} plain=${i} class="row-tags" /></span>
    ${i?n`<${q} icon="more" class="row-more" label=${`Actions for ${$}`}
        onClick=${M} />`:n`<span class="row-actions" onClickCapture=${V}>
        <${q} icon="qr" label=${`QR code for ${$}`}
          onClick=${()=>f({kind:"qr",link:e})} />
        ${u&&n`<a class="icon-button" href=${u.href} target="_blank"
          rel="noreferrer noopener" aria-label=${`Open destination of ${$}`}
          title="Open destination"><${A} name="open" /></a>`}
        <${q} icon="remove" label=${`Delete ${$}`} onClick=${()=>L(e)} />
      </span>`}
    <time class="row-time quiet" datetime=${e.created_at}>
      ${ot(new Date(e.created_at))}</time>
    ${p&&n`<svg class="row-recent" viewBox="0 0 90 20" aria-hidden="true">
      <path d=${p} /></svg>`}
    <span class="row-clicks"><span class="unseen">clicks: </span>${H(e.click_count)}</span>
  </li>`}var He=({rows:e,bare:t})=>n`${!t&&n`<${Qt} />`}
  <div class="rows-skeleton" role="status" aria-label="Loading links">
  ${Array.from({length:e},(o,s)=>n`<div class="row" key=${s}><i class="bone" data-size=${s%3} />
      <i class="bone wide" data-size=${(s+1)%3} /><i class="bone small" /></div>`)}
</div>`;async function Yt({short_code:e}){Y(await le(O(e))?`Copied ${R}/${e}`:"Couldn't copy")}function Fe(e){dt(e)?W(`Deleted ${e.short_code}. Press Z to undo.`):Y("Too many deletes at once. Wait ten seconds.")}function Wt(){let{query:e}=h(oe),t=h(Le),o=h(ue),s=h(G),a=h(se),[r,i]=x(null),c=e.toString(),d=X(()=>wt(e),[c]),p=gt(d),m=X(()=>{let u=new Set(t.pinned.map(g=>g.short_code));return[...t.pinned,...t.rows.filter(g=>!u.has(g.short_code))].filter(g=>!be(g.short_code))},[t.rows,t.pinned,o,s]),f=[...a.values()].filter(u=>!be(u.short_code)),y=t.total-t.rows.filter(u=>be(u.short_code)).length,[L,$]=$o(m,p?de.code:"");j(()=>{document.title="Links · terse",scrollTo(0,Se.y);let u=()=>{Se.y=scrollY};return addEventListener("scroll",u,{passive:!0}),()=>removeEventListener("scroll",u)},[]),ho(Ee),j(()=>{p?Ee():(yt(d),$(-1),Be()),de.href=qe(d)},[d]),v(()=>Ze.watch(u=>u==="up"&&Le.get().phase==="error"&&ve()),[]);let S=u=>{m.length&&$(Math.min(m.length-1,Math.max(0,L+u)))},k=u=>g=>m[L]?g.repeat||u(m[L]):!1,T=()=>i(null);return he({n:ae,"/":()=>document.getElementById("search").focus(),j:()=>S(1),k:()=>S(-1),c:k(u=>Yt(u)),q:k(u=>i({kind:"qr",link:u})),e:k(u=>i({kind:"edit",link:u})),x:k(u=>pe(u,m)),Delete:k(Fe),Escape:()=>{document.activeElement.blur(),$(-1),Be()}}),n`<main class="page" id="main">
    <h1 class="unseen">Links</h1>
    <${Nt} onQR=${u=>i({kind:"qr",link:{short_code:u}})} />
    <${_t} query=${d} state=${t} total=${y} />
    <${bo} state=${t} rows=${m} query=${d} active=${L} setActive=${$}
      onDialog=${i} />
    ${f.length>0&&n`<${It} links=${f} />`}
    ${r?.kind==="qr"&&n`<${Ut} code=${r.link.short_code} onClose=${T} />`}
    ${r?.kind==="edit"&&n`<${qt} code=${r.link.short_code} onClose=${T} />`}
    ${r?.kind==="actions"&&n`<${Co} link=${r.link} rows=${m} onDialog=${i} />`}
  </main>`}function $o(e,t){let[{index:o,code:s},a]=x(()=>({index:e.findIndex(c=>c.short_code===t),code:t})),r=X(()=>{if(o<0||e[o]?.short_code===s)return o;let c=e.findIndex(d=>d.short_code===s);return c<0?o:c},[e,o,s]),i=c=>a(d=>{let p={index:c,code:e[c]?.short_code??""};return d.index===p.index&&d.code===p.code?d:p});return j(()=>i(r),[r,e]),[r,i]}function ho(e){v(()=>{let t=!1,o=()=>{t=!0},s=()=>{document.hidden?o():t&&(t=!1,e())};return addEventListener("blur",o),addEventListener("focus",s),document.addEventListener("visibilitychange",s),()=>{removeEventListener("blur",o),removeEventListener("focus",s),document.removeEventListener("visibilitychange",s)}},[])}function bo({state:e,rows:t,query:o,...s}){return!e.loaded&&e.phase==="error"?n`<${it} title="Couldn't load links"
    message=${e.error.message} onRetry=${ve} />`:e.loaded?t.length===0&&e.phase==="ready"?o.search?n`<${ko} search=${o.search} />`:Ct(o)?n`<${wo} query=${o} />`:n`<${yo} />`:n`<${jt} state=${e} rows=${t} onRemove=${Fe} ...${s} />
    <${go} state=${e} search=${o.search} />`:n`<${He} rows=${8} />`}function go({state:e,search:t}){return e.phase==="error"?n`<div class="foot" role="alert">
    <p>${e.error.message}</p><button type="button" class="button"
      onClick=${ve}>Try again</button></div>`:e.phase==="paused"?n`<div class="foot">
    <p>${e.rows.length?"No more matches so far.":"No matches yet."}</p>
    <button type="button" class="button" onClick=${ye}>Keep searching</button></div>`:bt(e)&&e.next?n`<div class="foot">
    <p>Showing the first ${H(e.rows.length)}. Search or sort to find others.</p></div>`:e.next||e.phase==="more"?n`<${He}
    rows=${t&&!e.rows.length?8:3} bare=${!0} />`:null}var yo=()=>n`<div class="state"><h2>No links yet</h2>
  <p>Paste a long URL above and press Enter. Or from a terminal:</p>
  <${ct} line=${`curl -H "Authorization: Bearer $TERSE_TOKEN" -d '{"original_url":"https://example.com/"}' ${location.origin}/api/urls`} /></div>`,vo=()=>{Z("/ui/",{replace:!0}),document.getElementById("search").focus()},ko=({search:e})=>n`<div class="state"><h2>No matches for "${ce(e)}"</h2>
  <button type="button" class="button" onClick=${vo}>Clear search</button></div>`,wo=({query:e})=>n`<div class="state"><h2>No links with this filter</h2>
  <a class="button" href=${qe({...e,tag:[],status:""})}>Remove filter</a></div>`;function Co({link:e,rows:t,onDialog:o}){let{short_code:s,original_url:a}=e,r=()=>o(null),i=Q(a),c=()=>se.get().has(s)||pe(e,t);return n`<${$e} label=${`Actions for ${s}`} class="sheet" onClose=${r}>
    <p class="sheet-title"><b class="mono">${R}/${s}</b>
      <span><${te} url=${a} /></span></p>
    <button type="button" class="sheet-item" onClick=${()=>Yt(e).then(r)}>
      <${A} name="copy" />Copy link</button>
    <button type="button" class="sheet-item" onClick=${()=>o({kind:"qr",link:e})}>
      <${A} name="qr" />QR code</button>
    <button type="button" class="sheet-item" onClick=${()=>o({kind:"edit",link:e})}>
      <${A} name="edit" />Edit</button>
    <button type="button" class="sheet-item" onClick=${()=>{r(),c()}}>
      <${A} name="done" />Select</button>
    ${i&&n`<a class="sheet-item" href=${i.href} target="_blank"
      rel="noreferrer noopener" onClick=${r}><${A} name="open" />Open destination</a>`}
    <button type="button" class="sheet-item danger" onClick=${()=>{r(),Fe(e)}}>
      <${A} name="remove" />Delete</button>
    <button type="button" class="sheet-item" onClick=${r}>
      <${A} name="close" />Cancel</button>
  <//>`}function _o(){let{path:e}=h(oe),t=h(Je),[o,s]=x(!1),a=h(ue);return he({"?":()=>s(!0),n:()=>{Z("/ui/"),requestAnimationFrame(()=>document.getElementById("create-url")?.focus())},"/":()=>{Z("/ui/"),requestAnimationFrame(()=>document.getElementById("search")?.focus())},z:()=>a.length?xe():fe.get()?.undo?fe.get().undo():!1}),xo(e),t==="left"?n`<${Gt} />`:n`<a class="skip" href="#main">Skip to content</a>
    <${So} path=${e} onHelp=${()=>s(!0)} />
    <${ut} />
    ${nt&&n`<aside class="notice" aria-label="Notice">
      Short links start with ${st}, the address of this page. Set BASE_URL to your public
      address.</aside>`}
    <${Lo} path=${e} />
    <${Ro} />
    ${o&&n`<${Dt} onClose=${()=>s(!1)} />`}
    ${t==="out"&&n`<${Gt} />`}
    <p id="said" class="unseen" role="status"></p>`}function xo(e){let t=D(e),o=h(St);v(()=>{let s=document.querySelector("#main h1");t.current===e||!s||(t.current=e,W(document.title.replace(/ · terse$/,"")),document.activeElement===document.body&&(s.tabIndex=-1,s.focus({preventScroll:!0})))},[e,o])}function Lo({path:e}){if(e==="/ui/")return n`<${Wt} />`;if(e==="/ui/overview")return n`<${At} />`;if(e==="/ui/unknown")return n`<${Tt} />`;let[,t]=e.match(/^\/ui\/links\/([A-Za-z0-9_-]{3,20})$/)??[];return t?n`<${Rt} key=${t} code=${t} />`:n`<main class="page" id="main"><div class="state"><h1>Page not found</h1>
    <p>Check the address.</p><a class="button" href="/ui/">Back to links</a></div></main>`}var So=({path:e,onHelp:t})=>n`<header class="top"><div class="top-inner">
  <a class="brand" href="/ui/">terse</a>
  <nav aria-label="Pages">
    <a href="/ui/" aria-current=${e==="/ui/"?"page":e.startsWith("/ui/links/")?"true":void 0}>Links</a>
    <a href="/ui/overview" aria-current=${e==="/ui/overview"?"page":e==="/ui/unknown"?"true":void 0}>Overview</a>
  </nav>
  <div class="top-end"><${q} icon="help" label="Keyboard shortcuts" onClick=${t} />
    <${lt} />
    <${q} icon="leave" label="Sign out" onClick=${Eo} /></div>
</div></header>`;async function Eo(){try{let e=G.get();if(await mt(),G.get()!==e)return;await et(),location.assign("/ui/")}catch(e){Y(`Couldn't sign out: ${e.message}`)}}function Ro(){let e=h(ue),t=h(G),o=h(rt),s=h(fe);return n`<div class="toasts" role="region" aria-label="Messages">
    ${o&&n`<div class="toast">${o}</div>`}
    ${s&&n`<div class="toast"><span>${s.text}</span>
      ${s.undo&&n`<button type="button" class="text-button"
        onClick=${s.undo}>Undo</button>`}</div>`}
    ${t&&n`<div class="toast" role="alert">Couldn't delete ${t.codes.length===1?t.codes[0]:F(t.codes.length,"link","links")}: ${t.message}
      <${q} icon="close" label="Close" onClick=${()=>G.set(null)} /></div>`}
    ${e.length>0&&n`<${Ao} links=${e} />`}
  </div>`}function Ao({links:e}){if(e.length>1)return n`<div class="toast">
    <span>${F(e.length,"link","links")} deleted</span>
    <button type="button" class="text-button" onClick=${pt}>Undo all</button></div>`;let[{short_code:t}]=e;return n`<div class="toast"><span>Deleted <b class="mono">${t}</b></span>
    <button type="button" class="text-button" aria-label=${`Undo deleting ${t}`}
      onClick=${xe}>Undo</button></div>`}function Gt(){let[e,t]=x(""),[o,s]=x(""),[a,r]=x(!1),i=D();return v(()=>i.current.focus(),[]),n`<${$e} label="Sign in" class="sign-in"><form onSubmit=${async d=>{if(d.preventDefault(),!a){r(!0),s("");try{await Xe(e.trim())}catch(p){s(p.status===401||p.status===400?"That token isn't valid.":p.message),i.current?.select()}finally{r(!1)}}}}>
    <p class="brand">terse</p><h2>Sign in</h2>
    <input class="unseen" type="text" name="username" autocomplete="username" value="terse" readonly
      tabindex="-1" aria-hidden="true" />
    <label for="token">Access token</label>
    <input id="token" ref=${i} class="field mono" type="password"
      autocomplete="current-password" required value=${e}
      onInput=${d=>{t(d.target.value),s("")}}
      aria-invalid=${!!o}
      aria-describedby=${o?"token-problem":"token-hint"} />
    ${o?n`<p id="token-problem" class="problem" role="alert">${o}</p>`:n`<p id="token-hint" class="hint">
        The token printed when the server first started, or one from AUTH_TOKENS. Lost it?
        Run <code class="mono">terse token</code>.</p>`}
    <button class="button primary" aria-busy=${a}>Sign in</button>
  </form><//>`}Ge(n`<${_o} />`,document.getElementById("app"));
