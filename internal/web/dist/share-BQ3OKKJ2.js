import{c as k,d as w}from"./chunk-VD5ZOUU3.js";import{a as f,b as v}from"./chunk-GFCCFI37.js";import"./chunk-D72RG5T3.js";import"./chunk-MFMU3UWY.js";import{h as g}from"./chunk-ORYMPYNJ.js";import"./chunk-IWDCQHFB.js";import{d,e as p}from"./chunk-FF3G7ASX.js";import"./chunk-D7E6UWU7.js";import{B as h,G as u,a as c,c as l,h as m,i as e,w as $}from"./chunk-PE56B7N7.js";var n={name:"shared",clicks:`${location.pathname}/clicks`,pause:3e4,get:async(s,t)=>p(await d("GET",s,t))},N=["referrer"];function y(){let s=w(N),t=g(n,s),{data:o,error:b}=t,a=b?.status===404,r=o?.short_code,i=o?.title??r;return l(()=>{document.title=a?"Not found · terse":i?`${i} · terse`:document.title},[i,a]),e`<a class="skip" href="#main">Skip to content</a>
    <header class="top"><div class="top-inner"><span class="brand">terse</span>
      <div class="top-end"><${f} /></div></div></header>
    <${v} />
    <main class="page" id="main">${a?e`<${q} />`:e`<${T} code=${r}
        title=${o?.title} />
      <${k} source=${{...n,name:r??n.name}} view=${s} clicks=${t}
        isNew=${()=>!1} />`}</main>
    <${E} />
    <p id="said" class="unseen" role="status"></p>`}function E(){let s=m(u);return e`<div class="toasts" role="region" aria-label="Messages">
    ${s&&e`<div class="toast">${s}</div>`}</div>`}var T=({code:s,title:t})=>e`<header class="share-head">
  ${s?e`<h1>${t?$(t):e`<${S} code=${s} />`}</h1>
    <p class="quiet">${t&&e`<${S} code=${s} />`}</p>`:e`<h1>Statistics</h1><p><i class="bone"></i></p>`}</header>`,S=({code:s})=>e`<span class="mono"><span class="quiet">${h}/</span>
  ${s}</span>`,q=()=>e`<div class="state" role="alert"><h1>Nothing is shared here</h1>
  <p>The link was deleted, or is no longer shared.</p></div>`;c(e`<${y} />`,document.getElementById("app"));
