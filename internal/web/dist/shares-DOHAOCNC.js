import{B as M,Cc as Z,D as f,F as v,G as B,H as g,I as F,Ia as V,K as I,L as R,U as G,Y as H,Z as Y,a as m,aa as j,b as q,c as O,d as A,da as z,fa as e,ga as J,h as _,ha as K,i as D,k as L,ka as Q,l as N,p as P,qc as S,rc as b,sc as W,tc as k,w as u,wa as U,xc as X}from"./chunk-5RJPQ6WF.js";var C=100;function te(s){let[t,o]=m({owner:s,shares:null,error:null}),[a,i]=m(0);return q(()=>{let r=new AbortController;return z("GET",Y("/api/shares",s),{signal:r.signal}).then(({shares:l})=>o({owner:s,shares:l,error:null}),l=>j(l)||o(c=>({...c,error:l}))),()=>r.abort()},[s,a]),{...t.owner===s?t:{shares:null,error:t.error},reload:()=>i(a+1)}}function we(){let s=v(R),t=G(v(B)),o=t===I?"":t,{shares:a,error:i,reload:n}=te(o),[r,l]=m(C),[c,$]=m(null),p=A();O(()=>{document.title="Shared pages · terse",scrollTo(0,0)},[]);let d=()=>$(null),w=y=>{n(),y||requestAnimationFrame(()=>p.current?.focus())},x=W(o,s),{share:h,anchor:E,kind:T}=c??{};return e`<main class="page settings" id="main">
    <header class="overview-head"><h1 tabindex="-1" ref=${p}>Shared pages</h1>
      <p class="quiet" role="status">${a?D(a.length,"page","pages"):""}</p>
      <div class="overview-picks"><${Z} owner=${o} all=${!1}
        onChange=${y=>F(g("/ui/shares",{owner:y}))} /></div></header>
    <section class="panel" aria-label="Shared pages">
    ${a?a.length?e`<${ne} shares=${a.slice(0,r)} who=${s} owner=${o}
              mayChange=${x} onMenu=${$} />
            ${a.length>r&&e`<p class="panel-more"><button type="button" class="text-button"
              onClick=${()=>l(r+C)}>
              Show ${_(Math.min(C,a.length-r))} more</button></p>`}`:e`<${ae} mayChange=${x} owner=${o} />`:i?e`<${U} title="Couldn't load the shared pages" message=${i.message}
            onRetry=${n} />`:e`<div class="bars-bone" role="status" aria-label="Loading shared pages"></div>`}
    ${a&&i&&e`<p class="problem" role="alert">${i.message}</p>`}
    </section>
    ${E&&e`<${V} anchor=${E} label=${`Actions for ${u(k(h))}`}
        onClose=${d} items=${[{icon:"edit",label:"Edit",onChoose:()=>$({share:h,kind:"edit"})},{icon:"remove",label:"Stop sharing",danger:!0,onChoose:()=>$({share:h,kind:"stop"})}]} />`}
    ${T&&e`<${X} what=${h} owner=${o} share=${h} stops=${T==="stop"}
        onChange=${w} onClose=${d} />`}
  </main>`}var ae=({mayChange:s,owner:t})=>e`<div class="state"><h2>Nothing is shared</h2>
  ${s&&e`<p>Share a link's statistics by its menu, those of a tag or of all links on the${" "}
      <a href=${f(g("/ui/overview",{owner:t}))}>Overview</a>.</p>`}</div>`,se=({time:s,text:t})=>e`<time datetime=${s} title=${L(Date.parse(s))}>${t}</time>`,ee=({share:s})=>{let{expires_at:t}=s;return t?b(s)?e`<span class="state-badge">Ended</span>`:e`<${se} time=${t} text=${N(new Date(t))} />`:e`<span class="quiet">Never</span>`},oe=({share:{short_code:s,tag:t,title:o},owner:a})=>s?e`<a href=${f(H(s,a))}>Link${o?e` <span class="mono">${M}/${s}</span>`:""}</a>`:t?e`<a href=${f(g("/ui/overview",{tag:t,owner:a}))}>
        Tag${o?e` <bdi>${u(t)}</bdi>`:""}</a>`:e`<a href=${f(g("/ui/overview",{owner:a}))}>All links</a>`,ne=({shares:s,who:t,owner:o,mayChange:a,onMenu:i})=>e`<table class="entries">
  <thead><tr><th scope="col">Page</th><th scope="col" class="wide-only">Shared</th>
    <th scope="col" class="wide-only">Ends</th><th scope="col" class="wide-only">Password</th>
    <th><span class="unseen">Actions</span></th></tr></thead>
  <tbody>${s.map(n=>{let{url:r,created_at:l,created_by:c,password:$}=n,p=u(k(n)),d=e`${l&&e`<${se} time=${l} text=${P(Date.parse(l),"long")} />`}
      ${c&&c!==(o||t.identity)&&e`${" "}by <bdi>${u(c)}</bdi>`}`;return e`<tr key=${r} data-off=${b(n)}>
      <th scope="row"><span class="entry-name"><bdi>${p}</bdi></span>
        <span class="entry-kind quiet"><${oe} share=${n} owner=${o} /></span>
        <span class="entry-more quiet">${l&&e`<span>Shared ${d}</span>`}
          ${n.expires_at&&e`<span>${!b(n)&&"Ends "}<${ee} share=${n} /></span>`}
          ${$&&e`<span>Password</span>`}</span></th>
      <td class="wide-only">${d}</td>
      <td class="wide-only"><${ee} share=${n} /></td>
      <td class="wide-only">${$?"Yes":e`<span class="quiet">None</span>`}</td>
      <td class="entry-end"><span class="share-actions">
        <${Q} text=${S(r)} label=${`Copy the address of ${p}`} />
        <a class="icon-button" href=${S(r)} target="_blank" rel="noreferrer noopener"
          aria-label=${`Open ${p}`} title="Open the shared page"><${J} name="open" /></a>
        ${a&&e`<${K} icon="more" label=${`Actions for ${p}`} aria-haspopup="menu"
          onClick=${w=>i({share:n,anchor:w.currentTarget})} />`}</span></td></tr>`})}</tbody></table>`;export{we as Shares};
