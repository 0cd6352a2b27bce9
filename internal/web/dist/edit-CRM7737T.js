import{a as be}from"./chunk-GO2KAPJ6.js";import{a as xe,b as R,c as ke,d as Ce,e as _e,f as Oe,g as Te,h as V,i as qe,j as X,k as Ie,l as Z,m as Se,n as U,o as Je,p as ee,q as Ee,r as Pe,s as De,t as te,u as Re,v as oe,w as F}from"./chunk-H3TCRYEF.js";import{a as J,b as B,d as he}from"./chunk-WEVPUCCW.js";import{a as ye,e as we}from"./chunk-77G6WIYE.js";import{u as ge,v as ve}from"./chunk-QVZNLVCY.js";import{a as M}from"./chunk-K7ATW4SV.js";import{m as me,n as fe,o as H}from"./chunk-LBTNOKNR.js";import"./chunk-JFPPKJB3.js";import"./chunk-PCD4SETE.js";import{D as Y,E as _,F as O,M as T,N as G,O as Q,P as z,R as q,S as ue,T as pe,b as g,c as E,d as ce,e as k,h as $e,i as r,m as de,r as P,s as D,t as j,x as C,z as A}from"./chunk-7IY37C7O.js";function Ae({id:t,rule:e,problems:o,onChange:s,onDone:n}){let i=([l])=>X(e,l)!==void 0,c=(l,$,u="")=>{let a={...e,text:{...e.text,[l]:u}};l==="share"?a.share=$:a.when={...e.when,[l]:$},s(a)},d=l=>{let{[l]:$,...u}=e.text??{},{[l]:a,...b}=e.when??{};s({...e,text:u,when:b,share:l==="share"?void 0:e.share})},m=l=>{let $=l.target.value;c($,qe[$]),requestAnimationFrame(()=>document.querySelector(`[data-condition="${t}-${$}"] :is(input, button)`)?.focus())},f=V.filter(l=>!i(l)),p=l=>({class:"field",autocomplete:"off",spellcheck:!1,value:e[l],onInput:$=>s({...e,[l]:$.target.value}),"aria-invalid":!!o[l],"aria-describedby":o[l]?`${t}-${l}-problem`:void 0});return r`<div class="rule-form">
    <div><label>Leads to<input inputmode="url" placeholder="https://example.com/"
        ...${p("url")} class="field mono" /><${T} text=${e.url} /></label>
      <${q} id=${`${t}-url`} text=${o.url} /></div>
    ${V.filter(i).map(([l,$])=>r`<div class="condition" key=${l} role="group" aria-label=${$}
        data-condition=${`${t}-${l}`}><span>${$}</span>
        <div><${Xe} id=${`${t}-${l}`} kind=${l} label=${$}
          value=${X(e,l)} text=${e.text?.[l]} problem=${o[l]}
          onChange=${(u,a)=>c(l,u,a)} /></div>
        <${O} icon="close" label=${`Remove condition ${$}`}
          onClick=${()=>d(l)} /></div>`)}
    <div class="rule-form-end">
      ${f.length>0&&r`<select class="field" aria-label="Add a condition" value=""
        onChange=${m}><option value="" disabled selected>Add a condition</option>
        ${f.map(([l,$])=>r`<option value=${l}>${$}</option>`)}</select>`}
      <div class="rule-name"><label>Name in statistics<input ...${p("name")} />
        <${T} text=${e.name} /></label>
        <${q} id=${`${t}-name`} text=${o.name} /></div>
      <button type="button" class="button" onClick=${n}>Done</button></div>
  </div>`}var Ve={language:{label:"Languages",placeholder:"German, pt-BR",show:D,options:()=>Ie.map(t=>[D(t)])},country:{label:"Countries",placeholder:"Germany, AT",show:P,options:()=>j().map(t=>[P(t)])},query:{label:"Query parameters",placeholder:"ref=print",show:Ce},address:{label:"Addresses",placeholder:"192.0.2.0/24"}};function Xe({id:t,kind:e,label:o,value:s,text:n,problem:i,onChange:c}){if(Z[e]){let{options:f=()=>[],...p}=Ve[e],l=e==="query";return r`<${F} id=${t} parse=${Z[e]} text=${n} problem=${i}
      values=${l?Object.entries(s):s} options=${f()}
      onChange=${($,u)=>c(l?Object.fromEntries($):$,u)}
      ...${p} />`}let d={"aria-invalid":!!i,"aria-describedby":i?`${t}-problem`:void 0};return r`${(()=>{switch(e){case"device":return r`<${je} names=${xe} value=${s} onChange=${c}
        isInvalid=${!!i} />`;case"browser":return r`<${je} names=${R} value=${s} onChange=${c}
        isInvalid=${!!i} />`;case"share":return r`<span class="share"><input class="field" type="number" min="1"
        max="99" aria-label="Percent of visitors" ...${d}
        value=${Number.isNaN(s)?"":s}
        onInput=${f=>c(f.target.valueAsNumber)} /> % of these visitors</span>`;default:return r`<${M} aria-label=${o} ...${d}
        value=${H(s)?me(Date.parse(s)):s} onChange=${f=>c(H(f)?new Date(fe(f)).toISOString():f)} />`}})()}<${q} id=${t} text=${i} />`}var je=({names:t,value:e,isInvalid:o,onChange:s})=>r`<span class="toggles"
  data-invalid=${o}>
  ${Object.entries(t).map(([n,i])=>r`<button type="button" key=${n}
    class="toggle" aria-pressed=${e.includes(n)} onClick=${()=>s(e.includes(n)?e.filter(c=>c!==n):[...e,n])}>${i}</button>`)}</span>`;var Be={iphone:["iPhone",["ios","mobile"],"safari"],ipad:["iPad",["ios","tablet"],"safari"],phone:["Android phone",["android","mobile"],"chrome"],tablet:["Android tablet",["android","tablet"],"chrome"],windows:["Windows PC",["windows","desktop"],"chrome"],mac:["Mac",["macos","desktop"],"safari"],linux:["Linux PC",["linux","desktop"],"firefox"],chromebook:["Chromebook",["chromeos","desktop"],"chrome"]},se=t=>[...new Set(t)],Ze=["en","de","fr","es","it","pt","nl","pl","ja","zh"],et=t=>(e,o)=>t(e).localeCompare(t(o));function Me({id:t,rules:e,destination:o}){let s=a=>se(e.flatMap(b=>b.when?.[a]??[])),n=e.map(a=>a.when?.query).filter(a=>a&&!ke(a)),[i,c]=g({kind:"iphone",browser:"",query:"",address:""}),d={language:s("language")[0]??"en",country:s("country")[0]??"US",...i},m=a=>b=>c({...i,[a]:b.target.value}),[,f,p]=Be[d.kind],l=Te(e,{...d,device:f,browser:d.browser||p,query:tt(n[d.query])},o),$=se([...j().sort(et(P)),...s("country")]),u=(a,b,v)=>r`<select class="field" aria-label=${b}
    value=${d[a]} onChange=${m(a)}>${v.map(([y,W])=>r`<option key=${y} value=${y}>${C(W)}</option>`)}</select>`;return r`<div class="try-it" role="group" aria-labelledby=${t}>
    <span id=${t} class="form-label">Try it</span><div class="form-line">
    ${u("kind","Device of the visitor",Object.entries(Be).map(([a,[b]])=>[a,b]))}
    ${s("browser").length>0&&u("browser","Browser of the visitor",[["",`usual: ${R[p]}`],...Object.entries(R)])}
    ${u("language","Language of the visitor",se([...Ze,...s("language")]).map(a=>[a,D(a)]))}
    ${u("country","Country of the visitor",$.map(a=>[a,P(a)]))}
    ${n.length>0&&u("query","Query of the visit",[["","no query"],...n.map((a,b)=>[b,_e(a)])])}
    ${s("address").length>0&&u("address","Address of the visitor",[["","other addresses"],...s("address").map(a=>[a,a])])}</div>
    <p class="outcome" role="status">goes to ${l.map(({url:a,share:b,rule:v},y)=>r`<span key=${y}>${y>0&&" or "}<b>${ot(a)}</b>${b<1&&` (${de(b,1)})`}
        <span class="quiet"> ${v?`by ${C(v.name)}`:""}</span></span>`)}</p>
  </div>`}var tt=(t={})=>Object.fromEntries(Object.entries(t).map(([e,o])=>[e,o??"any"])),ot=t=>t.trim()?C(A(ye(t)).join("")):"the destination";var st=20,nt=t=>t.trim()?C(A(t).join("")):"…";function Fe({id:t,rules:e,destination:o,problems:s,onChange:n}){let[i,c]=g(0),d=k(),m=e.find((u,a)=>Object.keys(Ue(s,a)).length>0)?.id;ce(()=>{m&&c(m)},[s]);let f=()=>{let u=e.map(v=>v.name),a=e.length+1;for(;u.includes(`rule-${a}`);)a++;let b=Se({name:`rule-${a}`,when:{},url:""});n([...e,b]),c(b.id),requestAnimationFrame(()=>d.current?.querySelector(".rule-form input, .rule-form select")?.focus())},p=u=>n(e.map(a=>a.id===u.id?u:a)),l=u=>{G(`Removed rule ${u+1}`),n(e.filter((a,b)=>b!==u)),requestAnimationFrame(()=>d.current?.querySelector(".rule-add")?.focus())},$=lt(d,e,n);return r`<div class="rules" role="group" aria-labelledby=${`${t}-label`} ref=${d}>
    <span id=${`${t}-label`} class="form-label">Rules</span>
    ${e.length>0&&r`<ol>${e.map((u,a)=>r`<${it} key=${u.id} id=${t}
      rule=${u} index=${a} of=${e.length} rules=${e} dragging=${$}
      open=${i===u.id} problem=${s[`rules[${a}]`]}
      problems=${Ue(s,a)} onChange=${p}
      onOpen=${()=>c(i===u.id?0:u.id)} onRemove=${()=>l(a)} />`)}
    </ol>`}
    <div class="rules-end"><span class="quiet">${e.length?"Else → the destination":"Everyone goes to the destination."}</span>
      ${e.length<st&&r`<button type="button" class="text-button rule-add"
        onClick=${f}><${_} name="add" />Add a rule</button>`}</div>
    ${e.length>0&&r`<${Me} id=${`${t}-try`} rules=${e}
      destination=${o} />`}
  </div>`}function Ue(t,e){let o=`rules[${e}].`;return Object.fromEntries(Object.entries(t).filter(([s])=>s.startsWith(o)).map(([s,n])=>[s.slice(o.length),n]))}var rt=(t,e)=>Object.fromEntries(Object.entries(e).filter(([o])=>o==="name"||o==="share"||o==="url"&&t.url.trim()||t.when?.after&&t.when.before&&o==="before")),at=({when:t={},share:e})=>Object.keys(t).length===0&&e===void 0;function it({id:t,rule:e,index:o,of:s,rules:n,dragging:i,open:c,problem:d,problems:m,onChange:f,onOpen:p,onRemove:l}){let $=C(Oe(e,o)),u=Re(e,n),[a]=c?[]:Object.values(u),b=n.findIndex(at)===o&&o+1<s;return r`<li class="rule" data-dragging=${i.id===e.id} data-id=${e.id}>
    <div class="rule-line">
      <button type="button" class="icon-button grip"
        aria-label=${`Move rule ${o+1} of ${s}: ${$}`}
        title="Drag, or press the up or down arrow key" ...${i.grip(e,o)}>
        <${_} name="grip" /></button>
      <span class="rule-words">${$} <span class="quiet">→ ${nt(e.url)}</span>
      </span>
      <${O} icon="edit" label=${`Edit rule ${o+1}`} aria-expanded=${c}
        onClick=${p} />
      <${O} icon="close" label=${`Remove rule ${o+1}`} onClick=${l} />
    </div>
    ${c&&r`<${Ae} id=${`${t}-${e.id}`} rule=${e} onChange=${f}
      problems=${{...rt(e,u),...m}} onDone=${p} />`}
    ${(d||a)&&r`<p class="problem" role="alert">${d||a}</p>`}
    ${b&&r`<p class="rule-warning" role="status"><${_} name="alert" />
      The rules below are never reached.</p>`}
  </li>`}function lt(t,e,o){let[s,n]=g(0),i=k();i.current=e;let c=(p,l)=>{if(l<0||l>=i.current.length||l===p)return;let $=[...i.current];$.splice(l,0,...$.splice(p,1)),o($),G(`Rule ${l+1} of ${$.length}`)},d=p=>i.current.findIndex(l=>l.id===p.id),m=(p,l)=>{let $=[...t.current.querySelectorAll(".rule")].map(b=>b.getBoundingClientRect()),u=d(l),a=$.findIndex((b,v)=>v<u?p.clientY<b.top+b.height/2:v>u&&p.clientY>b.top+b.height/2&&(v+1===$.length||p.clientY<$[v+1].top+$[v+1].height/2));a>=0&&c(u,a)};return{id:s,grip:(p,l)=>({onPointerDown:$=>{$.button||($.currentTarget.setPointerCapture($.pointerId),n(p.id))},onPointerMove:$=>$.currentTarget.hasPointerCapture($.pointerId)&&m($,p),onPointerUp:()=>n(0),onPointerCancel:()=>n(0),onKeyDown:$=>{let u={ArrowUp:-1,ArrowDown:1}[$.key];if(!u)return;$.preventDefault();let a=$.currentTarget;c(l,l+u),requestAnimationFrame(()=>a.focus())}})}}var re=["source","medium","campaign"];function Le(t){let[,e,o,s]=t.match(/^([^?#]*)(?:\?([^#]*))?(#.*)?$/s);return{path:e,pairs:o?o.split("&"):[],fragment:s??""}}var ne=t=>Ne(t.split("=",1)[0]);function Ne(t){try{return decodeURIComponent(t.replaceAll("+"," "))}catch{return t}}function L(t,e){let o=Le(t).pairs.find(s=>ne(s)===`utm_${e}`);return o?Ne(o.slice(o.indexOf("=")+1||o.length)):""}function We(t,e,o){let{path:s,pairs:n,fragment:i}=Le(t),c=o&&`utm_${e}=${encodeURIComponent(o).replaceAll("%20","+")}`,d=n.findIndex(f=>ne(f)===`utm_${e}`),m=n.filter(f=>ne(f)!==`utm_${e}`);return c&&m.splice(d<0?m.length:d,0,c),s+(m.length?`?${m.join("&")}`:"")+i}var I=({id:t,label:e,problem:o,hint:s,children:n})=>r`<div class="form-row">
  <label for=${t}>${e}</label>
  <div class="form-control">${n}
    ${o?r`<${q} id=${t} text=${o} />`:s&&r`<p class="hint">${s}</p>`}</div></div>`,S=({id:t,label:e,wrong:o,problem:s,children:n})=>r`<div class="form-row" role="group" aria-labelledby=${`${t}-label`}>
  <span id=${`${t}-label`} class="form-label">${e}</span>
  <div class="form-control">${n}<${q} id=${o} text=${s} /></div></div>`;function ie({id:t="f",draft:e,onChange:o,problems:s={},link:n,withURL:i=!0}){let c=m=>f=>o({...e,[m]:f}),d={id:t,draft:e,set:c,problems:s};return r`<div class="form">
    ${i&&r`<${I} id=${`${t}-original_url`} label="Destination"
      problem=${s.original_url}><${N} ...${d} name="original_url" mono=${!0}
        inputmode="url" /><//>`}
    <${ct} ...${d} />
    <${I} id=${`${t}-title`} label="Title" problem=${s.title}>
      <${N} ...${d} name="title" spellcheck=${!0} /><//>
    <${$t} ...${d} onChange=${o} />
    <${ut} ...${d} />
    <${ft} ...${d} link=${n} />
    <${Fe} id=${`${t}-rules`} rules=${e.rules} destination=${e.original_url}
      problems=${s} onChange=${c("rules")} />
  </div>`}var N=({id:t,draft:e,set:o,problems:s,name:n,mono:i,type:c="text",spellcheck:d=!1,...m})=>r`<input id=${`${t}-${n}`} type=${c}
  class=${i?"field mono":"field"} autocomplete="off" spellcheck=${d}
  value=${e[n]} aria-invalid=${!!s[n]}
  aria-describedby=${s[n]?`${t}-${n}-problem`:void 0}
  onInput=${f=>o(n)(f.target.value)} ...${m} />
  <${T} text=${String(e[n])} />`,Ye=({id:t,draft:e,set:o,problems:s,name:n,label:i})=>r`<${M}
  id=${`${t}-${n}`} value=${e[n]} onChange=${o(n)}
  aria-invalid=${!!s[n]}
  aria-describedby=${s[n]?`${t}-${n}-problem`:void 0}
  aria-label=${i} />`;function ct({id:t,draft:e,set:o}){let s=e.original_url,[n,i]=g(re.some(c=>L(s,c)));return n?r`<${S} id=${`${t}-utm`} label="UTM"><div class="form-parts">
    ${re.map(c=>r`<label key=${c}><span>${c}</span>
      <input class="field" autocomplete="off" spellcheck=${!1} aria-label=${`UTM ${c}`}
        value=${L(s,c)} disabled=${!s.trim()}
        onInput=${d=>o("original_url")(We(s,c,d.target.value))} />
      <${T} text=${L(s,c)} /></label>`)}
  </div><//>`:r`<div class="form-row form-extra"><span></span><div class="form-control">
    <button type="button" class="text-button" onClick=${()=>i(!0)}>
      <${_} name="add" />UTM parameters</button></div></div>`}function $t({id:t,draft:e,onChange:o,problems:s}){let n=$e(ge);return E(()=>{ve()},[]),r`<${I} id=${`${t}-tags`} label="Tags">
    <${F} id=${`${t}-tags`} label="Tags" values=${e.tags} text=${e.tag_text}
      onChange=${(i,c)=>o({...e,tags:i,tag_text:c})}
      parse=${Pe} options=${n.map(({tag:i})=>[i])} placeholder="newsletter, shop"
      problem=${s.tags} /><//>`}var dt=[["never","never"],["on","at a time"],["after","after a number of clicks"],["either","at a time or after clicks"]];function ut(t){let{id:e,draft:o,set:s,problems:n}=t,i=o.ends,c=n.expires_at?"expires_at":"max_clicks";return r`<${S} id=${`${e}-ends`} label="Ends" wrong=${`${e}-${c}`}
    problem=${n[c]}>
      <div class="form-line"><select class="field" aria-label="Ends" value=${i}
        onChange=${d=>s("ends")(d.target.value)}>
        ${dt.map(([d,m])=>r`<option value=${d}>${m}</option>`)}</select>
      ${(i==="on"||i==="either")&&r`<${Ye} ...${t} name="expires_at"
        label="Ends on" />`}
      ${(i==="after"||i==="either")&&r`<${N} ...${t} name="max_clicks"
        inputmode="numeric" class="field short" aria-label="Clicks until it ends" />
        <span class="quiet">clicks</span>`}</div><//>
    ${(i!=="never"||o.disabled||o.then==="url")&&r`<${pt} ...${t} />`}`}function pt(t){let{id:e,draft:o,set:s,problems:n}=t;return r`<${S} id=${`${e}-then`} label="Then show" wrong=${`${e}-expired_url`}
    problem=${n.expired_url}>
    <div class="form-line"><select class="field" aria-label="Then show" value=${o.then}
      onChange=${i=>s("then")(i.target.value)}>
      <option value="page">a page that says so</option>
      <option value="url">another address</option></select>
    ${o.then==="url"&&r`<${N} ...${t} name="expired_url" mono=${!0}
      inputmode="url" placeholder="https://example.com/" aria-label="Address to show" />`}
    </div><//>`}var mt=[["","302: temporary"],["301","301: permanent"],["307","307: temporary, keeps the method"],["308","308: permanent, keeps the method"]],Ke=["password","starts_at","redirect_status","forward_query","forward_path","note","disabled"];function ft(t){let{link:e,...o}=t,{id:s,draft:n,set:i,problems:c}=o,d=Ke.some(p=>n[p])||e?.password||Ke.some(p=>c[p]),[m,f]=g(d);return E(()=>{d&&f(!0)},[d]),r`<div class="form-more">
    <button type="button" class="text-button" aria-expanded=${m} aria-controls=${`${s}-more`}
      onClick=${()=>f(!m)}><${_} name=${m?"less":"add"} />More</button>
    ${!m&&r`<span class="quiet">Password, start, redirect type, query, path, note</span>`}
  </div>
  <div id=${`${s}-more`} class="form-part" hidden=${!m}>
    <${bt} ...${t} />
    <${I} id=${`${s}-starts_at`} label="Starts" problem=${c.starts_at}>
      <${Ye} ...${o} name="starts_at" /><//>
    <${I} id=${`${s}-redirect_status`} label="Redirect type">
      <select id=${`${s}-redirect_status`} class="field" value=${n.redirect_status}
        onChange=${p=>i("redirect_status")(p.target.value)}>
        ${mt.map(([p,l])=>r`<option value=${p}>${l}</option>`)}
        ${n.redirect_status==="302"&&r`<option value="302">302, explicitly</option>`}
      </select><//>
    <${S} id=${`${s}-forward`} label="Forward">
      <${ae} ...${o} name="forward_query" label="The visitor's query parameters" />
      <${ae} ...${o} name="forward_path" label="What follows the code in the path" /><//>
    <${I} id=${`${s}-note`} label="Note" problem=${c.note} hint="Only you see it.">
      <textarea id=${`${s}-note`} class="field" rows="3" value=${n.note}
        onInput=${p=>i("note")(p.target.value)} aria-invalid=${!!c.note} />
      <${T} text=${n.note} /><//>
    <${S} id=${`${s}-state`} label="State">
      <${ae} ...${o} name="disabled" label="Off (disabled)" /><//>
  </div>`}var ae=({draft:t,set:e,name:o,label:s})=>r`<label class="check"><input type="checkbox"
  checked=${t[o]} onChange=${n=>e(o)(n.target.checked)} />${s}</label>`;function bt({id:t,draft:e,set:o,problems:s,link:n}){let[i,c]=g(!1),d=`${t}-password`,m=o("password"),f=()=>{c(!1),m(null)};return n?.password&&e.password===""?r`<${S} id=${d} label="Password">
    <div class="form-line"><span>Will be removed</span><button type="button" class="text-button"
      onClick=${f}>Keep it</button></div><//>`:n?.password&&!i?r`<${S} id=${d} label="Password">
    <div class="form-line"><span>Set</span><button type="button" class="text-button"
      onClick=${()=>c(!0)}>Change</button>
    <button type="button" class="text-button" onClick=${()=>m("")}>Remove</button>
  </div><//>`:r`<${I} id=${d} label="Password" problem=${s.password}>
    <div class="form-line"><input id=${d} class="field" type="password"
      autocomplete="new-password" value=${e.password??""}
      aria-invalid=${!!s.password}
      onInput=${p=>m(p.target.value||null)} />
      ${n?.password&&r`<${O} icon="close" label="Keep the old password"
        onClick=${f} />`}</div><//>`}function co({code:t,onClose:e}){let[o,s]=g(()=>B.get()?.short_code===t&&B.get().etag?B.get():null),[n,i]=g(null);return E(()=>{o||J(t).then(s,i)},[]),o?r`<${ht} link=${o} onClose=${e} />`:r`<${Q} label=${`Edit ${t}`} class="edit" onClose=${e}>
    <${z} onClose=${e}>Edit<//>
    ${n&&r`<${pe} title="Couldn't load the link" message=${n.message} />`}<//>`}function ht({link:t,onClose:e}){let[o,s]=g(t),[n,i]=g(()=>U(t)),[c,d]=g({}),[m,f]=g(null),[p,l]=g(!1),[$,u]=g(!1),a=k(),b=k(),v=k(),y=()=>{if(!Ee(n,o))return e();$||(v.current=document.activeElement,v.current.blur(),u(!0))};E(()=>{$&&b.current.focus()},[$]);let W=()=>{u(!1),requestAnimationFrame(()=>v.current.focus())},Ge=h=>{i(h),d({}),u(!1)},le=h=>{d(h),ue(a.current)},Qe=async h=>{if(h.preventDefault(),p)return;let x=te(n,o);if(Object.keys(x).length)return le(x);let w=ee(n,o);if(!Object.keys(w).length)return e();l(!0),f(null);try{await he(o,w),e()}catch(K){l(!1),await ze(K)}},ze=async h=>{if(h.status===412)return He();let x=h.status===400&&oe(h.message),w=/short link/i.test(h.message)?we:h.message;if(x)return le({[x]:w});f({text:h.status===0?"Not saved: can't reach the server. What you typed is kept.":w})},He=async()=>{try{let h=await J(o.short_code),x=Object.entries(ee(U(h),o)).map(([w,K])=>be(w,{old:o[w]??null,new:K}));f({text:"Someone else edited this link. Your text is kept; save again to overwrite.",lines:x}),i(De(n,o,h)),s(h)}catch(h){f({text:h.message})}};return r`<${Q} label=${`Edit ${Y}/${t.short_code}`} class="edit"
    onClose=${y}><form ref=${a} onSubmit=${Qe} novalidate>
    <${z} onClose=${y}>Edit <span class="mono">
      ${Y}/${t.short_code}</span><//>
    <${ie} draft=${n} onChange=${Ge} problems=${c} link=${o} />
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
  </form><//>`}export{co as EditLink,ie as LinkForm,U as draftOf,Je as fieldsOf,te as problemsOf,oe as where};
