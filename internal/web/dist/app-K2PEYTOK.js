import{a as se,b as Et,c as Be,d as ue,e as Ut}from"./chunk-MCKAW7OX.js";import{a as At,b as Tt,c as we,d as qt,e as Bt,f as Dt,g as It,h as De,i as Ot,j as Pt}from"./chunk-RHEJQ7KB.js";import{a as $t,b as ce,c as G,d as he,e as ft,f as Se,g as ht,h as gt,i as ge}from"./chunk-LKJZ4UPD.js";import{a as pt,b as mt}from"./chunk-C33OHAW5.js";import{a as bt,b as yt,c as be}from"./chunk-KCHCFZU3.js";import{e as Rt,f as qe}from"./chunk-34G3JOU4.js";import{a as Ae,b as Te,c as ne,e as Lt}from"./chunk-5CW5BPVR.js";import{a as et,b as Le,d as tt,e as ot,h as vt,i as wt,j as Re,k as Ct,l as Ee,m as le,n as _t,o as xt,p as ye,q as ke,r as Ue,s as ve,y as St}from"./chunk-3M7SCBBP.js";import{a as Ve,c as Je,g as Xe}from"./chunk-3ZQJPBMH.js";import{a as oe,b as kt,c as Z}from"./chunk-4ML2RHRV.js";import{A as rt,B as at,C as P,D as E,E as U,F as q,G as ie,H as ee,I as it,J as Y,K as me,M as ct,N as W,P as $e,R as te,T as lt,U as ut,V as dt,X as fe,a as Ze,b as x,c as y,d as j,e as O,f as X,g as pe,h,i as s,k as H,l as N,n as nt,q as st,w as Q,x as ae}from"./chunk-AF6ZNSPA.js";var Ce=1e3,z=pe(null),Ie=new AbortController,de=e=>z.get()&&z.set({...z.get(),...e});function Oe(e){Ie.abort(),z.set({lines:e.map(t=>({url:t,code:"",problem:""})),busy:!1,pause:0})}function Pe(){Ie.abort(),z.set(null)}async function zt(e){let{signal:t}=Ie=new AbortController,o=z.get().lines.filter(r=>!r.code),n=0,i=r=>{let a=new Map(r.map((c,d)=>[o[n+d],c]));n+=r.length,de({lines:z.get().lines.map(c=>oo(c,a.get(c),e))});for(let{link:c}of r)c&&no(c)};de({busy:!0});try{await $t(o.map(({url:r})=>({op:"create",link:{original_url:r}})),i,{signal:t,onPause:r=>de({pause:r})})}catch(r){if(Je(r))return;de({lines:z.get().lines.map(a=>a.code?a:{...a,problem:e(r,a.url)})})}de({busy:!1,pause:0})}function oo(e,t,o){if(!t)return e;if(t.link)return{...e,code:t.link.short_code,problem:""};if(t.link_omitted)return{...e,problem:"Shortened. Find it in the list of links."};let{status:n,field:i,error:r}=t;return{...e,problem:o({status:n,field:i,message:Xe(r)},e.url)}}function no(e){ge(e.short_code),ve({created_at:new Date().toISOString(),click_count:0,...e})}var ze=20,so=200,Ht={url:"",code:"",choosing:!1,options:null},_e=pe(Ht),M=e=>_e.set({..._e.get(),...e}),Nt=async e=>({...(await we()).draftOf(e)});async function ro(){let{path:e,query:t}=oe.get(),[o,n,i]=["url","title","code"].map(a=>t.get(a)?.trim()??"");if(e!=="/ui/"||!(o||n||i)||((o||n)&&M({url:o}),i&&M({code:i,choosing:!0}),Z("/ui/",{replace:!0}),re(),!o&&!n))return;let r=await Nt({title:[...n].slice(0,200).join("")});M({options:r})}function Ft({status:e,field:t,message:o},n,i){return e===0?{field:"url",message:"Not created: can't reach the server. Your text is kept."}:t==="short_code"?{field:"code",message:ao(e,i)}:{field:"url",message:t==="original_url"?Lt(n,o):o}}function ao(e,t){return/^[\w-]{3,20}$/.test(t)?`"${t}" is ${e===409?"taken":"reserved"}. Try another.`:"Use 3–20 letters, digits, - or _."}async function Kt(e,t){try{let o=[...e].slice(0,so).join(""),{urls:n}=await Le("GET",kt("/api/urls",{search:o,limit:20}),{signal:t});return n.filter(i=>i.original_url===e&&!Rt(i)).map(i=>i.short_code)}catch{return[]}}function io(e){let[t,o]=x({url:"",code:""});return y(()=>{if(!Q(e)||ne(e))return;let n=new AbortController,i=setTimeout(async()=>{let[r=""]=await Kt(e,n.signal);n.signal.aborted||o({url:e,code:r})},200);return()=>{clearTimeout(i),n.abort()}},[e]),t.url===e?t.code:""}var Mt=()=>lt(document.querySelector(".create-options")),re=()=>document.getElementById("create-url")?.focus();function jt({onQR:e}){let{url:t,code:o,choosing:n,options:i}=h(_e),[r,a]=x({}),c=h(z),[d,p]=x(null),[m,$]=x(null),[g,k]=x(!1),f=O(),L=io(Ae(t)),v=(l,_)=>{$(null),p({field:l,message:_}),l==="code"&&f.current?.focus()},A=(l,_)=>{let D=Te(l);if(p(null),D.length>Ce)v("url",`That's ${H(D.length)} URLs. At most ${H(Ce)} can be shortened at a time.`);else if(D.length)Oe(D);else if(_&&/\s/.test(l.trim())){let F=l.trim().replace(/\s+/g," ");document.execCommand("insertText",!1,F),v("url",ne(l.trim()))}else if(!_&&/^https?:\/\//i.test(l.trim())&&Q(l))M({url:l.trim().replace(/\s+/g," ")}),ne(l.trim())&&v("url",ne(l.trim())),re();else return!1;return!0},B=(l,_)=>A(_.getData("text"),!0)&&l.preventDefault();y(()=>{ro().catch(()=>{})},[]),y(()=>{let l=_=>{_.target.closest?.("input, textarea, dialog")||document.querySelector("dialog[open]")||A(_.clipboardData.getData("text"),!1)&&_.preventDefault()};return addEventListener("paste",l),()=>removeEventListener("paste",l)},[]);let u=async l=>{if(l.preventDefault(),g)return;if(!t.trim())return re();let _=Te(t);if(_.length&&_.length<=Ce)return Oe(_),M({url:""});let D={original_url:Ae(t)},F=n?o.trim():"",Qe=ne(D.original_url);if(Qe)return v("url",Qe);if(F.length>ze)return f.current?.focus();if(i){let{fieldsOf:S,problemsOf:J}=await we(),K={...i,original_url:t},{original_url:I,...We}=J(K);if(a(We),Object.keys(We).length)return Mt();for(let[to,Ge]of Object.entries(S(K)))Ge!==null&&(D[to]=Ge)}k(!0),p(null),F&&(D.short_code=F);let Ye=Le("POST","/api/urls",{body:D}),Xt=ie(Ye.then(S=>P(S.short_code))).catch(()=>!1),eo=L||Kt(D.original_url,AbortSignal.timeout(5e3));try{let S=await Ye;ge(S.short_code),_e.set(Ht),ve({...S,created_at:new Date().toISOString(),click_count:0}),scrollTo(0,0);let J=await Xt;$({...S,copied:J}),W(`${E}/${S.short_code} ${J?"copied":"created"}`),re();let K=L||(await eo).find(I=>I!==S.short_code);K&&$(I=>I?.short_code===S.short_code?{...I,existing:K}:I)}catch(S){let{field:J,message:K}=Ft(S,t,F),I=i&&(await we()).refusalOf(S,{...i,original_url:t});I&&!I.original_url?(a(I),Mt()):v(F?J:"url",K)}finally{k(!1)}},w=()=>{M({choosing:!n,code:""}),p(null),n||requestAnimationFrame(()=>f.current?.focus())},V=l=>{M(l),p(null),m&&$(null)},b=async()=>{if(a({}),i)return M({options:null});M({options:await Nt({})}),requestAnimationFrame(()=>document.getElementById("new-title")?.focus())},R=({original_url:l,..._})=>{a({}),M({url:l,options:_})},T=n&&o.trim().length>ze?{field:"code",message:`At most ${ze} characters.`}:d,Ke=l=>T?.field===l?"create-problem":void 0,je=L||m?.existing;return s`<form class="create" onSubmit=${u} aria-label="Shorten a URL">
    <div class="create-line">
      <input id="create-url" class="field mono" type="text" inputmode="url" autocomplete="off"
        autocapitalize="off" spellcheck=${!1} aria-label="Long URL"
        placeholder="Paste a long URL" value=${t} onInput=${l=>V({url:l.target.value})}
        onPaste=${l=>B(l,l.clipboardData)} onDrop=${l=>B(l,l.dataTransfer)}
        onKeyDown=${l=>l.key==="Escape"&&l.target.blur()}
        aria-invalid=${T?.field==="url"} aria-describedby=${Ke("url")} />
      <button class="button primary" aria-busy=${g}>Shorten</button>
    </div>
    <${ct} text=${t} />
    <div class="create-more">
      ${n?s`<span class="code-field" data-invalid=${T?.field==="code"}>
            <span class="quiet mono">${E}/</span>
            <input ref=${f} class="mono" aria-label="Short code" placeholder="my-link"
            autocomplete="off" autocapitalize="off" spellcheck=${!1}
            value=${o} onInput=${l=>V({code:l.target.value})}
            aria-invalid=${T?.field==="code"} aria-describedby=${Ke("code")} />
            <${q} icon="close" label="Use a random code" onClick=${w} /></span>`:s`<button type="button" class="text-button" onClick=${w}>Custom code</button>`}
      <button type="button" class="text-button" aria-expanded=${!!i}
        onClick=${b}>Options</button>
      ${T&&s`<p id="create-problem" class="problem" role="alert">${T.message}</p>`}
      ${je&&s`<${co} code=${je} isOld=${!!m} />`}
      ${m&&s`<p class="made"><${U} name="done" />
        <a class="mono" href=${`/ui/links/${m.short_code}`}>${E}/${m.short_code}</a>
        <span class="quiet">${m.copied?"Copied":"Created"}</span>
        ${!m.copied&&s`<${ee} text=${P(m.short_code)} label="Copy the short URL" />`}
        <${q} icon="qr" label="QR code for the new link"
          onClick=${()=>e(m.short_code)} /></p>`}
    </div>
    ${i&&s`<div class="create-options"><${Tt} id="new" withURL=${!1}
        draft=${{...i,original_url:t}} onChange=${R} problems=${r} />
      <div class="form-end"><button type="button" class="button"
        onClick=${b}>Cancel</button>
        <button class="button primary" aria-busy=${g}>Shorten</button></div></div>`}
    ${c&&s`<${uo} batch=${c} />`}
  </form>`}function co({code:e,isOld:t}){let o=`${E}/${e}`;y(()=>W(`You already ${t?"had":"have"} ${o} for this URL`),[e]);let n=s`<a class="mono" href=${`/ui/links/${e}`}>${o}</a>`;return s`<p class="known">You already ${t?"had":"have"} ${n} for this URL
    <${ee} text=${P(e)} label=${`Copy ${o} instead`} /></p>`}async function lo(e){Y(await ie(e.map(t=>P(t.code)).join(`
`))?`Copied ${N(e.length,"short URL","short URLs")}`:"Couldn't copy")}function uo({batch:{lines:e,busy:t,pause:o}}){let n=e.filter($=>$.code),i=e.length-n.length,r=()=>zt(($,g)=>Ft($,g).message),a=O();y(()=>{(document.activeElement===document.body||!t&&!n.length)&&a.current.querySelector(".batch-end button:last-of-type").focus()},[t]);let c=N(i,"URL","URLs"),p=n.length>0||e.some($=>$.problem)?`Try ${c} again`:`Shorten ${c}`,m="";return o?m=`Too many requests. Continuing in ${o} s.`:(n.length||t)&&(m=`${H(n.length)} of ${N(e.length,"URL","URLs")} shortened`),s`<section ref=${a} class="batch" aria-label="Several URLs">
    <ol>${e.map(({url:$,code:g,problem:k},f)=>s`<li key=${f}><${te} url=${$} />
      ${g&&s`<span class="batch-result">
        <a class="mono" href=${`/ui/links/${g}`}>${E}/${g}</a>
        <${ee} text=${P(g)} label=${`Copy ${E}/${g}`} /></span>`}
      ${k&&s`<span class="problem">${k}</span>`}</li>`)}</ol>
    <div class="batch-end"><p class="quiet" role="status">${m}</p>
      ${t?s`<button type="button" class="button" onClick=${Pe}>Stop</button>`:s`<button type="button" class="button" onClick=${Pe}>
          ${n.length?"Close":"Cancel"}</button>
        ${n.length>0&&s`<button type="button" class="button" onClick=${()=>lo(n)}>
          ${`Copy ${N(n.length,"short URL","short URLs")}`}</button>`}
        ${i>0&&s`<button type="button" class="button primary" onClick=${r}>${p}</button>`}`}</div>
  </section>`}var po=matchMedia("(max-width: 720px)"),Me=matchMedia("(hover: none), (pointer: coarse), (max-width: 720px)"),mo=()=>po.matches?68:48,Qt=4,He=56;function $o(e,t){let o=()=>{let r=mo(),a=Me.matches,c=e.current?-e.current.getBoundingClientRect().top:0,d=Math.max(0,Math.floor(c/r)-Qt);return{height:r,bySheet:a,first:d-d%4,size:Math.ceil(innerHeight/r)+2*Qt+4}},[n,i]=x(o);return y(()=>{let r=()=>i(a=>{let c=o();return c.first===a.first&&c.size===a.size&&c.height===a.height&&c.bySheet===a.bySheet?a:c});return e.current&&r(),addEventListener("scroll",r,{passive:!0}),addEventListener("resize",r),Me.addEventListener("change",r),()=>{Me.removeEventListener("change",r),removeEventListener("scroll",r),removeEventListener("resize",r)}},[t===0]),n}function Yt({state:e,rows:t,active:o,setActive:n,onDialog:i,onRemove:r}){let a=O(),{height:c,bySheet:d,first:p,size:m}=$o(a,t.length),$=Math.min(t.length,p+m);y(()=>{e.phase==="ready"&&$>t.length-40&&ye()},[$,t.length,e.phase]),fo(a,t,c);let g=h(vt),k=h(se),f=h(Et);y(()=>wt(t.slice(p,$)),[p,$,t,g]);let L=O({active:o,code:""});j(()=>{let b=t[o]?.short_code,R=L.current.active!==o,C=L.current.code===b;if(L.current={active:o,code:b},C||o<0||!a.current||a.current.querySelector(":focus")?.closest(`[data-index="${o}"]`)||!R&&document.activeElement!==document.body)return;let T=a.current.getBoundingClientRect().top+o*c;T<He?scrollBy(0,T-He-8):T+c>innerHeight&&scrollBy(0,T+c-innerHeight+8),a.current.querySelector(`[data-index="${o}"] .row-link`)?.focus({preventScroll:!0})},[o,t[o]?.short_code]);let{pinned:v,fresh:A}=e,B=(b,R)=>ue(b,t,R),u=o>=0&&o<t.length&&(o<p||o>=$)?o:-1,w=e.next?-1:t.length,V=X(()=>{let b=C=>s`<${ho} key=${t[C].short_code} link=${t[C]} index=${C}
      top=${C*c} size=${w} flash=${t[C].short_code===A}
      isPinned=${v.includes(t[C])} bySheet=${d} boxed=${!d||f}
      chosen=${k.has(t[C].short_code)} onChoose=${B} onRemove=${r}
      shape=${t[C].click_count>0&&g.get(t[C].short_code)} onFocus=${n}
      onDialog=${i} />`,R=[];u>=0&&u<p&&R.push(b(u));for(let C=p;C<$;C++)R.push(b(C));return u>=$&&R.push(b(u)),R},[t,p,$,u,c,d,w,A,g,k,f]);return s`<${Wt} rows=${t} />
    <ul class="rows" ref=${a} aria-label="Links" style=${{height:`${t.length*c}px`}}
      data-choosing=${f} aria-busy=${e.phase==="loading"}>
      ${V}
    </ul>`}function fo(e,t,o){let n=O({index:-1,code:""});j(()=>{let{index:i,code:r}=n.current;if(i<=0||!e.current||t[i]?.short_code===r)return;let a=t.findIndex(c=>c.short_code===r);a>=0&&scrollBy(0,(a-i)*o)},[t]),y(()=>{let i=()=>{let r=e.current?Math.ceil((He-e.current.getBoundingClientRect().top)/o):-1;n.current={index:r,code:t[r]?.short_code}};return i(),addEventListener("scroll",i,{passive:!0}),()=>removeEventListener("scroll",i)},[t,o])}function Wt({rows:e}){let t=h(se).size,o=e&&s`<input type="checkbox" aria-label="Select all links that are shown"
    checked=${t>0&&t>=e.length} indeterminate=${t>0&&t<e.length} onChange=${()=>Ut(e)} />`;return s`<div class="row-head"><span class="row-check">${o}</span>
    <span aria-hidden="true">Link</span><span aria-hidden="true">Destination</span>
    <span class="end" aria-hidden="true">Created</span>
    <span aria-hidden="true" title="Clicks a day, each link to its own scale">Last 30 days</span>
    <span class="end" aria-hidden="true">Clicks</span></div>`}function ho({link:e,index:t,top:o,size:n,flash:i,isPinned:r,bySheet:a,boxed:c,chosen:d,shape:p,onFocus:m,onDialog:$,onChoose:g,onRemove:k}){let{short_code:f,original_url:L,title:v,status:A}=e,B=Q(L),u=b=>{let R=b.currentTarget.querySelector(".row-link");R.title=`${ae(L)}
${nt(new Date(e.created_at))}`},w=()=>$({kind:"actions",link:e}),V=b=>{b.pointerType==="touch"&&(b.preventDefault(),b.stopPropagation(),w())};return s`<li class="row" data-index=${t} data-flash=${i} style=${{top:`${o}px`}}
    aria-setsize=${n} aria-posinset=${t+1} onFocusIn=${()=>m(t)}
    onPointerEnter=${u} data-chosen=${d}>
    ${c&&s`<label class="row-check"><input type="checkbox" aria-label=${`Select ${f}`}
      checked=${d} onClick=${b=>g(e,b.shiftKey)} /></label>`}
    <span class="row-code"><a class="row-link mono" href=${`/ui/links/${f}`}
      aria-label=${`View ${f}`} onClick=${()=>{le.code=f}}>${f}</a>
      <${ee} text=${P(f)} label=${`Copy ${E}/${f}`} />
      ${r&&s`<span class="badge">New</span>`}
      ${qe[A]&&s`<span class="state-badge">${qe[A]}</span>`}</span>
    <span class="row-what"><span class="row-text">
      ${v&&s`<span class="row-title">${ae(v)}</span>`}
      <span class="row-url"><${te} url=${L} /></span></span>
      <${St} tags=${e.tags} most=${a?1:2} plain=${a} class="row-tags" /></span>
    ${a?s`<${q} icon="more" class="row-more" label=${`Actions for ${f}`}
        onClick=${w} />`:s`<span class="row-actions" onClickCapture=${V}>
        <${q} icon="qr" label=${`QR code for ${f}`}
          onClick=${()=>$({kind:"qr",link:e})} />
        ${B&&s`<a class="icon-button" href=${B.href} target="_blank"
          rel="noreferrer noopener" aria-label=${`Open destination of ${f}`}
          title="Open destination"><${U} name="open" /></a>`}
        <${q} icon="remove" label=${`Delete ${f}`} onClick=${()=>k(e)} />
      </span>`}
    <time class="row-time quiet" datetime=${e.created_at}>
      ${st(new Date(e.created_at))}</time>
    ${p&&s`<svg class="row-recent" viewBox="0 0 90 20" aria-hidden="true">
      <path d=${p} /></svg>`}
    <span class="row-clicks"><span class="unseen">clicks: </span>${H(e.click_count)}</span>
  </li>`}var Ne=({rows:e,bare:t})=>s`${!t&&s`<${Wt} />`}
  <div class="rows-skeleton" role="status" aria-label="Loading links">
  ${Array.from({length:e},(o,n)=>s`<div class="row" key=${n}><i class="bone" data-size=${n%3} />
      <i class="bone wide" data-size=${(n+1)%3} /><i class="bone small" /></div>`)}
</div>`;async function Gt({short_code:e}){Y(await ie(P(e))?`Copied ${E}/${e}`:"Couldn't copy")}function Fe(e){ft(e)?W(`Deleted ${e.short_code}. Press Z to undo.`):Y("Too many deletes at once. Wait ten seconds.")}function Zt(){let{query:e}=h(oe),t=h(Re),o=h(ce),n=h(G),i=h(se),[r,a]=x(null),c=e.toString(),d=X(()=>It(e),[c]),p=_t(d),m=X(()=>{let u=new Set(t.pinned.map(w=>w.short_code));return[...t.pinned,...t.rows.filter(w=>!u.has(w.short_code))].filter(w=>!he(w.short_code))},[t.rows,t.pinned,o,n]),$=[...i.values()].filter(u=>!he(u.short_code)),g=t.total-t.rows.filter(u=>he(u.short_code)).length,[k,f]=go(m,p?le.code:"");j(()=>{document.title="Links · terse",scrollTo(0,Ee.y);let u=()=>{Ee.y=scrollY};return addEventListener("scroll",u,{passive:!0}),()=>removeEventListener("scroll",u)},[]),bo(Ue),j(()=>{p?Ue():(xt(d),f(-1),Be()),le.href=De(d)},[d]),y(()=>Ve.watch(u=>u==="up"&&Re.get().phase==="error"&&ke()),[]);let L=u=>{m.length&&f(Math.min(m.length-1,Math.max(0,k+u)))},v=u=>w=>m[k]?w.repeat||u(m[k]):!1,A=()=>a(null),B=()=>{Be(),document.querySelector(`.row[data-index="${k}"] .row-link`)?.focus()};return fe({n:re,"/":()=>document.getElementById("search").focus(),j:()=>L(1),k:()=>L(-1),c:v(u=>Gt(u)),q:v(u=>a({kind:"qr",link:u})),e:v(u=>a({kind:"edit",link:u})),x:v(u=>ue(u,m)),Delete:v(Fe),Escape:()=>{if(i.size)return B();document.activeElement.blur(),f(-1)}}),s`<main class="page" id="main">
    <h1 class="unseen">Links</h1>
    <${jt} onQR=${u=>a({kind:"qr",link:{short_code:u}})} />
    <${Pt} query=${d} state=${t} total=${g} />
    <${yo} state=${t} rows=${m} query=${d} active=${k} setActive=${f}
      onDialog=${a} />
    ${$.length>0&&s`<${Bt} links=${$} onClear=${B} />`}
    ${r?.kind==="qr"&&s`<${qt} code=${r.link.short_code} onClose=${A} />`}
    ${r?.kind==="edit"&&s`<${At} code=${r.link.short_code} onClose=${A} />`}
    ${r?.kind==="actions"&&s`<${xo} link=${r.link} rows=${m} onDialog=${a} />`}
  </main>`}function go(e,t){let[{index:o,code:n},i]=x(()=>({index:e.findIndex(c=>c.short_code===t),code:t})),r=X(()=>{if(o<0||e[o]?.short_code===n)return o;let c=e.findIndex(d=>d.short_code===n);return c<0?o:c},[e,o,n]),a=c=>i(d=>{let p={index:c,code:e[c]?.short_code??""};return d.index===p.index&&d.code===p.code?d:p});return j(()=>a(r),[r,e]),[r,a]}function bo(e){y(()=>{let t=!1,o=()=>{t=!0},n=()=>{document.hidden?o():t&&(t=!1,e())};return addEventListener("blur",o),addEventListener("focus",n),document.addEventListener("visibilitychange",n),()=>{removeEventListener("blur",o),removeEventListener("focus",n),document.removeEventListener("visibilitychange",n)}},[])}function yo({state:e,rows:t,query:o,...n}){return!e.loaded&&e.phase==="error"?s`<${ut} title="Couldn't load links"
    message=${e.error.message} onRetry=${ke} />`:e.loaded?t.length===0&&e.phase==="ready"?o.search?s`<${Co} search=${o.search} />`:Ot(o)?s`<${_o} query=${o} />`:s`<${vo} />`:s`<${Yt} state=${e} rows=${t} onRemove=${Fe} ...${n} />
    <${ko} state=${e} search=${o.search} />`:s`<${Ne} rows=${8} />`}function ko({state:e,search:t}){return e.phase==="error"?s`<div class="foot" role="alert">
    <p>${e.error.message}</p><button type="button" class="button"
      onClick=${ke}>Try again</button></div>`:e.phase==="paused"?s`<div class="foot">
    <p>${e.rows.length?"No more matches so far.":"No matches yet."}</p>
    <button type="button" class="button" onClick=${ye}>Keep searching</button></div>`:Ct(e)&&e.next?s`<div class="foot">
    <p>Showing the first ${H(e.rows.length)}. Search or sort to find others.</p></div>`:e.next||e.phase==="more"?s`<${Ne}
    rows=${t&&!e.rows.length?8:3} bare=${!0} />`:null}var vo=()=>s`<div class="state"><h2>No links yet</h2>
  <p>Paste a long URL above and press Enter. Or from a terminal:</p>
  <${dt} line=${`curl -H "Authorization: Bearer $TERSE_TOKEN" -d '{"original_url":"https://example.com/"}' ${location.origin}/api/urls`} /></div>`,wo=()=>{Z("/ui/",{replace:!0}),document.getElementById("search").focus()},Co=({search:e})=>s`<div class="state"><h2>No matches for "${ae(e)}"</h2>
  <button type="button" class="button" onClick=${wo}>Clear search</button></div>`,_o=({query:e})=>s`<div class="state"><h2>No links with this filter</h2>
  <a class="button" href=${De({...e,tag:[],status:""})}>Remove filter</a></div>`;function xo({link:e,rows:t,onDialog:o}){let{short_code:n,original_url:i}=e,r=()=>o(null),a=Q(i),c=()=>se.get().has(n)||ue(e,t);return s`<${$e} label=${`Actions for ${n}`} class="sheet" onClose=${r}>
    <p class="sheet-title"><b class="mono">${E}/${n}</b>
      <span><${te} url=${i} /></span></p>
    <button type="button" class="sheet-item" onClick=${()=>Gt(e).then(r)}>
      <${U} name="copy" />Copy link</button>
    <button type="button" class="sheet-item" onClick=${()=>o({kind:"qr",link:e})}>
      <${U} name="qr" />QR code</button>
    <button type="button" class="sheet-item" onClick=${()=>o({kind:"edit",link:e})}>
      <${U} name="edit" />Edit</button>
    <button type="button" class="sheet-item" onClick=${()=>{r(),c()}}>
      <${U} name="done" />Select</button>
    ${a&&s`<a class="sheet-item" href=${a.href} target="_blank"
      rel="noreferrer noopener" onClick=${r}><${U} name="open" />Open destination</a>`}
    <button type="button" class="sheet-item danger" onClick=${()=>{r(),Fe(e)}}>
      <${U} name="remove" />Delete</button>
    <button type="button" class="sheet-item" onClick=${r}>
      <${U} name="close" />Cancel</button>
  <//>`}var xe=yt(()=>import("./pages-KH3JC2FD.js")),Lo=be(xe,"LinkPage"),So=be(xe,"Overview"),Ro=be(xe,"Unknown");addEventListener("pointerover",()=>xe().catch(()=>{}),{once:!0});function Eo(){let{path:e}=h(oe),t=h(et),[o,n]=x(!1),i=h(ce);return fe({"?":()=>n(!0),n:()=>{Z("/ui/"),requestAnimationFrame(()=>document.getElementById("create-url")?.focus())},"/":()=>{Z("/ui/"),requestAnimationFrame(()=>document.getElementById("search")?.focus())},z:()=>i.length?Se():me.get()?.undo?me.get().undo():!1}),Uo(e),t==="left"?s`<${Jt} />`:s`<a class="skip" href="#main">Skip to content</a>
    <${To} path=${e} onHelp=${()=>n(!0)} />
    <${mt} />
    ${rt&&s`<aside class="notice" aria-label="Notice">
      Short links start with ${at}, the address of this page. Set BASE_URL to your public
      address.</aside>`}
    <${Ao} path=${e} />
    <${Bo} />
    ${o&&s`<${Dt} onClose=${()=>n(!1)} />`}
    ${t==="out"&&s`<${Jt} />`}
    <p id="said" class="unseen" role="status"></p>`}function Uo(e){let t=O(e),o=h(bt);y(()=>{let n=document.querySelector("#main h1");t.current===e||!n||(t.current=e,W(document.title.replace(/ · terse$/,"")),document.activeElement===document.body&&(n.tabIndex=-1,n.focus({preventScroll:!0})))},[e,o])}function Ao({path:e}){if(e==="/ui/")return s`<${Zt} />`;if(e==="/ui/overview")return s`<${So} />`;if(e==="/ui/unknown")return s`<${Ro} />`;let[,t]=e.match(/^\/ui\/links\/([A-Za-z0-9_-]{3,20})$/)??[];return t?s`<${Lo} key=${t} code=${t} />`:s`<main class="page" id="main"><div class="state"><h1>Page not found</h1>
    <p>Check the address.</p><a class="button" href="/ui/">Back to links</a></div></main>`}var Vt=e=>e?"page":void 0,To=({path:e,onHelp:t})=>s`<header class="top"><div class="top-inner">
  <a class="brand" href="/ui/">terse</a>
  <nav aria-label="Pages">
    <a href="/ui/" aria-current=${e==="/ui/"?"page":e.startsWith("/ui/links/")?"true":void 0}>Links</a>
    <a href="/ui/overview" aria-current=${Vt(e==="/ui/overview")}>Overview</a>
    <a href="/ui/unknown" aria-current=${Vt(e==="/ui/unknown")}>Not found</a>
  </nav>
  <div class="top-end"><${q} icon="help" class="shortcuts"
      label="Keyboard shortcuts" onClick=${t} />
    <${pt} />
    <${q} icon="leave" label="Sign out" onClick=${qo} /></div>
</div></header>`;async function qo(){try{let e=G.get();if(await gt(),G.get()!==e)return;await ot(),location.assign("/ui/")}catch(e){Y(`Couldn't sign out: ${e.message}`)}}function Bo(){let e=h(ce),t=h(G),o=h(it),n=h(me);return s`<div class="toasts" role="region" aria-label="Messages">
    ${o&&s`<div class="toast">${o}</div>`}
    ${n&&s`<div class="toast"><span>${n.text}</span>
      ${n.undo&&s`<button type="button" class="text-button"
        onClick=${n.undo}>Undo</button>`}</div>`}
    ${t&&s`<div class="toast" role="alert">Couldn't delete ${t.codes.length===1?t.codes[0]:N(t.codes.length,"link","links")}: ${t.message}
      <${q} icon="close" label="Close" onClick=${()=>G.set(null)} /></div>`}
    ${e.length>0&&s`<${Do} links=${e} />`}
  </div>`}function Do({links:e}){if(e.length>1)return s`<div class="toast">
    <span>${N(e.length,"link","links")} deleted</span>
    <button type="button" class="text-button" onClick=${ht}>Undo all</button></div>`;let[{short_code:t}]=e;return s`<div class="toast"><span>Deleted <b class="mono">${t}</b></span>
    <button type="button" class="text-button" aria-label=${`Undo deleting ${t}`}
      onClick=${Se}>Undo</button></div>`}function Jt(){let[e,t]=x(""),[o,n]=x(""),[i,r]=x(!1),a=O();return y(()=>a.current.focus(),[]),s`<${$e} label="Sign in" class="sign-in"><form onSubmit=${async d=>{if(d.preventDefault(),!i){r(!0),n("");try{await tt(e.trim())}catch(p){n(p.status===401||p.status===400?"That token isn't valid.":p.message),a.current?.select()}finally{r(!1)}}}}>
    <p class="brand">terse</p><h2>Sign in</h2>
    <input class="unseen" type="text" name="username" autocomplete="username" value="terse" readonly
      tabindex="-1" aria-hidden="true" />
    <label for="token">Access token</label>
    <input id="token" ref=${a} class="field mono" type="password"
      autocomplete="current-password" required value=${e}
      onInput=${d=>{t(d.target.value),n("")}}
      aria-invalid=${!!o}
      aria-describedby=${o?"token-problem":"token-hint"} />
    ${o?s`<p id="token-problem" class="problem" role="alert">${o}</p>`:s`<p id="token-hint" class="hint">
        The token printed when the server first started, or one from AUTH_TOKENS. Lost it?
        Run <code class="mono">terse token</code>.</p>`}
    <button class="button primary" aria-busy=${i}>Sign in</button>
  </form><//>`}Ze(s`<${Eo} />`,document.getElementById("app"));
