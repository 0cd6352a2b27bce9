import{c as w,d as g}from"./chunk-L27MFHWL.js";import"./chunk-K3ING5IB.js";import{m as k}from"./chunk-OGKY3UJM.js";import{a as u,b as v}from"./chunk-ITE5WROQ.js";import"./chunk-P5NLHDLW.js";import"./chunk-APLCKXZT.js";import"./chunk-JOD6ODCJ.js";import"./chunk-BX7JQ4FX.js";import"./chunk-A22ICIJG.js";import{d as p,f as h}from"./chunk-72OCHUFX.js";import"./chunk-NTYZJBCE.js";import{E as $,K as f,a as l,c as d,h as m,i as s,y as n}from"./chunk-T63LDOMM.js";var c={name:"shared",clicks:`${location.pathname}/clicks`,pause:3e4,get:async(e,t)=>h(await p("GET",e,t))},y=["referrer"];function N(){let e=g(y),t=k(c,e),{data:o,error:S}=t,a=S?.status===404,i=o?.short_code,r=o?.title??i;return d(()=>{a?document.title="Not found · terse":r&&(document.title=`${n(r)} · terse`)},[r,a]),s`<a class="skip" href="#main">Skip to content</a>
    <header class="top"><div class="top-inner"><span class="brand">terse</span>
      <div class="top-end"><${u} /></div></div></header>
    <${v} />
    <main class="page" id="main">${a?s`<${q} />`:s`<${T} code=${i}
        title=${o?.title} />
      <${w} source=${{...c,name:i??c.name}} view=${e} clicks=${t}
        isNew=${()=>!1} />`}</main>
    <${E} />
    <p id="said" class="unseen" role="status"></p>`}function E(){let e=m(f);return s`<div class="toasts" role="region" aria-label="Messages">
    ${e&&s`<div class="toast">${e}</div>`}</div>`}var T=({code:e,title:t})=>s`<header class="share-head">
  ${e?s`<h1>${t?n(t):s`<${b} code=${e} />`}</h1>
    <p class="quiet">Clicks of <${b} code=${e} />, shared by its owner.</p>`:s`<h1>Statistics</h1><p><i class="bone"></i></p>`}</header>`,b=({code:e})=>s`<span class="mono"><span class="quiet">${$}/</span>${e}</span>`,q=()=>s`<div class="state" role="alert"><h1>Nothing is shared here</h1>
  <p>The link was deleted, or is no longer shared.</p></div>`;l(s`<${N} />`,document.getElementById("app"));
