import{a as J,b as bt,c as Te,d as ie,e as yt}from"./chunk-2GG2CE6D.js";import{a as vt,b as kt,c as j,d as Be,e as wt,f as xt,g as Ct,h as _t,i as Lt,j as Oe,k as St,l as Et}from"./chunk-2M27JZCI.js";import{a as tt,b as nt}from"./chunk-ON7KGI4Y.js";import{a as at,b as it,c as me}from"./chunk-ZZGKPRYP.js";import{e as gt,f as Re}from"./chunk-TULNJS2H.js";import{a as V,b as U,c as ye,d as ve,e as re}from"./chunk-SMXCTX52.js";import{b as oe,c as F,d as $e,e as he,f as Ce,g as ot,h as st,i as rt}from"./chunk-LVW5UB23.js";import{a as Z,b as Ee,c as ae,e as ht}from"./chunk-PNWE3WK5.js";import{a as Ne,b as we,d as Fe,e as Ke,h as lt,i as ut,j as _e,k as dt,l as Le,m as se,n as pt,o as ft,p as ge,q as be,r as Se,s as $t,y as mt}from"./chunk-ECZEFQF6.js";import{a as He}from"./chunk-7FXM3Z4H.js";import{a as G,b as ct,c as K}from"./chunk-OY4QQMVY.js";import{A as We,B as Ye,C as z,D as A,E as T,F as D,G as ne,H as le,I as Ge,J as M,K as ue,L as Ve,M as Ze,N,P as de,R as pe,T as Je,U as Xe,V as et,X as fe,a as Pe,b as y,c as k,d as P,e as O,f as Y,h as $,i as o,k as ce,l as xe,n as je,q as Qe,w as H,x as te}from"./chunk-EIQ3LMFE.js";var Kt=200,Rt=5*1024*1024,jt="Not created: can't reach the server. Your text is kept.",q=()=>document.getElementById("create-url")?.focus();function Tt(){U({url:"https://example.com/"}),q()}var C=e=>re.get()?M(e):ve.set(e);function Bt({onQR:e}){let[t,n]=y(!1);k(()=>{Qt().catch(()=>{});let r=({target:l})=>l.closest?.("input, textarea, dialog")||document.querySelector("dialog[open]"),a=l=>{!r(l)&&De(l.clipboardData.getData("text"),!1)&&l.preventDefault()},i=l=>l.dataTransfer?.types.includes("Files")&&!document.querySelector("dialog[open]"),g={paste:a,dragover:l=>{i(l)&&l.preventDefault(),n(i(l))},dragleave:l=>l.relatedTarget||n(!1),drop:l=>{n(!1),i(l)&&(l.preventDefault(),Ut(l.dataTransfer.files[0]))}};for(let[l,_]of Object.entries(g))addEventListener(l,_);return()=>{for(let[l,_]of Object.entries(g))removeEventListener(l,_)}},[]);let s=$(re);return o`<div class="create-card" data-dropping=${t}>
    ${s?o`<${wt} />`:o`<${Jt} onQR=${e} />`}</div>`}async function Qt(){let{path:e,query:t}=G.get(),[n,s,r]=["url","title","code"].map(p=>t.get(p)?.trim()??"");if(e!=="/ui/"||!(n||s||r))return;(n||s)&&U({url:n}),U({isOpen:!0}),K("/ui/",{replace:!0}),q();let{draftOf:a}=await j(),i=V.get().options??a(),c=n||s?a({title:[...s].slice(0,200).join("")}):i;U({options:{...c,short_code:r||i.short_code}})}function De(e,t){let n=e.trim();if(ve.set(""),e.length>Rt)C("That's too much text. At most 5 MB can be read.");else if(/[\t\r\n]/.test(n)||Ee(n).length)Ot(e,t);else if(t&&/\s/.test(n))Dt(n);else if(!t&&!re.get()&&/^https?:\/\//i.test(n)&&H(n))U({url:n.replace(/\s+/g," ")}),C(ae(n)),q();else return!1;return!0}async function Ot(e,t){try{let{propose:n,noURL:s}=await Be(),r=n(e);r&&r!==s?C(r):r&&t&&Dt(e)}catch{C("Couldn't read the list: can't reach the server. Paste it again in a moment.")}}async function Wt(e){await Ot(e,!1),re.get()&&U({url:""})}function Dt(e){document.execCommand("insertText",!1,e.trim().replace(/\s+/g," ")),C(ae(e.trim()))}async function Ut(e){if(e){if(e.size>Rt){let t=Math.ceil(e.size/1024/1024*10)/10;return C(`That file has ${t} MB. At most 5 MB can be read.`)}try{let{propose:t,decode:n}=await Be(),s=t(n(await e.arrayBuffer()));s&&C(s)}catch{C("Couldn't read the file.")}}}async function At(e,t){try{let n=[...e].slice(0,Kt).join(""),{urls:s}=await we("GET",ct("/api/urls",{search:n,limit:20}),{signal:t});return s.filter(r=>r.original_url===e&&!gt(r)).map(r=>r.short_code)}catch{return[]}}function Yt(e){let[t,n]=y({url:"",code:""});return k(()=>{if(!H(e)||ae(e))return;let s=new AbortController,r=setTimeout(async()=>{let[a=""]=await At(e,s.signal);s.signal.aborted||n({url:e,code:a})},200);return()=>{clearTimeout(r),s.abort()}},[e]),t.url===e?t.code:""}async function Gt(e,t){if(!t)return{original_url:Z(e)};let{fieldsOf:n}=await j(),s=Object.entries(n({...t,original_url:e}));return Object.fromEntries(s.filter(([,r])=>r!==null))}async function Vt(e,t){if(!t)return{};let{problemsOf:n}=await j(),{original_url:s,...r}=n({...t,original_url:e});return r}async function Zt(e){let t=we("POST","/api/urls",{body:e}),n=ne(t.then(r=>z(r.short_code))).catch(()=>!1),s=await t;return rt(s.short_code),$t({...s,created_at:new Date().toISOString(),click_count:0}),{...s,copied:await n}}function Jt({onQR:e}){let{url:t,options:n,isOpen:s}=$(V),r=$(ve),[a,i]=y({}),[c,p]=y(null),[f,g]=y(""),l=O(!1),[_,L]=y(!1),h=O(),w=Yt(Z(t)),v=s||t!=="";k(()=>{if(!v||n)return;let u=({draftOf:E})=>V.get().options||U({options:E()});j().then(u,()=>{})},[v,n]);let B=u=>{U({url:u}),C(""),p(null)},I=({original_url:u,...E})=>{i({}),u!==t&&B(u),U({options:E,isOpen:!0})},d=u=>{i(u),Je(h.current)},x=async u=>{if(u.preventDefault(),l.current)return;if(!t.trim())return q();if(Ee(t).length)return Wt(t);let E=ae(Z(t));if(E)return C(E);l.current=!0,L(!0),C("");try{let R=await Vt(t,n);if(Object.keys(R).length)return d(R);await X(await Gt(t,n))}catch(R){await m(R)}finally{l.current=!1,L(!1)}},X=async u=>{let E=w||At(u.original_url,AbortSignal.timeout(5e3)),R=await Zt(u);ye(),i({}),scrollTo(0,0);let W=f===u.original_url?"":w;if(p({...R,existing:W}),N(`${A}/${R.short_code} ${R.copied?"copied":"created"}`),q(),w)return;let Me=(await E).find(ee=>ee!==R.short_code);Me&&p(ee=>ee?.short_code===R.short_code?{...ee,existing:Me}:ee)},m=async u=>{if(!u.status)return C(jt);let{refusalOf:E,draftOf:R}=await j(),W=E(u,{...n??R(),original_url:t});if(W&&!W.original_url)return d(W);C(W?ht(t,u.message):u.message)},S=()=>{let u=V.get();ye(),i({}),C(""),q(),(u.url||u.options)&&Ve("Cleared",()=>{V.set(u)})},b=async u=>{let E=await ne(z(u))?"Copied":"Use";c?he(c):ye(),p(null),M(`${E} ${A}/${u}`),q()},Q=()=>{g(Z(t)),c&&p({...c,existing:""}),q()},ze=c?c.existing:f===Z(t)?"":w;return o`<form ref=${h} class="create" onSubmit=${x} novalidate
    aria-label="Shorten a URL">
    <div class="create-line">
      <input id="create-url" class="field mono" type="text" inputmode="url" autocomplete="off"
        autocapitalize="off" spellcheck=${!1} aria-label="Long URL"
        placeholder="Paste a long URL" value=${t} onInput=${u=>B(u.target.value)}
        onPaste=${u=>De(u.clipboardData.getData("text"),!0)&&u.preventDefault()}
        onDrop=${u=>De(u.dataTransfer.getData("text"),!0)&&u.preventDefault()}
        onKeyDown=${u=>u.key==="Escape"&&u.target.blur()}
        onFocus=${()=>j().catch(()=>{})}
        aria-invalid=${!!r}
        aria-describedby=${r?"create-problem":void 0} />
      ${!v&&o`<${Xt} onOpen=${()=>U({isOpen:!0})} />`}
    </div>
    <${Ze} text=${t} />
    ${(v||r||c)&&o`<div class="create-note">${Ft()}</div>`}
    ${v&&o`<div class="form create-form">
      ${n&&o`<${kt} id="new" isNew=${!0} draft=${{...n,original_url:t}}
        onChange=${I} problems=${a} />`}
      <div class="form-end"><button type="button" class="button" onClick=${S}>Cancel</button>
        <button class="button primary" aria-busy=${_}>Shorten</button></div></div>`}
  </form>`;function Ft(){return r?o`<p id="create-problem" class="problem" role="alert">${r}</p>`:o`${c&&o`<${en} link=${c} onQR=${e} />`}
      ${ze?o`<${tn} code=${ze} isOld=${!!c} onUse=${b}
            onKeep=${Q} />`:!c&&o`<p class="hint">Enter shortens it and copies the short URL.</p>`}`}}function Xt({onOpen:e}){let t=O();return o`<input ref=${t} type="file" hidden accept=".csv,.tsv,.txt,text/csv,text/plain"
      aria-label="CSV file" onChange=${s=>{Ut(s.target.files[0]),s.target.value=""}} />
    <${D} icon="upload" label="Shorten a list from a CSV file"
      onClick=${()=>t.current.click()} />
    <button type="button" class="text-button" aria-expanded="false"
      onClick=${e}>Options</button>`}var en=({link:{short_code:e,copied:t},onQR:n})=>o`<p class="made">
  <${T} name="done" /><a class="mono" href=${`/ui/links/${e}`}>${A}/${e}</a>
  <span class="quiet">${t?"Copied":"Created"}</span>
  ${!t&&o`<${le} text=${z(e)} label="Copy the short URL" />`}
  <${D} icon="qr" label="QR code for the new link" onClick=${()=>n(e)} /></p>`;function tn({code:e,isOld:t,onUse:n,onKeep:s}){let r=`${A}/${e}`,a=t?"had":"have";return k(()=>N(`You already ${a} ${r} for this URL`),[e]),o`<p class="known"><span>You ${" "}<span
    class="known-why">already </span>${a}${" "}
    <a class="mono" href=${`/ui/links/${e}`}>${r}</a><span class="known-why">${" "}
    for this URL</span></span>
    <button type="button" class="text-button" onClick=${()=>n(e)}>Use it</button>
    <button type="button" class="text-button" onClick=${s}>Keep both</button></p>`}var nn=matchMedia("(max-width: 720px)"),Ue=matchMedia("(hover: none), (pointer: coarse), (max-width: 720px)"),on=()=>nn.matches?68:48,qt=4,Ae=56;function sn(e,t){let n=()=>{let a=on(),i=Ue.matches,c=e.current?-e.current.getBoundingClientRect().top:0,p=Math.max(0,Math.floor(c/a)-qt);return{height:a,bySheet:i,first:p-p%4,size:Math.ceil(innerHeight/a)+2*qt+4}},[s,r]=y(n);return k(()=>{let a=()=>r(i=>{let c=n();return c.first===i.first&&c.size===i.size&&c.height===i.height&&c.bySheet===i.bySheet?i:c});return e.current&&a(),addEventListener("scroll",a,{passive:!0}),addEventListener("resize",a),Ue.addEventListener("change",a),()=>{Ue.removeEventListener("change",a),removeEventListener("scroll",a),removeEventListener("resize",a)}},[t===0]),s}function It({state:e,rows:t,active:n,setActive:s,onDialog:r,onRemove:a}){let i=O(),{height:c,bySheet:p,first:f,size:g}=sn(i,t.length),l=Math.min(t.length,f+g);k(()=>{e.phase==="ready"&&l>t.length-40&&ge()},[l,t.length,e.phase]),rn(i,t,c);let _=$(lt),L=$(J),h=$(bt);k(()=>ut(t.slice(f,l)),[f,l,t,_]);let w=O({active:n,code:""});P(()=>{let m=t[n]?.short_code,S=w.current.active!==n,b=w.current.code===m;if(w.current={active:n,code:m},b||n<0||!i.current||i.current.querySelector(":focus")?.closest(`[data-index="${n}"]`)||!S&&document.activeElement!==document.body)return;let Q=i.current.getBoundingClientRect().top+n*c;Q<Ae?scrollBy(0,Q-Ae-8):Q+c>innerHeight&&scrollBy(0,Q+c-innerHeight+8),i.current.querySelector(`[data-index="${n}"] .row-link`)?.focus({preventScroll:!0})},[n,t[n]?.short_code]);let{pinned:v,fresh:B}=e,I=(m,S)=>ie(m,t,S),d=n>=0&&n<t.length&&(n<f||n>=l)?n:-1,x=e.next?-1:t.length,X=Y(()=>{let m=b=>o`<${an} key=${t[b].short_code} link=${t[b]} index=${b}
      top=${b*c} size=${x} flash=${t[b].short_code===B}
      isPinned=${v.includes(t[b])} bySheet=${p} boxed=${!p||h}
      chosen=${L.has(t[b].short_code)} onChoose=${I} onRemove=${a}
      shape=${t[b].click_count>0&&_.get(t[b].short_code)} onFocus=${s}
      onDialog=${r} />`,S=[];d>=0&&d<f&&S.push(m(d));for(let b=f;b<l;b++)S.push(m(b));return d>=l&&S.push(m(d)),S},[t,f,l,d,c,p,x,B,_,L,h]);return o`<${zt} rows=${t} />
    <ul class="rows" ref=${i} aria-label="Links" style=${{height:`${t.length*c}px`}}
      data-choosing=${h} aria-busy=${e.phase==="loading"}>
      ${X}
    </ul>`}function rn(e,t,n){let s=O({index:-1,code:""});P(()=>{let{index:r,code:a}=s.current;if(r<=0||!e.current||t[r]?.short_code===a)return;let i=t.findIndex(c=>c.short_code===a);i>=0&&scrollBy(0,(i-r)*n)},[t]),k(()=>{let r=()=>{let a=e.current?Math.ceil((Ae-e.current.getBoundingClientRect().top)/n):-1;s.current={index:a,code:t[a]?.short_code}};return r(),addEventListener("scroll",r,{passive:!0}),()=>removeEventListener("scroll",r)},[t,n])}function zt({rows:e}){let t=$(J).size,n=e&&o`<input type="checkbox" aria-label="Select all links that are shown"
    checked=${t>0&&t>=e.length} indeterminate=${t>0&&t<e.length} onChange=${()=>yt(e)} />`;return o`<div class="row-head"><span class="row-check">${n}</span>
    <span aria-hidden="true">Link</span><span aria-hidden="true">Destination</span>
    <span class="end" aria-hidden="true">Created</span>
    <span aria-hidden="true" title="Clicks a day, each link to its own scale">Last 30 days</span>
    <span class="end" aria-hidden="true">Clicks</span></div>`}function an({link:e,index:t,top:n,size:s,flash:r,isPinned:a,bySheet:i,boxed:c,chosen:p,shape:f,onFocus:g,onDialog:l,onChoose:_,onRemove:L}){let{short_code:h,original_url:w,title:v,status:B}=e,I=H(w),d=m=>{let S=m.currentTarget.querySelector(".row-link");S.title=`${te(w)}
${je(new Date(e.created_at))}`},x=()=>l({kind:"actions",link:e}),X=m=>{m.pointerType==="touch"&&(m.preventDefault(),m.stopPropagation(),x())};return o`<li class="row" data-index=${t} data-flash=${r} style=${{top:`${n}px`}}
    aria-setsize=${s} aria-posinset=${t+1} onFocusIn=${()=>g(t)}
    onPointerEnter=${d} data-chosen=${p}>
    ${c&&o`<label class="row-check"><input type="checkbox" aria-label=${`Select ${h}`}
      checked=${p} onClick=${m=>_(e,m.shiftKey)} /></label>`}
    <span class="row-code"><a class="row-link mono" href=${`/ui/links/${h}`}
      aria-label=${`View ${h}`} onClick=${()=>{se.code=h}}>${h}</a>
      <${le} text=${z(h)} label=${`Copy ${A}/${h}`} />
      ${a&&o`<span class="badge">New</span>`}
      ${Re[B]&&o`<span class="state-badge">${Re[B]}</span>`}</span>
    <span class="row-what"><span class="row-text">
      ${v&&o`<span class="row-title">${te(v)}</span>`}
      <span class="row-url"><${pe} url=${w} /></span></span>
      <${mt} tags=${e.tags} most=${i?1:2} plain=${i} class="row-tags" /></span>
    ${i?o`<${D} icon="more" class="row-more" label=${`Actions for ${h}`}
        onClick=${x} />`:o`<span class="row-actions" onClickCapture=${X}>
        <${D} icon="qr" label=${`QR code for ${h}`}
          onClick=${()=>l({kind:"qr",link:e})} />
        ${I&&o`<a class="icon-button" href=${I.href} target="_blank"
          rel="noreferrer noopener" aria-label=${`Open destination of ${h}`}
          title="Open destination"><${T} name="open" /></a>`}
        <${D} icon="remove" label=${`Delete ${h}`} onClick=${()=>L(e)} />
      </span>`}
    <time class="row-time quiet" datetime=${e.created_at}>
      ${Qe(new Date(e.created_at))}</time>
    ${f&&o`<svg class="row-recent" viewBox="0 0 90 20" aria-hidden="true">
      <path d=${f} /></svg>`}
    <span class="row-clicks"><span class="unseen">clicks: </span>${ce(e.click_count)}</span>
  </li>`}var qe=({rows:e,bare:t})=>o`${!t&&o`<${zt} />`}
  <div class="rows-skeleton" role="status" aria-label="Loading links">
  ${Array.from({length:e},(n,s)=>o`<div class="row" key=${s}><i class="bone" data-size=${s%3} />
      <i class="bone wide" data-size=${(s+1)%3} /><i class="bone small" /></div>`)}
</div>`;async function Mt({short_code:e}){M(await ne(z(e))?`Copied ${A}/${e}`:"Couldn't copy")}function Ie(e){he(e)?N(`Deleted ${e.short_code}. Press Z to undo.`):M("Too many deletes at once. Wait ten seconds.")}function Pt(){let{query:e}=$(G),t=$(_e),n=$(oe),s=$(F),r=$(J),[a,i]=y(null),c=e.toString(),p=Y(()=>Lt(e),[c]),f=pt(p),g=Y(()=>{let d=new Set(t.pinned.map(x=>x.short_code));return[...t.pinned,...t.rows.filter(x=>!d.has(x.short_code))].filter(x=>!$e(x.short_code))},[t.rows,t.pinned,n,s]),l=[...r.values()].filter(d=>!$e(d.short_code)),_=t.total-t.rows.filter(d=>$e(d.short_code)).length,[L,h]=cn(g,f?se.code:"");P(()=>{document.title="Links · terse",scrollTo(0,Le.y);let d=()=>{Le.y=scrollY};return addEventListener("scroll",d,{passive:!0}),()=>removeEventListener("scroll",d)},[]),ln(Se),P(()=>{f?Se():(ft(p),h(-1),Te()),se.href=Oe(p)},[p]),k(()=>He.watch(d=>d==="up"&&_e.get().phase==="error"&&be()),[]);let w=d=>{g.length&&h(Math.min(g.length-1,Math.max(0,L+d)))},v=d=>x=>g[L]?x.repeat||d(g[L]):!1,B=()=>i(null),I=()=>{Te(),document.querySelector(`.row[data-index="${L}"] .row-link`)?.focus()};return fe({n:q,"/":()=>document.getElementById("search").focus(),j:()=>w(1),k:()=>w(-1),c:v(d=>Mt(d)),q:v(d=>i({kind:"qr",link:d})),e:v(d=>i({kind:"edit",link:d})),x:v(d=>ie(d,g)),Delete:v(Ie),Escape:()=>{if(r.size)return I();document.activeElement.blur(),h(-1)}}),o`<main class="page" id="main">
    <h1 class="unseen">Links</h1>
    <${Bt} onQR=${d=>i({kind:"qr",link:{short_code:d}})} />
    <${Et} query=${p} state=${t} total=${_} />
    <${un} state=${t} rows=${g} query=${p} active=${L} setActive=${h}
      onDialog=${i} />
    ${l.length>0&&o`<${Ct} links=${l} onClear=${I} />`}
    ${a?.kind==="qr"&&o`<${xt} code=${a.link.short_code} onClose=${B} />`}
    ${a?.kind==="edit"&&o`<${vt} code=${a.link.short_code} onClose=${B} />`}
    ${a?.kind==="actions"&&o`<${mn} link=${a.link} rows=${g} onDialog=${i} />`}
  </main>`}function cn(e,t){let[{index:n,code:s},r]=y(()=>({index:e.findIndex(c=>c.short_code===t),code:t})),a=Y(()=>{if(n<0||e[n]?.short_code===s)return n;let c=e.findIndex(p=>p.short_code===s);return c<0?n:c},[e,n,s]),i=c=>r(p=>{let f={index:c,code:e[c]?.short_code??""};return p.index===f.index&&p.code===f.code?p:f});return P(()=>i(a),[a,e]),[a,i]}function ln(e){k(()=>{let t=!1,n=()=>{t=!0},s=()=>{document.hidden?n():t&&(t=!1,e())};return addEventListener("blur",n),addEventListener("focus",s),document.addEventListener("visibilitychange",s),()=>{removeEventListener("blur",n),removeEventListener("focus",s),document.removeEventListener("visibilitychange",s)}},[])}function un({state:e,rows:t,query:n,...s}){return!e.loaded&&e.phase==="error"?o`<${Xe} title="Couldn't load links"
    message=${e.error.message} onRetry=${be} />`:e.loaded?t.length===0&&e.phase==="ready"?n.search?o`<${$n} search=${n.search} />`:St(n)?o`<${hn} query=${n} />`:o`<${pn} />`:o`<${It} state=${e} rows=${t} onRemove=${Ie} ...${s} />
    <${dn} state=${e} search=${n.search} />`:o`<${qe} rows=${8} />`}function dn({state:e,search:t}){return e.phase==="error"?o`<div class="foot" role="alert">
    <p>${e.error.message}</p><button type="button" class="button"
      onClick=${be}>Try again</button></div>`:e.phase==="paused"?o`<div class="foot">
    <p>${e.rows.length?"No more matches so far.":"No matches yet."}</p>
    <button type="button" class="button" onClick=${ge}>Keep searching</button></div>`:dt(e)&&e.next?o`<div class="foot">
    <p>Showing the first ${ce(e.rows.length)}. Search or sort to find others.</p></div>`:e.next||e.phase==="more"?o`<${qe}
    rows=${t&&!e.rows.length?8:3} bare=${!0} />`:null}var pn=()=>o`<div class="state"><h2>No links yet</h2>
  <p>Paste a long URL into the field above and press Enter. The short one is copied.</p>
  <button type="button" class="button" onClick=${Tt}>Try an example</button>
  <p>Or from a terminal:</p>
  <${et} line=${`curl -H "Authorization: Bearer $TERSE_TOKEN" -d '{"original_url":"https://example.com/"}' ${location.origin}/api/urls`} /></div>`,fn=()=>{K("/ui/",{replace:!0}),document.getElementById("search").focus()},$n=({search:e})=>o`<div class="state"><h2>No matches for "${te(e)}"</h2>
  <button type="button" class="button" onClick=${fn}>Clear search</button></div>`,hn=({query:e})=>o`<div class="state"><h2>No links with this filter</h2>
  <a class="button" href=${Oe({...e,tag:[],status:""})}>Remove filter</a></div>`;function mn({link:e,rows:t,onDialog:n}){let{short_code:s,original_url:r}=e,a=()=>n(null),i=H(r),c=()=>J.get().has(s)||ie(e,t);return o`<${de} label=${`Actions for ${s}`} class="sheet" onClose=${a}>
    <p class="sheet-title"><b class="mono">${A}/${s}</b>
      <span><${pe} url=${r} /></span></p>
    <button type="button" class="sheet-item" onClick=${()=>Mt(e).then(a)}>
      <${T} name="copy" />Copy link</button>
    <button type="button" class="sheet-item" onClick=${()=>n({kind:"qr",link:e})}>
      <${T} name="qr" />QR code</button>
    <button type="button" class="sheet-item" onClick=${()=>n({kind:"edit",link:e})}>
      <${T} name="edit" />Edit</button>
    <button type="button" class="sheet-item" onClick=${()=>{a(),c()}}>
      <${T} name="done" />Select</button>
    ${i&&o`<a class="sheet-item" href=${i.href} target="_blank"
      rel="noreferrer noopener" onClick=${a}><${T} name="open" />Open destination</a>`}
    <button type="button" class="sheet-item danger" onClick=${()=>{a(),Ie(e)}}>
      <${T} name="remove" />Delete</button>
    <button type="button" class="sheet-item" onClick=${a}>
      <${T} name="close" />Cancel</button>
  <//>`}var ke=it(()=>import("./pages-FUKY7S6M.js")),gn=me(ke,"LinkPage"),bn=me(ke,"Overview"),yn=me(ke,"Unknown");addEventListener("pointerover",()=>ke().catch(()=>{}),{once:!0});function vn(){let{path:e}=$(G),t=$(Ne),[n,s]=y(!1),r=$(oe);return fe({"?":()=>s(!0),n:()=>{K("/ui/"),requestAnimationFrame(()=>document.getElementById("create-url")?.focus())},"/":()=>{K("/ui/"),requestAnimationFrame(()=>document.getElementById("search")?.focus())},z:()=>r.length?Ce():ue.get()?.undo?ue.get().undo():!1}),kn(e),t==="left"?o`<${Nt} />`:o`<a class="skip" href="#main">Skip to content</a>
    <${xn} path=${e} onHelp=${()=>s(!0)} />
    <${nt} />
    ${We&&o`<aside class="notice" aria-label="Notice">
      Short links start with ${Ye}, the address of this page. Set BASE_URL to your public
      address.</aside>`}
    <${wn} path=${e} />
    <${_n} />
    ${n&&o`<${_t} onClose=${()=>s(!1)} />`}
    ${t==="out"&&o`<${Nt} />`}
    <p id="said" class="unseen" role="status"></p>`}function kn(e){let t=O(e),n=$(at);k(()=>{let s=document.querySelector("#main h1");t.current===e||!s||(t.current=e,N(document.title.replace(/ · terse$/,"")),document.activeElement===document.body&&(s.tabIndex=-1,s.focus({preventScroll:!0})))},[e,n])}function wn({path:e}){if(e==="/ui/")return o`<${Pt} />`;if(e==="/ui/overview")return o`<${bn} />`;if(e==="/ui/unknown")return o`<${yn} />`;let[,t]=e.match(/^\/ui\/links\/([A-Za-z0-9_-]{3,20})$/)??[];return t?o`<${gn} key=${t} code=${t} />`:o`<main class="page" id="main"><div class="state"><h1>Page not found</h1>
    <p>Check the address.</p><a class="button" href="/ui/">Back to links</a></div></main>`}var Ht=e=>e?"page":void 0,xn=({path:e,onHelp:t})=>o`<header class="top"><div class="top-inner">
  <a class="brand" href="/ui/">terse</a>
  <nav aria-label="Pages">
    <a href="/ui/" aria-current=${e==="/ui/"?"page":e.startsWith("/ui/links/")?"true":void 0}>Links</a>
    <a href="/ui/overview" aria-current=${Ht(e==="/ui/overview")}>Overview</a>
    <a href="/ui/unknown" aria-current=${Ht(e==="/ui/unknown")}>Not found</a>
  </nav>
  <div class="top-end"><${D} icon="help" class="shortcuts"
      label="Keyboard shortcuts" onClick=${t} />
    <${tt} />
    <${D} icon="leave" label="Sign out" onClick=${Cn} /></div>
</div></header>`;async function Cn(){try{let e=F.get();if(await st(),F.get()!==e)return;await Ke(),location.assign("/ui/")}catch(e){M(`Couldn't sign out: ${e.message}`)}}function _n(){let e=$(oe),t=$(F),n=$(Ge),s=$(ue);return o`<div class="toasts" role="region" aria-label="Messages">
    ${n&&o`<div class="toast">${n}</div>`}
    ${s&&o`<div class="toast"><span>${s.text}</span>
      ${s.undo&&o`<button type="button" class="text-button"
        onClick=${s.undo}>Undo</button>`}</div>`}
    ${t&&o`<div class="toast" role="alert">Couldn't delete ${t.codes.length===1?t.codes[0]:xe(t.codes.length,"link","links")}: ${t.message}
      <${D} icon="close" label="Close" onClick=${()=>F.set(null)} /></div>`}
    ${e.length>0&&o`<${Ln} links=${e} />`}
  </div>`}function Ln({links:e}){if(e.length>1)return o`<div class="toast">
    <span>${xe(e.length,"link","links")} deleted</span>
    <button type="button" class="text-button" onClick=${ot}>Undo all</button></div>`;let[{short_code:t}]=e;return o`<div class="toast"><span>Deleted <b class="mono">${t}</b></span>
    <button type="button" class="text-button" aria-label=${`Undo deleting ${t}`}
      onClick=${Ce}>Undo</button></div>`}function Nt(){let[e,t]=y(""),[n,s]=y(""),[r,a]=y(!1),i=O();return k(()=>i.current.focus(),[]),o`<${de} label="Sign in" class="sign-in"><form onSubmit=${async p=>{if(p.preventDefault(),!r){a(!0),s("");try{await Fe(e.trim())}catch(f){s(f.status===401||f.status===400?"That token isn't valid.":f.message),i.current?.select()}finally{a(!1)}}}}>
    <p class="brand">terse</p><h2>Sign in</h2>
    <input class="unseen" type="text" name="username" autocomplete="username" value="terse" readonly
      tabindex="-1" aria-hidden="true" />
    <label for="token">Access token</label>
    <input id="token" ref=${i} class="field mono" type="password"
      autocomplete="current-password" required value=${e}
      onInput=${p=>{t(p.target.value),s("")}}
      aria-invalid=${!!n}
      aria-describedby=${n?"token-problem":"token-hint"} />
    ${n?o`<p id="token-problem" class="problem" role="alert">${n}</p>`:o`<p id="token-hint" class="hint">
        The token printed when the server first started, or one from AUTH_TOKENS. Lost it?
        Run <code class="mono">terse token</code>.</p>`}
    <button class="button primary" aria-busy=${r}>Sign in</button>
  </form><//>`}Pe(o`<${vn} />`,document.getElementById("app"));
