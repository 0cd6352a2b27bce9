import{a as Z}from"./chunk-NGQ3C66V.js";import"./chunk-DQ3U2WIG.js";import{Aa as T,Ab as V,Bb as X,Cb as Y,Ea as m,F as q,Ga as Q,Gc as D,H as K,Hc as ee,Ic as te,Jc as se,K as L,Lc as ae,N as W,O as J,a as p,b as _,c as N,d as B,ga as R,ja as G,k as F,ma as k,oa as a,pa as C,qa as O,ta as H,ua as j,x as v,xa as z,ya as M,za as A,zb as U}from"./chunk-GS2UUHZM.js";var de=["title","expires_at","password"];async function re(e,s,t){let{shares:r}=await k("GET",R("/api/shares",s),{signal:t});return r.find(o=>ee(o,e))??null}function ce(e,s,t){let[r,o]=p(t),[d,n]=p("");return _(()=>{if(t)return;let l=new AbortController;return re(e,s,l.signal).then(o,i=>G(i)||n(i.message)),()=>l.abort()},[]),[r,d,o]}var ue=e=>e?U(Date.parse(e)):"",g=e=>({title:e?.title??"",expires_at:ue(e?.expires_at),password:null});function pe({title:e,expires_at:s,password:t},r){let o=g(r);return{...e.trim()!==o.title&&{title:e.trim()||null},...s!==o.expires_at&&{expires_at:s?new Date(V(s)).toISOString():null},...t!==null&&{password:t||null}}}function De({what:e,owner:s="",share:t,stops:r=!1,onClose:o,onChange:d}){let[n,l,i]=ce(e,s,t),[c,u]=p(r),f=$=>{i($),d?.($)};return c?a`<${ge} key="stop" what=${e} owner=${s}
      name=${ae({...e,title:n?.title})}
      onClose=${()=>r?o():u(!1)} onDone=${()=>{o(),f(null)}} />`:a`<${A} key="share" label="Share statistics" class="sharing ask"
    onClose=${o}>
    <${T} onClose=${o}>Share statistics<//>
    <${fe} what=${e} owner=${s} />
    ${l&&a`<p class="problem" role="alert">${l}</p>`}
    ${n===void 0?!l&&a`<div class="sharing-bone" role="status" aria-label="Loading"></div>`:a`<${$e} what=${e} owner=${s} share=${n}
        onTaken=${f} onStop=${()=>u(!0)} onClose=${o} />`}
  <//>`}var fe=({what:e,what:{short_code:s,tag:t},owner:r})=>s?a`<p>A page with the clicks of <b class="mono">${K(q(e))}</b>, for people
      without a token. Whoever has its address sees the link's title and its clicks, but not where
      it leads, and no note, tag or full referrer.</p>`:a`<p>A page with the clicks of all ${r?"":"your "}links${r&&a` of <b><bdi>${v(r)}</bdi></b>`}${t&&a` tagged <b><bdi>${v(t)}</bdi></b>`}, for people without a token.
      Whoever has its address sees the clicks of all together, and code and title of the links
      clicked most, but not where they lead, and no note or full referrer.</p>`;function $e({what:e,owner:s,share:t,onTaken:r,onStop:o,onClose:d}){let[n,l]=p(()=>g(t)),[i,c]=p({}),[u,f]=p(!1),$=B();N(()=>M($.current),[t?.url]);let y=b=>h=>{l(x=>({...x,[b]:h})),c({})},w=b=>{c(b),Q($.current)},E=JSON.stringify(n)!==JSON.stringify(g(t)),oe=async b=>{if(b.preventDefault(),!u){if(t&&!E)return d();if(n.expires_at&&!X(n.expires_at))return w({expires_at:Y()});f(!0),c({});try{let h=pe(n,t),x=D(e,s),S=t?null:await re(e,s);if(S)return l(g(S)),r(S),w({other:"It is shared already, as you see here. Nothing was changed."});let I=await k(t?"PATCH":"POST",x,{body:h});l(g(I)),r(I),z(t?"Saved":"Shared")}catch(h){h.field==="share"&&r(null),w({[de.includes(h.field)?h.field:"other"]:h.message})}finally{f(!1)}}},{tag:ne,short_code:le}=e,ie={draft:n,set:y,problems:i};return a`<form ref=${$} onSubmit=${oe} novalidate>
    ${t&&a`<${be} url=${te(t.url)} />`}
    ${t&&se(t)?a`<p class="share-over" role="status"><${C} name="clock" /><span>Ended${" "}
          ${F(Date.parse(t.expires_at))}. A later end, or none, opens the same address
          again.</span></p>`:!t&&a`<p class="quiet share-none">Not shared.</p>`}
    <label for="share-title">Title</label>
    <input id="share-title" class="field" autocomplete="off" value=${n.title}
      placeholder=${ne??(le?"That of the link":"Overview")} maxlength="200"
      onInput=${b=>y("title")(b.target.value)} ...${P("share-title",i.title)} />
    <${m} id="share-title" text=${i.title} />
    <label for="share-end">Ends</label>
    <div class="form-line"><${Z} id="share-end" fresh="23:59" placeholder="Never"
        value=${n.expires_at} onChange=${y("expires_at")}
        ...${P("share-end",i.expires_at)} />
      ${n.expires_at&&a`<${O} icon="close" label="No end" onClick=${()=>y("expires_at")("")} />`}</div>
    <${m} id="share-end" text=${i.expires_at} />
    <${me} isSet=${!!t?.password} ...${ie} />
    <${m} id="share-other" text=${i.other} />
    <div class="buttons">${t?a`<button type="button" class="button" onClick=${o}>Stop sharing</button>`:a`<button type="button" class="button" onClick=${d}>Cancel</button>`}
      <button class="button primary" aria-busy=${u}>
        ${t?E?"Save":"Done":"Share"}</button></div>
    ${W.get().path!=="/ui/shares"&&a`<p class="hint"><a href=${L(J("/ui/shares",{owner:s}))}>
        All shared pages</a></p>`}
  </form>`}var P=(e,s)=>({"aria-invalid":!!s,"aria-describedby":s?`${e}-problem`:void 0});function he({target:e}){e.select(),requestAnimationFrame(()=>e.scrollTo(0,0))}var be=({url:e})=>a`<div class="sharing-address">
  <input class="field mono" type="text" readonly aria-label="Address of the shared page"
    value=${e} onFocus=${he} />
  <${H} text=${e} label="Copy the address" />
  <a class="icon-button" href=${e} target="_blank" rel="noreferrer noopener"
    aria-label="Open the shared page" title="Open the shared page"><${C} name="open" /></a>
</div>`;function me({isSet:e,draft:{password:s},set:t,problems:r}){let o=t("password"),[d,n]=p(!1),l=()=>{n(!1),o(null)};_(()=>n(!1),[e]);let i=(c,...u)=>a`<div class="form-line"><span>${c}</span>${u.map(([f,$])=>a`<button type="button" class="text-button" key=${f}
      onClick=${$}>${f}</button>`)}</div>`;return e&&!d&&s===null?a`<div role="group" aria-labelledby="share-password-label">
      <span id="share-password-label" class="form-label">Password</span>
      ${i("Set",["Change",()=>n(!0)],["Remove",()=>o("")])}</div>`:e&&s===""&&!d?a`<div role="group" aria-labelledby="share-password-label">
      <span id="share-password-label" class="form-label">Password</span>
      ${i("Will be removed",["Keep it",l])}</div>`:a`<label for="share-password">Password</label>
    <div class="form-line"><input id="share-password" class="field" type="password"
      autocomplete="new-password" value=${s??""} placeholder=${e?"":"None"}
      ...${P("share-password",r.password)}
      onInput=${c=>o(c.target.value||null)} />
      ${e&&a`<${O} icon="close" label="Keep the old password" onClick=${l} />`}
    </div><${m} id="share-password" text=${r.password} />`}function ge({what:e,name:s,owner:t,onClose:r,onDone:o}){let[d,n]=p(!1),[l,i]=p(""),c=async()=>{if(!d){n(!0);try{await k("DELETE",D(e,t))}catch(u){if(u.status!==404)return n(!1),i(u.message)}j("No longer shared"),o()}};return a`<${A} label="Stop sharing" onClose=${r}>
    <${T} onClose=${r}>Stop sharing?<//>
    <p>The address of <b><bdi>${v(s)}</bdi></b> stops working at once.
      Sharing again makes another one.</p>
    ${l&&a`<p class="problem" role="alert">${l}</p>`}
    <div class="buttons"><button type="button" class="button" data-focus=${!0}
        onClick=${r}>Keep it</button>
      <button type="button" class="button danger" aria-busy=${d} onClick=${c}>
        Stop sharing</button></div>
  <//>`}export{De as Sharing};
