import{a as H,b as ye,c as V,d as we,e as X,f as ke,i as Ce,l as _e,n as Oe,q as Se,s as P}from"./chunk-HDESP4KC.js";import{b as de,e as ue}from"./chunk-O7RICU6H.js";import{$ as r,B as F,D as z,E as q,G as le,_ as ce,a as y,aa as x,b as T,ba as _,c as R,d as I,db as pe,eb as L,fb as E,ga as $e,gb as me,h as N,ha as C,hb as A,i as ae,ia as S,ib as fe,j as ie,jb as he,kb as be,lb as ge,ma as k,mb as ve,nb as xe,p as O,q as j,r as M,rb as Te,sb as Ie,tb as je,ub as qe,v,vb as Ee,x as U}from"./chunk-UIRYTHGR.js";var D=[["source","Source","newsletter"],["medium","Medium","email"],["campaign","Campaign","spring-sale"],["term","Term","running shoes"],["content","Content","header-link"]];function Ae(t){let[,e,o,s]=t.match(/^([^?#]*)(?:\?([^#]*))?(#.*)?$/s);return{path:e,pairs:o?o.split("&"):[],fragment:s??""}}var Z=t=>Pe(t.split("=",1)[0]);function Pe(t){try{return decodeURIComponent(t.replaceAll("+"," "))}catch{return t}}function te(t,e){let o=Ae(t).pairs.find(s=>Z(s)===`utm_${e}`);return o?Pe(o.slice(o.indexOf("=")+1||o.length)):""}function K(t,e,o){let{path:s,pairs:n,fragment:i}=Ae(t),$=o&&`utm_${e}=${encodeURIComponent(o).replaceAll("%20","+")}`,l=n.findIndex(h=>Z(h)===`utm_${e}`),p=n.filter(h=>Z(h)!==`utm_${e}`);return $&&p.splice(l<0?p.length:l,0,$),s+(p.length?`?${p.join("&")}`:"")+i}var B=t=>Object.fromEntries(D.map(([e])=>[e,te(t,e)]).filter(([,e])=>e)),De=(t,e)=>D.reduce((o,[s])=>K(o,s,e[s]??""),t),jt=(t,e)=>Object.entries(B(e)).reduce((o,[s,n])=>K(o,s,n),t),ee=50,tt=64*1024,G=40;function Be(t){let e;try{e=JSON.parse(t??"[]")}catch{return[]}return Array.isArray(e)?e.filter(o=>typeof o?.name=="string"&&o.name&&ot(o.values)).slice(0,ee).map(({name:o,values:s})=>({name:o,values:s})):[]}var ot=t=>t!==null&&typeof t=="object"&&Object.entries(t).every(([e,o])=>D.some(([s])=>s===e)&&typeof o=="string");function oe(t,e,o){if(e=e.trim(),!e)return{problem:"Enter a name."};if([...e].length>G)return{problem:`A name can have at most ${G} characters.`};let s=t.filter(i=>i.name.toLowerCase()!==e.toLowerCase());if(s.length>=ee)return{problem:`There are ${ee} sets already. Delete one first.`};let n=[...s,{name:e,values:o}].sort((i,$)=>i.name.localeCompare($.name));return new TextEncoder().encode(JSON.stringify(n)).length>tt?{problem:"The sets take too much room. Delete one first."}:{sets:n}}var Re=(t,e)=>t.filter(o=>o.name!==e);var Ne="?";function W({value:t,onChange:e,...o}){let s=({target:n})=>{let i=n.validity.badInput?Ne:n.value;i!==t&&e(i)};return r`<input class="field" type="datetime-local" max="9999-12-31T23:59"
    value=${t===Ne?"":t} onInput=${s} onBlur=${s} ...${o} />`}function Ue({id:t,rule:e,problems:o,onChange:s,onDone:n}){let i=([c])=>V(e,c)!==void 0,$=(c,u,m="")=>{let a={...e,text:{...e.text,[c]:m}};c==="share"?a.share=u:a.when={...e.when,[c]:u},s(a)},l=c=>{let{[c]:u,...m}=e.text??{},{[c]:a,...d}=e.when??{};s({...e,text:m,when:d,share:c==="share"?void 0:e.share})},p=c=>{let u=c.target.value;$(u,ye[u]),requestAnimationFrame(()=>document.querySelector(`[data-condition="${t}-${u}"] :is(input, button)`)?.focus())},h=H.filter(c=>!i(c)),f=c=>({class:"field",autocomplete:"off",spellcheck:!1,value:e[c],onInput:u=>s({...e,[c]:u.target.value}),"aria-invalid":!!o[c],"aria-describedby":o[c]?`${t}-${c}-problem`:void 0});return r`<div class="rule-form">
    <div><label><span class="form-label">Leads to</span>
        <input inputmode="url" placeholder="https://example.com/"
          ...${f("url")} class="field mono" /><${C} text=${e.url} /></label>
      <${k} id=${`${t}-url`} text=${o.url} /></div>
    ${H.filter(i).map(([c,u])=>r`<div class="condition" key=${c} role="group" aria-label=${u}
        data-condition=${`${t}-${c}`}><span>${u}</span>
        <div><${nt} id=${`${t}-${c}`} kind=${c} label=${u}
          value=${V(e,c)} text=${e.text?.[c]} problem=${o[c]}
          onChange=${(m,a)=>$(c,m,a)} /></div>
        <${_} icon="close" label=${`Remove condition ${u}`}
          onClick=${()=>l(c)} /></div>`)}
    <div class="rule-form-end">
      ${h.length>0&&r`<select class="field" aria-label="Add a condition" value=""
        onChange=${p}><option value="" disabled selected>Add a condition</option>
        ${h.map(([c,u])=>r`<option value=${c}>${u}</option>`)}</select>`}
      <div class="rule-name"><label><span class="form-label">Name in statistics</span>
        <input ...${f("name")} />
        <${C} text=${e.name} /></label>
        <${k} id=${`${t}-name`} text=${o.name} /></div>
      <button type="button" class="button" onClick=${n}>Done</button></div>
  </div>`}var st={language:{label:"Languages",placeholder:"German, pt-BR",show:j,options:()=>we.map(t=>({value:j(t)}))},country:{label:"Countries",placeholder:"Germany, AT",show:O,options:()=>M().map(t=>({value:O(t)}))},query:{label:"Query parameters",placeholder:"ref=print",show:he},address:{label:"Addresses",placeholder:"192.0.2.0/24"}};function nt({id:t,kind:e,label:o,value:s,text:n,problem:i,onChange:$}){if(X[e]){let{options:h=()=>[],...f}=st[e],c=e==="query";return r`<${P} id=${t} parse=${X[e]} text=${n} problem=${i}
      values=${c?Object.entries(s):s} options=${h()}
      onChange=${(u,m)=>$(c?Object.fromEntries(u):u,m)}
      ...${f} />`}let l={"aria-invalid":!!i,"aria-describedby":i?`${t}-problem`:void 0};return r`${(()=>{switch(e){case"device":return r`<${Me} names=${me} value=${s} onChange=${$}
        isInvalid=${!!i} />`;case"browser":return r`<${Me} names=${A} value=${s} onChange=${$}
        isInvalid=${!!i} />`;case"share":return r`<span class="share"><input class="field" type="number" min="1"
        max="99" aria-label="Percent of visitors" ...${l}
        value=${Number.isNaN(s)?"":s}
        onInput=${h=>$(h.target.valueAsNumber)} /> % of these visitors</span>`;default:return r`<${W} aria-label=${o} ...${l}
        value=${E(s)?pe(Date.parse(s)):s} onChange=${h=>$(E(h)?new Date(L(h)).toISOString():h)} />`}})()}<${k} id=${t} text=${i} />`}var Me=({names:t,value:e,isInvalid:o,onChange:s})=>r`<span class="toggles"
  data-invalid=${o}>
  ${Object.entries(t).map(([n,i])=>r`<button type="button" key=${n}
    class="toggle" aria-pressed=${e.includes(n)} onClick=${()=>s(e.includes(n)?e.filter($=>$!==n):[...e,n])}>${i}</button>`)}</span>`;var Fe={iphone:["iPhone",["ios","mobile"],"safari"],ipad:["iPad",["ios","tablet"],"safari"],phone:["Android phone",["android","mobile"],"chrome"],tablet:["Android tablet",["android","tablet"],"chrome"],windows:["Windows PC",["windows","desktop"],"chrome"],mac:["Mac",["macos","desktop"],"safari"],linux:["Linux PC",["linux","desktop"],"firefox"],chromebook:["Chromebook",["chromeos","desktop"],"chrome"]},se=t=>[...new Set(t)],rt=["en","de","fr","es","it","pt","nl","pl","ja","zh"],at=t=>(e,o)=>t(e).localeCompare(t(o));function Le({id:t,rules:e,destination:o}){let s=a=>se(e.flatMap(d=>d.when?.[a]??[])),n=e.map(a=>a.when?.query).filter(a=>a&&!fe(a)),[i,$]=y({kind:"iphone",browser:"",query:"",address:""}),l={language:s("language")[0]??"en",country:s("country")[0]??"US",...i},p=a=>d=>$({...i,[a]:d.target.value}),[,h,f]=Fe[l.kind],c=ve(e,{...l,device:h,browser:l.browser||f,query:it(n[l.query])},o),u=se([...M().sort(at(O)),...s("country")]),m=(a,d,b)=>r`<select class="field" aria-label=${d}
    value=${l[a]} onChange=${p(a)}>${b.map(([w,et])=>r`<option key=${w} value=${w}>${v(et)}</option>`)}</select>`;return r`<div class="try-it" role="group" aria-labelledby=${t}>
    <span id=${t} class="form-label">Try it</span><div class="form-line">
    ${m("kind","Device of the visitor",Object.entries(Fe).map(([a,[d]])=>[a,d]))}
    ${s("browser").length>0&&m("browser","Browser of the visitor",[["",`usual: ${A[f]}`],...Object.entries(A)])}
    ${m("language","Language of the visitor",se([...rt,...s("language")]).map(a=>[a,j(a)]))}
    ${m("country","Country of the visitor",u.map(a=>[a,O(a)]))}
    ${n.length>0&&m("query","Query of the visit",[["","no query"],...n.map((a,d)=>[d,be(a)])])}
    ${s("address").length>0&&m("address","Address of the visitor",[["","other addresses"],...s("address").map(a=>[a,a])])}</div>
    <p class="outcome" role="status">goes ${c.map(({url:a,share:d,rule:b},w)=>r`<span key=${w}>${w>0&&" or "}${lt(a,b)}${d<1&&` (${ae(d,1)})`}
        <span class="quiet"> ${b?`(${v(b.name)})`:""}</span></span>`)}</p>
  </div>`}var it=(t={})=>Object.fromEntries(Object.entries(t).map(([e,o])=>[e,o??"any"]));function lt(t,e){return t.trim()?r`to <b>${v(U(xe(t)).join(""))}</b>`:e?"nowhere yet":r`to <b>the destination</b>`}var ct=20,$t=t=>t.trim()?v(U(t).join("")):"…";function Ke({id:t,rules:e,destination:o,problems:s,onChange:n}){let[i,$]=y(0),l=I(),p=e.find((m,a)=>Object.keys(Ge(s,a)).length>0)?.id;R(()=>{p&&$(p)},[s]);let h=()=>{let m=e.map(b=>b.name),a=e.length+1;for(;m.includes(`rule-${a}`);)a++;let d=ke({name:`rule-${a}`,when:{},url:""});n([...e,d]),$(d.id),requestAnimationFrame(()=>l.current?.querySelector(".rule-form input, .rule-form select")?.focus())},f=m=>n(e.map(a=>a.id===m.id?m:a)),c=m=>{S(`Removed rule ${m+1}`),n(e.filter((a,d)=>d!==m)),requestAnimationFrame(()=>l.current?.querySelector(".rule-add")?.focus())},u=mt(l,e,n);return r`<div class="rules" ref=${l}>
    ${e.length>0&&r`<ol>${e.map((m,a)=>r`<${pt} key=${m.id} id=${t}
      rule=${m} index=${a} of=${e.length} rules=${e} dragging=${u}
      open=${i===m.id} problem=${s[`rules[${a}]`]}
      problems=${Ge(s,a)} onChange=${f}
      onOpen=${()=>$(i===m.id?0:m.id)} onRemove=${()=>c(a)} />`)}
    </ol>`}
    <div class="rules-end"><span class="quiet">${e.length?"Else → the destination":"Everyone goes to the destination."}</span>
      ${e.length<ct&&r`<button type="button" class="text-button rule-add"
        onClick=${h}><${x} name="add" />Add a rule</button>`}</div>
    ${e.length>0&&r`<${Le} id=${`${t}-try`} rules=${e}
      destination=${o} />`}
  </div>`}function Ge(t,e){let o=`rules[${e}].`;return Object.fromEntries(Object.entries(t).filter(([s])=>s.startsWith(o)).map(([s,n])=>[s.slice(o.length),n]))}var dt=(t,e)=>Object.fromEntries(Object.entries(e).filter(([o])=>o==="name"||o==="share"||o==="url"&&t.url.trim()||t.when?.after&&t.when.before&&o==="before")),ut=({when:t={},share:e})=>Object.keys(t).length===0&&e===void 0;function pt({id:t,rule:e,index:o,of:s,rules:n,dragging:i,open:$,problem:l,problems:p,onChange:h,onOpen:f,onRemove:c}){let u=v(ge(e,o)),m=Se(e,n),[a]=$?[]:Object.values(m),d=n.findIndex(ut)===o&&o+1<s;return r`<li class="rule" data-dragging=${i.id===e.id} data-id=${e.id}>
    <div class="rule-line">
      <button type="button" class="icon-button grip"
        aria-label=${`Move rule ${o+1} of ${s}: ${u}`}
        title="Drag, or press the up or down arrow key" ...${i.grip(e,o)}>
        <${x} name="grip" /></button>
      <span class="rule-words">${u} <span class="quiet">→ ${$t(e.url)}</span>
      </span>
      <${_} icon="edit" label=${`Edit rule ${o+1}`} aria-expanded=${$}
        onClick=${f} />
      <${_} icon="close" label=${`Remove rule ${o+1}`} onClick=${c} />
    </div>
    ${$&&r`<${Ue} id=${`${t}-${e.id}`} rule=${e} onChange=${h}
      problems=${{...dt(e,m),...p}} onDone=${f} />`}
    ${(l||a)&&r`<p class="problem" role="alert">${l||a}</p>`}
    ${d&&r`<p class="rule-warning" role="status"><${x} name="alert" />
      The rules below are never reached.</p>`}
  </li>`}function mt(t,e,o){let[s,n]=y(0),i=I();i.current=e;let $=(f,c)=>{if(c<0||c>=i.current.length||c===f)return;let u=[...i.current];u.splice(c,0,...u.splice(f,1)),o(u),S(`Rule ${c+1} of ${u.length}`)},l=f=>i.current.findIndex(c=>c.id===f.id),p=(f,c)=>{let u=[...t.current.querySelectorAll(".rule")].map(d=>d.getBoundingClientRect()),m=l(c),a=u.findIndex((d,b)=>b<m?f.clientY<d.top+d.height/2:b>m&&f.clientY>d.top+d.height/2&&(b+1===u.length||f.clientY<u[b+1].top+u[b+1].height/2));a>=0&&$(m,a)};return{id:s,grip:(f,c)=>({onPointerDown:u=>{u.button||(u.currentTarget.setPointerCapture(u.pointerId),n(f.id))},onPointerMove:u=>u.currentTarget.hasPointerCapture(u.pointerId)&&p(u,f),onPointerUp:()=>n(0),onPointerCancel:()=>n(0),onKeyDown:u=>{let m={ArrowUp:-1,ArrowDown:1}[u.key];if(!m)return;u.preventDefault();let a=u.currentTarget;$(c,c+m),requestAnimationFrame(()=>a.focus())}})}}var We={aliases:"addresses",starts_at:"start",redirect_status:"redirect type",forward_query:"query",forward_path:"path",note:"note",disabled:"off"};function ft(t){return t.length===1?v(t[0]):N(t.length,"address","addresses")}var Je=t=>E(t)?ie(new Date(L(t))):"",Qe=t=>/^\d+$/.test(t.trim())?`after ${N(Number(t),"click","clicks")}`:"";function ht({ends:t,expires_at:e,max_clicks:o}){return{never:[],on:[Je(e)],after:[Qe(o)],either:[Je(e),Qe(o)]}[t].filter(Boolean).join(" or ")}function bt({password:t},e){return t?"set":e?.password?t===""?"will be removed":"set":""}var Ye=(t,e)=>({utm:Object.values(B(t.original_url)).join(" · "),ends:ht(t),password:bt(t,e),rules:t.rules.length?N(t.rules.length,"rule","rules"):"",more:Object.keys(We).filter(o=>t[o]?.length??t[o]).map(o=>o==="aliases"?ft(t.aliases):We[o]).join(", ")});var He="terse-utm-sets",ze=["source","medium","campaign"],gt=100,vt=["none","other"],J=z([]),Ve=z({});function yt(){try{J.set(Be(localStorage.getItem(He)))}catch{}}function ne(t){J.set(t);try{localStorage.setItem(He,JSON.stringify(t))}catch{}}async function wt(){try{let t=ze.join(","),e=await ce("GET",le("/api/overview",{by:t,limit:gt})),o=s=>Object.entries(e[`by_${s}`]??{}).filter(([n])=>!vt.includes(n)).map(([n,i])=>({value:n,count:i})).sort((n,i)=>i.count-n.count);Ve.set(Object.fromEntries(ze.map(s=>[s,o(s)])))}catch{}}function Xe({id:t,url:e,onChange:o,disabled:s}){let n=q(J),i=q(Ve);T(()=>{yt(),wt()},[]);let $=({name:p,values:h})=>{o(De(e,h)),S(`Filled in from ${p}`)},l=p=>{let h=[...i[p]??[]];for(let{values:f}of n)f[p]&&!Te(h,f[p])&&h.push({value:f[p]});return h};return r`<${xt} id=${`${t}-set`} sets=${n} values=${B(e)} disabled=${s}
      onApply=${$} />
    <div class="fields">${D.map(([p,h,f])=>{let c=te(e,p),u=m=>o(K(e,p,m));return r`<div class="form-field" key=${p}>
        <label for=${`${t}-${p}`}>${h}</label>
        <${Ie} id=${`${t}-${p}`} label=${h} class="field" text=${c}
          placeholder=${f} disabled=${s} options=${l(p)}
          onText=${u} onChoose=${u} />
        <${C} text=${c} /></div>`})}</div>
    ${s&&r`<p class="hint">Enter a URL first: these are written into it.</p>`}`}function xt({id:t,sets:e,values:o,disabled:s,onApply:n}){let[i,$]=y(null),[l,p]=y(""),h=I(),f=i!==null;T(()=>{f&&h.current.focus()},[f]);let c=Object.keys(o).length>0,u=()=>{let{sets:d,problem:b=""}=oe(e,i,o);p(b),!b&&(ne(d),$(null),S(`Saved ${i.trim()}`))},m=d=>{ne(Re(e,d.name)),$e(`Deleted the set ${d.name}`,()=>ne(oe(J.get(),d.name,d.values).sets))},a=d=>{if(d.key==="Escape")$(null);else if(d.key==="Enter")u();else return;d.preventDefault(),d.stopPropagation()};return r`<div class="utm-sets" role="group" aria-label="Saved sets">
    ${e.map(d=>r`<span class="tag" key=${d.name}>
      <button type="button" class="utm-set" disabled=${s}
        title=${Object.values(d.values).map(v).join(" · ")}
        onClick=${()=>n(d)}>${v(d.name)}</button>
      <button type="button" class="tag-remove" aria-label=${`Delete the set ${v(d.name)}`}
        onClick=${()=>m(d)}><${x} name="close" /></button></span>`)}
    ${f?r`<span class="utm-name"><input id=${t} class="field" aria-label="Name of the set"
            placeholder="Name of the set" autocomplete="off" maxlength=${G}
            ref=${h} value=${i}
            onInput=${d=>$(d.target.value)} onKeyDown=${a}
            aria-invalid=${!!l}
            aria-describedby=${l?`${t}-problem`:void 0} />
          <button type="button" class="button" onClick=${u}>Save</button></span>
          <${k} id=${t} text=${l} />`:r`<button type="button" class="text-button" disabled=${!c} onClick=${()=>{p(""),$("")}}><${x} name="add" />Save as a set</button>`}</div>`}var g=({id:t,label:e,wide:o,problem:s,hint:n,children:i})=>r`<div class="form-field"
  data-wide=${!!o}><label for=${t}>${e}</label>${i}
  ${s?r`<${k} id=${t} text=${s} />`:n&&r`<p class="hint">${n}</p>`}</div>`,Q=({id:t,label:e,wrong:o,problem:s,children:n})=>r`<div class="form-field" role="group" aria-labelledby=${`${t}-label`}>
  <span id=${`${t}-label`} class="form-label">${e}</span>
  ${n}<${k} id=${o} text=${s} /></div>`;function Uo({id:t="f",draft:e,onChange:o,problems:s={},link:n,isNew:i=!1,several:$=!1}){let[l,p]=y([]);R(()=>{let a=_e(s);a.length&&p(d=>[...new Set([...d,...a])])},[s]);let h=a=>d=>o({...e,[a]:d}),f={id:t,draft:e,set:h,problems:s},c=Ye($?{...e,...Ce}:e,n),u=a=>p(l.includes(a)?l.filter(d=>d!==a):[...l,a]),m=(a,d,b)=>{let w=l.includes(a);return r`<button type="button" class="disclosure" aria-expanded=${w}
        aria-controls=${`${t}-${a}-part`} onClick=${()=>u(a)}>
        <${x} name="forth" />${d}
        ${!w&&c[a]&&r`${" "}<span class="quiet">${c[a]}</span>`}
      </button>
      ${w&&r`<div id=${`${t}-${a}-part`} class="form-part">${b()}</div>`}`};return r`<div class="fields form-main">
      ${!i&&r`<${g} id=${`${t}-original_url`} label="Destination" wide=${!0}
        problem=${s.original_url}><${Y} ...${f} name="original_url" mono=${!0}
          inputmode="url" /><//>`}
      ${!$&&r`<${kt} ...${f} old=${n?.short_code} />`}
      ${!$&&r`<${g} id=${`${t}-title`} label="Title" problem=${s.title}>
        <${Y} ...${f} name="title" spellcheck=${!0} /><//>`}
      <${Ct} ...${f} onChange=${o} />
    </div>
    ${m("utm","UTM",()=>r`<${Xe} id=${`${t}-utm`} url=${e.original_url}
      onChange=${h("original_url")} disabled=${!$&&!e.original_url.trim()} />`)}
    ${m("ends","Ends",()=>r`<${Ot} ...${f} />`)}
    ${m("password","Password",()=>r`<div class="fields">
      <${It} ...${f} link=${n} /></div>`)}
    ${m("rules","Rules",()=>r`<${Ke} id=${`${t}-rules`} rules=${e.rules}
      destination=${$?"":e.original_url} problems=${s}
      onChange=${h("rules")} />`)}
    ${m("more","More",()=>r`<${Tt} ...${f} onChange=${o} several=${$} />`)}`}var Y=({id:t,draft:e,set:o,problems:s,name:n,mono:i,type:$="text",spellcheck:l=!1,...p})=>r`<input id=${`${t}-${n}`} type=${$}
  class=${i?"field mono":"field"} autocomplete="off" spellcheck=${l}
  value=${e[n]} aria-invalid=${!!s[n]}
  aria-describedby=${s[n]?`${t}-${n}-problem`:void 0}
  onInput=${h=>o(n)(h.target.value)} ...${p} />
  <${C} text=${String(e[n])} />`,Ze=({id:t,draft:e,set:o,problems:s,name:n})=>r`<${W}
  id=${`${t}-${n}`} value=${e[n]} onChange=${o(n)}
  aria-invalid=${!!s[n]}
  aria-describedby=${s[n]?`${t}-${n}-problem`:void 0} />`;function kt({id:t,draft:e,set:o,problems:s,old:n}){let i=e.short_code,$=`${t}-short_code`,l=s.short_code??(i.trim().length>20?de(i):"");return r`<${g} id=${$} label="Code" problem=${l}
    hint=${n&&i.trim()&&i.trim()!==n?`${n} stays as an address.`:""}>
    <span class="code-field" data-invalid=${!!l}>
      <span class="quiet mono" title=${`${F}/`}>${F}/</span>
      <input id=${$} class="mono" placeholder=${n?"":"auto"}
        autocomplete="off" autocapitalize="off"
        spellcheck=${!1} value=${i} onInput=${p=>o("short_code")(p.target.value)}
        aria-invalid=${!!l}
        aria-describedby=${l?`${$}-problem`:void 0} /></span><//>`}function Ct({id:t,draft:e,onChange:o,problems:s}){let n=q(je);return T(()=>{qe()},[]),r`<${g} id=${`${t}-tags`} label="Tags">
    <${P} id=${`${t}-tags`} label="Tags" values=${e.tags} text=${e.tag_text}
      onChange=${(i,$)=>o({...e,tags:i,tag_text:$})}
      parse=${Oe} options=${Ee(n)} create=${!0} placeholder="newsletter, shop"
      problem=${s.tags} /><//>`}var _t=[["never","never"],["on","at a time"],["after","after a number of clicks"],["either","at a time or after clicks"]];function Ot(t){let{id:e,draft:o,set:s,problems:n}=t,i=o.ends,$=i!=="never"||o.disabled||o.then==="url";return r`<div class="fields">
    <${g} id=${`${e}-ends`} label="Ends"><select id=${`${e}-ends`} class="field"
      value=${i} onChange=${l=>s("ends")(l.target.value)}>
      ${_t.map(([l,p])=>r`<option value=${l}>${p}</option>`)}</select><//>
    ${(i==="on"||i==="either")&&r`<${g} id=${`${e}-expires_at`} label="Ends on" problem=${n.expires_at}>
        <${Ze} ...${t} name="expires_at" /><//>`}
    ${(i==="after"||i==="either")&&r`<${g} id=${`${e}-max_clicks`} label="Clicks until it ends"
        problem=${n.max_clicks}>
        <${Y} ...${t} name="max_clicks" inputmode="numeric" /><//>`}
    ${$&&r`<${g} id=${`${e}-then`} label="Then show"><select id=${`${e}-then`} class="field"
        value=${o.then} onChange=${l=>s("then")(l.target.value)}>
        <option value="page">a page that says so</option>
        <option value="url">another address</option></select><//>`}
    ${$&&o.then==="url"&&r`<${g} id=${`${e}-expired_url`} label="Address to show"
        problem=${n.expired_url}><${Y} ...${t} name="expired_url" mono=${!0}
          inputmode="url" placeholder="https://example.com/" /><//>`}</div>`}var St=[["","302: temporary"],["301","301: permanent"],["307","307: temporary, keeps the method"],["308","308: permanent, keeps the method"]];function Tt(t){let{id:e,draft:o,set:s,problems:n,onChange:i,several:$}=t;return r`<div class="fields">
    ${!$&&r`<${g} id=${`${e}-aliases`} label="More addresses" wide=${!0}>
        <${P} id=${`${e}-aliases`} label="More addresses" values=${o.aliases}
          text=${o.alias_text} parse=${ue} exact=${!0} placeholder="docs/install"
          onChange=${(l,p)=>i({...o,aliases:l,alias_text:p})}
          hint=${`Each leads where the code leads. Slashes are allowed: ${F}/docs/install.`}
          problem=${n.aliases} /><//>`}
    <${g} id=${`${e}-starts_at`} label="Starts" problem=${n.starts_at}>
      <${Ze} ...${t} name="starts_at" /><//>
    <${g} id=${`${e}-redirect_status`} label="Redirect type">
      <select id=${`${e}-redirect_status`} class="field" value=${o.redirect_status}
        onChange=${l=>s("redirect_status")(l.target.value)}>
        ${St.map(([l,p])=>r`<option value=${l}>${p}</option>`)}
        ${o.redirect_status==="302"&&r`<option value="302">302, explicitly</option>`}
      </select><//>
    <${Q} id=${`${e}-state`} label="State">
      <${re} ...${t} name="disabled" label="Off (disabled)" /><//>
    <${Q} id=${`${e}-forward`} label="Forward">
      <${re} ...${t} name="forward_query" label="The visitor's query parameters" />
      <${re} ...${t} name="forward_path" label="What follows the code in the path" /><//>
    <${g} id=${`${e}-note`} label="Note" wide=${!0} problem=${n.note}
      hint="Only you see it.">
      <textarea id=${`${e}-note`} class="field" rows="3" value=${o.note}
        onInput=${l=>s("note")(l.target.value)} aria-invalid=${!!n.note}
        aria-describedby=${n.note?`${e}-note-problem`:void 0} />
      <${C} text=${o.note} /><//></div>`}var re=({draft:t,set:e,name:o,label:s})=>r`<label class="check"><input type="checkbox"
  checked=${t[o]} onChange=${n=>e(o)(n.target.checked)} />${s}</label>`;function It({id:t,draft:e,set:o,problems:s,link:n}){let[i,$]=y(!!e.password),l=`${t}-password`,p=o("password"),h=()=>{$(!1),p(null)};return n?.password&&e.password===""?r`<${Q} id=${l} label="Password">
    <div class="form-line"><span>Will be removed</span><button type="button" class="text-button"
      onClick=${h}>Keep it</button></div><//>`:n?.password&&!i?r`<${Q} id=${l} label="Password">
    <div class="form-line"><span>Set</span><button type="button" class="text-button"
      onClick=${()=>$(!0)}>Change</button>
    <button type="button" class="text-button" onClick=${()=>p("")}>Remove</button>
  </div><//>`:r`<${g} id=${l} label="Password" problem=${s.password}>
    <div class="form-line"><input id=${l} class="field" type="password"
      autocomplete="new-password" value=${e.password??""}
      aria-invalid=${!!s.password}
      aria-describedby=${s.password?`${l}-problem`:void 0}
      onInput=${f=>p(f.target.value||null)} />
      ${n?.password&&r`<${_} icon="close" label="Keep the old password"
        onClick=${h} />`}</div><//>`}export{jt as a,Uo as b};
