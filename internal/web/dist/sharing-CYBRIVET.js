import{a as X}from"./chunk-IUNPIDLM.js";import"./chunk-UW6BMVCC.js";import{B as F,D as q,G as K,H as L,Z as W,a as u,aa as H,b as x,c as I,d as N,da as y,fa as a,fb as M,ga as S,gb as Q,ha as _,hb as U,ib as V,k as B,ka as J,la as R,oa as G,oc as A,pa as j,pc as Y,qa as C,qc as Z,ra as T,rc as ee,ta as m,tc as te,va as z,w as v}from"./chunk-ZPSD5QKT.js";var ne=["title","expires_at","password"];async function le(e,s,t){let{shares:n}=await y("GET",W("/api/shares",s),{signal:t});return n.find(r=>Y(r,e))??null}function ie(e,s,t){let[n,r]=u(t),[d,o]=u("");return x(()=>{if(t)return;let i=new AbortController;return le(e,s,i.signal).then(r,l=>H(l)||o(l.message)),()=>i.abort()},[]),[n,d,r]}var de=e=>e?M(Date.parse(e)):"",k=e=>({title:e?.title??"",expires_at:de(e?.expires_at),password:null});function pe({title:e,expires_at:s,password:t},n){let r=k(n);return{...e.trim()!==r.title&&{title:e.trim()||null},...s!==r.expires_at&&{expires_at:s?new Date(Q(s)).toISOString():null},...t!==null&&{password:t||null}}}function Ae({what:e,owner:s="",share:t,stops:n=!1,onClose:r,onChange:d}){let[o,i,l]=ie(e,s,t),[p,c]=u(n),f=$=>{l($),d?.($)};return p?a`<${he} key="stop" what=${e} owner=${s}
      name=${te({...e,title:o?.title})}
      onClose=${()=>n?r():c(!1)} onDone=${()=>{r(),f(null)}} />`:a`<${C} key="share" label="Share statistics" class="sharing ask"
    onClose=${r}>
    <${T} onClose=${r}>Share statistics<//>
    <${ce} what=${e} owner=${s} />
    ${i&&a`<p class="problem" role="alert">${i}</p>`}
    ${o===void 0?!i&&a`<div class="sharing-bone" role="status" aria-label="Loading"></div>`:a`<${ue} what=${e} owner=${s} share=${o}
        onTaken=${f} onStop=${()=>c(!0)} onClose=${r} />`}
  <//>`}var ce=({what:{short_code:e,tag:s},owner:t})=>e?a`<p>A page with the clicks of <b class="mono">${F}/${e}</b>, for people without
      a token. Whoever has its address sees the link's title and its clicks, but not where it leads,
      and no note, tag or full referrer.</p>`:a`<p>A page with the clicks of all ${t?"":"your "}links${t&&a` of <b><bdi>${v(t)}</bdi></b>`}${s&&a` tagged <b><bdi>${v(s)}</bdi></b>`}, for people without a token.
      Whoever has its address sees the clicks of all together, and code and title of the links
      clicked most, but not where they lead, and no note or full referrer.</p>`;function ue({what:e,owner:s,share:t,onTaken:n,onStop:r,onClose:d}){let[o,i]=u(()=>k(t)),[l,p]=u({}),[c,f]=u(!1),$=N();I(()=>j($.current),[t?.url]);let g=h=>b=>{i(w=>({...w,[h]:b})),p({})},D=h=>{p(h),z($.current)},P=JSON.stringify(o)!==JSON.stringify(k(t)),se=async h=>{if(h.preventDefault(),!c){if(t&&!P)return d();if(o.expires_at&&!U(o.expires_at))return D({expires_at:V()});f(!0),p({});try{let b=pe(o,t),w=A(e,s),E=await y(t?"PATCH":"POST",w,{body:b});i(k(E)),n(E),G(t?"Saved":"Shared")}catch(b){b.field==="share"&&n(null),D({[ne.includes(b.field)?b.field:"other"]:b.message})}finally{f(!1)}}},{tag:ae,short_code:re}=e,oe={draft:o,set:g,problems:l};return a`<form ref=${$} onSubmit=${se} novalidate>
    ${t&&a`<${$e} url=${Z(t.url)} />`}
    ${t&&ee(t)?a`<p class="share-over" role="status"><${S} name="clock" /><span>Ended${" "}
          ${B(Date.parse(t.expires_at))}. A later end, or none, opens the same address
          again.</span></p>`:!t&&a`<p class="quiet share-none">Not shared.</p>`}
    <label for="share-title">Title</label>
    <input id="share-title" class="field" autocomplete="off" value=${o.title}
      placeholder=${ae??(re?"That of the link":"Overview")} maxlength="200"
      onInput=${h=>g("title")(h.target.value)} ...${O("share-title",l.title)} />
    <${m} id="share-title" text=${l.title} />
    <label for="share-end">Ends</label>
    <div class="form-line"><${X} id="share-end" fresh="23:59" placeholder="Never"
        value=${o.expires_at} onChange=${g("expires_at")}
        ...${O("share-end",l.expires_at)} />
      ${o.expires_at&&a`<${_} icon="close" label="No end" onClick=${()=>g("expires_at")("")} />`}</div>
    <${m} id="share-end" text=${l.expires_at} />
    <${be} isSet=${!!t?.password} ...${oe} />
    <${m} id="share-other" text=${l.other} />
    <div class="buttons">${t?a`<button type="button" class="button" onClick=${r}>Stop sharing</button>`:a`<button type="button" class="button" onClick=${d}>Cancel</button>`}
      <button class="button primary" aria-busy=${c}>
        ${t?P?"Save":"Done":"Share"}</button></div>
    ${K.get().path!=="/ui/shares"&&a`<p class="hint"><a href=${q(L("/ui/shares",{owner:s}))}>
        All shared pages</a></p>`}
  </form>`}var O=(e,s)=>({"aria-invalid":!!s,"aria-describedby":s?`${e}-problem`:void 0});function fe({target:e}){e.select(),requestAnimationFrame(()=>e.scrollTo(0,0))}var $e=({url:e})=>a`<div class="sharing-address">
  <input class="field mono" type="text" readonly aria-label="Address of the shared page"
    value=${e} onFocus=${fe} />
  <${J} text=${e} label="Copy the address" />
  <a class="icon-button" href=${e} target="_blank" rel="noreferrer noopener"
    aria-label="Open the shared page" title="Open the shared page"><${S} name="open" /></a>
</div>`;function be({isSet:e,draft:{password:s},set:t,problems:n}){let r=t("password"),[d,o]=u(!1),i=()=>{o(!1),r(null)};x(()=>o(!1),[e]);let l=(p,...c)=>a`<div class="form-line"><span>${p}</span>${c.map(([f,$])=>a`<button type="button" class="text-button" key=${f}
      onClick=${$}>${f}</button>`)}</div>`;return e&&!d&&s===null?a`<div role="group" aria-labelledby="share-password-label">
      <span id="share-password-label" class="form-label">Password</span>
      ${l("Set",["Change",()=>o(!0)],["Remove",()=>r("")])}</div>`:e&&s===""&&!d?a`<div role="group" aria-labelledby="share-password-label">
      <span id="share-password-label" class="form-label">Password</span>
      ${l("Will be removed",["Keep it",i])}</div>`:a`<label for="share-password">Password</label>
    <div class="form-line"><input id="share-password" class="field" type="password"
      autocomplete="new-password" value=${s??""} placeholder=${e?"":"None"}
      ...${O("share-password",n.password)}
      onInput=${p=>r(p.target.value||null)} />
      ${e&&a`<${_} icon="close" label="Keep the old password" onClick=${i} />`}
    </div><${m} id="share-password" text=${n.password} />`}function he({what:e,name:s,owner:t,onClose:n,onDone:r}){let[d,o]=u(!1),[i,l]=u(""),p=async()=>{if(!d){o(!0);try{await y("DELETE",A(e,t))}catch(c){if(c.status!==404)return o(!1),l(c.message)}R("No longer shared"),r()}};return a`<${C} label="Stop sharing" onClose=${n}>
    <${T} onClose=${n}>Stop sharing?<//>
    <p>The address of <b><bdi>${v(s)}</bdi></b> stops working at once.
      Sharing again makes another one.</p>
    ${i&&a`<p class="problem" role="alert">${i}</p>`}
    <div class="buttons"><button type="button" class="button" data-focus=${!0}
        onClick=${n}>Keep it</button>
      <button type="button" class="button danger" aria-busy=${d} onClick=${p}>
        Stop sharing</button></div>
  <//>`}export{Ae as Sharing};
