import{b as jt}from"./chunk-CBSEK7MU.js";import"./chunk-E2DBQZWT.js";import{B as Ot,Ca as zt,J as M,Ja as Et,K as W,Ka as qt,L as et,M as x,N as Tt,O as F,P as _t,R as At,S as C,T as Q,Tc as at,U as ot,Uc as Pt,V as Lt,Vc as Ut,Ya as st,a as _,aa as Ft,b as j,bb as Rt,c as Ct,d as tt,h as b,i as v,ia as Y,j as St,ja as It,k as P,ka as Dt,la as Bt,na as G,o as U,oa as i,pa as I,ua as H,v as N,vc as nt,x as f,xa as T}from"./chunk-GS2UUHZM.js";var K=[["auto","As found"],["terse","An export of terse"],["csv","A table of links"],["bitly","A table of Bitly"],["dub","A table of Dub"],["shlink","A table of Shlink"],["golink","An export of golink"],["sink","An export of Sink"],["yourls","An SQL dump of YOURLS"]],Fe=[["terse",["shortcode","originalurl","createdat","clickcount"]],["Bitly",["bitlink"],"bitly"],["Dub",["shortlink","destinationurl","clicks","createdat"],"dub"],["Dub",["shortlink","destinationurl"]],["Rebrandly",["slashtag"]],["Shlink",["createdat","shortcode","shorturl","longurl","visits"],"shlink"],["Shlink",["shortcode","longurl"]],["YOURLS",["source","target","hits"]],["YOURLS",["keyword","url","timestamp"]],["Kutt",["address","target","visitcount"]],["Short.io",["originalurl","path"]],["TinyURL",["tinyurl"]],["Pretty Links",["prettylink"]]];function V(t){let e=t.map(n=>n.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu,"")),[o="",,s=""]=Fe.find(([,n])=>n.every(a=>e.includes(a)))??[];return{product:o,format:s}}var Ie=[["sink",/^\s*\{\s*"version"/],["golink",/^\s*\{\s*"Short"/],["yourls",/^\s*(-- |\/\*)/]],Mt=t=>Ie.find(([,e])=>e.test(t))?.[0]??"",D=t=>["https:","",t].join("/"),rt=[["yourls","YOURLS",[["its API",D("yourls.example")]]],["shlink","Shlink",[["its API",D("shlink.example")]]],["kutt","Kutt",[["its SQLite file","kutt.db"],["its PostgreSQL database","postgres://kutt@localhost/kutt"],["its API",D("kutt.example")]]],["chhoto","chhoto-url",[["its SQLite file","urls.sqlite"],["its API",D("chhoto.example")]]],["golink","golink",[["its address",D("go.example")]]],["mjrwtf","mjr.wtf",[["its SQLite file","mjrwtf.db"]]]],Wt=([,,t])=>t.some(([e])=>e==="its SQLite file"),Qt=(t,e)=>`terse import ${t} ${Nt(e)} --url ${Nt(location.origin+M)} --dry-run`,Yt=({name:t})=>f(t)!==t?"FILE":t.startsWith("-")?`./${t}`:t,Nt=t=>/^[\w@%+=:,./-]+$/.test(t)?t:`'${t.replaceAll("'","'\\''")}'`;var Z=64*1024,De=200,Be=[",",";","	","|"],ze=[[/^PK/,"This is a workbook or a ZIP file. Save the table as CSV, or unpack the file."],[/^SQLite format 3\0/,"This is a database. The command line imports it, by its product:"],[/^(\xd0\xcf\x11\xe0)/,"This is a workbook. Save the table as CSV."],[/^%PDF/,"This is a PDF document. Choose a table as CSV, or an export of terse."],[/^(\x89PNG|\xff\xd8\xff|GIF8)/,"This is a picture. Choose a table or an export of terse."],[/^(BZh|\xfd7zXZ)/,"This file is packed in a way that can't be read here. Unpack it first."]];async function it(t,e=""){let o=new Uint8Array(await t.slice(0,72).arrayBuffer()),s=Pt(o),n={packing:s,problem:Re(o),format:"",names:null,separator:"",rows:[]};if(Ee(o))return{...n,isDatabase:!0,product:qe(o)};if(t.size||(n.problem="The file is empty."),n.problem||s==="zstd")return n;let a=Pe(await je(t,s),t.size<=Z&&!s),r=Mt(a);return r?{...n,format:r}:/^\s*\{/.test(a)?n:{...n,...Ue(a,e)}}var lt=(t,e,o)=>String.fromCharCode(...t.subarray(e,o)),Ee=t=>lt(t,0,16)==="SQLite format 3\0",qe=t=>lt(t,68,72)==="chht"?"chhoto":"";function Re(t){let e=lt(t,0,16);return ze.find(([o])=>o.test(e))?.[1]??""}async function je(t,e){let o=t.slice(0,Z).stream();e&&(o=o.pipeThrough(new DecompressionStream(e)));let s=o.getReader(),n=[],a=0;try{for(;a<Z;){let{done:r,value:l}=await s.read();if(r)break;n.push(l),a+=l.length}await s.cancel()}catch{}return new Uint8Array(await new Blob(n).arrayBuffer()).subarray(0,Z)}function Pe(t,e){let[o,s]=t,n=o===255&&s===254||o>0&&s===0?"utf-16le":o===254&&s===255||o===0&&s>0?"utf-16be":"utf-8",a=new TextDecoder(n).decode(t);if(e)return a;let r=Math.max(a.lastIndexOf(`
`),a.lastIndexOf("\r"));return a.slice(0,r+1)}function Ue(t,e){let[o]=t.match(/^\s*"?sep=[^\r\n"]"?(\r\n|\r|\n)/i)??[];o&&(e||=o.match(/=(.)/)[1],t=t.slice(0,o.length).replaceAll(/[^\r\n]/g,"")+t.slice(o.length)),e||=Ne(t);let[s,...n]=jt(t,e),a=(s?.cells??[]).map(r=>r.trim());return{names:a,separator:e,rows:n.slice(0,De),...V(a)}}function Ne(t){let[e]=t.trimStart().split(/[\r\n]/,1),o=e.replaceAll(/"[^"]*"/g,""),s=n=>o.split(n).length;return Be.reduce((n,a)=>s(a)>s(n)?a:n)}var Gt="guess=true";function Ht(t,e){let o=t.search(/: map=/);if(o<0)return null;let s=t.slice(0,o),n=t.slice(o),a=e.flatMap(c=>Me(n,c)),r=n.lastIndexOf(` ${Gt} `);r>=0&&a.push({at:r+1,end:r+1+Gt.length,guess:!0}),a.sort((c,d)=>c.at-d.at||d.end-c.end);let l=[];for(let[c,{at:d,end:g,...m}]of a.entries()){if(a[c-1]?.end>d)continue;let h=a.slice(c+1).find(w=>w.at>=g),p=n.slice(g,h?.at).replace(/,?( or)?,?\s*$/,"");l.push({...m,says:p.trim()})}return{text:s,answers:l}}function Me(t,e){let o=[],s=` map=${e}=`;for(let n=t.indexOf(s);n>=0;n=t.indexOf(s,n+1)){let[a]=t.slice(n+s.length).match(/^[a-z_]*/);o.push({at:n+1,end:n+s.length+a.length,column:e,field:a})}return o}var We=/^(\d{1,2})\/(\d{1,2})\/\d{4}(?:(,?\s+)(\d{1,2}:\d{2}(?::\d{2})?)(\s?)([AaPp][Mm])?)?$/;function ct(t){let[,e,o,s,n,a,r]=t.trim().match(We)??[];if(!e||e>12||o>12||Number(e)===Number(o))return null;let l=n?`${s}${r?"%I":"%H"}:%M${n.split(":").length>2?":%S":""}`+(r?`${a}%p`:""):"";return[`%d/%m/%Y${l}`,`%m/%d/%Y${l}`]}var Kt=t=>t.flatMap(({cells:e=[]})=>e).find(e=>ct(e))??"";var Qe=100,Ye=20,Vt=5,Ge=256*1024,He=["created","updated","unchanged","renamed","skipped","failed"],B=class{constructor(e){this.source=e,this.links=0,this.results=Object.fromEntries(He.map(o=>[o,0])),this.added=0,this.known=0,this.columns=null,this.first=[],this.reasons=new Map,this.more=0,this.remarks=0,this.summary=null,this.parts=[],this.text=nt(Ke)}add(e){e.columns?this.columns=e.columns:e.summary?this.summary=e.summary:this.addResult(e)}addResult(e){let{line:o,result:s,clicks_added:n=0,clicks_known:a=0}=e;this.links++,this.results[s]++,this.added+=n,this.known+=a,this.show(e);for(let r of Ve(e))this.note(o,e,r)}show(e){let o=this.first.filter(({line:s})=>s<e.line).length;o!==Vt&&(this.first=[...this.first.slice(0,o),e,...this.first.slice(o,Vt-1)])}note(e,{short_code:o,domain:s,new_short_code:n,result:a},r){let l=dt(s,o),c=a!=="created"||!!n;this.remarks++;let d=[e,this.source,l,a,eo(r),r];this.text+=nt(d.map(h=>Ze(String(h)))),this.text.length>Ge&&(this.parts.push(new Blob([this.text])),this.text="");let g=`${a} ${r.replaceAll(/"(?:[^"\\]|\\.)*"/g,'"…"')}`,m=this.reasons.get(g);if(!m){if(this.reasons.size===Qe){this.more++;return}m={result:a,text:r,n:0,lines:[]},this.reasons.set(g,m)}m.n++,m.text!==r&&(m.text=g.slice(a.length+1)),m.lines.length<Ye&&m.lines.push({line:e,code:c?l:""})}view(){return{...this,reasons:[...this.reasons.values()].map(e=>({...e})),results:{...this.results}}}report(){return new Blob([...this.parts,this.text],{type:"text/csv;charset=utf-8"})}},dt=(t,e="")=>t?`${t}/${e}`:e,Ke=["line","source","short_code","result","field","reason"];function Ve({result:t,error:e,notes:o=[],new_short_code:s}){return e?[e,...o]:t==="renamed"?[`short code already exists; it is now ${s}`,...o]:t==="created"&&s?["short code is not possible here (3-20 letters, digits, - and _); it is an alias of "+s,...o]:o}var Ze=t=>f(t.replaceAll(`
`,"\\n").replaceAll("	","\\t")),Je=[["original URL","original_url"],["short code","short_code"],["address","short_code"],["at most 20 aliases","aliases"]],A={original_url:"Destination",short_code:"Code",short_url:"Short URL",domain:"Domain",aliases:"More addresses",title:"Title",tags:"Tags",note:"Note",clicks:"Clicks",created_at:"Created",created_by:"Owner",updated_at:"Changed",starts_at:"Starts",expires_at:"Ends",expired_url:"Then leads to",max_clicks:"Ends after clicks",password:"Password",disabled:"Switched off",archived:"Archived",status:"State",redirect_status:"Redirect type",forward_query:"Passes parameters on",forward_path:"Passes the path on",rules:"Rules",day:"Day of the clicks",hour:"Hour of the clicks"},Xe="password_hash clicks_used share history last_clicked_at date dimension counts people visitors time count firsts",to=new Set([...Object.keys(A),...Xe.split(" ")]);function eo(t){let e=Je.find(([s])=>t.startsWith(s));if(e)return e[1];let[o]=t.replace(/^field "/,"").split(" ",1)[0].replace(/"$/,"").split("[",1);return to.has(o)?o:""}async function Zt(t,e){let o=t.pipeThrough(new TextDecoderStream).getReader(),s="";for(;;){let{done:n,value:a}=await o.read();if(n)break;let r=(s+a).split(`
`);s=r.pop();for(let l of r)l&&e(JSON.parse(l))}s&&e(JSON.parse(s))}var te="/api/import",oo=1024**3,so=20,no=200,ao=1e4,ut={format:"auto",conflict:"skip",owner:"",map:{},guess:!1,delimiter:"",time_zone:"",date_format:""},ht={phase:"none",file:null,head:null,options:ut,columns:null,question:null,problem:"",isFinal:!1,trial:null,tally:null},u=et(ht),$=t=>u.set({...u.get(),...t}),y=new AbortController,ee=()=>u.get().phase==="importing";function oe(){y.abort(),u.set(ht)}async function se(t){y.abort();let{signal:e}=y=new AbortController,o=S.get(),s=o&&o.name===t.name&&o.size===t.size;u.set({...ht,phase:"reading",file:t,options:{...ut,...s&&o.options}});try{let n=await it(t);if(e.aborted)return;if($({head:n}),n.problem)return E(n.problem,!0);!s&&n.product&&n.format&&ne(n.format)}catch{e.aborted||E(re,!0);return}if(t.size>oo)return E(ie,!0);await q()}async function k(t){if($({options:{...u.get().options,...t}}),"delimiter"in t){let{file:e,options:o}=u.get();$({head:await it(e,o.delimiter==="tab"?"	":o.delimiter)})}await q()}var ne=t=>$({options:{...ut,...ro(u.get().options),format:t}}),ro=({conflict:t,owner:e})=>({conflict:t,owner:e});function ae(t){return ne(t),q()}function ft(t,e){let{map:o}=u.get().options,s=Object.entries(o).map(([n,a])=>[n,a===e?"":a]);return k({map:{...Object.fromEntries(s),[t]:e},guess:!1})}var re="The file can't be read any more: it was moved or changed. Choose it again.",ie="The file is too big: at most 1 GiB can be sent, and 16 GiB unpacked. Pack it with gzip or zstd.";function E(t,e=!1){$({phase:"refused",problem:t,isFinal:e,...e&&{trial:null,question:null}}),T(t)}var J=class extends Error{constructor(e,o){super(o),this.status=e}},io="Another import of yours is under way, perhaps in another tab. Try again when it has ended.";function lo({status:t,message:e}){return t===409?`Nothing would be imported: ${e}.`:/^needs the role/.test(e)?"You may not import links. Ask an admin.":{408:"The file came too slowly. Try again.",413:ie,415:"The file is packed in a way that the server can't read. Unpack it, and try that.",429:io,503:"The server is stopping. Try again in a moment.",507:"The server has no room for the file. Whoever runs it has to make some on its disk."}[t]??Bt(e)}var co=({format:t,conflict:e,owner:o,map:s,guess:n,...a},r)=>({format:t,conflict:e==="skip"?"":e,owner:o,dry_run:r&&"true",show_links:r&&"true",guess:n&&"true",map:Object.entries(s).map(([l,c])=>`${l}=${c}`),...a});async function le(t,e,o,s){let n=await G("POST",t,{body:e,headers:o,signal:s,outlastsSession:!1});if(n.ok)return n;let{error:a=n.statusText}=await n.json().catch(()=>({}));throw new J(n.status,a)}async function po(t){for(let e=1;;e++)try{return await(await le(`${te}?dry_run=true`,new Blob,{},t)).text()}catch(o){if(o.status!==429||e===so)throw o;await Dt(1e3,t)}}var ce=null,de=()=>ce.report();async function pe(t,e,o,s){let{file:n,head:a}=u.get();await po(o);let r=await le(F(te,co(t,e)),n,a.packing?{"Content-Encoding":a.packing}:{},o),l=new B(n.name);ce=l;let c=0;if(await Zt(r.body,d=>{l.add(d),!(performance.now()<c+no)&&(c=performance.now(),s(l))}),!l.summary)throw new Y(0,"");return s(l),l}async function q(){y.abort();let{signal:t}=y=new AbortController;$({phase:"trying",problem:"",isFinal:!1,tally:null});let e=n=>{t.aborted||$({tally:n.view()})},o=async(n,a)=>{let r=await pe(n,!0,t,e);if(t.aborted)return;let l=r.view();$({phase:"tried",trial:l,columns:l.columns,question:a,tally:null}),T(a?a.text:R(l))},{options:s}=u.get();try{await o(s,null)}catch(n){if(t.aborted)return;let a=n.status===400?Ht(n.message,mo()):null;if(!a)return pt(n);$({question:a});try{await o({...s,guess:!0},a)}catch(r){if(t.aborted)return;if(r.status!==400)return pt(r);$({phase:"tried",trial:null,columns:ho(),question:uo(a)}),T(a.text)}}}var mo=()=>[...new Set([...u.get().head.names??[],...(u.get().columns??[]).map(({name:t})=>t)])],uo=({text:t,answers:e})=>({text:t,answers:e.filter(({guess:o})=>!o),isNeeded:!0});function ho(){let{head:t,options:e}=u.get();return(t.names??[]).map((o,s)=>({name:o,field:e.map[o]||void 0,example:t.rows.map(({cells:n})=>n[s]).find(Boolean)}))}async function pt(t){let{file:e}=u.get();try{await e.slice(0,1).arrayBuffer()}catch{return E(re,!0)}if(t instanceof J)return E(lo(t),t.status!==409&&t.status!==400);$({phase:"lost"}),T("The connection was lost.")}async function gt(){let{file:t,options:e,trial:o}=u.get();y.abort();let{signal:s}=y=new AbortController;$({phase:"importing",problem:"",tally:new B(t.name).view()}),S.keep({name:t.name,size:t.size,options:e,at:Date.now()}),addEventListener("beforeunload",Jt);let n=performance.now(),a=r=>{y.signal===s&&($({tally:r.view()}),!(performance.now()<n+ao)&&(n=performance.now(),T($t(r,o).text)))};try{let r=await pe(e,!1,s,a);S.forget(),$({phase:"done",tally:r.view()}),T(R(r,!0))}catch(r){It(r)||s.aborted?$({phase:"stopped"}):await pt(r)}finally{removeEventListener("beforeunload",Jt)}}var me=()=>y.abort(),Jt=t=>t.preventDefault();function $t({links:t,added:e,known:o},s){let n=e+o,a=s.added+s.known,r=t/Math.max(1,s.links),l=a?n/a:r;return{part:Math.min(1,(r+l)/2),text:`${b(t)} of ${v(s.links,"link","links")}`+(a?`, ${b(n)} of ${v(a,"click","clicks")}`:"")}}var wt=({results:{created:t,updated:e,renamed:o}})=>t+e+o;function R(t,e=!1){let o=wt(t),{added:s}=t,n=e?"":fo(t);if(!o&&!s)return e?"Nothing was imported.":`There is nothing to import.${n}`;let a=[o&&v(o,"link","links"),s&&v(s,"click","clicks")].filter(Boolean);return e?`Imported ${a.join(" and ")}.`:`${a.join(" and ")} would come.${n}`}function fo({results:{skipped:t,failed:e},summary:o}){let s=t+(o?.failed??e);return s?` ${v(s,"link is","links are")} left out.`:""}var mt=`terse-import${M}`,z=et(go()),S={watch:z.watch,get(){let t=z.get();return t&&t.identity===C.get().identity?t:null},keep(t){z.set({...t,identity:C.get().identity}),Xt(JSON.stringify(z.get()))},forget(){z.set(null),Xt(null)}};function go(){try{let t=JSON.parse(localStorage.getItem(mt));return t?.options?.map?t:null}catch{return null}}function Xt(t){try{t===null?localStorage.removeItem(mt):localStorage.setItem(mt,t)}catch{}}var bt=60,ue=80,O=t=>{let e=[...f(String(t??""))];return e.slice(0,ue).join("")+(e.length>ue?"…":"")},he=[["","Not imported"],...Object.entries(A)];function fe({question:{text:t,answers:e,isNeeded:o}}){let s=({guess:n,column:a,field:r})=>n?k({guess:n}):ft(a,r);return i`<div class="move-question" role="group" aria-labelledby="move-asks">
    <p id="move-asks">${f(wo(t))}</p>
    ${e.length>0&&i`<div class="move-answers">${e.map((n,a)=>i`<button type="button" key=${a} class="button"
          onClick=${()=>s(n)}>${$o(n)}</button>`)}</div>`}
    <p class="hint">${o?"The file can't be read without an answer. You can also change what a column is, below.":"You can also change what a column is, below."}</p></div>`}function $o({guess:t,column:e,field:o,says:s}){if(t)return`Import it as it is${s?`, ${s}`:""}`;let n=`"${O(e)}"`,a=o?`${n} is: ${N(A,o)??o}`:`Don't import ${n}`;return s?`${a}, ${s}`:a}var wo=t=>`${t.charAt(0).toUpperCase()}${t.slice(1)}.`;function ge({columns:t}){let e=new Set;return i`<table class="entries move-columns">
    <caption class="unseen">What each column becomes</caption>
    <thead><tr><th scope="col">Column</th><th scope="col">For example</th>
      <th scope="col">Becomes</th></tr></thead>
    <tbody>${t.slice(0,bt).map(({name:o,field:s="",example:n=""},a)=>{let r=!e.has(o);e.add(o);let l=o?O(o):`Column ${a+1}`;return i`<tr key=${a} data-off=${!s}>
        <th scope="row"><bdi>${l}</bdi></th>
        <td class="move-example"><bdi>${O(n)}</bdi></td>
        <td>${r&&o?i`<${st} label=${l} value=${s} options=${bo(s)}
                onChange=${c=>c!==s&&ft(o,c)} />`:i`<span class="quiet">${N(A,s)??"Not imported"}</span>`}</td></tr>`})}</tbody></table>
    ${t.length>bt&&i`<p class="hint">And ${b(t.length-bt)} more.</p>`}`}var bo=t=>N(A,t)||!t?he:[...he,[t,t]],vo=[["","As found"],[",","Commas"],[";","Semicolons"],["tab","Tabs"],["|","Bars"]],xo=["created_at","updated_at","starts_at","expires_at","day","hour"];function $e({columns:t,options:e}){let o=t.some(({field:s})=>xo.includes(s));return i`<div class="move-how">
    <${L} label="Between columns" value=${e.delimiter} options=${vo}
      onChange=${s=>k({delimiter:s})} />
    ${o&&i`<${we} label="Times without a zone" value=${e.time_zone} />`}
    ${e.date_format&&i`<${L} label="Dates" value=${e.date_format}
        options=${[["","As they are known"],...ve(e.date_format)]}
        onChange=${s=>k({date_format:s})} />`}</div>`}var L=({label:t,...e})=>i`<div><span class="form-label" aria-hidden="true">
  ${t}</span><${st} label=${t} ...${e} /></div>`,we=({label:t,value:e})=>U()!=="UTC"&&i`<${L} label=${t} value=${e}
    options=${[["","UTC"],[U(),`${U()} (yours)`]]}
    onChange=${o=>k({time_zone:o})} />`,vt=({value:t,read:e=t,zone:o})=>i`<div class="move-how"><${L}
    label="What the file is" value=${t} options=${K} onChange=${ae} />
  ${e==="yourls"&&i`<${we} label="Time zone of its database" value=${o} />`}</div>`;function xt({file:t,product:e}){let o=t?rt.filter(Wt):rt,[s,n]=_(e||o[0][0]),[,,a]=o.find(([l])=>l===s),r=t?[["the file",Yt(t)]]:a;return i`<div class="move-how"><${L} label="Product" value=${s}
      options=${o} onChange=${n} /></div>
    ${r.map(([l,c])=>i`<div key=${l} class="move-command"><p>From ${l}:</p>
        <${Et} line=${Qt(s,c)} /></div>`)}
    <p class="hint">Run it where ${t?"the file":"the product"} can be reached, after
      <code> terse login</code>. It says what would come; without <code>--dry-run</code> it
      imports.${!t&&" The key of an API is in TERSE_SOURCE_KEY, or in a file that --key-file names."}</p>`}function be({example:t}){return i`<div class="move-question" role="group" aria-labelledby="move-dates">
    <p id="move-dates">Dates such as ${f(t)} may be two. Those are left out unless you
      say which is meant.</p>
    <div class="move-answers">${ve(ct(t)[0]).map(([e,o])=>i`<button type="button" key=${e} class="button"
        onClick=${()=>k({date_format:e})}>${o}</button>`)}</div></div>`}var ve=t=>{let[e,o]=["%d/%m","%m/%d"].map(s=>t.replace(/%[dm]\/%[dm]/,s));return[[e,"Day first (31/12/2026)"],[o,"Month first (12/31/2026)"]]},yo=[["skip","Leave it out","The link that is there stays as it is."],["overwrite","Replace","The link that is there becomes as in the file, if it is yours, and keeps its clicks."],["rename","Give it another code","abc becomes abc-2. The link that is there stays."],["fail","Import nothing","As soon as one code is taken."]],xe=({value:t})=>i`<fieldset class="move-conflicts">
  <legend>If a code is taken by another link</legend>
  ${yo.map(([e,o,s])=>i`<label key=${e} class="move-choice">
      <input type="radio" name="conflict" value=${e} checked=${e===t}
        onChange=${()=>k({conflict:e})} />
      <span><b>${o}</b> <span class="quiet">${s}</span></span></label>`)}</fieldset>`;function ye({value:t}){let e=x(C);return!Q(e)||!e.others?null:i`<div class="move-how"><${L} label="The links belong to" value=${t}
    options=${[["","Me"],["keep","The owners that the file names"]]}
    onChange=${o=>k({owner:o})} /></div>`}var ko={created:"New",updated:"Changed",unchanged:"There already",renamed:"New, with another code",skipped:"Left out",failed:"Can't be imported"};function ke({trial:t,head:e,columns:o}){let{file:s}=x(u),n=t.first.map(a=>({result:a,...To(a.link?a:e.rows.find(({line:r})=>r===a.line)??{},o)}));return i`<div class="move-rows" role="region" tabindex="0" aria-label="The first links">
    <table class="entries">
    <caption class="unseen">The first links of ${f(s.name)}, as they will be</caption>
    <thead><tr><th scope="col">Code</th><th scope="col">Destination</th><th scope="col">Title</th>
      <th scope="col">Created</th><th scope="col" class="end">Clicks</th>
      <th scope="col">What becomes of it</th></tr></thead>
    <tbody>${n.map(({result:a,hasCode:r,url:l,title:c,created:d})=>i`<tr key=${a.line}>
        <th scope="row">${r?Oo(a):Co}</th>
        <td class="move-url">${l&&i`<${zt} url=${l} />`}</td>
        <td class="move-title"><bdi>${O(c)}</bdi></td>
        <td class="move-created"><bdi>${O(d)}</bdi></td>
        <td class="end">${b((a.clicks_added??0)+(a.clicks_known??0))}
          <span class="move-unit"> clicks</span></td>
        <td class="move-result">${ko[a.result]}${a.error&&i`<span class="quiet">: ${O(a.error)}</span>`}</td></tr>`)}</tbody></table></div>`}var Co=i`<span class="quiet">a new one</span>`,So=i`<span class="quiet">unknown</span>`,Oo=({short_code:t,domain:e,new_short_code:o,result:s})=>t?i`<span class="mono"><bdi>${O(dt(e,t))}</bdi>${o&&s==="renamed"&&` → ${o}`}</span>`:So;function To({cells:t,link:e},o){if(e){let{short_code:n,original_url:a,title:r,created_at:l}=e;return{hasCode:!!n,url:a,title:r,created:l&&P(new Date(l))}}if(!t)return{hasCode:!0};let s=n=>t[o?.findIndex(a=>a.field===n)]?.trim();return{hasCode:!!(s("short_code")||s("short_url")),url:s("original_url"),title:s("title"),created:s("created_at")}}var Ce=({reason:{n:t,lines:e}})=>i`<p class="hint">${e.length===1?"line":"lines"}${" "}${e.map(({line:o,code:s},n)=>i`${n>0&&", "}${b(o)}${s&&i` (<bdi class="mono">${O(s)}</bdi>)`}`)}${t>e.length&&` and ${b(t-e.length)} more`}</p>`;var Se=`/* The page on which links come in and go out */
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
.move .panel-head {
  flex-wrap: wrap;
}
.move .panel-head h2 {
  margin-right: auto;
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
.move-others {
  margin-top: 16px;
}
.move-others summary {
  min-height: 44px;
  align-content: center;
  font-weight: 600;
  cursor: pointer;
}
.move-command {
  margin-top: 12px;
}
.move-command .command {
  width: fit-content;
}
.move-command + .hint {
  margin-top: 8px;
}
`;var Oe=new CSSStyleSheet;Oe.replaceSync(Se);document.adoptedStyleSheets=[...document.adoptedStyleSheets,Oe];function Ks(){let t=x(C);return Ct(()=>{document.title="Import and export · terse",scrollTo(0,0)},[]),Lt(t)?i`<main class="page move" id="main"><h1>Import and export</h1>
    ${ot(t)&&i`<${Ao} />`}<${Qo} /></main>`:i`<main class="page" id="main"><div class="state"><h1>Import and export</h1>
    <p>This is for those who may make links. Ask an admin.</p>
    <a class="button" href=${W("/ui/")}>Back to links</a></div></main>`}function Ao(){let t=x(u),{file:e,phase:o}=t,[s,n]=_(!1),a=tt(null),r=l=>{if(l){if(ee())return H("An import is under way. Wait for its end, or stop it.");se(l)}};return j(()=>{let l=at.get();at.set(null),r(l);let c=p=>p.dataTransfer?.types.includes("Files")&&!document.querySelector("dialog[open]"),h={dragover:p=>{c(p)&&p.preventDefault(),n(c(p))},dragleave:p=>p.relatedTarget||n(!1),drop:p=>{n(!1),c(p)&&(p.preventDefault(),r(p.dataTransfer.files[0]))}};for(let[p,w]of Object.entries(h))addEventListener(p,w);return()=>{for(let[p,w]of Object.entries(h))removeEventListener(p,w)}},[]),j(()=>{e&&document.activeElement===document.body&&a.current?.focus()},[e,o]),i`<section class="panel" aria-labelledby="import-title" data-dropping=${s}>
    <h2 id="import-title">Import</h2>
    ${o!=="importing"&&o!=="done"&&i`<${Lo} />`}
    ${e?i`<div ref=${a} tabindex="-1" class="move-file">
            <${Fo} state=${t} onFile=${r} /></div>
          <${Bo} state=${t} />`:i`<div class="move-drop">
          <p>Drop a file here, or choose one. Nothing is imported before you have seen what would
            come.</p>
          <${Te} class="button primary" text="Choose a file" onFile=${r} />
          <p class="hint">An export of terse, also packed (.gz, .zst); a file of Sink or golink, or
            an SQL dump of YOURLS; or a table of links of any product: CSV, with the names of the
            columns in its first line. At most 1 GiB.</p></div>
          <details class="move-others"><summary>From a database or a server</summary>
            <p>The command line reads the databases and the APIs of these products, and can ask
              both servers afterwards where each address leads.</p>
            <${xt} /></details>`}
  </section>`}function Te({text:t,onFile:e,class:o}){let s=tt();return i`<input ref=${s} type="file" hidden aria-label="File to import"
      onChange=${({target:a})=>{e(a.files[0]),a.value=""}} /><button type="button" class=${o}
      onClick=${()=>s.current.click()}>${t}</button>`}function Lo(){let[t,e]=_(S.get());j(()=>S.watch(()=>e(S.get())),[]);let{phase:o}=x(u);return!t||o==="stopped"||o==="lost"?null:i`<div class="move-question"><p>The import of <b><bdi>${f(t.name)}</bdi></b>,
    begun ${P(t.at)}, did not come to its end on this page. Unless it still runs in
    another tab, choose the same file again: what has come stays as it is, the rest comes, and
    nothing comes twice.</p>
    <div class="move-answers"><button type="button" class="button"
      onClick=${S.forget}>Don't show this again</button></div></div>`}function Fo({state:{file:t,head:e,phase:o,columns:s,trial:n,options:a},onFile:r}){let l=o==="importing";return i`<${I} name="upload" /><p><b><bdi>${f(t.name)}</bdi></b>
      <span class="quiet"> ${Io(t.size)}${Do(e,s,n,a)}</span></p>
    ${!l&&i`<${Te} class="text-button" text="Another file" onFile=${r} />
      <button type="button" class="text-button" onClick=${oe}>
        ${o==="done"?"Close":"Cancel"}</button>`}`}function Io(t){let[e,o]=t>=1e6?[t/1e6,"MB"]:[t/1e3,"KB"];return t<1e3?v(t,"byte","bytes"):`${b(Math.round(e*10)/10)} ${o}`}var _e=(t,{format:e})=>e==="auto"?t?.format:e;function Do(t,e,o,s){if(!o&&!e)return"";let n=t?.packing?`, packed with ${t.packing}`:"";if(!e){let r=_e(t,s),[,l="An export of terse"]=K.find(([c])=>c===r)??[];return` · ${l.charAt(0).toLowerCase()}${l.slice(1)}${n}`}let{product:a}=V(e.map(({name:r})=>r));return` · table of ${v(e.length,"column","columns")}${a?`, as ${a} writes it`:""}${n}`}function Bo({state:t}){let{file:e,phase:o,problem:s,isFinal:n,question:a,trial:r,columns:l,head:c,options:d,tally:g}=t;if(o==="importing"||o==="stopped"||o==="lost"&&g?.source&&r)return i`<${Uo} state=${t} />`;if(o==="done")return i`<${No} tally=${g} />`;let m=o==="reading"||o==="trying",h=!n&&!!(r||l),p=l&&!d.date_format&&c?Kt(c.rows):"",w=o==="lost"?"The connection was lost. Nothing was imported.":s;return i`
    ${m&&!h&&i`<${zo} tally=${g} />`}
    ${!h&&w&&i`<p class="problem" role="alert">${f(w)}</p>`}
    ${c?.isDatabase&&i`<${xt} file=${e} product=${c.product} />`}
    ${o==="refused"&&!n&&!h&&i`<${vt} value=${d.format} />`}
    ${(o==="lost"||n&&c&&!c.problem)&&i`<p><button type="button" class="button" onClick=${q}>Try again</button></p>`}
    ${h&&i`<div class="move-form" data-stale=${m}>
        ${a&&i`<${fe} question=${a} />`}
        ${p&&i`<${be} example=${p} />`}
        <${vt} value=${d.format} read=${_e(c,d)}
          zone=${d.time_zone} />
        ${l&&i`<h3>What the columns become</h3>
          <${ge} columns=${l} />
          <${$e} columns=${l} options=${d} />`}
        ${r?.first.length>0&&i`<h3>The first links, as they will be</h3>
          <${ke} trial=${r} head=${c} columns=${l} />`}
        <${xe} value=${d.conflict} />
        <${ye} value=${d.owner} />
        ${r&&i`<${yt} tally=${r} /><${kt} tally=${r} />`}
        <${Eo} state=${t} isTrying=${m} trouble=${w} /></div>`}`}var Ae=t=>`Trying it out; nothing is changed yet.${t?` ${v(t.links,"line","lines")} so far.`:""}`,zo=({tally:t})=>i`<div class="move-progress">
  <div class="move-bar" data-endless="true"></div><p role="status">${Ae(t)}</p></div>`;function Eo({state:{phase:t,trial:e,tally:o,question:s,options:n},isTrying:a,trouble:r}){let l=e?wt(e):0,c=e?.added??0,d=!!s&&!n.guess,g=(t==="tried"||a)&&!d&&(l>0||c>0),m=a?Ae(o):d?"Answer the question above to import the file.":e&&(qo(e)||R(e));return i`<div class="move-end">
    ${r?i`<p class="problem" role="alert">${f(r)}</p>`:i`<p>${m}</p>`}
    ${g&&i`<button type="button" class="button primary" aria-disabled=${a}
        onClick=${()=>a||gt()}>Import ${l?v(l,"link","links"):v(c,"click","clicks")}</button>`}</div>`}var qo=t=>{let{unchanged:e,...o}=t.results;return e>0&&!t.added&&Object.values(o).every(n=>n===0)?"All of it is there already: there is nothing to import.":""},Ro=[["created","new","new"],["renamed","new, with another code","new, with other codes"],["updated","changed","changed"],["unchanged","there already","there already"],["skipped","left out: its code is taken","left out: their codes are taken"],["failed","can't be imported","can't be imported"]];function yt({tally:t}){let{results:e,added:o,known:s,summary:n}=t,{failed:a=e.failed,lines_failed:r=0,clicks_skipped:l=0}=n??{},c={...e,failed:a},d=Ro.map(([h,p,w])=>[c[h],p,w]).filter(([h])=>h>0),g=[[o,"new"],[s,"there already"],[l,"left out"]].filter(([h])=>h>0),m=({title:h,rows:p})=>p.length>0&&i`<div><h3>${h}</h3><ul>${p.map(([w,X,Le=X])=>i`<li key=${X}><b>${b(w)}</b> ${w===1?X:Le}</li>`)}</ul></div>`;return i`<div class="move-figures">
    <${m} title="Links" rows=${d} /><${m} title="Clicks" rows=${g} />
    ${r>0&&i`<${m} title="Lines" rows=${[[r,"can't be read"]]} />`}</div>`}var jo=8;function kt({tally:t}){let{reasons:e,remarks:o,more:s}=t,[n,a]=_(!1);if(!o)return null;let r=[...e].sort((c,d)=>d.n-c.n),l=n?r:r.slice(0,jo);return i`<h3>What is left out or changed</h3>
    <ul class="move-reasons">${l.map(c=>i`<li key=${`${c.result} ${c.text}`}>
        <p><b>${b(c.n)}</b> ${f(c.text)}</p>
        <${Ce} reason=${c} /></li>`)}</ul>
    ${r.length>l.length&&i`<button type="button" class="text-button" onClick=${()=>a(!0)}>
        Show all ${b(r.length)}</button>`}
    ${s>0&&i`<p class="hint">And ${b(s)} more, in the report.</p>`}
    <p><button type="button" class="text-button" onClick=${Po}><${I} name="download" />
      Download the report</button></p>`}var Po=()=>qt("terse-import-report.csv",de());function Uo({state:{phase:t,file:e,trial:o,tally:s}}){let{part:n,text:a}=$t(s,o),r=t==="importing";return i`<div class="move-progress">
    <div class="move-bar" role="progressbar" aria-label=${`Import of ${f(e.name)}`}
      aria-valuemin="0" aria-valuemax="100" aria-valuenow=${Math.floor(100*n)}
      aria-valuetext=${a}><span style=${{width:`${100*n}%`}}></span></div>
    <p>${St(n,1)} · ${a}</p>
    ${r?i`<p class="hint">It goes on while you look at other pages here. If this tab is closed
          half-way, send the same file again: what has come stays, and the rest comes.</p>
          <button type="button" class="button" onClick=${me}>Stop</button>`:i`<div role="alert"><p>${t==="lost"?"The connection was lost.":"Stopped."} What has come stays as it is. Send the same file again: the rest comes, and nothing
          comes twice.</p></div>
          <button type="button" class="button primary" onClick=${gt}>Send it again</button>`}</div>
    ${!r&&i`<${yt} tally=${s} /><${kt} tally=${s} />`}`}var No=({tally:t})=>i`<p class="move-done" role="status"><${I} name="done" />
    <b>${R(t,!0)}</b></p>
  <${yt} tally=${t} /><${kt} tally=${t} />
  <div class="move-answers"><a class="button" href=${W("/ui/")}>Show the links</a></div>`,Mo=[["ndjson","All links with their clicks","Everything: codes, options, history and each click. Keep it as a copy, or import it into another terse. It has hashes of passwords and the addresses of shared pages in it.","Export all links"],["csv","Links as CSV","For spreadsheets, and for other products. It has no clicks, passwords, rules or further addresses, so it is no copy. Edited, it can be imported again, with Replace.","Export as CSV"]];async function Wo(t){try{let e=await G("HEAD",t);if(!e.ok){let s=e.status===429?"An export of yours is under way. Try again when it has ended.":`The server refused it (${e.status}).`;throw new Y(e.status,s)}let o=document.createElement("a");o.href=W(t),o.download="",o.click(),H("The download has begun")}catch(e){H(`Not exported: ${e.message}`)}}function Qo(){let t=x(C),e=x(Tt),o=Ft(e),s=Ot&&e.query.get("domain")||"",n=l=>_t(F("/ui/move",{owner:o,domain:s,...l}),{replace:!0}),a=o||(ot(t)?"":t.identity),r=o!==""&&o!==t.identity;return i`<section class="panel" aria-labelledby="export-title">
    <header class="panel-head"><h2 id="export-title">Export</h2>
      <${Rt} domain=${s} onChange=${l=>n({domain:l})} />
      <${Ut} owner=${o} onChange=${l=>n({owner:l})} />
    </header>
    ${r&&i`<p class="quiet">${o===At?"Links of everybody.":`Links of ${f(o)}.`}${Q(t)?" An import keeps their owners if you say so.":""}</p>`}
    ${s&&i`<p class="quiet">Links at ${f(s)} only. Those of an export go to the same host
        of another terse; <code>--domain-map</code> on its command line says it otherwise.</p>`}
    <div class="move-exports">${Mo.map(([l,c,d,g])=>i`<div key=${l}><h3>${c}</h3><p class="quiet">${d}</p>
        <button type="button" class="button"
          onClick=${()=>Wo(F("/api/export",{format:l,owner:a,domain:s}))}>
          <${I} name="download" />${g}</button></div>`)}</div></section>`}export{Ks as Move};
