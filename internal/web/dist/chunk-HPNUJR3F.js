import{a as V,b as Ie,c as X,d as je,e as Z,f as Pe,j as De,m as Ee,o as Ae,r as Re,t as A}from"./chunk-RWD6USSZ.js";import{b as ve,e as we}from"./chunk-BMPIELYQ.js";import{a as K}from"./chunk-I7S5KJ4F.js";import{b as Be,c as Me}from"./chunk-SWGQDTAH.js";import{A as $e,Aa as x,Ab as ke,B as ce,Ba as me,Bb as _e,C as L,Cb as Oe,Db as Se,Eb as Te,Fb as qe,K as H,L as I,N as de,Nb as Ne,Ob as Fe,Pa as fe,Pb as Ue,Ta as he,Ua as S,Va as be,Wa as ge,Ya as ye,a as v,b as _,c as M,d as q,i as N,j as ie,k as le,ka as ue,ma as i,na as w,oa as O,q as T,r as P,s as F,ta as pe,ua as k,ub as xe,va as j,vb as G,w as y,wb as D,y as U,yb as Ce,zb as E}from"./chunk-5QV7RIQF.js";var R=[["source","Source","newsletter"],["medium","Medium","email"],["campaign","Campaign","spring-sale"],["term","Term","running shoes"],["content","Content","header-link"]];function Le(t){let[,e,o,s]=t.match(/^([^?#]*)(?:\?([^#]*))?(#.*)?$/s);return{path:e,pairs:o?o.split("&"):[],fragment:s??""}}var ee=t=>Ge(t.split("=",1)[0]);function Ge(t){try{return decodeURIComponent(t.replaceAll("+"," "))}catch{return t}}function oe(t,e){let o=Le(t).pairs.find(s=>ee(s)===`utm_${e}`);return o?Ge(o.slice(o.indexOf("=")+1||o.length)):""}function J(t,e,o){let{path:s,pairs:n,fragment:a}=Le(t),c=o&&`utm_${e}=${encodeURIComponent(o).replaceAll("%20","+")}`,$=n.findIndex(h=>ee(h)===`utm_${e}`),m=n.filter(h=>ee(h)!==`utm_${e}`);return c&&m.splice($<0?m.length:$,0,c),s+(m.length?`?${m.join("&")}`:"")+a}var B=t=>Object.fromEntries(R.map(([e])=>[e,oe(t,e)]).filter(([,e])=>e)),Ke=(t,e)=>R.reduce((o,[s])=>J(o,s,e[s]??""),t),Ut=(t,e)=>Object.entries(B(e)).reduce((o,[s,n])=>J(o,s,n),t),te=50,$t=64*1024,W=40;function We(t){let e;try{e=JSON.parse(t??"[]")}catch{return[]}return Array.isArray(e)?e.filter(o=>typeof o?.name=="string"&&o.name&&ct(o.values)).slice(0,te).map(({name:o,values:s})=>({name:o,values:s})):[]}var ct=t=>t!==null&&typeof t=="object"&&Object.entries(t).every(([e,o])=>R.some(([s])=>s===e)&&typeof o=="string");function se(t,e,o){if(e=e.trim(),!e)return{problem:"Enter a name."};if([...e].length>W)return{problem:`A name can have at most ${W} characters.`};let s=t.filter(a=>a.name.toLowerCase()!==e.toLowerCase());if(s.length>=te)return{problem:`There are ${te} sets already. Delete one first.`};let n=[...s,{name:e,values:o}].sort((a,c)=>a.name.localeCompare(c.name));return new TextEncoder().encode(JSON.stringify(n)).length>$t?{problem:"The sets take too much room. Delete one first."}:{sets:n}}var Je=(t,e)=>t.filter(o=>o.name!==e);function Ye({id:t,rule:e,problems:o,onChange:s,onDone:n}){let a=([l])=>X(e,l)!==void 0,c=(l,u,p="")=>{let r={...e,text:{...e.text,[l]:p}};l==="share"?r.share=u:r.when={...e.when,[l]:u},s(r)},$=l=>{let{[l]:u,...p}=e.text??{},{[l]:r,...d}=e.when??{};s({...e,text:p,when:d,share:l==="share"?void 0:e.share})},m=l=>{c(l,Ie[l]),requestAnimationFrame(()=>document.querySelector(`[data-condition="${t}-${l}"] :is(input, button)`)?.focus())},h=V.filter(l=>!a(l)),f=l=>({class:"field",autocomplete:"off",spellcheck:!1,value:e[l],onInput:u=>s({...e,[l]:u.target.value}),"aria-invalid":!!o[l],"aria-describedby":o[l]?`${t}-${l}-problem`:void 0});return i`<div class="rule-form">
    <div><label><span class="form-label">Leads to</span>
        <input inputmode="url" placeholder="https://example.com/"
          ...${f("url")} class="field mono" /><${k} text=${e.url} /></label>
      <${x} id=${`${t}-url`} text=${o.url} /></div>
    ${V.filter(a).map(([l,u])=>i`<div class="condition" key=${l} role="group" aria-label=${u}
        data-condition=${`${t}-${l}`}><span>${u}</span>
        <div><${ut} id=${`${t}-${l}`} kind=${l} label=${u}
          value=${X(e,l)} text=${e.text?.[l]} problem=${o[l]}
          onChange=${(p,r)=>c(l,p,r)} /></div>
        <${O} icon="close" label=${`Remove condition ${u}`}
          onClick=${()=>$(l)} /></div>`)}
    <div class="rule-form-end">
      ${h.length>0&&i`<${he} text="Add a condition" popup="menu">${l=>i`<${fe} ...${l} label="Add a condition"
            items=${h.map(([u,p])=>({label:p,onChoose:()=>m(u)}))} />`}<//>`}
      <div class="rule-name"><label><span class="form-label">Name in statistics</span>
        <input ...${f("name")} />
        <${k} text=${e.name} /></label>
        <${x} id=${`${t}-name`} text=${o.name} /></div>
      <button type="button" class="button" onClick=${n}>Done</button></div>
  </div>`}var dt={language:{label:"Languages",placeholder:"German, pt-BR",show:P,options:()=>je.map(t=>({value:P(t)}))},country:{label:"Countries",placeholder:"Germany, AT",show:T,options:()=>F().map(t=>({value:T(t)}))},query:{label:"Query parameters",placeholder:"ref=print",show:_e},address:{label:"Addresses",placeholder:"192.0.2.0/24"}};function ut({id:t,kind:e,label:o,value:s,text:n,problem:a,onChange:c}){if(Z[e]){let{options:h=()=>[],...f}=dt[e],l=e==="query";return i`<${A} id=${t} parse=${Z[e]} text=${n} problem=${a}
      values=${l?Object.entries(s):s} options=${h()}
      onChange=${(u,p)=>c(l?Object.fromEntries(u):u,p)}
      ...${f} />`}let $={"aria-invalid":!!a,"aria-describedby":a?`${t}-problem`:void 0};return i`${(()=>{switch(e){case"device":return i`<${Qe} names=${Ce} value=${s} onChange=${c}
        isInvalid=${!!a} />`;case"browser":return i`<${Qe} names=${E} value=${s} onChange=${c}
        isInvalid=${!!a} />`;case"share":return i`<span class="share"><input class="field" type="number" min="1"
        max="99" aria-label="Percent of visitors" ...${$}
        value=${Number.isNaN(s)?"":s}
        onInput=${h=>c(h.target.valueAsNumber)} /> % of these visitors</span>`;default:return i`<${K} aria-label=${o} ...${$}
        fresh=${e==="before"?"23:59":"00:00"}
        value=${D(s)?xe(Date.parse(s)):s} onChange=${h=>c(D(h)?new Date(G(h)).toISOString():h)} />`}})()}<${x} id=${t} text=${a} />`}var Qe=({names:t,value:e,isInvalid:o,onChange:s})=>i`<span class="toggles"
  data-invalid=${o}>
  ${Object.entries(t).map(([n,a])=>i`<button type="button" key=${n}
    class="toggle" aria-pressed=${e.includes(n)} onClick=${()=>s(e.includes(n)?e.filter(c=>c!==n):[...e,n])}>${a}</button>`)}</span>`;var ze={iphone:["iPhone",["ios","mobile"],"safari"],ipad:["iPad",["ios","tablet"],"safari"],phone:["Android phone",["android","mobile"],"chrome"],tablet:["Android tablet",["android","tablet"],"chrome"],windows:["Windows PC",["windows","desktop"],"chrome"],mac:["Mac",["macos","desktop"],"safari"],linux:["Linux PC",["linux","desktop"],"firefox"],chromebook:["Chromebook",["chromeos","desktop"],"chrome"]},ne=t=>[...new Set(t)],pt=["en","de","fr","es","it","pt","nl","pl","ja","zh"],mt=t=>(e,o)=>t(e).localeCompare(t(o));function He({id:t,rules:e,destination:o}){let s=r=>ne(e.flatMap(d=>d.when?.[r]??[])),n=e.map(r=>r.when?.query).filter(r=>r&&!ke(r)),[a,c]=v({kind:"iphone",browser:"",query:"",address:""}),$={language:s("language")[0]??"en",country:s("country")[0]??"US",...a},m=r=>d=>c({...a,[r]:d}),[,h,f]=ze[$.kind],l=Te(e,{...$,device:h,browser:$.browser||f,query:ft(n[$.query])},o),u=ne([...F().sort(mt(T)),...s("country")]),p=(r,d,b)=>i`<${S} label=${d} isField=${!0}
    value=${$[r]} onChange=${m(r)}
    options=${b.map(([C,lt])=>[C,y(lt)])} />`;return i`<div class="try-it" role="group" aria-labelledby=${t}>
    <span id=${t} class="form-label">Try it</span><div class="form-line">
    ${p("kind","Device of the visitor",Object.entries(ze).map(([r,[d]])=>[r,d]))}
    ${s("browser").length>0&&p("browser","Browser of the visitor",[["",`usual: ${E[f]}`],...Object.entries(E)])}
    ${p("language","Language of the visitor",ne([...pt,...s("language")]).map(r=>[r,P(r)]))}
    ${p("country","Country of the visitor",u.map(r=>[r,T(r)]))}
    ${n.length>0&&p("query","Query of the visit",[["","no query"],...n.map((r,d)=>[d,Oe(r)])])}
    ${s("address").length>0&&p("address","IP address of the visitor",[["","other addresses"],...s("address").map(r=>[r,r])])}</div>
    <p class="outcome" role="status">goes ${l.map(({url:r,share:d,rule:b},C)=>i`<span key=${C}>${C>0&&" or "}${ht(r,b)}${d<1&&` (${ie(d,1)})`}
        <span class="quiet"> ${b?`(${y(b.name)})`:""}</span></span>`)}</p>
  </div>`}var ft=(t={})=>Object.fromEntries(Object.entries(t).map(([e,o])=>[e,o??"any"]));function ht(t,e){return t.trim()?i`to <b>${y(U(qe(t)).join(""))}</b>`:e?"nowhere yet":i`to <b>the destination</b>`}var bt=20,gt=t=>t.trim()?y(U(t).join("")):"…";function Xe({id:t,rules:e,destination:o,problems:s,onChange:n}){let[a,c]=v(0),$=q(),m=e.find((p,r)=>Object.keys(Ve(s,r)).length>0)?.id;M(()=>{m&&c(m)},[s]);let h=()=>{let p=e.map(b=>b.name),r=e.length+1;for(;p.includes(`rule-${r}`);)r++;let d=Pe({name:`rule-${r}`,when:{},url:""});n([...e,d]),c(d.id),requestAnimationFrame(()=>$.current?.querySelector(".rule-form input, .rule-form select")?.focus())},f=p=>n(e.map(r=>r.id===p.id?p:r)),l=p=>{j(`Removed rule ${p+1}`),n(e.filter((r,d)=>d!==p)),requestAnimationFrame(()=>$.current?.querySelector(".rule-add")?.focus())},u=xt($,e,n);return i`<div class="rules" ref=${$}>
    ${e.length>0&&i`<ol>${e.map((p,r)=>i`<${wt} key=${p.id} id=${t}
      rule=${p} index=${r} of=${e.length} rules=${e} dragging=${u}
      open=${a===p.id} problem=${s[`rules[${r}]`]}
      problems=${Ve(s,r)} onChange=${f}
      onOpen=${()=>c(a===p.id?0:p.id)} onRemove=${()=>l(r)} />`)}
    </ol>`}
    <div class="rules-end"><span class="quiet">${e.length?"Else → the destination":"Everyone goes to the destination."}</span>
      ${e.length<bt&&i`<button type="button" class="text-button rule-add"
        onClick=${h}><${w} name="add" />Add a rule</button>`}</div>
    ${e.length>0&&i`<${He} id=${`${t}-try`} rules=${e}
      destination=${o} />`}
  </div>`}function Ve(t,e){let o=`rules[${e}].`;return Object.fromEntries(Object.entries(t).filter(([s])=>s.startsWith(o)).map(([s,n])=>[s.slice(o.length),n]))}var yt=(t,e)=>Object.fromEntries(Object.entries(e).filter(([o])=>o==="name"||o==="share"||o==="url"&&t.url.trim()||t.when?.after&&t.when.before&&o==="before")),vt=({when:t={},share:e})=>Object.keys(t).length===0&&e===void 0;function wt({id:t,rule:e,index:o,of:s,rules:n,dragging:a,open:c,problem:$,problems:m,onChange:h,onOpen:f,onRemove:l}){let u=y(Se(e,o)),p=Re(e,n),[r]=c?[]:Object.values(p),d=n.findIndex(vt)===o&&o+1<s;return i`<li class="rule" data-dragging=${a.id===e.id} data-id=${e.id}>
    <div class="rule-line">
      <button type="button" class="icon-button grip"
        aria-label=${`Move rule ${o+1} of ${s}: ${u}`}
        title="Drag, or press the up or down arrow key" ...${a.grip(e,o)}>
        <${w} name="grip" /></button>
      <span class="rule-words">${u} <span class="quiet">→ ${gt(e.url)}</span>
      </span>
      <${O} icon="edit" label=${`Edit rule ${o+1}`} aria-expanded=${c}
        onClick=${f} />
      <${O} icon="close" label=${`Remove rule ${o+1}`} onClick=${l} />
    </div>
    ${c&&i`<${Ye} id=${`${t}-${e.id}`} rule=${e} onChange=${h}
      problems=${{...yt(e,p),...m}} onDone=${f} />`}
    ${($||r)&&i`<p class="problem" role="alert">${$||r}</p>`}
    ${d&&i`<p class="rule-warning" role="status"><${w} name="alert" />
      The rules below are never reached.</p>`}
  </li>`}function xt(t,e,o){let[s,n]=v(0),a=q();a.current=e;let c=(f,l)=>{if(l<0||l>=a.current.length||l===f)return;let u=[...a.current];u.splice(l,0,...u.splice(f,1)),o(u),j(`Rule ${l+1} of ${u.length}`)},$=f=>a.current.findIndex(l=>l.id===f.id),m=(f,l)=>{let u=[...t.current.querySelectorAll(".rule")].map(d=>d.getBoundingClientRect()),p=$(l),r=u.findIndex((d,b)=>b<p?f.clientY<d.top+d.height/2:b>p&&f.clientY>d.top+d.height/2&&(b+1===u.length||f.clientY<u[b+1].top+u[b+1].height/2));r>=0&&c(p,r)};return{id:s,grip:(f,l)=>({onPointerDown:u=>{u.button||(u.currentTarget.setPointerCapture(u.pointerId),n(f.id))},onPointerMove:u=>u.currentTarget.hasPointerCapture(u.pointerId)&&m(u,f),onPointerUp:()=>n(0),onPointerCancel:()=>n(0),onKeyDown:u=>{let p={ArrowUp:-1,ArrowDown:1}[u.key];if(!p)return;u.preventDefault();let r=u.currentTarget;c(l,l+p),requestAnimationFrame(()=>r.focus())}})}}var Ze={aliases:"addresses",starts_at:"start",redirect_status:"redirect type",forward_query:"query",forward_path:"path",note:"note",disabled:"off"};function Ct(t){return t.length===1?y(t[0]):N(t.length,"address","addresses")}var et=t=>D(t)?le(new Date(G(t))):"",tt=t=>/^\d+$/.test(t.trim())?`after ${N(Number(t),"click","clicks")}`:"";function kt({ends:t,expires_at:e,max_clicks:o}){return{never:[],on:[et(e)],after:[tt(o)],either:[et(e),tt(o)]}[t].filter(Boolean).join(" or ")}function _t({password:t},e){return t?"set":e?.password?t===""?"will be removed":"set":""}var ot=(t,e)=>({utm:Object.values(B(t.original_url)).join(" · "),ends:kt(t),password:_t(t,e),rules:t.rules.length?N(t.rules.length,"rule","rules"):"",more:Object.keys(Ze).filter(o=>t[o]?.length??t[o]).map(o=>o==="aliases"?Ct(t.aliases):Ze[o]).join(", ")});var nt="terse-utm-sets",st=["source","medium","campaign"],Ot=100,St=["none","other"],Q=H([]),rt=H({});function Tt(){try{Q.set(We(localStorage.getItem(nt)))}catch{}}function re(t){Q.set(t);try{localStorage.setItem(nt,JSON.stringify(t))}catch{}}async function It(){try{let t=st.join(","),e=await ue("GET",de("/api/overview",{by:t,limit:Ot})),o=s=>Object.entries(e[`by_${s}`]??{}).filter(([n])=>!St.includes(n)).map(([n,a])=>({value:n,count:a})).sort((n,a)=>a.count-n.count);rt.set(Object.fromEntries(st.map(s=>[s,o(s)])))}catch{}}function at({id:t,url:e,onChange:o,disabled:s}){let n=I(Q),a=I(rt);_(()=>{Tt(),It()},[]);let c=({name:m,values:h})=>{o(Ke(e,h)),j(`Filled in from ${m}`)},$=m=>{let h=[...a[m]??[]];for(let{values:f}of n)f[m]&&!Be(h,f[m])&&h.push({value:f[m]});return h};return i`<${jt} id=${`${t}-set`} sets=${n} values=${B(e)} disabled=${s}
      onApply=${c} />
    <div class="fields">${R.map(([m,h,f])=>{let l=oe(e,m),u=p=>o(J(e,m,p));return i`<div class="form-field" key=${m}>
        <label for=${`${t}-${m}`}>${h}</label>
        <${Me} id=${`${t}-${m}`} label=${h} class="field" text=${l}
          placeholder=${f} disabled=${s} options=${$(m)}
          onText=${u} onChoose=${u} />
        <${k} text=${l} /></div>`})}</div>
    ${s&&i`<p class="hint">Enter a URL first: these are written into it.</p>`}`}function jt({id:t,sets:e,values:o,disabled:s,onApply:n}){let[a,c]=v(null),[$,m]=v(""),h=q(),f=a!==null;_(()=>{f&&h.current.focus()},[f]);let l=Object.keys(o).length>0,u=()=>{let{sets:d,problem:b=""}=se(e,a,o);m(b),!b&&(re(d),c(null),j(`Saved ${a.trim()}`))},p=d=>{re(Je(e,d.name)),pe(`Deleted the set ${d.name}`,()=>re(se(Q.get(),d.name,d.values).sets))},r=d=>{if(d.key==="Escape")c(null);else if(d.key==="Enter")u();else return;d.preventDefault(),d.stopPropagation()};return i`<div class="utm-sets" role="group" aria-label="Saved sets">
    ${e.map(d=>i`<span class="tag" key=${d.name}>
      <button type="button" class="utm-set" disabled=${s}
        title=${Object.values(d.values).map(y).join(" · ")}
        onClick=${()=>n(d)}>${y(d.name)}</button>
      <button type="button" class="tag-remove" aria-label=${`Delete the set ${y(d.name)}`}
        onClick=${()=>p(d)}><${w} name="close" /></button></span>`)}
    ${f?i`<span class="utm-name"><input id=${t} class="field" aria-label="Name of the set"
            placeholder="Name of the set" autocomplete="off" maxlength=${W}
            ref=${h} value=${a}
            onInput=${d=>c(d.target.value)} onKeyDown=${r}
            aria-invalid=${!!$}
            aria-describedby=${$?`${t}-problem`:void 0} />
          <button type="button" class="button" onClick=${u}>Save</button></span>
          <${x} id=${t} text=${$} />`:i`<button type="button" class="text-button" disabled=${!l} onClick=${()=>{m(""),c("")}}><${w} name="add" />Save as a set</button>`}</div>`}var g=({id:t,label:e,wide:o,problem:s,hint:n,children:a})=>i`<div class="form-field"
  data-wide=${!!o}><label for=${t}>${e}</label>${a}
  ${s?i`<${x} id=${t} text=${s} />`:n&&i`<p class="hint">${n}</p>`}</div>`,Y=({id:t,label:e,wrong:o,problem:s,children:n})=>i`<div class="form-field" role="group" aria-labelledby=${`${t}-label`}>
  <span id=${`${t}-label`} class="form-label">${e}</span>
  ${n}<${x} id=${o} text=${s} /></div>`;function Zo({id:t="f",draft:e,onChange:o,problems:s={},link:n,isNew:a=!1,several:c=!1}){let[$,m]=v([]);M(()=>{let r=Ee(s);r.length&&m(d=>[...new Set([...d,...r])])},[s]);let h=r=>d=>o({...e,[r]:d}),f={id:t,draft:e,set:h,problems:s},l=ot(c?{...e,...De}:e,n),u=r=>m($.includes(r)?$.filter(d=>d!==r):[...$,r]),p=(r,d,b)=>{let C=$.includes(r);return i`<button type="button" class="disclosure" aria-expanded=${C}
        aria-controls=${`${t}-${r}-part`} onClick=${()=>u(r)}>
        <${w} name="forth" />${d}
        ${!C&&l[r]&&i`${" "}<span class="quiet">${l[r]}</span>`}
      </button>
      ${C&&i`<div id=${`${t}-${r}-part`} class="form-part">${b()}</div>`}`};return i`<div class="fields form-main">
      ${!a&&i`<${g} id=${`${t}-original_url`} label="Destination" wide=${!0}
        problem=${s.original_url}><${z} ...${f} name="original_url" mono=${!0}
          inputmode="url" /><//>`}
      ${a&&$e&&i`<${qt} ...${f} />`}
      ${!c&&i`<${Pt} ...${f} old=${n?.short_code} />`}
      ${!c&&i`<${g} id=${`${t}-title`} label="Title" problem=${s.title}>
        <${z} ...${f} name="title" spellcheck=${!0} /><//>`}
      <${Dt} ...${f} onChange=${o} />
    </div>
    ${p("utm","UTM",()=>i`<${at} id=${`${t}-utm`} url=${e.original_url}
      onChange=${h("original_url")} disabled=${!c&&!e.original_url.trim()} />`)}
    ${p("ends","Ends",()=>i`<${Rt} ...${f} />`)}
    ${p("password","Password",()=>i`<div class="fields">
      <${Ft} ...${f} link=${n} /></div>`)}
    ${p("rules","Rules",()=>i`<${Xe} id=${`${t}-rules`} rules=${e.rules}
      destination=${c?"":e.original_url} problems=${s}
      onChange=${h("rules")} />`)}
    ${p("more","More",()=>i`<${Nt} ...${f} onChange=${o} several=${c} />`)}`}var z=({id:t,draft:e,set:o,problems:s,name:n,mono:a,type:c="text",spellcheck:$=!1,...m})=>i`<input id=${`${t}-${n}`} type=${c}
  class=${a?"field mono":"field"} autocomplete="off" spellcheck=${$}
  value=${e[n]} aria-invalid=${!!s[n]}
  aria-describedby=${s[n]?`${t}-${n}-problem`:void 0}
  onInput=${h=>o(n)(h.target.value)} ...${m} />
  <${k} text=${String(e[n])} />`,it=({id:t,draft:e,set:o,problems:s,name:n,fresh:a})=>i`<${K}
  id=${`${t}-${n}`} value=${e[n]} onChange=${o(n)} fresh=${a}
  aria-invalid=${!!s[n]}
  aria-describedby=${s[n]?`${t}-${n}-problem`:void 0} />`;function qt({id:t,draft:{domain:e},set:o,problems:s}){let n=I(be).filter($=>$.configured);_(()=>{ge()?.catch(()=>{})},[]),_(()=>{n.length>0&&!n.some(m=>m.name===e)&&a("")},[n.length,e]);let a=$=>{ye($),o("domain")($)},c=n.map($=>[$.name,$.domain]);return i`<${g} id=${`${t}-domain`} label="Domain" problem=${s.domain}>
    <${S} id=${`${t}-domain`} label="Domain" isField=${!0} value=${e}
      options=${c.length?c:[[e,e||ce]]}
      onChange=${a} /><//>`}function Pt({id:t,draft:e,set:o,problems:s,old:n}){let a=e.short_code,c=`${t}-short_code`,$=s.short_code??(a.trim().length>20?ve(a):"");return i`<${g} id=${c} label="Code" problem=${$}
    hint=${n&&a.trim()&&a.trim()!==n?`${n} stays as an address.`:""}>
    <span class="code-field" data-invalid=${!!$} onClick=${me}>
      <span class="quiet mono" title=${`${L(e.domain)}/`}>${L(e.domain)}/</span>
      <input id=${c} class="mono" placeholder=${n?"":"auto"}
        autocomplete="off" autocapitalize="off"
        spellcheck=${!1} value=${a} onInput=${m=>o("short_code")(m.target.value)}
        aria-invalid=${!!$}
        aria-describedby=${$?`${c}-problem`:void 0} /></span><//>`}function Dt({id:t,draft:e,onChange:o,problems:s}){let n=I(Ne);return _(()=>{Fe()},[]),i`<${g} id=${`${t}-tags`} label="Tags">
    <${A} id=${`${t}-tags`} label="Tags" values=${e.tags} text=${e.tag_text}
      onChange=${(a,c)=>o({...e,tags:a,tag_text:c})}
      parse=${Ae} options=${Ue(n)} create=${!0} placeholder="newsletter, shop"
      problem=${s.tags} /><//>`}var Et=[["never","never"],["on","at a time"],["after","after a number of clicks"],["either","at a time or after clicks"]],At=[["page","a page that says so"],["url","another page"]];function Rt(t){let{id:e,draft:o,set:s,problems:n}=t,a=o.ends,c=a!=="never"||o.disabled||o.then==="url";return i`<div class="fields">
    <${g} id=${`${e}-ends`} label="Ends"><${S} id=${`${e}-ends`} label="Ends"
      isField=${!0} value=${a} options=${Et} onChange=${s("ends")} /><//>
    ${(a==="on"||a==="either")&&i`<${g} id=${`${e}-expires_at`} label="Ends on" problem=${n.expires_at}>
        <${it} ...${t} name="expires_at" fresh="23:59" /><//>`}
    ${(a==="after"||a==="either")&&i`<${g} id=${`${e}-max_clicks`} label="Clicks until it ends"
        problem=${n.max_clicks}>
        <${z} ...${t} name="max_clicks" inputmode="numeric" /><//>`}
    ${c&&i`<${g} id=${`${e}-then`} label="Then show"><${S} id=${`${e}-then`}
        label="Then show" isField=${!0} value=${o.then} options=${At}
        onChange=${s("then")} /><//>`}
    ${c&&o.then==="url"&&i`<${g} id=${`${e}-expired_url`} label="Page to show"
        problem=${n.expired_url}><${z} ...${t} name="expired_url" mono=${!0}
          inputmode="url" placeholder="https://example.com/" /><//>`}</div>`}var Bt=[["","302: temporary"],["301","301: permanent"],["307","307: temporary, keeps the method"],["308","308: permanent, keeps the method"]],Mt=["302","302, explicitly"];function Nt(t){let{id:e,draft:o,set:s,problems:n,onChange:a,several:c}=t;return i`<div class="fields">
    ${!c&&i`<${g} id=${`${e}-aliases`} label="More addresses" wide=${!0}>
        <${A} id=${`${e}-aliases`} label="More addresses" values=${o.aliases}
          text=${o.alias_text} parse=${$=>we($,o.domain)} exact=${!0} placeholder="docs/install"
          onChange=${($,m)=>a({...o,aliases:$,alias_text:m})}
          hint=${`Aliases: they lead where the code leads, such as ${L(o.domain)}/docs/install.`}
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
        onInput=${$=>s("note")($.target.value)} aria-invalid=${!!n.note}
        aria-describedby=${n.note?`${e}-note-problem`:void 0} />
      <${k} text=${o.note} /><//></div>`}var ae=({draft:t,set:e,name:o,label:s})=>i`<label class="check"><input type="checkbox"
  checked=${t[o]} onChange=${n=>e(o)(n.target.checked)} />${s}</label>`;function Ft({id:t,draft:e,set:o,problems:s,link:n}){let[a,c]=v(!!e.password),$=`${t}-password`,m=o("password"),h=()=>{c(!1),m(null)};return n?.password&&e.password===""?i`<${Y} id=${$} label="Password">
    <div class="form-line"><span>Will be removed</span><button type="button" class="text-button"
      onClick=${h}>Keep it</button></div><//>`:n?.password&&!a?i`<${Y} id=${$} label="Password">
    <div class="form-line"><span>Set</span><button type="button" class="text-button"
      onClick=${()=>c(!0)}>Change</button>
    <button type="button" class="text-button" onClick=${()=>m("")}>Remove</button>
  </div><//>`:i`<${g} id=${$} label="Password" problem=${s.password}>
    <div class="form-line"><input id=${$} class="field" type="password"
      autocomplete="new-password" value=${e.password??""}
      aria-invalid=${!!s.password}
      aria-describedby=${s.password?`${$}-problem`:void 0}
      onInput=${f=>m(f.target.value||null)} />
      ${n?.password&&i`<${O} icon="close" label="Keep the old password"
        onClick=${h} />`}</div><//>`}export{Ut as a,Zo as b};
