import{b as L}from"./chunk-NGQ3C66V.js";import"./chunk-DQ3U2WIG.js";import{a as y,c as h}from"./chunk-I52D3NO7.js";import{Cc as F,Dc as N,Ea as w,Fc as E,M as b,Ob as x,Pb as D,Qb as P,R as k,Sa as m,Sb as O,Tb as T,Ub as U,a as f,b as d,m as v,oa as $,pa as C}from"./chunk-GS2UUHZM.js";var S=({choices:t,value:r,onChoose:n})=>t.map(([e,s])=>$`<button type="button" key=${s} class="menu-item"
      data-focus=${e===r} aria-pressed=${e===r}
      onClick=${()=>n(e)}>
      <${C} name=${e===r?"done":""} />${s}</button>`);function X({owner:t,all:r,onChange:n,...e}){let s=i=>{e.onClose(),i!==t&&n(i)},l=[["","My links"],r&&[k,"All links"]].filter(Boolean);return $`<${m} ...${e} label="Whose links" class="tag-filter">
    <${S} choices=${l} value=${t} onChoose=${s} />
    <label for="owner-filter">Links of</label>
    <${q} id="owner-filter" label="Links of" onChoose=${s} /><//>`}function q({id:t,label:r,onChoose:n}){let[e,s]=f(""),[l,i]=f(""),c=b(F);d(()=>{N().catch(o=>i(o.message))},[]);let u=E(c),[a]=e?y(u,e):[];return $`<${h} id=${t} label=${r} class="field" placeholder="Name or email"
      text=${e} onText=${s} options=${u} onKeyDown=${o=>{o.key!=="Enter"||!a||(o.preventDefault(),n(a.value))}} onChoose=${n}
      aria-describedby=${`${t}-hint`} />
    <p id=${`${t}-hint`} class="quiet" role="status">${l||(e&&c&&!a?"Nobody by that name":"")}</p>`}var A=[[30,"30 days"],[90,"90 days"],[365,"a year"]];function Y({since:t,onChange:r,...n}){let[e,s]=f(t),[l,i]=f(""),c=x(Date.now()),u=[["","Any activity"],...A.map(([o,p])=>[D(c,-o),`Unused for ${p}`])],a=o=>{n.onClose(),o!==t&&r(o)};return $`<${m} ...${n} label="Unused links" class="unused-filter">
    <${S} choices=${u} value=${t} onChoose=${a} />
    <form onSubmit=${o=>{o.preventDefault(),P(e)?a(e):i(`Enter a day, such as ${v(c)}.`)}} novalidate><label for="unused-since">Unused since</label>
      <div><${L} id="unused-since" last=${c} today=${c} value=${e}
        aria-invalid=${!!l}
        aria-describedby=${l?"unused-since-problem":"unused-since-hint"}
        onChange=${o=>{s(o),i("")}} />
      <button class="button">Show</button></div>
      <${w} id="unused-since" text=${l} />
      <p id="unused-since-hint" class="hint">Links from before that day without a click, even by
        bots, from 0:00 UTC on.</p></form><//>`}function Z({tags:t,onAdd:r,...n}){let e=o=>{n.onClose(),r(o)},[s,l]=f(""),i=b(O);d(()=>{T()},[]);let c=o=>t.some(p=>p.toLowerCase()===o.toLowerCase()),u=U(i.filter(({tag:o})=>!c(o))),[a]=y(u,s);return $`<${m} ...${n} class="tag-filter">
    <${h} id="tag-filter" label="Find a tag" class="field" placeholder="Find a tag"
      text=${s} onText=${l} options=${u} opensOnFocus=${!0} onKeyDown=${o=>{o.key!=="Enter"||!a||(o.preventDefault(),e(a.value))}}
      onChoose=${e} />
    ${!a&&$`<p class="quiet" role="status">${s?"No such tag":i.length?"No more tags":"No tags yet"}</p>`}<//>`}export{X as OwnerPopover,Z as TagPopover,Y as UnusedPopover};
