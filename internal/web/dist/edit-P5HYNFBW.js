import{a as be,b as D,c as he,d as ge,e as ve,f as ye,g as we,h as J,i as xe,j as V,k as ke,l as X,m as _e,n as B,o as Je,p as Z,q as Oe,r as Te,s as qe,t as ee,u as Ie,v as te,w as M}from"./chunk-GVNVUWZK.js";import{a as Re}from"./chunk-P5LMDZUI.js";import{a as oe,b as F,d as De}from"./chunk-34G3JOU4.js";import{a as Ce}from"./chunk-5CW5BPVR.js";import{v as Se,w as Ee,x as Pe}from"./chunk-3M7SCBBP.js";import{a as U}from"./chunk-SUVWWZH6.js";import{m as me,n as fe,o as H}from"./chunk-LBTNOKNR.js";import"./chunk-3ZQJPBMH.js";import"./chunk-4ML2RHRV.js";import{D as Y,E as C,F as _,M as O,N as G,P as Q,Q as z,S as T,T as de,U as pe,b as g,c as S,d as ce,e as x,h as $e,i as r,m as ue,r as E,s as R,t as j,x as k,z as A}from"./chunk-AF6ZNSPA.js";function Ae({id:t,rule:e,problems:o,onChange:n,onDone:s}){let l=([i])=>V(e,i)!==void 0,c=(i,$,d="")=>{let a={...e,text:{...e.text,[i]:d}};i==="share"?a.share=$:a.when={...e.when,[i]:$},n(a)},u=i=>{let{[i]:$,...d}=e.text??{},{[i]:a,...b}=e.when??{};n({...e,text:d,when:b,share:i==="share"?void 0:e.share})},m=i=>{let $=i.target.value;c($,xe[$]),requestAnimationFrame(()=>document.querySelector(`[data-condition="${t}-${$}"] :is(input, button)`)?.focus())},f=J.filter(i=>!l(i)),p=i=>({class:"field",autocomplete:"off",spellcheck:!1,value:e[i],onInput:$=>n({...e,[i]:$.target.value}),"aria-invalid":!!o[i],"aria-describedby":o[i]?`${t}-${i}-problem`:void 0});return r`<div class="rule-form">
    <div><label>Leads to<input inputmode="url" placeholder="https://example.com/"
        ...${p("url")} class="field mono" /><${O} text=${e.url} /></label>
      <${T} id=${`${t}-url`} text=${o.url} /></div>
    ${J.filter(l).map(([i,$])=>r`<div class="condition" key=${i} role="group" aria-label=${$}
        data-condition=${`${t}-${i}`}><span>${$}</span>
        <div><${Xe} id=${`${t}-${i}`} kind=${i} label=${$}
          value=${V(e,i)} text=${e.text?.[i]} problem=${o[i]}
          onChange=${(d,a)=>c(i,d,a)} /></div>
        <${_} icon="close" label=${`Remove condition ${$}`}
          onClick=${()=>u(i)} /></div>`)}
    <div class="rule-form-end">
      ${f.length>0&&r`<select class="field" aria-label="Add a condition" value=""
        onChange=${m}><option value="" disabled selected>Add a condition</option>
        ${f.map(([i,$])=>r`<option value=${i}>${$}</option>`)}</select>`}
      <div class="rule-name"><label>Name in statistics<input ...${p("name")} />
        <${O} text=${e.name} /></label>
        <${T} id=${`${t}-name`} text=${o.name} /></div>
      <button type="button" class="button" onClick=${s}>Done</button></div>
  </div>`}var Ve={language:{label:"Languages",placeholder:"German, pt-BR",show:R,options:()=>ke.map(t=>({value:R(t)}))},country:{label:"Countries",placeholder:"Germany, AT",show:E,options:()=>j().map(t=>({value:E(t)}))},query:{label:"Query parameters",placeholder:"ref=print",show:ge},address:{label:"Addresses",placeholder:"192.0.2.0/24"}};function Xe({id:t,kind:e,label:o,value:n,text:s,problem:l,onChange:c}){if(X[e]){let{options:f=()=>[],...p}=Ve[e],i=e==="query";return r`<${M} id=${t} parse=${X[e]} text=${s} problem=${l}
      values=${i?Object.entries(n):n} options=${f()}
      onChange=${($,d)=>c(i?Object.fromEntries($):$,d)}
      ...${p} />`}let u={"aria-invalid":!!l,"aria-describedby":l?`${t}-problem`:void 0};return r`${(()=>{switch(e){case"device":return r`<${je} names=${be} value=${n} onChange=${c}
        isInvalid=${!!l} />`;case"browser":return r`<${je} names=${D} value=${n} onChange=${c}
        isInvalid=${!!l} />`;case"share":return r`<span class="share"><input class="field" type="number" min="1"
        max="99" aria-label="Percent of visitors" ...${u}
        value=${Number.isNaN(n)?"":n}
        onInput=${f=>c(f.target.valueAsNumber)} /> % of these visitors</span>`;default:return r`<${U} aria-label=${o} ...${u}
        value=${H(n)?me(Date.parse(n)):n} onChange=${f=>c(H(f)?new Date(fe(f)).toISOString():f)} />`}})()}<${T} id=${t} text=${l} />`}var je=({names:t,value:e,isInvalid:o,onChange:n})=>r`<span class="toggles"
  data-invalid=${o}>
  ${Object.entries(t).map(([s,l])=>r`<button type="button" key=${s}
    class="toggle" aria-pressed=${e.includes(s)} onClick=${()=>n(e.includes(s)?e.filter(c=>c!==s):[...e,s])}>${l}</button>`)}</span>`;var Be={iphone:["iPhone",["ios","mobile"],"safari"],ipad:["iPad",["ios","tablet"],"safari"],phone:["Android phone",["android","mobile"],"chrome"],tablet:["Android tablet",["android","tablet"],"chrome"],windows:["Windows PC",["windows","desktop"],"chrome"],mac:["Mac",["macos","desktop"],"safari"],linux:["Linux PC",["linux","desktop"],"firefox"],chromebook:["Chromebook",["chromeos","desktop"],"chrome"]},ne=t=>[...new Set(t)],Ze=["en","de","fr","es","it","pt","nl","pl","ja","zh"],et=t=>(e,o)=>t(e).localeCompare(t(o));function Me({id:t,rules:e,destination:o}){let n=a=>ne(e.flatMap(b=>b.when?.[a]??[])),s=e.map(a=>a.when?.query).filter(a=>a&&!he(a)),[l,c]=g({kind:"iphone",browser:"",query:"",address:""}),u={language:n("language")[0]??"en",country:n("country")[0]??"US",...l},m=a=>b=>c({...l,[a]:b.target.value}),[,f,p]=Be[u.kind],i=we(e,{...u,device:f,browser:u.browser||p,query:tt(s[u.query])},o),$=ne([...j().sort(et(E)),...n("country")]),d=(a,b,v)=>r`<select class="field" aria-label=${b}
    value=${u[a]} onChange=${m(a)}>${v.map(([y,W])=>r`<option key=${y} value=${y}>${k(W)}</option>`)}</select>`;return r`<div class="try-it" role="group" aria-labelledby=${t}>
    <span id=${t} class="form-label">Try it</span><div class="form-line">
    ${d("kind","Device of the visitor",Object.entries(Be).map(([a,[b]])=>[a,b]))}
    ${n("browser").length>0&&d("browser","Browser of the visitor",[["",`usual: ${D[p]}`],...Object.entries(D)])}
    ${d("language","Language of the visitor",ne([...Ze,...n("language")]).map(a=>[a,R(a)]))}
    ${d("country","Country of the visitor",$.map(a=>[a,E(a)]))}
    ${s.length>0&&d("query","Query of the visit",[["","no query"],...s.map((a,b)=>[b,ve(a)])])}
    ${n("address").length>0&&d("address","Address of the visitor",[["","other addresses"],...n("address").map(a=>[a,a])])}</div>
    <p class="outcome" role="status">goes to ${i.map(({url:a,share:b,rule:v},y)=>r`<span key=${y}>${y>0&&" or "}<b>${ot(a)}</b>${b<1&&` (${ue(b,1)})`}
        <span class="quiet"> ${v?`by ${k(v.name)}`:""}</span></span>`)}</p>
  </div>`}var tt=(t={})=>Object.fromEntries(Object.entries(t).map(([e,o])=>[e,o??"any"])),ot=t=>t.trim()?k(A(Ce(t)).join("")):"the destination";var nt=20,st=t=>t.trim()?k(A(t).join("")):"…";function Fe({id:t,rules:e,destination:o,problems:n,onChange:s}){let[l,c]=g(0),u=x(),m=e.find((d,a)=>Object.keys(Ue(n,a)).length>0)?.id;ce(()=>{m&&c(m)},[n]);let f=()=>{let d=e.map(v=>v.name),a=e.length+1;for(;d.includes(`rule-${a}`);)a++;let b=_e({name:`rule-${a}`,when:{},url:""});s([...e,b]),c(b.id),requestAnimationFrame(()=>u.current?.querySelector(".rule-form input, .rule-form select")?.focus())},p=d=>s(e.map(a=>a.id===d.id?d:a)),i=d=>{G(`Removed rule ${d+1}`),s(e.filter((a,b)=>b!==d)),requestAnimationFrame(()=>u.current?.querySelector(".rule-add")?.focus())},$=lt(u,e,s);return r`<div class="rules" role="group" aria-labelledby=${`${t}-label`} ref=${u}>
    <span id=${`${t}-label`} class="form-label">Rules</span>
    ${e.length>0&&r`<ol>${e.map((d,a)=>r`<${it} key=${d.id} id=${t}
      rule=${d} index=${a} of=${e.length} rules=${e} dragging=${$}
      open=${l===d.id} problem=${n[`rules[${a}]`]}
      problems=${Ue(n,a)} onChange=${p}
      onOpen=${()=>c(l===d.id?0:d.id)} onRemove=${()=>i(a)} />`)}
    </ol>`}
    <div class="rules-end"><span class="quiet">${e.length?"Else → the destination":"Everyone goes to the destination."}</span>
      ${e.length<nt&&r`<button type="button" class="text-button rule-add"
        onClick=${f}><${C} name="add" />Add a rule</button>`}</div>
    ${e.length>0&&r`<${Me} id=${`${t}-try`} rules=${e}
      destination=${o} />`}
  </div>`}function Ue(t,e){let o=`rules[${e}].`;return Object.fromEntries(Object.entries(t).filter(([n])=>n.startsWith(o)).map(([n,s])=>[n.slice(o.length),s]))}var rt=(t,e)=>Object.fromEntries(Object.entries(e).filter(([o])=>o==="name"||o==="share"||o==="url"&&t.url.trim()||t.when?.after&&t.when.before&&o==="before")),at=({when:t={},share:e})=>Object.keys(t).length===0&&e===void 0;function it({id:t,rule:e,index:o,of:n,rules:s,dragging:l,open:c,problem:u,problems:m,onChange:f,onOpen:p,onRemove:i}){let $=k(ye(e,o)),d=Ie(e,s),[a]=c?[]:Object.values(d),b=s.findIndex(at)===o&&o+1<n;return r`<li class="rule" data-dragging=${l.id===e.id} data-id=${e.id}>
    <div class="rule-line">
      <button type="button" class="icon-button grip"
        aria-label=${`Move rule ${o+1} of ${n}: ${$}`}
        title="Drag, or press the up or down arrow key" ...${l.grip(e,o)}>
        <${C} name="grip" /></button>
      <span class="rule-words">${$} <span class="quiet">→ ${st(e.url)}</span>
      </span>
      <${_} icon="edit" label=${`Edit rule ${o+1}`} aria-expanded=${c}
        onClick=${p} />
      <${_} icon="close" label=${`Remove rule ${o+1}`} onClick=${i} />
    </div>
    ${c&&r`<${Ae} id=${`${t}-${e.id}`} rule=${e} onChange=${f}
      problems=${{...rt(e,d),...m}} onDone=${p} />`}
    ${(u||a)&&r`<p class="problem" role="alert">${u||a}</p>`}
    ${b&&r`<p class="rule-warning" role="status"><${C} name="alert" />
      The rules below are never reached.</p>`}
  </li>`}function lt(t,e,o){let[n,s]=g(0),l=x();l.current=e;let c=(p,i)=>{if(i<0||i>=l.current.length||i===p)return;let $=[...l.current];$.splice(i,0,...$.splice(p,1)),o($),G(`Rule ${i+1} of ${$.length}`)},u=p=>l.current.findIndex(i=>i.id===p.id),m=(p,i)=>{let $=[...t.current.querySelectorAll(".rule")].map(b=>b.getBoundingClientRect()),d=u(i),a=$.findIndex((b,v)=>v<d?p.clientY<b.top+b.height/2:v>d&&p.clientY>b.top+b.height/2&&(v+1===$.length||p.clientY<$[v+1].top+$[v+1].height/2));a>=0&&c(d,a)};return{id:n,grip:(p,i)=>({onPointerDown:$=>{$.button||($.currentTarget.setPointerCapture($.pointerId),s(p.id))},onPointerMove:$=>$.currentTarget.hasPointerCapture($.pointerId)&&m($,p),onPointerUp:()=>s(0),onPointerCancel:()=>s(0),onKeyDown:$=>{let d={ArrowUp:-1,ArrowDown:1}[$.key];if(!d)return;$.preventDefault();let a=$.currentTarget;c(i,i+d),requestAnimationFrame(()=>a.focus())}})}}var re=["source","medium","campaign"];function Le(t){let[,e,o,n]=t.match(/^([^?#]*)(?:\?([^#]*))?(#.*)?$/s);return{path:e,pairs:o?o.split("&"):[],fragment:n??""}}var se=t=>Ne(t.split("=",1)[0]);function Ne(t){try{return decodeURIComponent(t.replaceAll("+"," "))}catch{return t}}function L(t,e){let o=Le(t).pairs.find(n=>se(n)===`utm_${e}`);return o?Ne(o.slice(o.indexOf("=")+1||o.length)):""}function We(t,e,o){let{path:n,pairs:s,fragment:l}=Le(t),c=o&&`utm_${e}=${encodeURIComponent(o).replaceAll("%20","+")}`,u=s.findIndex(f=>se(f)===`utm_${e}`),m=s.filter(f=>se(f)!==`utm_${e}`);return c&&m.splice(u<0?m.length:u,0,c),n+(m.length?`?${m.join("&")}`:"")+l}var q=({id:t,label:e,problem:o,hint:n,children:s})=>r`<div class="form-row">
  <label for=${t}>${e}</label>
  <div class="form-control">${s}
    ${o?r`<${T} id=${t} text=${o} />`:n&&r`<p class="hint">${n}</p>`}</div></div>`,I=({id:t,label:e,wrong:o,problem:n,children:s})=>r`<div class="form-row" role="group" aria-labelledby=${`${t}-label`}>
  <span id=${`${t}-label`} class="form-label">${e}</span>
  <div class="form-control">${s}<${T} id=${o} text=${n} /></div></div>`;function ie({id:t="f",draft:e,onChange:o,problems:n={},link:s,withURL:l=!0}){let c=m=>f=>o({...e,[m]:f}),u={id:t,draft:e,set:c,problems:n};return r`<div class="form">
    ${l&&r`<${q} id=${`${t}-original_url`} label="Destination"
      problem=${n.original_url}><${N} ...${u} name="original_url" mono=${!0}
        inputmode="url" /><//>`}
    <${ct} ...${u} />
    <${q} id=${`${t}-title`} label="Title" problem=${n.title}>
      <${N} ...${u} name="title" spellcheck=${!0} /><//>
    <${$t} ...${u} onChange=${o} />
    <${dt} ...${u} />
    <${ft} ...${u} link=${s} />
    <${Fe} id=${`${t}-rules`} rules=${e.rules} destination=${e.original_url}
      problems=${n} onChange=${c("rules")} />
  </div>`}var N=({id:t,draft:e,set:o,problems:n,name:s,mono:l,type:c="text",spellcheck:u=!1,...m})=>r`<input id=${`${t}-${s}`} type=${c}
  class=${l?"field mono":"field"} autocomplete="off" spellcheck=${u}
  value=${e[s]} aria-invalid=${!!n[s]}
  aria-describedby=${n[s]?`${t}-${s}-problem`:void 0}
  onInput=${f=>o(s)(f.target.value)} ...${m} />
  <${O} text=${String(e[s])} />`,Ye=({id:t,draft:e,set:o,problems:n,name:s,label:l})=>r`<${U}
  id=${`${t}-${s}`} value=${e[s]} onChange=${o(s)}
  aria-invalid=${!!n[s]}
  aria-describedby=${n[s]?`${t}-${s}-problem`:void 0}
  aria-label=${l} />`;function ct({id:t,draft:e,set:o}){let n=e.original_url,[s,l]=g(re.some(c=>L(n,c)));return s?r`<${I} id=${`${t}-utm`} label="UTM"><div class="form-parts">
    ${re.map(c=>r`<label key=${c}><span>${c}</span>
      <input class="field" autocomplete="off" spellcheck=${!1} aria-label=${`UTM ${c}`}
        value=${L(n,c)} disabled=${!n.trim()}
        onInput=${u=>o("original_url")(We(n,c,u.target.value))} />
      <${O} text=${L(n,c)} /></label>`)}
  </div><//>`:r`<div class="form-row form-extra"><span></span><div class="form-control">
    <button type="button" class="text-button" onClick=${()=>l(!0)}>
      <${C} name="add" />UTM parameters</button></div></div>`}function $t({id:t,draft:e,onChange:o,problems:n}){let s=$e(Se);return S(()=>{Ee()},[]),r`<${q} id=${`${t}-tags`} label="Tags">
    <${M} id=${`${t}-tags`} label="Tags" values=${e.tags} text=${e.tag_text}
      onChange=${(l,c)=>o({...e,tags:l,tag_text:c})}
      parse=${Te} options=${Pe(s)} create=${!0} placeholder="newsletter, shop"
      problem=${n.tags} /><//>`}var ut=[["never","never"],["on","at a time"],["after","after a number of clicks"],["either","at a time or after clicks"]];function dt(t){let{id:e,draft:o,set:n,problems:s}=t,l=o.ends,c=s.expires_at?"expires_at":"max_clicks";return r`<${I} id=${`${e}-ends`} label="Ends" wrong=${`${e}-${c}`}
    problem=${s[c]}>
      <div class="form-line"><select class="field" aria-label="Ends" value=${l}
        onChange=${u=>n("ends")(u.target.value)}>
        ${ut.map(([u,m])=>r`<option value=${u}>${m}</option>`)}</select>
      ${(l==="on"||l==="either")&&r`<${Ye} ...${t} name="expires_at"
        label="Ends on" />`}
      ${(l==="after"||l==="either")&&r`<${N} ...${t} name="max_clicks"
        inputmode="numeric" class="field short" aria-label="Clicks until it ends" />
        <span class="quiet">clicks</span>`}</div><//>
    ${(l!=="never"||o.disabled||o.then==="url")&&r`<${pt} ...${t} />`}`}function pt(t){let{id:e,draft:o,set:n,problems:s}=t;return r`<${I} id=${`${e}-then`} label="Then show" wrong=${`${e}-expired_url`}
    problem=${s.expired_url}>
    <div class="form-line"><select class="field" aria-label="Then show" value=${o.then}
      onChange=${l=>n("then")(l.target.value)}>
      <option value="page">a page that says so</option>
      <option value="url">another address</option></select>
    ${o.then==="url"&&r`<${N} ...${t} name="expired_url" mono=${!0}
      inputmode="url" placeholder="https://example.com/" aria-label="Address to show" />`}
    </div><//>`}var mt=[["","302: temporary"],["301","301: permanent"],["307","307: temporary, keeps the method"],["308","308: permanent, keeps the method"]],Ke=["password","starts_at","redirect_status","forward_query","forward_path","note","disabled"];function ft(t){let{link:e,...o}=t,{id:n,draft:s,set:l,problems:c}=o,u=Ke.some(p=>s[p])||e?.password||Ke.some(p=>c[p]),[m,f]=g(u);return S(()=>{u&&f(!0)},[u]),r`<div class="form-more">
    <button type="button" class="text-button" aria-expanded=${m} aria-controls=${`${n}-more`}
      onClick=${()=>f(!m)}><${C} name=${m?"less":"add"} />More</button>
    ${!m&&r`<span class="quiet">Password, start, redirect type, query, path, note</span>`}
  </div>
  <div id=${`${n}-more`} class="form-part" hidden=${!m}>
    <${bt} ...${t} />
    <${q} id=${`${n}-starts_at`} label="Starts" problem=${c.starts_at}>
      <${Ye} ...${o} name="starts_at" /><//>
    <${q} id=${`${n}-redirect_status`} label="Redirect type">
      <select id=${`${n}-redirect_status`} class="field" value=${s.redirect_status}
        onChange=${p=>l("redirect_status")(p.target.value)}>
        ${mt.map(([p,i])=>r`<option value=${p}>${i}</option>`)}
        ${s.redirect_status==="302"&&r`<option value="302">302, explicitly</option>`}
      </select><//>
    <${I} id=${`${n}-forward`} label="Forward">
      <${ae} ...${o} name="forward_query" label="The visitor's query parameters" />
      <${ae} ...${o} name="forward_path" label="What follows the code in the path" /><//>
    <${q} id=${`${n}-note`} label="Note" problem=${c.note} hint="Only you see it.">
      <textarea id=${`${n}-note`} class="field" rows="3" value=${s.note}
        onInput=${p=>l("note")(p.target.value)} aria-invalid=${!!c.note} />
      <${O} text=${s.note} /><//>
    <${I} id=${`${n}-state`} label="State">
      <${ae} ...${o} name="disabled" label="Off (disabled)" /><//>
  </div>`}var ae=({draft:t,set:e,name:o,label:n})=>r`<label class="check"><input type="checkbox"
  checked=${t[o]} onChange=${s=>e(o)(s.target.checked)} />${n}</label>`;function bt({id:t,draft:e,set:o,problems:n,link:s}){let[l,c]=g(!1),u=`${t}-password`,m=o("password"),f=()=>{c(!1),m(null)};return s?.password&&e.password===""?r`<${I} id=${u} label="Password">
    <div class="form-line"><span>Will be removed</span><button type="button" class="text-button"
      onClick=${f}>Keep it</button></div><//>`:s?.password&&!l?r`<${I} id=${u} label="Password">
    <div class="form-line"><span>Set</span><button type="button" class="text-button"
      onClick=${()=>c(!0)}>Change</button>
    <button type="button" class="text-button" onClick=${()=>m("")}>Remove</button>
  </div><//>`:r`<${q} id=${u} label="Password" problem=${n.password}>
    <div class="form-line"><input id=${u} class="field" type="password"
      autocomplete="new-password" value=${e.password??""}
      aria-invalid=${!!n.password}
      onInput=${p=>m(p.target.value||null)} />
      ${s?.password&&r`<${_} icon="close" label="Keep the old password"
        onClick=${f} />`}</div><//>`}function lo({code:t,onClose:e}){let[o,n]=g(()=>F.get()?.short_code===t&&F.get().etag?F.get():null),[s,l]=g(null);return S(()=>{o||oe(t).then(n,l)},[]),o?r`<${ht} link=${o} onClose=${e} />`:r`<${Q} label=${`Edit ${t}`} class="edit" onClose=${e}>
    <${z} onClose=${e}>Edit<//>
    ${s&&r`<${pe} title="Couldn't load the link" message=${s.message} />`}<//>`}function ht({link:t,onClose:e}){let[o,n]=g(t),[s,l]=g(()=>B(t)),[c,u]=g({}),[m,f]=g(null),[p,i]=g(!1),[$,d]=g(!1),a=x(),b=x(),v=x(),y=()=>{if(!Oe(s,o))return e();$||(v.current=document.activeElement,v.current.blur(),d(!0))};S(()=>{$&&b.current.focus()},[$]);let W=()=>{d(!1),requestAnimationFrame(()=>v.current.focus())},Ge=h=>{l(h),u({}),d(!1)},le=h=>{u(h),de(a.current)},Qe=async h=>{if(h.preventDefault(),p)return;let w=ee(s,o);if(Object.keys(w).length)return le(w);let P=Z(s,o);if(!Object.keys(P).length)return e();i(!0),f(null);try{await De(o,P),e()}catch(K){i(!1),await ze(K)}},ze=async h=>{if(h.status===412)return He();let w=te(h,s);if(w)return le(w);f({text:h.status===0?"Not saved: can't reach the server. What you typed is kept.":h.message})},He=async()=>{try{let h=await oe(o.short_code),w=Object.entries(Z(B(h),o)).map(([P,K])=>Re(P,{old:o[P]??null,new:K}));f({text:"Someone else edited this link. Your text is kept; save again to overwrite.",lines:w}),l(qe(s,o,h)),n(h)}catch(h){f({text:h.message})}};return r`<${Q} label=${`Edit ${Y}/${t.short_code}`} class="edit"
    onClose=${y}><form ref=${a} onSubmit=${Qe} novalidate>
    <${z} onClose=${y}>Edit <span class="mono">
      ${Y}/${t.short_code}</span><//>
    <${ie} draft=${s} onChange=${Ge} problems=${c} link=${o} />
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
  </form><//>`}export{lo as EditLink,ie as LinkForm,B as draftOf,Je as fieldsOf,ee as problemsOf,te as refusalOf};
