import{c as k,d as w}from"./chunk-VKNOKQEE.js";import"./chunk-SPI5Q57H.js";import{i as g}from"./chunk-AKXJM73T.js";import{a as u,b as v}from"./chunk-MPFHIPT5.js";import"./chunk-UC6BWB4E.js";import"./chunk-K7ATW4SV.js";import"./chunk-LBTNOKNR.js";import{d as p,f as $}from"./chunk-FXXZJDXJ.js";import"./chunk-PCD4SETE.js";import{D as h,I as f,a as l,c as m,h as d,i as e,x as n}from"./chunk-7IY37C7O.js";var c={name:"shared",clicks:`${location.pathname}/clicks`,pause:3e4,get:async(s,t)=>$(await p("GET",s,t))},N=["referrer"];function y(){let s=w(N),t=g(c,s),{data:o,error:b}=t,a=b?.status===404,i=o?.short_code,r=o?.title??i;return m(()=>{a?document.title="Not found · terse":r&&(document.title=`${n(r)} · terse`)},[r,a]),e`<a class="skip" href="#main">Skip to content</a>
    <header class="top"><div class="top-inner"><span class="brand">terse</span>
      <div class="top-end"><${u} /></div></div></header>
    <${v} />
    <main class="page" id="main">${a?e`<${q} />`:e`<${T} code=${i}
        title=${o?.title} />
      <${k} source=${{...c,name:i??c.name}} view=${s} clicks=${t}
        isNew=${()=>!1} />`}</main>
    <${E} />
    <p id="said" class="unseen" role="status"></p>`}function E(){let s=d(f);return e`<div class="toasts" role="region" aria-label="Messages">
    ${s&&e`<div class="toast">${s}</div>`}</div>`}var T=({code:s,title:t})=>e`<header class="share-head">
  ${s?e`<h1>${t?n(t):e`<${S} code=${s} />`}</h1>
    <p class="quiet">${t&&e`<${S} code=${s} />`}</p>`:e`<h1>Statistics</h1><p><i class="bone"></i></p>`}</header>`,S=({code:s})=>e`<span class="mono"><span class="quiet">${h}/</span>
  ${s}</span>`,q=()=>e`<div class="state" role="alert"><h1>Nothing is shared here</h1>
  <p>The link was deleted, or is no longer shared.</p></div>`;l(e`<${y} />`,document.getElementById("app"));
