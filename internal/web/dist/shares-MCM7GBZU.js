import{F as v,H as B,Ha as V,Ic as k,Jc as b,K as f,Kc as X,Lc as C,M as S,N as F,O as g,P as I,Pc as Z,R,S as G,Ta as W,Vc as ee,a as m,aa as Y,b as q,c as A,d as _,ea as j,ga as z,h as D,i as L,ja as H,k as N,l as P,ma as J,oa as e,p as M,pa as K,qa as Q,ta as U,x as u}from"./chunk-GS2UUHZM.js";var O=100;function ae(s){let[t,a]=m({owner:s,shares:null,error:null}),[o,r]=m(0);return q(()=>{let l=new AbortController;return J("GET",z("/api/shares",s),{signal:l.signal}).then(({shares:i})=>a({owner:s,shares:i,error:null}),i=>H(i)||a(c=>({...c,error:i}))),()=>l.abort()},[s,o]),{...t.owner===s?t:{shares:null,error:t.error},reload:()=>r(o+1)}}function we(){let s=S(G),t=Y(S(F)),a=t===R?"":t,{shares:o,error:r,reload:n}=ae(a),[l,i]=m(O),[c,$]=m(null),d=_();A(()=>{document.title="Shared pages · terse",scrollTo(0,0)},[]);let p=()=>$(null),y=w=>{n(),w||requestAnimationFrame(()=>d.current?.focus())},x=X(a,s),{share:h,anchor:E,kind:T}=c??{};return e`<main class="page settings" id="main">
    <header class="overview-head"><h1 tabindex="-1" ref=${d}>Shared pages</h1>
      <p class="quiet" role="status">${o?L(o.length,"page","pages"):""}</p>
      <div class="overview-picks"><${ee} owner=${a} all=${!1}
        onChange=${w=>I(g("/ui/shares",{owner:w}))} /></div></header>
    <section class="panel" aria-label="Shared pages">
    ${o?o.length?e`<${re} shares=${o.slice(0,l)} who=${s} owner=${a}
              mayChange=${x} onMenu=${$} />
            ${o.length>l&&e`<p class="panel-more"><button type="button" class="text-button"
              onClick=${()=>i(l+O)}>
              Show ${D(Math.min(O,o.length-l))} more</button></p>`}`:e`<${oe} mayChange=${x} owner=${a} />`:r?e`<${V} title="Couldn't load the shared pages" message=${r.message}
            onRetry=${n} />`:e`<div class="bars-bone" role="status" aria-label="Loading shared pages"></div>`}
    ${o&&r&&e`<p class="problem" role="alert">${r.message}</p>`}
    </section>
    ${E&&e`<${W} anchor=${E} label=${`Actions for ${u(C(h))}`}
        onClose=${p} items=${[{icon:"edit",label:"Edit",onChoose:()=>$({share:h,kind:"edit"})},{icon:"remove",label:"Stop sharing",danger:!0,onChoose:()=>$({share:h,kind:"stop"})}]} />`}
    ${T&&e`<${Z} what=${h} owner=${a} share=${h} stops=${T==="stop"}
        onChange=${y} onClose=${p} />`}
  </main>`}var oe=({mayChange:s,owner:t})=>e`<div class="state"><h2>Nothing is shared</h2>
  ${s&&e`<p>Share a link's statistics by its menu, those of a tag or of all links on the${" "}
      <a href=${f(g("/ui/overview",{owner:t}))}>Overview</a>.</p>`}</div>`,te=({time:s,text:t})=>e`<time datetime=${s} title=${N(Date.parse(s))}>${t}</time>`,se=({share:s})=>{let{expires_at:t}=s;return t?b(s)?e`<span class="state-badge">Ended</span>`:e`<${te} time=${t} text=${P(new Date(t))} />`:e`<span class="quiet">Never</span>`},ne=({share:s,share:{short_code:t,tag:a,title:o},owner:r})=>t?e`<a href=${f(j(v(s),r))}>Link${o?e` <span class="mono">${B(v(s))}</span>`:""}</a>`:a?e`<a href=${f(g("/ui/overview",{tag:a,owner:r}))}>
        Tag${o?e` <bdi>${u(a)}</bdi>`:""}</a>`:e`<a href=${f(g("/ui/overview",{owner:r}))}>All links</a>`,re=({shares:s,who:t,owner:a,mayChange:o,onMenu:r})=>e`<table class="entries">
  <thead><tr><th scope="col">Page</th><th scope="col" class="wide-only">Shared</th>
    <th scope="col" class="wide-only">Ends</th><th scope="col" class="wide-only">Password</th>
    <th><span class="unseen">Actions</span></th></tr></thead>
  <tbody>${s.map(n=>{let{url:l,created_at:i,created_by:c,password:$}=n,d=u(C(n)),p=e`${i&&e`<${te} time=${i} text=${M(Date.parse(i),"long")} />`}
      ${c&&c!==(a||t.identity)&&e`${" "}by <bdi>${u(c)}</bdi>`}`;return e`<tr key=${l} data-off=${b(n)}>
      <th scope="row"><span class="entry-name"><bdi>${d}</bdi></span>
        <span class="entry-kind quiet"><${ne} share=${n} owner=${a} /></span>
        <span class="entry-more quiet">${i&&e`<span>Shared ${p}</span>`}
          ${n.expires_at&&e`<span>${!b(n)&&"Ends "}<${se} share=${n} /></span>`}
          ${$&&e`<span>Password</span>`}</span></th>
      <td class="wide-only">${p}</td>
      <td class="wide-only"><${se} share=${n} /></td>
      <td class="wide-only">${$?"Yes":e`<span class="quiet">None</span>`}</td>
      <td class="entry-end"><span class="share-actions">
        <${U} text=${k(l)} label=${`Copy the address of ${d}`} />
        <a class="icon-button" href=${k(l)} target="_blank" rel="noreferrer noopener"
          aria-label=${`Open ${d}`} title="Open the shared page"><${K} name="open" /></a>
        ${o&&e`<${Q} icon="more" label=${`Actions for ${d}`} aria-haspopup="menu"
          onClick=${y=>r({share:n,anchor:y.currentTarget})} />`}</span></td></tr>`})}</tbody></table>`;export{we as Shares};
