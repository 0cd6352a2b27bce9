import{a as V}from"./chunk-KEVP7SKH.js";import"./chunk-3JNGSLEC.js";import{B as F,D as K,G as L,H as W,Z as q,a as c,aa as H,b as w,c as I,d as N,da as v,eb as M,fa as a,fb as Q,ga as S,gb as U,ha as _,k as B,ka as J,la as R,mc as O,nc as X,oa as G,oc as Y,pa as j,pc as Z,qa as C,ra as D,ta as m,ua as z,w as x}from"./chunk-72KUF55T.js";var re=["title","expires_at","password"];async function oe(e,s,t){let{shares:n}=await v("GET",q("/api/shares",s),{signal:t});return n.find(r=>X(r,e))??null}function ne(e,s,t){let[n,r]=c(t),[d,o]=c("");return w(()=>{if(t)return;let i=new AbortController;return oe(e,s,i.signal).then(r,l=>H(l)||o(l.message)),()=>i.abort()},[]),[n,d,r]}var le=e=>e?M(Date.parse(e)):"",y=e=>({title:e?.title??"",expires_at:le(e?.expires_at),password:null});function ie({title:e,expires_at:s,password:t},n){let r=y(n);return{...e.trim()!==r.title&&{title:e.trim()||null},...s!==r.expires_at&&{expires_at:s?new Date(Q(s)).toISOString():null},...t!==null&&{password:t||null}}}function _e({what:e,owner:s="",share:t,stops:n=!1,onClose:r,onChange:d}){let[o,i,l]=ne(e,s,t),[p,h]=c(n),u=f=>{l(f),d?.(f)};return p?a`<${fe} key="stop" what=${e} owner=${s}
      onClose=${()=>n?r():h(!1)} onDone=${()=>{r(),u(null)}} />`:a`<${C} key="share" label="Share statistics" class="sharing ask"
    onClose=${r}>
    <${D} onClose=${r}>Share statistics<//>
    <${de} what=${e} owner=${s} />
    ${i&&a`<p class="problem" role="alert">${i}</p>`}
    ${o===void 0?!i&&a`<div class="sharing-bone" role="status" aria-label="Loading"></div>`:a`<${pe} what=${e} owner=${s} share=${o}
        onTaken=${u} onStop=${()=>h(!0)} onClose=${r} />`}
  <//>`}var de=({what:{short_code:e,tag:s},owner:t})=>e?a`<p>A page with the clicks of <b class="mono">${F}/${e}</b>, for people without
      a token. Whoever has its address sees the link's title and its clicks, but not where it leads,
      and no note, tag or full referrer.</p>`:a`<p>A page with the clicks of all ${t?"":"your "}links${" "}
      ${t&&a`of <b><bdi>${x(t)}</bdi></b>${" "}`}
      ${s&&a`tagged <b><bdi>${x(s)}</bdi></b>`}, for people without a token. Whoever
      has its address sees the clicks of all together, and code and title of the links clicked most,
      but not where they lead, and no note or full referrer.</p>`;function pe({what:e,owner:s,share:t,onTaken:n,onStop:r,onClose:d}){let[o,i]=c(()=>y(t)),[l,p]=c({}),[h,u]=c(!1),f=N();I(()=>j(f.current),[t?.url]);let g=b=>$=>{i(k=>({...k,[b]:$})),p({})},T=b=>{p(b),z(f.current)},A=JSON.stringify(o)!==JSON.stringify(y(t)),ee=async b=>{if(b.preventDefault(),!h){if(t&&!A)return d();if(o.expires_at&&!U(o.expires_at))return T({expires_at:"Enter a whole day and time, or none."});u(!0),p({});try{let $=ie(o,t),k=O(e,s),E=await v(t?"PATCH":"POST",k,{body:$});i(y(E)),n(E),G(t?"Saved":"Shared")}catch($){$.field==="share"&&n(null),T({[re.includes($.field)?$.field:"other"]:$.message})}finally{u(!1)}}},{tag:te,short_code:se}=e,ae={draft:o,set:g,problems:l};return a`<form ref=${f} onSubmit=${ee} novalidate>
    ${t&&a`<${ce} url=${Y(t.url)} />`}
    ${t&&Z(t)?a`<p class="share-over" role="status"><${S} name="clock" /><span>Ended${" "}
          ${B(Date.parse(t.expires_at))}. A later end, or none, opens the same address
          again.</span></p>`:!t&&a`<p class="quiet share-none">Not shared.</p>`}
    <label for="share-title">Title</label>
    <input id="share-title" class="field" autocomplete="off" value=${o.title}
      placeholder=${te??(se?"That of the link":"Overview")} maxlength="200"
      onInput=${b=>g("title")(b.target.value)} ...${P("share-title",l.title)} />
    <${m} id="share-title" text=${l.title} />
    <label for="share-end">Ends</label>
    <div class="form-line"><${V} id="share-end" fresh="23:59" placeholder="Never"
        value=${o.expires_at} onChange=${g("expires_at")}
        ...${P("share-end",l.expires_at)} />
      ${o.expires_at&&a`<${_} icon="close" label="No end" onClick=${()=>g("expires_at")("")} />`}</div>
    <${m} id="share-end" text=${l.expires_at} />
    <${ue} isSet=${!!t?.password} ...${ae} />
    <${m} id="share-other" text=${l.other} />
    <div class="buttons">${t?a`<button type="button" class="button" onClick=${r}>Stop sharing</button>`:a`<button type="button" class="button" onClick=${d}>Cancel</button>`}
      <button class="button primary" aria-busy=${h}>
        ${t?A?"Save":"Done":"Share"}</button></div>
    ${L.get().path!=="/ui/shares"&&a`<p class="hint"><a href=${K(W("/ui/shares",{owner:s}))}>
        All shared pages</a></p>`}
  </form>`}var P=(e,s)=>({"aria-invalid":!!s,"aria-describedby":s?`${e}-problem`:void 0}),ce=({url:e})=>a`<div class="sharing-address">
  <input class="field mono" type="text" readonly aria-label="Address of the shared page"
    value=${e} onFocus=${s=>s.target.select()} />
  <${J} text=${e} label="Copy the address" />
  <a class="icon-button" href=${e} target="_blank" rel="noreferrer noopener"
    aria-label="Open the shared page" title="Open the shared page"><${S} name="open" /></a>
</div>`;function ue({isSet:e,draft:{password:s},set:t,problems:n}){let r=t("password"),[d,o]=c(!1),i=()=>{o(!1),r(null)};w(()=>o(!1),[e]);let l=(p,...h)=>a`<div class="form-line"><span>${p}</span>${h.map(([u,f])=>a`<button type="button" class="text-button" key=${u}
      onClick=${f}>${u}</button>`)}</div>`;return e&&!d&&s===null?a`<div role="group" aria-labelledby="share-password-label">
      <span id="share-password-label" class="form-label">Password</span>
      ${l("Set",["Change",()=>o(!0)],["Remove",()=>r("")])}</div>`:e&&s===""&&!d?a`<div role="group" aria-labelledby="share-password-label">
      <span id="share-password-label" class="form-label">Password</span>
      ${l("Will be removed",["Keep it",i])}</div>`:a`<label for="share-password">Password</label>
    <div class="form-line"><input id="share-password" class="field" type="password"
      autocomplete="new-password" value=${s??""} placeholder=${e?"":"None"}
      ...${P("share-password",n.password)}
      onInput=${p=>r(p.target.value||null)} />
      ${e&&a`<${_} icon="close" label="Keep the old password" onClick=${i} />`}
    </div><${m} id="share-password" text=${n.password} />`}function fe({what:e,owner:s,onClose:t,onDone:n}){let[r,d]=c(!1),[o,i]=c(""),l=async()=>{if(!r){d(!0);try{await v("DELETE",O(e,s))}catch(p){if(p.status!==404)return d(!1),i(p.message)}R("No longer shared"),n()}};return a`<${C} label="Stop sharing" onClose=${t}>
    <${D} onClose=${t}>Stop sharing?<//>
    <p>The address stops working at once. Sharing again makes another one.</p>
    ${o&&a`<p class="problem" role="alert">${o}</p>`}
    <div class="buttons"><button type="button" class="button" data-focus=${!0}
        onClick=${t}>Keep it</button>
      <button type="button" class="button danger" aria-busy=${r} onClick=${l}>
        Stop sharing</button></div>
  <//>`}export{_e as Sharing};
