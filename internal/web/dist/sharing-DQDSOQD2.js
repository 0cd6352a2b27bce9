import{a as Y}from"./chunk-PQNCIE7P.js";import"./chunk-7HN7DR3R.js";import{B as q,D as K,G as L,H as W,Z as H,a as p,aa as J,b as _,c as N,d as B,da as k,fa as a,fb as Q,ga as C,gb as U,ha as A,hb as V,ib as X,k as F,ka as R,la as G,oa as j,oc as D,pa as z,pc as Z,qa as O,qc as ee,ra as T,rc as te,ta as m,tc as se,va as M,w as v}from"./chunk-5RJPQ6WF.js";var ie=["title","expires_at","password"];async function ae(e,s,t){let{shares:n}=await k("GET",H("/api/shares",s),{signal:t});return n.find(r=>Z(r,e))??null}function de(e,s,t){let[n,r]=p(t),[d,o]=p("");return _(()=>{if(t)return;let l=new AbortController;return ae(e,s,l.signal).then(r,i=>J(i)||o(i.message)),()=>l.abort()},[]),[n,d,r]}var ce=e=>e?Q(Date.parse(e)):"",g=e=>({title:e?.title??"",expires_at:ce(e?.expires_at),password:null});function ue({title:e,expires_at:s,password:t},n){let r=g(n);return{...e.trim()!==r.title&&{title:e.trim()||null},...s!==r.expires_at&&{expires_at:s?new Date(U(s)).toISOString():null},...t!==null&&{password:t||null}}}function Te({what:e,owner:s="",share:t,stops:n=!1,onClose:r,onChange:d}){let[o,l,i]=de(e,s,t),[c,u]=p(n),f=$=>{i($),d?.($)};return c?a`<${me} key="stop" what=${e} owner=${s}
      name=${se({...e,title:o?.title})}
      onClose=${()=>n?r():u(!1)} onDone=${()=>{r(),f(null)}} />`:a`<${O} key="share" label="Share statistics" class="sharing ask"
    onClose=${r}>
    <${T} onClose=${r}>Share statistics<//>
    <${pe} what=${e} owner=${s} />
    ${l&&a`<p class="problem" role="alert">${l}</p>`}
    ${o===void 0?!l&&a`<div class="sharing-bone" role="status" aria-label="Loading"></div>`:a`<${fe} what=${e} owner=${s} share=${o}
        onTaken=${f} onStop=${()=>u(!0)} onClose=${r} />`}
  <//>`}var pe=({what:{short_code:e,tag:s},owner:t})=>e?a`<p>A page with the clicks of <b class="mono">${q}/${e}</b>, for people without
      a token. Whoever has its address sees the link's title and its clicks, but not where it leads,
      and no note, tag or full referrer.</p>`:a`<p>A page with the clicks of all ${t?"":"your "}links${t&&a` of <b><bdi>${v(t)}</bdi></b>`}${s&&a` tagged <b><bdi>${v(s)}</bdi></b>`}, for people without a token.
      Whoever has its address sees the clicks of all together, and code and title of the links
      clicked most, but not where they lead, and no note or full referrer.</p>`;function fe({what:e,owner:s,share:t,onTaken:n,onStop:r,onClose:d}){let[o,l]=p(()=>g(t)),[i,c]=p({}),[u,f]=p(!1),$=B();N(()=>z($.current),[t?.url]);let y=b=>h=>{l(x=>({...x,[b]:h})),c({})},w=b=>{c(b),M($.current)},E=JSON.stringify(o)!==JSON.stringify(g(t)),re=async b=>{if(b.preventDefault(),!u){if(t&&!E)return d();if(o.expires_at&&!V(o.expires_at))return w({expires_at:X()});f(!0),c({});try{let h=ue(o,t),x=D(e,s),S=t?null:await ae(e,s);if(S)return l(g(S)),n(S),w({other:"It is shared already, as you see here. Nothing was changed."});let I=await k(t?"PATCH":"POST",x,{body:h});l(g(I)),n(I),j(t?"Saved":"Shared")}catch(h){h.field==="share"&&n(null),w({[ie.includes(h.field)?h.field:"other"]:h.message})}finally{f(!1)}}},{tag:oe,short_code:ne}=e,le={draft:o,set:y,problems:i};return a`<form ref=${$} onSubmit=${re} novalidate>
    ${t&&a`<${he} url=${ee(t.url)} />`}
    ${t&&te(t)?a`<p class="share-over" role="status"><${C} name="clock" /><span>Ended${" "}
          ${F(Date.parse(t.expires_at))}. A later end, or none, opens the same address
          again.</span></p>`:!t&&a`<p class="quiet share-none">Not shared.</p>`}
    <label for="share-title">Title</label>
    <input id="share-title" class="field" autocomplete="off" value=${o.title}
      placeholder=${oe??(ne?"That of the link":"Overview")} maxlength="200"
      onInput=${b=>y("title")(b.target.value)} ...${P("share-title",i.title)} />
    <${m} id="share-title" text=${i.title} />
    <label for="share-end">Ends</label>
    <div class="form-line"><${Y} id="share-end" fresh="23:59" placeholder="Never"
        value=${o.expires_at} onChange=${y("expires_at")}
        ...${P("share-end",i.expires_at)} />
      ${o.expires_at&&a`<${A} icon="close" label="No end" onClick=${()=>y("expires_at")("")} />`}</div>
    <${m} id="share-end" text=${i.expires_at} />
    <${be} isSet=${!!t?.password} ...${le} />
    <${m} id="share-other" text=${i.other} />
    <div class="buttons">${t?a`<button type="button" class="button" onClick=${r}>Stop sharing</button>`:a`<button type="button" class="button" onClick=${d}>Cancel</button>`}
      <button class="button primary" aria-busy=${u}>
        ${t?E?"Save":"Done":"Share"}</button></div>
    ${L.get().path!=="/ui/shares"&&a`<p class="hint"><a href=${K(W("/ui/shares",{owner:s}))}>
        All shared pages</a></p>`}
  </form>`}var P=(e,s)=>({"aria-invalid":!!s,"aria-describedby":s?`${e}-problem`:void 0});function $e({target:e}){e.select(),requestAnimationFrame(()=>e.scrollTo(0,0))}var he=({url:e})=>a`<div class="sharing-address">
  <input class="field mono" type="text" readonly aria-label="Address of the shared page"
    value=${e} onFocus=${$e} />
  <${R} text=${e} label="Copy the address" />
  <a class="icon-button" href=${e} target="_blank" rel="noreferrer noopener"
    aria-label="Open the shared page" title="Open the shared page"><${C} name="open" /></a>
</div>`;function be({isSet:e,draft:{password:s},set:t,problems:n}){let r=t("password"),[d,o]=p(!1),l=()=>{o(!1),r(null)};_(()=>o(!1),[e]);let i=(c,...u)=>a`<div class="form-line"><span>${c}</span>${u.map(([f,$])=>a`<button type="button" class="text-button" key=${f}
      onClick=${$}>${f}</button>`)}</div>`;return e&&!d&&s===null?a`<div role="group" aria-labelledby="share-password-label">
      <span id="share-password-label" class="form-label">Password</span>
      ${i("Set",["Change",()=>o(!0)],["Remove",()=>r("")])}</div>`:e&&s===""&&!d?a`<div role="group" aria-labelledby="share-password-label">
      <span id="share-password-label" class="form-label">Password</span>
      ${i("Will be removed",["Keep it",l])}</div>`:a`<label for="share-password">Password</label>
    <div class="form-line"><input id="share-password" class="field" type="password"
      autocomplete="new-password" value=${s??""} placeholder=${e?"":"None"}
      ...${P("share-password",n.password)}
      onInput=${c=>r(c.target.value||null)} />
      ${e&&a`<${A} icon="close" label="Keep the old password" onClick=${l} />`}
    </div><${m} id="share-password" text=${n.password} />`}function me({what:e,name:s,owner:t,onClose:n,onDone:r}){let[d,o]=p(!1),[l,i]=p(""),c=async()=>{if(!d){o(!0);try{await k("DELETE",D(e,t))}catch(u){if(u.status!==404)return o(!1),i(u.message)}G("No longer shared"),r()}};return a`<${O} label="Stop sharing" onClose=${n}>
    <${T} onClose=${n}>Stop sharing?<//>
    <p>The address of <b><bdi>${v(s)}</bdi></b> stops working at once.
      Sharing again makes another one.</p>
    ${l&&a`<p class="problem" role="alert">${l}</p>`}
    <div class="buttons"><button type="button" class="button" data-focus=${!0}
        onClick=${n}>Keep it</button>
      <button type="button" class="button danger" aria-busy=${d} onClick=${c}>
        Stop sharing</button></div>
  <//>`}export{Te as Sharing};
