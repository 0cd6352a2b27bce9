import{a as xt,b as qe,c as Lt,d as St}from"./chunk-TPOEMGFW.js";import{e as wt,f as Re}from"./chunk-WEVPUCCW.js";import{a as se,b as Et,c as Be,d as ue,e as Rt}from"./chunk-LBVUDCKG.js";import{a as pt,b as ce,c as G,d as he,e as mt,f as xe,g as ft,h as $t,i as ge}from"./chunk-QU67S2UC.js";import{a as Ue,b as Ae,c as ne,d as _t,e as Te}from"./chunk-77G6WIYE.js";import{a as Je,b as _e,d as Xe,e as et,g as gt,h as bt,i as Le,j as yt,k as Se,l as le,m as kt,n as vt,o as be,p as ye,q as Ee,r as ke,w as Ct}from"./chunk-QVZNLVCY.js";import{a as ut,b as dt}from"./chunk-4Q4CBWCG.js";import{a as Ut,d as At,e as Tt,f as qt,g as Bt,h as Dt,i as It,j as Ot,k as ve,l as Pt,n as zt}from"./chunk-CL43O32P.js";import{a as Ze,c as Ve}from"./chunk-JFPPKJB3.js";import{a as oe,b as ht,c as Z}from"./chunk-PCD4SETE.js";import{A as nt,B as st,C as P,D as R,E as U,F as q,G as ae,H as ee,I as rt,J as Y,K as me,M as it,N as W,O as fe,Q as te,S as at,T as ct,U as lt,W as $e,a as Ge,b as L,c as y,d as j,e as O,f as X,g as pe,h,i as n,k as H,l as F,n as tt,q as ot,w as Q,x as ie}from"./chunk-7IY37C7O.js";var we=1e3,z=pe(null),De=new AbortController,de=e=>z.get()&&z.set({...z.get(),...e});function Ie(e){De.abort(),z.set({lines:e.map(t=>({url:t,code:"",problem:""})),busy:!1,pause:0})}function Oe(){De.abort(),z.set(null)}async function Mt(e){let{signal:t}=De=new AbortController,o=z.get().lines.filter(r=>!r.code),s=0,a=r=>{let i=new Map(r.map((c,d)=>[o[s+d],c]));s+=r.length,de({lines:z.get().lines.map(c=>oo(c,i.get(c),e))});for(let{link:c}of r)c&&no(c)};de({busy:!0});try{await pt(o.map(({url:r})=>({op:"create",link:{original_url:r}})),a,{signal:t,onPause:r=>de({pause:r})})}catch(r){if(Ve(r))return;de({lines:z.get().lines.map(i=>i.code?i:{...i,problem:e(r)})})}de({busy:!1,pause:0})}function oo(e,t,o){return t?t.link?{...e,code:t.link.short_code,problem:""}:t.link_omitted?{...e,problem:"Shortened. Find it in the list of links."}:{...e,problem:o({status:t.status,message:t.error})}:e}function no(e){ge(e.short_code),ke({created_at:new Date().toISOString(),click_count:0,...e})}var Pe=20,so=200,Ft={url:"",code:"",choosing:!1,options:null},Ce=pe(Ft),M=e=>Ce.set({...Ce.get(),...e}),Nt=async e=>({...(await ve()).draftOf(e)});async function ro(){let{path:e,query:t}=oe.get(),[o,s,a]=["url","title","code"].map(i=>t.get(i)?.trim()??"");if(e!=="/ui/"||!(o||s||a)||((o||s)&&M({url:o}),a&&M({code:a,choosing:!0}),Z("/ui/",{replace:!0}),re(),!o&&!s))return;let r=await Nt({title:[...s].slice(0,200).join("")});M({options:r})}function Kt({status:e,message:t},o){return e===0?{field:"url",message:"Not created: can't reach the server. Your text is kept."}:e===409?{field:"code",message:`"${o}" is taken. Try another.`}:e!==400?{field:"url",message:t}:/reserved/i.test(t)?{field:"code",message:`"${o}" is reserved. Try another.`}:/short code/i.test(t)?{field:"code",message:"Use 3–20 letters, digits, - or _."}:/short link/i.test(t)?{field:"url",message:Te}:/original.url/i.test(t)?{field:"url",message:_t}:{field:"url",message:t}}async function jt(e,t){try{let o=[...e].slice(0,so).join(""),{urls:s}=await _e("GET",ht("/api/urls",{search:o,limit:20}),{signal:t});return s.filter(a=>a.original_url===e&&!wt(a)).map(a=>a.short_code)}catch{return[]}}function io(e){let[t,o]=L({url:"",code:""});return y(()=>{if(!Q(e)||ne(e))return;let s=new AbortController,a=setTimeout(async()=>{let[r=""]=await jt(e,s.signal);s.signal.aborted||o({url:e,code:r})},200);return()=>{clearTimeout(a),s.abort()}},[e]),t.url===e?t.code:""}var Ht=()=>at(document.querySelector(".create-options")),re=()=>document.getElementById("create-url")?.focus();function Qt({onQR:e}){let{url:t,code:o,choosing:s,options:a}=h(Ce),[r,i]=L({}),c=h(z),[d,p]=L(null),[m,f]=L(null),[b,k]=L(!1),$=O(),S=io(Ue(t)),v=(l,_)=>{f(null),p({field:l,message:_}),l==="code"&&$.current?.focus()},A=(l,_)=>{let D=Ae(l);if(p(null),D.length>we)v("url",`That's ${H(D.length)} URLs. At most ${H(we)} can be shortened at a time.`);else if(D.length)Ie(D);else if(_&&/\s/.test(l.trim())){let N=l.trim().replace(/\s+/g," ");document.execCommand("insertText",!1,N),v("url",ne(l.trim()))}else if(!_&&/^https?:\/\//i.test(l.trim())&&Q(l))M({url:l.trim().replace(/\s+/g," ")}),ne(l.trim())&&v("url",ne(l.trim())),re();else return!1;return!0},B=(l,_)=>A(_.getData("text"),!0)&&l.preventDefault();y(()=>{ro().catch(()=>{})},[]),y(()=>{let l=_=>{_.target.closest?.("input, textarea, dialog")||document.querySelector("dialog[open]")||A(_.clipboardData.getData("text"),!1)&&_.preventDefault()};return addEventListener("paste",l),()=>removeEventListener("paste",l)},[]);let u=async l=>{if(l.preventDefault(),b)return;if(!t.trim())return re();let _=Ae(t);if(_.length&&_.length<=we)return Ie(_),M({url:""});let D={original_url:Ue(t)},N=s?o.trim():"",je=ne(D.original_url);if(je)return v("url",je);if(N.length>Pe)return $.current?.focus();if(a){let{fieldsOf:x,problemsOf:J}=await ve(),K={...a,original_url:t},{original_url:I,...Ye}=J(K);if(i(Ye),Object.keys(Ye).length)return Ht();for(let[to,We]of Object.entries(x(K)))We!==null&&(D[to]=We)}k(!0),p(null),N&&(D.short_code=N);let Qe=_e("POST","/api/urls",{body:D}),Xt=ae(Qe.then(x=>P(x.short_code))).catch(()=>!1),eo=S||jt(D.original_url,AbortSignal.timeout(5e3));try{let x=await Qe;ge(x.short_code),Ce.set(Ft),ke({...x,created_at:new Date().toISOString(),click_count:0}),scrollTo(0,0);let J=await Xt;f({...x,copied:J}),W(`${R}/${x.short_code} ${J?"copied":"created"}`),re();let K=S||(await eo).find(I=>I!==x.short_code);K&&f(I=>I?.short_code===x.short_code?{...I,existing:K}:I)}catch(x){let{field:J,message:K}=Kt(x,N),I=a&&x.status===400&&(await ve()).where(x.message);I&&I!=="original_url"?(i({[I]:/short link/i.test(x.message)?Te:x.message}),Ht()):v(N?J:"url",K)}finally{k(!1)}},w=()=>{M({choosing:!s,code:""}),p(null),s||requestAnimationFrame(()=>$.current?.focus())},V=l=>{M(l),p(null),m&&f(null)},g=async()=>{if(i({}),a)return M({options:null});M({options:await Nt({})}),requestAnimationFrame(()=>document.getElementById("new-title")?.focus())},E=({original_url:l,..._})=>{i({}),M({url:l,options:_})},T=s&&o.trim().length>Pe?{field:"code",message:`At most ${Pe} characters.`}:d,Ne=l=>T?.field===l?"create-problem":void 0,Ke=S||m?.existing;return n`<form class="create" onSubmit=${u} aria-label="Shorten a URL">
    <div class="create-line">
      <input id="create-url" class="field mono" type="text" inputmode="url" autocomplete="off"
        autocapitalize="off" spellcheck=${!1} aria-label="Long URL"
        placeholder="Paste a long URL" value=${t} onInput=${l=>V({url:l.target.value})}
        onPaste=${l=>B(l,l.clipboardData)} onDrop=${l=>B(l,l.dataTransfer)}
        onKeyDown=${l=>l.key==="Escape"&&l.target.blur()}
        aria-invalid=${T?.field==="url"} aria-describedby=${Ne("url")} />
      <button class="button primary" aria-busy=${b}>Shorten</button>
    </div>
    <${it} text=${t} />
    <div class="create-more">
      ${s?n`<span class="code-field" data-invalid=${T?.field==="code"}>
            <span class="quiet mono">${R}/</span>
            <input ref=${$} class="mono" aria-label="Short code" placeholder="my-link"
            autocomplete="off" autocapitalize="off" spellcheck=${!1}
            value=${o} onInput=${l=>V({code:l.target.value})}
            aria-invalid=${T?.field==="code"} aria-describedby=${Ne("code")} />
            <${q} icon="close" label="Use a random code" onClick=${w} /></span>`:n`<button type="button" class="text-button" onClick=${w}>Custom code</button>`}
      <button type="button" class="text-button" aria-expanded=${!!a}
        onClick=${g}>Options</button>
      ${T&&n`<p id="create-problem" class="problem" role="alert">${T.message}</p>`}
      ${Ke&&n`<${ao} code=${Ke} isOld=${!!m} />`}
      ${m&&n`<p class="made"><${U} name="done" />
        <a class="mono" href=${`/ui/links/${m.short_code}`}>${R}/${m.short_code}</a>
        <span class="quiet">${m.copied?"Copied":"Created"}</span>
        ${!m.copied&&n`<${ee} text=${P(m.short_code)} label="Copy the short URL" />`}
        <${q} icon="qr" label="QR code for the new link"
          onClick=${()=>e(m.short_code)} /></p>`}
    </div>
    ${a&&n`<div class="create-options"><${Ot} id="new" withURL=${!1}
        draft=${{...a,original_url:t}} onChange=${E} problems=${r} />
      <div class="form-end"><button type="button" class="button"
        onClick=${g}>Cancel</button>
        <button class="button primary" aria-busy=${b}>Shorten</button></div></div>`}
    ${c&&n`<${lo} batch=${c} />`}
  </form>`}function ao({code:e,isOld:t}){let o=`${R}/${e}`;y(()=>W(`You already ${t?"had":"have"} ${o} for this URL`),[e]);let s=n`<a class="mono" href=${`/ui/links/${e}`}>${o}</a>`;return n`<p class="known">You already ${t?"had":"have"} ${s} for this URL
    <${ee} text=${P(e)} label=${`Copy ${o} instead`} /></p>`}async function co(e){Y(await ae(e.map(t=>P(t.code)).join(`
`))?`Copied ${F(e.length,"short URL","short URLs")}`:"Couldn't copy")}function lo({batch:{lines:e,busy:t,pause:o}}){let s=e.filter(f=>f.code),a=e.length-s.length,r=()=>Mt(f=>Kt(f).message),i=O();y(()=>{(document.activeElement===document.body||!t&&!s.length)&&i.current.querySelector(".batch-end button:last-of-type").focus()},[t]);let c=F(a,"URL","URLs"),p=s.length>0||e.some(f=>f.problem)?`Try ${c} again`:`Shorten ${c}`,m="";return o?m=`Too many requests. Continuing in ${o} s.`:(s.length||t)&&(m=`${H(s.length)} of ${F(e.length,"URL","URLs")} shortened`),n`<section ref=${i} class="batch" aria-label="Several URLs">
    <ol>${e.map(({url:f,code:b,problem:k},$)=>n`<li key=${$}><${te} url=${f} />
      ${b&&n`<span class="batch-result">
        <a class="mono" href=${`/ui/links/${b}`}>${R}/${b}</a>
        <${ee} text=${P(b)} label=${`Copy ${R}/${b}`} /></span>`}
      ${k&&n`<span class="problem">${k}</span>`}</li>`)}</ol>
    <div class="batch-end"><p class="quiet" role="status">${m}</p>
      ${t?n`<button type="button" class="button" onClick=${Oe}>Stop</button>`:n`<button type="button" class="button" onClick=${Oe}>
          ${s.length?"Close":"Cancel"}</button>
        ${s.length>0&&n`<button type="button" class="button" onClick=${()=>co(s)}>
          ${`Copy ${F(s.length,"short URL","short URLs")}`}</button>`}
        ${a>0&&n`<button type="button" class="button primary" onClick=${r}>${p}</button>`}`}</div>
  </section>`}var uo=matchMedia("(max-width: 720px)"),ze=matchMedia("(hover: none), (pointer: coarse), (max-width: 720px)"),po=()=>uo.matches?68:48,Yt=4,Me=56;function mo(e,t){let o=()=>{let r=po(),i=ze.matches,c=e.current?-e.current.getBoundingClientRect().top:0,d=Math.max(0,Math.floor(c/r)-Yt);return{height:r,bySheet:i,first:d-d%4,size:Math.ceil(innerHeight/r)+2*Yt+4}},[s,a]=L(o);return y(()=>{let r=()=>a(i=>{let c=o();return c.first===i.first&&c.size===i.size&&c.height===i.height&&c.bySheet===i.bySheet?i:c});return e.current&&r(),addEventListener("scroll",r,{passive:!0}),addEventListener("resize",r),ze.addEventListener("change",r),()=>{ze.removeEventListener("change",r),removeEventListener("scroll",r),removeEventListener("resize",r)}},[t===0]),s}function Wt({state:e,rows:t,active:o,setActive:s,onDialog:a,onRemove:r}){let i=O(),{height:c,bySheet:d,first:p,size:m}=mo(i,t.length),f=Math.min(t.length,p+m);y(()=>{e.phase==="ready"&&f>t.length-40&&be()},[f,t.length,e.phase]),fo(i,t,c);let b=h(gt),k=h(se),$=h(Et);y(()=>bt(t.slice(p,f)),[p,f,t,b]);let S=O({active:o,code:""});j(()=>{let g=t[o]?.short_code,E=S.current.active!==o,C=S.current.code===g;if(S.current={active:o,code:g},C||o<0||!i.current||i.current.querySelector(":focus")?.closest(`[data-index="${o}"]`)||!E&&document.activeElement!==document.body)return;let T=i.current.getBoundingClientRect().top+o*c;T<Me?scrollBy(0,T-Me-8):T+c>innerHeight&&scrollBy(0,T+c-innerHeight+8),i.current.querySelector(`[data-index="${o}"] .row-link`)?.focus({preventScroll:!0})},[o,t[o]?.short_code]);let{pinned:v,fresh:A}=e,B=(g,E)=>ue(g,t,E),u=o>=0&&o<t.length&&(o<p||o>=f)?o:-1,w=e.next?-1:t.length,V=X(()=>{let g=C=>n`<${$o} key=${t[C].short_code} link=${t[C]} index=${C}
      top=${C*c} size=${w} flash=${t[C].short_code===A}
      isPinned=${v.includes(t[C])} bySheet=${d} boxed=${!d||$}
      chosen=${k.has(t[C].short_code)} onChoose=${B} onRemove=${r}
      shape=${t[C].click_count>0&&b.get(t[C].short_code)} onFocus=${s}
      onDialog=${a} />`,E=[];u>=0&&u<p&&E.push(g(u));for(let C=p;C<f;C++)E.push(g(C));return u>=f&&E.push(g(u)),E},[t,p,f,u,c,d,w,A,b,k,$]);return n`<${Gt} rows=${t} />
    <ul class="rows" ref=${i} aria-label="Links" style=${{height:`${t.length*c}px`}}
      data-choosing=${$} aria-busy=${e.phase==="loading"}>
      ${V}
    </ul>`}function fo(e,t,o){let s=O({index:-1,code:""});j(()=>{let{index:a,code:r}=s.current;if(a<=0||!e.current||t[a]?.short_code===r)return;let i=t.findIndex(c=>c.short_code===r);i>=0&&scrollBy(0,(i-a)*o)},[t]),y(()=>{let a=()=>{let r=e.current?Math.ceil((Me-e.current.getBoundingClientRect().top)/o):-1;s.current={index:r,code:t[r]?.short_code}};return a(),addEventListener("scroll",a,{passive:!0}),()=>removeEventListener("scroll",a)},[t,o])}function Gt({rows:e}){let t=h(se).size,o=e&&n`<input type="checkbox" aria-label="Select all links that are shown"
    checked=${t>0&&t>=e.length} indeterminate=${t>0&&t<e.length} onChange=${()=>Rt(e)} />`;return n`<div class="row-head"><span class="row-check">${o}</span>
    <span aria-hidden="true">Link</span><span aria-hidden="true">Destination</span>
    <span class="end" aria-hidden="true">Created</span>
    <span aria-hidden="true" title="Clicks a day, each link to its own scale">Last 30 days</span>
    <span class="end" aria-hidden="true">Clicks</span></div>`}function $o({link:e,index:t,top:o,size:s,flash:a,isPinned:r,bySheet:i,boxed:c,chosen:d,shape:p,onFocus:m,onDialog:f,onChoose:b,onRemove:k}){let{short_code:$,original_url:S,title:v,status:A}=e,B=Q(S),u=g=>{At();let E=g.currentTarget.querySelector(".row-link");E.title=`${ie(S)}
${tt(new Date(e.created_at))}`},w=()=>f({kind:"actions",link:e}),V=g=>{g.pointerType==="touch"&&(g.preventDefault(),g.stopPropagation(),w())};return n`<li class="row" data-index=${t} data-flash=${a} style=${{top:`${o}px`}}
    aria-setsize=${s} aria-posinset=${t+1} onFocusIn=${()=>m(t)}
    onPointerEnter=${u} data-chosen=${d}>
    ${c&&n`<label class="row-check"><input type="checkbox" aria-label=${`Select ${$}`}
      checked=${d} onClick=${g=>b(e,g.shiftKey)} /></label>`}
    <span class="row-code"><a class="row-link mono" href=${`/ui/links/${$}`}
      aria-label=${`View ${$}`} onClick=${()=>{le.code=$}}>${$}</a>
      <${ee} text=${P($)} label=${`Copy ${R}/${$}`} />
      ${r&&n`<span class="badge">New</span>`}
      ${Re[A]&&n`<span class="state-badge">${Re[A]}</span>`}</span>
    <span class="row-what"><span class="row-text">
      ${v&&n`<span class="row-title">${ie(v)}</span>`}
      <span class="row-url"><${te} url=${S} /></span></span>
      <${Ct} tags=${e.tags} most=${i?1:2} plain=${i} class="row-tags" /></span>
    ${i?n`<${q} icon="more" class="row-more" label=${`Actions for ${$}`}
        onClick=${w} />`:n`<span class="row-actions" onClickCapture=${V}>
        <${q} icon="qr" label=${`QR code for ${$}`}
          onClick=${()=>f({kind:"qr",link:e})} />
        ${B&&n`<a class="icon-button" href=${B.href} target="_blank"
          rel="noreferrer noopener" aria-label=${`Open destination of ${$}`}
          title="Open destination"><${U} name="open" /></a>`}
        <${q} icon="remove" label=${`Delete ${$}`} onClick=${()=>k(e)} />
      </span>`}
    <time class="row-time quiet" datetime=${e.created_at}>
      ${ot(new Date(e.created_at))}</time>
    ${p&&n`<svg class="row-recent" viewBox="0 0 90 20" aria-hidden="true">
      <path d=${p} /></svg>`}
    <span class="row-clicks"><span class="unseen">clicks: </span>${H(e.click_count)}</span>
  </li>`}var He=({rows:e,bare:t})=>n`${!t&&n`<${Gt} />`}
  <div class="rows-skeleton" role="status" aria-label="Loading links">
  ${Array.from({length:e},(o,s)=>n`<div class="row" key=${s}><i class="bone" data-size=${s%3} />
      <i class="bone wide" data-size=${(s+1)%3} /><i class="bone small" /></div>`)}
</div>`;async function Zt({short_code:e}){Y(await ae(P(e))?`Copied ${R}/${e}`:"Couldn't copy")}function Fe(e){mt(e)?W(`Deleted ${e.short_code}. Press Z to undo.`):Y("Too many deletes at once. Wait ten seconds.")}function Vt(){let{query:e}=h(oe),t=h(Le),o=h(ce),s=h(G),a=h(se),[r,i]=L(null),c=e.toString(),d=X(()=>xt(e),[c]),p=kt(d),m=X(()=>{let u=new Set(t.pinned.map(w=>w.short_code));return[...t.pinned,...t.rows.filter(w=>!u.has(w.short_code))].filter(w=>!he(w.short_code))},[t.rows,t.pinned,o,s]),f=[...a.values()].filter(u=>!he(u.short_code)),b=t.total-t.rows.filter(u=>he(u.short_code)).length,[k,$]=ho(m,p?le.code:"");j(()=>{document.title="Links · terse",scrollTo(0,Se.y);let u=()=>{Se.y=scrollY};return addEventListener("scroll",u,{passive:!0}),()=>removeEventListener("scroll",u)},[]),go(Ee),j(()=>{p?Ee():(vt(d),$(-1),Be()),le.href=qe(d)},[d]),y(()=>Ze.watch(u=>u==="up"&&Le.get().phase==="error"&&ye()),[]);let S=u=>{m.length&&$(Math.min(m.length-1,Math.max(0,k+u)))},v=u=>w=>m[k]?w.repeat||u(m[k]):!1,A=()=>i(null),B=()=>{Be(),document.querySelector(`.row[data-index="${k}"] .row-link`)?.focus()};return $e({n:re,"/":()=>document.getElementById("search").focus(),j:()=>S(1),k:()=>S(-1),c:v(u=>Zt(u)),q:v(u=>i({kind:"qr",link:u})),e:v(u=>i({kind:"edit",link:u})),x:v(u=>ue(u,m)),Delete:v(Fe),Escape:()=>{if(a.size)return B();document.activeElement.blur(),$(-1)}}),n`<main class="page" id="main">
    <h1 class="unseen">Links</h1>
    <${Qt} onQR=${u=>i({kind:"qr",link:{short_code:u}})} />
    <${St} query=${d} state=${t} total=${b} />
    <${bo} state=${t} rows=${m} query=${d} active=${k} setActive=${$}
      onDialog=${i} />
    ${f.length>0&&n`<${Pt} links=${f} onClear=${B} />`}
    ${r?.kind==="qr"&&n`<${Dt} code=${r.link.short_code} onClose=${A} />`}
    ${r?.kind==="edit"&&n`<${It} code=${r.link.short_code} onClose=${A} />`}
    ${r?.kind==="actions"&&n`<${_o} link=${r.link} rows=${m} onDialog=${i} />`}
  </main>`}function ho(e,t){let[{index:o,code:s},a]=L(()=>({index:e.findIndex(c=>c.short_code===t),code:t})),r=X(()=>{if(o<0||e[o]?.short_code===s)return o;let c=e.findIndex(d=>d.short_code===s);return c<0?o:c},[e,o,s]),i=c=>a(d=>{let p={index:c,code:e[c]?.short_code??""};return d.index===p.index&&d.code===p.code?d:p});return j(()=>i(r),[r,e]),[r,i]}function go(e){y(()=>{let t=!1,o=()=>{t=!0},s=()=>{document.hidden?o():t&&(t=!1,e())};return addEventListener("blur",o),addEventListener("focus",s),document.addEventListener("visibilitychange",s),()=>{removeEventListener("blur",o),removeEventListener("focus",s),document.removeEventListener("visibilitychange",s)}},[])}function bo({state:e,rows:t,query:o,...s}){return!e.loaded&&e.phase==="error"?n`<${ct} title="Couldn't load links"
    message=${e.error.message} onRetry=${ye} />`:e.loaded?t.length===0&&e.phase==="ready"?o.search?n`<${wo} search=${o.search} />`:Lt(o)?n`<${Co} query=${o} />`:n`<${ko} />`:n`<${Wt} state=${e} rows=${t} onRemove=${Fe} ...${s} />
    <${yo} state=${e} search=${o.search} />`:n`<${He} rows=${8} />`}function yo({state:e,search:t}){return e.phase==="error"?n`<div class="foot" role="alert">
    <p>${e.error.message}</p><button type="button" class="button"
      onClick=${ye}>Try again</button></div>`:e.phase==="paused"?n`<div class="foot">
    <p>${e.rows.length?"No more matches so far.":"No matches yet."}</p>
    <button type="button" class="button" onClick=${be}>Keep searching</button></div>`:yt(e)&&e.next?n`<div class="foot">
    <p>Showing the first ${H(e.rows.length)}. Search or sort to find others.</p></div>`:e.next||e.phase==="more"?n`<${He}
    rows=${t&&!e.rows.length?8:3} bare=${!0} />`:null}var ko=()=>n`<div class="state"><h2>No links yet</h2>
  <p>Paste a long URL above and press Enter. Or from a terminal:</p>
  <${lt} line=${`curl -H "Authorization: Bearer $TERSE_TOKEN" -d '{"original_url":"https://example.com/"}' ${location.origin}/api/urls`} /></div>`,vo=()=>{Z("/ui/",{replace:!0}),document.getElementById("search").focus()},wo=({search:e})=>n`<div class="state"><h2>No matches for "${ie(e)}"</h2>
  <button type="button" class="button" onClick=${vo}>Clear search</button></div>`,Co=({query:e})=>n`<div class="state"><h2>No links with this filter</h2>
  <a class="button" href=${qe({...e,tag:[],status:""})}>Remove filter</a></div>`;function _o({link:e,rows:t,onDialog:o}){let{short_code:s,original_url:a}=e,r=()=>o(null),i=Q(a),c=()=>se.get().has(s)||ue(e,t);return n`<${fe} label=${`Actions for ${s}`} class="sheet" onClose=${r}>
    <p class="sheet-title"><b class="mono">${R}/${s}</b>
      <span><${te} url=${a} /></span></p>
    <button type="button" class="sheet-item" onClick=${()=>Zt(e).then(r)}>
      <${U} name="copy" />Copy link</button>
    <button type="button" class="sheet-item" onClick=${()=>o({kind:"qr",link:e})}>
      <${U} name="qr" />QR code</button>
    <button type="button" class="sheet-item" onClick=${()=>o({kind:"edit",link:e})}>
      <${U} name="edit" />Edit</button>
    <button type="button" class="sheet-item" onClick=${()=>{r(),c()}}>
      <${U} name="done" />Select</button>
    ${i&&n`<a class="sheet-item" href=${i.href} target="_blank"
      rel="noreferrer noopener" onClick=${r}><${U} name="open" />Open destination</a>`}
    <button type="button" class="sheet-item danger" onClick=${()=>{r(),Fe(e)}}>
      <${U} name="remove" />Delete</button>
    <button type="button" class="sheet-item" onClick=${r}>
      <${U} name="close" />Cancel</button>
  <//>`}function xo(){let{path:e}=h(oe),t=h(Je),[o,s]=L(!1),a=h(ce);return $e({"?":()=>s(!0),n:()=>{Z("/ui/"),requestAnimationFrame(()=>document.getElementById("create-url")?.focus())},"/":()=>{Z("/ui/"),requestAnimationFrame(()=>document.getElementById("search")?.focus())},z:()=>a.length?xe():me.get()?.undo?me.get().undo():!1}),Lo(e),t==="left"?n`<${Jt} />`:n`<a class="skip" href="#main">Skip to content</a>
    <${Eo} path=${e} onHelp=${()=>s(!0)} />
    <${dt} />
    ${nt&&n`<aside class="notice" aria-label="Notice">
      Short links start with ${st}, the address of this page. Set BASE_URL to your public
      address.</aside>`}
    <${So} path=${e} />
    <${Uo} />
    ${o&&n`<${zt} onClose=${()=>s(!1)} />`}
    ${t==="out"&&n`<${Jt} />`}
    <p id="said" class="unseen" role="status"></p>`}function Lo(e){let t=O(e),o=h(Ut);y(()=>{let s=document.querySelector("#main h1");t.current===e||!s||(t.current=e,W(document.title.replace(/ · terse$/,"")),document.activeElement===document.body&&(s.tabIndex=-1,s.focus({preventScroll:!0})))},[e,o])}function So({path:e}){if(e==="/ui/")return n`<${Vt} />`;if(e==="/ui/overview")return n`<${qt} />`;if(e==="/ui/unknown")return n`<${Bt} />`;let[,t]=e.match(/^\/ui\/links\/([A-Za-z0-9_-]{3,20})$/)??[];return t?n`<${Tt} key=${t} code=${t} />`:n`<main class="page" id="main"><div class="state"><h1>Page not found</h1>
    <p>Check the address.</p><a class="button" href="/ui/">Back to links</a></div></main>`}var Eo=({path:e,onHelp:t})=>n`<header class="top"><div class="top-inner">
  <a class="brand" href="/ui/">terse</a>
  <nav aria-label="Pages">
    <a href="/ui/" aria-current=${e==="/ui/"?"page":e.startsWith("/ui/links/")?"true":void 0}>Links</a>
    <a href="/ui/overview" aria-current=${e==="/ui/overview"?"page":e==="/ui/unknown"?"true":void 0}>Overview</a>
  </nav>
  <div class="top-end"><${q} icon="help" label="Keyboard shortcuts" onClick=${t} />
    <${ut} />
    <${q} icon="leave" label="Sign out" onClick=${Ro} /></div>
</div></header>`;async function Ro(){try{let e=G.get();if(await $t(),G.get()!==e)return;await et(),location.assign("/ui/")}catch(e){Y(`Couldn't sign out: ${e.message}`)}}function Uo(){let e=h(ce),t=h(G),o=h(rt),s=h(me);return n`<div class="toasts" role="region" aria-label="Messages">
    ${o&&n`<div class="toast">${o}</div>`}
    ${s&&n`<div class="toast"><span>${s.text}</span>
      ${s.undo&&n`<button type="button" class="text-button"
        onClick=${s.undo}>Undo</button>`}</div>`}
    ${t&&n`<div class="toast" role="alert">Couldn't delete ${t.codes.length===1?t.codes[0]:F(t.codes.length,"link","links")}: ${t.message}
      <${q} icon="close" label="Close" onClick=${()=>G.set(null)} /></div>`}
    ${e.length>0&&n`<${Ao} links=${e} />`}
  </div>`}function Ao({links:e}){if(e.length>1)return n`<div class="toast">
    <span>${F(e.length,"link","links")} deleted</span>
    <button type="button" class="text-button" onClick=${ft}>Undo all</button></div>`;let[{short_code:t}]=e;return n`<div class="toast"><span>Deleted <b class="mono">${t}</b></span>
    <button type="button" class="text-button" aria-label=${`Undo deleting ${t}`}
      onClick=${xe}>Undo</button></div>`}function Jt(){let[e,t]=L(""),[o,s]=L(""),[a,r]=L(!1),i=O();return y(()=>i.current.focus(),[]),n`<${fe} label="Sign in" class="sign-in"><form onSubmit=${async d=>{if(d.preventDefault(),!a){r(!0),s("");try{await Xe(e.trim())}catch(p){s(p.status===401||p.status===400?"That token isn't valid.":p.message),i.current?.select()}finally{r(!1)}}}}>
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
  </form><//>`}Ge(n`<${xo} />`,document.getElementById("app"));
