import{a as V,b as Ie,c as X,d as je,e as Z,f as Pe,j as De,m as Ee,o as Ae,r as Re,t as A}from"./chunk-KH3W3422.js";import{b as ve,e as we}from"./chunk-E2DBQZWT.js";import{a as K}from"./chunk-NGQ3C66V.js";import{b as Be,c as Me}from"./chunk-I52D3NO7.js";import{Ab as G,B as $e,Bb as D,C as ce,D as L,Db as Ce,Ea as x,Eb as E,Fa as me,Fb as ke,Gb as _e,Hb as Oe,Ib as Se,Jb as Te,Kb as qe,L as H,M as I,O as de,Sb as Ne,Ta as fe,Tb as Fe,Ub as Ue,Xa as he,Ya as S,Za as be,_a as ge,a as v,ab as ye,b as _,c as M,d as q,i as N,j as ie,k as le,ma as ue,oa as i,pa as w,qa as O,r as T,s as P,t as F,va as pe,wa as k,x as y,xa as j,z as U,zb as xe}from"./chunk-GS2UUHZM.js";var R=[["source","Source","newsletter"],["medium","Medium","email"],["campaign","Campaign","spring-sale"],["term","Term","running shoes"],["content","Content","header-link"]];function Le(t){let[,e,o,s]=t.match(/^([^?#]*)(?:\?([^#]*))?(#.*)?$/s);return{path:e,pairs:o?o.split("&"):[],fragment:s??""}}var ee=t=>Ge(t.split("=",1)[0]);function Ge(t){try{return decodeURIComponent(t.replaceAll("+"," "))}catch{return t}}function oe(t,e){let o=Le(t).pairs.find(s=>ee(s)===`utm_${e}`);return o?Ge(o.slice(o.indexOf("=")+1||o.length)):""}function J(t,e,o){let{path:s,pairs:n,fragment:a}=Le(t),$=o&&`utm_${e}=${encodeURIComponent(o).replaceAll("%20","+")}`,c=n.findIndex(h=>ee(h)===`utm_${e}`),u=n.filter(h=>ee(h)!==`utm_${e}`);return $&&u.splice(c<0?u.length:c,0,$),s+(u.length?`?${u.join("&")}`:"")+a}var B=t=>Object.fromEntries(R.map(([e])=>[e,oe(t,e)]).filter(([,e])=>e)),Ke=(t,e)=>R.reduce((o,[s])=>J(o,s,e[s]??""),t),Ut=(t,e)=>Object.entries(B(e)).reduce((o,[s,n])=>J(o,s,n),t),te=50,$t=64*1024,W=40;function We(t){let e;try{e=JSON.parse(t??"[]")}catch{return[]}return Array.isArray(e)?e.filter(o=>typeof o?.name=="string"&&o.name&&ct(o.values)).slice(0,te).map(({name:o,values:s})=>({name:o,values:s})):[]}var ct=t=>t!==null&&typeof t=="object"&&Object.entries(t).every(([e,o])=>R.some(([s])=>s===e)&&typeof o=="string");function se(t,e,o){if(e=e.trim(),!e)return{problem:"Enter a name."};if([...e].length>W)return{problem:`A name can have at most ${W} characters.`};let s=t.filter(a=>a.name.toLowerCase()!==e.toLowerCase());if(s.length>=te)return{problem:`There are ${te} sets already. Delete one first.`};let n=[...s,{name:e,values:o}].sort((a,$)=>a.name.localeCompare($.name));return new TextEncoder().encode(JSON.stringify(n)).length>$t?{problem:"The sets take too much room. Delete one first."}:{sets:n}}var Je=(t,e)=>t.filter(o=>o.name!==e);function Ye({id:t,rule:e,problems:o,onChange:s,onDone:n}){let a=([l])=>X(e,l)!==void 0,$=(l,p,m="")=>{let r={...e,text:{...e.text,[l]:m}};l==="share"?r.share=p:r.when={...e.when,[l]:p},s(r)},c=l=>{let{[l]:p,...m}=e.text??{},{[l]:r,...d}=e.when??{};s({...e,text:m,when:d,share:l==="share"?void 0:e.share})},u=l=>{$(l,Ie[l]),requestAnimationFrame(()=>document.querySelector(`[data-condition="${t}-${l}"] :is(input, button)`)?.focus())},h=V.filter(l=>!a(l)),f=l=>({class:"field",autocomplete:"off",spellcheck:!1,value:e[l],onInput:p=>s({...e,[l]:p.target.value}),"aria-invalid":!!o[l],"aria-describedby":o[l]?`${t}-${l}-problem`:void 0});return i`<div class="rule-form">
    <div><label><span class="form-label">Leads to</span>
        <input inputmode="url" placeholder="https://example.com/"
          ...${f("url")} class="field mono" /><${k} text=${e.url} /></label>
      <${x} id=${`${t}-url`} text=${o.url} /></div>
    ${V.filter(a).map(([l,p])=>i`<div class="condition" key=${l} role="group" aria-label=${p}
        data-condition=${`${t}-${l}`}><span>${p}</span>
        <div><${ut} id=${`${t}-${l}`} kind=${l} label=${p}
          value=${X(e,l)} text=${e.text?.[l]} problem=${o[l]}
          onChange=${(m,r)=>$(l,m,r)} /></div>
        <${O} icon="close" label=${`Remove condition ${p}`}
          onClick=${()=>c(l)} /></div>`)}
    <div class="rule-form-end">
      ${h.length>0&&i`<${he} text="Add a condition" popup="menu">${l=>i`<${fe} ...${l} label="Add a condition"
            items=${h.map(([p,m])=>({label:m,onChoose:()=>u(p)}))} />`}<//>`}
      <div class="rule-name"><label><span class="form-label">Name in statistics</span>
        <input ...${f("name")} />
        <${k} text=${e.name} /></label>
        <${x} id=${`${t}-name`} text=${o.name} /></div>
      <button type="button" class="button" onClick=${n}>Done</button></div>
  </div>`}var dt={language:{label:"Languages",placeholder:"German, pt-BR",show:P,options:()=>je.map(t=>({value:P(t)}))},country:{label:"Countries",placeholder:"Germany, AT",show:T,options:()=>F().map(t=>({value:T(t)}))},query:{label:"Query parameters",placeholder:"ref=print",show:_e},address:{label:"Addresses",placeholder:"192.0.2.0/24"}};function ut({id:t,kind:e,label:o,value:s,text:n,problem:a,onChange:$}){if(Z[e]){let{options:h=()=>[],...f}=dt[e],l=e==="query";return i`<${A} id=${t} parse=${Z[e]} text=${n} problem=${a}
      values=${l?Object.entries(s):s} options=${h()}
      onChange=${(p,m)=>$(l?Object.fromEntries(p):p,m)}
      ...${f} />`}let c={"aria-invalid":!!a,"aria-describedby":a?`${t}-problem`:void 0};return i`${(()=>{switch(e){case"device":return i`<${Qe} names=${Ce} value=${s} onChange=${$}
        isInvalid=${!!a} />`;case"browser":return i`<${Qe} names=${E} value=${s} onChange=${$}
        isInvalid=${!!a} />`;case"share":return i`<span class="share"><input class="field" type="number" min="1"
        max="99" aria-label="Percent of visitors" ...${c}
        value=${Number.isNaN(s)?"":s}
        onInput=${h=>$(h.target.valueAsNumber)} /> % of these visitors</span>`;default:return i`<${K} aria-label=${o} ...${c}
        fresh=${e==="before"?"23:59":"00:00"}
        value=${D(s)?xe(Date.parse(s)):s} onChange=${h=>$(D(h)?new Date(G(h)).toISOString():h)} />`}})()}<${x} id=${t} text=${a} />`}var Qe=({names:t,value:e,isInvalid:o,onChange:s})=>i`<span class="toggles"
  data-invalid=${o}>
  ${Object.entries(t).map(([n,a])=>i`<button type="button" key=${n}
    class="toggle" aria-pressed=${e.includes(n)} onClick=${()=>s(e.includes(n)?e.filter($=>$!==n):[...e,n])}>${a}</button>`)}</span>`;var ze={iphone:["iPhone",["ios","mobile"],"safari"],ipad:["iPad",["ios","tablet"],"safari"],phone:["Android phone",["android","mobile"],"chrome"],tablet:["Android tablet",["android","tablet"],"chrome"],windows:["Windows PC",["windows","desktop"],"chrome"],mac:["Mac",["macos","desktop"],"safari"],linux:["Linux PC",["linux","desktop"],"firefox"],chromebook:["Chromebook",["chromeos","desktop"],"chrome"]},ne=t=>[...new Set(t)],pt=["en","de","fr","es","it","pt","nl","pl","ja","zh"],mt=t=>(e,o)=>t(e).localeCompare(t(o));function He({id:t,rules:e,destination:o}){let s=r=>ne(e.flatMap(d=>d.when?.[r]??[])),n=e.map(r=>r.when?.query).filter(r=>r&&!ke(r)),[a,$]=v({kind:"iphone",browser:"",query:"",address:""}),c={language:s("language")[0]??"en",country:s("country")[0]??"US",...a},u=r=>d=>$({...a,[r]:d}),[,h,f]=ze[c.kind],l=Te(e,{...c,device:h,browser:c.browser||f,query:ft(n[c.query])},o),p=ne([...F().sort(mt(T)),...s("country")]),m=(r,d,b)=>i`<${S} label=${d} isField=${!0}
    value=${c[r]} onChange=${u(r)}
    options=${b.map(([C,lt])=>[C,y(lt)])} />`;return i`<div class="try-it" role="group" aria-labelledby=${t}>
    <span id=${t} class="form-label">Try it</span><div class="form-line">
    ${m("kind","Device of the visitor",Object.entries(ze).map(([r,[d]])=>[r,d]))}
    ${s("browser").length>0&&m("browser","Browser of the visitor",[["",`usual: ${E[f]}`],...Object.entries(E)])}
    ${m("language","Language of the visitor",ne([...pt,...s("language")]).map(r=>[r,P(r)]))}
    ${m("country","Country of the visitor",p.map(r=>[r,T(r)]))}
    ${n.length>0&&m("query","Query of the visit",[["","no query"],...n.map((r,d)=>[d,Oe(r)])])}
    ${s("address").length>0&&m("address","IP address of the visitor",[["","other addresses"],...s("address").map(r=>[r,r])])}</div>
    <p class="outcome" role="status">goes ${l.map(({url:r,share:d,rule:b},C)=>i`<span key=${C}>${C>0&&" or "}${ht(r,b)}${d<1&&` (${ie(d,1)})`}
        <span class="quiet"> ${b?`(${y(b.name)})`:""}</span></span>`)}</p>
  </div>`}var ft=(t={})=>Object.fromEntries(Object.entries(t).map(([e,o])=>[e,o??"any"]));function ht(t,e){return t.trim()?i`to <b>${y(U(qe(t)).join(""))}</b>`:e?"nowhere yet":i`to <b>the destination</b>`}var bt=20,gt=t=>t.trim()?y(U(t).join("")):"…";function Xe({id:t,rules:e,destination:o,problems:s,onChange:n}){let[a,$]=v(0),c=q(),u=e.find((m,r)=>Object.keys(Ve(s,r)).length>0)?.id;M(()=>{u&&$(u)},[s]);let h=()=>{let m=e.map(b=>b.name),r=e.length+1;for(;m.includes(`rule-${r}`);)r++;let d=Pe({name:`rule-${r}`,when:{},url:""});n([...e,d]),$(d.id),requestAnimationFrame(()=>c.current?.querySelector(".rule-form input, .rule-form select")?.focus())},f=m=>n(e.map(r=>r.id===m.id?m:r)),l=m=>{j(`Removed rule ${m+1}`),n(e.filter((r,d)=>d!==m)),requestAnimationFrame(()=>c.current?.querySelector(".rule-add")?.focus())},p=xt(c,e,n);return i`<div class="rules" ref=${c}>
    ${e.length>0&&i`<ol>${e.map((m,r)=>i`<${wt} key=${m.id} id=${t}
      rule=${m} index=${r} of=${e.length} rules=${e} dragging=${p}
      open=${a===m.id} problem=${s[`rules[${r}]`]}
      problems=${Ve(s,r)} onChange=${f}
      onOpen=${()=>$(a===m.id?0:m.id)} onRemove=${()=>l(r)} />`)}
    </ol>`}
    <div class="rules-end"><span class="quiet">${e.length?"Else → the destination":"Everyone goes to the destination."}</span>
      ${e.length<bt&&i`<button type="button" class="text-button rule-add"
        onClick=${h}><${w} name="add" />Add a rule</button>`}</div>
    ${e.length>0&&i`<${He} id=${`${t}-try`} rules=${e}
      destination=${o} />`}
  </div>`}function Ve(t,e){let o=`rules[${e}].`;return Object.fromEntries(Object.entries(t).filter(([s])=>s.startsWith(o)).map(([s,n])=>[s.slice(o.length),n]))}var yt=(t,e)=>Object.fromEntries(Object.entries(e).filter(([o])=>o==="name"||o==="share"||o==="url"&&t.url.trim()||t.when?.after&&t.when.before&&o==="before")),vt=({when:t={},share:e})=>Object.keys(t).length===0&&e===void 0;function wt({id:t,rule:e,index:o,of:s,rules:n,dragging:a,open:$,problem:c,problems:u,onChange:h,onOpen:f,onRemove:l}){let p=y(Se(e,o)),m=Re(e,n),[r]=$?[]:Object.values(m),d=n.findIndex(vt)===o&&o+1<s;return i`<li class="rule" data-dragging=${a.id===e.id} data-id=${e.id}>
    <div class="rule-line">
      <button type="button" class="icon-button grip"
        aria-label=${`Move rule ${o+1} of ${s}: ${p}`}
        title="Drag, or press the up or down arrow key" ...${a.grip(e,o)}>
        <${w} name="grip" /></button>
      <span class="rule-words">${p} <span class="quiet">→ ${gt(e.url)}</span>
      </span>
      <${O} icon="edit" label=${`Edit rule ${o+1}`} aria-expanded=${$}
        onClick=${f} />
      <${O} icon="close" label=${`Remove rule ${o+1}`} onClick=${l} />
    </div>
    ${$&&i`<${Ye} id=${`${t}-${e.id}`} rule=${e} onChange=${h}
      problems=${{...yt(e,m),...u}} onDone=${f} />`}
    ${(c||r)&&i`<p class="problem" role="alert">${c||r}</p>`}
    ${d&&i`<p class="rule-warning" role="status"><${w} name="alert" />
      The rules below are never reached.</p>`}
  </li>`}function xt(t,e,o){let[s,n]=v(0),a=q();a.current=e;let $=(f,l)=>{if(l<0||l>=a.current.length||l===f)return;let p=[...a.current];p.splice(l,0,...p.splice(f,1)),o(p),j(`Rule ${l+1} of ${p.length}`)},c=f=>a.current.findIndex(l=>l.id===f.id),u=(f,l)=>{let p=[...t.current.querySelectorAll(".rule")].map(d=>d.getBoundingClientRect()),m=c(l),r=p.findIndex((d,b)=>b<m?f.clientY<d.top+d.height/2:b>m&&f.clientY>d.top+d.height/2&&(b+1===p.length||f.clientY<p[b+1].top+p[b+1].height/2));r>=0&&$(m,r)};return{id:s,grip:(f,l)=>({onPointerDown:p=>{p.button||(p.currentTarget.setPointerCapture(p.pointerId),n(f.id))},onPointerMove:p=>p.currentTarget.hasPointerCapture(p.pointerId)&&u(p,f),onPointerUp:()=>n(0),onPointerCancel:()=>n(0),onKeyDown:p=>{let m={ArrowUp:-1,ArrowDown:1}[p.key];if(!m)return;p.preventDefault();let r=p.currentTarget;$(l,l+m),requestAnimationFrame(()=>r.focus())}})}}var Ze={aliases:"addresses",starts_at:"start",redirect_status:"redirect type",forward_query:"query",forward_path:"path",note:"note",disabled:"off"};function Ct(t){return t.length===1?y(t[0]):N(t.length,"address","addresses")}var et=t=>D(t)?le(new Date(G(t))):"",tt=t=>/^\d+$/.test(t.trim())?`after ${N(Number(t),"click","clicks")}`:"";function kt({ends:t,expires_at:e,max_clicks:o}){return{never:[],on:[et(e)],after:[tt(o)],either:[et(e),tt(o)]}[t].filter(Boolean).join(" or ")}function _t({password:t},e){return t?"set":e?.password?t===""?"will be removed":"set":""}var ot=(t,e)=>({utm:Object.values(B(t.original_url)).join(" · "),ends:kt(t),password:_t(t,e),rules:t.rules.length?N(t.rules.length,"rule","rules"):"",more:Object.keys(Ze).filter(o=>t[o]?.length??t[o]).map(o=>o==="aliases"?Ct(t.aliases):Ze[o]).join(", ")});var nt="terse-utm-sets",st=["source","medium","campaign"],Ot=100,St=["none","other"],Q=H([]),rt=H({});function Tt(){try{Q.set(We(localStorage.getItem(nt)))}catch{}}function re(t){Q.set(t);try{localStorage.setItem(nt,JSON.stringify(t))}catch{}}async function It(){try{let t=st.join(","),e=await ue("GET",de("/api/overview",{by:t,limit:Ot})),o=s=>Object.entries(e[`by_${s}`]??{}).filter(([n])=>!St.includes(n)).map(([n,a])=>({value:n,count:a})).sort((n,a)=>a.count-n.count);rt.set(Object.fromEntries(st.map(s=>[s,o(s)])))}catch{}}function at({id:t,url:e,onChange:o,disabled:s}){let n=I(Q),a=I(rt);_(()=>{Tt(),It()},[]);let $=({name:u,values:h})=>{o(Ke(e,h)),j(`Filled in from ${u}`)},c=u=>{let h=[...a[u]??[]];for(let{values:f}of n)f[u]&&!Be(h,f[u])&&h.push({value:f[u]});return h};return i`<${jt} id=${`${t}-set`} sets=${n} values=${B(e)} disabled=${s}
      onApply=${$} />
    <div class="fields">${R.map(([u,h,f])=>{let l=oe(e,u),p=m=>o(J(e,u,m));return i`<div class="form-field" key=${u}>
        <label for=${`${t}-${u}`}>${h}</label>
        <${Me} id=${`${t}-${u}`} label=${h} class="field" text=${l}
          placeholder=${f} disabled=${s} options=${c(u)}
          onText=${p} onChoose=${p} />
        <${k} text=${l} /></div>`})}</div>
    ${s&&i`<p class="hint">Enter a URL first: these are written into it.</p>`}`}function jt({id:t,sets:e,values:o,disabled:s,onApply:n}){let[a,$]=v(null),[c,u]=v(""),h=q(),f=a!==null;_(()=>{f&&h.current.focus()},[f]);let l=Object.keys(o).length>0,p=()=>{let{sets:d,problem:b=""}=se(e,a,o);u(b),!b&&(re(d),$(null),j(`Saved ${a.trim()}`))},m=d=>{re(Je(e,d.name)),pe(`Deleted the set ${d.name}`,()=>re(se(Q.get(),d.name,d.values).sets))},r=d=>{if(d.key==="Escape")$(null);else if(d.key==="Enter")p();else return;d.preventDefault(),d.stopPropagation()};return i`<div class="utm-sets" role="group" aria-label="Saved sets">
    ${e.map(d=>i`<span class="tag" key=${d.name}>
      <button type="button" class="utm-set" disabled=${s}
        title=${Object.values(d.values).map(y).join(" · ")}
        onClick=${()=>n(d)}>${y(d.name)}</button>
      <button type="button" class="tag-remove" aria-label=${`Delete the set ${y(d.name)}`}
        onClick=${()=>m(d)}><${w} name="close" /></button></span>`)}
    ${f?i`<span class="utm-name"><input id=${t} class="field" aria-label="Name of the set"
            placeholder="Name of the set" autocomplete="off" maxlength=${W}
            ref=${h} value=${a}
            onInput=${d=>$(d.target.value)} onKeyDown=${r}
            aria-invalid=${!!c}
            aria-describedby=${c?`${t}-problem`:void 0} />
          <button type="button" class="button" onClick=${p}>Save</button></span>
          <${x} id=${t} text=${c} />`:i`<button type="button" class="text-button" disabled=${!l} onClick=${()=>{u(""),$("")}}><${w} name="add" />Save as a set</button>`}</div>`}var g=({id:t,label:e,wide:o,problem:s,hint:n,children:a})=>i`<div class="form-field"
  data-wide=${!!o}><label for=${t}>${e}</label>${a}
  ${s?i`<${x} id=${t} text=${s} />`:n&&i`<p class="hint">${n}</p>`}</div>`,Y=({id:t,label:e,wrong:o,problem:s,children:n})=>i`<div class="form-field" role="group" aria-labelledby=${`${t}-label`}>
  <span id=${`${t}-label`} class="form-label">${e}</span>
  ${n}<${x} id=${o} text=${s} /></div>`;function Zo({id:t="f",draft:e,onChange:o,problems:s={},link:n,isNew:a=!1,several:$=!1}){let[c,u]=v([]);M(()=>{let r=Ee(s);r.length&&u(d=>[...new Set([...d,...r])])},[s]);let h=r=>d=>o({...e,[r]:d}),f={id:t,draft:e,set:h,problems:s},l=ot($?{...e,...De}:e,n),p=r=>u(c.includes(r)?c.filter(d=>d!==r):[...c,r]),m=(r,d,b)=>{let C=c.includes(r);return i`<button type="button" class="disclosure" aria-expanded=${C}
        aria-controls=${`${t}-${r}-part`} onClick=${()=>p(r)}>
        <${w} name="forth" />${d}
        ${!C&&l[r]&&i`${" "}<span class="quiet">${l[r]}</span>`}
      </button>
      ${C&&i`<div id=${`${t}-${r}-part`} class="form-part">${b()}</div>`}`};return i`<div class="fields form-main">
      ${!a&&i`<${g} id=${`${t}-original_url`} label="Destination" wide=${!0}
        problem=${s.original_url}><${z} ...${f} name="original_url" mono=${!0}
          inputmode="url" /><//>`}
      ${a&&$e&&i`<${qt} ...${f} />`}
      ${!$&&i`<${Pt} ...${f} old=${n?.short_code} />`}
      ${!$&&i`<${g} id=${`${t}-title`} label="Title" problem=${s.title}>
        <${z} ...${f} name="title" spellcheck=${!0} /><//>`}
      <${Dt} ...${f} onChange=${o} />
    </div>
    ${m("utm","UTM",()=>i`<${at} id=${`${t}-utm`} url=${e.original_url}
      onChange=${h("original_url")} disabled=${!$&&!e.original_url.trim()} />`)}
    ${m("ends","Ends",()=>i`<${Rt} ...${f} />`)}
    ${m("password","Password",()=>i`<div class="fields">
      <${Ft} ...${f} link=${n} /></div>`)}
    ${m("rules","Rules",()=>i`<${Xe} id=${`${t}-rules`} rules=${e.rules}
      destination=${$?"":e.original_url} problems=${s}
      onChange=${h("rules")} />`)}
    ${m("more","More",()=>i`<${Nt} ...${f} onChange=${o} several=${$} />`)}`}var z=({id:t,draft:e,set:o,problems:s,name:n,mono:a,type:$="text",spellcheck:c=!1,...u})=>i`<input id=${`${t}-${n}`} type=${$}
  class=${a?"field mono":"field"} autocomplete="off" spellcheck=${c}
  value=${e[n]} aria-invalid=${!!s[n]}
  aria-describedby=${s[n]?`${t}-${n}-problem`:void 0}
  onInput=${h=>o(n)(h.target.value)} ...${u} />
  <${k} text=${String(e[n])} />`,it=({id:t,draft:e,set:o,problems:s,name:n,fresh:a})=>i`<${K}
  id=${`${t}-${n}`} value=${e[n]} onChange=${o(n)} fresh=${a}
  aria-invalid=${!!s[n]}
  aria-describedby=${s[n]?`${t}-${n}-problem`:void 0} />`;function qt({id:t,draft:{domain:e},set:o,problems:s}){let n=I(be).filter(c=>c.configured);_(()=>{ge()?.catch(()=>{})},[]),_(()=>{n.length>0&&!n.some(u=>u.name===e)&&a("")},[n.length,e]);let a=c=>{ye(c),o("domain")(c)},$=n.map(c=>[c.name,c.domain]);return i`<${g} id=${`${t}-domain`} label="Domain" problem=${s.domain}>
    <${S} id=${`${t}-domain`} label="Domain" isField=${!0} value=${e}
      options=${$.length?$:[[e,e||ce]]}
      onChange=${a} /><//>`}function Pt({id:t,draft:e,set:o,problems:s,old:n}){let a=e.short_code,$=`${t}-short_code`,c=s.short_code??(a.trim().length>20?ve(a):"");return i`<${g} id=${$} label="Code" problem=${c}
    hint=${n&&a.trim()&&a.trim()!==n?`${n} stays as an address.`:""}>
    <span class="code-field" data-invalid=${!!c} onClick=${me}>
      <span class="quiet mono" title=${`${L(e.domain)}/`}>${L(e.domain)}/</span>
      <input id=${$} class="mono" placeholder=${n?"":"auto"}
        autocomplete="off" autocapitalize="off"
        spellcheck=${!1} value=${a} onInput=${u=>o("short_code")(u.target.value)}
        aria-invalid=${!!c}
        aria-describedby=${c?`${$}-problem`:void 0} /></span><//>`}function Dt({id:t,draft:e,onChange:o,problems:s}){let n=I(Ne);return _(()=>{Fe()},[]),i`<${g} id=${`${t}-tags`} label="Tags">
    <${A} id=${`${t}-tags`} label="Tags" values=${e.tags} text=${e.tag_text}
      onChange=${(a,$)=>o({...e,tags:a,tag_text:$})}
      parse=${Ae} options=${Ue(n)} create=${!0} placeholder="newsletter, shop"
      problem=${s.tags} /><//>`}var Et=[["never","never"],["on","at a time"],["after","after a number of clicks"],["either","at a time or after clicks"]],At=[["page","a page that says so"],["url","another page"]];function Rt(t){let{id:e,draft:o,set:s,problems:n}=t,a=o.ends,$=a!=="never"||o.disabled||o.then==="url";return i`<div class="fields">
    <${g} id=${`${e}-ends`} label="Ends"><${S} id=${`${e}-ends`} label="Ends"
      isField=${!0} value=${a} options=${Et} onChange=${s("ends")} /><//>
    ${(a==="on"||a==="either")&&i`<${g} id=${`${e}-expires_at`} label="Ends on" problem=${n.expires_at}>
        <${it} ...${t} name="expires_at" fresh="23:59" /><//>`}
    ${(a==="after"||a==="either")&&i`<${g} id=${`${e}-max_clicks`} label="Clicks until it ends"
        problem=${n.max_clicks}>
        <${z} ...${t} name="max_clicks" inputmode="numeric" /><//>`}
    ${$&&i`<${g} id=${`${e}-then`} label="Then show"><${S} id=${`${e}-then`}
        label="Then show" isField=${!0} value=${o.then} options=${At}
        onChange=${s("then")} /><//>`}
    ${$&&o.then==="url"&&i`<${g} id=${`${e}-expired_url`} label="Page to show"
        problem=${n.expired_url}><${z} ...${t} name="expired_url" mono=${!0}
          inputmode="url" placeholder="https://example.com/" /><//>`}</div>`}var Bt=[["","302: temporary"],["301","301: permanent"],["307","307: temporary, keeps the method"],["308","308: permanent, keeps the method"]],Mt=["302","302, explicitly"];function Nt(t){let{id:e,draft:o,set:s,problems:n,onChange:a,several:$}=t,c=L(o.domain);return i`<div class="fields">
    ${!$&&i`<${g} id=${`${e}-aliases`} label="More addresses" wide=${!0}>
        <${A} id=${`${e}-aliases`} label="More addresses" values=${o.aliases}
          text=${o.alias_text} parse=${u=>we(u,o.domain)}
          exact=${!0} placeholder="docs/install"
          onChange=${(u,h)=>a({...o,aliases:u,alias_text:h})}
          hint=${`Aliases: they lead where the code leads, such as ${c}/docs/install.`}
          problem=${n.aliases} /><//>`}
    <${g} id=${`${e}-starts_at`} label="Starts" problem=${n.starts_at}>
      <${it} ...${t} name="starts_at" /><//>
    <${g} id=${`${e}-redirect_status`} label="Redirect type">
      <${S} id=${`${e}-redirect_status`} label="Redirect type" isField=${!0}
        value=${o.redirect_status} onChange=${s("redirect_status")}
        options=${[...Bt,...o.redirect_status==="302"?[Mt]:[]]} /><//>
    <${Y} id=${`${e}-state`} label="State">
      <${ae} ...${t} name="disabled" label="Off (disabled)" /><//>
    <${Y} id=${`${e}-forward`} label="Forward">
      <${ae} ...${t} name="forward_query" label="The visitor's query parameters" />
      <${ae} ...${t} name="forward_path" label="What follows the code in the path" /><//>
    <${g} id=${`${e}-note`} label="Note" wide=${!0} problem=${n.note}
      hint="Only you see it.">
      <textarea id=${`${e}-note`} class="field" rows="3" value=${o.note}
        onInput=${u=>s("note")(u.target.value)} aria-invalid=${!!n.note}
        aria-describedby=${n.note?`${e}-note-problem`:void 0} />
      <${k} text=${o.note} /><//></div>`}var ae=({draft:t,set:e,name:o,label:s})=>i`<label class="check"><input type="checkbox"
  checked=${t[o]} onChange=${n=>e(o)(n.target.checked)} />${s}</label>`;function Ft({id:t,draft:e,set:o,problems:s,link:n}){let[a,$]=v(!!e.password),c=`${t}-password`,u=o("password"),h=()=>{$(!1),u(null)};return n?.password&&e.password===""?i`<${Y} id=${c} label="Password">
    <div class="form-line"><span>Will be removed</span><button type="button" class="text-button"
      onClick=${h}>Keep it</button></div><//>`:n?.password&&!a?i`<${Y} id=${c} label="Password">
    <div class="form-line"><span>Set</span><button type="button" class="text-button"
      onClick=${()=>$(!0)}>Change</button>
    <button type="button" class="text-button" onClick=${()=>u("")}>Remove</button>
  </div><//>`:i`<${g} id=${c} label="Password" problem=${s.password}>
    <div class="form-line"><input id=${c} class="field" type="password"
      autocomplete="new-password" value=${e.password??""}
      aria-invalid=${!!s.password}
      aria-describedby=${s.password?`${c}-problem`:void 0}
      onInput=${f=>u(f.target.value||null)} />
      ${n?.password&&i`<${O} icon="close" label="Keep the old password"
        onClick=${h} />`}</div><//>`}export{Ut as a,Zo as b};
