import{a as V,b as Ce,c as X,d as ke,e as Z,f as Oe,j as Se,m as Te,o as Ie,r as je,t as D}from"./chunk-G2554LAM.js";import{b as me,e as fe}from"./chunk-YMNBS4HA.js";import{a as K}from"./chunk-PQNCIE7P.js";import{b as qe,c as Pe}from"./chunk-RMLAKTFL.js";import{Ab as Ae,B as L,Bb as De,Cb as Re,E as H,F as P,H as $e,Ia as pe,a as v,b as I,c as N,d as j,da as ce,fa as a,fb as he,ga as w,gb as G,ha as _,hb as E,i as M,j as ie,jb as be,k as le,kb as A,lb as ge,ma as de,mb as ye,na as k,nb as ve,oa as S,ob as we,pb as xe,q as O,qb as _e,r as q,s as F,ta as x,ua as ue,w as y,y as U,yb as Ee,zb as T}from"./chunk-5RJPQ6WF.js";var R=[["source","Source","newsletter"],["medium","Medium","email"],["campaign","Campaign","spring-sale"],["term","Term","running shoes"],["content","Content","header-link"]];function Be(t){let[,e,o,s]=t.match(/^([^?#]*)(?:\?([^#]*))?(#.*)?$/s);return{path:e,pairs:o?o.split("&"):[],fragment:s??""}}var ee=t=>Ne(t.split("=",1)[0]);function Ne(t){try{return decodeURIComponent(t.replaceAll("+"," "))}catch{return t}}function oe(t,e){let o=Be(t).pairs.find(s=>ee(s)===`utm_${e}`);return o?Ne(o.slice(o.indexOf("=")+1||o.length)):""}function J(t,e,o){let{path:s,pairs:n,fragment:i}=Be(t),$=o&&`utm_${e}=${encodeURIComponent(o).replaceAll("%20","+")}`,u=n.findIndex(h=>ee(h)===`utm_${e}`),m=n.filter(h=>ee(h)!==`utm_${e}`);return $&&m.splice(u<0?m.length:u,0,$),s+(m.length?`?${m.join("&")}`:"")+i}var B=t=>Object.fromEntries(R.map(([e])=>[e,oe(t,e)]).filter(([,e])=>e)),Me=(t,e)=>R.reduce((o,[s])=>J(o,s,e[s]??""),t),Dt=(t,e)=>Object.entries(B(e)).reduce((o,[s,n])=>J(o,s,n),t),te=50,nt=64*1024,W=40;function Fe(t){let e;try{e=JSON.parse(t??"[]")}catch{return[]}return Array.isArray(e)?e.filter(o=>typeof o?.name=="string"&&o.name&&rt(o.values)).slice(0,te).map(({name:o,values:s})=>({name:o,values:s})):[]}var rt=t=>t!==null&&typeof t=="object"&&Object.entries(t).every(([e,o])=>R.some(([s])=>s===e)&&typeof o=="string");function se(t,e,o){if(e=e.trim(),!e)return{problem:"Enter a name."};if([...e].length>W)return{problem:`A name can have at most ${W} characters.`};let s=t.filter(i=>i.name.toLowerCase()!==e.toLowerCase());if(s.length>=te)return{problem:`There are ${te} sets already. Delete one first.`};let n=[...s,{name:e,values:o}].sort((i,$)=>i.name.localeCompare($.name));return new TextEncoder().encode(JSON.stringify(n)).length>nt?{problem:"The sets take too much room. Delete one first."}:{sets:n}}var Ue=(t,e)=>t.filter(o=>o.name!==e);function Ge({id:t,rule:e,problems:o,onChange:s,onDone:n}){let i=([l])=>X(e,l)!==void 0,$=(l,d,p="")=>{let r={...e,text:{...e.text,[l]:p}};l==="share"?r.share=d:r.when={...e.when,[l]:d},s(r)},u=l=>{let{[l]:d,...p}=e.text??{},{[l]:r,...c}=e.when??{};s({...e,text:p,when:c,share:l==="share"?void 0:e.share})},m=l=>{$(l,Ce[l]),requestAnimationFrame(()=>document.querySelector(`[data-condition="${t}-${l}"] :is(input, button)`)?.focus())},h=V.filter(l=>!i(l)),f=l=>({class:"field",autocomplete:"off",spellcheck:!1,value:e[l],onInput:d=>s({...e,[l]:d.target.value}),"aria-invalid":!!o[l],"aria-describedby":o[l]?`${t}-${l}-problem`:void 0});return a`<div class="rule-form">
    <div><label><span class="form-label">Leads to</span>
        <input inputmode="url" placeholder="https://example.com/"
          ...${f("url")} class="field mono" /><${k} text=${e.url} /></label>
      <${x} id=${`${t}-url`} text=${o.url} /></div>
    ${V.filter(i).map(([l,d])=>a`<div class="condition" key=${l} role="group" aria-label=${d}
        data-condition=${`${t}-${l}`}><span>${d}</span>
        <div><${it} id=${`${t}-${l}`} kind=${l} label=${d}
          value=${X(e,l)} text=${e.text?.[l]} problem=${o[l]}
          onChange=${(p,r)=>$(l,p,r)} /></div>
        <${_} icon="close" label=${`Remove condition ${d}`}
          onClick=${()=>u(l)} /></div>`)}
    <div class="rule-form-end">
      ${h.length>0&&a`<${Ee} text="Add a condition" popup="menu">${l=>a`<${pe} ...${l} label="Add a condition"
            items=${h.map(([d,p])=>({label:p,onChoose:()=>m(d)}))} />`}<//>`}
      <div class="rule-name"><label><span class="form-label">Name in statistics</span>
        <input ...${f("name")} />
        <${k} text=${e.name} /></label>
        <${x} id=${`${t}-name`} text=${o.name} /></div>
      <button type="button" class="button" onClick=${n}>Done</button></div>
  </div>`}var at={language:{label:"Languages",placeholder:"German, pt-BR",show:q,options:()=>ke.map(t=>({value:q(t)}))},country:{label:"Countries",placeholder:"Germany, AT",show:O,options:()=>F().map(t=>({value:O(t)}))},query:{label:"Query parameters",placeholder:"ref=print",show:ye},address:{label:"Addresses",placeholder:"192.0.2.0/24"}};function it({id:t,kind:e,label:o,value:s,text:n,problem:i,onChange:$}){if(Z[e]){let{options:h=()=>[],...f}=at[e],l=e==="query";return a`<${D} id=${t} parse=${Z[e]} text=${n} problem=${i}
      values=${l?Object.entries(s):s} options=${h()}
      onChange=${(d,p)=>$(l?Object.fromEntries(d):d,p)}
      ...${f} />`}let u={"aria-invalid":!!i,"aria-describedby":i?`${t}-problem`:void 0};return a`${(()=>{switch(e){case"device":return a`<${Le} names=${be} value=${s} onChange=${$}
        isInvalid=${!!i} />`;case"browser":return a`<${Le} names=${A} value=${s} onChange=${$}
        isInvalid=${!!i} />`;case"share":return a`<span class="share"><input class="field" type="number" min="1"
        max="99" aria-label="Percent of visitors" ...${u}
        value=${Number.isNaN(s)?"":s}
        onInput=${h=>$(h.target.valueAsNumber)} /> % of these visitors</span>`;default:return a`<${K} aria-label=${o} ...${u}
        fresh=${e==="before"?"23:59":"00:00"}
        value=${E(s)?he(Date.parse(s)):s} onChange=${h=>$(E(h)?new Date(G(h)).toISOString():h)} />`}})()}<${x} id=${t} text=${i} />`}var Le=({names:t,value:e,isInvalid:o,onChange:s})=>a`<span class="toggles"
  data-invalid=${o}>
  ${Object.entries(t).map(([n,i])=>a`<button type="button" key=${n}
    class="toggle" aria-pressed=${e.includes(n)} onClick=${()=>s(e.includes(n)?e.filter($=>$!==n):[...e,n])}>${i}</button>`)}</span>`;var Ke={iphone:["iPhone",["ios","mobile"],"safari"],ipad:["iPad",["ios","tablet"],"safari"],phone:["Android phone",["android","mobile"],"chrome"],tablet:["Android tablet",["android","tablet"],"chrome"],windows:["Windows PC",["windows","desktop"],"chrome"],mac:["Mac",["macos","desktop"],"safari"],linux:["Linux PC",["linux","desktop"],"firefox"],chromebook:["Chromebook",["chromeos","desktop"],"chrome"]},ne=t=>[...new Set(t)],lt=["en","de","fr","es","it","pt","nl","pl","ja","zh"],$t=t=>(e,o)=>t(e).localeCompare(t(o));function We({id:t,rules:e,destination:o}){let s=r=>ne(e.flatMap(c=>c.when?.[r]??[])),n=e.map(r=>r.when?.query).filter(r=>r&&!ge(r)),[i,$]=v({kind:"iphone",browser:"",query:"",address:""}),u={language:s("language")[0]??"en",country:s("country")[0]??"US",...i},m=r=>c=>$({...i,[r]:c}),[,h,f]=Ke[u.kind],l=xe(e,{...u,device:h,browser:u.browser||f,query:ct(n[u.query])},o),d=ne([...F().sort($t(O)),...s("country")]),p=(r,c,b)=>a`<${T} label=${c} isField=${!0}
    value=${u[r]} onChange=${m(r)}
    options=${b.map(([C,st])=>[C,y(st)])} />`;return a`<div class="try-it" role="group" aria-labelledby=${t}>
    <span id=${t} class="form-label">Try it</span><div class="form-line">
    ${p("kind","Device of the visitor",Object.entries(Ke).map(([r,[c]])=>[r,c]))}
    ${s("browser").length>0&&p("browser","Browser of the visitor",[["",`usual: ${A[f]}`],...Object.entries(A)])}
    ${p("language","Language of the visitor",ne([...lt,...s("language")]).map(r=>[r,q(r)]))}
    ${p("country","Country of the visitor",d.map(r=>[r,O(r)]))}
    ${n.length>0&&p("query","Query of the visit",[["","no query"],...n.map((r,c)=>[c,ve(r)])])}
    ${s("address").length>0&&p("address","IP address of the visitor",[["","other addresses"],...s("address").map(r=>[r,r])])}</div>
    <p class="outcome" role="status">goes ${l.map(({url:r,share:c,rule:b},C)=>a`<span key=${C}>${C>0&&" or "}${dt(r,b)}${c<1&&` (${ie(c,1)})`}
        <span class="quiet"> ${b?`(${y(b.name)})`:""}</span></span>`)}</p>
  </div>`}var ct=(t={})=>Object.fromEntries(Object.entries(t).map(([e,o])=>[e,o??"any"]));function dt(t,e){return t.trim()?a`to <b>${y(U(_e(t)).join(""))}</b>`:e?"nowhere yet":a`to <b>the destination</b>`}var ut=20,pt=t=>t.trim()?y(U(t).join("")):"…";function Qe({id:t,rules:e,destination:o,problems:s,onChange:n}){let[i,$]=v(0),u=j(),m=e.find((p,r)=>Object.keys(Je(s,r)).length>0)?.id;N(()=>{m&&$(m)},[s]);let h=()=>{let p=e.map(b=>b.name),r=e.length+1;for(;p.includes(`rule-${r}`);)r++;let c=Oe({name:`rule-${r}`,when:{},url:""});n([...e,c]),$(c.id),requestAnimationFrame(()=>u.current?.querySelector(".rule-form input, .rule-form select")?.focus())},f=p=>n(e.map(r=>r.id===p.id?p:r)),l=p=>{S(`Removed rule ${p+1}`),n(e.filter((r,c)=>c!==p)),requestAnimationFrame(()=>u.current?.querySelector(".rule-add")?.focus())},d=bt(u,e,n);return a`<div class="rules" ref=${u}>
    ${e.length>0&&a`<ol>${e.map((p,r)=>a`<${ht} key=${p.id} id=${t}
      rule=${p} index=${r} of=${e.length} rules=${e} dragging=${d}
      open=${i===p.id} problem=${s[`rules[${r}]`]}
      problems=${Je(s,r)} onChange=${f}
      onOpen=${()=>$(i===p.id?0:p.id)} onRemove=${()=>l(r)} />`)}
    </ol>`}
    <div class="rules-end"><span class="quiet">${e.length?"Else → the destination":"Everyone goes to the destination."}</span>
      ${e.length<ut&&a`<button type="button" class="text-button rule-add"
        onClick=${h}><${w} name="add" />Add a rule</button>`}</div>
    ${e.length>0&&a`<${We} id=${`${t}-try`} rules=${e}
      destination=${o} />`}
  </div>`}function Je(t,e){let o=`rules[${e}].`;return Object.fromEntries(Object.entries(t).filter(([s])=>s.startsWith(o)).map(([s,n])=>[s.slice(o.length),n]))}var mt=(t,e)=>Object.fromEntries(Object.entries(e).filter(([o])=>o==="name"||o==="share"||o==="url"&&t.url.trim()||t.when?.after&&t.when.before&&o==="before")),ft=({when:t={},share:e})=>Object.keys(t).length===0&&e===void 0;function ht({id:t,rule:e,index:o,of:s,rules:n,dragging:i,open:$,problem:u,problems:m,onChange:h,onOpen:f,onRemove:l}){let d=y(we(e,o)),p=je(e,n),[r]=$?[]:Object.values(p),c=n.findIndex(ft)===o&&o+1<s;return a`<li class="rule" data-dragging=${i.id===e.id} data-id=${e.id}>
    <div class="rule-line">
      <button type="button" class="icon-button grip"
        aria-label=${`Move rule ${o+1} of ${s}: ${d}`}
        title="Drag, or press the up or down arrow key" ...${i.grip(e,o)}>
        <${w} name="grip" /></button>
      <span class="rule-words">${d} <span class="quiet">→ ${pt(e.url)}</span>
      </span>
      <${_} icon="edit" label=${`Edit rule ${o+1}`} aria-expanded=${$}
        onClick=${f} />
      <${_} icon="close" label=${`Remove rule ${o+1}`} onClick=${l} />
    </div>
    ${$&&a`<${Ge} id=${`${t}-${e.id}`} rule=${e} onChange=${h}
      problems=${{...mt(e,p),...m}} onDone=${f} />`}
    ${(u||r)&&a`<p class="problem" role="alert">${u||r}</p>`}
    ${c&&a`<p class="rule-warning" role="status"><${w} name="alert" />
      The rules below are never reached.</p>`}
  </li>`}function bt(t,e,o){let[s,n]=v(0),i=j();i.current=e;let $=(f,l)=>{if(l<0||l>=i.current.length||l===f)return;let d=[...i.current];d.splice(l,0,...d.splice(f,1)),o(d),S(`Rule ${l+1} of ${d.length}`)},u=f=>i.current.findIndex(l=>l.id===f.id),m=(f,l)=>{let d=[...t.current.querySelectorAll(".rule")].map(c=>c.getBoundingClientRect()),p=u(l),r=d.findIndex((c,b)=>b<p?f.clientY<c.top+c.height/2:b>p&&f.clientY>c.top+c.height/2&&(b+1===d.length||f.clientY<d[b+1].top+d[b+1].height/2));r>=0&&$(p,r)};return{id:s,grip:(f,l)=>({onPointerDown:d=>{d.button||(d.currentTarget.setPointerCapture(d.pointerId),n(f.id))},onPointerMove:d=>d.currentTarget.hasPointerCapture(d.pointerId)&&m(d,f),onPointerUp:()=>n(0),onPointerCancel:()=>n(0),onKeyDown:d=>{let p={ArrowUp:-1,ArrowDown:1}[d.key];if(!p)return;d.preventDefault();let r=d.currentTarget;$(l,l+p),requestAnimationFrame(()=>r.focus())}})}}var Ye={aliases:"addresses",starts_at:"start",redirect_status:"redirect type",forward_query:"query",forward_path:"path",note:"note",disabled:"off"};function gt(t){return t.length===1?y(t[0]):M(t.length,"address","addresses")}var ze=t=>E(t)?le(new Date(G(t))):"",He=t=>/^\d+$/.test(t.trim())?`after ${M(Number(t),"click","clicks")}`:"";function yt({ends:t,expires_at:e,max_clicks:o}){return{never:[],on:[ze(e)],after:[He(o)],either:[ze(e),He(o)]}[t].filter(Boolean).join(" or ")}function vt({password:t},e){return t?"set":e?.password?t===""?"will be removed":"set":""}var Ve=(t,e)=>({utm:Object.values(B(t.original_url)).join(" · "),ends:yt(t),password:vt(t,e),rules:t.rules.length?M(t.rules.length,"rule","rules"):"",more:Object.keys(Ye).filter(o=>t[o]?.length??t[o]).map(o=>o==="aliases"?gt(t.aliases):Ye[o]).join(", ")});var Ze="terse-utm-sets",Xe=["source","medium","campaign"],wt=100,xt=["none","other"],Q=H([]),et=H({});function Ct(){try{Q.set(Fe(localStorage.getItem(Ze)))}catch{}}function re(t){Q.set(t);try{localStorage.setItem(Ze,JSON.stringify(t))}catch{}}async function kt(){try{let t=Xe.join(","),e=await ce("GET",$e("/api/overview",{by:t,limit:wt})),o=s=>Object.entries(e[`by_${s}`]??{}).filter(([n])=>!xt.includes(n)).map(([n,i])=>({value:n,count:i})).sort((n,i)=>i.count-n.count);et.set(Object.fromEntries(Xe.map(s=>[s,o(s)])))}catch{}}function tt({id:t,url:e,onChange:o,disabled:s}){let n=P(Q),i=P(et);I(()=>{Ct(),kt()},[]);let $=({name:m,values:h})=>{o(Me(e,h)),S(`Filled in from ${m}`)},u=m=>{let h=[...i[m]??[]];for(let{values:f}of n)f[m]&&!qe(h,f[m])&&h.push({value:f[m]});return h};return a`<${_t} id=${`${t}-set`} sets=${n} values=${B(e)} disabled=${s}
      onApply=${$} />
    <div class="fields">${R.map(([m,h,f])=>{let l=oe(e,m),d=p=>o(J(e,m,p));return a`<div class="form-field" key=${m}>
        <label for=${`${t}-${m}`}>${h}</label>
        <${Pe} id=${`${t}-${m}`} label=${h} class="field" text=${l}
          placeholder=${f} disabled=${s} options=${u(m)}
          onText=${d} onChoose=${d} />
        <${k} text=${l} /></div>`})}</div>
    ${s&&a`<p class="hint">Enter a URL first: these are written into it.</p>`}`}function _t({id:t,sets:e,values:o,disabled:s,onApply:n}){let[i,$]=v(null),[u,m]=v(""),h=j(),f=i!==null;I(()=>{f&&h.current.focus()},[f]);let l=Object.keys(o).length>0,d=()=>{let{sets:c,problem:b=""}=se(e,i,o);m(b),!b&&(re(c),$(null),S(`Saved ${i.trim()}`))},p=c=>{re(Ue(e,c.name)),de(`Deleted the set ${c.name}`,()=>re(se(Q.get(),c.name,c.values).sets))},r=c=>{if(c.key==="Escape")$(null);else if(c.key==="Enter")d();else return;c.preventDefault(),c.stopPropagation()};return a`<div class="utm-sets" role="group" aria-label="Saved sets">
    ${e.map(c=>a`<span class="tag" key=${c.name}>
      <button type="button" class="utm-set" disabled=${s}
        title=${Object.values(c.values).map(y).join(" · ")}
        onClick=${()=>n(c)}>${y(c.name)}</button>
      <button type="button" class="tag-remove" aria-label=${`Delete the set ${y(c.name)}`}
        onClick=${()=>p(c)}><${w} name="close" /></button></span>`)}
    ${f?a`<span class="utm-name"><input id=${t} class="field" aria-label="Name of the set"
            placeholder="Name of the set" autocomplete="off" maxlength=${W}
            ref=${h} value=${i}
            onInput=${c=>$(c.target.value)} onKeyDown=${r}
            aria-invalid=${!!u}
            aria-describedby=${u?`${t}-problem`:void 0} />
          <button type="button" class="button" onClick=${d}>Save</button></span>
          <${x} id=${t} text=${u} />`:a`<button type="button" class="text-button" disabled=${!l} onClick=${()=>{m(""),$("")}}><${w} name="add" />Save as a set</button>`}</div>`}var g=({id:t,label:e,wide:o,problem:s,hint:n,children:i})=>a`<div class="form-field"
  data-wide=${!!o}><label for=${t}>${e}</label>${i}
  ${s?a`<${x} id=${t} text=${s} />`:n&&a`<p class="hint">${n}</p>`}</div>`,Y=({id:t,label:e,wrong:o,problem:s,children:n})=>a`<div class="form-field" role="group" aria-labelledby=${`${t}-label`}>
  <span id=${`${t}-label`} class="form-label">${e}</span>
  ${n}<${x} id=${o} text=${s} /></div>`;function Jo({id:t="f",draft:e,onChange:o,problems:s={},link:n,isNew:i=!1,several:$=!1}){let[u,m]=v([]);N(()=>{let r=Te(s);r.length&&m(c=>[...new Set([...c,...r])])},[s]);let h=r=>c=>o({...e,[r]:c}),f={id:t,draft:e,set:h,problems:s},l=Ve($?{...e,...Se}:e,n),d=r=>m(u.includes(r)?u.filter(c=>c!==r):[...u,r]),p=(r,c,b)=>{let C=u.includes(r);return a`<button type="button" class="disclosure" aria-expanded=${C}
        aria-controls=${`${t}-${r}-part`} onClick=${()=>d(r)}>
        <${w} name="forth" />${c}
        ${!C&&l[r]&&a`${" "}<span class="quiet">${l[r]}</span>`}
      </button>
      ${C&&a`<div id=${`${t}-${r}-part`} class="form-part">${b()}</div>`}`};return a`<div class="fields form-main">
      ${!i&&a`<${g} id=${`${t}-original_url`} label="Destination" wide=${!0}
        problem=${s.original_url}><${z} ...${f} name="original_url" mono=${!0}
          inputmode="url" /><//>`}
      ${!$&&a`<${Ot} ...${f} old=${n?.short_code} />`}
      ${!$&&a`<${g} id=${`${t}-title`} label="Title" problem=${s.title}>
        <${z} ...${f} name="title" spellcheck=${!0} /><//>`}
      <${St} ...${f} onChange=${o} />
    </div>
    ${p("utm","UTM",()=>a`<${tt} id=${`${t}-utm`} url=${e.original_url}
      onChange=${h("original_url")} disabled=${!$&&!e.original_url.trim()} />`)}
    ${p("ends","Ends",()=>a`<${jt} ...${f} />`)}
    ${p("password","Password",()=>a`<div class="fields">
      <${At} ...${f} link=${n} /></div>`)}
    ${p("rules","Rules",()=>a`<${Qe} id=${`${t}-rules`} rules=${e.rules}
      destination=${$?"":e.original_url} problems=${s}
      onChange=${h("rules")} />`)}
    ${p("more","More",()=>a`<${Et} ...${f} onChange=${o} several=${$} />`)}`}var z=({id:t,draft:e,set:o,problems:s,name:n,mono:i,type:$="text",spellcheck:u=!1,...m})=>a`<input id=${`${t}-${n}`} type=${$}
  class=${i?"field mono":"field"} autocomplete="off" spellcheck=${u}
  value=${e[n]} aria-invalid=${!!s[n]}
  aria-describedby=${s[n]?`${t}-${n}-problem`:void 0}
  onInput=${h=>o(n)(h.target.value)} ...${m} />
  <${k} text=${String(e[n])} />`,ot=({id:t,draft:e,set:o,problems:s,name:n,fresh:i})=>a`<${K}
  id=${`${t}-${n}`} value=${e[n]} onChange=${o(n)} fresh=${i}
  aria-invalid=${!!s[n]}
  aria-describedby=${s[n]?`${t}-${n}-problem`:void 0} />`;function Ot({id:t,draft:e,set:o,problems:s,old:n}){let i=e.short_code,$=`${t}-short_code`,u=s.short_code??(i.trim().length>20?me(i):"");return a`<${g} id=${$} label="Code" problem=${u}
    hint=${n&&i.trim()&&i.trim()!==n?`${n} stays as an address.`:""}>
    <span class="code-field" data-invalid=${!!u} onClick=${ue}>
      <span class="quiet mono" title=${`${L}/`}>${L}/</span>
      <input id=${$} class="mono" placeholder=${n?"":"auto"}
        autocomplete="off" autocapitalize="off"
        spellcheck=${!1} value=${i} onInput=${m=>o("short_code")(m.target.value)}
        aria-invalid=${!!u}
        aria-describedby=${u?`${$}-problem`:void 0} /></span><//>`}function St({id:t,draft:e,onChange:o,problems:s}){let n=P(Ae);return I(()=>{De()},[]),a`<${g} id=${`${t}-tags`} label="Tags">
    <${D} id=${`${t}-tags`} label="Tags" values=${e.tags} text=${e.tag_text}
      onChange=${(i,$)=>o({...e,tags:i,tag_text:$})}
      parse=${Ie} options=${Re(n)} create=${!0} placeholder="newsletter, shop"
      problem=${s.tags} /><//>`}var Tt=[["never","never"],["on","at a time"],["after","after a number of clicks"],["either","at a time or after clicks"]],It=[["page","a page that says so"],["url","another page"]];function jt(t){let{id:e,draft:o,set:s,problems:n}=t,i=o.ends,$=i!=="never"||o.disabled||o.then==="url";return a`<div class="fields">
    <${g} id=${`${e}-ends`} label="Ends"><${T} id=${`${e}-ends`} label="Ends"
      isField=${!0} value=${i} options=${Tt} onChange=${s("ends")} /><//>
    ${(i==="on"||i==="either")&&a`<${g} id=${`${e}-expires_at`} label="Ends on" problem=${n.expires_at}>
        <${ot} ...${t} name="expires_at" fresh="23:59" /><//>`}
    ${(i==="after"||i==="either")&&a`<${g} id=${`${e}-max_clicks`} label="Clicks until it ends"
        problem=${n.max_clicks}>
        <${z} ...${t} name="max_clicks" inputmode="numeric" /><//>`}
    ${$&&a`<${g} id=${`${e}-then`} label="Then show"><${T} id=${`${e}-then`}
        label="Then show" isField=${!0} value=${o.then} options=${It}
        onChange=${s("then")} /><//>`}
    ${$&&o.then==="url"&&a`<${g} id=${`${e}-expired_url`} label="Page to show"
        problem=${n.expired_url}><${z} ...${t} name="expired_url" mono=${!0}
          inputmode="url" placeholder="https://example.com/" /><//>`}</div>`}var qt=[["","302: temporary"],["301","301: permanent"],["307","307: temporary, keeps the method"],["308","308: permanent, keeps the method"]],Pt=["302","302, explicitly"];function Et(t){let{id:e,draft:o,set:s,problems:n,onChange:i,several:$}=t;return a`<div class="fields">
    ${!$&&a`<${g} id=${`${e}-aliases`} label="More addresses" wide=${!0}>
        <${D} id=${`${e}-aliases`} label="More addresses" values=${o.aliases}
          text=${o.alias_text} parse=${fe} exact=${!0} placeholder="docs/install"
          onChange=${(u,m)=>i({...o,aliases:u,alias_text:m})}
          hint=${`Aliases: they lead where the code leads, such as ${L}/docs/install.`}
          problem=${n.aliases} /><//>`}
    <${g} id=${`${e}-starts_at`} label="Starts" problem=${n.starts_at}>
      <${ot} ...${t} name="starts_at" /><//>
    <${g} id=${`${e}-redirect_status`} label="Redirect type">
      <${T} id=${`${e}-redirect_status`} label="Redirect type" isField=${!0}
        value=${o.redirect_status} onChange=${s("redirect_status")}
        options=${[...qt,...o.redirect_status==="302"?[Pt]:[]]} /><//>
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
      <${k} text=${o.note} /><//></div>`}var ae=({draft:t,set:e,name:o,label:s})=>a`<label class="check"><input type="checkbox"
  checked=${t[o]} onChange=${n=>e(o)(n.target.checked)} />${s}</label>`;function At({id:t,draft:e,set:o,problems:s,link:n}){let[i,$]=v(!!e.password),u=`${t}-password`,m=o("password"),h=()=>{$(!1),m(null)};return n?.password&&e.password===""?a`<${Y} id=${u} label="Password">
    <div class="form-line"><span>Will be removed</span><button type="button" class="text-button"
      onClick=${h}>Keep it</button></div><//>`:n?.password&&!i?a`<${Y} id=${u} label="Password">
    <div class="form-line"><span>Set</span><button type="button" class="text-button"
      onClick=${()=>$(!0)}>Change</button>
    <button type="button" class="text-button" onClick=${()=>m("")}>Remove</button>
  </div><//>`:a`<${g} id=${u} label="Password" problem=${s.password}>
    <div class="form-line"><input id=${u} class="field" type="password"
      autocomplete="new-password" value=${e.password??""}
      aria-invalid=${!!s.password}
      aria-describedby=${s.password?`${u}-problem`:void 0}
      onInput=${f=>m(f.target.value||null)} />
      ${n?.password&&a`<${_} icon="close" label="Keep the old password"
        onClick=${h} />`}</div><//>`}export{Dt as a,Jo as b};
