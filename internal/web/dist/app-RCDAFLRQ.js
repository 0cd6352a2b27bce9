import{a as Ct,b as Lt,c as K,d as De,e as St,f as _t,g as Et,h as Tt,i as Bt,j as Ue,k as Ot,l as qt}from"./chunk-IYWWPIOS.js";import{b as J,c as wt,d as qe,e as ce,h as xt}from"./chunk-4XBN5E26.js";import{a as st,b as rt}from"./chunk-ITE5WROQ.js";import{a as lt,b as ut,c as ge,d as be}from"./chunk-P5NLHDLW.js";import{c as Rt}from"./chunk-APLCKXZT.js";import{e as vt,f as xe}from"./chunk-VQ4JKL63.js";import{a as V,b as B,c as ve,d as we,e as ae}from"./chunk-FG4KRW6V.js";import{b as se,c as N,d as he,e as me,f as _e,g as at,h as it,i as ct}from"./chunk-FFUFBBNV.js";import{a as Z,b as Oe,c as ie,e as yt}from"./chunk-NNMME5EZ.js";import{D as kt,a as Fe,b as Se,d as Ke,e as je,i as Ee,j as pt,l as ft,m as $t,n as Te,o as ht,p as Re,q as re,r as mt,s as gt,t as ye,v as ke,w as Be,x as bt}from"./chunk-7RNX2GPN.js";import{a as ue}from"./chunk-72OCHUFX.js";import{a as G,b as dt,c as F}from"./chunk-NTYZJBCE.js";import{B as Ye,C as Ge,D as M,E as D,F as de,G as U,H as oe,J as pe,K as Ve,L as z,M as fe,N as Ze,O as Je,P as H,R as Xe,T as et,V as tt,W as nt,X as ot,Z as $e,a as Ne,b,c as x,d as P,e as R,f as W,h as $,i as s,k as ee,l as Y,n as Qe,o as We,x as te,y as ne}from"./chunk-T63LDOMM.js";var Vt=200,Dt=5*1024*1024,Zt="Not created: can't reach the server. Your text is kept.",A=()=>document.getElementById("create-url")?.focus();function Ut(){B({url:"https://example.com/"}),A()}var S=e=>ae.get()?z(e):we.set(e);function At({onQR:e}){let[t,n]=b(!1);x(()=>{Jt().catch(()=>{});let r=({target:p})=>p.closest?.("input, textarea, dialog")||document.querySelector("dialog[open]"),a=p=>{!r(p)&&Ae(p.clipboardData.getData("text"),!1)&&p.preventDefault()},c=p=>p.dataTransfer?.types.includes("Files")&&!document.querySelector("dialog[open]"),f={paste:a,dragover:p=>{c(p)&&p.preventDefault(),n(c(p))},dragleave:p=>p.relatedTarget||n(!1),drop:p=>{n(!1),c(p)&&(p.preventDefault(),zt(p.dataTransfer.files[0]))}};for(let[p,C]of Object.entries(f))addEventListener(p,C);return()=>{for(let[p,C]of Object.entries(f))removeEventListener(p,C)}},[]);let o=$(ae);return s`<div class="create-card" data-dropping=${t}>
    ${o?s`<${St} />`:s`<${sn} onQR=${e} />`}</div>`}async function Jt(){let{path:e,query:t}=G.get(),[n,o,r]=["url","title","code"].map(i=>t.get(i)?.trim()??"");if(e!=="/ui/"||!(n||o||r))return;(n||o)&&B({url:n}),B({isOpen:!0}),F("/ui/",{replace:!0}),A();let{draftOf:a}=await K(),c=V.get().options??a(),l=n||o?a({title:[...o].slice(0,200).join("")}):c;B({options:{...l,short_code:r||c.short_code}})}function Ae(e,t){let n=e.trim();if(we.set(""),e.length>Dt)S("That's too much text. At most 5 MB can be read.");else if(/[\t\r\n]/.test(n)||Oe(n).length)It(e,t);else if(t&&/\s/.test(n))Mt(n);else if(!t&&!ae.get()&&/^https?:\/\//i.test(n)&&te(n))B({url:n.replace(/\s+/g," ")}),S(ie(n)),A();else return!1;return!0}async function It(e,t){try{let{propose:n,noURL:o}=await De(),r=n(e);r&&r!==o?S(r):r&&t&&Mt(e)}catch{S("Couldn't read the list: can't reach the server. Paste it again in a moment.")}}async function Xt(e){await It(e,!1),ae.get()&&B({url:""})}function Mt(e){document.execCommand("insertText",!1,e.trim().replace(/\s+/g," ")),S(ie(e.trim()))}async function zt(e){if(e){if(e.size>Dt){let t=Math.ceil(e.size/1024/1024*10)/10;return S(`That file has ${t} MB. At most 5 MB can be read.`)}try{let{propose:t,decode:n}=await De(),o=t(n(await e.arrayBuffer()));o&&S(o)}catch{S("Couldn't read the file.")}}}async function Pt(e,t){try{let n=[...e].slice(0,Vt).join(""),{urls:o}=await Se("GET",dt("/api/urls",{search:n,limit:20}),{signal:t});return o.filter(r=>r.original_url===e&&!vt(r)).map(r=>r.short_code)}catch{return[]}}function en(e){let[t,n]=b({url:"",code:""});return x(()=>{if(!te(e)||ie(e))return;let o=new AbortController,r=setTimeout(async()=>{let[a=""]=await Pt(e,o.signal);o.signal.aborted||n({url:e,code:a})},200);return()=>{clearTimeout(r),o.abort()}},[e]),t.url===e?t.code:""}async function tn(e,t){if(!t)return{original_url:Z(e)};let{fieldsOf:n}=await K(),o=Object.entries(n({...t,original_url:e}));return Object.fromEntries(o.filter(([,r])=>r!==null))}async function nn(e,t){if(!t)return{};let{problemsOf:n}=await K(),{original_url:o,...r}=n({...t,original_url:e});return r}async function on(e){let t=Se("POST","/api/urls",{body:e}),n=oe(t.then(r=>M(r.short_code))).catch(()=>!1),o=await t;return ct(o.short_code),bt({...o,created_at:new Date().toISOString(),click_count:0}),{...o,copied:await n}}function sn({onQR:e}){let{url:t,options:n,isOpen:o}=$(V),r=$(we),a=$(ue),[c,l]=b({}),[i,h]=b(null),[f,p]=b(""),C=R(!1),[_,L]=b(!1),m=R(),y=en(Z(t)),k=o||t!=="";x(()=>{if(!k||n)return;let u=({draftOf:E})=>V.get().options||B({options:E()});K().then(u,()=>{})},[k,n,a]);let O=u=>{B({url:u}),S(""),h(null)},d=({original_url:u,...E})=>{l({}),u!==t&&O(u),B({options:E,isOpen:!0})},v=u=>{l(u),tt(m.current)},j=async u=>{if(u.preventDefault(),C.current)return;if(!t.trim())return A();if(Oe(t).length)return Xt(t);let E=ie(Z(t));if(E)return S(E);C.current=!0,L(!0),S("");try{let T=await nn(t,n);if(Object.keys(T).length)return v(T);await I(await tn(t,n))}catch(T){await q(T)}finally{C.current=!1,L(!1)}},I=async u=>{let E=y||Pt(u.original_url,AbortSignal.timeout(5e3)),T=await on(u);ve(),l({}),scrollTo(0,0);let Q=f===u.original_url?"":y;if(h({...T,existing:Q}),H(`${D}/${T.short_code} ${T.copied?"copied":"created"}`),A(),y)return;let He=(await E).find(X=>X!==T.short_code);He&&h(X=>X?.short_code===T.short_code?{...X,existing:He}:X)},q=async u=>{if(!u.status)return S(Zt);let{refusalOf:E,draftOf:T}=await K(),Q=E(u,{...n??T(),original_url:t});if(Q&&!Q.original_url)return v(Q);S(Q?yt(t,u.message):u.message)},g=()=>{let u=V.get();ve(),l({}),S(""),A(),(u.url||u.options)&&Ze("Cleared",()=>{V.set(u)})},Le=async u=>{let E=await oe(M(u))?"Copied":"Use";i?me(i):ve(),h(null),z(`${E} ${D}/${u}`),A()},w=()=>{p(Z(t)),i&&h({...i,existing:""}),A()},le=i?i.existing:f===Z(t)?"":y;return s`<form ref=${m} class="create" onSubmit=${j} novalidate
    aria-label="Shorten a URL">
    <div class="create-line">
      <input id="create-url" class="field mono" type="text" inputmode="url" autocomplete="off"
        autocapitalize="off" spellcheck=${!1} aria-label="Long URL"
        placeholder="Paste a long URL" value=${t} onInput=${u=>O(u.target.value)}
        onPaste=${u=>Ae(u.clipboardData.getData("text"),!0)&&u.preventDefault()}
        onDrop=${u=>Ae(u.dataTransfer.getData("text"),!0)&&u.preventDefault()}
        onKeyDown=${u=>u.key==="Escape"&&u.target.blur()}
        onFocus=${()=>K().catch(()=>{})}
        aria-invalid=${!!r}
        aria-describedby=${r?"create-problem":void 0} />
      ${!k&&s`<${rn} onOpen=${()=>B({isOpen:!0})} />`}
    </div>
    <${Je} text=${t} />
    ${(k||r||i)&&s`<div class="create-note">${Gt()}</div>`}
    ${k&&s`<div class="form create-form">
      ${n&&s`<${Lt} id="new" isNew=${!0} draft=${{...n,original_url:t}}
        onChange=${d} problems=${c} />`}
      <div class="form-end"><button type="button" class="button" onClick=${g}>Cancel</button>
        <button class="button primary" aria-busy=${_}>Shorten</button></div></div>`}
  </form>`;function Gt(){return r?s`<p id="create-problem" class="problem" role="alert">${r}</p>`:s`${i&&s`<${an} link=${i} onQR=${e} />`}
      ${le?s`<${cn} code=${le} isOld=${!!i} onUse=${Le}
            onKeep=${w} />`:!i&&s`<p class="hint">Enter shortens it and copies the short URL.</p>`}`}}function rn({onOpen:e}){let t=R();return s`<input ref=${t} type="file" hidden accept=".csv,.tsv,.txt,text/csv,text/plain"
      aria-label="CSV file" onChange=${o=>{zt(o.target.files[0]),o.target.value=""}} />
    <${U} icon="upload" label="Shorten a list from a CSV file"
      onClick=${()=>t.current.click()} />
    <button type="button" class="text-button" aria-expanded="false"
      onClick=${e}>Options</button>`}var an=({link:{short_code:e,copied:t},onQR:n})=>s`<p class="made">
  <${de} name="done" /><a class="mono" href=${`/ui/links/${e}`}>${D}/${e}</a>
  <span class="quiet">${t?"Copied":"Created"}</span>
  ${!t&&s`<${pe} text=${M(e)} label="Copy the short URL" />`}
  <${U} icon="qr" label="QR code for the new link" onClick=${()=>n(e)} /></p>`;function cn({code:e,isOld:t,onUse:n,onKeep:o}){let r=`${D}/${e}`,a=t?"had":"have";return x(()=>H(`You already ${a} ${r} for this URL`),[e]),s`<p class="known"><span>You ${" "}<span
    class="known-why">already </span>${a}${" "}
    <a class="mono" href=${`/ui/links/${e}`}>${r}</a><span class="known-why">${" "}
    for this URL</span></span>
    <button type="button" class="text-button" onClick=${()=>n(e)}>Use it</button>
    <button type="button" class="text-button" onClick=${o}>Keep both</button></p>`}var ln=matchMedia("(max-width: 720px)"),Ie=matchMedia("(hover: none), (pointer: coarse), (max-width: 720px)"),un=()=>ln.matches?68:56,Ht=4,ze=56;function dn(e,t){let n=()=>{let a=un(),c=Ie.matches,l=e.current?-e.current.getBoundingClientRect().top:0,i=Math.max(0,Math.floor(l/a)-Ht);return{height:a,bySheet:c,first:i-i%4,size:Math.ceil(innerHeight/a)+2*Ht+4}},[o,r]=b(n);return x(()=>{let a=()=>r(c=>{let l=n();return l.first===c.first&&l.size===c.size&&l.height===c.height&&l.bySheet===c.bySheet?c:l});return e.current&&a(),addEventListener("scroll",a,{passive:!0}),addEventListener("resize",a),Ie.addEventListener("change",a),()=>{Ie.removeEventListener("change",a),removeEventListener("scroll",a),removeEventListener("resize",a)}},[t===0]),o}function Nt({state:e,rows:t,active:n,setActive:o,onDialog:r}){let a=R(),{height:c,bySheet:l,first:i,size:h}=dn(a,t.length),f=Math.min(t.length,i+h),{pinned:p,fresh:C,query:_,bots:L}=e;x(()=>{e.phase==="ready"&&f>t.length-40&&ye()},[f,t.length,e.phase]),fn(a,t,c),pn(a,t,n,c);let m=$(ft),y=$(J),k=$(wt);x(()=>$t(t.slice(i,f),L),[i,f,t,m]);let O=(I,q)=>ce(I,t,q),d=n>=0&&n<t.length&&(n<i||n>=f)?n:-1,v=e.next?-1:t.length,j=W(()=>{let I=g=>s`<${$n} key=${t[g].short_code} link=${t[g]} index=${g}
      top=${g*c} size=${v} flash=${t[g].short_code===C}
      isPinned=${p.includes(t[g])} bySheet=${l} boxed=${!l||k}
      chosen=${y.has(t[g].short_code)} bots=${L} wanted=${_.tag}
      onChoose=${O}
      days=${Ee(t[g],L)>0&&m.get(t[g].short_code)}
      onFocus=${o} onDialog=${r} />`,q=[];d>=0&&d<i&&q.push(I(d));for(let g=i;g<f;g++)q.push(I(g));return d>=f&&q.push(I(d)),q},[t,i,f,d,c,l,v,C,m,y,k,_,L]);return s`<${Ft} rows=${t} bots=${L} />
    <ul class="rows" ref=${a} aria-label="Links" style=${{height:`${t.length*c}px`}}
      data-choosing=${k} aria-busy=${e.phase==="loading"}>
      ${j}
    </ul>`}function pn(e,t,n,o){let r=t[n]?.short_code,a=R({active:n,code:""});P(()=>{let c=a.current.active!==n,l=a.current.code===r;if(a.current={active:n,code:r},l||n<0||!e.current||e.current.querySelector(":focus")?.closest(`[data-index="${n}"]`)||!c&&document.activeElement!==document.body)return;let i=e.current.getBoundingClientRect().top+n*o;i<ze?scrollBy(0,i-ze-8):i+o>innerHeight&&scrollBy(0,i+o-innerHeight+8),e.current.querySelector(`[data-index="${n}"] .row-link`)?.focus({preventScroll:!0})},[n,r])}function fn(e,t,n){let o=R({index:-1,code:""});P(()=>{let{index:r,code:a}=o.current;if(r<=0||!e.current||t[r]?.short_code===a)return;let c=t.findIndex(l=>l.short_code===a);c>=0&&scrollBy(0,(c-r)*n)},[t]),x(()=>{let r=()=>{let a=e.current?Math.ceil((ze-e.current.getBoundingClientRect().top)/n):-1;o.current={index:a,code:t[a]?.short_code}};return r(),addEventListener("scroll",r,{passive:!0}),()=>removeEventListener("scroll",r)},[t,n])}function Ft({rows:e,bots:t}){let n=$(J).size,o=e&&s`<input type="checkbox" aria-label="Select all links that are shown"
    checked=${n>0&&n>=e.length} indeterminate=${n>0&&n<e.length} onChange=${()=>xt(e)} />`;return s`<div class="row-head"><span class="row-check">${o}</span>
    <span aria-hidden="true">Link</span>
    <span class="row-time" aria-hidden="true">Created</span>
    <span class="row-recent" aria-hidden="true" title="Clicks a day, each link to its own scale">
      Last 30 days</span>
    <span class="row-clicks" aria-hidden="true">${t?"Clicks with bots":"Clicks"}</span>
    </div>`}function $n({link:e,index:t,top:n,size:o,flash:r,isPinned:a,bySheet:c,boxed:l,chosen:i,bots:h,wanted:f,days:p,onFocus:C,onDialog:_,onChoose:L}){let{short_code:m,original_url:y,title:k,status:O}=e,d=w=>{let le=w.currentTarget.querySelector(".row-link");le.title=`${ne(y)}
${Qe(new Date(e.created_at))}`},v=w=>w.currentTarget.closest(".row").querySelector(".row-link").click(),j=w=>_({kind:"actions",link:e,anchor:w}),I=w=>{w.pointerType==="touch"&&(w.preventDefault(),w.stopPropagation(),j(w.currentTarget.querySelector("button:last-child")))},q=s`${a&&s`<span class="badge">New</span>`}
    ${xe[O]&&s`<span class="state-badge">${xe[O]}</span>`}
    <${gn} link=${e} onClick=${v} />`,g=s`<span class="row-code mono"><span class="row-host quiet">${D}/</span><a
    class="row-link" href=${`/ui/links/${m}`} aria-label=${`View ${m}`} onClick=${()=>{re.code=m}}>${m}</a></span>`,Le=s`<span class="row-arrow quiet" aria-hidden="true">→</span>
    <span class="row-url"><${et} url=${y} /></span>`;return s`<li class="row" data-index=${t} data-flash=${r} style=${{top:`${n}px`}}
    aria-setsize=${o} aria-posinset=${t+1} onFocusIn=${()=>C(t)}
    onPointerEnter=${d} data-chosen=${i}>
    ${l&&s`<label class="row-check"><input type="checkbox" aria-label=${`Select ${m}`}
      checked=${i} onClick=${w=>L(e,w.shiftKey)} /></label>`}
    <span class="row-what">
      <span class="row-first">${k?s`<span class="row-title"><bdi>${ne(k)}</bdi></span>`:g}${q}</span>
      <span class="row-second">${k&&g}${Le}</span></span>
    <${kt} tags=${hn(e.tags,f)} most=${c?1:2} plain=${c}
      class="row-tags" />
    <time class="row-time quiet" datetime=${e.created_at}>
      ${We(new Date(e.created_at))}</time>
    ${p&&s`<span class="row-recent" title=${mn(p)} onClick=${v}>
      <svg viewBox="0 0 90 20" aria-hidden="true"><path d=${p.path} /></svg></span>`}
    <span class="row-clicks"><span class="unseen">clicks: </span>${ee(Ee(e,h))}</span>
    <span class="row-actions" onClickCapture=${I}>
      ${!c&&s`<${U} icon="edit" label=${`Edit ${m}`}
          onClick=${()=>_({kind:"edit",link:e})} />
        <${pe} text=${M(m)} label=${`Copy ${D}/${m}`} />`}
      <${U} icon="more" label=${`Actions for ${m}`} aria-haspopup="menu"
        onClick=${w=>j(w.currentTarget)} /></span>
  </li>`}function hn(e=[],t){if(!t.length)return e;let n=o=>t.some(r=>r.toLowerCase()===o.toLowerCase());return[...e.filter(n),...e.filter(o=>!n(o))]}var mn=({total:e,most:t})=>`${Y(e,"click","clicks")} in 30 days, at most ${ee(t)} a day`;function gn({link:e,onClick:t}){let{password:n,rules:o,status:r}=e,a=!xe[r]&&pt(e);return!n&&!o?.length&&!a?null:s`<span class="row-marks quiet" onClick=${t}>
    ${n&&s`<${Me} icon="lock" name="Password" />`}
    ${o?.length>0&&s`<${Me} icon="rules" name=${Y(o.length,"rule","rules")} />`}
    ${a&&s`<${Me} icon="clock" name=${a} />`}</span>`}var Me=({icon:e,name:t})=>s`<span role="img" aria-label=${t} title=${t}><${de} name=${e} /></span>`,Pe=({rows:e,bare:t,bots:n})=>s`${!t&&s`<${Ft} bots=${n} />`}
  <div class="rows-skeleton" role="status" aria-label="Loading links">
  ${Array.from({length:e},(o,r)=>s`<div class="row" key=${r}><span class="row-what">
      <i class="bone" data-size=${r%3} /><i class="bone wide" data-size=${(r+1)%3} /></span>
      <span class="row-clicks"><i class="bone small" /></span></div>`)}
</div>`;async function Kt({short_code:e}){z(await oe(M(e))?`Copied ${D}/${e}`:"Couldn't copy")}function jt(e){me(e)?H(`Deleted ${e.short_code}. Press Z to undo.`):z("Too many deletes at once. Wait ten seconds.")}function Qt(){let{query:e}=$(G),t=$(Te),n=$(se),o=$(N),r=$(J),[a,c]=b(null),l=e.toString(),i=W(()=>Bt(e),[l]),h=mt(i),f=W(()=>{let d=new Set(t.pinned.map(v=>v.short_code));return[...t.pinned,...t.rows.filter(v=>!d.has(v.short_code))].filter(v=>!he(v.short_code))},[t.rows,t.pinned,n,o]),p=[...r.values()].filter(d=>!he(d.short_code)),C=t.total-t.rows.filter(d=>he(d.short_code)).length,[_,L]=bn(f,h?re.code:"");P(()=>{document.title="Links · terse",scrollTo(0,Re.y);let d=()=>{Re.y=scrollY};return addEventListener("scroll",d,{passive:!0}),()=>removeEventListener("scroll",d)},[]),yn(Be),P(()=>{h?Be():(gt(i),L(-1),qe()),re.href=Ue(i)},[i]),x(()=>ue.watch(d=>d==="up"&&Te.get().phase==="error"&&ke()),[]);let m=d=>{f.length&&L(Math.min(f.length-1,Math.max(0,_+d)))},y=d=>v=>f[_]?v.repeat||d(f[_]):!1,k=()=>c(null),O=()=>{qe(),document.querySelector(`.row[data-index="${_}"] .row-link`)?.focus()};return $e({n:A,"/":()=>document.getElementById("search").focus(),j:()=>m(1),k:()=>m(-1),c:y(d=>Kt(d)),q:y(d=>c({kind:"qr",link:d})),e:y(d=>c({kind:"edit",link:d})),x:y(d=>ce(d,f)),Delete:y(jt),Escape:()=>{if(r.size)return O();document.activeElement.blur(),L(-1)}}),s`<main class="page wide" id="main">
    <h1 class="unseen">Links</h1>
    <${At} onQR=${d=>c({kind:"qr",link:{short_code:d}})} />
    <${qt} query=${i} state=${t} total=${C} />
    <${kn} state=${t} rows=${f} query=${i} active=${_} setActive=${L}
      onDialog=${c} />
    ${p.length>0&&s`<${Et} links=${p}
      total=${p.length>=f.length&&!t.isLowerBound?C:0}
      onClear=${O} />`}
    ${a?.kind==="qr"&&s`<${_t} code=${a.link.short_code} onClose=${k} />`}
    ${a?.kind==="edit"&&s`<${Ct} code=${a.link.short_code} onClose=${k} />`}
    ${a?.kind==="actions"&&s`<${Sn} link=${a.link} anchor=${a.anchor} rows=${f}
      onDialog=${c} />`}
  </main>`}function bn(e,t){let[{index:n,code:o},r]=b(()=>({index:e.findIndex(l=>l.short_code===t),code:t})),a=W(()=>{if(n<0||e[n]?.short_code===o)return n;let l=e.findIndex(i=>i.short_code===o);return l<0?n:l},[e,n,o]),c=l=>r(i=>{let h={index:l,code:e[l]?.short_code??""};return i.index===h.index&&i.code===h.code?i:h});return P(()=>c(a),[a,e]),[a,c]}function yn(e){x(()=>{let t=!1,n=()=>{t=!0},o=()=>{document.hidden?n():t&&(t=!1,e())};return addEventListener("blur",n),addEventListener("focus",o),document.addEventListener("visibilitychange",o),()=>{removeEventListener("blur",n),removeEventListener("focus",o),document.removeEventListener("visibilitychange",o)}},[])}function kn({state:e,rows:t,query:n,...o}){return!e.loaded&&e.phase==="error"?s`<${nt} title="Couldn't load links"
    message=${e.error.message} onRetry=${ke} />`:e.loaded?t.length===0&&e.phase==="ready"?n.search?s`<${Cn} search=${n.search} />`:Ot(n)?s`<${Ln} query=${n} />`:s`<${wn} />`:s`<${Nt} state=${e} rows=${t} ...${o} />
    <${vn} state=${e} search=${n.search} />`:s`<${Pe} rows=${8} bots=${n.bots} />`}function vn({state:e,search:t}){return e.phase==="error"?s`<div class="foot" role="alert">
    <p>${e.error.message}</p><button type="button" class="button"
      onClick=${ke}>Try again</button></div>`:e.phase==="paused"?s`<div class="foot">
    <p>${e.rows.length?"No more matches so far.":"No matches yet."}</p>
    <button type="button" class="button" onClick=${ye}>Keep searching</button></div>`:ht(e)&&e.next?s`<div class="foot">
    <p>Showing the first ${ee(e.rows.length)}. Search or sort to find others.</p></div>`:e.next||e.phase==="more"?s`<${Pe}
    rows=${t&&!e.rows.length?8:3} bare=${!0} />`:null}var wn=()=>s`<div class="state"><h2>No links yet</h2>
  <p>Paste a long URL into the field above and press Enter. The short one is copied.</p>
  <button type="button" class="button" onClick=${Ut}>Try an example</button>
  <p>Or from a terminal:</p>
  <${ot} line=${`curl -H "Authorization: Bearer $TERSE_TOKEN" -d '{"original_url":"https://example.com/"}' ${location.origin}/api/urls`} /></div>`,xn=()=>{F("/ui/",{replace:!0}),document.getElementById("search").focus()},Cn=({search:e})=>s`<div class="state"><h2>No matches for "${ne(e)}"</h2>
  <button type="button" class="button" onClick=${xn}>Clear search</button></div>`,Ln=({query:e})=>s`<div class="state"><h2>No links with this filter</h2>
  <a class="button" href=${Ue({...e,tag:[],status:""})}>Remove filter</a></div>`;function Sn({link:e,anchor:t,rows:n,onDialog:o}){let{short_code:r,original_url:a}=e,c=te(a),l=[{icon:"edit",label:"Edit",onChoose:()=>o({kind:"edit",link:e})},{icon:"copy",label:"Copy link",onChoose:()=>Kt(e)},{icon:"qr",label:"QR code",onChoose:()=>o({kind:"qr",link:e})},...c?[{icon:"open",label:"Open destination",href:c.href}]:[],{icon:"done",label:"Select",onChoose:()=>J.get().has(r)||ce(e,n)},null,{icon:"remove",label:"Delete",onChoose:()=>jt(e)}];return s`<${Rt} anchor=${t} label=${`Actions for ${r}`}
    items=${l}
    onClose=${()=>o(null)} />`}var Ce=ut(()=>import("./pages-575PEHSZ.js")),_n=be(Ce,"LinkPage",ge),En=be(Ce,"Overview",ge),Tn=be(Ce,"Unknown",ge),Rn=globalThis.requestIdleCallback??(e=>setTimeout(e,1e3));navigator.connection?.saveData||addEventListener("load",()=>Rn(()=>Ce().catch(()=>{})));function Bn(){let{path:e}=$(G),t=$(Fe),[n,o]=b(!1),r=$(se);return $e({"?":()=>o(!0),n:()=>{F("/ui/"),requestAnimationFrame(()=>document.getElementById("create-url")?.focus())},"/":()=>{F("/ui/"),requestAnimationFrame(()=>document.getElementById("search")?.focus())},z:()=>r.length?_e():fe.get()?.undo?fe.get().undo():!1}),On(e),t==="left"?s`<${Yt} />`:s`<a class="skip" href="#main">Skip to content</a>
    <${Dn} path=${e} onHelp=${()=>o(!0)} />
    <${rt} />
    ${Ye&&s`<aside class="notice" aria-label="Notice">
      Short links start with ${Ge}, the address of this page. Set BASE_URL to your public
      address.</aside>`}
    <${qn} path=${e} />
    <${An} />
    ${n&&s`<${Tt} onClose=${()=>o(!1)} />`}
    ${t==="out"&&s`<${Yt} />`}
    <p id="said" class="unseen" role="status"></p>`}function On(e){let t=R(e),n=$(lt);x(()=>{let o=document.querySelector("#main h1");t.current===e||!o||(t.current=e,H(document.title.replace(/ · terse$/,"")),document.activeElement===document.body&&(o.tabIndex=-1,o.focus({preventScroll:!0})))},[e,n])}function qn({path:e}){if(e==="/ui/")return s`<${Qt} />`;if(e==="/ui/overview")return s`<${En} />`;if(e==="/ui/unknown")return s`<${Tn} />`;let[,t]=e.match(/^\/ui\/links\/([A-Za-z0-9_-]{3,20})$/)??[];return t?s`<${_n} key=${t} code=${t} />`:s`<main class="page" id="main"><div class="state"><h1>Page not found</h1>
    <p>Check the address.</p><a class="button" href="/ui/">Back to links</a></div></main>`}var Wt=e=>e?"page":void 0,Dn=({path:e,onHelp:t})=>s`<header class="top"><div class="top-inner">
  <a class="brand" href="/ui/">terse</a>
  <nav aria-label="Pages">
    <a href="/ui/" aria-current=${e==="/ui/"?"page":e.startsWith("/ui/links/")?"true":void 0}>Links</a>
    <a href="/ui/overview" aria-current=${Wt(e==="/ui/overview")}>Overview</a>
    <a href="/ui/unknown" aria-current=${Wt(e==="/ui/unknown")}>Not found</a>
  </nav>
  <div class="top-end"><${U} icon="help" class="shortcuts"
      label="Keyboard shortcuts" onClick=${t} />
    <${st} />
    <${U} icon="leave" label="Sign out" onClick=${Un} /></div>
</div></header>`;async function Un(){try{let e=N.get();if(await it(),N.get()!==e)return;await je(),location.assign("/ui/")}catch(e){z(`Couldn't sign out: ${e.message}`)}}function An(){let e=$(se),t=$(N),n=$(Ve),o=$(fe);return s`<div class="toasts" role="region" aria-label="Messages">
    ${n&&s`<div class="toast">${n}</div>`}
    ${o&&s`<div class="toast"><span>${o.text}</span>
      ${o.undo&&s`<button type="button" class="text-button"
        onClick=${o.undo}>Undo</button>`}</div>`}
    ${t&&s`<div class="toast" role="alert">Couldn't delete ${t.codes.length===1?t.codes[0]:Y(t.codes.length,"link","links")}: ${t.message}
      <${U} icon="close" label="Close" onClick=${()=>N.set(null)} /></div>`}
    ${e.length>0&&s`<${In} links=${e} />`}
  </div>`}function In({links:e}){if(e.length>1)return s`<div class="toast">
    <span>${Y(e.length,"link","links")} deleted</span>
    <button type="button" class="text-button" onClick=${at}>Undo all</button></div>`;let[{short_code:t}]=e;return s`<div class="toast"><span>Deleted <b class="mono">${t}</b></span>
    <button type="button" class="text-button" aria-label=${`Undo deleting ${t}`}
      onClick=${_e}>Undo</button></div>`}function Yt(){let[e,t]=b(""),[n,o]=b(""),[r,a]=b(!1),c=R();return x(()=>c.current.focus(),[]),s`<${Xe} label="Sign in" class="sign-in"><form onSubmit=${async i=>{if(i.preventDefault(),!r){a(!0),o("");try{await Ke(e.trim())}catch(h){o(h.status===401||h.status===400?"That token isn't valid.":h.message),c.current?.select()}finally{a(!1)}}}}>
    <p class="brand">terse</p><h2>Sign in</h2>
    <input class="unseen" type="text" name="username" autocomplete="username" value="terse" readonly
      tabindex="-1" aria-hidden="true" />
    <label for="token">Access token</label>
    <input id="token" ref=${c} class="field mono" type="password"
      autocomplete="current-password" required value=${e}
      onInput=${i=>{t(i.target.value),o("")}}
      aria-invalid=${!!n}
      aria-describedby=${n?"token-problem":"token-hint"} />
    ${n?s`<p id="token-problem" class="problem" role="alert">${n}</p>`:s`<p id="token-hint" class="hint">
        The token printed when the server first started, or one from AUTH_TOKENS. Lost it?
        Run <code class="mono">terse token</code>.</p>`}
    <button class="button primary" aria-busy=${r}>Sign in</button>
  </form><//>`}Ne(s`<${Bn} />`,document.getElementById("app"));
