import{a as xt,b as Lt,c as j,d as qe,e as _t,f as St,g as Et,h as Rt,i as Tt,j as Ae,k as Bt,l as Ot}from"./chunk-YKHIFXF7.js";import{a as ee,b as wt,c as Ue,d as le,e as Ct}from"./chunk-DPVMKV5U.js";import{a as st,b as rt}from"./chunk-DVKJUYZO.js";import{a as lt,b as ut,c as ge,d as be}from"./chunk-GIT5BM5A.js";import{e as vt,f as Ce}from"./chunk-GYCB65KH.js";import{a as J,b as D,c as ve,d as we,e as ie}from"./chunk-LPBACM3X.js";import{b as re,c as F,d as he,e as me,f as Ee,g as at,h as it,i as ct}from"./chunk-WTXZAN6C.js";import{a as X,b as De,c as ce,e as kt}from"./chunk-EG65HM2L.js";import{C as yt,a as je,b as Se,d as Qe,e as We,i as Re,j as pt,l as ft,m as $t,n as Te,o as ht,p as Be,q as ae,r as mt,s as gt,t as ke,u as ye,v as Oe,w as bt}from"./chunk-GKH2TNPE.js";import{a as Ke}from"./chunk-CSD52RKA.js";import{a as Z,b as dt,c as K}from"./chunk-S46MJI4S.js";import{B as Ve,C as Ze,D as z,E as O,F as T,G as q,H as se,J as ue,K as Je,L as P,M as de,N as Xe,O as et,P as N,R as pe,T as fe,V as tt,W as nt,X as ot,Z as $e,a as Fe,b as k,c as y,d as H,e as B,f as Y,h as $,i as s,k as ne,l as G,n as Ye,o as Ge,x as oe,y as V}from"./chunk-B7TPDEC6.js";var Yt=200,Dt=5*1024*1024,Gt="Not created: can't reach the server. Your text is kept.",A=()=>document.getElementById("create-url")?.focus();function Ut(){D({url:"https://example.com/"}),A()}var x=e=>ie.get()?P(e):we.set(e);function qt({onQR:e}){let[t,n]=k(!1);y(()=>{Vt().catch(()=>{});let r=({target:p})=>p.closest?.("input, textarea, dialog")||document.querySelector("dialog[open]"),a=p=>{!r(p)&&Ie(p.clipboardData.getData("text"),!1)&&p.preventDefault()},i=p=>p.dataTransfer?.types.includes("Files")&&!document.querySelector("dialog[open]"),f={paste:a,dragover:p=>{i(p)&&p.preventDefault(),n(i(p))},dragleave:p=>p.relatedTarget||n(!1),drop:p=>{n(!1),i(p)&&(p.preventDefault(),Mt(p.dataTransfer.files[0]))}};for(let[p,_]of Object.entries(f))addEventListener(p,_);return()=>{for(let[p,_]of Object.entries(f))removeEventListener(p,_)}},[]);let o=$(ie);return s`<div class="create-card" data-dropping=${t}>
    ${o?s`<${_t} />`:s`<${nn} onQR=${e} />`}</div>`}async function Vt(){let{path:e,query:t}=Z.get(),[n,o,r]=["url","title","code"].map(l=>t.get(l)?.trim()??"");if(e!=="/ui/"||!(n||o||r))return;(n||o)&&D({url:n}),D({isOpen:!0}),K("/ui/",{replace:!0}),A();let{draftOf:a}=await j(),i=J.get().options??a(),c=n||o?a({title:[...o].slice(0,200).join("")}):i;D({options:{...c,short_code:r||i.short_code}})}function Ie(e,t){let n=e.trim();if(we.set(""),e.length>Dt)x("That's too much text. At most 5 MB can be read.");else if(/[\t\r\n]/.test(n)||De(n).length)At(e,t);else if(t&&/\s/.test(n))It(n);else if(!t&&!ie.get()&&/^https?:\/\//i.test(n)&&oe(n))D({url:n.replace(/\s+/g," ")}),x(ce(n)),A();else return!1;return!0}async function At(e,t){try{let{propose:n,noURL:o}=await qe(),r=n(e);r&&r!==o?x(r):r&&t&&It(e)}catch{x("Couldn't read the list: can't reach the server. Paste it again in a moment.")}}async function Zt(e){await At(e,!1),ie.get()&&D({url:""})}function It(e){document.execCommand("insertText",!1,e.trim().replace(/\s+/g," ")),x(ce(e.trim()))}async function Mt(e){if(e){if(e.size>Dt){let t=Math.ceil(e.size/1024/1024*10)/10;return x(`That file has ${t} MB. At most 5 MB can be read.`)}try{let{propose:t,decode:n}=await qe(),o=t(n(await e.arrayBuffer()));o&&x(o)}catch{x("Couldn't read the file.")}}}async function zt(e,t){try{let n=[...e].slice(0,Yt).join(""),{urls:o}=await Se("GET",dt("/api/urls",{search:n,limit:20}),{signal:t});return o.filter(r=>r.original_url===e&&!vt(r)).map(r=>r.short_code)}catch{return[]}}function Jt(e){let[t,n]=k({url:"",code:""});return y(()=>{if(!oe(e)||ce(e))return;let o=new AbortController,r=setTimeout(async()=>{let[a=""]=await zt(e,o.signal);o.signal.aborted||n({url:e,code:a})},200);return()=>{clearTimeout(r),o.abort()}},[e]),t.url===e?t.code:""}async function Xt(e,t){if(!t)return{original_url:X(e)};let{fieldsOf:n}=await j(),o=Object.entries(n({...t,original_url:e}));return Object.fromEntries(o.filter(([,r])=>r!==null))}async function en(e,t){if(!t)return{};let{problemsOf:n}=await j(),{original_url:o,...r}=n({...t,original_url:e});return r}async function tn(e){let t=Se("POST","/api/urls",{body:e}),n=se(t.then(r=>z(r.short_code))).catch(()=>!1),o=await t;return ct(o.short_code),bt({...o,created_at:new Date().toISOString(),click_count:0}),{...o,copied:await n}}function nn({onQR:e}){let{url:t,options:n,isOpen:o}=$(J),r=$(we),[a,i]=k({}),[c,l]=k(null),[m,f]=k(""),p=B(!1),[_,C]=k(!1),v=B(),h=Jt(X(t)),b=o||t!=="";y(()=>{if(!b||n)return;let u=({draftOf:E})=>J.get().options||D({options:E()});j().then(u,()=>{})},[b,n]);let L=u=>{D({url:u}),x(""),l(null)},I=({original_url:u,...E})=>{i({}),u!==t&&L(u),D({options:E,isOpen:!0})},d=u=>{i(u),tt(v.current)},w=async u=>{if(u.preventDefault(),p.current)return;if(!t.trim())return A();if(De(t).length)return Zt(t);let E=ce(X(t));if(E)return x(E);p.current=!0,C(!0),x("");try{let R=await en(t,n);if(Object.keys(R).length)return d(R);await Q(await Xt(t,n))}catch(R){await M(R)}finally{p.current=!1,C(!1)}},Q=async u=>{let E=h||zt(u.original_url,AbortSignal.timeout(5e3)),R=await tn(u);ve(),i({}),scrollTo(0,0);let W=m===u.original_url?"":h;if(l({...R,existing:W}),N(`${O}/${R.short_code} ${R.copied?"copied":"created"}`),A(),h)return;let Ne=(await E).find(te=>te!==R.short_code);Ne&&l(te=>te?.short_code===R.short_code?{...te,existing:Ne}:te)},M=async u=>{if(!u.status)return x(Gt);let{refusalOf:E,draftOf:R}=await j(),W=E(u,{...n??R(),original_url:t});if(W&&!W.original_url)return d(W);x(W?kt(t,u.message):u.message)},U=()=>{let u=J.get();ve(),i({}),x(""),A(),(u.url||u.options)&&Xe("Cleared",()=>{J.set(u)})},g=async u=>{let E=await se(z(u))?"Copied":"Use";c?me(c):ve(),l(null),P(`${E} ${O}/${u}`),A()},Le=()=>{f(X(t)),c&&l({...c,existing:""}),A()},S=c?c.existing:m===X(t)?"":h;return s`<form ref=${v} class="create" onSubmit=${w} novalidate
    aria-label="Shorten a URL">
    <div class="create-line">
      <input id="create-url" class="field mono" type="text" inputmode="url" autocomplete="off"
        autocapitalize="off" spellcheck=${!1} aria-label="Long URL"
        placeholder="Paste a long URL" value=${t} onInput=${u=>L(u.target.value)}
        onPaste=${u=>Ie(u.clipboardData.getData("text"),!0)&&u.preventDefault()}
        onDrop=${u=>Ie(u.dataTransfer.getData("text"),!0)&&u.preventDefault()}
        onKeyDown=${u=>u.key==="Escape"&&u.target.blur()}
        onFocus=${()=>j().catch(()=>{})}
        aria-invalid=${!!r}
        aria-describedby=${r?"create-problem":void 0} />
      ${!b&&s`<${on} onOpen=${()=>D({isOpen:!0})} />`}
    </div>
    <${et} text=${t} />
    ${(b||r||c)&&s`<div class="create-note">${_e()}</div>`}
    ${b&&s`<div class="form create-form">
      ${n&&s`<${Lt} id="new" isNew=${!0} draft=${{...n,original_url:t}}
        onChange=${I} problems=${a} />`}
      <div class="form-end"><button type="button" class="button" onClick=${U}>Cancel</button>
        <button class="button primary" aria-busy=${_}>Shorten</button></div></div>`}
  </form>`;function _e(){return r?s`<p id="create-problem" class="problem" role="alert">${r}</p>`:s`${c&&s`<${sn} link=${c} onQR=${e} />`}
      ${S?s`<${rn} code=${S} isOld=${!!c} onUse=${g}
            onKeep=${Le} />`:!c&&s`<p class="hint">Enter shortens it and copies the short URL.</p>`}`}}function on({onOpen:e}){let t=B();return s`<input ref=${t} type="file" hidden accept=".csv,.tsv,.txt,text/csv,text/plain"
      aria-label="CSV file" onChange=${o=>{Mt(o.target.files[0]),o.target.value=""}} />
    <${q} icon="upload" label="Shorten a list from a CSV file"
      onClick=${()=>t.current.click()} />
    <button type="button" class="text-button" aria-expanded="false"
      onClick=${e}>Options</button>`}var sn=({link:{short_code:e,copied:t},onQR:n})=>s`<p class="made">
  <${T} name="done" /><a class="mono" href=${`/ui/links/${e}`}>${O}/${e}</a>
  <span class="quiet">${t?"Copied":"Created"}</span>
  ${!t&&s`<${ue} text=${z(e)} label="Copy the short URL" />`}
  <${q} icon="qr" label="QR code for the new link" onClick=${()=>n(e)} /></p>`;function rn({code:e,isOld:t,onUse:n,onKeep:o}){let r=`${O}/${e}`,a=t?"had":"have";return y(()=>N(`You already ${a} ${r} for this URL`),[e]),s`<p class="known"><span>You ${" "}<span
    class="known-why">already </span>${a}${" "}
    <a class="mono" href=${`/ui/links/${e}`}>${r}</a><span class="known-why">${" "}
    for this URL</span></span>
    <button type="button" class="text-button" onClick=${()=>n(e)}>Use it</button>
    <button type="button" class="text-button" onClick=${o}>Keep both</button></p>`}var an=matchMedia("(max-width: 720px)"),Me=matchMedia("(hover: none), (pointer: coarse), (max-width: 720px)"),cn=()=>an.matches?68:56,Pt=4,Pe=56;function ln(e,t){let n=()=>{let a=cn(),i=Me.matches,c=e.current?-e.current.getBoundingClientRect().top:0,l=Math.max(0,Math.floor(c/a)-Pt);return{height:a,bySheet:i,first:l-l%4,size:Math.ceil(innerHeight/a)+2*Pt+4}},[o,r]=k(n);return y(()=>{let a=()=>r(i=>{let c=n();return c.first===i.first&&c.size===i.size&&c.height===i.height&&c.bySheet===i.bySheet?i:c});return e.current&&a(),addEventListener("scroll",a,{passive:!0}),addEventListener("resize",a),Me.addEventListener("change",a),()=>{Me.removeEventListener("change",a),removeEventListener("scroll",a),removeEventListener("resize",a)}},[t===0]),o}function Ht({state:e,rows:t,active:n,setActive:o,onDialog:r}){let a=B(),{height:i,bySheet:c,first:l,size:m}=ln(a,t.length),f=Math.min(t.length,l+m),{pinned:p,fresh:_,query:C,bots:v}=e;y(()=>{e.phase==="ready"&&f>t.length-40&&ke()},[f,t.length,e.phase]),dn(a,t,i),un(a,t,n,i);let h=$(ft),b=$(ee),L=$(wt);y(()=>$t(t.slice(l,f),v),[l,f,t,h]);let I=(M,U)=>le(M,t,U),d=n>=0&&n<t.length&&(n<l||n>=f)?n:-1,w=e.next?-1:t.length,Q=Y(()=>{let M=g=>s`<${pn} key=${t[g].short_code} link=${t[g]} index=${g}
      top=${g*i} size=${w} flash=${t[g].short_code===_}
      isPinned=${p.includes(t[g])} bySheet=${c} boxed=${!c||L}
      chosen=${b.has(t[g].short_code)} bots=${v} wanted=${C.tag}
      onChoose=${I}
      days=${Re(t[g],v)>0&&h.get(t[g].short_code)}
      onFocus=${o} onDialog=${r} />`,U=[];d>=0&&d<l&&U.push(M(d));for(let g=l;g<f;g++)U.push(M(g));return d>=f&&U.push(M(d)),U},[t,l,f,d,i,c,w,_,h,b,L,C,v]);return s`<${Nt} rows=${t} bots=${v} />
    <ul class="rows" ref=${a} aria-label="Links" style=${{height:`${t.length*i}px`}}
      data-choosing=${L} aria-busy=${e.phase==="loading"}>
      ${Q}
    </ul>`}function un(e,t,n,o){let r=t[n]?.short_code,a=B({active:n,code:""});H(()=>{let i=a.current.active!==n,c=a.current.code===r;if(a.current={active:n,code:r},c||n<0||!e.current||e.current.querySelector(":focus")?.closest(`[data-index="${n}"]`)||!i&&document.activeElement!==document.body)return;let l=e.current.getBoundingClientRect().top+n*o;l<Pe?scrollBy(0,l-Pe-8):l+o>innerHeight&&scrollBy(0,l+o-innerHeight+8),e.current.querySelector(`[data-index="${n}"] .row-link`)?.focus({preventScroll:!0})},[n,r])}function dn(e,t,n){let o=B({index:-1,code:""});H(()=>{let{index:r,code:a}=o.current;if(r<=0||!e.current||t[r]?.short_code===a)return;let i=t.findIndex(c=>c.short_code===a);i>=0&&scrollBy(0,(i-r)*n)},[t]),y(()=>{let r=()=>{let a=e.current?Math.ceil((Pe-e.current.getBoundingClientRect().top)/n):-1;o.current={index:a,code:t[a]?.short_code}};return r(),addEventListener("scroll",r,{passive:!0}),()=>removeEventListener("scroll",r)},[t,n])}function Nt({rows:e,bots:t}){let n=$(ee).size,o=e&&s`<input type="checkbox" aria-label="Select all links that are shown"
    checked=${n>0&&n>=e.length} indeterminate=${n>0&&n<e.length} onChange=${()=>Ct(e)} />`;return s`<div class="row-head"><span class="row-check">${o}</span>
    <span aria-hidden="true">Link</span>
    <span class="row-time" aria-hidden="true">Created</span>
    <span class="row-recent" aria-hidden="true" title="Clicks a day, each link to its own scale">
      Last 30 days</span>
    <span class="row-clicks" aria-hidden="true">${t?"Clicks with bots":"Clicks"}</span>
    </div>`}function pn({link:e,index:t,top:n,size:o,flash:r,isPinned:a,bySheet:i,boxed:c,chosen:l,bots:m,wanted:f,days:p,onFocus:_,onDialog:C,onChoose:v}){let{short_code:h,original_url:b,title:L,status:I}=e,d=S=>{let _e=S.currentTarget.querySelector(".row-link");_e.title=`${V(b)}
${Ye(new Date(e.created_at))}`},w=S=>S.currentTarget.closest(".row").querySelector(".row-link").click(),Q=()=>C({kind:"actions",link:e}),M=S=>{S.pointerType==="touch"&&(S.preventDefault(),S.stopPropagation(),Q())},U=s`${a&&s`<span class="badge">New</span>`}
    ${Ce[I]&&s`<span class="state-badge">${Ce[I]}</span>`}
    <${hn} link=${e} onClick=${w} />`,g=s`<span class="row-code mono"><span class="row-host quiet">${O}/</span><a
    class="row-link" href=${`/ui/links/${h}`} aria-label=${`View ${h}`} onClick=${()=>{ae.code=h}}>${h}</a></span>`,Le=s`<span class="row-arrow quiet" aria-hidden="true">→</span>
    <span class="row-url"><${fe} url=${b} /></span>`;return s`<li class="row" data-index=${t} data-flash=${r} style=${{top:`${n}px`}}
    aria-setsize=${o} aria-posinset=${t+1} onFocusIn=${()=>_(t)}
    onPointerEnter=${d} data-chosen=${l}>
    ${c&&s`<label class="row-check"><input type="checkbox" aria-label=${`Select ${h}`}
      checked=${l} onClick=${S=>v(e,S.shiftKey)} /></label>`}
    <span class="row-what">
      <span class="row-first">${L?s`<span class="row-title"><bdi>${V(L)}</bdi></span>`:g}${U}</span>
      <span class="row-second">${L&&g}${Le}</span></span>
    <${yt} tags=${fn(e.tags,f)} most=${i?1:2} plain=${i}
      class="row-tags" />
    <time class="row-time quiet" datetime=${e.created_at}>
      ${Ge(new Date(e.created_at))}</time>
    ${p&&s`<span class="row-recent" title=${$n(p)} onClick=${w}>
      <svg viewBox="0 0 90 20" aria-hidden="true"><path d=${p.path} /></svg></span>`}
    <span class="row-clicks"><span class="unseen">clicks: </span>${ne(Re(e,m))}</span>
    <span class="row-actions" onClickCapture=${M}>
      ${!i&&s`<${q} icon="edit" label=${`Edit ${h}`}
          onClick=${()=>C({kind:"edit",link:e})} />
        <${ue} text=${z(h)} label=${`Copy ${O}/${h}`} />`}
      <${q} icon="more" label=${`Actions for ${h}`} aria-haspopup="dialog"
        onClick=${Q} /></span>
  </li>`}function fn(e=[],t){if(!t.length)return e;let n=o=>t.some(r=>r.toLowerCase()===o.toLowerCase());return[...e.filter(n),...e.filter(o=>!n(o))]}var $n=({total:e,most:t})=>`${G(e,"click","clicks")} in 30 days, at most ${ne(t)} a day`;function hn({link:e,onClick:t}){let{password:n,rules:o,status:r}=e,a=!Ce[r]&&pt(e);return!n&&!o?.length&&!a?null:s`<span class="row-marks quiet" onClick=${t}>
    ${n&&s`<${ze} icon="lock" name="Password" />`}
    ${o?.length>0&&s`<${ze} icon="rules" name=${G(o.length,"rule","rules")} />`}
    ${a&&s`<${ze} icon="clock" name=${a} />`}</span>`}var ze=({icon:e,name:t})=>s`<span role="img" aria-label=${t} title=${t}><${T} name=${e} /></span>`,He=({rows:e,bare:t,bots:n})=>s`${!t&&s`<${Nt} bots=${n} />`}
  <div class="rows-skeleton" role="status" aria-label="Loading links">
  ${Array.from({length:e},(o,r)=>s`<div class="row" key=${r}><span class="row-what">
      <i class="bone" data-size=${r%3} /><i class="bone wide" data-size=${(r+1)%3} /></span>
      <span class="row-clicks"><i class="bone small" /></span></div>`)}
</div>`;async function Ft({short_code:e}){P(await se(z(e))?`Copied ${O}/${e}`:"Couldn't copy")}function Kt(e){me(e)?N(`Deleted ${e.short_code}. Press Z to undo.`):P("Too many deletes at once. Wait ten seconds.")}function jt(){let{query:e}=$(Z),t=$(Te),n=$(re),o=$(F),r=$(ee),[a,i]=k(null),c=e.toString(),l=Y(()=>Tt(e),[c]),m=mt(l),f=Y(()=>{let d=new Set(t.pinned.map(w=>w.short_code));return[...t.pinned,...t.rows.filter(w=>!d.has(w.short_code))].filter(w=>!he(w.short_code))},[t.rows,t.pinned,n,o]),p=[...r.values()].filter(d=>!he(d.short_code)),_=t.total-t.rows.filter(d=>he(d.short_code)).length,[C,v]=mn(f,m?ae.code:"");H(()=>{document.title="Links · terse",scrollTo(0,Be.y);let d=()=>{Be.y=scrollY};return addEventListener("scroll",d,{passive:!0}),()=>removeEventListener("scroll",d)},[]),gn(Oe),H(()=>{m?Oe():(gt(l),v(-1),Ue()),ae.href=Ae(l)},[l]),y(()=>Ke.watch(d=>d==="up"&&Te.get().phase==="error"&&ye()),[]);let h=d=>{f.length&&v(Math.min(f.length-1,Math.max(0,C+d)))},b=d=>w=>f[C]?w.repeat||d(f[C]):!1,L=()=>i(null),I=()=>{Ue(),document.querySelector(`.row[data-index="${C}"] .row-link`)?.focus()};return $e({n:A,"/":()=>document.getElementById("search").focus(),j:()=>h(1),k:()=>h(-1),c:b(d=>Ft(d)),q:b(d=>i({kind:"qr",link:d})),e:b(d=>i({kind:"edit",link:d})),x:b(d=>le(d,f)),Delete:b(Kt),Escape:()=>{if(r.size)return I();document.activeElement.blur(),v(-1)}}),s`<main class="page wide" id="main">
    <h1 class="unseen">Links</h1>
    <${qt} onQR=${d=>i({kind:"qr",link:{short_code:d}})} />
    <${Ot} query=${l} state=${t} total=${_} />
    <${bn} state=${t} rows=${f} query=${l} active=${C} setActive=${v}
      onDialog=${i} />
    ${p.length>0&&s`<${Et} links=${p} onClear=${I} />`}
    ${a?.kind==="qr"&&s`<${St} code=${a.link.short_code} onClose=${L} />`}
    ${a?.kind==="edit"&&s`<${xt} code=${a.link.short_code} onClose=${L} />`}
    ${a?.kind==="actions"&&s`<${xn} link=${a.link} rows=${f} onDialog=${i} />`}
  </main>`}function mn(e,t){let[{index:n,code:o},r]=k(()=>({index:e.findIndex(c=>c.short_code===t),code:t})),a=Y(()=>{if(n<0||e[n]?.short_code===o)return n;let c=e.findIndex(l=>l.short_code===o);return c<0?n:c},[e,n,o]),i=c=>r(l=>{let m={index:c,code:e[c]?.short_code??""};return l.index===m.index&&l.code===m.code?l:m});return H(()=>i(a),[a,e]),[a,i]}function gn(e){y(()=>{let t=!1,n=()=>{t=!0},o=()=>{document.hidden?n():t&&(t=!1,e())};return addEventListener("blur",n),addEventListener("focus",o),document.addEventListener("visibilitychange",o),()=>{removeEventListener("blur",n),removeEventListener("focus",o),document.removeEventListener("visibilitychange",o)}},[])}function bn({state:e,rows:t,query:n,...o}){return!e.loaded&&e.phase==="error"?s`<${nt} title="Couldn't load links"
    message=${e.error.message} onRetry=${ye} />`:e.loaded?t.length===0&&e.phase==="ready"?n.search?s`<${wn} search=${n.search} />`:Bt(n)?s`<${Cn} query=${n} />`:s`<${yn} />`:s`<${Ht} state=${e} rows=${t} ...${o} />
    <${kn} state=${e} search=${n.search} />`:s`<${He} rows=${8} bots=${n.bots} />`}function kn({state:e,search:t}){return e.phase==="error"?s`<div class="foot" role="alert">
    <p>${e.error.message}</p><button type="button" class="button"
      onClick=${ye}>Try again</button></div>`:e.phase==="paused"?s`<div class="foot">
    <p>${e.rows.length?"No more matches so far.":"No matches yet."}</p>
    <button type="button" class="button" onClick=${ke}>Keep searching</button></div>`:ht(e)&&e.next?s`<div class="foot">
    <p>Showing the first ${ne(e.rows.length)}. Search or sort to find others.</p></div>`:e.next||e.phase==="more"?s`<${He}
    rows=${t&&!e.rows.length?8:3} bare=${!0} />`:null}var yn=()=>s`<div class="state"><h2>No links yet</h2>
  <p>Paste a long URL into the field above and press Enter. The short one is copied.</p>
  <button type="button" class="button" onClick=${Ut}>Try an example</button>
  <p>Or from a terminal:</p>
  <${ot} line=${`curl -H "Authorization: Bearer $TERSE_TOKEN" -d '{"original_url":"https://example.com/"}' ${location.origin}/api/urls`} /></div>`,vn=()=>{K("/ui/",{replace:!0}),document.getElementById("search").focus()},wn=({search:e})=>s`<div class="state"><h2>No matches for "${V(e)}"</h2>
  <button type="button" class="button" onClick=${vn}>Clear search</button></div>`,Cn=({query:e})=>s`<div class="state"><h2>No links with this filter</h2>
  <a class="button" href=${Ae({...e,tag:[],status:""})}>Remove filter</a></div>`;function xn({link:e,rows:t,onDialog:n}){let{short_code:o,original_url:r,title:a}=e,i=()=>n(null),c=oe(r),l=()=>ee.get().has(o)||le(e,t);return s`<${pe} label=${`Actions for ${o}`} class="sheet" onClose=${i}>
    <p class="sheet-title"><b>${a?V(a):`${O}/${o}`}</b>
      <span><${fe} url=${r} /></span></p>
    <button type="button" class="sheet-item" onClick=${()=>Ft(e).then(i)}>
      <${T} name="copy" />Copy link</button>
    <button type="button" class="sheet-item" onClick=${()=>n({kind:"qr",link:e})}>
      <${T} name="qr" />QR code</button>
    <button type="button" class="sheet-item" onClick=${()=>n({kind:"edit",link:e})}>
      <${T} name="edit" />Edit</button>
    <button type="button" class="sheet-item" onClick=${()=>{i(),l()}}>
      <${T} name="done" />Select</button>
    ${c&&s`<a class="sheet-item" href=${c.href} target="_blank"
      rel="noreferrer noopener" onClick=${i}><${T} name="open" />Open destination</a>`}
    <button type="button" class="sheet-item danger" onClick=${()=>{i(),Kt(e)}}>
      <${T} name="remove" />Delete</button>
    <button type="button" class="sheet-item" onClick=${i}>
      <${T} name="close" />Cancel</button>
  <//>`}var xe=ut(()=>import("./pages-FAHJGYF4.js")),Ln=be(xe,"LinkPage",ge),_n=be(xe,"Overview",ge),Sn=be(xe,"Unknown",ge),En=globalThis.requestIdleCallback??(e=>setTimeout(e,1e3));navigator.connection?.saveData||addEventListener("load",()=>En(()=>xe().catch(()=>{})));function Rn(){let{path:e}=$(Z),t=$(je),[n,o]=k(!1),r=$(re);return $e({"?":()=>o(!0),n:()=>{K("/ui/"),requestAnimationFrame(()=>document.getElementById("create-url")?.focus())},"/":()=>{K("/ui/"),requestAnimationFrame(()=>document.getElementById("search")?.focus())},z:()=>r.length?Ee():de.get()?.undo?de.get().undo():!1}),Tn(e),t==="left"?s`<${Wt} />`:s`<a class="skip" href="#main">Skip to content</a>
    <${On} path=${e} onHelp=${()=>o(!0)} />
    <${rt} />
    ${Ve&&s`<aside class="notice" aria-label="Notice">
      Short links start with ${Ze}, the address of this page. Set BASE_URL to your public
      address.</aside>`}
    <${Bn} path=${e} />
    <${Un} />
    ${n&&s`<${Rt} onClose=${()=>o(!1)} />`}
    ${t==="out"&&s`<${Wt} />`}
    <p id="said" class="unseen" role="status"></p>`}function Tn(e){let t=B(e),n=$(lt);y(()=>{let o=document.querySelector("#main h1");t.current===e||!o||(t.current=e,N(document.title.replace(/ · terse$/,"")),document.activeElement===document.body&&(o.tabIndex=-1,o.focus({preventScroll:!0})))},[e,n])}function Bn({path:e}){if(e==="/ui/")return s`<${jt} />`;if(e==="/ui/overview")return s`<${_n} />`;if(e==="/ui/unknown")return s`<${Sn} />`;let[,t]=e.match(/^\/ui\/links\/([A-Za-z0-9_-]{3,20})$/)??[];return t?s`<${Ln} key=${t} code=${t} />`:s`<main class="page" id="main"><div class="state"><h1>Page not found</h1>
    <p>Check the address.</p><a class="button" href="/ui/">Back to links</a></div></main>`}var Qt=e=>e?"page":void 0,On=({path:e,onHelp:t})=>s`<header class="top"><div class="top-inner">
  <a class="brand" href="/ui/">terse</a>
  <nav aria-label="Pages">
    <a href="/ui/" aria-current=${e==="/ui/"?"page":e.startsWith("/ui/links/")?"true":void 0}>Links</a>
    <a href="/ui/overview" aria-current=${Qt(e==="/ui/overview")}>Overview</a>
    <a href="/ui/unknown" aria-current=${Qt(e==="/ui/unknown")}>Not found</a>
  </nav>
  <div class="top-end"><${q} icon="help" class="shortcuts"
      label="Keyboard shortcuts" onClick=${t} />
    <${st} />
    <${q} icon="leave" label="Sign out" onClick=${Dn} /></div>
</div></header>`;async function Dn(){try{let e=F.get();if(await it(),F.get()!==e)return;await We(),location.assign("/ui/")}catch(e){P(`Couldn't sign out: ${e.message}`)}}function Un(){let e=$(re),t=$(F),n=$(Je),o=$(de);return s`<div class="toasts" role="region" aria-label="Messages">
    ${n&&s`<div class="toast">${n}</div>`}
    ${o&&s`<div class="toast"><span>${o.text}</span>
      ${o.undo&&s`<button type="button" class="text-button"
        onClick=${o.undo}>Undo</button>`}</div>`}
    ${t&&s`<div class="toast" role="alert">Couldn't delete ${t.codes.length===1?t.codes[0]:G(t.codes.length,"link","links")}: ${t.message}
      <${q} icon="close" label="Close" onClick=${()=>F.set(null)} /></div>`}
    ${e.length>0&&s`<${qn} links=${e} />`}
  </div>`}function qn({links:e}){if(e.length>1)return s`<div class="toast">
    <span>${G(e.length,"link","links")} deleted</span>
    <button type="button" class="text-button" onClick=${at}>Undo all</button></div>`;let[{short_code:t}]=e;return s`<div class="toast"><span>Deleted <b class="mono">${t}</b></span>
    <button type="button" class="text-button" aria-label=${`Undo deleting ${t}`}
      onClick=${Ee}>Undo</button></div>`}function Wt(){let[e,t]=k(""),[n,o]=k(""),[r,a]=k(!1),i=B();return y(()=>i.current.focus(),[]),s`<${pe} label="Sign in" class="sign-in"><form onSubmit=${async l=>{if(l.preventDefault(),!r){a(!0),o("");try{await Qe(e.trim())}catch(m){o(m.status===401||m.status===400?"That token isn't valid.":m.message),i.current?.select()}finally{a(!1)}}}}>
    <p class="brand">terse</p><h2>Sign in</h2>
    <input class="unseen" type="text" name="username" autocomplete="username" value="terse" readonly
      tabindex="-1" aria-hidden="true" />
    <label for="token">Access token</label>
    <input id="token" ref=${i} class="field mono" type="password"
      autocomplete="current-password" required value=${e}
      onInput=${l=>{t(l.target.value),o("")}}
      aria-invalid=${!!n}
      aria-describedby=${n?"token-problem":"token-hint"} />
    ${n?s`<p id="token-problem" class="problem" role="alert">${n}</p>`:s`<p id="token-hint" class="hint">
        The token printed when the server first started, or one from AUTH_TOKENS. Lost it?
        Run <code class="mono">terse token</code>.</p>`}
    <button class="button primary" aria-busy=${r}>Sign in</button>
  </form><//>`}Fe(s`<${Rn} />`,document.getElementById("app"));
