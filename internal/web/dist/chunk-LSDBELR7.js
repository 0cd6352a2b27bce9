import{a as H,b as ge,c as V,d as ve,e as X,f as we,j as xe,l as ke,n as Ce,p as _e,r as U}from"./chunk-QZJQ5DS4.js";import{B as z,C as q,G as le,H as r,I as x,Ia as de,J as _,Ja as M,Ka as E,La as ue,Ma as P,Na as pe,O as ce,Oa as me,P as C,Pa as fe,Q as S,Qa as be,Ra as he,Sa as ye,U as k,Wa as Oe,Xa as Se,Ya as Te,Za as Ie,_a as je,a as v,b as T,c as B,d as I,fa as $e,h as Q,i as ae,j as ie,n as O,o as j,p as R,t as y,v as N,z as Y}from"./chunk-VS3EXAIA.js";var A=[["source","Source","newsletter"],["medium","Medium","email"],["campaign","Campaign","spring-sale"],["term","Term","running shoes"],["content","Content","header-link"]];function qe(t){let[,e,o,n]=t.match(/^([^?#]*)(?:\?([^#]*))?(#.*)?$/s);return{path:e,pairs:o?o.split("&"):[],fragment:n??""}}var Z=t=>Ee(t.split("=",1)[0]);function Ee(t){try{return decodeURIComponent(t.replaceAll("+"," "))}catch{return t}}function te(t,e){let o=qe(t).pairs.find(n=>Z(n)===`utm_${e}`);return o?Ee(o.slice(o.indexOf("=")+1||o.length)):""}function L(t,e,o){let{path:n,pairs:s,fragment:i}=qe(t),c=o&&`utm_${e}=${encodeURIComponent(o).replaceAll("%20","+")}`,u=s.findIndex(b=>Z(b)===`utm_${e}`),m=s.filter(b=>Z(b)!==`utm_${e}`);return c&&m.splice(u<0?m.length:u,0,c),n+(m.length?`?${m.join("&")}`:"")+i}var D=t=>Object.fromEntries(A.map(([e])=>[e,te(t,e)]).filter(([,e])=>e)),Pe=(t,e)=>A.reduce((o,[n])=>L(o,n,e[n]??""),t),St=(t,e)=>Object.entries(D(e)).reduce((o,[n,s])=>L(o,n,s),t),ee=50,Ze=64*1024,F=40;function Ae(t){let e;try{e=JSON.parse(t??"[]")}catch{return[]}return Array.isArray(e)?e.filter(o=>typeof o?.name=="string"&&o.name&&et(o.values)).slice(0,ee).map(({name:o,values:n})=>({name:o,values:n})):[]}var et=t=>t!==null&&typeof t=="object"&&Object.entries(t).every(([e,o])=>A.some(([n])=>n===e)&&typeof o=="string");function oe(t,e,o){if(e=e.trim(),!e)return{problem:"Enter a name."};if([...e].length>F)return{problem:`A name can have at most ${F} characters.`};let n=t.filter(i=>i.name.toLowerCase()!==e.toLowerCase());if(n.length>=ee)return{problem:`There are ${ee} sets already. Delete one first.`};let s=[...n,{name:e,values:o}].sort((i,c)=>i.name.localeCompare(c.name));return new TextEncoder().encode(JSON.stringify(s)).length>Ze?{problem:"The sets take too much room. Delete one first."}:{sets:s}}var De=(t,e)=>t.filter(o=>o.name!==e);var Be="?";function G({value:t,onChange:e,...o}){let n=({target:s})=>{let i=s.validity.badInput?Be:s.value;i!==t&&e(i)};return r`<input class="field" type="datetime-local" max="9999-12-31T23:59"
    value=${t===Be?"":t} onInput=${n} onBlur=${n} ...${o} />`}function Ne({id:t,rule:e,problems:o,onChange:n,onDone:s}){let i=([l])=>V(e,l)!==void 0,c=(l,d,p="")=>{let a={...e,text:{...e.text,[l]:p}};l==="share"?a.share=d:a.when={...e.when,[l]:d},n(a)},u=l=>{let{[l]:d,...p}=e.text??{},{[l]:a,...$}=e.when??{};n({...e,text:p,when:$,share:l==="share"?void 0:e.share})},m=l=>{let d=l.target.value;c(d,ge[d]),requestAnimationFrame(()=>document.querySelector(`[data-condition="${t}-${d}"] :is(input, button)`)?.focus())},b=H.filter(l=>!i(l)),f=l=>({class:"field",autocomplete:"off",spellcheck:!1,value:e[l],onInput:d=>n({...e,[l]:d.target.value}),"aria-invalid":!!o[l],"aria-describedby":o[l]?`${t}-${l}-problem`:void 0});return r`<div class="rule-form">
    <div><label>Leads to<input inputmode="url" placeholder="https://example.com/"
        ...${f("url")} class="field mono" /><${C} text=${e.url} /></label>
      <${k} id=${`${t}-url`} text=${o.url} /></div>
    ${H.filter(i).map(([l,d])=>r`<div class="condition" key=${l} role="group" aria-label=${d}
        data-condition=${`${t}-${l}`}><span>${d}</span>
        <div><${ot} id=${`${t}-${l}`} kind=${l} label=${d}
          value=${V(e,l)} text=${e.text?.[l]} problem=${o[l]}
          onChange=${(p,a)=>c(l,p,a)} /></div>
        <${_} icon="close" label=${`Remove condition ${d}`}
          onClick=${()=>u(l)} /></div>`)}
    <div class="rule-form-end">
      ${b.length>0&&r`<select class="field" aria-label="Add a condition" value=""
        onChange=${m}><option value="" disabled selected>Add a condition</option>
        ${b.map(([l,d])=>r`<option value=${l}>${d}</option>`)}</select>`}
      <div class="rule-name"><label>Name in statistics<input ...${f("name")} />
        <${C} text=${e.name} /></label>
        <${k} id=${`${t}-name`} text=${o.name} /></div>
      <button type="button" class="button" onClick=${s}>Done</button></div>
  </div>`}var tt={language:{label:"Languages",placeholder:"German, pt-BR",show:j,options:()=>ve.map(t=>({value:j(t)}))},country:{label:"Countries",placeholder:"Germany, AT",show:O,options:()=>R().map(t=>({value:O(t)}))},query:{label:"Query parameters",placeholder:"ref=print",show:me},address:{label:"Addresses",placeholder:"192.0.2.0/24"}};function ot({id:t,kind:e,label:o,value:n,text:s,problem:i,onChange:c}){if(X[e]){let{options:b=()=>[],...f}=tt[e],l=e==="query";return r`<${U} id=${t} parse=${X[e]} text=${s} problem=${i}
      values=${l?Object.entries(n):n} options=${b()}
      onChange=${(d,p)=>c(l?Object.fromEntries(d):d,p)}
      ...${f} />`}let u={"aria-invalid":!!i,"aria-describedby":i?`${t}-problem`:void 0};return r`${(()=>{switch(e){case"device":return r`<${Re} names=${ue} value=${n} onChange=${c}
        isInvalid=${!!i} />`;case"browser":return r`<${Re} names=${P} value=${n} onChange=${c}
        isInvalid=${!!i} />`;case"share":return r`<span class="share"><input class="field" type="number" min="1"
        max="99" aria-label="Percent of visitors" ...${u}
        value=${Number.isNaN(n)?"":n}
        onInput=${b=>c(b.target.valueAsNumber)} /> % of these visitors</span>`;default:return r`<${G} aria-label=${o} ...${u}
        value=${E(n)?de(Date.parse(n)):n} onChange=${b=>c(E(b)?new Date(M(b)).toISOString():b)} />`}})()}<${k} id=${t} text=${i} />`}var Re=({names:t,value:e,isInvalid:o,onChange:n})=>r`<span class="toggles"
  data-invalid=${o}>
  ${Object.entries(t).map(([s,i])=>r`<button type="button" key=${s}
    class="toggle" aria-pressed=${e.includes(s)} onClick=${()=>n(e.includes(s)?e.filter(c=>c!==s):[...e,s])}>${i}</button>`)}</span>`;var Me={iphone:["iPhone",["ios","mobile"],"safari"],ipad:["iPad",["ios","tablet"],"safari"],phone:["Android phone",["android","mobile"],"chrome"],tablet:["Android tablet",["android","tablet"],"chrome"],windows:["Windows PC",["windows","desktop"],"chrome"],mac:["Mac",["macos","desktop"],"safari"],linux:["Linux PC",["linux","desktop"],"firefox"],chromebook:["Chromebook",["chromeos","desktop"],"chrome"]},ne=t=>[...new Set(t)],nt=["en","de","fr","es","it","pt","nl","pl","ja","zh"],st=t=>(e,o)=>t(e).localeCompare(t(o));function Ue({id:t,rules:e,destination:o}){let n=a=>ne(e.flatMap($=>$.when?.[a]??[])),s=e.map(a=>a.when?.query).filter(a=>a&&!pe(a)),[i,c]=v({kind:"iphone",browser:"",query:"",address:""}),u={language:n("language")[0]??"en",country:n("country")[0]??"US",...i},m=a=>$=>c({...i,[a]:$.target.value}),[,b,f]=Me[u.kind],l=he(e,{...u,device:b,browser:u.browser||f,query:rt(s[u.query])},o),d=ne([...R().sort(st(O)),...n("country")]),p=(a,$,h)=>r`<select class="field" aria-label=${$}
    value=${u[a]} onChange=${m(a)}>${h.map(([w,Xe])=>r`<option key=${w} value=${w}>${y(Xe)}</option>`)}</select>`;return r`<div class="try-it" role="group" aria-labelledby=${t}>
    <span id=${t} class="form-label">Try it</span><div class="form-line">
    ${p("kind","Device of the visitor",Object.entries(Me).map(([a,[$]])=>[a,$]))}
    ${n("browser").length>0&&p("browser","Browser of the visitor",[["",`usual: ${P[f]}`],...Object.entries(P)])}
    ${p("language","Language of the visitor",ne([...nt,...n("language")]).map(a=>[a,j(a)]))}
    ${p("country","Country of the visitor",d.map(a=>[a,O(a)]))}
    ${s.length>0&&p("query","Query of the visit",[["","no query"],...s.map((a,$)=>[$,fe(a)])])}
    ${n("address").length>0&&p("address","Address of the visitor",[["","other addresses"],...n("address").map(a=>[a,a])])}</div>
    <p class="outcome" role="status">goes ${l.map(({url:a,share:$,rule:h},w)=>r`<span key=${w}>${w>0&&" or "}${at(a,h)}${$<1&&` (${ae($,1)})`}
        <span class="quiet"> ${h?`(${y(h.name)})`:""}</span></span>`)}</p>
  </div>`}var rt=(t={})=>Object.fromEntries(Object.entries(t).map(([e,o])=>[e,o??"any"]));function at(t,e){return t.trim()?r`to <b>${y(N(ye(t)).join(""))}</b>`:e?"nowhere yet":r`to <b>the destination</b>`}var it=20,lt=t=>t.trim()?y(N(t).join("")):"…";function Le({id:t,rules:e,destination:o,problems:n,onChange:s}){let[i,c]=v(0),u=I(),m=e.find((p,a)=>Object.keys(Fe(n,a)).length>0)?.id;B(()=>{m&&c(m)},[n]);let b=()=>{let p=e.map(h=>h.name),a=e.length+1;for(;p.includes(`rule-${a}`);)a++;let $=we({name:`rule-${a}`,when:{},url:""});s([...e,$]),c($.id),requestAnimationFrame(()=>u.current?.querySelector(".rule-form input, .rule-form select")?.focus())},f=p=>s(e.map(a=>a.id===p.id?p:a)),l=p=>{S(`Removed rule ${p+1}`),s(e.filter((a,$)=>$!==p)),requestAnimationFrame(()=>u.current?.querySelector(".rule-add")?.focus())},d=ut(u,e,s);return r`<div class="rules" ref=${u}>
    ${e.length>0&&r`<ol>${e.map((p,a)=>r`<${dt} key=${p.id} id=${t}
      rule=${p} index=${a} of=${e.length} rules=${e} dragging=${d}
      open=${i===p.id} problem=${n[`rules[${a}]`]}
      problems=${Fe(n,a)} onChange=${f}
      onOpen=${()=>c(i===p.id?0:p.id)} onRemove=${()=>l(a)} />`)}
    </ol>`}
    <div class="rules-end"><span class="quiet">${e.length?"Else → the destination":"Everyone goes to the destination."}</span>
      ${e.length<it&&r`<button type="button" class="text-button rule-add"
        onClick=${b}><${x} name="add" />Add a rule</button>`}</div>
    ${e.length>0&&r`<${Ue} id=${`${t}-try`} rules=${e}
      destination=${o} />`}
  </div>`}function Fe(t,e){let o=`rules[${e}].`;return Object.fromEntries(Object.entries(t).filter(([n])=>n.startsWith(o)).map(([n,s])=>[n.slice(o.length),s]))}var ct=(t,e)=>Object.fromEntries(Object.entries(e).filter(([o])=>o==="name"||o==="share"||o==="url"&&t.url.trim()||t.when?.after&&t.when.before&&o==="before")),$t=({when:t={},share:e})=>Object.keys(t).length===0&&e===void 0;function dt({id:t,rule:e,index:o,of:n,rules:s,dragging:i,open:c,problem:u,problems:m,onChange:b,onOpen:f,onRemove:l}){let d=y(be(e,o)),p=_e(e,s),[a]=c?[]:Object.values(p),$=s.findIndex($t)===o&&o+1<n;return r`<li class="rule" data-dragging=${i.id===e.id} data-id=${e.id}>
    <div class="rule-line">
      <button type="button" class="icon-button grip"
        aria-label=${`Move rule ${o+1} of ${n}: ${d}`}
        title="Drag, or press the up or down arrow key" ...${i.grip(e,o)}>
        <${x} name="grip" /></button>
      <span class="rule-words">${d} <span class="quiet">→ ${lt(e.url)}</span>
      </span>
      <${_} icon="edit" label=${`Edit rule ${o+1}`} aria-expanded=${c}
        onClick=${f} />
      <${_} icon="close" label=${`Remove rule ${o+1}`} onClick=${l} />
    </div>
    ${c&&r`<${Ne} id=${`${t}-${e.id}`} rule=${e} onChange=${b}
      problems=${{...ct(e,p),...m}} onDone=${f} />`}
    ${(u||a)&&r`<p class="problem" role="alert">${u||a}</p>`}
    ${$&&r`<p class="rule-warning" role="status"><${x} name="alert" />
      The rules below are never reached.</p>`}
  </li>`}function ut(t,e,o){let[n,s]=v(0),i=I();i.current=e;let c=(f,l)=>{if(l<0||l>=i.current.length||l===f)return;let d=[...i.current];d.splice(l,0,...d.splice(f,1)),o(d),S(`Rule ${l+1} of ${d.length}`)},u=f=>i.current.findIndex(l=>l.id===f.id),m=(f,l)=>{let d=[...t.current.querySelectorAll(".rule")].map($=>$.getBoundingClientRect()),p=u(l),a=d.findIndex(($,h)=>h<p?f.clientY<$.top+$.height/2:h>p&&f.clientY>$.top+$.height/2&&(h+1===d.length||f.clientY<d[h+1].top+d[h+1].height/2));a>=0&&c(p,a)};return{id:n,grip:(f,l)=>({onPointerDown:d=>{d.button||(d.currentTarget.setPointerCapture(d.pointerId),s(f.id))},onPointerMove:d=>d.currentTarget.hasPointerCapture(d.pointerId)&&m(d,f),onPointerUp:()=>s(0),onPointerCancel:()=>s(0),onKeyDown:d=>{let p={ArrowUp:-1,ArrowDown:1}[d.key];if(!p)return;d.preventDefault();let a=d.currentTarget;c(l,l+p),requestAnimationFrame(()=>a.focus())}})}}var Ge={starts_at:"start",redirect_status:"redirect type",forward_query:"query",forward_path:"path",note:"note",disabled:"off"},Ke=t=>E(t)?ie(new Date(M(t))):"",We=t=>/^\d+$/.test(t.trim())?`after ${Q(Number(t),"click","clicks")}`:"";function pt({ends:t,expires_at:e,max_clicks:o}){return{never:[],on:[Ke(e)],after:[We(o)],either:[Ke(e),We(o)]}[t].filter(Boolean).join(" or ")}function mt({password:t},e){return t?"set":e?.password?t===""?"will be removed":"set":""}var Je=(t,e)=>({utm:Object.values(D(t.original_url)).join(" · "),ends:pt(t),password:mt(t,e),rules:t.rules.length?Q(t.rules.length,"rule","rules"):"",more:Object.keys(Ge).filter(o=>t[o]).map(o=>Ge[o]).join(", ")});var Ye="terse-utm-sets",Qe=["source","medium","campaign"],ft=100,bt=["none","other"],K=z([]),ze=z({});function ht(){try{K.set(Ae(localStorage.getItem(Ye)))}catch{}}function se(t){K.set(t);try{localStorage.setItem(Ye,JSON.stringify(t))}catch{}}async function gt(){try{let t=Qe.join(","),e=await le("GET",$e("/api/overview",{by:t,limit:ft})),o=n=>Object.entries(e[`by_${n}`]??{}).filter(([s])=>!bt.includes(s)).map(([s,i])=>({value:s,count:i})).sort((s,i)=>i.count-s.count);ze.set(Object.fromEntries(Qe.map(n=>[n,o(n)])))}catch{}}function He({id:t,url:e,onChange:o,disabled:n}){let s=q(K),i=q(ze);T(()=>{ht(),gt()},[]);let c=({name:m,values:b})=>{o(Pe(e,b)),S(`Filled in from ${m}`)},u=m=>{let b=[...i[m]??[]];for(let{values:f}of s)f[m]&&!Oe(b,f[m])&&b.push({value:f[m]});return b};return r`<${vt} id=${`${t}-set`} sets=${s} values=${D(e)} disabled=${n}
      onApply=${c} />
    <div class="fields">${A.map(([m,b,f])=>{let l=te(e,m),d=p=>o(L(e,m,p));return r`<div class="form-field" key=${m}>
        <label for=${`${t}-${m}`}>${b}</label>
        <${Se} id=${`${t}-${m}`} label=${b} class="field" text=${l}
          placeholder=${f} disabled=${n} options=${u(m)}
          onText=${d} onChoose=${d} />
        <${C} text=${l} /></div>`})}</div>
    ${n&&r`<p class="hint">Enter a URL first: these are written into it.</p>`}`}function vt({id:t,sets:e,values:o,disabled:n,onApply:s}){let[i,c]=v(null),[u,m]=v(""),b=I(),f=i!==null;T(()=>{f&&b.current.focus()},[f]);let l=Object.keys(o).length>0,d=()=>{let{sets:$,problem:h=""}=oe(e,i,o);m(h),!h&&(se($),c(null),S(`Saved ${i.trim()}`))},p=$=>{se(De(e,$.name)),ce(`Deleted the set ${$.name}`,()=>se(oe(K.get(),$.name,$.values).sets))},a=$=>{if($.key==="Escape")c(null);else if($.key==="Enter")d();else return;$.preventDefault(),$.stopPropagation()};return r`<div class="utm-sets" role="group" aria-label="Saved sets">
    ${e.map($=>r`<span class="tag" key=${$.name}>
      <button type="button" class="utm-set" disabled=${n}
        title=${Object.values($.values).map(y).join(" · ")}
        onClick=${()=>s($)}>${y($.name)}</button>
      <button type="button" class="tag-remove" aria-label=${`Delete the set ${y($.name)}`}
        onClick=${()=>p($)}><${x} name="close" /></button></span>`)}
    ${f?r`<span class="utm-name"><input id=${t} class="field" aria-label="Name of the set"
            placeholder="Name of the set" autocomplete="off" maxlength=${F}
            ref=${b} value=${i}
            onInput=${$=>c($.target.value)} onKeyDown=${a}
            aria-invalid=${!!u}
            aria-describedby=${u?`${t}-problem`:void 0} />
          <button type="button" class="button" onClick=${d}>Save</button></span>
          <${k} id=${t} text=${u} />`:r`<button type="button" class="text-button" disabled=${!l} onClick=${()=>{m(""),c("")}}><${x} name="add" />Save as a set</button>`}</div>`}var g=({id:t,label:e,wide:o,problem:n,hint:s,children:i})=>r`<div class="form-field"
  data-wide=${!!o}><label for=${t}>${e}</label>${i}
  ${n?r`<${k} id=${t} text=${n} />`:s&&r`<p class="hint">${s}</p>`}</div>`,W=({id:t,label:e,wrong:o,problem:n,children:s})=>r`<div class="form-field" role="group" aria-labelledby=${`${t}-label`}>
  <span id=${`${t}-label`} class="form-label">${e}</span>
  ${s}<${k} id=${o} text=${n} /></div>`;function Bo({id:t="f",draft:e,onChange:o,problems:n={},link:s,isNew:i=!1,several:c=!1}){let[u,m]=v([]);B(()=>{let a=xe(n);a.length&&m($=>[...new Set([...$,...a])])},[n]);let b=a=>$=>o({...e,[a]:$}),f={id:t,draft:e,set:b,problems:n},l=Je(e,s),d=a=>m(u.includes(a)?u.filter($=>$!==a):[...u,a]),p=(a,$,h)=>{let w=u.includes(a);return r`<button type="button" class="disclosure" aria-expanded=${w}
        aria-controls=${`${t}-${a}-part`} onClick=${()=>d(a)}>
        <${x} name="forth" />${$}
        ${!w&&l[a]&&r`${" "}<span class="quiet">${l[a]}</span>`}
      </button>
      ${w&&r`<div id=${`${t}-${a}-part`} class="form-part">${h()}</div>`}`};return r`<div class="fields form-main">
      ${!i&&r`<${g} id=${`${t}-original_url`} label="Destination" wide=${!0}
        problem=${n.original_url}><${J} ...${f} name="original_url" mono=${!0}
          inputmode="url" /><//>`}
      ${i&&!c&&r`<${yt} ...${f} />`}
      ${!c&&r`<${g} id=${`${t}-title`} label="Title" problem=${n.title}>
        <${J} ...${f} name="title" spellcheck=${!0} /><//>`}
      <${wt} ...${f} onChange=${o} />
    </div>
    ${p("utm","UTM",()=>r`<${He} id=${`${t}-utm`} url=${e.original_url}
      onChange=${b("original_url")} disabled=${!c&&!e.original_url.trim()} />`)}
    ${p("ends","Ends",()=>r`<${kt} ...${f} />`)}
    ${p("password","Password",()=>r`<div class="fields">
      <${Ot} ...${f} link=${s} /></div>`)}
    ${p("rules","Rules",()=>r`<${Le} id=${`${t}-rules`} rules=${e.rules}
      destination=${c?"":e.original_url} problems=${n}
      onChange=${b("rules")} />`)}
    ${p("more","More",()=>r`<${_t} ...${f} />`)}`}var J=({id:t,draft:e,set:o,problems:n,name:s,mono:i,type:c="text",spellcheck:u=!1,...m})=>r`<input id=${`${t}-${s}`} type=${c}
  class=${i?"field mono":"field"} autocomplete="off" spellcheck=${u}
  value=${e[s]} aria-invalid=${!!n[s]}
  aria-describedby=${n[s]?`${t}-${s}-problem`:void 0}
  onInput=${b=>o(s)(b.target.value)} ...${m} />
  <${C} text=${String(e[s])} />`,Ve=({id:t,draft:e,set:o,problems:n,name:s})=>r`<${G}
  id=${`${t}-${s}`} value=${e[s]} onChange=${o(s)}
  aria-invalid=${!!n[s]}
  aria-describedby=${n[s]?`${t}-${s}-problem`:void 0} />`;function yt({id:t,draft:e,set:o,problems:n}){let s=e.short_code,i=`${t}-short_code`,c=n.short_code??(s.trim().length>20?Ce(s):"");return r`<${g} id=${i} label="Code" problem=${c}>
    <span class="code-field" data-invalid=${!!c}>
      <span class="quiet mono" title=${`${Y}/`}>${Y}/</span>
      <input id=${i} class="mono" placeholder="auto" autocomplete="off" autocapitalize="off"
        spellcheck=${!1} value=${s} onInput=${u=>o("short_code")(u.target.value)}
        aria-invalid=${!!c}
        aria-describedby=${c?`${i}-problem`:void 0} /></span><//>`}function wt({id:t,draft:e,onChange:o,problems:n}){let s=q(Te);return T(()=>{Ie()},[]),r`<${g} id=${`${t}-tags`} label="Tags">
    <${U} id=${`${t}-tags`} label="Tags" values=${e.tags} text=${e.tag_text}
      onChange=${(i,c)=>o({...e,tags:i,tag_text:c})}
      parse=${ke} options=${je(s)} create=${!0} placeholder="newsletter, shop"
      problem=${n.tags} /><//>`}var xt=[["never","never"],["on","at a time"],["after","after a number of clicks"],["either","at a time or after clicks"]];function kt(t){let{id:e,draft:o,set:n,problems:s}=t,i=o.ends,c=i!=="never"||o.disabled||o.then==="url";return r`<div class="fields">
    <${g} id=${`${e}-ends`} label="Ends"><select id=${`${e}-ends`} class="field"
      value=${i} onChange=${u=>n("ends")(u.target.value)}>
      ${xt.map(([u,m])=>r`<option value=${u}>${m}</option>`)}</select><//>
    ${(i==="on"||i==="either")&&r`<${g} id=${`${e}-expires_at`} label="Ends on" problem=${s.expires_at}>
        <${Ve} ...${t} name="expires_at" /><//>`}
    ${(i==="after"||i==="either")&&r`<${g} id=${`${e}-max_clicks`} label="Clicks until it ends"
        problem=${s.max_clicks}>
        <${J} ...${t} name="max_clicks" inputmode="numeric" /><//>`}
    ${c&&r`<${g} id=${`${e}-then`} label="Then show"><select id=${`${e}-then`} class="field"
        value=${o.then} onChange=${u=>n("then")(u.target.value)}>
        <option value="page">a page that says so</option>
        <option value="url">another address</option></select><//>`}
    ${c&&o.then==="url"&&r`<${g} id=${`${e}-expired_url`} label="Address to show"
        problem=${s.expired_url}><${J} ...${t} name="expired_url" mono=${!0}
          inputmode="url" placeholder="https://example.com/" /><//>`}</div>`}var Ct=[["","302: temporary"],["301","301: permanent"],["307","307: temporary, keeps the method"],["308","308: permanent, keeps the method"]];function _t(t){let{id:e,draft:o,set:n,problems:s}=t;return r`<div class="fields">
    <${g} id=${`${e}-starts_at`} label="Starts" problem=${s.starts_at}>
      <${Ve} ...${t} name="starts_at" /><//>
    <${g} id=${`${e}-redirect_status`} label="Redirect type">
      <select id=${`${e}-redirect_status`} class="field" value=${o.redirect_status}
        onChange=${i=>n("redirect_status")(i.target.value)}>
        ${Ct.map(([i,c])=>r`<option value=${i}>${c}</option>`)}
        ${o.redirect_status==="302"&&r`<option value="302">302, explicitly</option>`}
      </select><//>
    <${W} id=${`${e}-state`} label="State">
      <${re} ...${t} name="disabled" label="Off (disabled)" /><//>
    <${W} id=${`${e}-forward`} label="Forward">
      <${re} ...${t} name="forward_query" label="The visitor's query parameters" />
      <${re} ...${t} name="forward_path" label="What follows the code in the path" /><//>
    <${g} id=${`${e}-note`} label="Note" wide=${!0} problem=${s.note}
      hint="Only you see it.">
      <textarea id=${`${e}-note`} class="field" rows="3" value=${o.note}
        onInput=${i=>n("note")(i.target.value)} aria-invalid=${!!s.note}
        aria-describedby=${s.note?`${e}-note-problem`:void 0} />
      <${C} text=${o.note} /><//></div>`}var re=({draft:t,set:e,name:o,label:n})=>r`<label class="check"><input type="checkbox"
  checked=${t[o]} onChange=${s=>e(o)(s.target.checked)} />${n}</label>`;function Ot({id:t,draft:e,set:o,problems:n,link:s}){let[i,c]=v(!!e.password),u=`${t}-password`,m=o("password"),b=()=>{c(!1),m(null)};return s?.password&&e.password===""?r`<${W} id=${u} label="Password">
    <div class="form-line"><span>Will be removed</span><button type="button" class="text-button"
      onClick=${b}>Keep it</button></div><//>`:s?.password&&!i?r`<${W} id=${u} label="Password">
    <div class="form-line"><span>Set</span><button type="button" class="text-button"
      onClick=${()=>c(!0)}>Change</button>
    <button type="button" class="text-button" onClick=${()=>m("")}>Remove</button>
  </div><//>`:r`<${g} id=${u} label="Password" problem=${n.password}>
    <div class="form-line"><input id=${u} class="field" type="password"
      autocomplete="new-password" value=${e.password??""}
      aria-invalid=${!!n.password}
      aria-describedby=${n.password?`${u}-problem`:void 0}
      onInput=${f=>m(f.target.value||null)} />
      ${s?.password&&r`<${_} icon="close" label="Keep the old password"
        onClick=${b} />`}</div><//>`}export{St as a,Bo as b};
