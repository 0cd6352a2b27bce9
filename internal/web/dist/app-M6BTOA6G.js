import{a as xt,b as Lt,c as j,d as Ae,e as _t,f as St,g as Et,h as Rt,i as Tt,j as Ie,k as Bt,l as Ot}from"./chunk-YKHIFXF7.js";import{a as ee,b as wt,c as qe,d as le,e as Ct}from"./chunk-DPVMKV5U.js";import{a as st,b as rt}from"./chunk-DVKJUYZO.js";import{a as lt,b as ut,c as ke,d as ye}from"./chunk-GIT5BM5A.js";import{e as vt,f as Le}from"./chunk-GYCB65KH.js";import{a as J,b as D,c as Ce,d as xe,e as ie}from"./chunk-LPBACM3X.js";import{b as re,c as F,d as ge,e as be,f as Re,g as at,h as it,i as ct}from"./chunk-WTXZAN6C.js";import{a as X,b as Ue,c as ce,e as kt}from"./chunk-EG65HM2L.js";import{C as yt,a as je,b as Ee,d as Qe,e as We,i as Te,j as pt,l as ft,m as $t,n as Be,o as mt,p as Oe,q as ae,r as ht,s as gt,t as ve,u as we,v as De,w as bt}from"./chunk-GKH2TNPE.js";import{a as de}from"./chunk-CSD52RKA.js";import{a as Z,b as dt,c as K}from"./chunk-S46MJI4S.js";import{B as Ve,C as Ze,D as z,E as O,F as R,G as A,H as se,J as pe,K as Je,L as P,M as fe,N as Xe,O as et,P as N,R as $e,T as me,V as tt,W as nt,X as ot,Z as he,a as Ke,b,c as w,d as H,e as B,f as Y,h as $,i as s,k as ne,l as G,n as Ye,o as Ge,x as oe,y as V}from"./chunk-B7TPDEC6.js";var Gt=200,Dt=5*1024*1024,Vt="Not created: can't reach the server. Your text is kept.",I=()=>document.getElementById("create-url")?.focus();function Ut(){D({url:"https://example.com/"}),I()}var L=e=>ie.get()?P(e):xe.set(e);function qt({onQR:e}){let[t,n]=b(!1);w(()=>{Zt().catch(()=>{});let r=({target:p})=>p.closest?.("input, textarea, dialog")||document.querySelector("dialog[open]"),a=p=>{!r(p)&&Me(p.clipboardData.getData("text"),!1)&&p.preventDefault()},i=p=>p.dataTransfer?.types.includes("Files")&&!document.querySelector("dialog[open]"),f={paste:a,dragover:p=>{i(p)&&p.preventDefault(),n(i(p))},dragleave:p=>p.relatedTarget||n(!1),drop:p=>{n(!1),i(p)&&(p.preventDefault(),Mt(p.dataTransfer.files[0]))}};for(let[p,x]of Object.entries(f))addEventListener(p,x);return()=>{for(let[p,x]of Object.entries(f))removeEventListener(p,x)}},[]);let o=$(ie);return s`<div class="create-card" data-dropping=${t}>
    ${o?s`<${_t} />`:s`<${on} onQR=${e} />`}</div>`}async function Zt(){let{path:e,query:t}=Z.get(),[n,o,r]=["url","title","code"].map(c=>t.get(c)?.trim()??"");if(e!=="/ui/"||!(n||o||r))return;(n||o)&&D({url:n}),D({isOpen:!0}),K("/ui/",{replace:!0}),I();let{draftOf:a}=await j(),i=J.get().options??a(),l=n||o?a({title:[...o].slice(0,200).join("")}):i;D({options:{...l,short_code:r||i.short_code}})}function Me(e,t){let n=e.trim();if(xe.set(""),e.length>Dt)L("That's too much text. At most 5 MB can be read.");else if(/[\t\r\n]/.test(n)||Ue(n).length)At(e,t);else if(t&&/\s/.test(n))It(n);else if(!t&&!ie.get()&&/^https?:\/\//i.test(n)&&oe(n))D({url:n.replace(/\s+/g," ")}),L(ce(n)),I();else return!1;return!0}async function At(e,t){try{let{propose:n,noURL:o}=await Ae(),r=n(e);r&&r!==o?L(r):r&&t&&It(e)}catch{L("Couldn't read the list: can't reach the server. Paste it again in a moment.")}}async function Jt(e){await At(e,!1),ie.get()&&D({url:""})}function It(e){document.execCommand("insertText",!1,e.trim().replace(/\s+/g," ")),L(ce(e.trim()))}async function Mt(e){if(e){if(e.size>Dt){let t=Math.ceil(e.size/1024/1024*10)/10;return L(`That file has ${t} MB. At most 5 MB can be read.`)}try{let{propose:t,decode:n}=await Ae(),o=t(n(await e.arrayBuffer()));o&&L(o)}catch{L("Couldn't read the file.")}}}async function zt(e,t){try{let n=[...e].slice(0,Gt).join(""),{urls:o}=await Ee("GET",dt("/api/urls",{search:n,limit:20}),{signal:t});return o.filter(r=>r.original_url===e&&!vt(r)).map(r=>r.short_code)}catch{return[]}}function Xt(e){let[t,n]=b({url:"",code:""});return w(()=>{if(!oe(e)||ce(e))return;let o=new AbortController,r=setTimeout(async()=>{let[a=""]=await zt(e,o.signal);o.signal.aborted||n({url:e,code:a})},200);return()=>{clearTimeout(r),o.abort()}},[e]),t.url===e?t.code:""}async function en(e,t){if(!t)return{original_url:X(e)};let{fieldsOf:n}=await j(),o=Object.entries(n({...t,original_url:e}));return Object.fromEntries(o.filter(([,r])=>r!==null))}async function tn(e,t){if(!t)return{};let{problemsOf:n}=await j(),{original_url:o,...r}=n({...t,original_url:e});return r}async function nn(e){let t=Ee("POST","/api/urls",{body:e}),n=se(t.then(r=>z(r.short_code))).catch(()=>!1),o=await t;return ct(o.short_code),bt({...o,created_at:new Date().toISOString(),click_count:0}),{...o,copied:await n}}function on({onQR:e}){let{url:t,options:n,isOpen:o}=$(J),r=$(xe),a=$(de),[i,l]=b({}),[c,m]=b(null),[f,p]=b(""),x=B(!1),[_,C]=b(!1),h=B(),k=Xt(X(t)),y=o||t!=="";w(()=>{if(!y||n)return;let u=({draftOf:S})=>J.get().options||D({options:S()});j().then(u,()=>{})},[y,n,a]);let U=u=>{D({url:u}),L(""),m(null)},d=({original_url:u,...S})=>{l({}),u!==t&&U(u),D({options:S,isOpen:!0})},v=u=>{l(u),tt(h.current)},Q=async u=>{if(u.preventDefault(),x.current)return;if(!t.trim())return I();if(Ue(t).length)return Jt(t);let S=ce(X(t));if(S)return L(S);x.current=!0,C(!0),L("");try{let E=await tn(t,n);if(Object.keys(E).length)return v(E);await M(await en(t,n))}catch(E){await q(E)}finally{x.current=!1,C(!1)}},M=async u=>{let S=k||zt(u.original_url,AbortSignal.timeout(5e3)),E=await nn(u);Ce(),l({}),scrollTo(0,0);let W=f===u.original_url?"":k;if(m({...E,existing:W}),N(`${O}/${E.short_code} ${E.copied?"copied":"created"}`),I(),k)return;let Fe=(await S).find(te=>te!==E.short_code);Fe&&m(te=>te?.short_code===E.short_code?{...te,existing:Fe}:te)},q=async u=>{if(!u.status)return L(Vt);let{refusalOf:S,draftOf:E}=await j(),W=S(u,{...n??E(),original_url:t});if(W&&!W.original_url)return v(W);L(W?kt(t,u.message):u.message)},g=()=>{let u=J.get();Ce(),l({}),L(""),I(),(u.url||u.options)&&Xe("Cleared",()=>{J.set(u)})},Se=async u=>{let S=await se(z(u))?"Copied":"Use";c?be(c):Ce(),m(null),P(`${S} ${O}/${u}`),I()},T=()=>{p(X(t)),c&&m({...c,existing:""}),I()},ue=c?c.existing:f===X(t)?"":k;return s`<form ref=${h} class="create" onSubmit=${Q} novalidate
    aria-label="Shorten a URL">
    <div class="create-line">
      <input id="create-url" class="field mono" type="text" inputmode="url" autocomplete="off"
        autocapitalize="off" spellcheck=${!1} aria-label="Long URL"
        placeholder="Paste a long URL" value=${t} onInput=${u=>U(u.target.value)}
        onPaste=${u=>Me(u.clipboardData.getData("text"),!0)&&u.preventDefault()}
        onDrop=${u=>Me(u.dataTransfer.getData("text"),!0)&&u.preventDefault()}
        onKeyDown=${u=>u.key==="Escape"&&u.target.blur()}
        onFocus=${()=>j().catch(()=>{})}
        aria-invalid=${!!r}
        aria-describedby=${r?"create-problem":void 0} />
      ${!y&&s`<${sn} onOpen=${()=>D({isOpen:!0})} />`}
    </div>
    <${et} text=${t} />
    ${(y||r||c)&&s`<div class="create-note">${Yt()}</div>`}
    ${y&&s`<div class="form create-form">
      ${n&&s`<${Lt} id="new" isNew=${!0} draft=${{...n,original_url:t}}
        onChange=${d} problems=${i} />`}
      <div class="form-end"><button type="button" class="button" onClick=${g}>Cancel</button>
        <button class="button primary" aria-busy=${_}>Shorten</button></div></div>`}
  </form>`;function Yt(){return r?s`<p id="create-problem" class="problem" role="alert">${r}</p>`:s`${c&&s`<${rn} link=${c} onQR=${e} />`}
      ${ue?s`<${an} code=${ue} isOld=${!!c} onUse=${Se}
            onKeep=${T} />`:!c&&s`<p class="hint">Enter shortens it and copies the short URL.</p>`}`}}function sn({onOpen:e}){let t=B();return s`<input ref=${t} type="file" hidden accept=".csv,.tsv,.txt,text/csv,text/plain"
      aria-label="CSV file" onChange=${o=>{Mt(o.target.files[0]),o.target.value=""}} />
    <${A} icon="upload" label="Shorten a list from a CSV file"
      onClick=${()=>t.current.click()} />
    <button type="button" class="text-button" aria-expanded="false"
      onClick=${e}>Options</button>`}var rn=({link:{short_code:e,copied:t},onQR:n})=>s`<p class="made">
  <${R} name="done" /><a class="mono" href=${`/ui/links/${e}`}>${O}/${e}</a>
  <span class="quiet">${t?"Copied":"Created"}</span>
  ${!t&&s`<${pe} text=${z(e)} label="Copy the short URL" />`}
  <${A} icon="qr" label="QR code for the new link" onClick=${()=>n(e)} /></p>`;function an({code:e,isOld:t,onUse:n,onKeep:o}){let r=`${O}/${e}`,a=t?"had":"have";return w(()=>N(`You already ${a} ${r} for this URL`),[e]),s`<p class="known"><span>You ${" "}<span
    class="known-why">already </span>${a}${" "}
    <a class="mono" href=${`/ui/links/${e}`}>${r}</a><span class="known-why">${" "}
    for this URL</span></span>
    <button type="button" class="text-button" onClick=${()=>n(e)}>Use it</button>
    <button type="button" class="text-button" onClick=${o}>Keep both</button></p>`}var cn=matchMedia("(max-width: 720px)"),ze=matchMedia("(hover: none), (pointer: coarse), (max-width: 720px)"),ln=()=>cn.matches?68:56,Pt=4,He=56;function un(e,t){let n=()=>{let a=ln(),i=ze.matches,l=e.current?-e.current.getBoundingClientRect().top:0,c=Math.max(0,Math.floor(l/a)-Pt);return{height:a,bySheet:i,first:c-c%4,size:Math.ceil(innerHeight/a)+2*Pt+4}},[o,r]=b(n);return w(()=>{let a=()=>r(i=>{let l=n();return l.first===i.first&&l.size===i.size&&l.height===i.height&&l.bySheet===i.bySheet?i:l});return e.current&&a(),addEventListener("scroll",a,{passive:!0}),addEventListener("resize",a),ze.addEventListener("change",a),()=>{ze.removeEventListener("change",a),removeEventListener("scroll",a),removeEventListener("resize",a)}},[t===0]),o}function Ht({state:e,rows:t,active:n,setActive:o,onDialog:r}){let a=B(),{height:i,bySheet:l,first:c,size:m}=un(a,t.length),f=Math.min(t.length,c+m),{pinned:p,fresh:x,query:_,bots:C}=e;w(()=>{e.phase==="ready"&&f>t.length-40&&ve()},[f,t.length,e.phase]),pn(a,t,i),dn(a,t,n,i);let h=$(ft),k=$(ee),y=$(wt);w(()=>$t(t.slice(c,f),C),[c,f,t,h]);let U=(M,q)=>le(M,t,q),d=n>=0&&n<t.length&&(n<c||n>=f)?n:-1,v=e.next?-1:t.length,Q=Y(()=>{let M=g=>s`<${fn} key=${t[g].short_code} link=${t[g]} index=${g}
      top=${g*i} size=${v} flash=${t[g].short_code===x}
      isPinned=${p.includes(t[g])} bySheet=${l} boxed=${!l||y}
      chosen=${k.has(t[g].short_code)} bots=${C} wanted=${_.tag}
      onChoose=${U}
      days=${Te(t[g],C)>0&&h.get(t[g].short_code)}
      onFocus=${o} onDialog=${r} />`,q=[];d>=0&&d<c&&q.push(M(d));for(let g=c;g<f;g++)q.push(M(g));return d>=f&&q.push(M(d)),q},[t,c,f,d,i,l,v,x,h,k,y,_,C]);return s`<${Nt} rows=${t} bots=${C} />
    <ul class="rows" ref=${a} aria-label="Links" style=${{height:`${t.length*i}px`}}
      data-choosing=${y} aria-busy=${e.phase==="loading"}>
      ${Q}
    </ul>`}function dn(e,t,n,o){let r=t[n]?.short_code,a=B({active:n,code:""});H(()=>{let i=a.current.active!==n,l=a.current.code===r;if(a.current={active:n,code:r},l||n<0||!e.current||e.current.querySelector(":focus")?.closest(`[data-index="${n}"]`)||!i&&document.activeElement!==document.body)return;let c=e.current.getBoundingClientRect().top+n*o;c<He?scrollBy(0,c-He-8):c+o>innerHeight&&scrollBy(0,c+o-innerHeight+8),e.current.querySelector(`[data-index="${n}"] .row-link`)?.focus({preventScroll:!0})},[n,r])}function pn(e,t,n){let o=B({index:-1,code:""});H(()=>{let{index:r,code:a}=o.current;if(r<=0||!e.current||t[r]?.short_code===a)return;let i=t.findIndex(l=>l.short_code===a);i>=0&&scrollBy(0,(i-r)*n)},[t]),w(()=>{let r=()=>{let a=e.current?Math.ceil((He-e.current.getBoundingClientRect().top)/n):-1;o.current={index:a,code:t[a]?.short_code}};return r(),addEventListener("scroll",r,{passive:!0}),()=>removeEventListener("scroll",r)},[t,n])}function Nt({rows:e,bots:t}){let n=$(ee).size,o=e&&s`<input type="checkbox" aria-label="Select all links that are shown"
    checked=${n>0&&n>=e.length} indeterminate=${n>0&&n<e.length} onChange=${()=>Ct(e)} />`;return s`<div class="row-head"><span class="row-check">${o}</span>
    <span aria-hidden="true">Link</span>
    <span class="row-time" aria-hidden="true">Created</span>
    <span class="row-recent" aria-hidden="true" title="Clicks a day, each link to its own scale">
      Last 30 days</span>
    <span class="row-clicks" aria-hidden="true">${t?"Clicks with bots":"Clicks"}</span>
    </div>`}function fn({link:e,index:t,top:n,size:o,flash:r,isPinned:a,bySheet:i,boxed:l,chosen:c,bots:m,wanted:f,days:p,onFocus:x,onDialog:_,onChoose:C}){let{short_code:h,original_url:k,title:y,status:U}=e,d=T=>{let ue=T.currentTarget.querySelector(".row-link");ue.title=`${V(k)}
${Ye(new Date(e.created_at))}`},v=T=>T.currentTarget.closest(".row").querySelector(".row-link").click(),Q=()=>_({kind:"actions",link:e}),M=T=>{T.pointerType==="touch"&&(T.preventDefault(),T.stopPropagation(),Q())},q=s`${a&&s`<span class="badge">New</span>`}
    ${Le[U]&&s`<span class="state-badge">${Le[U]}</span>`}
    <${hn} link=${e} onClick=${v} />`,g=s`<span class="row-code mono"><span class="row-host quiet">${O}/</span><a
    class="row-link" href=${`/ui/links/${h}`} aria-label=${`View ${h}`} onClick=${()=>{ae.code=h}}>${h}</a></span>`,Se=s`<span class="row-arrow quiet" aria-hidden="true">→</span>
    <span class="row-url"><${me} url=${k} /></span>`;return s`<li class="row" data-index=${t} data-flash=${r} style=${{top:`${n}px`}}
    aria-setsize=${o} aria-posinset=${t+1} onFocusIn=${()=>x(t)}
    onPointerEnter=${d} data-chosen=${c}>
    ${l&&s`<label class="row-check"><input type="checkbox" aria-label=${`Select ${h}`}
      checked=${c} onClick=${T=>C(e,T.shiftKey)} /></label>`}
    <span class="row-what">
      <span class="row-first">${y?s`<span class="row-title"><bdi>${V(y)}</bdi></span>`:g}${q}</span>
      <span class="row-second">${y&&g}${Se}</span></span>
    <${yt} tags=${$n(e.tags,f)} most=${i?1:2} plain=${i}
      class="row-tags" />
    <time class="row-time quiet" datetime=${e.created_at}>
      ${Ge(new Date(e.created_at))}</time>
    ${p&&s`<span class="row-recent" title=${mn(p)} onClick=${v}>
      <svg viewBox="0 0 90 20" aria-hidden="true"><path d=${p.path} /></svg></span>`}
    <span class="row-clicks"><span class="unseen">clicks: </span>${ne(Te(e,m))}</span>
    <span class="row-actions" onClickCapture=${M}>
      ${!i&&s`<${A} icon="edit" label=${`Edit ${h}`}
          onClick=${()=>_({kind:"edit",link:e})} />
        <${pe} text=${z(h)} label=${`Copy ${O}/${h}`} />`}
      <${A} icon="more" label=${`Actions for ${h}`} aria-haspopup="dialog"
        onClick=${Q} /></span>
  </li>`}function $n(e=[],t){if(!t.length)return e;let n=o=>t.some(r=>r.toLowerCase()===o.toLowerCase());return[...e.filter(n),...e.filter(o=>!n(o))]}var mn=({total:e,most:t})=>`${G(e,"click","clicks")} in 30 days, at most ${ne(t)} a day`;function hn({link:e,onClick:t}){let{password:n,rules:o,status:r}=e,a=!Le[r]&&pt(e);return!n&&!o?.length&&!a?null:s`<span class="row-marks quiet" onClick=${t}>
    ${n&&s`<${Pe} icon="lock" name="Password" />`}
    ${o?.length>0&&s`<${Pe} icon="rules" name=${G(o.length,"rule","rules")} />`}
    ${a&&s`<${Pe} icon="clock" name=${a} />`}</span>`}var Pe=({icon:e,name:t})=>s`<span role="img" aria-label=${t} title=${t}><${R} name=${e} /></span>`,Ne=({rows:e,bare:t,bots:n})=>s`${!t&&s`<${Nt} bots=${n} />`}
  <div class="rows-skeleton" role="status" aria-label="Loading links">
  ${Array.from({length:e},(o,r)=>s`<div class="row" key=${r}><span class="row-what">
      <i class="bone" data-size=${r%3} /><i class="bone wide" data-size=${(r+1)%3} /></span>
      <span class="row-clicks"><i class="bone small" /></span></div>`)}
</div>`;async function Ft({short_code:e}){P(await se(z(e))?`Copied ${O}/${e}`:"Couldn't copy")}function Kt(e){be(e)?N(`Deleted ${e.short_code}. Press Z to undo.`):P("Too many deletes at once. Wait ten seconds.")}function jt(){let{query:e}=$(Z),t=$(Be),n=$(re),o=$(F),r=$(ee),[a,i]=b(null),l=e.toString(),c=Y(()=>Tt(e),[l]),m=ht(c),f=Y(()=>{let d=new Set(t.pinned.map(v=>v.short_code));return[...t.pinned,...t.rows.filter(v=>!d.has(v.short_code))].filter(v=>!ge(v.short_code))},[t.rows,t.pinned,n,o]),p=[...r.values()].filter(d=>!ge(d.short_code)),x=t.total-t.rows.filter(d=>ge(d.short_code)).length,[_,C]=gn(f,m?ae.code:"");H(()=>{document.title="Links · terse",scrollTo(0,Oe.y);let d=()=>{Oe.y=scrollY};return addEventListener("scroll",d,{passive:!0}),()=>removeEventListener("scroll",d)},[]),bn(De),H(()=>{m?De():(gt(c),C(-1),qe()),ae.href=Ie(c)},[c]),w(()=>de.watch(d=>d==="up"&&Be.get().phase==="error"&&we()),[]);let h=d=>{f.length&&C(Math.min(f.length-1,Math.max(0,_+d)))},k=d=>v=>f[_]?v.repeat||d(f[_]):!1,y=()=>i(null),U=()=>{qe(),document.querySelector(`.row[data-index="${_}"] .row-link`)?.focus()};return he({n:I,"/":()=>document.getElementById("search").focus(),j:()=>h(1),k:()=>h(-1),c:k(d=>Ft(d)),q:k(d=>i({kind:"qr",link:d})),e:k(d=>i({kind:"edit",link:d})),x:k(d=>le(d,f)),Delete:k(Kt),Escape:()=>{if(r.size)return U();document.activeElement.blur(),C(-1)}}),s`<main class="page wide" id="main">
    <h1 class="unseen">Links</h1>
    <${qt} onQR=${d=>i({kind:"qr",link:{short_code:d}})} />
    <${Ot} query=${c} state=${t} total=${x} />
    <${kn} state=${t} rows=${f} query=${c} active=${_} setActive=${C}
      onDialog=${i} />
    ${p.length>0&&s`<${Et} links=${p} onClear=${U} />`}
    ${a?.kind==="qr"&&s`<${St} code=${a.link.short_code} onClose=${y} />`}
    ${a?.kind==="edit"&&s`<${xt} code=${a.link.short_code} onClose=${y} />`}
    ${a?.kind==="actions"&&s`<${Ln} link=${a.link} rows=${f} onDialog=${i} />`}
  </main>`}function gn(e,t){let[{index:n,code:o},r]=b(()=>({index:e.findIndex(l=>l.short_code===t),code:t})),a=Y(()=>{if(n<0||e[n]?.short_code===o)return n;let l=e.findIndex(c=>c.short_code===o);return l<0?n:l},[e,n,o]),i=l=>r(c=>{let m={index:l,code:e[l]?.short_code??""};return c.index===m.index&&c.code===m.code?c:m});return H(()=>i(a),[a,e]),[a,i]}function bn(e){w(()=>{let t=!1,n=()=>{t=!0},o=()=>{document.hidden?n():t&&(t=!1,e())};return addEventListener("blur",n),addEventListener("focus",o),document.addEventListener("visibilitychange",o),()=>{removeEventListener("blur",n),removeEventListener("focus",o),document.removeEventListener("visibilitychange",o)}},[])}function kn({state:e,rows:t,query:n,...o}){return!e.loaded&&e.phase==="error"?s`<${nt} title="Couldn't load links"
    message=${e.error.message} onRetry=${we} />`:e.loaded?t.length===0&&e.phase==="ready"?n.search?s`<${Cn} search=${n.search} />`:Bt(n)?s`<${xn} query=${n} />`:s`<${vn} />`:s`<${Ht} state=${e} rows=${t} ...${o} />
    <${yn} state=${e} search=${n.search} />`:s`<${Ne} rows=${8} bots=${n.bots} />`}function yn({state:e,search:t}){return e.phase==="error"?s`<div class="foot" role="alert">
    <p>${e.error.message}</p><button type="button" class="button"
      onClick=${we}>Try again</button></div>`:e.phase==="paused"?s`<div class="foot">
    <p>${e.rows.length?"No more matches so far.":"No matches yet."}</p>
    <button type="button" class="button" onClick=${ve}>Keep searching</button></div>`:mt(e)&&e.next?s`<div class="foot">
    <p>Showing the first ${ne(e.rows.length)}. Search or sort to find others.</p></div>`:e.next||e.phase==="more"?s`<${Ne}
    rows=${t&&!e.rows.length?8:3} bare=${!0} />`:null}var vn=()=>s`<div class="state"><h2>No links yet</h2>
  <p>Paste a long URL into the field above and press Enter. The short one is copied.</p>
  <button type="button" class="button" onClick=${Ut}>Try an example</button>
  <p>Or from a terminal:</p>
  <${ot} line=${`curl -H "Authorization: Bearer $TERSE_TOKEN" -d '{"original_url":"https://example.com/"}' ${location.origin}/api/urls`} /></div>`,wn=()=>{K("/ui/",{replace:!0}),document.getElementById("search").focus()},Cn=({search:e})=>s`<div class="state"><h2>No matches for "${V(e)}"</h2>
  <button type="button" class="button" onClick=${wn}>Clear search</button></div>`,xn=({query:e})=>s`<div class="state"><h2>No links with this filter</h2>
  <a class="button" href=${Ie({...e,tag:[],status:""})}>Remove filter</a></div>`;function Ln({link:e,rows:t,onDialog:n}){let{short_code:o,original_url:r,title:a}=e,i=()=>n(null),l=oe(r),c=()=>ee.get().has(o)||le(e,t);return s`<${$e} label=${`Actions for ${o}`} class="sheet" onClose=${i}>
    <p class="sheet-title"><b>${a?V(a):`${O}/${o}`}</b>
      <span><${me} url=${r} /></span></p>
    <button type="button" class="sheet-item" onClick=${()=>Ft(e).then(i)}>
      <${R} name="copy" />Copy link</button>
    <button type="button" class="sheet-item" onClick=${()=>n({kind:"qr",link:e})}>
      <${R} name="qr" />QR code</button>
    <button type="button" class="sheet-item" onClick=${()=>n({kind:"edit",link:e})}>
      <${R} name="edit" />Edit</button>
    <button type="button" class="sheet-item" onClick=${()=>{i(),c()}}>
      <${R} name="done" />Select</button>
    ${l&&s`<a class="sheet-item" href=${l.href} target="_blank"
      rel="noreferrer noopener" onClick=${i}><${R} name="open" />Open destination</a>`}
    <button type="button" class="sheet-item danger" onClick=${()=>{i(),Kt(e)}}>
      <${R} name="remove" />Delete</button>
    <button type="button" class="sheet-item" onClick=${i}>
      <${R} name="close" />Cancel</button>
  <//>`}var _e=ut(()=>import("./pages-FAHJGYF4.js")),_n=ye(_e,"LinkPage",ke),Sn=ye(_e,"Overview",ke),En=ye(_e,"Unknown",ke),Rn=globalThis.requestIdleCallback??(e=>setTimeout(e,1e3));navigator.connection?.saveData||addEventListener("load",()=>Rn(()=>_e().catch(()=>{})));function Tn(){let{path:e}=$(Z),t=$(je),[n,o]=b(!1),r=$(re);return he({"?":()=>o(!0),n:()=>{K("/ui/"),requestAnimationFrame(()=>document.getElementById("create-url")?.focus())},"/":()=>{K("/ui/"),requestAnimationFrame(()=>document.getElementById("search")?.focus())},z:()=>r.length?Re():fe.get()?.undo?fe.get().undo():!1}),Bn(e),t==="left"?s`<${Wt} />`:s`<a class="skip" href="#main">Skip to content</a>
    <${Dn} path=${e} onHelp=${()=>o(!0)} />
    <${rt} />
    ${Ve&&s`<aside class="notice" aria-label="Notice">
      Short links start with ${Ze}, the address of this page. Set BASE_URL to your public
      address.</aside>`}
    <${On} path=${e} />
    <${qn} />
    ${n&&s`<${Rt} onClose=${()=>o(!1)} />`}
    ${t==="out"&&s`<${Wt} />`}
    <p id="said" class="unseen" role="status"></p>`}function Bn(e){let t=B(e),n=$(lt);w(()=>{let o=document.querySelector("#main h1");t.current===e||!o||(t.current=e,N(document.title.replace(/ · terse$/,"")),document.activeElement===document.body&&(o.tabIndex=-1,o.focus({preventScroll:!0})))},[e,n])}function On({path:e}){if(e==="/ui/")return s`<${jt} />`;if(e==="/ui/overview")return s`<${Sn} />`;if(e==="/ui/unknown")return s`<${En} />`;let[,t]=e.match(/^\/ui\/links\/([A-Za-z0-9_-]{3,20})$/)??[];return t?s`<${_n} key=${t} code=${t} />`:s`<main class="page" id="main"><div class="state"><h1>Page not found</h1>
    <p>Check the address.</p><a class="button" href="/ui/">Back to links</a></div></main>`}var Qt=e=>e?"page":void 0,Dn=({path:e,onHelp:t})=>s`<header class="top"><div class="top-inner">
  <a class="brand" href="/ui/">terse</a>
  <nav aria-label="Pages">
    <a href="/ui/" aria-current=${e==="/ui/"?"page":e.startsWith("/ui/links/")?"true":void 0}>Links</a>
    <a href="/ui/overview" aria-current=${Qt(e==="/ui/overview")}>Overview</a>
    <a href="/ui/unknown" aria-current=${Qt(e==="/ui/unknown")}>Not found</a>
  </nav>
  <div class="top-end"><${A} icon="help" class="shortcuts"
      label="Keyboard shortcuts" onClick=${t} />
    <${st} />
    <${A} icon="leave" label="Sign out" onClick=${Un} /></div>
</div></header>`;async function Un(){try{let e=F.get();if(await it(),F.get()!==e)return;await We(),location.assign("/ui/")}catch(e){P(`Couldn't sign out: ${e.message}`)}}function qn(){let e=$(re),t=$(F),n=$(Je),o=$(fe);return s`<div class="toasts" role="region" aria-label="Messages">
    ${n&&s`<div class="toast">${n}</div>`}
    ${o&&s`<div class="toast"><span>${o.text}</span>
      ${o.undo&&s`<button type="button" class="text-button"
        onClick=${o.undo}>Undo</button>`}</div>`}
    ${t&&s`<div class="toast" role="alert">Couldn't delete ${t.codes.length===1?t.codes[0]:G(t.codes.length,"link","links")}: ${t.message}
      <${A} icon="close" label="Close" onClick=${()=>F.set(null)} /></div>`}
    ${e.length>0&&s`<${An} links=${e} />`}
  </div>`}function An({links:e}){if(e.length>1)return s`<div class="toast">
    <span>${G(e.length,"link","links")} deleted</span>
    <button type="button" class="text-button" onClick=${at}>Undo all</button></div>`;let[{short_code:t}]=e;return s`<div class="toast"><span>Deleted <b class="mono">${t}</b></span>
    <button type="button" class="text-button" aria-label=${`Undo deleting ${t}`}
      onClick=${Re}>Undo</button></div>`}function Wt(){let[e,t]=b(""),[n,o]=b(""),[r,a]=b(!1),i=B();return w(()=>i.current.focus(),[]),s`<${$e} label="Sign in" class="sign-in"><form onSubmit=${async c=>{if(c.preventDefault(),!r){a(!0),o("");try{await Qe(e.trim())}catch(m){o(m.status===401||m.status===400?"That token isn't valid.":m.message),i.current?.select()}finally{a(!1)}}}}>
    <p class="brand">terse</p><h2>Sign in</h2>
    <input class="unseen" type="text" name="username" autocomplete="username" value="terse" readonly
      tabindex="-1" aria-hidden="true" />
    <label for="token">Access token</label>
    <input id="token" ref=${i} class="field mono" type="password"
      autocomplete="current-password" required value=${e}
      onInput=${c=>{t(c.target.value),o("")}}
      aria-invalid=${!!n}
      aria-describedby=${n?"token-problem":"token-hint"} />
    ${n?s`<p id="token-problem" class="problem" role="alert">${n}</p>`:s`<p id="token-hint" class="hint">
        The token printed when the server first started, or one from AUTH_TOKENS. Lost it?
        Run <code class="mono">terse token</code>.</p>`}
    <button class="button primary" aria-busy=${r}>Sign in</button>
  </form><//>`}Ke(s`<${Tn} />`,document.getElementById("app"));
