import{a as Ct,b as xt,c as j,d as Ue,e as Lt,f as _t,g as St,h as Et,i as Rt,j as qe,k as Tt,l as Bt}from"./chunk-PU5TDOUN.js";import{a as ee,b as vt,c as De,d as le,e as wt}from"./chunk-DPVMKV5U.js";import{a as ot,b as st}from"./chunk-DVKJUYZO.js";import{a as ct,b as lt,c as ge}from"./chunk-C46ETXET.js";import{e as kt,f as we}from"./chunk-GYCB65KH.js";import{a as J,b as D,c as ke,d as ve,e as ie}from"./chunk-LPBACM3X.js";import{b as re,c as F,d as he,e as me,f as Se,g as rt,h as at,i as it}from"./chunk-WTXZAN6C.js";import{a as X,b as Oe,c as ce,e as bt}from"./chunk-EG65HM2L.js";import{C as yt,a as Ke,b as _e,d as je,e as Qe,i as Ee,j as dt,l as pt,m as ft,n as Re,o as $t,p as Te,q as ae,r as ht,s as mt,t as be,u as ye,v as Be,w as gt}from"./chunk-GKH2TNPE.js";import{a as Fe}from"./chunk-CSD52RKA.js";import{a as Z,b as ut,c as K}from"./chunk-S46MJI4S.js";import{B as Ge,C as Ve,D as z,E as O,F as T,G as q,H as se,J as ue,K as Ze,L as P,M as de,N as Je,O as Xe,P as N,R as pe,T as fe,V as et,W as tt,X as nt,Z as $e,a as Ne,b as y,c as k,d as H,e as B,f as Y,h as $,i as s,k as ne,l as G,n as We,o as Ye,x as oe,y as V}from"./chunk-B7TPDEC6.js";var Wt=200,Ot=5*1024*1024,Yt="Not created: can't reach the server. Your text is kept.",A=()=>document.getElementById("create-url")?.focus();function Dt(){D({url:"https://example.com/"}),A()}var x=e=>ie.get()?P(e):ve.set(e);function Ut({onQR:e}){let[t,n]=y(!1);k(()=>{Gt().catch(()=>{});let r=({target:p})=>p.closest?.("input, textarea, dialog")||document.querySelector("dialog[open]"),a=p=>{!r(p)&&Ae(p.clipboardData.getData("text"),!1)&&p.preventDefault()},i=p=>p.dataTransfer?.types.includes("Files")&&!document.querySelector("dialog[open]"),f={paste:a,dragover:p=>{i(p)&&p.preventDefault(),n(i(p))},dragleave:p=>p.relatedTarget||n(!1),drop:p=>{n(!1),i(p)&&(p.preventDefault(),It(p.dataTransfer.files[0]))}};for(let[p,_]of Object.entries(f))addEventListener(p,_);return()=>{for(let[p,_]of Object.entries(f))removeEventListener(p,_)}},[]);let o=$(ie);return s`<div class="create-card" data-dropping=${t}>
    ${o?s`<${Lt} />`:s`<${tn} onQR=${e} />`}</div>`}async function Gt(){let{path:e,query:t}=Z.get(),[n,o,r]=["url","title","code"].map(l=>t.get(l)?.trim()??"");if(e!=="/ui/"||!(n||o||r))return;(n||o)&&D({url:n}),D({isOpen:!0}),K("/ui/",{replace:!0}),A();let{draftOf:a}=await j(),i=J.get().options??a(),c=n||o?a({title:[...o].slice(0,200).join("")}):i;D({options:{...c,short_code:r||i.short_code}})}function Ae(e,t){let n=e.trim();if(ve.set(""),e.length>Ot)x("That's too much text. At most 5 MB can be read.");else if(/[\t\r\n]/.test(n)||Oe(n).length)qt(e,t);else if(t&&/\s/.test(n))At(n);else if(!t&&!ie.get()&&/^https?:\/\//i.test(n)&&oe(n))D({url:n.replace(/\s+/g," ")}),x(ce(n)),A();else return!1;return!0}async function qt(e,t){try{let{propose:n,noURL:o}=await Ue(),r=n(e);r&&r!==o?x(r):r&&t&&At(e)}catch{x("Couldn't read the list: can't reach the server. Paste it again in a moment.")}}async function Vt(e){await qt(e,!1),ie.get()&&D({url:""})}function At(e){document.execCommand("insertText",!1,e.trim().replace(/\s+/g," ")),x(ce(e.trim()))}async function It(e){if(e){if(e.size>Ot){let t=Math.ceil(e.size/1024/1024*10)/10;return x(`That file has ${t} MB. At most 5 MB can be read.`)}try{let{propose:t,decode:n}=await Ue(),o=t(n(await e.arrayBuffer()));o&&x(o)}catch{x("Couldn't read the file.")}}}async function Mt(e,t){try{let n=[...e].slice(0,Wt).join(""),{urls:o}=await _e("GET",ut("/api/urls",{search:n,limit:20}),{signal:t});return o.filter(r=>r.original_url===e&&!kt(r)).map(r=>r.short_code)}catch{return[]}}function Zt(e){let[t,n]=y({url:"",code:""});return k(()=>{if(!oe(e)||ce(e))return;let o=new AbortController,r=setTimeout(async()=>{let[a=""]=await Mt(e,o.signal);o.signal.aborted||n({url:e,code:a})},200);return()=>{clearTimeout(r),o.abort()}},[e]),t.url===e?t.code:""}async function Jt(e,t){if(!t)return{original_url:X(e)};let{fieldsOf:n}=await j(),o=Object.entries(n({...t,original_url:e}));return Object.fromEntries(o.filter(([,r])=>r!==null))}async function Xt(e,t){if(!t)return{};let{problemsOf:n}=await j(),{original_url:o,...r}=n({...t,original_url:e});return r}async function en(e){let t=_e("POST","/api/urls",{body:e}),n=se(t.then(r=>z(r.short_code))).catch(()=>!1),o=await t;return it(o.short_code),gt({...o,created_at:new Date().toISOString(),click_count:0}),{...o,copied:await n}}function tn({onQR:e}){let{url:t,options:n,isOpen:o}=$(J),r=$(ve),[a,i]=y({}),[c,l]=y(null),[m,f]=y(""),p=B(!1),[_,C]=y(!1),v=B(),h=Zt(X(t)),b=o||t!=="";k(()=>{if(!b||n)return;let u=({draftOf:E})=>J.get().options||D({options:E()});j().then(u,()=>{})},[b,n]);let L=u=>{D({url:u}),x(""),l(null)},I=({original_url:u,...E})=>{i({}),u!==t&&L(u),D({options:E,isOpen:!0})},d=u=>{i(u),et(v.current)},w=async u=>{if(u.preventDefault(),p.current)return;if(!t.trim())return A();if(Oe(t).length)return Vt(t);let E=ce(X(t));if(E)return x(E);p.current=!0,C(!0),x("");try{let R=await Xt(t,n);if(Object.keys(R).length)return d(R);await Q(await Jt(t,n))}catch(R){await M(R)}finally{p.current=!1,C(!1)}},Q=async u=>{let E=h||Mt(u.original_url,AbortSignal.timeout(5e3)),R=await en(u);ke(),i({}),scrollTo(0,0);let W=m===u.original_url?"":h;if(l({...R,existing:W}),N(`${O}/${R.short_code} ${R.copied?"copied":"created"}`),A(),h)return;let He=(await E).find(te=>te!==R.short_code);He&&l(te=>te?.short_code===R.short_code?{...te,existing:He}:te)},M=async u=>{if(!u.status)return x(Yt);let{refusalOf:E,draftOf:R}=await j(),W=E(u,{...n??R(),original_url:t});if(W&&!W.original_url)return d(W);x(W?bt(t,u.message):u.message)},U=()=>{let u=J.get();ke(),i({}),x(""),A(),(u.url||u.options)&&Je("Cleared",()=>{J.set(u)})},g=async u=>{let E=await se(z(u))?"Copied":"Use";c?me(c):ke(),l(null),P(`${E} ${O}/${u}`),A()},xe=()=>{f(X(t)),c&&l({...c,existing:""}),A()},S=c?c.existing:m===X(t)?"":h;return s`<form ref=${v} class="create" onSubmit=${w} novalidate
    aria-label="Shorten a URL">
    <div class="create-line">
      <input id="create-url" class="field mono" type="text" inputmode="url" autocomplete="off"
        autocapitalize="off" spellcheck=${!1} aria-label="Long URL"
        placeholder="Paste a long URL" value=${t} onInput=${u=>L(u.target.value)}
        onPaste=${u=>Ae(u.clipboardData.getData("text"),!0)&&u.preventDefault()}
        onDrop=${u=>Ae(u.dataTransfer.getData("text"),!0)&&u.preventDefault()}
        onKeyDown=${u=>u.key==="Escape"&&u.target.blur()}
        onFocus=${()=>j().catch(()=>{})}
        aria-invalid=${!!r}
        aria-describedby=${r?"create-problem":void 0} />
      ${!b&&s`<${nn} onOpen=${()=>D({isOpen:!0})} />`}
    </div>
    <${Xe} text=${t} />
    ${(b||r||c)&&s`<div class="create-note">${Le()}</div>`}
    ${b&&s`<div class="form create-form">
      ${n&&s`<${xt} id="new" isNew=${!0} draft=${{...n,original_url:t}}
        onChange=${I} problems=${a} />`}
      <div class="form-end"><button type="button" class="button" onClick=${U}>Cancel</button>
        <button class="button primary" aria-busy=${_}>Shorten</button></div></div>`}
  </form>`;function Le(){return r?s`<p id="create-problem" class="problem" role="alert">${r}</p>`:s`${c&&s`<${on} link=${c} onQR=${e} />`}
      ${S?s`<${sn} code=${S} isOld=${!!c} onUse=${g}
            onKeep=${xe} />`:!c&&s`<p class="hint">Enter shortens it and copies the short URL.</p>`}`}}function nn({onOpen:e}){let t=B();return s`<input ref=${t} type="file" hidden accept=".csv,.tsv,.txt,text/csv,text/plain"
      aria-label="CSV file" onChange=${o=>{It(o.target.files[0]),o.target.value=""}} />
    <${q} icon="upload" label="Shorten a list from a CSV file"
      onClick=${()=>t.current.click()} />
    <button type="button" class="text-button" aria-expanded="false"
      onClick=${e}>Options</button>`}var on=({link:{short_code:e,copied:t},onQR:n})=>s`<p class="made">
  <${T} name="done" /><a class="mono" href=${`/ui/links/${e}`}>${O}/${e}</a>
  <span class="quiet">${t?"Copied":"Created"}</span>
  ${!t&&s`<${ue} text=${z(e)} label="Copy the short URL" />`}
  <${q} icon="qr" label="QR code for the new link" onClick=${()=>n(e)} /></p>`;function sn({code:e,isOld:t,onUse:n,onKeep:o}){let r=`${O}/${e}`,a=t?"had":"have";return k(()=>N(`You already ${a} ${r} for this URL`),[e]),s`<p class="known"><span>You ${" "}<span
    class="known-why">already </span>${a}${" "}
    <a class="mono" href=${`/ui/links/${e}`}>${r}</a><span class="known-why">${" "}
    for this URL</span></span>
    <button type="button" class="text-button" onClick=${()=>n(e)}>Use it</button>
    <button type="button" class="text-button" onClick=${o}>Keep both</button></p>`}var rn=matchMedia("(max-width: 720px)"),Ie=matchMedia("(hover: none), (pointer: coarse), (max-width: 720px)"),an=()=>rn.matches?68:56,zt=4,ze=56;function cn(e,t){let n=()=>{let a=an(),i=Ie.matches,c=e.current?-e.current.getBoundingClientRect().top:0,l=Math.max(0,Math.floor(c/a)-zt);return{height:a,bySheet:i,first:l-l%4,size:Math.ceil(innerHeight/a)+2*zt+4}},[o,r]=y(n);return k(()=>{let a=()=>r(i=>{let c=n();return c.first===i.first&&c.size===i.size&&c.height===i.height&&c.bySheet===i.bySheet?i:c});return e.current&&a(),addEventListener("scroll",a,{passive:!0}),addEventListener("resize",a),Ie.addEventListener("change",a),()=>{Ie.removeEventListener("change",a),removeEventListener("scroll",a),removeEventListener("resize",a)}},[t===0]),o}function Pt({state:e,rows:t,active:n,setActive:o,onDialog:r}){let a=B(),{height:i,bySheet:c,first:l,size:m}=cn(a,t.length),f=Math.min(t.length,l+m),{pinned:p,fresh:_,query:C,bots:v}=e;k(()=>{e.phase==="ready"&&f>t.length-40&&be()},[f,t.length,e.phase]),un(a,t,i),ln(a,t,n,i);let h=$(pt),b=$(ee),L=$(vt);k(()=>ft(t.slice(l,f),v),[l,f,t,h]);let I=(M,U)=>le(M,t,U),d=n>=0&&n<t.length&&(n<l||n>=f)?n:-1,w=e.next?-1:t.length,Q=Y(()=>{let M=g=>s`<${dn} key=${t[g].short_code} link=${t[g]} index=${g}
      top=${g*i} size=${w} flash=${t[g].short_code===_}
      isPinned=${p.includes(t[g])} bySheet=${c} boxed=${!c||L}
      chosen=${b.has(t[g].short_code)} bots=${v} wanted=${C.tag}
      onChoose=${I}
      days=${Ee(t[g],v)>0&&h.get(t[g].short_code)}
      onFocus=${o} onDialog=${r} />`,U=[];d>=0&&d<l&&U.push(M(d));for(let g=l;g<f;g++)U.push(M(g));return d>=f&&U.push(M(d)),U},[t,l,f,d,i,c,w,_,h,b,L,C,v]);return s`<${Ht} rows=${t} bots=${v} />
    <ul class="rows" ref=${a} aria-label="Links" style=${{height:`${t.length*i}px`}}
      data-choosing=${L} aria-busy=${e.phase==="loading"}>
      ${Q}
    </ul>`}function ln(e,t,n,o){let r=t[n]?.short_code,a=B({active:n,code:""});H(()=>{let i=a.current.active!==n,c=a.current.code===r;if(a.current={active:n,code:r},c||n<0||!e.current||e.current.querySelector(":focus")?.closest(`[data-index="${n}"]`)||!i&&document.activeElement!==document.body)return;let l=e.current.getBoundingClientRect().top+n*o;l<ze?scrollBy(0,l-ze-8):l+o>innerHeight&&scrollBy(0,l+o-innerHeight+8),e.current.querySelector(`[data-index="${n}"] .row-link`)?.focus({preventScroll:!0})},[n,r])}function un(e,t,n){let o=B({index:-1,code:""});H(()=>{let{index:r,code:a}=o.current;if(r<=0||!e.current||t[r]?.short_code===a)return;let i=t.findIndex(c=>c.short_code===a);i>=0&&scrollBy(0,(i-r)*n)},[t]),k(()=>{let r=()=>{let a=e.current?Math.ceil((ze-e.current.getBoundingClientRect().top)/n):-1;o.current={index:a,code:t[a]?.short_code}};return r(),addEventListener("scroll",r,{passive:!0}),()=>removeEventListener("scroll",r)},[t,n])}function Ht({rows:e,bots:t}){let n=$(ee).size,o=e&&s`<input type="checkbox" aria-label="Select all links that are shown"
    checked=${n>0&&n>=e.length} indeterminate=${n>0&&n<e.length} onChange=${()=>wt(e)} />`;return s`<div class="row-head"><span class="row-check">${o}</span>
    <span aria-hidden="true">Link</span>
    <span class="row-time" aria-hidden="true">Created</span>
    <span class="row-recent" aria-hidden="true" title="Clicks a day, each link to its own scale">
      Last 30 days</span>
    <span class="row-clicks" aria-hidden="true">${t?"Clicks with bots":"Clicks"}</span>
    </div>`}function dn({link:e,index:t,top:n,size:o,flash:r,isPinned:a,bySheet:i,boxed:c,chosen:l,bots:m,wanted:f,days:p,onFocus:_,onDialog:C,onChoose:v}){let{short_code:h,original_url:b,title:L,status:I}=e,d=S=>{let Le=S.currentTarget.querySelector(".row-link");Le.title=`${V(b)}
${We(new Date(e.created_at))}`},w=S=>S.currentTarget.closest(".row").querySelector(".row-link").click(),Q=()=>C({kind:"actions",link:e}),M=S=>{S.pointerType==="touch"&&(S.preventDefault(),S.stopPropagation(),Q())},U=s`${a&&s`<span class="badge">New</span>`}
    ${we[I]&&s`<span class="state-badge">${we[I]}</span>`}
    <${$n} link=${e} onClick=${w} />`,g=s`<span class="row-code mono"><span class="row-host quiet">${O}/</span><a
    class="row-link" href=${`/ui/links/${h}`} aria-label=${`View ${h}`} onClick=${()=>{ae.code=h}}>${h}</a></span>`,xe=s`<span class="row-arrow quiet" aria-hidden="true">→</span>
    <span class="row-url"><${fe} url=${b} /></span>`;return s`<li class="row" data-index=${t} data-flash=${r} style=${{top:`${n}px`}}
    aria-setsize=${o} aria-posinset=${t+1} onFocusIn=${()=>_(t)}
    onPointerEnter=${d} data-chosen=${l}>
    ${c&&s`<label class="row-check"><input type="checkbox" aria-label=${`Select ${h}`}
      checked=${l} onClick=${S=>v(e,S.shiftKey)} /></label>`}
    <span class="row-what">
      <span class="row-first">${L?s`<span class="row-title"><bdi>${V(L)}</bdi></span>`:g}${U}</span>
      <span class="row-second">${L&&g}${xe}</span></span>
    <${yt} tags=${pn(e.tags,f)} most=${i?1:2} plain=${i}
      class="row-tags" />
    <time class="row-time quiet" datetime=${e.created_at}>
      ${Ye(new Date(e.created_at))}</time>
    ${p&&s`<span class="row-recent" title=${fn(p)} onClick=${w}>
      <svg viewBox="0 0 90 20" aria-hidden="true"><path d=${p.path} /></svg></span>`}
    <span class="row-clicks"><span class="unseen">clicks: </span>${ne(Ee(e,m))}</span>
    <span class="row-actions" onClickCapture=${M}>
      ${!i&&s`<${q} icon="edit" label=${`Edit ${h}`}
          onClick=${()=>C({kind:"edit",link:e})} />
        <${ue} text=${z(h)} label=${`Copy ${O}/${h}`} />`}
      <${q} icon="more" label=${`Actions for ${h}`} aria-haspopup="dialog"
        onClick=${Q} /></span>
  </li>`}function pn(e=[],t){if(!t.length)return e;let n=o=>t.some(r=>r.toLowerCase()===o.toLowerCase());return[...e.filter(n),...e.filter(o=>!n(o))]}var fn=({total:e,most:t})=>`${G(e,"click","clicks")} in 30 days, at most ${ne(t)} a day`;function $n({link:e,onClick:t}){let{password:n,rules:o,status:r}=e,a=!we[r]&&dt(e);return!n&&!o?.length&&!a?null:s`<span class="row-marks quiet" onClick=${t}>
    ${n&&s`<${Me} icon="lock" name="Password" />`}
    ${o?.length>0&&s`<${Me} icon="rules" name=${G(o.length,"rule","rules")} />`}
    ${a&&s`<${Me} icon="clock" name=${a} />`}</span>`}var Me=({icon:e,name:t})=>s`<span role="img" aria-label=${t} title=${t}><${T} name=${e} /></span>`,Pe=({rows:e,bare:t,bots:n})=>s`${!t&&s`<${Ht} bots=${n} />`}
  <div class="rows-skeleton" role="status" aria-label="Loading links">
  ${Array.from({length:e},(o,r)=>s`<div class="row" key=${r}><span class="row-what">
      <i class="bone" data-size=${r%3} /><i class="bone wide" data-size=${(r+1)%3} /></span>
      <span class="row-clicks"><i class="bone small" /></span></div>`)}
</div>`;async function Nt({short_code:e}){P(await se(z(e))?`Copied ${O}/${e}`:"Couldn't copy")}function Ft(e){me(e)?N(`Deleted ${e.short_code}. Press Z to undo.`):P("Too many deletes at once. Wait ten seconds.")}function Kt(){let{query:e}=$(Z),t=$(Re),n=$(re),o=$(F),r=$(ee),[a,i]=y(null),c=e.toString(),l=Y(()=>Rt(e),[c]),m=ht(l),f=Y(()=>{let d=new Set(t.pinned.map(w=>w.short_code));return[...t.pinned,...t.rows.filter(w=>!d.has(w.short_code))].filter(w=>!he(w.short_code))},[t.rows,t.pinned,n,o]),p=[...r.values()].filter(d=>!he(d.short_code)),_=t.total-t.rows.filter(d=>he(d.short_code)).length,[C,v]=hn(f,m?ae.code:"");H(()=>{document.title="Links · terse",scrollTo(0,Te.y);let d=()=>{Te.y=scrollY};return addEventListener("scroll",d,{passive:!0}),()=>removeEventListener("scroll",d)},[]),mn(Be),H(()=>{m?Be():(mt(l),v(-1),De()),ae.href=qe(l)},[l]),k(()=>Fe.watch(d=>d==="up"&&Re.get().phase==="error"&&ye()),[]);let h=d=>{f.length&&v(Math.min(f.length-1,Math.max(0,C+d)))},b=d=>w=>f[C]?w.repeat||d(f[C]):!1,L=()=>i(null),I=()=>{De(),document.querySelector(`.row[data-index="${C}"] .row-link`)?.focus()};return $e({n:A,"/":()=>document.getElementById("search").focus(),j:()=>h(1),k:()=>h(-1),c:b(d=>Nt(d)),q:b(d=>i({kind:"qr",link:d})),e:b(d=>i({kind:"edit",link:d})),x:b(d=>le(d,f)),Delete:b(Ft),Escape:()=>{if(r.size)return I();document.activeElement.blur(),v(-1)}}),s`<main class="page wide" id="main">
    <h1 class="unseen">Links</h1>
    <${Ut} onQR=${d=>i({kind:"qr",link:{short_code:d}})} />
    <${Bt} query=${l} state=${t} total=${_} />
    <${gn} state=${t} rows=${f} query=${l} active=${C} setActive=${v}
      onDialog=${i} />
    ${p.length>0&&s`<${St} links=${p} onClear=${I} />`}
    ${a?.kind==="qr"&&s`<${_t} code=${a.link.short_code} onClose=${L} />`}
    ${a?.kind==="edit"&&s`<${Ct} code=${a.link.short_code} onClose=${L} />`}
    ${a?.kind==="actions"&&s`<${Cn} link=${a.link} rows=${f} onDialog=${i} />`}
  </main>`}function hn(e,t){let[{index:n,code:o},r]=y(()=>({index:e.findIndex(c=>c.short_code===t),code:t})),a=Y(()=>{if(n<0||e[n]?.short_code===o)return n;let c=e.findIndex(l=>l.short_code===o);return c<0?n:c},[e,n,o]),i=c=>r(l=>{let m={index:c,code:e[c]?.short_code??""};return l.index===m.index&&l.code===m.code?l:m});return H(()=>i(a),[a,e]),[a,i]}function mn(e){k(()=>{let t=!1,n=()=>{t=!0},o=()=>{document.hidden?n():t&&(t=!1,e())};return addEventListener("blur",n),addEventListener("focus",o),document.addEventListener("visibilitychange",o),()=>{removeEventListener("blur",n),removeEventListener("focus",o),document.removeEventListener("visibilitychange",o)}},[])}function gn({state:e,rows:t,query:n,...o}){return!e.loaded&&e.phase==="error"?s`<${tt} title="Couldn't load links"
    message=${e.error.message} onRetry=${ye} />`:e.loaded?t.length===0&&e.phase==="ready"?n.search?s`<${vn} search=${n.search} />`:Tt(n)?s`<${wn} query=${n} />`:s`<${yn} />`:s`<${Pt} state=${e} rows=${t} ...${o} />
    <${bn} state=${e} search=${n.search} />`:s`<${Pe} rows=${8} bots=${n.bots} />`}function bn({state:e,search:t}){return e.phase==="error"?s`<div class="foot" role="alert">
    <p>${e.error.message}</p><button type="button" class="button"
      onClick=${ye}>Try again</button></div>`:e.phase==="paused"?s`<div class="foot">
    <p>${e.rows.length?"No more matches so far.":"No matches yet."}</p>
    <button type="button" class="button" onClick=${be}>Keep searching</button></div>`:$t(e)&&e.next?s`<div class="foot">
    <p>Showing the first ${ne(e.rows.length)}. Search or sort to find others.</p></div>`:e.next||e.phase==="more"?s`<${Pe}
    rows=${t&&!e.rows.length?8:3} bare=${!0} />`:null}var yn=()=>s`<div class="state"><h2>No links yet</h2>
  <p>Paste a long URL into the field above and press Enter. The short one is copied.</p>
  <button type="button" class="button" onClick=${Dt}>Try an example</button>
  <p>Or from a terminal:</p>
  <${nt} line=${`curl -H "Authorization: Bearer $TERSE_TOKEN" -d '{"original_url":"https://example.com/"}' ${location.origin}/api/urls`} /></div>`,kn=()=>{K("/ui/",{replace:!0}),document.getElementById("search").focus()},vn=({search:e})=>s`<div class="state"><h2>No matches for "${V(e)}"</h2>
  <button type="button" class="button" onClick=${kn}>Clear search</button></div>`,wn=({query:e})=>s`<div class="state"><h2>No links with this filter</h2>
  <a class="button" href=${qe({...e,tag:[],status:""})}>Remove filter</a></div>`;function Cn({link:e,rows:t,onDialog:n}){let{short_code:o,original_url:r,title:a}=e,i=()=>n(null),c=oe(r),l=()=>ee.get().has(o)||le(e,t);return s`<${pe} label=${`Actions for ${o}`} class="sheet" onClose=${i}>
    <p class="sheet-title"><b>${a?V(a):`${O}/${o}`}</b>
      <span><${fe} url=${r} /></span></p>
    <button type="button" class="sheet-item" onClick=${()=>Nt(e).then(i)}>
      <${T} name="copy" />Copy link</button>
    <button type="button" class="sheet-item" onClick=${()=>n({kind:"qr",link:e})}>
      <${T} name="qr" />QR code</button>
    <button type="button" class="sheet-item" onClick=${()=>n({kind:"edit",link:e})}>
      <${T} name="edit" />Edit</button>
    <button type="button" class="sheet-item" onClick=${()=>{i(),l()}}>
      <${T} name="done" />Select</button>
    ${c&&s`<a class="sheet-item" href=${c.href} target="_blank"
      rel="noreferrer noopener" onClick=${i}><${T} name="open" />Open destination</a>`}
    <button type="button" class="sheet-item danger" onClick=${()=>{i(),Ft(e)}}>
      <${T} name="remove" />Delete</button>
    <button type="button" class="sheet-item" onClick=${i}>
      <${T} name="close" />Cancel</button>
  <//>`}var Ce=lt(()=>import("./pages-GOOXD46J.js")),xn=ge(Ce,"LinkPage"),Ln=ge(Ce,"Overview"),_n=ge(Ce,"Unknown");addEventListener("pointerover",()=>Ce().catch(()=>{}),{once:!0});function Sn(){let{path:e}=$(Z),t=$(Ke),[n,o]=y(!1),r=$(re);return $e({"?":()=>o(!0),n:()=>{K("/ui/"),requestAnimationFrame(()=>document.getElementById("create-url")?.focus())},"/":()=>{K("/ui/"),requestAnimationFrame(()=>document.getElementById("search")?.focus())},z:()=>r.length?Se():de.get()?.undo?de.get().undo():!1}),En(e),t==="left"?s`<${Qt} />`:s`<a class="skip" href="#main">Skip to content</a>
    <${Tn} path=${e} onHelp=${()=>o(!0)} />
    <${st} />
    ${Ge&&s`<aside class="notice" aria-label="Notice">
      Short links start with ${Ve}, the address of this page. Set BASE_URL to your public
      address.</aside>`}
    <${Rn} path=${e} />
    <${On} />
    ${n&&s`<${Et} onClose=${()=>o(!1)} />`}
    ${t==="out"&&s`<${Qt} />`}
    <p id="said" class="unseen" role="status"></p>`}function En(e){let t=B(e),n=$(ct);k(()=>{let o=document.querySelector("#main h1");t.current===e||!o||(t.current=e,N(document.title.replace(/ · terse$/,"")),document.activeElement===document.body&&(o.tabIndex=-1,o.focus({preventScroll:!0})))},[e,n])}function Rn({path:e}){if(e==="/ui/")return s`<${Kt} />`;if(e==="/ui/overview")return s`<${Ln} />`;if(e==="/ui/unknown")return s`<${_n} />`;let[,t]=e.match(/^\/ui\/links\/([A-Za-z0-9_-]{3,20})$/)??[];return t?s`<${xn} key=${t} code=${t} />`:s`<main class="page" id="main"><div class="state"><h1>Page not found</h1>
    <p>Check the address.</p><a class="button" href="/ui/">Back to links</a></div></main>`}var jt=e=>e?"page":void 0,Tn=({path:e,onHelp:t})=>s`<header class="top"><div class="top-inner">
  <a class="brand" href="/ui/">terse</a>
  <nav aria-label="Pages">
    <a href="/ui/" aria-current=${e==="/ui/"?"page":e.startsWith("/ui/links/")?"true":void 0}>Links</a>
    <a href="/ui/overview" aria-current=${jt(e==="/ui/overview")}>Overview</a>
    <a href="/ui/unknown" aria-current=${jt(e==="/ui/unknown")}>Not found</a>
  </nav>
  <div class="top-end"><${q} icon="help" class="shortcuts"
      label="Keyboard shortcuts" onClick=${t} />
    <${ot} />
    <${q} icon="leave" label="Sign out" onClick=${Bn} /></div>
</div></header>`;async function Bn(){try{let e=F.get();if(await at(),F.get()!==e)return;await Qe(),location.assign("/ui/")}catch(e){P(`Couldn't sign out: ${e.message}`)}}function On(){let e=$(re),t=$(F),n=$(Ze),o=$(de);return s`<div class="toasts" role="region" aria-label="Messages">
    ${n&&s`<div class="toast">${n}</div>`}
    ${o&&s`<div class="toast"><span>${o.text}</span>
      ${o.undo&&s`<button type="button" class="text-button"
        onClick=${o.undo}>Undo</button>`}</div>`}
    ${t&&s`<div class="toast" role="alert">Couldn't delete ${t.codes.length===1?t.codes[0]:G(t.codes.length,"link","links")}: ${t.message}
      <${q} icon="close" label="Close" onClick=${()=>F.set(null)} /></div>`}
    ${e.length>0&&s`<${Dn} links=${e} />`}
  </div>`}function Dn({links:e}){if(e.length>1)return s`<div class="toast">
    <span>${G(e.length,"link","links")} deleted</span>
    <button type="button" class="text-button" onClick=${rt}>Undo all</button></div>`;let[{short_code:t}]=e;return s`<div class="toast"><span>Deleted <b class="mono">${t}</b></span>
    <button type="button" class="text-button" aria-label=${`Undo deleting ${t}`}
      onClick=${Se}>Undo</button></div>`}function Qt(){let[e,t]=y(""),[n,o]=y(""),[r,a]=y(!1),i=B();return k(()=>i.current.focus(),[]),s`<${pe} label="Sign in" class="sign-in"><form onSubmit=${async l=>{if(l.preventDefault(),!r){a(!0),o("");try{await je(e.trim())}catch(m){o(m.status===401||m.status===400?"That token isn't valid.":m.message),i.current?.select()}finally{a(!1)}}}}>
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
  </form><//>`}Ne(s`<${Sn} />`,document.getElementById("app"));
