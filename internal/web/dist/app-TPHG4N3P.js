import{a as J,b as bt,c as Te,d as ae,e as yt}from"./chunk-2GG2CE6D.js";import{a as vt,b as kt,c as j,d as Be,e as wt,f as xt,g as Ct,h as _t,i as Lt,j as Oe,k as St,l as Et}from"./chunk-LYX6USIA.js";import{a as tt,b as nt}from"./chunk-ON7KGI4Y.js";import{a as at,b as it,c as he}from"./chunk-ZZGKPRYP.js";import{e as gt,f as Re}from"./chunk-TULNJS2H.js";import{a as V,b as A,c as be,d as ye,e as ve}from"./chunk-SMXCTX52.js";import{b as oe,c as F,d as fe,e as $e,f as _e,g as ot,h as st,i as rt}from"./chunk-LVW5UB23.js";import{a as Z,b as ke,c as re,e as ht}from"./chunk-PNWE3WK5.js";import{a as Ne,b as xe,d as Fe,e as Ke,h as lt,i as ut,j as Le,k as dt,l as Se,m as se,n as pt,o as ft,p as me,q as ge,r as Ee,s as $t,y as mt}from"./chunk-ECZEFQF6.js";import{a as He}from"./chunk-7FXM3Z4H.js";import{a as G,b as ct,c as K}from"./chunk-OY4QQMVY.js";import{A as We,B as Ye,C as z,D as U,E as T,F as D,G as ne,H as ce,I as Ge,J as M,K as le,L as Ve,M as Ze,N,P as ue,R as de,T as Je,U as Xe,V as et,X as pe,a as Pe,b as y,c as k,d as P,e as O,f as Y,h as $,i as s,k as ie,l as Ce,n as je,q as Qe,w as H,x as te}from"./chunk-EIQ3LMFE.js";var Kt=200,Rt=5*1024*1024,jt="Not created: can't reach the server. Your text is kept.",q=()=>document.getElementById("create-url")?.focus();function Tt(){A({url:"https://example.com/"}),q()}var C=e=>ve.get()?M(e):ye.set(e);function Bt({onQR:e}){let[t,n]=y(!1);k(()=>{Qt().catch(()=>{});let a=({target:l})=>l.closest?.("input, textarea, dialog")||document.querySelector("dialog[open]"),r=l=>{!a(l)&&De(l.clipboardData.getData("text"),!1)&&l.preventDefault()},i=l=>l.dataTransfer?.types.includes("Files")&&!document.querySelector("dialog[open]"),g={paste:r,dragover:l=>{i(l)&&l.preventDefault(),n(i(l))},dragleave:l=>l.relatedTarget||n(!1),drop:l=>{n(!1),i(l)&&(l.preventDefault(),Ut(l.dataTransfer.files[0]))}};for(let[l,_]of Object.entries(g))addEventListener(l,_);return()=>{for(let[l,_]of Object.entries(g))removeEventListener(l,_)}},[]);let o=$(ve);return s`<div class="create-card" data-dropping=${t}>
    ${o?s`<${wt} />`:s`<${Zt} onQR=${e} />`}</div>`}async function Qt(){let{path:e,query:t}=G.get(),[n,o,a]=["url","title","code"].map(p=>t.get(p)?.trim()??"");if(e!=="/ui/"||!(n||o||a))return;(n||o)&&A({url:n}),A({isOpen:!0}),K("/ui/",{replace:!0}),q();let{draftOf:r}=await j(),i=V.get().options??r(),c=n||o?r({title:[...o].slice(0,200).join("")}):i;A({options:{...c,short_code:a||i.short_code}})}function De(e,t){let n=e.trim();if(ye.set(""),e.length>Rt)C("That's too much text. At most 5 MB can be read.");else if(/[\t\r\n]/.test(n)||ke(n).length)Ot(e,t);else if(t&&/\s/.test(n))Dt(n);else if(!t&&!ve.get()&&/^https?:\/\//i.test(n)&&H(n))A({url:n.replace(/\s+/g," ")}),C(re(n)),q();else return!1;return!0}async function Ot(e,t){try{let{propose:n}=await Be(),o=n(e);t&&o&&!ke(e).length&&!/https?:/i.test(e)?Dt(e):o&&(t||/https?:/i.test(e))&&C(o)}catch{C("Couldn't read the list: can't reach the server. Paste it again in a moment.")}}function Dt(e){document.execCommand("insertText",!1,e.trim().replace(/\s+/g," ")),C(re(e.trim()))}async function Ut(e){if(e){if(e.size>Rt){let t=Math.ceil(e.size/1024/1024*10)/10;return C(`That file has ${t} MB. At most 5 MB can be read.`)}try{let{propose:t,decode:n}=await Be(),o=t(n(await e.arrayBuffer()));o&&C(o)}catch{C("Couldn't read the file.")}}}async function At(e,t){try{let n=[...e].slice(0,Kt).join(""),{urls:o}=await xe("GET",ct("/api/urls",{search:n,limit:20}),{signal:t});return o.filter(a=>a.original_url===e&&!gt(a)).map(a=>a.short_code)}catch{return[]}}function Wt(e){let[t,n]=y({url:"",code:""});return k(()=>{if(!H(e)||re(e))return;let o=new AbortController,a=setTimeout(async()=>{let[r=""]=await At(e,o.signal);o.signal.aborted||n({url:e,code:r})},200);return()=>{clearTimeout(a),o.abort()}},[e]),t.url===e?t.code:""}async function Yt(e,t){if(!t)return{original_url:Z(e)};let{fieldsOf:n}=await j(),o=Object.entries(n({...t,original_url:e}));return Object.fromEntries(o.filter(([,a])=>a!==null))}async function Gt(e,t){if(!t)return{};let{problemsOf:n}=await j(),{original_url:o,...a}=n({...t,original_url:e});return a}async function Vt(e){let t=xe("POST","/api/urls",{body:e}),n=ne(t.then(a=>z(a.short_code))).catch(()=>!1),o=await t;return rt(o.short_code),$t({...o,created_at:new Date().toISOString(),click_count:0}),{...o,copied:await n}}function Zt({onQR:e}){let{url:t,options:n,isOpen:o}=$(V),a=$(ye),[r,i]=y({}),[c,p]=y(null),[f,g]=y(""),l=O(!1),[_,L]=y(!1),h=O(),w=Wt(Z(t)),v=o||t!=="";k(()=>{if(!v||n)return;let u=({draftOf:E})=>V.get().options||A({options:E()});j().then(u,()=>{})},[v,n]);let B=u=>{A({url:u}),C(""),p(null)},I=({original_url:u,...E})=>{i({}),u!==t&&B(u),A({options:E,isOpen:!0})},d=u=>{i(u),Je(h.current)},x=async u=>{if(u.preventDefault(),l.current)return;if(!t.trim())return q();if(ke(t).length)return Ot(t,!0);let E=re(Z(t));if(E)return C(E);l.current=!0,L(!0),C("");try{let R=await Gt(t,n);if(Object.keys(R).length)return d(R);await X(await Yt(t,n))}catch(R){await m(R)}finally{l.current=!1,L(!1)}},X=async u=>{let E=w||At(u.original_url,AbortSignal.timeout(5e3)),R=await Vt(u);be(),i({}),scrollTo(0,0);let W=f===u.original_url?"":w;if(p({...R,existing:W}),N(`${U}/${R.short_code} ${R.copied?"copied":"created"}`),q(),w)return;let Me=(await E).find(ee=>ee!==R.short_code);Me&&p(ee=>ee?.short_code===R.short_code?{...ee,existing:Me}:ee)},m=async u=>{if(!u.status)return C(jt);let{refusalOf:E,draftOf:R}=await j(),W=E(u,{...n??R(),original_url:t});if(W&&!W.original_url)return d(W);C(W?ht(t,u.message):u.message)},S=()=>{let u=V.get();be(),i({}),C(""),q(),(u.url||u.options)&&Ve("Cleared",()=>{V.set(u)})},b=async u=>{let E=await ne(z(u))?"Copied":"Use";c?$e(c):be(),p(null),M(`${E} ${U}/${u}`),q()},Q=()=>{g(Z(t)),c&&p({...c,existing:""}),q()},ze=c?c.existing:f===Z(t)?"":w;return s`<form ref=${h} class="create" onSubmit=${x} novalidate
    aria-label="Shorten a URL">
    <div class="create-line">
      <input id="create-url" class="field mono" type="text" inputmode="url" autocomplete="off"
        autocapitalize="off" spellcheck=${!1} aria-label="Long URL"
        placeholder="Paste a long URL" value=${t} onInput=${u=>B(u.target.value)}
        onPaste=${u=>De(u.clipboardData.getData("text"),!0)&&u.preventDefault()}
        onDrop=${u=>De(u.dataTransfer.getData("text"),!0)&&u.preventDefault()}
        onKeyDown=${u=>u.key==="Escape"&&u.target.blur()}
        onFocus=${()=>j().catch(()=>{})}
        aria-invalid=${!!a}
        aria-describedby=${a?"create-problem":void 0} />
      ${!v&&s`<${Jt} onOpen=${()=>A({isOpen:!0})} />`}
    </div>
    <${Ze} text=${t} />
    ${(v||a||c)&&s`<div class="create-note">${Ft()}</div>`}
    ${v&&s`<div class="form create-form">
      ${n&&s`<${kt} id="new" isNew=${!0} draft=${{...n,original_url:t}}
        onChange=${I} problems=${r} />`}
      <div class="form-end"><button type="button" class="button" onClick=${S}>Cancel</button>
        <button class="button primary" aria-busy=${_}>Shorten</button></div></div>`}
  </form>`;function Ft(){return a?s`<p id="create-problem" class="problem" role="alert">${a}</p>`:s`${c&&s`<${Xt} link=${c} onQR=${e} />`}
      ${ze?s`<${en} code=${ze} isOld=${!!c} onUse=${b}
            onKeep=${Q} />`:!c&&s`<p class="hint">Enter shortens it and copies the short URL.</p>`}`}}function Jt({onOpen:e}){let t=O();return s`<input ref=${t} type="file" hidden accept=".csv,.tsv,.txt,text/csv,text/plain"
      aria-label="CSV file" onChange=${o=>{Ut(o.target.files[0]),o.target.value=""}} />
    <${D} icon="upload" label="Shorten a list from a CSV file"
      onClick=${()=>t.current.click()} />
    <button type="button" class="text-button" aria-expanded="false"
      onClick=${e}>Options</button>`}var Xt=({link:{short_code:e,copied:t},onQR:n})=>s`<p class="made">
  <${T} name="done" /><a class="mono" href=${`/ui/links/${e}`}>${U}/${e}</a>
  <span class="quiet">${t?"Copied":"Created"}</span>
  ${!t&&s`<${ce} text=${z(e)} label="Copy the short URL" />`}
  <${D} icon="qr" label="QR code for the new link" onClick=${()=>n(e)} /></p>`;function en({code:e,isOld:t,onUse:n,onKeep:o}){let a=`${U}/${e}`,r=t?"had":"have";return k(()=>N(`You already ${r} ${a} for this URL`),[e]),s`<p class="known"><span>You ${" "}<span
    class="known-why">already </span>${r}${" "}
    <a class="mono" href=${`/ui/links/${e}`}>${a}</a><span class="known-why">${" "}
    for this URL</span></span>
    <button type="button" class="text-button" onClick=${()=>n(e)}>Use it</button>
    <button type="button" class="text-button" onClick=${o}>Keep both</button></p>`}var tn=matchMedia("(max-width: 720px)"),Ue=matchMedia("(hover: none), (pointer: coarse), (max-width: 720px)"),nn=()=>tn.matches?68:48,qt=4,Ae=56;function on(e,t){let n=()=>{let r=nn(),i=Ue.matches,c=e.current?-e.current.getBoundingClientRect().top:0,p=Math.max(0,Math.floor(c/r)-qt);return{height:r,bySheet:i,first:p-p%4,size:Math.ceil(innerHeight/r)+2*qt+4}},[o,a]=y(n);return k(()=>{let r=()=>a(i=>{let c=n();return c.first===i.first&&c.size===i.size&&c.height===i.height&&c.bySheet===i.bySheet?i:c});return e.current&&r(),addEventListener("scroll",r,{passive:!0}),addEventListener("resize",r),Ue.addEventListener("change",r),()=>{Ue.removeEventListener("change",r),removeEventListener("scroll",r),removeEventListener("resize",r)}},[t===0]),o}function It({state:e,rows:t,active:n,setActive:o,onDialog:a,onRemove:r}){let i=O(),{height:c,bySheet:p,first:f,size:g}=on(i,t.length),l=Math.min(t.length,f+g);k(()=>{e.phase==="ready"&&l>t.length-40&&me()},[l,t.length,e.phase]),sn(i,t,c);let _=$(lt),L=$(J),h=$(bt);k(()=>ut(t.slice(f,l)),[f,l,t,_]);let w=O({active:n,code:""});P(()=>{let m=t[n]?.short_code,S=w.current.active!==n,b=w.current.code===m;if(w.current={active:n,code:m},b||n<0||!i.current||i.current.querySelector(":focus")?.closest(`[data-index="${n}"]`)||!S&&document.activeElement!==document.body)return;let Q=i.current.getBoundingClientRect().top+n*c;Q<Ae?scrollBy(0,Q-Ae-8):Q+c>innerHeight&&scrollBy(0,Q+c-innerHeight+8),i.current.querySelector(`[data-index="${n}"] .row-link`)?.focus({preventScroll:!0})},[n,t[n]?.short_code]);let{pinned:v,fresh:B}=e,I=(m,S)=>ae(m,t,S),d=n>=0&&n<t.length&&(n<f||n>=l)?n:-1,x=e.next?-1:t.length,X=Y(()=>{let m=b=>s`<${rn} key=${t[b].short_code} link=${t[b]} index=${b}
      top=${b*c} size=${x} flash=${t[b].short_code===B}
      isPinned=${v.includes(t[b])} bySheet=${p} boxed=${!p||h}
      chosen=${L.has(t[b].short_code)} onChoose=${I} onRemove=${r}
      shape=${t[b].click_count>0&&_.get(t[b].short_code)} onFocus=${o}
      onDialog=${a} />`,S=[];d>=0&&d<f&&S.push(m(d));for(let b=f;b<l;b++)S.push(m(b));return d>=l&&S.push(m(d)),S},[t,f,l,d,c,p,x,B,_,L,h]);return s`<${zt} rows=${t} />
    <ul class="rows" ref=${i} aria-label="Links" style=${{height:`${t.length*c}px`}}
      data-choosing=${h} aria-busy=${e.phase==="loading"}>
      ${X}
    </ul>`}function sn(e,t,n){let o=O({index:-1,code:""});P(()=>{let{index:a,code:r}=o.current;if(a<=0||!e.current||t[a]?.short_code===r)return;let i=t.findIndex(c=>c.short_code===r);i>=0&&scrollBy(0,(i-a)*n)},[t]),k(()=>{let a=()=>{let r=e.current?Math.ceil((Ae-e.current.getBoundingClientRect().top)/n):-1;o.current={index:r,code:t[r]?.short_code}};return a(),addEventListener("scroll",a,{passive:!0}),()=>removeEventListener("scroll",a)},[t,n])}function zt({rows:e}){let t=$(J).size,n=e&&s`<input type="checkbox" aria-label="Select all links that are shown"
    checked=${t>0&&t>=e.length} indeterminate=${t>0&&t<e.length} onChange=${()=>yt(e)} />`;return s`<div class="row-head"><span class="row-check">${n}</span>
    <span aria-hidden="true">Link</span><span aria-hidden="true">Destination</span>
    <span class="end" aria-hidden="true">Created</span>
    <span aria-hidden="true" title="Clicks a day, each link to its own scale">Last 30 days</span>
    <span class="end" aria-hidden="true">Clicks</span></div>`}function rn({link:e,index:t,top:n,size:o,flash:a,isPinned:r,bySheet:i,boxed:c,chosen:p,shape:f,onFocus:g,onDialog:l,onChoose:_,onRemove:L}){let{short_code:h,original_url:w,title:v,status:B}=e,I=H(w),d=m=>{let S=m.currentTarget.querySelector(".row-link");S.title=`${te(w)}
${je(new Date(e.created_at))}`},x=()=>l({kind:"actions",link:e}),X=m=>{m.pointerType==="touch"&&(m.preventDefault(),m.stopPropagation(),x())};return s`<li class="row" data-index=${t} data-flash=${a} style=${{top:`${n}px`}}
    aria-setsize=${o} aria-posinset=${t+1} onFocusIn=${()=>g(t)}
    onPointerEnter=${d} data-chosen=${p}>
    ${c&&s`<label class="row-check"><input type="checkbox" aria-label=${`Select ${h}`}
      checked=${p} onClick=${m=>_(e,m.shiftKey)} /></label>`}
    <span class="row-code"><a class="row-link mono" href=${`/ui/links/${h}`}
      aria-label=${`View ${h}`} onClick=${()=>{se.code=h}}>${h}</a>
      <${ce} text=${z(h)} label=${`Copy ${U}/${h}`} />
      ${r&&s`<span class="badge">New</span>`}
      ${Re[B]&&s`<span class="state-badge">${Re[B]}</span>`}</span>
    <span class="row-what"><span class="row-text">
      ${v&&s`<span class="row-title">${te(v)}</span>`}
      <span class="row-url"><${de} url=${w} /></span></span>
      <${mt} tags=${e.tags} most=${i?1:2} plain=${i} class="row-tags" /></span>
    ${i?s`<${D} icon="more" class="row-more" label=${`Actions for ${h}`}
        onClick=${x} />`:s`<span class="row-actions" onClickCapture=${X}>
        <${D} icon="qr" label=${`QR code for ${h}`}
          onClick=${()=>l({kind:"qr",link:e})} />
        ${I&&s`<a class="icon-button" href=${I.href} target="_blank"
          rel="noreferrer noopener" aria-label=${`Open destination of ${h}`}
          title="Open destination"><${T} name="open" /></a>`}
        <${D} icon="remove" label=${`Delete ${h}`} onClick=${()=>L(e)} />
      </span>`}
    <time class="row-time quiet" datetime=${e.created_at}>
      ${Qe(new Date(e.created_at))}</time>
    ${f&&s`<svg class="row-recent" viewBox="0 0 90 20" aria-hidden="true">
      <path d=${f} /></svg>`}
    <span class="row-clicks"><span class="unseen">clicks: </span>${ie(e.click_count)}</span>
  </li>`}var qe=({rows:e,bare:t})=>s`${!t&&s`<${zt} />`}
  <div class="rows-skeleton" role="status" aria-label="Loading links">
  ${Array.from({length:e},(n,o)=>s`<div class="row" key=${o}><i class="bone" data-size=${o%3} />
      <i class="bone wide" data-size=${(o+1)%3} /><i class="bone small" /></div>`)}
</div>`;async function Mt({short_code:e}){M(await ne(z(e))?`Copied ${U}/${e}`:"Couldn't copy")}function Ie(e){$e(e)?N(`Deleted ${e.short_code}. Press Z to undo.`):M("Too many deletes at once. Wait ten seconds.")}function Pt(){let{query:e}=$(G),t=$(Le),n=$(oe),o=$(F),a=$(J),[r,i]=y(null),c=e.toString(),p=Y(()=>Lt(e),[c]),f=pt(p),g=Y(()=>{let d=new Set(t.pinned.map(x=>x.short_code));return[...t.pinned,...t.rows.filter(x=>!d.has(x.short_code))].filter(x=>!fe(x.short_code))},[t.rows,t.pinned,n,o]),l=[...a.values()].filter(d=>!fe(d.short_code)),_=t.total-t.rows.filter(d=>fe(d.short_code)).length,[L,h]=an(g,f?se.code:"");P(()=>{document.title="Links · terse",scrollTo(0,Se.y);let d=()=>{Se.y=scrollY};return addEventListener("scroll",d,{passive:!0}),()=>removeEventListener("scroll",d)},[]),cn(Ee),P(()=>{f?Ee():(ft(p),h(-1),Te()),se.href=Oe(p)},[p]),k(()=>He.watch(d=>d==="up"&&Le.get().phase==="error"&&ge()),[]);let w=d=>{g.length&&h(Math.min(g.length-1,Math.max(0,L+d)))},v=d=>x=>g[L]?x.repeat||d(g[L]):!1,B=()=>i(null),I=()=>{Te(),document.querySelector(`.row[data-index="${L}"] .row-link`)?.focus()};return pe({n:q,"/":()=>document.getElementById("search").focus(),j:()=>w(1),k:()=>w(-1),c:v(d=>Mt(d)),q:v(d=>i({kind:"qr",link:d})),e:v(d=>i({kind:"edit",link:d})),x:v(d=>ae(d,g)),Delete:v(Ie),Escape:()=>{if(a.size)return I();document.activeElement.blur(),h(-1)}}),s`<main class="page" id="main">
    <h1 class="unseen">Links</h1>
    <${Bt} onQR=${d=>i({kind:"qr",link:{short_code:d}})} />
    <${Et} query=${p} state=${t} total=${_} />
    <${ln} state=${t} rows=${g} query=${p} active=${L} setActive=${h}
      onDialog=${i} />
    ${l.length>0&&s`<${Ct} links=${l} onClear=${I} />`}
    ${r?.kind==="qr"&&s`<${xt} code=${r.link.short_code} onClose=${B} />`}
    ${r?.kind==="edit"&&s`<${vt} code=${r.link.short_code} onClose=${B} />`}
    ${r?.kind==="actions"&&s`<${hn} link=${r.link} rows=${g} onDialog=${i} />`}
  </main>`}function an(e,t){let[{index:n,code:o},a]=y(()=>({index:e.findIndex(c=>c.short_code===t),code:t})),r=Y(()=>{if(n<0||e[n]?.short_code===o)return n;let c=e.findIndex(p=>p.short_code===o);return c<0?n:c},[e,n,o]),i=c=>a(p=>{let f={index:c,code:e[c]?.short_code??""};return p.index===f.index&&p.code===f.code?p:f});return P(()=>i(r),[r,e]),[r,i]}function cn(e){k(()=>{let t=!1,n=()=>{t=!0},o=()=>{document.hidden?n():t&&(t=!1,e())};return addEventListener("blur",n),addEventListener("focus",o),document.addEventListener("visibilitychange",o),()=>{removeEventListener("blur",n),removeEventListener("focus",o),document.removeEventListener("visibilitychange",o)}},[])}function ln({state:e,rows:t,query:n,...o}){return!e.loaded&&e.phase==="error"?s`<${Xe} title="Couldn't load links"
    message=${e.error.message} onRetry=${ge} />`:e.loaded?t.length===0&&e.phase==="ready"?n.search?s`<${fn} search=${n.search} />`:St(n)?s`<${$n} query=${n} />`:s`<${dn} />`:s`<${It} state=${e} rows=${t} onRemove=${Ie} ...${o} />
    <${un} state=${e} search=${n.search} />`:s`<${qe} rows=${8} />`}function un({state:e,search:t}){return e.phase==="error"?s`<div class="foot" role="alert">
    <p>${e.error.message}</p><button type="button" class="button"
      onClick=${ge}>Try again</button></div>`:e.phase==="paused"?s`<div class="foot">
    <p>${e.rows.length?"No more matches so far.":"No matches yet."}</p>
    <button type="button" class="button" onClick=${me}>Keep searching</button></div>`:dt(e)&&e.next?s`<div class="foot">
    <p>Showing the first ${ie(e.rows.length)}. Search or sort to find others.</p></div>`:e.next||e.phase==="more"?s`<${qe}
    rows=${t&&!e.rows.length?8:3} bare=${!0} />`:null}var dn=()=>s`<div class="state"><h2>No links yet</h2>
  <p>Paste a long URL into the field above and press Enter. The short one is copied.</p>
  <button type="button" class="button" onClick=${Tt}>Try an example</button>
  <p>Or from a terminal:</p>
  <${et} line=${`curl -H "Authorization: Bearer $TERSE_TOKEN" -d '{"original_url":"https://example.com/"}' ${location.origin}/api/urls`} /></div>`,pn=()=>{K("/ui/",{replace:!0}),document.getElementById("search").focus()},fn=({search:e})=>s`<div class="state"><h2>No matches for "${te(e)}"</h2>
  <button type="button" class="button" onClick=${pn}>Clear search</button></div>`,$n=({query:e})=>s`<div class="state"><h2>No links with this filter</h2>
  <a class="button" href=${Oe({...e,tag:[],status:""})}>Remove filter</a></div>`;function hn({link:e,rows:t,onDialog:n}){let{short_code:o,original_url:a}=e,r=()=>n(null),i=H(a),c=()=>J.get().has(o)||ae(e,t);return s`<${ue} label=${`Actions for ${o}`} class="sheet" onClose=${r}>
    <p class="sheet-title"><b class="mono">${U}/${o}</b>
      <span><${de} url=${a} /></span></p>
    <button type="button" class="sheet-item" onClick=${()=>Mt(e).then(r)}>
      <${T} name="copy" />Copy link</button>
    <button type="button" class="sheet-item" onClick=${()=>n({kind:"qr",link:e})}>
      <${T} name="qr" />QR code</button>
    <button type="button" class="sheet-item" onClick=${()=>n({kind:"edit",link:e})}>
      <${T} name="edit" />Edit</button>
    <button type="button" class="sheet-item" onClick=${()=>{r(),c()}}>
      <${T} name="done" />Select</button>
    ${i&&s`<a class="sheet-item" href=${i.href} target="_blank"
      rel="noreferrer noopener" onClick=${r}><${T} name="open" />Open destination</a>`}
    <button type="button" class="sheet-item danger" onClick=${()=>{r(),Ie(e)}}>
      <${T} name="remove" />Delete</button>
    <button type="button" class="sheet-item" onClick=${r}>
      <${T} name="close" />Cancel</button>
  <//>`}var we=it(()=>import("./pages-5M7NPATO.js")),mn=he(we,"LinkPage"),gn=he(we,"Overview"),bn=he(we,"Unknown");addEventListener("pointerover",()=>we().catch(()=>{}),{once:!0});function yn(){let{path:e}=$(G),t=$(Ne),[n,o]=y(!1),a=$(oe);return pe({"?":()=>o(!0),n:()=>{K("/ui/"),requestAnimationFrame(()=>document.getElementById("create-url")?.focus())},"/":()=>{K("/ui/"),requestAnimationFrame(()=>document.getElementById("search")?.focus())},z:()=>a.length?_e():le.get()?.undo?le.get().undo():!1}),vn(e),t==="left"?s`<${Nt} />`:s`<a class="skip" href="#main">Skip to content</a>
    <${wn} path=${e} onHelp=${()=>o(!0)} />
    <${nt} />
    ${We&&s`<aside class="notice" aria-label="Notice">
      Short links start with ${Ye}, the address of this page. Set BASE_URL to your public
      address.</aside>`}
    <${kn} path=${e} />
    <${Cn} />
    ${n&&s`<${_t} onClose=${()=>o(!1)} />`}
    ${t==="out"&&s`<${Nt} />`}
    <p id="said" class="unseen" role="status"></p>`}function vn(e){let t=O(e),n=$(at);k(()=>{let o=document.querySelector("#main h1");t.current===e||!o||(t.current=e,N(document.title.replace(/ · terse$/,"")),document.activeElement===document.body&&(o.tabIndex=-1,o.focus({preventScroll:!0})))},[e,n])}function kn({path:e}){if(e==="/ui/")return s`<${Pt} />`;if(e==="/ui/overview")return s`<${gn} />`;if(e==="/ui/unknown")return s`<${bn} />`;let[,t]=e.match(/^\/ui\/links\/([A-Za-z0-9_-]{3,20})$/)??[];return t?s`<${mn} key=${t} code=${t} />`:s`<main class="page" id="main"><div class="state"><h1>Page not found</h1>
    <p>Check the address.</p><a class="button" href="/ui/">Back to links</a></div></main>`}var Ht=e=>e?"page":void 0,wn=({path:e,onHelp:t})=>s`<header class="top"><div class="top-inner">
  <a class="brand" href="/ui/">terse</a>
  <nav aria-label="Pages">
    <a href="/ui/" aria-current=${e==="/ui/"?"page":e.startsWith("/ui/links/")?"true":void 0}>Links</a>
    <a href="/ui/overview" aria-current=${Ht(e==="/ui/overview")}>Overview</a>
    <a href="/ui/unknown" aria-current=${Ht(e==="/ui/unknown")}>Not found</a>
  </nav>
  <div class="top-end"><${D} icon="help" class="shortcuts"
      label="Keyboard shortcuts" onClick=${t} />
    <${tt} />
    <${D} icon="leave" label="Sign out" onClick=${xn} /></div>
</div></header>`;async function xn(){try{let e=F.get();if(await st(),F.get()!==e)return;await Ke(),location.assign("/ui/")}catch(e){M(`Couldn't sign out: ${e.message}`)}}function Cn(){let e=$(oe),t=$(F),n=$(Ge),o=$(le);return s`<div class="toasts" role="region" aria-label="Messages">
    ${n&&s`<div class="toast">${n}</div>`}
    ${o&&s`<div class="toast"><span>${o.text}</span>
      ${o.undo&&s`<button type="button" class="text-button"
        onClick=${o.undo}>Undo</button>`}</div>`}
    ${t&&s`<div class="toast" role="alert">Couldn't delete ${t.codes.length===1?t.codes[0]:Ce(t.codes.length,"link","links")}: ${t.message}
      <${D} icon="close" label="Close" onClick=${()=>F.set(null)} /></div>`}
    ${e.length>0&&s`<${_n} links=${e} />`}
  </div>`}function _n({links:e}){if(e.length>1)return s`<div class="toast">
    <span>${Ce(e.length,"link","links")} deleted</span>
    <button type="button" class="text-button" onClick=${ot}>Undo all</button></div>`;let[{short_code:t}]=e;return s`<div class="toast"><span>Deleted <b class="mono">${t}</b></span>
    <button type="button" class="text-button" aria-label=${`Undo deleting ${t}`}
      onClick=${_e}>Undo</button></div>`}function Nt(){let[e,t]=y(""),[n,o]=y(""),[a,r]=y(!1),i=O();return k(()=>i.current.focus(),[]),s`<${ue} label="Sign in" class="sign-in"><form onSubmit=${async p=>{if(p.preventDefault(),!a){r(!0),o("");try{await Fe(e.trim())}catch(f){o(f.status===401||f.status===400?"That token isn't valid.":f.message),i.current?.select()}finally{r(!1)}}}}>
    <p class="brand">terse</p><h2>Sign in</h2>
    <input class="unseen" type="text" name="username" autocomplete="username" value="terse" readonly
      tabindex="-1" aria-hidden="true" />
    <label for="token">Access token</label>
    <input id="token" ref=${i} class="field mono" type="password"
      autocomplete="current-password" required value=${e}
      onInput=${p=>{t(p.target.value),o("")}}
      aria-invalid=${!!n}
      aria-describedby=${n?"token-problem":"token-hint"} />
    ${n?s`<p id="token-problem" class="problem" role="alert">${n}</p>`:s`<p id="token-hint" class="hint">
        The token printed when the server first started, or one from AUTH_TOKENS. Lost it?
        Run <code class="mono">terse token</code>.</p>`}
    <button class="button primary" aria-busy=${a}>Sign in</button>
  </form><//>`}Pe(s`<${yn} />`,document.getElementById("app"));
