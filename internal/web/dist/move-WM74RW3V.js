import{b as Se}from"./chunk-5O7YM3OH.js";import"./chunk-VZI3BDC5.js";import{$ as M,Ac as ee,Bc as _e,C as ge,Cc as Ae,D as N,E as K,F as x,G as we,H as A,I as ve,K as be,L as C,M as R,N as Z,O as $e,U as xe,a as D,aa as ye,b as E,ba as ke,c as ue,ca as Ce,d as J,dc as X,ea as U,fa as i,ga as L,h as f,i as b,j as he,k as fe,la as W,o as q,oa as O,sa as Te,u as j,w as h,za as Oe,zb as Q}from"./chunk-TRGQ7ERU.js";var P=64*1024,Le=200,pt=[",",";","	","|"],mt=[[/^PK/,"This is a workbook or a ZIP file. Save the table as CSV, or unpack the file."],[/^SQLite format 3\0/,"This is a database. Export its links as a table, as CSV."],[/^(\xd0\xcf\x11\xe0)/,"This is a workbook. Save the table as CSV."],[/^%PDF/,"This is a PDF document. Choose a table as CSV, or an export of terse."],[/^(\x89PNG|\xff\xd8\xff|GIF8)/,"This is a picture. Choose a table or an export of terse."],[/^(BZh|\xfd7zXZ)/,"This file is packed in a way that can't be read here. Unpack it first."]];async function te(e,t=""){let o=new Uint8Array(await e.slice(0,16).arrayBuffer()),s=_e(o),n={packing:s,problem:ut(o),names:null,separator:"",rows:[]};if(e.size||(n.problem="The file is empty."),n.problem||s==="zstd")return n;let r=ft(await ht(e,s),e.size<=P&&!s);return{...n,.../^\s*\{/.test(r)?gt(r):wt(r,t)}}function ut(e){let t=String.fromCharCode(...e);return mt.find(([o])=>o.test(t))?.[1]??""}async function ht(e,t){let o=e.slice(0,P).stream();t&&(o=o.pipeThrough(new DecompressionStream(t)));let s=o.getReader(),n=[],r=0;try{for(;r<P;){let{done:a,value:l}=await s.read();if(a)break;n.push(l),r+=l.length}await s.cancel()}catch{}return new Uint8Array(await new Blob(n).arrayBuffer()).subarray(0,P)}function ft(e,t){let[o,s]=e,n=o===255&&s===254||o>0&&s===0?"utf-16le":o===254&&s===255||o===0&&s>0?"utf-16be":"utf-8",r=new TextDecoder(n).decode(e);if(t)return r;let a=Math.max(r.lastIndexOf(`
`),r.lastIndexOf("\r"));return r.slice(0,a+1)}function gt(e){let t=[];for(let[o,s]of e.split(`
`).entries()){if(t.length===Le)break;try{let n=JSON.parse(s);n?.type==="link"&&t.push({line:o+1,link:n})}catch{}}return{rows:t}}function wt(e,t){let[o]=e.match(/^\s*"?sep=[^\r\n"]"?(\r\n|\r|\n)/i)??[];o&&(t||=o.match(/=(.)/)[1],e=e.slice(0,o.length).replaceAll(/[^\r\n]/g,"")+e.slice(o.length)),t||=vt(e);let[s,...n]=Se(e,t);return{names:(s?.cells??[]).map(a=>a.trim()),separator:t,rows:n.slice(0,Le)}}function vt(e){let[t]=e.trimStart().split(/[\r\n]/,1),o=t.replaceAll(/"[^"]*"/g,""),s=n=>o.split(n).length;return pt.reduce((n,r)=>s(r)>s(n)?r:n)}var Fe="guess=true";function Be(e,t){let o=e.search(/: map=/);if(o<0)return null;let s=e.slice(0,o),n=e.slice(o),r=t.flatMap(c=>bt(n,c)),a=n.lastIndexOf(` ${Fe} `);a>=0&&r.push({at:a+1,end:a+1+Fe.length,guess:!0}),r.sort((c,p)=>c.at-p.at||p.end-c.end);let l=[];for(let[c,{at:p,end:v,...w}]of r.entries()){if(r[c-1]?.end>p)continue;let u=r.slice(c+1).find($=>$.at>=v),d=n.slice(v,u?.at).replace(/,?( or)?,?\s*$/,"");l.push({...w,says:d.trim()})}return{text:s,answers:l}}function bt(e,t){let o=[],s=` map=${t}=`;for(let n=e.indexOf(s);n>=0;n=e.indexOf(s,n+1)){let[r]=e.slice(n+s.length).match(/^[a-z_]*/);o.push({at:n+1,end:n+s.length+r.length,column:t,field:r})}return o}var $t=/^(\d{1,2})\/(\d{1,2})\/\d{4}(?:(,?\s+)(\d{1,2}:\d{2}(?::\d{2})?)(\s?)([AaPp][Mm])?)?$/;function oe(e){let[,t,o,s,n,r,a]=e.trim().match($t)??[];if(!t||t>12||o>12||Number(t)===Number(o))return null;let l=n?`${s}${a?"%I":"%H"}:%M${n.split(":").length>2?":%S":""}`+(a?`${r}%p`:""):"";return[`%d/%m/%Y${l}`,`%m/%d/%Y${l}`]}var ze=e=>e.flatMap(({cells:t=[]})=>t).find(t=>oe(t))??"";var xt=100,yt=20,kt=5,Ct=256*1024,Tt=["created","updated","unchanged","renamed","skipped","failed"],F=class{constructor(t){this.source=t,this.links=0,this.results=Object.fromEntries(Tt.map(o=>[o,0])),this.added=0,this.known=0,this.columns=null,this.first=[],this.reasons=new Map,this.more=0,this.remarks=0,this.summary=null,this.parts=[],this.text=X(Ot)}add(t){t.columns?this.columns=t.columns:t.summary?this.summary=t.summary:this.addResult(t)}addResult(t){let{line:o,result:s,clicks_added:n=0,clicks_known:r=0}=t;this.links++,this.results[s]++,this.added+=n,this.known+=r,this.first.length<kt&&this.first.push(t);for(let a of St(t))this.note(o,t,a)}note(t,{short_code:o="",result:s},n){this.remarks++;let r=[t,this.source,o,s,Bt(n),n];this.text+=X(r.map(c=>_t(String(c)))),this.text.length>Ct&&(this.parts.push(new Blob([this.text])),this.text="");let a=`${s} ${n.replaceAll(/"(?:[^"\\]|\\.)*"/g,'"…"')}`,l=this.reasons.get(a);if(!l){if(this.reasons.size===xt){this.more++;return}l={result:s,text:n,n:0,lines:[]},this.reasons.set(a,l)}l.n++,l.text!==n&&(l.text=a.slice(s.length+1)),l.lines.length<yt&&l.lines.push({line:t,code:o})}view(){return{...this,reasons:[...this.reasons.values()].map(t=>({...t})),results:{...this.results}}}report(){return new Blob([...this.parts,this.text],{type:"text/csv;charset=utf-8"})}},Ot=["line","source","short_code","result","field","reason"];function St({result:e,error:t,notes:o=[],new_short_code:s}){return t?[t,...o]:e==="renamed"?[`short code already exists; it is now ${s}`,...o]:e==="created"&&s?["short code is not possible here (3-20 letters, digits, - and _); it is an alias of "+s,...o]:o}var _t=e=>h(e.replaceAll(`
`,"\\n").replaceAll("	","\\t")),At=[["original URL","original_url"],["short code","short_code"],["address","short_code"],["at most 20 aliases","aliases"]],_={original_url:"Destination",short_code:"Code",short_url:"Short URL",aliases:"More addresses",title:"Title",tags:"Tags",note:"Note",clicks:"Clicks",created_at:"Created",created_by:"Owner",updated_at:"Changed",starts_at:"Starts",expires_at:"Ends",expired_url:"Then leads to",max_clicks:"Ends after clicks",password:"Password",disabled:"Switched off",archived:"Archived",status:"State",redirect_status:"Redirect type",forward_query:"Passes parameters on",forward_path:"Passes the path on",rules:"Rules",day:"Day of the clicks",hour:"Hour of the clicks"},Lt="password_hash clicks_used share history last_clicked_at domain date dimension counts people visitors time count firsts",Ft=new Set([...Object.keys(_),...Lt.split(" ")]);function Bt(e){let t=At.find(([s])=>e.startsWith(s));if(t)return t[1];let[o]=e.replace(/^field "/,"").split(" ",1)[0].replace(/"$/,"").split("[",1);return Ft.has(o)?o:""}async function Ie(e,t){let o=e.pipeThrough(new TextDecoderStream).getReader(),s="";for(;;){let{done:n,value:r}=await o.read();if(n)break;let a=(s+r).split(`
`);s=a.pop();for(let l of a)l&&t(JSON.parse(l))}s&&t(JSON.parse(s))}var qe="/api/import",zt=1024**3,It=20,Dt=200,Et=1e4,je={conflict:"skip",owner:"",map:{},guess:!1,delimiter:"",time_zone:"",date_format:""},re={phase:"none",file:null,head:null,options:je,columns:null,question:null,problem:"",isFinal:!1,trial:null,tally:null},m=K(re),g=e=>m.set({...m.get(),...e}),y=new AbortController,Ne=()=>m.get().phase==="importing";function Re(){y.abort(),m.set(re)}async function Me(e){y.abort();let{signal:t}=y=new AbortController,o=T.get(),s=o&&o.name===e.name&&o.size===e.size;m.set({...re,phase:"reading",file:e,options:{...je,...s&&o.options}});try{let n=await te(e);if(t.aborted)return;if(g({head:n}),n.problem)return z(n.problem,!0)}catch{t.aborted||z(Ue,!0);return}if(e.size>zt)return z(We,!0);await V()}async function k(e){if(g({options:{...m.get().options,...e}}),"delimiter"in e){let{file:t,options:o}=m.get();g({head:await te(t,o.delimiter==="tab"?"	":o.delimiter)})}await V()}function ae(e,t){let{map:o}=m.get().options,s=Object.entries(o).map(([n,r])=>[n,r===t?"":r]);return k({map:{...Object.fromEntries(s),[e]:t},guess:!1})}var Ue="The file can't be read any more: it was moved or changed. Choose it again.",We="The file is too big: at most 1 GiB can be sent, and 16 GiB unpacked. Pack it with gzip or zstd.";function z(e,t=!1){g({phase:"refused",problem:e,isFinal:t,...t&&{trial:null,question:null}}),O(e)}var G=class extends Error{constructor(t,o){super(o),this.status=t}},qt="Another import of yours is under way, perhaps in another tab. Try again when it has ended.";function jt({status:e,message:t}){return e===409?`Nothing would be imported: ${t}.`:/^needs the role/.test(t)?"You may not import links. Ask an admin.":{408:"The file came too slowly. Try again.",413:We,415:"The file is packed in a way that the server can't read. Unpack it, and try that.",429:qt,503:"The server is stopping. Try again in a moment.",507:"The server has no room for the file. Whoever runs it has to make some on its disk."}[e]??Ce(t)}var Nt=({conflict:e,owner:t,map:o,guess:s,...n},r)=>({format:"auto",conflict:e==="skip"?"":e,owner:t,dry_run:r&&"true",guess:s&&"true",map:Object.entries(o).map(([a,l])=>`${a}=${l}`),...n});async function Pe(e,t,o,s){let n=await U("POST",e,{body:t,headers:o,signal:s,outlastsSession:!1});if(n.ok)return n;let{error:r=n.statusText}=await n.json().catch(()=>({}));throw new G(n.status,r)}async function Rt(e){for(let t=1;;t++)try{return await(await Pe(`${qe}?dry_run=true`,new Blob,{},e)).text()}catch(o){if(o.status!==429||t===It)throw o;await ke(1e3,e)}}var Ge=null,Ve=()=>Ge.report();async function Ye(e,t,o,s){let{file:n,head:r}=m.get();await Rt(o);let a=await Pe(A(qe,Nt(e,t)),n,r.packing?{"Content-Encoding":r.packing}:{},o),l=new F(n.name);Ge=l;let c=0;if(await Ie(a.body,p=>{l.add(p),!(performance.now()<c+Dt)&&(c=performance.now(),s(l))}),!l.summary)throw new M(0,"");return s(l),l}async function V(){y.abort();let{signal:e}=y=new AbortController;g({phase:"trying",problem:"",isFinal:!1,tally:null});let t=n=>{e.aborted||g({tally:n.view()})},o=async(n,r)=>{let a=await Ye(n,!0,e,t);if(e.aborted)return;let l=a.view();g({phase:"tried",trial:l,columns:l.columns,question:r,tally:null}),O(r?r.text:I(l))},{options:s}=m.get();try{await o(s,null)}catch(n){if(e.aborted)return;let r=n.status===400?Be(n.message,Mt()):null;if(!r)return se(n);g({question:r});try{await o({...s,guess:!0},r)}catch(a){if(e.aborted)return;if(a.status!==400)return se(a);g({phase:"tried",trial:null,columns:Wt(),question:Ut(r)}),O(r.text)}}}var Mt=()=>[...new Set([...m.get().head.names??[],...(m.get().columns??[]).map(({name:e})=>e)])],Ut=({text:e,answers:t})=>({text:e,answers:t.filter(({guess:o})=>!o),isNeeded:!0});function Wt(){let{head:e,options:t}=m.get();return(e.names??[]).map((o,s)=>({name:o,field:t.map[o]||void 0,example:e.rows.map(({cells:n})=>n[s]).find(Boolean)}))}async function se(e){let{file:t}=m.get();try{await t.slice(0,1).arrayBuffer()}catch{return z(Ue,!0)}if(e instanceof G)return z(jt(e),e.status!==409&&e.status!==400);g({phase:"lost"}),O("The connection was lost.")}async function ie(){let{file:e,options:t,trial:o}=m.get();y.abort();let{signal:s}=y=new AbortController;g({phase:"importing",problem:"",tally:new F(e.name).view()}),T.keep({name:e.name,size:e.size,options:t,at:Date.now()}),addEventListener("beforeunload",De);let n=performance.now(),r=a=>{y.signal===s&&(g({tally:a.view()}),!(performance.now()<n+Et)&&(n=performance.now(),O(le(a,o).text)))};try{let a=await Ye(t,!1,s,r);T.forget(),g({phase:"done",tally:a.view()}),O(I(a,!0))}catch(a){ye(a)||s.aborted?g({phase:"stopped"}):await se(a)}finally{removeEventListener("beforeunload",De)}}var He=()=>y.abort(),De=e=>e.preventDefault();function le({links:e,added:t,known:o},s){let n=t+o,r=s.added+s.known,a=e/Math.max(1,s.links),l=r?n/r:a;return{part:Math.min(1,(a+l)/2),text:`${f(e)} of ${b(s.links,"link","links")}`+(r?`, ${f(n)} of ${b(r,"click","clicks")}`:"")}}var ce=({results:{created:e,updated:t,renamed:o}})=>e+t+o;function I(e,t=!1){let o=ce(e),{added:s}=e;if(!o&&!s)return t?"Nothing was imported.":"There is nothing to import.";let n=[o&&b(o,"link","links"),s&&b(s,"click","clicks")].filter(Boolean);return t?`Imported ${n.join(" and ")}.`:`${n.join(" and ")} would come.`}var ne=`terse-import${ge}`,B=K(Pt()),T={watch:B.watch,get(){let e=B.get();return e&&e.identity===C.get().identity?e:null},keep(e){B.set({...e,identity:C.get().identity}),Ee(JSON.stringify(B.get()))},forget(){B.set(null),Ee(null)}};function Pt(){try{let e=JSON.parse(localStorage.getItem(ne));return e?.options?.map?e:null}catch{return null}}function Ee(e){try{e===null?localStorage.removeItem(ne):localStorage.setItem(ne,e)}catch{}}var de=60,Je=80,S=e=>{let t=[...h(String(e??""))];return t.slice(0,Je).join("")+(t.length>Je?"…":"")},Ke=[["","Not imported"],...Object.entries(_)];function Ze({question:{text:e,answers:t,isNeeded:o}}){let s=({guess:n,column:r,field:a})=>n?k({guess:n}):ae(r,a);return i`<div class="move-question" role="group" aria-labelledby="move-asks">
    <p id="move-asks">${h(Vt(e))}</p>
    ${t.length>0&&i`<div class="move-answers">${t.map((n,r)=>i`<button type="button" key=${r} class="button"
          onClick=${()=>s(n)}>${Gt(n)}</button>`)}</div>`}
    <p class="hint">${o?"The file can't be read without an answer. You can also change what a column is, below.":"You can also change what a column is, below."}</p></div>`}function Gt({guess:e,column:t,field:o,says:s}){if(e)return`Import it as it is${s?`, ${s}`:""}`;let n=`"${S(t)}"`,r=o?`${n} is: ${j(_,o)??o}`:`Don't import ${n}`;return s?`${r}, ${s}`:r}var Vt=e=>`${e.charAt(0).toUpperCase()}${e.slice(1)}.`;function Qe({columns:e}){let t=new Set;return i`<table class="entries move-columns">
    <caption class="unseen">What each column becomes</caption>
    <thead><tr><th scope="col">Column</th><th scope="col">For example</th>
      <th scope="col">Becomes</th></tr></thead>
    <tbody>${e.slice(0,de).map(({name:o,field:s="",example:n=""},r)=>{let a=!t.has(o);t.add(o);let l=o?S(o):`Column ${r+1}`;return i`<tr key=${r} data-off=${!s}>
        <th scope="row"><bdi>${l}</bdi></th>
        <td class="move-example"><bdi>${S(n)}</bdi></td>
        <td>${a&&o?i`<${Q} label=${l} value=${s} options=${Yt(s)}
                onChange=${c=>c!==s&&ae(o,c)} />`:i`<span class="quiet">${j(_,s)??"Not imported"}</span>`}</td></tr>`})}</tbody></table>
    ${e.length>de&&i`<p class="hint">And ${f(e.length-de)} more.</p>`}`}var Yt=e=>j(_,e)||!e?Ke:[...Ke,[e,e]],Ht=[["","As found"],[",","Commas"],[";","Semicolons"],["tab","Tabs"],["|","Bars"]],Jt=["created_at","updated_at","starts_at","expires_at","day","hour"];function Xe({columns:e,options:t}){let o=e.some(({field:s})=>Jt.includes(s));return i`<div class="move-how">
    <${Y} label="Between columns" value=${t.delimiter} options=${Ht}
      onChange=${s=>k({delimiter:s})} />
    ${o&&q()!=="UTC"&&i`<${Y} label="Times without a zone" value=${t.time_zone}
        options=${[["","UTC"],[q(),`${q()} (yours)`]]}
        onChange=${s=>k({time_zone:s})} />`}
    ${t.date_format&&i`<${Y} label="Dates" value=${t.date_format}
        options=${[["","As they are known"],...tt(t.date_format)]}
        onChange=${s=>k({date_format:s})} />`}</div>`}var Y=({label:e,...t})=>i`<div><span class="form-label" aria-hidden="true">
  ${e}</span><${Q} label=${e} ...${t} /></div>`;function et({example:e}){return i`<div class="move-question" role="group" aria-labelledby="move-dates">
    <p id="move-dates">Dates such as ${h(e)} may be two. Those are left out unless you
      say which is meant.</p>
    <div class="move-answers">${tt(oe(e)[0]).map(([t,o])=>i`<button type="button" key=${t} class="button"
        onClick=${()=>k({date_format:t})}>${o}</button>`)}</div></div>`}var tt=e=>{let[t,o]=["%d/%m","%m/%d"].map(s=>e.replace(/%[dm]\/%[dm]/,s));return[[t,"Day first (31/12/2026)"],[o,"Month first (12/31/2026)"]]},Kt=[["skip","Leave it out","The link that is there stays as it is."],["overwrite","Replace","The link that is there becomes as in the file, if it is yours, and keeps its clicks."],["rename","Give it another code","abc becomes abc-2. The link that is there stays."],["fail","Import nothing","As soon as one code is taken."]],ot=({value:e})=>i`<fieldset class="move-conflicts">
  <legend>If a code is taken by another link</legend>
  ${Kt.map(([t,o,s])=>i`<label key=${t} class="move-choice">
      <input type="radio" name="conflict" value=${t} checked=${t===e}
        onChange=${()=>k({conflict:t})} />
      <span><b>${o}</b> <span class="quiet">${s}</span></span></label>`)}</fieldset>`;function st({value:e}){let t=x(C);return!R(t)||!t.others?null:i`<div class="move-how"><${Y} label="The links belong to" value=${e}
    options=${[["","Me"],["keep","The owners that the file names"]]}
    onChange=${o=>k({owner:o})} /></div>`}var Zt={created:"New",updated:"Changed",unchanged:"There already",renamed:"New, with another code",skipped:"Left out",failed:"Can't be imported"};function nt({trial:e,head:t,columns:o}){let{file:s}=x(m),n=e.first.map(r=>({result:r,...eo(t.rows.find(({line:a})=>a===r.line)??{},o)}));return i`<div class="move-rows" role="region" tabindex="0" aria-label="The first links">
    <table class="entries">
    <caption class="unseen">The first links of ${h(s.name)}, as they will be</caption>
    <thead><tr><th scope="col">Code</th><th scope="col">Destination</th><th scope="col">Title</th>
      <th scope="col">Created</th><th scope="col" class="end">Clicks</th>
      <th scope="col">What becomes of it</th></tr></thead>
    <tbody>${n.map(({result:r,hasCode:a,url:l,title:c,created:p})=>i`<tr key=${r.line}>
        <th scope="row">${a?Xt(r):Qt}</th>
        <td class="move-url">${l&&i`<${Te} url=${l} />`}</td>
        <td class="move-title"><bdi>${S(c)}</bdi></td>
        <td class="move-created"><bdi>${S(p)}</bdi></td>
        <td class="end">${f((r.clicks_added??0)+(r.clicks_known??0))}
          <span class="move-unit"> clicks</span></td>
        <td class="move-result">${Zt[r.result]}${r.error&&i`<span class="quiet">: ${S(r.error)}</span>`}</td></tr>`)}</tbody></table></div>`}var Qt=i`<span class="quiet">a new one</span>`,Xt=({short_code:e="",new_short_code:t,result:o})=>i`<span class="mono"><bdi>${S(e)}</bdi>${t&&o==="renamed"&&` → ${t}`}</span>`;function eo({cells:e,link:t},o){if(t){let{short_code:n,original_url:r,title:a,created_at:l}=t;return{hasCode:!!n,url:r,title:a,created:l?.slice(0,16)}}if(!e)return{hasCode:!0};let s=n=>e[o?.findIndex(r=>r.field===n)]?.trim();return{hasCode:!!(s("short_code")||s("short_url")),url:s("original_url"),title:s("title"),created:s("created_at")}}var rt=({n:e,lines:t})=>`${t.length===1?"line":"lines"} ${t.map(({line:o})=>f(o)).join(", ")}`+(e>t.length?` and ${f(e-t.length)} more`:"");var at=`/* The page on which links come in and go out */
.move {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 16px;
  max-width: 1008px;
}
.move h1 {
  font-size: 24px;
  letter-spacing: -0.01em;
}
.move h3 {
  margin-top: 24px;
  font-size: 14px;
  font-weight: 600;
}
.move .panel > p,
.move .panel > .move-form > p {
  margin-top: 12px;
}
.move .panel[data-dropping="true"] {
  outline: 2px solid var(--accent);
  outline-offset: -1px;
}
.move-drop {
  display: grid;
  justify-items: center;
  gap: 12px;
  margin-top: 12px;
  padding: 32px 16px;
  border: 1px dashed var(--edge);
  border-radius: 8px;
  text-align: center;
}
[data-dropping="true"] > .move-drop {
  background: var(--tint);
}
.move-drop p {
  max-width: 480px;
}
.move-file {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 4px 12px;
  margin-top: 12px;
  overflow-wrap: anywhere;
}
.move-file:focus {
  outline: none; /* it is no control: reading goes on there */
}
.move-file p {
  flex: 1 1 240px;
  min-width: 0;
}
.move-question {
  margin-top: 16px;
  padding: 12px 16px;
  border: 1px solid var(--line);
  border-left: 4px solid var(--accent);
  border-radius: 8px;
  background: var(--tint);
  overflow-wrap: anywhere;
}
.move-question .hint {
  margin-top: 8px;
  color: var(--text);
}
.move-answers {
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
  margin-top: 8px;
}
.move-answers .button {
  height: auto;
  min-height: 36px;
  padding: 6px 12px;
  color: var(--text);
  text-align: left;
  white-space: normal;
}
/* What takes no longer than 200 ms needs no sign. */
.move-form[data-stale="true"] > :not(.move-end) {
  opacity: 0.6;
  transition: opacity 120ms 200ms;
}
.move-columns {
  margin-top: 4px;
  table-layout: fixed;
}
.move-columns :is(th, td) {
  overflow-wrap: anywhere;
}
.move-columns .pick {
  justify-content: space-between;
  width: 100%;
}
.move-columns .pick span {
  overflow: hidden;
  text-overflow: ellipsis;
}
.entries tr > :last-child {
  padding-right: 0;
}
.move-how {
  display: flex;
  flex-wrap: wrap;
  gap: 12px 16px;
  margin-top: 16px;
}
.move-how > div {
  display: grid;
  gap: 4px;
  min-width: 0;
}
.move-how .pick {
  justify-content: space-between;
  max-width: 100%;
}
.move-rows {
  margin-top: 4px;
  overflow-x: auto;
}
.move-rows :is(th, td) {
  height: 44px;
  max-width: 260px;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.move-rows :is(th, td):last-child {
  max-width: none;
  padding-right: 0;
}
.move-conflicts {
  display: grid;
  gap: 4px;
  margin-top: 24px;
  padding: 0;
  border: 0;
}
.move-conflicts legend {
  margin-bottom: 4px;
  padding: 0;
  font-weight: 600;
}
.move-choice {
  display: flex;
  align-items: baseline;
  gap: 8px;
  padding: 4px 0;
}
.move-choice input {
  flex: none;
  translate: 0 2px;
}
.move-figures {
  display: flex;
  flex-wrap: wrap;
  gap: 0 48px;
}
.move-reasons {
  margin-top: 4px;
}
.move-reasons li {
  padding: 8px 0;
  border-top: 1px solid var(--line);
  overflow-wrap: anywhere;
}
.move-unit {
  display: none;
}
.move-end {
  position: sticky;
  bottom: 0;
  z-index: 2;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: flex-end;
  gap: 8px 16px;
  margin: 16px -16px -16px;
  padding: 12px 16px;
  border-top: 1px solid var(--line);
  border-radius: 0 0 8px 8px;
  background: var(--surface);
}
.move-end p {
  flex: 1 1 200px;
}
.move-progress {
  display: grid;
  justify-items: start;
  gap: 8px;
  margin-top: 16px;
}
.move-bar {
  width: 100%;
  height: 8px;
  border-radius: 4px;
  background: var(--bar);
  overflow: hidden;
}
.move-bar span {
  display: block;
  height: 100%;
  background: var(--accent);
}
.move-bar[data-endless="true"] {
  height: 2px;
  background: linear-gradient(90deg, transparent, var(--accent), transparent);
}
.move-done {
  display: flex;
  align-items: center;
  gap: 8px;
}
.move-done .icon {
  color: var(--good);
}
.move-exports {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr));
  gap: 0 32px;
}
.move-exports > div {
  display: grid;
  grid-template-rows: auto 1fr auto;
  justify-items: start;
  gap: 8px;
}
.move-exports h3 {
  margin-top: 8px;
}
.move-exports .button {
  gap: 8px;
  margin-bottom: 8px;
}
@container (max-width: 800px) {
  .move-rows :is(table, tbody) {
    display: block;
  }
  .move-rows thead {
    display: none;
  }
  .move-rows tr {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 0 12px;
    padding: 8px 0;
    border-top: 1px solid var(--line);
  }
  .entries :is(.move-url, .move-title, .move-created, .move-result),
  .move-rows .entries :is(th, td) {
    height: auto;
    max-width: none;
    padding: 0;
    border: 0;
  }
  .move-rows .entries :is(.move-url, .move-title, .move-result) {
    grid-column: 1 / -1;
  }
  .move-rows .entries .move-result {
    order: 1;
    white-space: normal;
  }
  .move-rows .entries th {
    order: -2;
  }
  .move-rows .entries .end {
    order: -1;
  }
  .move-rows :is(td:empty, .move-title:has(bdi:empty), .move-created) {
    display: none;
  }
  .move-unit {
    display: inline;
  }
}
@media (hover: none), (pointer: coarse) {
  .move-choice {
    min-height: 44px;
    align-items: center;
  }
  .move-choice input {
    width: 20px;
    height: 20px;
    translate: none;
  }
  .move-answers .button {
    min-height: 44px;
  }
}
@media (max-width: 720px) {
  .move-columns,
  .move-columns tbody {
    display: block;
  }
  .move-columns thead {
    display: none;
  }
  .move-columns tr {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    align-items: center;
    gap: 0 12px;
    padding: 8px 0;
    border-top: 1px solid var(--line);
  }
  .move-columns :is(th, td),
  .entries.move-columns :is(th, td) {
    height: auto;
    padding: 0;
    border: 0;
  }
  .move-columns .move-example {
    grid-area: 2 / 1;
    color: var(--quiet);
    font-size: 12px;
  }
  .move-columns td:last-child {
    grid-area: 1 / 2 / 3 / 3;
  }
  .move-end .button {
    flex: 1 1 100%;
  }
}
@media (forced-colors: active) {
  .move-bar {
    border: 1px solid CanvasText;
  }
  .move-bar span {
    forced-color-adjust: none;
    background: Highlight;
  }
}
`;var it=new CSSStyleSheet;it.replaceSync(at);document.adoptedStyleSheets=[...document.adoptedStyleSheets,it];function gs(){let e=x(C);return ue(()=>{document.title="Import and export · terse",scrollTo(0,0)},[]),$e(e)?i`<main class="page move" id="main"><h1>Import and export</h1>
    ${Z(e)&&i`<${oo} />`}<${$o} /></main>`:i`<main class="page" id="main"><div class="state"><h1>Import and export</h1>
    <p>This is for those who may make links. Ask an admin.</p>
    <a class="button" href=${N("/ui/")}>Back to links</a></div></main>`}function oo(){let e=x(m),{file:t,phase:o}=e,[s,n]=D(!1),r=J(null),a=l=>{if(l){if(Ne())return W("An import is under way. Wait for its end, or stop it.");Me(l)}};return E(()=>{let l=ee.get();ee.set(null),a(l);let c=d=>d.dataTransfer?.types.includes("Files")&&!document.querySelector("dialog[open]"),u={dragover:d=>{c(d)&&d.preventDefault(),n(c(d))},dragleave:d=>d.relatedTarget||n(!1),drop:d=>{n(!1),c(d)&&(d.preventDefault(),a(d.dataTransfer.files[0]))}};for(let[d,$]of Object.entries(u))addEventListener(d,$);return()=>{for(let[d,$]of Object.entries(u))removeEventListener(d,$)}},[]),E(()=>{t&&document.activeElement===document.body&&r.current?.focus()},[t,o]),i`<section class="panel" aria-labelledby="import-title" data-dropping=${s}>
    <h2 id="import-title">Import</h2>
    ${o!=="importing"&&o!=="done"&&i`<${so} />`}
    ${t?i`<div ref=${r} tabindex="-1" class="move-file">
            <${no} state=${e} onFile=${a} /></div>
          <${lo} state=${e} />`:i`<div class="move-drop">
          <p>Drop a file here, or choose one. Nothing is imported before you have seen what would
            come.</p>
          <${lt} class="button primary" text="Choose a file" onFile=${a} />
          <p class="hint">An export of terse, also packed (.gz, .zst), or a table of links of
            another product: CSV, with the names of the columns above. At most 1 GiB.</p></div>`}
  </section>`}function lt({text:e,onFile:t,class:o}){let s=J();return i`<input ref=${s} type="file" hidden aria-label="File to import"
      onChange=${({target:r})=>{t(r.files[0]),r.value=""}} /><button type="button" class=${o}
      onClick=${()=>s.current.click()}>${e}</button>`}function so(){let[e,t]=D(T.get());E(()=>T.watch(()=>t(T.get())),[]);let{phase:o}=x(m);return!e||o==="stopped"||o==="lost"?null:i`<div class="move-question"><p>The import of <b><bdi>${h(e.name)}</bdi></b>,
    begun ${fe(e.at)}, did not come to its end on this page. Unless it still runs in
    another tab, choose the same file again: what has come stays as it is, the rest comes, and
    nothing comes twice.</p>
    <div class="move-answers"><button type="button" class="button"
      onClick=${T.forget}>Don't show this again</button></div></div>`}function no({state:{file:e,head:t,phase:o,columns:s,trial:n},onFile:r}){let a=o==="importing";return i`<${L} name="upload" /><p><b><bdi>${h(e.name)}</bdi></b>
      <span class="quiet"> ${ro(e.size)}${io(t,s,n)}</span></p>
    ${!a&&i`<${lt} class="text-button" text="Another file" onFile=${r} />
      <button type="button" class="text-button" onClick=${Re}>
        ${o==="done"?"Close":"Cancel"}</button>`}`}function ro(e){let[t,o]=e>=1e6?[e/1e6,"MB"]:[e/1e3,"KB"];return e<1e3?b(e,"byte","bytes"):`${f(Math.round(t*10)/10)} ${o}`}var ao=[["terse",["shortcode","originalurl","createdat","clickcount"]],["Bitly",["bitlink"]],["Dub",["shortlink","destinationurl"]],["Rebrandly",["slashtag"]],["Shlink",["shortcode","longurl"]],["YOURLS",["source","target","hits"]],["YOURLS",["keyword","url","timestamp"]],["Kutt",["address","target","visitcount"]],["Short.io",["originalurl","path"]],["TinyURL",["tinyurl"]],["Pretty Links",["prettylink"]]];function io(e,t,o){if(!o&&!t)return"";let s=e?.packing?`, packed with ${e.packing}`:"";if(!t)return` · export of terse${s}`;let n=t.map(({name:a})=>a.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu,"")),[r]=ao.find(([,a])=>a.every(l=>n.includes(l)))??[];return` · table of ${b(t.length,"column","columns")}${r?`, as ${r} writes it`:""}${s}`}function lo({state:e}){let{phase:t,problem:o,isFinal:s,question:n,trial:r,columns:a,head:l,options:c,tally:p}=e;if(t==="importing"||t==="stopped"||t==="lost"&&p?.source&&r)return i`<${go} state=${e} />`;if(t==="done")return i`<${wo} tally=${p} />`;let v=t==="reading"||t==="trying",w=!s&&!!(r||a),u=a&&!c.date_format&&l?ze(l.rows):"",d=t==="lost"?"The connection was lost. Nothing was imported.":o;return i`
    ${v&&!w&&i`<${co} tally=${p} />`}
    ${!w&&d&&i`<p class="problem" role="alert">${h(d)}</p>`}
    ${(t==="lost"||s&&l&&!l.problem)&&i`<p><button type="button" class="button" onClick=${V}>Try again</button></p>`}
    ${w&&i`<div class="move-form" data-stale=${v}>
        ${n&&i`<${Ze} question=${n} />`}
        ${u&&i`<${et} example=${u} />`}
        ${a&&i`<h3>What the columns become</h3>
          <${Qe} columns=${a} />
          <${Xe} columns=${a} options=${c} />`}
        ${r?.first.length>0&&i`<h3>The first links, as they will be</h3>
          <${nt} trial=${r} head=${l} columns=${a} />`}
        <${ot} value=${c.conflict} />
        <${st} value=${c.owner} />
        ${r&&i`<${pe} tally=${r} /><${me} tally=${r} />`}
        <${po} state=${e} isTrying=${v} trouble=${d} /></div>`}`}var ct=e=>`Trying it out; nothing is changed yet.${e?` ${b(e.links,"line","lines")} so far.`:""}`,co=({tally:e})=>i`<div class="move-progress">
  <div class="move-bar" data-endless="true"></div><p role="status">${ct(e)}</p></div>`;function po({state:{phase:e,trial:t,tally:o,question:s,options:n},isTrying:r,trouble:a}){let l=t?ce(t):0,c=t?.added??0,p=!!s&&!n.guess,v=(e==="tried"||r)&&!p&&(l>0||c>0),w=r?ct(o):p?"Answer the question above to import the file.":t&&(mo(t)||I(t));return i`<div class="move-end">
    ${a?i`<p class="problem" role="alert">${h(a)}</p>`:i`<p>${w}</p>`}
    ${v&&i`<button type="button" class="button primary" aria-disabled=${r}
        onClick=${()=>r||ie()}>Import ${l?b(l,"link","links"):b(c,"click","clicks")}</button>`}</div>`}var mo=e=>{let{unchanged:t,...o}=e.results;return t>0&&!e.added&&Object.values(o).every(n=>n===0)?"All of it is there already: there is nothing to import.":""},uo=[["created","new","new"],["renamed","new, with another code","new, with other codes"],["updated","changed","changed"],["unchanged","there already","there already"],["skipped","left out: its code is taken","left out: their codes are taken"],["failed","can't be imported","can't be imported"]];function pe({tally:e}){let{results:t,added:o,known:s,summary:n}=e,{failed:r=t.failed,lines_failed:a=0,clicks_skipped:l=0}=n??{},c={...t,failed:r},p=uo.map(([u,d,$])=>[c[u],d,$]).filter(([u])=>u>0),v=[[o,"new"],[s,"there already"],[l,"left out"]].filter(([u])=>u>0),w=({title:u,rows:d})=>d.length>0&&i`<div><h3>${u}</h3><ul>${d.map(([$,H,dt=H])=>i`<li key=${H}><b>${f($)}</b> ${$===1?H:dt}</li>`)}</ul></div>`;return i`<div class="move-figures">
    <${w} title="Links" rows=${p} /><${w} title="Clicks" rows=${v} />
    ${a>0&&i`<${w} title="Lines" rows=${[[a,"can't be read"]]} />`}</div>`}var ho=8;function me({tally:e}){let{reasons:t,remarks:o,more:s}=e,[n,r]=D(!1);if(!o)return null;let a=[...t].sort((c,p)=>p.n-c.n),l=n?a:a.slice(0,ho);return i`<h3>What is left out or changed</h3>
    <ul class="move-reasons">${l.map(c=>i`<li key=${`${c.result} ${c.text}`}>
        <p><b>${f(c.n)}</b> ${h(c.text)}</p>
        <p class="hint">${rt(c)}</p></li>`)}</ul>
    ${a.length>l.length&&i`<button type="button" class="text-button" onClick=${()=>r(!0)}>
        Show all ${f(a.length)}</button>`}
    ${s>0&&i`<p class="hint">And ${f(s)} more, in the report.</p>`}
    <p><button type="button" class="text-button" onClick=${fo}><${L} name="download" />
      Download the report</button></p>`}var fo=()=>Oe("terse-import-report.csv",Ve());function go({state:{phase:e,file:t,trial:o,tally:s}}){let{part:n,text:r}=le(s,o),a=e==="importing";return i`<div class="move-progress">
    <div class="move-bar" role="progressbar" aria-label=${`Import of ${h(t.name)}`}
      aria-valuemin="0" aria-valuemax="100" aria-valuenow=${Math.floor(100*n)}
      aria-valuetext=${r}><span style=${{width:`${100*n}%`}}></span></div>
    <p>${he(n,1)} · ${r}</p>
    ${a?i`<p class="hint">It goes on while you look at other pages here. If this tab is closed
          half-way, send the same file again: what has come stays, and the rest comes.</p>
          <button type="button" class="button" onClick=${He}>Stop</button>`:i`<div role="alert"><p>${e==="lost"?"The connection was lost.":"Stopped."} What has come stays as it is. Send the same file again: the rest comes, and nothing
          comes twice.</p></div>
          <button type="button" class="button primary" onClick=${ie}>Send it again</button>`}</div>
    ${!a&&i`<${pe} tally=${s} /><${me} tally=${s} />`}`}var wo=({tally:e})=>i`<p class="move-done" role="status"><${L} name="done" />
    <b>${I(e,!0)}</b></p>
  <${pe} tally=${e} /><${me} tally=${e} />
  <div class="move-answers"><a class="button" href=${N("/ui/")}>Show the links</a></div>`,vo=[["ndjson","All links with their clicks","Everything: codes, options, history and each click. Keep it as a copy, or import it into another terse. It has hashes of passwords and the addresses of shared pages in it.","Export all links"],["csv","Links as CSV","For spreadsheets, and for other products. It has no clicks, passwords, rules or further addresses, so it is no copy. Edited, it can be imported again, with Replace.","Export as CSV"]];async function bo(e){try{let t=await U("HEAD",e);if(!t.ok){let s=t.status===429?"An export of yours is under way. Try again when it has ended.":`The server refused it (${t.status}).`;throw new M(t.status,s)}let o=document.createElement("a");o.href=N(e),o.download="",o.click(),W("The download has begun")}catch(t){W(`Not exported: ${t.message}`)}}function $o(){let e=x(C),t=x(we),o=xe(t),s=o||(Z(e)?"":e.identity),n=o!==""&&o!==e.identity;return i`<section class="panel" aria-labelledby="export-title">
    <header class="panel-head"><h2 id="export-title">Export</h2>
      <${Ae} owner=${o}
        onChange=${r=>ve(A("/ui/move",{owner:r}),{replace:!0})} />
    </header>
    ${n&&i`<p class="quiet">${o===be?"Links of everybody.":`Links of ${h(o)}.`}${R(e)?" An import keeps their owners if you say so.":""}</p>`}
    <div class="move-exports">${vo.map(([r,a,l,c])=>i`<div key=${r}><h3>${a}</h3><p class="quiet">${l}</p>
        <button type="button" class="button"
          onClick=${()=>bo(A("/api/export",{format:r,owner:s}))}>
          <${L} name="download" />${c}</button></div>`)}</div></section>`}export{gs as Move};
