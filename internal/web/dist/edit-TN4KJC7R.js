import{a as xe}from"./chunk-GBKV2GXD.js";import{a as D}from"./chunk-554B5AWV.js";import{a as re,b as W,d as ke,f as S,j as qe,k as oe}from"./chunk-BYAWBIVS.js";import{u as Ce,v as Oe}from"./chunk-MBTQ5TKJ.js";import{m as F,n as z}from"./chunk-VU5KR3ID.js";import"./chunk-W3YQ4EOJ.js";import"./chunk-JSWS2VBR.js";import{C as X,D as j,E as q,L as I,M as Z,N as ee,O as te,Q as _e,b as g,c as R,e as N,h as ge,i as a,k as ye,m as ve,n as H,r as v,s as _,t as B,v as we,w as O,y as U}from"./chunk-CXPDZ6Q7.js";var Je=0,ce=e=>({...e,id:++Je}),se=e=>e?F(Date.parse(e)):"";function x(e={}){return{original_url:e.original_url??"",title:e.title??"",tags:e.tags??[],ends:e.expires_at?e.max_clicks?"either":"on":e.max_clicks?"after":"never",expires_at:se(e.expires_at),max_clicks:String(e.max_clicks??""),then:e.expired_url?"url":"page",expired_url:e.expired_url??"",password:null,starts_at:se(e.starts_at),redirect_status:String(e.redirect_status??""),forward_query:!!e.forward_query,forward_path:!!e.forward_path,note:e.note??"",disabled:!!e.disabled,rules:(e.rules??[]).map(ce)}}var ne=({ends:e})=>e==="on"||e==="either",Se=({ends:e})=>e==="after"||e==="either",Ie=(e,t)=>e?e===se(t)?t:new Date(z(e)).toISOString():null,ae=e=>/^\d+$/.test(e.trim())?Number(e):NaN;function ie(e,t={}){let{tags:r,rules:o}=e;return{original_url:e.original_url===t.original_url?e.original_url:S(e.original_url),title:e.title.trim()||null,tags:r.length?r:null,expires_at:ne(e)?Ie(e.expires_at,t.expires_at):null,max_clicks:Se(e)?ae(e.max_clicks):null,expired_url:e.then==="url"&&e.expired_url.trim()?S(e.expired_url):null,password:e.password||null,starts_at:Ie(e.starts_at,t.starts_at),redirect_status:Number(e.redirect_status)||null,forward_query:e.forward_query||null,forward_path:e.forward_path||null,note:e.note.trim()?e.note:null,disabled:e.disabled||null,rules:o.length?o.map(Ve):null}}function Ve({name:e,when:t={},share:r,url:o}){return{name:e.trim(),...Object.keys(t).length>0&&{when:t},...r&&{share:r},url:S(o)}}function G(e,t){let r=ie(x(t),t),o=ie(e,t),s=l=>JSON.stringify(r[l])!==JSON.stringify(o[l]),n=Object.fromEntries(Object.entries(o).filter(([l])=>s(l)));return e.password===""&&t.password&&(n.password=null),n}function De(e,t,r){let o=x(t),s=x(r),n=l=>JSON.stringify(l,(c,p)=>c==="id"?void 0:p);return Object.fromEntries(Object.entries(e).map(([l,c])=>[l,n(c)===n(o[l])?s[l]:c]))}var le=e=>[...e].length;function ue(e,t){let r={},o=(s,n)=>{n&&!r[s]&&(r[s]=n)};return e.original_url!==t?.original_url&&o("original_url",oe(e.original_url)),o("title",le(e.title.trim())>200&&"A title can have at most 200 characters."),o("tags",e.tags.length>20&&"A link can have at most 20 tags."),ne(e)&&o("expires_at",!e.expires_at&&"Choose a day and a time."),Se(e)&&o("max_clicks",!(ae(e.max_clicks)>=1&&ae(e.max_clicks)<=1e9)&&`Enter a number from 1 to ${ye(1e9)}.`),e.then==="url"&&o("expired_url",oe(e.expired_url)),o("password",new TextEncoder().encode(e.password??"").length>128&&"A password can have at most 128 bytes."),o("starts_at",ne(e)&&e.starts_at&&e.expires_at&&e.starts_at>=e.expires_at&&"It has to start before it ends."),o("note",le(e.note)>2e3&&"A note can have at most 2,000 characters."),e.rules.forEach((s,n)=>o(`rules[${n}]`,K(s,e.rules))),r}function K({id:e,name:t,when:r={},share:o,url:s},n){if(!s.trim()||!we(S(s)))return"Enter where the rule leads, such as https://example.com/page.";let l=t.trim();return!l||le(l)>40?"A name has 1 to 40 characters.":l==="default"?'"default" stands for the destination. Choose another name.':n.some(c=>c.id!==e&&c.name.trim()===l)?"Another rule has this name.":o!==void 0&&!(Number.isInteger(o)&&o>=1&&o<=99)?"A share is a whole number from 1 to 99.":r.after&&r.before&&Date.parse(r.after)>=Date.parse(r.before)?"It has to begin before it ends.":""}function de(e){let[,t]=e.match(/^(?:unknown )?(?:field )?"?([a-z_]+(?:\[\d+\])?)/i)??[],r=t?.toLowerCase().replace(/^(tags)\[.*/,"$1")??"";return/^(original.url|url)\b/i.test(e)?"original_url":Object.hasOwn(x(),r)||/^rules\[\d+\]$/.test(r)?r:""}var pe={ios:"iPhone or iPad",android:"Android",windows:"Windows",macos:"Mac",linux:"Linux",chromeos:"Chromebook",mobile:"Phone",tablet:"Tablet",desktop:"Computer"},E={chrome:"Chrome",safari:"Safari",firefox:"Firefox",edge:"Edge",opera:"Opera",samsung:"Samsung Internet",duckduckgo:"DuckDuckGo",vivaldi:"Vivaldi",yandex:"Yandex",ie:"Internet Explorer"},Q=e=>e.length<2?e.join(""):`${e.slice(0,-1).join(", ")} or ${e.at(-1)}`,Te=(e,t=[])=>Q(t.map(r=>e[r]??r)),L=([e,t])=>t===null?`${e} (any value)`:`${e}=${t}`;function Ae({when:e={},share:t},r=0){let o=[Te(pe,e.device),e.browser&&`with ${Te(E,e.browser)}`,e.language&&`reading ${Q(e.language.map(_))}`,e.country&&`in ${Q(e.country.map(v))}`,e.query&&`with ${Object.entries(e.query).map(L).join(" and ")} in the link`,e.address&&`from ${Q(e.address)}`,e.after&&`from ${H(new Date(e.after))} on`,e.before&&`until ${H(new Date(e.before))}`].filter(Boolean),s=o.length>0;s&&!e.device&&o.unshift(t?"visitors":"Visitors");let n=s?o.join(" "):r>0?"the rest":"all visitors";return t?`${t===50?"Half":`${t} %`} of ${n}`:s?n:r>0?"The rest":"All visitors"}function je(e,t,r,o=Date.now()){let s=e.flatMap(c=>c.when?.language??[]),n=[],l=1;for(let c of e){if(!He(c.when??{},t,s,o))continue;let p=c.share?c.share/100:1;if(n.push({url:c.url,rule:c,share:l*p}),l*=1-p,!c.share)return n}return[...n,{url:r,rule:null,share:l}]}function He(e,t,r,o){return(!e.device||e.device.some(s=>t.device.includes(s)))&&(!e.browser||e.browser.includes(t.browser))&&(!e.language||Xe(e.language,t.language,r))&&(!e.country||e.country.includes(t.country))&&(!e.query||Object.entries(e.query).every(([s,n])=>Object.hasOwn(t.query??{},s)&&(n===null||t.query[s]===n)))&&(!e.address||e.address.includes(t.address))&&(!e.after||o>=Date.parse(e.after))&&(!e.before||o<Date.parse(e.before))}function Xe(e,t,r){let o=n=>l=>l.toLowerCase()===n.toLowerCase(),s=(t??"").split("-");for(;s.length&&s[0];){let n=s.join("-");if(r.some(o(n)))return e.some(o(n));s.pop(),s.at(-1)?.length===1&&s.pop()}return!1}var Y=[["device","Device"],["browser","Browser"],["language","Language"],["country","Country"],["query","Query"],["after","From"],["before","Until"],["address","Address"],["share","Share"]],Ee={device:[],browser:[],language:[],country:[],query:{},address:[],after:"",before:"",share:50};function Re({id:e,rule:t,onChange:r,onDone:o}){let[s,n]=g(()=>Y.map(([i])=>i).filter(i=>(i==="share"?t.share:t.when?.[i])!==void 0)),l=(i,d)=>{if(i==="share")return r({...t,share:d});let u={...t.when,[i]:d};(!d||Object.keys(d).length===0)&&delete u[i],r({...t,when:u})},c=i=>{let d=i.target.value;n(Y.map(([u])=>u).filter(u=>u===d||s.includes(u))),d==="share"&&l(d,Ee.share),requestAnimationFrame(()=>document.querySelector(`[data-condition="${e}-${d}"] :is(input, button)`)?.focus())},p=i=>{n(s.filter(d=>d!==i)),l(i,void 0)},m=Y.filter(([i])=>!s.includes(i));return a`<div class="rule-form">
    <label>Leads to<input class="field mono" inputmode="url" autocomplete="off"
      spellcheck=${!1} placeholder="https://example.com/" value=${t.url}
      onInput=${i=>r({...t,url:i.target.value})} />
      <${I} text=${t.url} /></label>
    ${Y.filter(([i])=>s.includes(i)).map(([i,d])=>a`<div class="condition" key=${i} role="group" aria-label=${d}
        data-condition=${`${e}-${i}`}><span>${d}</span>
        <div><${Ze} id=${`${e}-${i}`} kind=${i} label=${d}
          value=${(i==="share"?t.share:t.when?.[i])??Ee[i]}
          onChange=${u=>l(i,u)} /></div>
        <${q} icon="close" label=${`Remove condition ${d}`}
          onClick=${()=>p(i)} /></div>`)}
    <div class="rule-form-end">
      ${m.length>0&&a`<select class="field" aria-label="Add a condition" value=""
        onChange=${c}><option value="" disabled selected>Add a condition</option>
        ${m.map(([i,d])=>a`<option value=${i}>${d}</option>`)}</select>`}
      <label class="rule-name">Name in statistics<input class="field" autocomplete="off"
        spellcheck=${!1} value=${t.name}
        onInput=${i=>r({...t,name:i.target.value})} />
        <${I} text=${t.name} /></label>
      <button type="button" class="button" onClick=${o}>Done</button></div>
  </div>`}function Ze({id:e,kind:t,label:r,value:o,onChange:s}){switch(t){case"device":return a`<${Pe} names=${pe} value=${o} onChange=${s} />`;case"browser":return a`<${Pe} names=${E} value=${o}
      onChange=${s} />`;case"language":return a`<${D} id=${e} label="Languages" values=${o}
      onChange=${s} parse=${et} show=${_}
      options=${Ne.map(n=>[_(n)])} placeholder="German, pt-BR" />`;case"country":return a`<${D} id=${e} label="Countries" values=${o}
      onChange=${s} parse=${tt} show=${v}
      options=${B().map(n=>[v(n)])} placeholder="Germany, AT" />`;case"query":return a`<${D} id=${e} label="Query parameters"
      values=${Object.entries(o)} show=${L} parse=${rt}
      onChange=${n=>s(Object.fromEntries(n))} placeholder="ref=print" />`;case"address":return a`<${D} id=${e} label="Addresses" values=${o}
      onChange=${s} parse=${ot} placeholder="192.0.2.0/24" />`;case"share":return a`<span class="share"><input class="field" type="number" min="1"
      max="99" aria-label="Percent of visitors" value=${o}
      onInput=${n=>s(n.target.valueAsNumber)} /> % of these visitors</span>`;default:return a`<input class="field" type="datetime-local" aria-label=${r}
      value=${o&&F(Date.parse(o))} onInput=${n=>s(n.target.value&&new Date(z(n.target.value)).toISOString())} />`}}var Pe=({names:e,value:t,onChange:r})=>a`<span class="toggles">
  ${Object.entries(e).map(([o,s])=>a`<button type="button" key=${o}
    class="toggle" aria-pressed=${t.includes(o)} onClick=${()=>r(t.includes(o)?t.filter(n=>n!==o):[...t,o])}>${s}</button>`)}</span>`,Ne=["en","de","fr","es","it","pt","pt-BR","nl","pl","sv","da","nb","fi","cs","hu","ro","el","tr","uk","ru","ar","he","hi","id","vi","th","ja","ko","zh","zh-TW"],Be=(e,t)=>([r,o])=>[r,o].some(s=>s.toLowerCase()===e.toLowerCase())&&t;function et(e){let t=Ne.find(r=>Be(e,!0)([r,_(r)]));return t?{value:t}:/^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(e)&&e.length<=35?{value:e}:{problem:"Enter a language or its tag, such as de or pt-BR."}}function tt(e){let t=B().find(r=>Be(e,!0)([r,v(r)]));return t?{value:t}:{problem:"Enter a country or its code, such as DE."}}function rt(e){let[t,...r]=e.split("=");return t.trim()?{value:[t.trim(),r.length?r.join("="):null]}:{problem:"Enter a parameter, such as ref=print, or ref for any."}}var ot=e=>/^[\da-f.:]+(\/\d{1,3})?$/i.test(e)&&/[.:]/.test(e)?{value:e}:{problem:"Enter an address or a block, such as 192.0.2.0/24."};var Le={iphone:["iPhone",["ios","mobile"],"safari"],ipad:["iPad",["ios","tablet"],"safari"],phone:["Android phone",["android","mobile"],"chrome"],tablet:["Android tablet",["android","tablet"],"chrome"],windows:["Windows PC",["windows","desktop"],"chrome"],mac:["Mac",["macos","desktop"],"safari"],linux:["Linux PC",["linux","desktop"],"firefox"],chromebook:["Chromebook",["chromeos","desktop"],"chrome"]},$e=e=>[...new Set(e)],st=["en","de","fr","es","it","pt","nl","pl","ja","zh"],nt=e=>(t,r)=>e(t).localeCompare(e(r));function Me({id:e,rules:t,destination:r}){let o=$=>$e(t.flatMap(b=>b.when?.[$]??[])),s=t.map($=>$.when?.query).filter(Boolean),[n,l]=g({kind:"iphone",browser:"",query:"",address:""}),c={language:o("language")[0]??"en",country:o("country")[0]??"US",...n},p=$=>b=>l({...n,[$]:b.target.value}),[,m,i]=Le[c.kind],d=je(t,{...c,device:m,browser:c.browser||i,query:at(s[c.query])},r),u=$e([...B().sort(nt(v)),...o("country")]),f=($,b,y)=>a`<select class="field" aria-label=${b}
    value=${c[$]} onChange=${p($)}>${y.map(([k,M])=>a`<option key=${k} value=${k}>${O(M)}</option>`)}</select>`;return a`<div class="try-it" role="group" aria-labelledby=${e}>
    <span id=${e} class="form-label">Try it</span><div class="form-line">
    ${f("kind","Device of the visitor",Object.entries(Le).map(([$,[b]])=>[$,b]))}
    ${o("browser").length>0&&f("browser","Browser of the visitor",[["",`usual: ${E[i]}`],...Object.entries(E)])}
    ${f("language","Language of the visitor",$e([...st,...o("language")]).map($=>[$,_($)]))}
    ${f("country","Country of the visitor",u.map($=>[$,v($)]))}
    ${s.length>0&&f("query","Query of the visit",[["","no query"],...s.map(($,b)=>[b,Object.entries($).map(L).join(" and ")])])}
    ${o("address").length>0&&f("address","Address of the visitor",[["","other addresses"],...o("address").map($=>[$,$])])}</div>
    <p class="outcome" role="status">goes to ${d.map(({url:$,share:b,rule:y},k)=>a`<span key=${k}>${k>0&&" or "}<b>${it($)}</b>${b<1&&` (${ve(b,1)})`}
        <span class="quiet"> ${y?`by ${O(y.name)}`:""}</span></span>`)}</p>
  </div>`}var at=(e={})=>Object.fromEntries(Object.entries(e).map(([t,r])=>[t,r??"any"])),it=e=>e.trim()?O(U(S(e)).join("")):"the destination";var lt=20,ct=e=>e.trim()?O(U(e).join("")):"…";function Ue({id:e,rules:t,destination:r,problems:o,onChange:s}){let[n,l]=g(0),c=N(),p=()=>{let u=t.map(b=>b.name),f=t.length+1;for(;u.includes(`rule-${f}`);)f++;let $=ce({name:`rule-${f}`,when:{},url:""});s([...t,$]),l($.id),requestAnimationFrame(()=>c.current?.querySelector(".rule-form input, .rule-form select")?.focus())},m=u=>s(t.map(f=>f.id===u.id?u:f)),i=u=>{Z(`Removed rule ${u+1}`),s(t.filter((f,$)=>$!==u)),requestAnimationFrame(()=>c.current?.querySelector(".rule-add")?.focus())},d=dt(c,t,s);return a`<div class="rules" role="group" aria-labelledby=${`${e}-label`} ref=${c}>
    <span id=${`${e}-label`} class="form-label">Rules</span>
    ${t.length>0&&a`<ol>${t.map((u,f)=>a`<${ut} key=${u.id} id=${e}
      rule=${u} index=${f} of=${t.length} rules=${t} dragging=${d}
      open=${n===u.id} problem=${o[`rules[${f}]`]} onChange=${m}
      onOpen=${()=>l(n===u.id?0:u.id)} onRemove=${()=>i(f)} />`)}
    </ol>`}
    <div class="rules-end"><span class="quiet">${t.length?"Else → the destination":"All visitors are led to the destination."}</span>
      ${t.length<lt&&a`<button type="button" class="text-button rule-add"
        onClick=${p}><${j} name="add" />Add a rule</button>`}</div>
    ${t.length>0&&a`<${Me} id=${`${e}-try`} rules=${t}
      destination=${r} />`}
  </div>`}function ut({id:e,rule:t,index:r,of:o,rules:s,dragging:n,open:l,problem:c,onChange:p,onOpen:m,onRemove:i}){let d=O(Ae(t,r));return a`<li class="rule" data-dragging=${n.id===t.id} data-id=${t.id}>
    <div class="rule-line">
      <button type="button" class="icon-button grip"
        aria-label=${`Move rule ${r+1} of ${o}: ${d}`}
        title="Drag, or press the up or down arrow key" ...${n.grip(t,r)}>
        <${j} name="grip" /></button>
      <span class="rule-words">${d} <span class="quiet">→ ${ct(t.url)}</span>
      </span>
      <${q} icon="edit" label=${`Edit rule ${r+1}`} aria-expanded=${l}
        onClick=${m} />
      <${q} icon="close" label=${`Remove rule ${r+1}`} onClick=${i} />
    </div>
    ${l&&a`<${Re} id=${`${e}-${t.id}`} rule=${t} onChange=${p}
      onDone=${m} />`}
    ${(c||l&&t.url&&K(t,s))&&a`<p class="problem"
      role="alert">${c||K(t,s)}</p>`}
  </li>`}function dt(e,t,r){let[o,s]=g(0),n=N();n.current=t;let l=(i,d)=>{if(d<0||d>=n.current.length||d===i)return;let u=[...n.current];u.splice(d,0,...u.splice(i,1)),r(u),Z(`Rule ${d+1} of ${u.length}`)},c=i=>n.current.findIndex(d=>d.id===i.id),p=(i,d)=>{let u=[...e.current.querySelectorAll(".rule")].map(b=>b.getBoundingClientRect()),f=c(d),$=u.findIndex((b,y)=>y<f?i.clientY<b.top+b.height/2:y>f&&i.clientY>b.top+b.height/2&&(y+1===u.length||i.clientY<u[y+1].top+u[y+1].height/2));$>=0&&l(f,$)};return{id:o,grip:(i,d)=>({onPointerDown:u=>{u.button||(u.currentTarget.setPointerCapture(u.pointerId),s(i.id))},onPointerMove:u=>u.currentTarget.hasPointerCapture(u.pointerId)&&p(u,i),onPointerUp:()=>s(0),onPointerCancel:()=>s(0),onKeyDown:u=>{let f={ArrowUp:-1,ArrowDown:1}[u.key];if(!f)return;u.preventDefault();let $=u.currentTarget;l(d,d+f),requestAnimationFrame(()=>$.focus())}})}}var fe=["source","medium","campaign"];function Fe(e){let[,t,r,o]=e.match(/^([^?#]*)(?:\?([^#]*))?(#.*)?$/s);return{path:t,pairs:r?r.split("&"):[],fragment:o??""}}var me=e=>ze(e.split("=",1)[0]);function ze(e){try{return decodeURIComponent(e.replaceAll("+"," "))}catch{return e}}function J(e,t){let r=Fe(e).pairs.find(o=>me(o)===`utm_${t}`);return r?ze(r.slice(r.indexOf("=")+1||r.length)):""}function We(e,t,r){let{path:o,pairs:s,fragment:n}=Fe(e),l=r&&`utm_${t}=${encodeURIComponent(r).replaceAll("%20","+")}`,c=s.findIndex(m=>me(m)===`utm_${t}`),p=s.filter(m=>me(m)!==`utm_${t}`);return l&&p.splice(c<0?p.length:c,0,l),o+(p.length?`?${p.join("&")}`:"")+n}var T=({id:e,label:t,problem:r,hint:o,children:s})=>a`<div class="form-row">
  <label for=${e}>${t}</label>
  <div class="form-control">${s}
    ${r?a`<p id=${`${e}-problem`} class="problem" role="alert">${r}</p>`:o&&a`<p class="hint">${o}</p>`}</div></div>`,A=({id:e,label:t,problem:r,children:o})=>a`<div class="form-row" role="group" aria-labelledby=${`${e}-label`}>
  <span id=${`${e}-label`} class="form-label">${t}</span>
  <div class="form-control">${o}
    ${r&&a`<p id=${`${e}-problem`} class="problem" role="alert">${r}</p>`}
  </div></div>`;function he({id:e="f",draft:t,onChange:r,problems:o={},link:s,withURL:n=!0}){let l=p=>m=>r({...t,[p]:m}),c={id:e,draft:t,set:l,problems:o};return a`<div class="form">
    ${n&&a`<${T} id=${`${e}-original_url`} label="Destination"
      problem=${o.original_url}><${P} ...${c} name="original_url" mono=${!0}
        inputmode="url" /><//>`}
    <${pt} ...${c} />
    <${T} id=${`${e}-title`} label="Title" problem=${o.title}>
      <${P} ...${c} name="title" spellcheck=${!0} /><//>
    <${mt} ...${c} />
    <${bt} ...${c} />
    <${yt} ...${c} link=${s} />
    <${Ue} id=${`${e}-rules`} rules=${t.rules} destination=${t.original_url}
      problems=${o} onChange=${l("rules")} />
  </div>`}var P=({id:e,draft:t,set:r,problems:o,name:s,mono:n,type:l="text",spellcheck:c=!1,...p})=>a`<input id=${`${e}-${s}`} type=${l}
  class=${n?"field mono":"field"} autocomplete="off" spellcheck=${c}
  value=${t[s]} aria-invalid=${!!o[s]}
  aria-describedby=${o[s]?`${e}-${s}-problem`:void 0}
  onInput=${m=>r(s)(m.target.value)} ...${p} />
  <${I} text=${String(t[s])} />`;function pt({id:e,draft:t,set:r}){let o=t.original_url,[s,n]=g(fe.some(l=>J(o,l)));return s?a`<${A} id=${`${e}-utm`} label="UTM"><div class="form-parts">
    ${fe.map(l=>a`<label key=${l}><span>${l}</span>
      <input class="field" autocomplete="off" spellcheck=${!1} aria-label=${`UTM ${l}`}
        value=${J(o,l)} disabled=${!o.trim()}
        onInput=${c=>r("original_url")(We(o,l,c.target.value))} />
      <${I} text=${J(o,l)} /></label>`)}
  </div><//>`:a`<div class="form-row form-extra"><span></span><div class="form-control">
    <button type="button" class="text-button" onClick=${()=>n(!0)}>
      <${j} name="add" />UTM parameters</button></div></div>`}var $t=e=>[...e].length>40?{problem:"A tag can have at most 40 characters."}:{value:e.normalize("NFC")};function mt({id:e,draft:t,set:r,problems:o}){let s=ge(Ce);return R(()=>{Oe()},[]),a`<${T} id=${`${e}-tags`} label="Tags">
    <${D} id=${`${e}-tags`} label="Tags" values=${t.tags} onChange=${r("tags")}
      parse=${$t} options=${s.map(({tag:n})=>[n])} placeholder="newsletter, shop"
      problem=${o.tags} /><//>`}var ft=[["never","never"],["on","at a time"],["after","after a number of clicks"],["either","at a time or after clicks"]];function bt(e){let{id:t,draft:r,set:o,problems:s}=e,n=r.ends,l=s.expires_at??s.max_clicks;return a`<${A} id=${`${t}-ends`} label="Ends" problem=${l}>
      <div class="form-line"><select class="field" aria-label="Ends" value=${n}
        onChange=${c=>o("ends")(c.target.value)}>
        ${ft.map(([c,p])=>a`<option value=${c}>${p}</option>`)}</select>
      ${(n==="on"||n==="either")&&a`<${P} ...${e} name="expires_at"
        type="datetime-local" aria-label="Ends on" />`}
      ${(n==="after"||n==="either")&&a`<${P} ...${e} name="max_clicks"
        inputmode="numeric" class="field short" aria-label="Clicks until it ends" />
        <span class="quiet">clicks</span>`}</div><//>
    ${(n!=="never"||r.disabled||r.then==="url")&&a`<${ht} ...${e} />`}`}function ht(e){let{id:t,draft:r,set:o,problems:s}=e;return a`<${A} id=${`${t}-then`} label="Then show" problem=${s.expired_url}>
    <div class="form-line"><select class="field" aria-label="Then show" value=${r.then}
      onChange=${n=>o("then")(n.target.value)}>
      <option value="page">a page that says so</option>
      <option value="url">another address</option></select>
    ${r.then==="url"&&a`<${P} ...${e} name="expired_url" mono=${!0}
      inputmode="url" placeholder="https://example.com/" aria-label="Address to show" />`}
    </div><//>`}var gt=[["","302: temporary"],["301","301: permanent"],["307","307: temporary, keeps the method"],["308","308: permanent, keeps the method"]],Ge=["password","starts_at","redirect_status","forward_query","forward_path","note","disabled"];function yt(e){let{link:t,...r}=e,{id:o,draft:s,set:n,problems:l}=r,c=Ge.some(i=>s[i])||t?.password||Ge.some(i=>l[i]),[p,m]=g(c);return R(()=>{c&&m(!0)},[c]),a`<div class="form-more">
    <button type="button" class="text-button" aria-expanded=${p} aria-controls=${`${o}-more`}
      onClick=${()=>m(!p)}><${j} name=${p?"less":"add"} />More</button>
    ${!p&&a`<span class="quiet">Password, start, redirect type, query, path, note</span>`}
  </div>
  <div id=${`${o}-more`} class="form-part" hidden=${!p}>
    <${vt} ...${e} />
    <${T} id=${`${o}-starts_at`} label="Starts" problem=${l.starts_at}>
      <${P} ...${r} name="starts_at" type="datetime-local" /><//>
    <${T} id=${`${o}-redirect_status`} label="Redirect type">
      <select id=${`${o}-redirect_status`} class="field" value=${s.redirect_status}
        onChange=${i=>n("redirect_status")(i.target.value)}>
        ${gt.map(([i,d])=>a`<option value=${i}>${d}</option>`)}
        ${s.redirect_status==="302"&&a`<option value="302">302, explicitly</option>`}
      </select><//>
    <${A} id=${`${o}-forward`} label="Forward">
      <${be} ...${r} name="forward_query" label="The visitor's query parameters" />
      <${be} ...${r} name="forward_path" label="What follows the code in the path" /><//>
    <${T} id=${`${o}-note`} label="Note" problem=${l.note} hint="Only you see it.">
      <textarea id=${`${o}-note`} class="field" rows="3" value=${s.note}
        onInput=${i=>n("note")(i.target.value)} aria-invalid=${!!l.note} />
      <${I} text=${s.note} /><//>
    <${A} id=${`${o}-state`} label="State">
      <${be} ...${r} name="disabled" label="Disabled: leads nowhere" /><//>
  </div>`}var be=({draft:e,set:t,name:r,label:o})=>a`<label class="check"><input type="checkbox"
  checked=${e[r]} onChange=${s=>t(r)(s.target.checked)} />${o}</label>`;function vt({id:e,draft:t,set:r,problems:o,link:s}){let[n,l]=g(!1),c=`${e}-password`,p=r("password"),m=()=>{l(!1),p(null)};return s?.password&&t.password===""?a`<${A} id=${c} label="Password">
    <div class="form-line"><span>Will be removed</span><button type="button" class="text-button"
      onClick=${m}>Keep it</button></div><//>`:s?.password&&!n?a`<${A} id=${c} label="Password">
    <div class="form-line"><span>Set</span><button type="button" class="text-button"
      onClick=${()=>l(!0)}>Change</button>
    <button type="button" class="text-button" onClick=${()=>p("")}>Remove</button>
  </div><//>`:a`<${T} id=${c} label="Password" problem=${o.password}>
    <div class="form-line"><input id=${c} class="field" type="password"
      autocomplete="new-password" value=${t.password??""}
      aria-invalid=${!!o.password}
      onInput=${i=>p(i.target.value||null)} />
      ${s?.password&&a`<${q} icon="close" label="Keep the old password"
        onClick=${m} />`}</div><//>`}function br({code:e,onClose:t}){let[r,o]=g(()=>W.get()?.short_code===e&&W.get().etag?W.get():null),[s,n]=g(null);return R(()=>{r||re(e).then(o,n)},[]),r?a`<${wt} link=${r} onClose=${t} />`:a`<${ee} label=${`Edit ${e}`} class="edit" onClose=${t}>
    <${te} onClose=${t}>Edit<//>
    ${s&&a`<${_e} title="Couldn't load the link" message=${s.message} />`}<//>`}function wt({link:e,onClose:t}){let[r,o]=g(e),[s,n]=g(()=>x(e)),[l,c]=g({}),[p,m]=g(null),[i,d]=g(!1),[u,f]=g(!1),$=N(),b=()=>Object.keys(G(s,r)).length>0,y=()=>b()?f(!0):t(),k=h=>{n(h),c({}),f(!1)},M=h=>{c(h),requestAnimationFrame(()=>$.current?.querySelector('[aria-invalid="true"], .problem')?.scrollIntoView({block:"center"})),requestAnimationFrame(()=>$.current?.querySelector('[aria-invalid="true"]')?.focus())},Ke=async h=>{if(h.preventDefault(),i)return;let C=ue(s,r);if(Object.keys(C).length)return M(C);let w=G(s,r);if(!Object.keys(w).length)return t();d(!0),m(null);try{await ke(r,w),t()}catch(V){d(!1),await Qe(V)}},Qe=async h=>{if(h.status===412)return Ye();let C=h.status===400&&de(h.message),w=/short link/i.test(h.message)?qe:h.message;if(C)return M({[C]:w});m({text:h.status===0?"Not saved: can't reach the server. What you typed is kept.":w})},Ye=async()=>{try{let h=await re(r.short_code),C=Object.entries(G(x(h),r)).map(([w,V])=>xe(w,{old:r[w]??null,new:V}));m({text:"Somebody changed this link meanwhile. What you typed is kept; save again to have it so.",lines:C}),n(De(s,r,h)),o(h)}catch(h){m({text:h.message})}};return a`<${ee} label=${`Edit ${X}/${e.short_code}`} class="edit"
    onClose=${y}><form ref=${$} onSubmit=${Ke} novalidate>
    <${te} onClose=${y}>Edit <span class="mono">
      ${X}/${e.short_code}</span><//>
    <${he} draft=${s} onChange=${k} problems=${l} link=${r} />
    <div class="edit-end">
      ${p&&a`<div class="edit-trouble" role="alert"><p class="problem">
        ${p.text}</p>${p.lines&&a`<ul>
          ${p.lines.map(h=>a`<li key=${h}>${h}</li>`)}</ul>`}</div>`}
      ${u?a`<p role="alert">Discard your changes?</p>
        <button type="button" class="button"
          onClick=${()=>f(!1)}>Keep editing</button>
        <button type="button" class="button danger" onClick=${t}>Discard</button>`:a`<button type="button" class="button" onClick=${y}>Cancel</button>
        <button class="button primary" aria-busy=${i}>
          ${p?.lines?"Save again":"Save"}</button>`}
    </div>
  </form><//>`}export{br as EditLink,he as LinkForm,x as draftOf,ie as fieldsOf,ue as problemsOf,de as where};
