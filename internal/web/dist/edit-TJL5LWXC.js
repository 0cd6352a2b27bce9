import{a as be,b as D,c as he,d as ge,e as ve,f as ye,g as we,h as J,i as xe,j as V,k as ke,l as X,m as _e,n as B,o as He,p as Z,q as Oe,r as Te,s as qe,t as ee,u as Ie,v as te,w as M}from"./chunk-W25RMITS.js";import{a as Pe}from"./chunk-VHX7ZURJ.js";import{a as oe,b as F,d as Re}from"./chunk-NTORZWUK.js";import{a as Ce}from"./chunk-IUC3FUOW.js";import{u as Se,v as Ee}from"./chunk-3ICLPHQE.js";import{a as U}from"./chunk-K7ATW4SV.js";import{m as me,n as fe,o as H}from"./chunk-LBTNOKNR.js";import"./chunk-FXXZJDXJ.js";import"./chunk-PCD4SETE.js";import{D as Y,E as C,F as _,M as O,N as G,O as Q,P as z,R as T,S as ue,T as pe,b as g,c as S,d as ce,e as x,h as $e,i as r,m as de,r as E,s as R,t as j,x as k,z as A}from"./chunk-7IY37C7O.js";function je({id:t,rule:e,problems:o,onChange:n,onDone:s}){let i=([l])=>V(e,l)!==void 0,c=(l,$,u="")=>{let a={...e,text:{...e.text,[l]:u}};l==="share"?a.share=$:a.when={...e.when,[l]:$},n(a)},d=l=>{let{[l]:$,...u}=e.text??{},{[l]:a,...b}=e.when??{};n({...e,text:u,when:b,share:l==="share"?void 0:e.share})},m=l=>{let $=l.target.value;c($,xe[$]),requestAnimationFrame(()=>document.querySelector(`[data-condition="${t}-${$}"] :is(input, button)`)?.focus())},f=J.filter(l=>!i(l)),p=l=>({class:"field",autocomplete:"off",spellcheck:!1,value:e[l],onInput:$=>n({...e,[l]:$.target.value}),"aria-invalid":!!o[l],"aria-describedby":o[l]?`${t}-${l}-problem`:void 0});return r`<div class="rule-form">
    <div><label>Leads to<input inputmode="url" placeholder="https://example.com/"
        ...${p("url")} class="field mono" /><${O} text=${e.url} /></label>
      <${T} id=${`${t}-url`} text=${o.url} /></div>
    ${J.filter(i).map(([l,$])=>r`<div class="condition" key=${l} role="group" aria-label=${$}
        data-condition=${`${t}-${l}`}><span>${$}</span>
        <div><${Ve} id=${`${t}-${l}`} kind=${l} label=${$}
          value=${V(e,l)} text=${e.text?.[l]} problem=${o[l]}
          onChange=${(u,a)=>c(l,u,a)} /></div>
        <${_} icon="close" label=${`Remove condition ${$}`}
          onClick=${()=>d(l)} /></div>`)}
    <div class="rule-form-end">
      ${f.length>0&&r`<select class="field" aria-label="Add a condition" value=""
        onChange=${m}><option value="" disabled selected>Add a condition</option>
        ${f.map(([l,$])=>r`<option value=${l}>${$}</option>`)}</select>`}
      <div class="rule-name"><label>Name in statistics<input ...${p("name")} />
        <${O} text=${e.name} /></label>
        <${T} id=${`${t}-name`} text=${o.name} /></div>
      <button type="button" class="button" onClick=${s}>Done</button></div>
  </div>`}var Je={language:{label:"Languages",placeholder:"German, pt-BR",show:R,options:()=>ke.map(t=>[R(t)])},country:{label:"Countries",placeholder:"Germany, AT",show:E,options:()=>j().map(t=>[E(t)])},query:{label:"Query parameters",placeholder:"ref=print",show:ge},address:{label:"Addresses",placeholder:"192.0.2.0/24"}};function Ve({id:t,kind:e,label:o,value:n,text:s,problem:i,onChange:c}){if(X[e]){let{options:f=()=>[],...p}=Je[e],l=e==="query";return r`<${M} id=${t} parse=${X[e]} text=${s} problem=${i}
      values=${l?Object.entries(n):n} options=${f()}
      onChange=${($,u)=>c(l?Object.fromEntries($):$,u)}
      ...${p} />`}let d={"aria-invalid":!!i,"aria-describedby":i?`${t}-problem`:void 0};return r`${(()=>{switch(e){case"device":return r`<${De} names=${be} value=${n} onChange=${c}
        isInvalid=${!!i} />`;case"browser":return r`<${De} names=${D} value=${n} onChange=${c}
        isInvalid=${!!i} />`;case"share":return r`<span class="share"><input class="field" type="number" min="1"
        max="99" aria-label="Percent of visitors" ...${d}
        value=${Number.isNaN(n)?"":n}
        onInput=${f=>c(f.target.valueAsNumber)} /> % of these visitors</span>`;default:return r`<${U} aria-label=${o} ...${d}
        value=${H(n)?me(Date.parse(n)):n} onChange=${f=>c(H(f)?new Date(fe(f)).toISOString():f)} />`}})()}<${T} id=${t} text=${i} />`}var De=({names:t,value:e,isInvalid:o,onChange:n})=>r`<span class="toggles"
  data-invalid=${o}>
  ${Object.entries(t).map(([s,i])=>r`<button type="button" key=${s}
    class="toggle" aria-pressed=${e.includes(s)} onClick=${()=>n(e.includes(s)?e.filter(c=>c!==s):[...e,s])}>${i}</button>`)}</span>`;var Ae={iphone:["iPhone",["ios","mobile"],"safari"],ipad:["iPad",["ios","tablet"],"safari"],phone:["Android phone",["android","mobile"],"chrome"],tablet:["Android tablet",["android","tablet"],"chrome"],windows:["Windows PC",["windows","desktop"],"chrome"],mac:["Mac",["macos","desktop"],"safari"],linux:["Linux PC",["linux","desktop"],"firefox"],chromebook:["Chromebook",["chromeos","desktop"],"chrome"]},ne=t=>[...new Set(t)],Xe=["en","de","fr","es","it","pt","nl","pl","ja","zh"],Ze=t=>(e,o)=>t(e).localeCompare(t(o));function Be({id:t,rules:e,destination:o}){let n=a=>ne(e.flatMap(b=>b.when?.[a]??[])),s=e.map(a=>a.when?.query).filter(a=>a&&!he(a)),[i,c]=g({kind:"iphone",browser:"",query:"",address:""}),d={language:n("language")[0]??"en",country:n("country")[0]??"US",...i},m=a=>b=>c({...i,[a]:b.target.value}),[,f,p]=Ae[d.kind],l=we(e,{...d,device:f,browser:d.browser||p,query:et(s[d.query])},o),$=ne([...j().sort(Ze(E)),...n("country")]),u=(a,b,v)=>r`<select class="field" aria-label=${b}
    value=${d[a]} onChange=${m(a)}>${v.map(([y,W])=>r`<option key=${y} value=${y}>${k(W)}</option>`)}</select>`;return r`<div class="try-it" role="group" aria-labelledby=${t}>
    <span id=${t} class="form-label">Try it</span><div class="form-line">
    ${u("kind","Device of the visitor",Object.entries(Ae).map(([a,[b]])=>[a,b]))}
    ${n("browser").length>0&&u("browser","Browser of the visitor",[["",`usual: ${D[p]}`],...Object.entries(D)])}
    ${u("language","Language of the visitor",ne([...Xe,...n("language")]).map(a=>[a,R(a)]))}
    ${u("country","Country of the visitor",$.map(a=>[a,E(a)]))}
    ${s.length>0&&u("query","Query of the visit",[["","no query"],...s.map((a,b)=>[b,ve(a)])])}
    ${n("address").length>0&&u("address","Address of the visitor",[["","other addresses"],...n("address").map(a=>[a,a])])}</div>
    <p class="outcome" role="status">goes to ${l.map(({url:a,share:b,rule:v},y)=>r`<span key=${y}>${y>0&&" or "}<b>${tt(a)}</b>${b<1&&` (${de(b,1)})`}
        <span class="quiet"> ${v?`by ${k(v.name)}`:""}</span></span>`)}</p>
  </div>`}var et=(t={})=>Object.fromEntries(Object.entries(t).map(([e,o])=>[e,o??"any"])),tt=t=>t.trim()?k(A(Ce(t)).join("")):"the destination";var ot=20,nt=t=>t.trim()?k(A(t).join("")):"…";function Ue({id:t,rules:e,destination:o,problems:n,onChange:s}){let[i,c]=g(0),d=x(),m=e.find((u,a)=>Object.keys(Me(n,a)).length>0)?.id;ce(()=>{m&&c(m)},[n]);let f=()=>{let u=e.map(v=>v.name),a=e.length+1;for(;u.includes(`rule-${a}`);)a++;let b=_e({name:`rule-${a}`,when:{},url:""});s([...e,b]),c(b.id),requestAnimationFrame(()=>d.current?.querySelector(".rule-form input, .rule-form select")?.focus())},p=u=>s(e.map(a=>a.id===u.id?u:a)),l=u=>{G(`Removed rule ${u+1}`),s(e.filter((a,b)=>b!==u)),requestAnimationFrame(()=>d.current?.querySelector(".rule-add")?.focus())},$=it(d,e,s);return r`<div class="rules" role="group" aria-labelledby=${`${t}-label`} ref=${d}>
    <span id=${`${t}-label`} class="form-label">Rules</span>
    ${e.length>0&&r`<ol>${e.map((u,a)=>r`<${at} key=${u.id} id=${t}
      rule=${u} index=${a} of=${e.length} rules=${e} dragging=${$}
      open=${i===u.id} problem=${n[`rules[${a}]`]}
      problems=${Me(n,a)} onChange=${p}
      onOpen=${()=>c(i===u.id?0:u.id)} onRemove=${()=>l(a)} />`)}
    </ol>`}
    <div class="rules-end"><span class="quiet">${e.length?"Else → the destination":"Everyone goes to the destination."}</span>
      ${e.length<ot&&r`<button type="button" class="text-button rule-add"
        onClick=${f}><${C} name="add" />Add a rule</button>`}</div>
    ${e.length>0&&r`<${Be} id=${`${t}-try`} rules=${e}
      destination=${o} />`}
  </div>`}function Me(t,e){let o=`rules[${e}].`;return Object.fromEntries(Object.entries(t).filter(([n])=>n.startsWith(o)).map(([n,s])=>[n.slice(o.length),s]))}var st=(t,e)=>Object.fromEntries(Object.entries(e).filter(([o])=>o==="name"||o==="share"||o==="url"&&t.url.trim()||t.when?.after&&t.when.before&&o==="before")),rt=({when:t={},share:e})=>Object.keys(t).length===0&&e===void 0;function at({id:t,rule:e,index:o,of:n,rules:s,dragging:i,open:c,problem:d,problems:m,onChange:f,onOpen:p,onRemove:l}){let $=k(ye(e,o)),u=Ie(e,s),[a]=c?[]:Object.values(u),b=s.findIndex(rt)===o&&o+1<n;return r`<li class="rule" data-dragging=${i.id===e.id} data-id=${e.id}>
    <div class="rule-line">
      <button type="button" class="icon-button grip"
        aria-label=${`Move rule ${o+1} of ${n}: ${$}`}
        title="Drag, or press the up or down arrow key" ...${i.grip(e,o)}>
        <${C} name="grip" /></button>
      <span class="rule-words">${$} <span class="quiet">→ ${nt(e.url)}</span>
      </span>
      <${_} icon="edit" label=${`Edit rule ${o+1}`} aria-expanded=${c}
        onClick=${p} />
      <${_} icon="close" label=${`Remove rule ${o+1}`} onClick=${l} />
    </div>
    ${c&&r`<${je} id=${`${t}-${e.id}`} rule=${e} onChange=${f}
      problems=${{...st(e,u),...m}} onDone=${p} />`}
    ${(d||a)&&r`<p class="problem" role="alert">${d||a}</p>`}
    ${b&&r`<p class="rule-warning" role="status"><${C} name="alert" />
      The rules below are never reached.</p>`}
  </li>`}function it(t,e,o){let[n,s]=g(0),i=x();i.current=e;let c=(p,l)=>{if(l<0||l>=i.current.length||l===p)return;let $=[...i.current];$.splice(l,0,...$.splice(p,1)),o($),G(`Rule ${l+1} of ${$.length}`)},d=p=>i.current.findIndex(l=>l.id===p.id),m=(p,l)=>{let $=[...t.current.querySelectorAll(".rule")].map(b=>b.getBoundingClientRect()),u=d(l),a=$.findIndex((b,v)=>v<u?p.clientY<b.top+b.height/2:v>u&&p.clientY>b.top+b.height/2&&(v+1===$.length||p.clientY<$[v+1].top+$[v+1].height/2));a>=0&&c(u,a)};return{id:n,grip:(p,l)=>({onPointerDown:$=>{$.button||($.currentTarget.setPointerCapture($.pointerId),s(p.id))},onPointerMove:$=>$.currentTarget.hasPointerCapture($.pointerId)&&m($,p),onPointerUp:()=>s(0),onPointerCancel:()=>s(0),onKeyDown:$=>{let u={ArrowUp:-1,ArrowDown:1}[$.key];if(!u)return;$.preventDefault();let a=$.currentTarget;c(l,l+u),requestAnimationFrame(()=>a.focus())}})}}var re=["source","medium","campaign"];function Fe(t){let[,e,o,n]=t.match(/^([^?#]*)(?:\?([^#]*))?(#.*)?$/s);return{path:e,pairs:o?o.split("&"):[],fragment:n??""}}var se=t=>Le(t.split("=",1)[0]);function Le(t){try{return decodeURIComponent(t.replaceAll("+"," "))}catch{return t}}function L(t,e){let o=Fe(t).pairs.find(n=>se(n)===`utm_${e}`);return o?Le(o.slice(o.indexOf("=")+1||o.length)):""}function Ne(t,e,o){let{path:n,pairs:s,fragment:i}=Fe(t),c=o&&`utm_${e}=${encodeURIComponent(o).replaceAll("%20","+")}`,d=s.findIndex(f=>se(f)===`utm_${e}`),m=s.filter(f=>se(f)!==`utm_${e}`);return c&&m.splice(d<0?m.length:d,0,c),n+(m.length?`?${m.join("&")}`:"")+i}var q=({id:t,label:e,problem:o,hint:n,children:s})=>r`<div class="form-row">
  <label for=${t}>${e}</label>
  <div class="form-control">${s}
    ${o?r`<${T} id=${t} text=${o} />`:n&&r`<p class="hint">${n}</p>`}</div></div>`,I=({id:t,label:e,wrong:o,problem:n,children:s})=>r`<div class="form-row" role="group" aria-labelledby=${`${t}-label`}>
  <span id=${`${t}-label`} class="form-label">${e}</span>
  <div class="form-control">${s}<${T} id=${o} text=${n} /></div></div>`;function ie({id:t="f",draft:e,onChange:o,problems:n={},link:s,withURL:i=!0}){let c=m=>f=>o({...e,[m]:f}),d={id:t,draft:e,set:c,problems:n};return r`<div class="form">
    ${i&&r`<${q} id=${`${t}-original_url`} label="Destination"
      problem=${n.original_url}><${N} ...${d} name="original_url" mono=${!0}
        inputmode="url" /><//>`}
    <${lt} ...${d} />
    <${q} id=${`${t}-title`} label="Title" problem=${n.title}>
      <${N} ...${d} name="title" spellcheck=${!0} /><//>
    <${ct} ...${d} onChange=${o} />
    <${dt} ...${d} />
    <${mt} ...${d} link=${s} />
    <${Ue} id=${`${t}-rules`} rules=${e.rules} destination=${e.original_url}
      problems=${n} onChange=${c("rules")} />
  </div>`}var N=({id:t,draft:e,set:o,problems:n,name:s,mono:i,type:c="text",spellcheck:d=!1,...m})=>r`<input id=${`${t}-${s}`} type=${c}
  class=${i?"field mono":"field"} autocomplete="off" spellcheck=${d}
  value=${e[s]} aria-invalid=${!!n[s]}
  aria-describedby=${n[s]?`${t}-${s}-problem`:void 0}
  onInput=${f=>o(s)(f.target.value)} ...${m} />
  <${O} text=${String(e[s])} />`,Ke=({id:t,draft:e,set:o,problems:n,name:s,label:i})=>r`<${U}
  id=${`${t}-${s}`} value=${e[s]} onChange=${o(s)}
  aria-invalid=${!!n[s]}
  aria-describedby=${n[s]?`${t}-${s}-problem`:void 0}
  aria-label=${i} />`;function lt({id:t,draft:e,set:o}){let n=e.original_url,[s,i]=g(re.some(c=>L(n,c)));return s?r`<${I} id=${`${t}-utm`} label="UTM"><div class="form-parts">
    ${re.map(c=>r`<label key=${c}><span>${c}</span>
      <input class="field" autocomplete="off" spellcheck=${!1} aria-label=${`UTM ${c}`}
        value=${L(n,c)} disabled=${!n.trim()}
        onInput=${d=>o("original_url")(Ne(n,c,d.target.value))} />
      <${O} text=${L(n,c)} /></label>`)}
  </div><//>`:r`<div class="form-row form-extra"><span></span><div class="form-control">
    <button type="button" class="text-button" onClick=${()=>i(!0)}>
      <${C} name="add" />UTM parameters</button></div></div>`}function ct({id:t,draft:e,onChange:o,problems:n}){let s=$e(Se);return S(()=>{Ee()},[]),r`<${q} id=${`${t}-tags`} label="Tags">
    <${M} id=${`${t}-tags`} label="Tags" values=${e.tags} text=${e.tag_text}
      onChange=${(i,c)=>o({...e,tags:i,tag_text:c})}
      parse=${Te} options=${s.map(({tag:i})=>[i])} placeholder="newsletter, shop"
      problem=${n.tags} /><//>`}var $t=[["never","never"],["on","at a time"],["after","after a number of clicks"],["either","at a time or after clicks"]];function dt(t){let{id:e,draft:o,set:n,problems:s}=t,i=o.ends,c=s.expires_at?"expires_at":"max_clicks";return r`<${I} id=${`${e}-ends`} label="Ends" wrong=${`${e}-${c}`}
    problem=${s[c]}>
      <div class="form-line"><select class="field" aria-label="Ends" value=${i}
        onChange=${d=>n("ends")(d.target.value)}>
        ${$t.map(([d,m])=>r`<option value=${d}>${m}</option>`)}</select>
      ${(i==="on"||i==="either")&&r`<${Ke} ...${t} name="expires_at"
        label="Ends on" />`}
      ${(i==="after"||i==="either")&&r`<${N} ...${t} name="max_clicks"
        inputmode="numeric" class="field short" aria-label="Clicks until it ends" />
        <span class="quiet">clicks</span>`}</div><//>
    ${(i!=="never"||o.disabled||o.then==="url")&&r`<${ut} ...${t} />`}`}function ut(t){let{id:e,draft:o,set:n,problems:s}=t;return r`<${I} id=${`${e}-then`} label="Then show" wrong=${`${e}-expired_url`}
    problem=${s.expired_url}>
    <div class="form-line"><select class="field" aria-label="Then show" value=${o.then}
      onChange=${i=>n("then")(i.target.value)}>
      <option value="page">a page that says so</option>
      <option value="url">another address</option></select>
    ${o.then==="url"&&r`<${N} ...${t} name="expired_url" mono=${!0}
      inputmode="url" placeholder="https://example.com/" aria-label="Address to show" />`}
    </div><//>`}var pt=[["","302: temporary"],["301","301: permanent"],["307","307: temporary, keeps the method"],["308","308: permanent, keeps the method"]],We=["password","starts_at","redirect_status","forward_query","forward_path","note","disabled"];function mt(t){let{link:e,...o}=t,{id:n,draft:s,set:i,problems:c}=o,d=We.some(p=>s[p])||e?.password||We.some(p=>c[p]),[m,f]=g(d);return S(()=>{d&&f(!0)},[d]),r`<div class="form-more">
    <button type="button" class="text-button" aria-expanded=${m} aria-controls=${`${n}-more`}
      onClick=${()=>f(!m)}><${C} name=${m?"less":"add"} />More</button>
    ${!m&&r`<span class="quiet">Password, start, redirect type, query, path, note</span>`}
  </div>
  <div id=${`${n}-more`} class="form-part" hidden=${!m}>
    <${ft} ...${t} />
    <${q} id=${`${n}-starts_at`} label="Starts" problem=${c.starts_at}>
      <${Ke} ...${o} name="starts_at" /><//>
    <${q} id=${`${n}-redirect_status`} label="Redirect type">
      <select id=${`${n}-redirect_status`} class="field" value=${s.redirect_status}
        onChange=${p=>i("redirect_status")(p.target.value)}>
        ${pt.map(([p,l])=>r`<option value=${p}>${l}</option>`)}
        ${s.redirect_status==="302"&&r`<option value="302">302, explicitly</option>`}
      </select><//>
    <${I} id=${`${n}-forward`} label="Forward">
      <${ae} ...${o} name="forward_query" label="The visitor's query parameters" />
      <${ae} ...${o} name="forward_path" label="What follows the code in the path" /><//>
    <${q} id=${`${n}-note`} label="Note" problem=${c.note} hint="Only you see it.">
      <textarea id=${`${n}-note`} class="field" rows="3" value=${s.note}
        onInput=${p=>i("note")(p.target.value)} aria-invalid=${!!c.note} />
      <${O} text=${s.note} /><//>
    <${I} id=${`${n}-state`} label="State">
      <${ae} ...${o} name="disabled" label="Off (disabled)" /><//>
  </div>`}var ae=({draft:t,set:e,name:o,label:n})=>r`<label class="check"><input type="checkbox"
  checked=${t[o]} onChange=${s=>e(o)(s.target.checked)} />${n}</label>`;function ft({id:t,draft:e,set:o,problems:n,link:s}){let[i,c]=g(!1),d=`${t}-password`,m=o("password"),f=()=>{c(!1),m(null)};return s?.password&&e.password===""?r`<${I} id=${d} label="Password">
    <div class="form-line"><span>Will be removed</span><button type="button" class="text-button"
      onClick=${f}>Keep it</button></div><//>`:s?.password&&!i?r`<${I} id=${d} label="Password">
    <div class="form-line"><span>Set</span><button type="button" class="text-button"
      onClick=${()=>c(!0)}>Change</button>
    <button type="button" class="text-button" onClick=${()=>m("")}>Remove</button>
  </div><//>`:r`<${q} id=${d} label="Password" problem=${n.password}>
    <div class="form-line"><input id=${d} class="field" type="password"
      autocomplete="new-password" value=${e.password??""}
      aria-invalid=${!!n.password}
      onInput=${p=>m(p.target.value||null)} />
      ${s?.password&&r`<${_} icon="close" label="Keep the old password"
        onClick=${f} />`}</div><//>`}function io({code:t,onClose:e}){let[o,n]=g(()=>F.get()?.short_code===t&&F.get().etag?F.get():null),[s,i]=g(null);return S(()=>{o||oe(t).then(n,i)},[]),o?r`<${bt} link=${o} onClose=${e} />`:r`<${Q} label=${`Edit ${t}`} class="edit" onClose=${e}>
    <${z} onClose=${e}>Edit<//>
    ${s&&r`<${pe} title="Couldn't load the link" message=${s.message} />`}<//>`}function bt({link:t,onClose:e}){let[o,n]=g(t),[s,i]=g(()=>B(t)),[c,d]=g({}),[m,f]=g(null),[p,l]=g(!1),[$,u]=g(!1),a=x(),b=x(),v=x(),y=()=>{if(!Oe(s,o))return e();$||(v.current=document.activeElement,v.current.blur(),u(!0))};S(()=>{$&&b.current.focus()},[$]);let W=()=>{u(!1),requestAnimationFrame(()=>v.current.focus())},Ye=h=>{i(h),d({}),u(!1)},le=h=>{d(h),ue(a.current)},Ge=async h=>{if(h.preventDefault(),p)return;let w=ee(s,o);if(Object.keys(w).length)return le(w);let P=Z(s,o);if(!Object.keys(P).length)return e();l(!0),f(null);try{await Re(o,P),e()}catch(K){l(!1),await Qe(K)}},Qe=async h=>{if(h.status===412)return ze();let w=te(h,s);if(w)return le(w);f({text:h.status===0?"Not saved: can't reach the server. What you typed is kept.":h.message})},ze=async()=>{try{let h=await oe(o.short_code),w=Object.entries(Z(B(h),o)).map(([P,K])=>Pe(P,{old:o[P]??null,new:K}));f({text:"Someone else edited this link. Your text is kept; save again to overwrite.",lines:w}),i(qe(s,o,h)),n(h)}catch(h){f({text:h.message})}};return r`<${Q} label=${`Edit ${Y}/${t.short_code}`} class="edit"
    onClose=${y}><form ref=${a} onSubmit=${Ge} novalidate>
    <${z} onClose=${y}>Edit <span class="mono">
      ${Y}/${t.short_code}</span><//>
    <${ie} draft=${s} onChange=${Ye} problems=${c} link=${o} />
    <div class="edit-end">
      ${m&&r`<div class="edit-trouble" role="alert"><p class="problem">
        ${m.text}</p>${m.lines&&r`<ul>
          ${m.lines.map(h=>r`<li key=${h}>${h}</li>`)}</ul>`}</div>`}
      ${$?r`<p role="alert">Discard your changes?</p>
        <button type="button" class="button" ref=${b}
          onClick=${W}>Keep editing</button>
        <button type="button" class="button danger" onClick=${e}>Discard</button>`:r`<button type="button" class="button" onClick=${y}>Cancel</button>
        <button class="button primary" aria-busy=${p}>
          ${m?.lines?"Save again":"Save"}</button>`}
    </div>
  </form><//>`}export{io as EditLink,ie as LinkForm,B as draftOf,He as fieldsOf,ee as problemsOf,te as refusalOf};
