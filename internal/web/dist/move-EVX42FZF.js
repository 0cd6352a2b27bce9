import{b as Rt}from"./chunk-PK6DLI4S.js";import"./chunk-MZBC4JPB.js";import{$ as Q,Ac as nt,Bc as zt,C as U,Cc as jt,D as M,E as tt,F as x,G as Ct,H as F,I as Ot,K as Tt,L as S,M as W,N as et,O as _t,U as At,a as _,aa as Lt,b as q,ba as Ft,c as yt,ca as It,d as X,dc as st,ea as Y,fa as l,ga as I,h as w,i as v,j as kt,k as St,la as G,o as P,oa as O,sa as Dt,u as N,w as h,ya as Bt,za as Et,zb as ot}from"./chunk-73QCCPW3.js";var H=[["auto","As found"],["terse","An export of terse"],["csv","A table of links"],["bitly","A table of Bitly"],["dub","A table of Dub"],["shlink","A table of Shlink"],["golink","An export of golink"],["sink","An export of Sink"],["yourls","An SQL dump of YOURLS"]],Oe=[["terse",["shortcode","originalurl","createdat","clickcount"]],["Bitly",["bitlink"],"bitly"],["Dub",["shortlink","destinationurl","clicks","createdat"],"dub"],["Dub",["shortlink","destinationurl"]],["Rebrandly",["slashtag"]],["Shlink",["createdat","shortcode","shorturl","longurl","visits"],"shlink"],["Shlink",["shortcode","longurl"]],["YOURLS",["source","target","hits"]],["YOURLS",["keyword","url","timestamp"]],["Kutt",["address","target","visitcount"]],["Short.io",["originalurl","path"]],["TinyURL",["tinyurl"]],["Pretty Links",["prettylink"]]];function K(t){let e=t.map(n=>n.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu,"")),[o="",,s=""]=Oe.find(([,n])=>n.every(r=>e.includes(r)))??[];return{product:o,format:s}}var Te=[["sink",/^\s*\{\s*"version"/],["golink",/^\s*\{\s*"Short"/],["yourls",/^\s*(-- |\/\*)/]],Pt=t=>Te.find(([,e])=>e.test(t))?.[0]??"",D=t=>["https:","",t].join("/"),rt=[["yourls","YOURLS",[["its API",D("yourls.example")]]],["shlink","Shlink",[["its API",D("shlink.example")]]],["kutt","Kutt",[["its SQLite file","kutt.db"],["its PostgreSQL database","postgres://kutt@localhost/kutt"],["its API",D("kutt.example")]]],["chhoto","chhoto-url",[["its SQLite file","urls.sqlite"],["its API",D("chhoto.example")]]],["golink","golink",[["its address",D("go.example")]]],["mjrwtf","mjr.wtf",[["its SQLite file","mjrwtf.db"]]]],Nt=([,,t])=>t.some(([e])=>e==="its SQLite file"),Ut=(t,e)=>`terse import ${t} ${qt(e)} --url ${qt(location.origin+U)} --dry-run`,Mt=({name:t})=>h(t)!==t?"FILE":t.startsWith("-")?`./${t}`:t,qt=t=>/^[\w@%+=:,./-]+$/.test(t)?t:`'${t.replaceAll("'","'\\''")}'`;var V=64*1024,Wt=200,_e=[",",";","	","|"],Ae=[[/^PK/,"This is a workbook or a ZIP file. Save the table as CSV, or unpack the file."],[/^SQLite format 3\0/,"This is a database. The command line imports it, by its product:"],[/^(\xd0\xcf\x11\xe0)/,"This is a workbook. Save the table as CSV."],[/^%PDF/,"This is a PDF document. Choose a table as CSV, or an export of terse."],[/^(\x89PNG|\xff\xd8\xff|GIF8)/,"This is a picture. Choose a table or an export of terse."],[/^(BZh|\xfd7zXZ)/,"This file is packed in a way that can't be read here. Unpack it first."]];async function at(t,e=""){let o=new Uint8Array(await t.slice(0,72).arrayBuffer()),s=zt(o),n={packing:s,problem:Ie(o),format:"",names:null,separator:"",rows:[]};if(Le(o))return{...n,isDatabase:!0,product:Fe(o)};if(t.size||(n.problem="The file is empty."),n.problem||s==="zstd")return n;let r=Be(await De(t,s),t.size<=V&&!s),a=Pt(r);return a?{...n,format:a}:{...n,.../^\s*\{/.test(r)?Ee(r):Re(r,e)}}var it=(t,e,o)=>String.fromCharCode(...t.subarray(e,o)),Le=t=>it(t,0,16)==="SQLite format 3\0",Fe=t=>it(t,68,72)==="chht"?"chhoto":"";function Ie(t){let e=it(t,0,16);return Ae.find(([o])=>o.test(e))?.[1]??""}async function De(t,e){let o=t.slice(0,V).stream();e&&(o=o.pipeThrough(new DecompressionStream(e)));let s=o.getReader(),n=[],r=0;try{for(;r<V;){let{done:a,value:i}=await s.read();if(a)break;n.push(i),r+=i.length}await s.cancel()}catch{}return new Uint8Array(await new Blob(n).arrayBuffer()).subarray(0,V)}function Be(t,e){let[o,s]=t,n=o===255&&s===254||o>0&&s===0?"utf-16le":o===254&&s===255||o===0&&s>0?"utf-16be":"utf-8",r=new TextDecoder(n).decode(t);if(e)return r;let a=Math.max(r.lastIndexOf(`
`),r.lastIndexOf("\r"));return r.slice(0,a+1)}function Ee(t){let e=[];for(let[o,s]of t.split(`
`).entries()){if(e.length===Wt)break;try{let n=JSON.parse(s);n?.type==="link"&&e.push({line:o+1,link:n})}catch{}}return{rows:e}}function Re(t,e){let[o]=t.match(/^\s*"?sep=[^\r\n"]"?(\r\n|\r|\n)/i)??[];o&&(e||=o.match(/=(.)/)[1],t=t.slice(0,o.length).replaceAll(/[^\r\n]/g,"")+t.slice(o.length)),e||=ze(t);let[s,...n]=Rt(t,e),r=(s?.cells??[]).map(a=>a.trim());return{names:r,separator:e,rows:n.slice(0,Wt),...K(r)}}function ze(t){let[e]=t.trimStart().split(/[\r\n]/,1),o=e.replaceAll(/"[^"]*"/g,""),s=n=>o.split(n).length;return _e.reduce((n,r)=>s(r)>s(n)?r:n)}var Qt="guess=true";function Yt(t,e){let o=t.search(/: map=/);if(o<0)return null;let s=t.slice(0,o),n=t.slice(o),r=e.flatMap(c=>je(n,c)),a=n.lastIndexOf(` ${Qt} `);a>=0&&r.push({at:a+1,end:a+1+Qt.length,guess:!0}),r.sort((c,p)=>c.at-p.at||p.end-c.end);let i=[];for(let[c,{at:p,end:$,...b}]of r.entries()){if(r[c-1]?.end>p)continue;let u=r.slice(c+1).find(g=>g.at>=$),d=n.slice($,u?.at).replace(/,?( or)?,?\s*$/,"");i.push({...b,says:d.trim()})}return{text:s,answers:i}}function je(t,e){let o=[],s=` map=${e}=`;for(let n=t.indexOf(s);n>=0;n=t.indexOf(s,n+1)){let[r]=t.slice(n+s.length).match(/^[a-z_]*/);o.push({at:n+1,end:n+s.length+r.length,column:e,field:r})}return o}var qe=/^(\d{1,2})\/(\d{1,2})\/\d{4}(?:(,?\s+)(\d{1,2}:\d{2}(?::\d{2})?)(\s?)([AaPp][Mm])?)?$/;function lt(t){let[,e,o,s,n,r,a]=t.trim().match(qe)??[];if(!e||e>12||o>12||Number(e)===Number(o))return null;let i=n?`${s}${a?"%I":"%H"}:%M${n.split(":").length>2?":%S":""}`+(a?`${r}%p`:""):"";return[`%d/%m/%Y${i}`,`%m/%d/%Y${i}`]}var Gt=t=>t.flatMap(({cells:e=[]})=>e).find(e=>lt(e))??"";var Pe=100,Ne=20,Ue=5,Me=256*1024,We=["created","updated","unchanged","renamed","skipped","failed"],B=class{constructor(e){this.source=e,this.links=0,this.results=Object.fromEntries(We.map(o=>[o,0])),this.added=0,this.known=0,this.columns=null,this.first=[],this.reasons=new Map,this.more=0,this.remarks=0,this.summary=null,this.parts=[],this.text=st(Qe)}add(e){e.columns?this.columns=e.columns:e.summary?this.summary=e.summary:this.addResult(e)}addResult(e){let{line:o,result:s,clicks_added:n=0,clicks_known:r=0}=e;this.links++,this.results[s]++,this.added+=n,this.known+=r,this.first.length<Ue&&this.first.push(e);for(let a of Ye(e))this.note(o,e,a)}note(e,{short_code:o="",result:s},n){this.remarks++;let r=[e,this.source,o,s,Je(n),n];this.text+=st(r.map(c=>Ge(String(c)))),this.text.length>Me&&(this.parts.push(new Blob([this.text])),this.text="");let a=`${s} ${n.replaceAll(/"(?:[^"\\]|\\.)*"/g,'"…"')}`,i=this.reasons.get(a);if(!i){if(this.reasons.size===Pe){this.more++;return}i={result:s,text:n,n:0,lines:[]},this.reasons.set(a,i)}i.n++,i.text!==n&&(i.text=a.slice(s.length+1)),i.lines.length<Ne&&i.lines.push({line:e,code:o})}view(){return{...this,reasons:[...this.reasons.values()].map(e=>({...e})),results:{...this.results}}}report(){return new Blob([...this.parts,this.text],{type:"text/csv;charset=utf-8"})}},Qe=["line","source","short_code","result","field","reason"];function Ye({result:t,error:e,notes:o=[],new_short_code:s}){return e?[e,...o]:t==="renamed"?[`short code already exists; it is now ${s}`,...o]:t==="created"&&s?["short code is not possible here (3-20 letters, digits, - and _); it is an alias of "+s,...o]:o}var Ge=t=>h(t.replaceAll(`
`,"\\n").replaceAll("	","\\t")),He=[["original URL","original_url"],["short code","short_code"],["address","short_code"],["at most 20 aliases","aliases"]],A={original_url:"Destination",short_code:"Code",short_url:"Short URL",aliases:"More addresses",title:"Title",tags:"Tags",note:"Note",clicks:"Clicks",created_at:"Created",created_by:"Owner",updated_at:"Changed",starts_at:"Starts",expires_at:"Ends",expired_url:"Then leads to",max_clicks:"Ends after clicks",password:"Password",disabled:"Switched off",archived:"Archived",status:"State",redirect_status:"Redirect type",forward_query:"Passes parameters on",forward_path:"Passes the path on",rules:"Rules",day:"Day of the clicks",hour:"Hour of the clicks"},Ke="password_hash clicks_used share history last_clicked_at domain date dimension counts people visitors time count firsts",Ve=new Set([...Object.keys(A),...Ke.split(" ")]);function Je(t){let e=He.find(([s])=>t.startsWith(s));if(e)return e[1];let[o]=t.replace(/^field "/,"").split(" ",1)[0].replace(/"$/,"").split("[",1);return Ve.has(o)?o:""}async function Ht(t,e){let o=t.pipeThrough(new TextDecoderStream).getReader(),s="";for(;;){let{done:n,value:r}=await o.read();if(n)break;let a=(s+r).split(`
`);s=a.pop();for(let i of a)i&&e(JSON.parse(i))}s&&e(JSON.parse(s))}var Jt="/api/import",Ze=1024**3,Xe=20,to=200,eo=1e4,pt={format:"auto",conflict:"skip",owner:"",map:{},guess:!1,delimiter:"",time_zone:"",date_format:""},mt={phase:"none",file:null,head:null,options:pt,columns:null,question:null,problem:"",isFinal:!1,trial:null,tally:null},m=tt(mt),f=t=>m.set({...m.get(),...t}),y=new AbortController,Zt=()=>m.get().phase==="importing";function Xt(){y.abort(),m.set(mt)}async function te(t){y.abort();let{signal:e}=y=new AbortController,o=C.get(),s=o&&o.name===t.name&&o.size===t.size;m.set({...mt,phase:"reading",file:t,options:{...pt,...s&&o.options}});try{let n=await at(t);if(e.aborted)return;if(f({head:n}),n.problem)return R(n.problem,!0);!s&&n.product&&n.format&&ee(n.format)}catch{e.aborted||R(se,!0);return}if(t.size>Ze)return R(ne,!0);await z()}async function k(t){if(f({options:{...m.get().options,...t}}),"delimiter"in t){let{file:e,options:o}=m.get();f({head:await at(e,o.delimiter==="tab"?"	":o.delimiter)})}await z()}var ee=t=>f({options:{...pt,...oo(m.get().options),format:t}}),oo=({conflict:t,owner:e})=>({conflict:t,owner:e});function oe(t){return ee(t),z()}function ut(t,e){let{map:o}=m.get().options,s=Object.entries(o).map(([n,r])=>[n,r===e?"":r]);return k({map:{...Object.fromEntries(s),[t]:e},guess:!1})}var se="The file can't be read any more: it was moved or changed. Choose it again.",ne="The file is too big: at most 1 GiB can be sent, and 16 GiB unpacked. Pack it with gzip or zstd.";function R(t,e=!1){f({phase:"refused",problem:t,isFinal:e,...e&&{trial:null,question:null}}),O(t)}var J=class extends Error{constructor(e,o){super(o),this.status=e}},so="Another import of yours is under way, perhaps in another tab. Try again when it has ended.";function no({status:t,message:e}){return t===409?`Nothing would be imported: ${e}.`:/^needs the role/.test(e)?"You may not import links. Ask an admin.":{408:"The file came too slowly. Try again.",413:ne,415:"The file is packed in a way that the server can't read. Unpack it, and try that.",429:so,503:"The server is stopping. Try again in a moment.",507:"The server has no room for the file. Whoever runs it has to make some on its disk."}[t]??It(e)}var ro=({format:t,conflict:e,owner:o,map:s,guess:n,...r},a)=>({format:t,conflict:e==="skip"?"":e,owner:o,dry_run:a&&"true",guess:n&&"true",map:Object.entries(s).map(([i,c])=>`${i}=${c}`),...r});async function re(t,e,o,s){let n=await Y("POST",t,{body:e,headers:o,signal:s,outlastsSession:!1});if(n.ok)return n;let{error:r=n.statusText}=await n.json().catch(()=>({}));throw new J(n.status,r)}async function ao(t){for(let e=1;;e++)try{return await(await re(`${Jt}?dry_run=true`,new Blob,{},t)).text()}catch(o){if(o.status!==429||e===Xe)throw o;await Ft(1e3,t)}}var ae=null,ie=()=>ae.report();async function le(t,e,o,s){let{file:n,head:r}=m.get();await ao(o);let a=await re(F(Jt,ro(t,e)),n,r.packing?{"Content-Encoding":r.packing}:{},o),i=new B(n.name);ae=i;let c=0;if(await Ht(a.body,p=>{i.add(p),!(performance.now()<c+to)&&(c=performance.now(),s(i))}),!i.summary)throw new Q(0,"");return s(i),i}async function z(){y.abort();let{signal:t}=y=new AbortController;f({phase:"trying",problem:"",isFinal:!1,tally:null});let e=n=>{t.aborted||f({tally:n.view()})},o=async(n,r)=>{let a=await le(n,!0,t,e);if(t.aborted)return;let i=a.view();f({phase:"tried",trial:i,columns:i.columns,question:r,tally:null}),O(r?r.text:j(i))},{options:s}=m.get();try{await o(s,null)}catch(n){if(t.aborted)return;let r=n.status===400?Yt(n.message,io()):null;if(!r)return ct(n);f({question:r});try{await o({...s,guess:!0},r)}catch(a){if(t.aborted)return;if(a.status!==400)return ct(a);f({phase:"tried",trial:null,columns:co(),question:lo(r)}),O(r.text)}}}var io=()=>[...new Set([...m.get().head.names??[],...(m.get().columns??[]).map(({name:t})=>t)])],lo=({text:t,answers:e})=>({text:t,answers:e.filter(({guess:o})=>!o),isNeeded:!0});function co(){let{head:t,options:e}=m.get();return(t.names??[]).map((o,s)=>({name:o,field:e.map[o]||void 0,example:t.rows.map(({cells:n})=>n[s]).find(Boolean)}))}async function ct(t){let{file:e}=m.get();try{await e.slice(0,1).arrayBuffer()}catch{return R(se,!0)}if(t instanceof J)return R(no(t),t.status!==409&&t.status!==400);f({phase:"lost"}),O("The connection was lost.")}async function ht(){let{file:t,options:e,trial:o}=m.get();y.abort();let{signal:s}=y=new AbortController;f({phase:"importing",problem:"",tally:new B(t.name).view()}),C.keep({name:t.name,size:t.size,options:e,at:Date.now()}),addEventListener("beforeunload",Kt);let n=performance.now(),r=a=>{y.signal===s&&(f({tally:a.view()}),!(performance.now()<n+eo)&&(n=performance.now(),O(ft(a,o).text)))};try{let a=await le(e,!1,s,r);C.forget(),f({phase:"done",tally:a.view()}),O(j(a,!0))}catch(a){Lt(a)||s.aborted?f({phase:"stopped"}):await ct(a)}finally{removeEventListener("beforeunload",Kt)}}var ce=()=>y.abort(),Kt=t=>t.preventDefault();function ft({links:t,added:e,known:o},s){let n=e+o,r=s.added+s.known,a=t/Math.max(1,s.links),i=r?n/r:a;return{part:Math.min(1,(a+i)/2),text:`${w(t)} of ${v(s.links,"link","links")}`+(r?`, ${w(n)} of ${v(r,"click","clicks")}`:"")}}var gt=({results:{created:t,updated:e,renamed:o}})=>t+e+o;function j(t,e=!1){let o=gt(t),{added:s}=t;if(!o&&!s)return e?"Nothing was imported.":"There is nothing to import.";let n=[o&&v(o,"link","links"),s&&v(s,"click","clicks")].filter(Boolean);return e?`Imported ${n.join(" and ")}.`:`${n.join(" and ")} would come.`}var dt=`terse-import${U}`,E=tt(po()),C={watch:E.watch,get(){let t=E.get();return t&&t.identity===S.get().identity?t:null},keep(t){E.set({...t,identity:S.get().identity}),Vt(JSON.stringify(E.get()))},forget(){E.set(null),Vt(null)}};function po(){try{let t=JSON.parse(localStorage.getItem(dt));return t?.options?.map?t:null}catch{return null}}function Vt(t){try{t===null?localStorage.removeItem(dt):localStorage.setItem(dt,t)}catch{}}var wt=60,de=80,T=t=>{let e=[...h(String(t??""))];return e.slice(0,de).join("")+(e.length>de?"…":"")},pe=[["","Not imported"],...Object.entries(A)];function me({question:{text:t,answers:e,isNeeded:o}}){let s=({guess:n,column:r,field:a})=>n?k({guess:n}):ut(r,a);return l`<div class="move-question" role="group" aria-labelledby="move-asks">
    <p id="move-asks">${h(uo(t))}</p>
    ${e.length>0&&l`<div class="move-answers">${e.map((n,r)=>l`<button type="button" key=${r} class="button"
          onClick=${()=>s(n)}>${mo(n)}</button>`)}</div>`}
    <p class="hint">${o?"The file can't be read without an answer. You can also change what a column is, below.":"You can also change what a column is, below."}</p></div>`}function mo({guess:t,column:e,field:o,says:s}){if(t)return`Import it as it is${s?`, ${s}`:""}`;let n=`"${T(e)}"`,r=o?`${n} is: ${N(A,o)??o}`:`Don't import ${n}`;return s?`${r}, ${s}`:r}var uo=t=>`${t.charAt(0).toUpperCase()}${t.slice(1)}.`;function ue({columns:t}){let e=new Set;return l`<table class="entries move-columns">
    <caption class="unseen">What each column becomes</caption>
    <thead><tr><th scope="col">Column</th><th scope="col">For example</th>
      <th scope="col">Becomes</th></tr></thead>
    <tbody>${t.slice(0,wt).map(({name:o,field:s="",example:n=""},r)=>{let a=!e.has(o);e.add(o);let i=o?T(o):`Column ${r+1}`;return l`<tr key=${r} data-off=${!s}>
        <th scope="row"><bdi>${i}</bdi></th>
        <td class="move-example"><bdi>${T(n)}</bdi></td>
        <td>${a&&o?l`<${ot} label=${i} value=${s} options=${ho(s)}
                onChange=${c=>c!==s&&ut(o,c)} />`:l`<span class="quiet">${N(A,s)??"Not imported"}</span>`}</td></tr>`})}</tbody></table>
    ${t.length>wt&&l`<p class="hint">And ${w(t.length-wt)} more.</p>`}`}var ho=t=>N(A,t)||!t?pe:[...pe,[t,t]],fo=[["","As found"],[",","Commas"],[";","Semicolons"],["tab","Tabs"],["|","Bars"]],go=["created_at","updated_at","starts_at","expires_at","day","hour"];function he({columns:t,options:e}){let o=t.some(({field:s})=>go.includes(s));return l`<div class="move-how">
    <${L} label="Between columns" value=${e.delimiter} options=${fo}
      onChange=${s=>k({delimiter:s})} />
    ${o&&P()!=="UTC"&&l`<${L} label="Times without a zone" value=${e.time_zone}
        options=${[["","UTC"],[P(),`${P()} (yours)`]]}
        onChange=${s=>k({time_zone:s})} />`}
    ${e.date_format&&l`<${L} label="Dates" value=${e.date_format}
        options=${[["","As they are known"],...ge(e.date_format)]}
        onChange=${s=>k({date_format:s})} />`}</div>`}var L=({label:t,...e})=>l`<div><span class="form-label" aria-hidden="true">
  ${t}</span><${ot} label=${t} ...${e} /></div>`,bt=({value:t})=>l`<div class="move-how"><${L}
  label="What the file is" value=${t} options=${H} onChange=${oe} /></div>`;function $t({file:t,product:e}){let o=t?rt.filter(Nt):rt,[s,n]=_(e||o[0][0]),[,,r]=o.find(([i])=>i===s),a=t?[["the file",Mt(t)]]:r;return l`<div class="move-how"><${L} label="Product" value=${s}
      options=${o} onChange=${n} /></div>
    ${a.map(([i,c])=>l`<div key=${i} class="move-command"><p>From ${i}:</p>
        <${Bt} line=${Ut(s,c)} /></div>`)}
    <p class="hint">Run it where ${t?"the file":"the product"} can be reached, after
      <code> terse login</code>. It says what would come; without <code>--dry-run</code> it
      imports.${!t&&" The key of an API is in TERSE_SOURCE_KEY, or in a file that --key-file names."}</p>`}function fe({example:t}){return l`<div class="move-question" role="group" aria-labelledby="move-dates">
    <p id="move-dates">Dates such as ${h(t)} may be two. Those are left out unless you
      say which is meant.</p>
    <div class="move-answers">${ge(lt(t)[0]).map(([e,o])=>l`<button type="button" key=${e} class="button"
        onClick=${()=>k({date_format:e})}>${o}</button>`)}</div></div>`}var ge=t=>{let[e,o]=["%d/%m","%m/%d"].map(s=>t.replace(/%[dm]\/%[dm]/,s));return[[e,"Day first (31/12/2026)"],[o,"Month first (12/31/2026)"]]},wo=[["skip","Leave it out","The link that is there stays as it is."],["overwrite","Replace","The link that is there becomes as in the file, if it is yours, and keeps its clicks."],["rename","Give it another code","abc becomes abc-2. The link that is there stays."],["fail","Import nothing","As soon as one code is taken."]],we=({value:t})=>l`<fieldset class="move-conflicts">
  <legend>If a code is taken by another link</legend>
  ${wo.map(([e,o,s])=>l`<label key=${e} class="move-choice">
      <input type="radio" name="conflict" value=${e} checked=${e===t}
        onChange=${()=>k({conflict:e})} />
      <span><b>${o}</b> <span class="quiet">${s}</span></span></label>`)}</fieldset>`;function be({value:t}){let e=x(S);return!W(e)||!e.others?null:l`<div class="move-how"><${L} label="The links belong to" value=${t}
    options=${[["","Me"],["keep","The owners that the file names"]]}
    onChange=${o=>k({owner:o})} /></div>`}var bo={created:"New",updated:"Changed",unchanged:"There already",renamed:"New, with another code",skipped:"Left out",failed:"Can't be imported"};function $e({trial:t,head:e,columns:o}){let{file:s}=x(m),n=t.first.map(r=>({result:r,...yo(e.rows.find(({line:a})=>a===r.line)??{},o)}));return l`<div class="move-rows" role="region" tabindex="0" aria-label="The first links">
    <table class="entries">
    <caption class="unseen">The first links of ${h(s.name)}, as they will be</caption>
    <thead><tr><th scope="col">Code</th><th scope="col">Destination</th><th scope="col">Title</th>
      <th scope="col">Created</th><th scope="col" class="end">Clicks</th>
      <th scope="col">What becomes of it</th></tr></thead>
    <tbody>${n.map(({result:r,hasCode:a,url:i,title:c,created:p})=>l`<tr key=${r.line}>
        <th scope="row">${a?xo(r):$o}</th>
        <td class="move-url">${i&&l`<${Dt} url=${i} />`}</td>
        <td class="move-title"><bdi>${T(c)}</bdi></td>
        <td class="move-created"><bdi>${T(p)}</bdi></td>
        <td class="end">${w((r.clicks_added??0)+(r.clicks_known??0))}
          <span class="move-unit"> clicks</span></td>
        <td class="move-result">${bo[r.result]}${r.error&&l`<span class="quiet">: ${T(r.error)}</span>`}</td></tr>`)}</tbody></table></div>`}var $o=l`<span class="quiet">a new one</span>`,vo=l`<span class="quiet">unknown</span>`,xo=({short_code:t="",new_short_code:e,result:o})=>t?l`<span class="mono"><bdi>${T(t)}</bdi>${e&&o==="renamed"&&` → ${e}`}</span>`:vo;function yo({cells:t,link:e},o){if(e){let{short_code:n,original_url:r,title:a,created_at:i}=e;return{hasCode:!!n,url:r,title:a,created:i?.slice(0,16)}}if(!t)return{hasCode:!0};let s=n=>t[o?.findIndex(r=>r.field===n)]?.trim();return{hasCode:!!(s("short_code")||s("short_url")),url:s("original_url"),title:s("title"),created:s("created_at")}}var ve=({n:t,lines:e})=>`${e.length===1?"line":"lines"} ${e.map(({line:o})=>w(o)).join(", ")}`+(t>e.length?` and ${w(t-e.length)} more`:"");var xe=`/* The page on which links come in and go out */
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
`;var ye=new CSSStyleSheet;ye.replaceSync(xe);document.adoptedStyleSheets=[...document.adoptedStyleSheets,ye];function Ms(){let t=x(S);return yt(()=>{document.title="Import and export · terse",scrollTo(0,0)},[]),_t(t)?l`<main class="page move" id="main"><h1>Import and export</h1>
    ${et(t)&&l`<${So} />`}<${Po} /></main>`:l`<main class="page" id="main"><div class="state"><h1>Import and export</h1>
    <p>This is for those who may make links. Ask an admin.</p>
    <a class="button" href=${M("/ui/")}>Back to links</a></div></main>`}function So(){let t=x(m),{file:e,phase:o}=t,[s,n]=_(!1),r=X(null),a=i=>{if(i){if(Zt())return G("An import is under way. Wait for its end, or stop it.");te(i)}};return q(()=>{let i=nt.get();nt.set(null),a(i);let c=d=>d.dataTransfer?.types.includes("Files")&&!document.querySelector("dialog[open]"),u={dragover:d=>{c(d)&&d.preventDefault(),n(c(d))},dragleave:d=>d.relatedTarget||n(!1),drop:d=>{n(!1),c(d)&&(d.preventDefault(),a(d.dataTransfer.files[0]))}};for(let[d,g]of Object.entries(u))addEventListener(d,g);return()=>{for(let[d,g]of Object.entries(u))removeEventListener(d,g)}},[]),q(()=>{e&&document.activeElement===document.body&&r.current?.focus()},[e,o]),l`<section class="panel" aria-labelledby="import-title" data-dropping=${s}>
    <h2 id="import-title">Import</h2>
    ${o!=="importing"&&o!=="done"&&l`<${Co} />`}
    ${e?l`<div ref=${r} tabindex="-1" class="move-file">
            <${Oo} state=${t} onFile=${a} /></div>
          <${Ao} state=${t} />`:l`<div class="move-drop">
          <p>Drop a file here, or choose one. Nothing is imported before you have seen what would
            come.</p>
          <${ke} class="button primary" text="Choose a file" onFile=${a} />
          <p class="hint">An export of terse, also packed (.gz, .zst); a file of Sink or golink, or
            an SQL dump of YOURLS; or a table of links of any product: CSV, with the names of the
            columns above. At most 1 GiB.</p></div>
          <details class="move-others"><summary>From a database or a server</summary>
            <p>The command line reads the databases and the APIs of these products, and can ask
              both servers afterwards where each address leads.</p>
            <${$t} /></details>`}
  </section>`}function ke({text:t,onFile:e,class:o}){let s=X();return l`<input ref=${s} type="file" hidden aria-label="File to import"
      onChange=${({target:r})=>{e(r.files[0]),r.value=""}} /><button type="button" class=${o}
      onClick=${()=>s.current.click()}>${t}</button>`}function Co(){let[t,e]=_(C.get());q(()=>C.watch(()=>e(C.get())),[]);let{phase:o}=x(m);return!t||o==="stopped"||o==="lost"?null:l`<div class="move-question"><p>The import of <b><bdi>${h(t.name)}</bdi></b>,
    begun ${St(t.at)}, did not come to its end on this page. Unless it still runs in
    another tab, choose the same file again: what has come stays as it is, the rest comes, and
    nothing comes twice.</p>
    <div class="move-answers"><button type="button" class="button"
      onClick=${C.forget}>Don't show this again</button></div></div>`}function Oo({state:{file:t,head:e,phase:o,columns:s,trial:n,options:r},onFile:a}){let i=o==="importing";return l`<${I} name="upload" /><p><b><bdi>${h(t.name)}</bdi></b>
      <span class="quiet"> ${To(t.size)}${_o(e,s,n,r)}</span></p>
    ${!i&&l`<${ke} class="text-button" text="Another file" onFile=${a} />
      <button type="button" class="text-button" onClick=${Xt}>
        ${o==="done"?"Close":"Cancel"}</button>`}`}function To(t){let[e,o]=t>=1e6?[t/1e6,"MB"]:[t/1e3,"KB"];return t<1e3?v(t,"byte","bytes"):`${w(Math.round(e*10)/10)} ${o}`}function _o(t,e,o,s){if(!o&&!e)return"";let n=t?.packing?`, packed with ${t.packing}`:"",r=s.format==="auto"?t?.format:s.format;if(!e){let[,i="An export of terse"]=H.find(([c])=>c===r)??[];return` · ${i.charAt(0).toLowerCase()}${i.slice(1)}${n}`}let{product:a}=K(e.map(({name:i})=>i));return` · table of ${v(e.length,"column","columns")}${a?`, as ${a} writes it`:""}${n}`}function Ao({state:t}){let{file:e,phase:o,problem:s,isFinal:n,question:r,trial:a,columns:i,head:c,options:p,tally:$}=t;if(o==="importing"||o==="stopped"||o==="lost"&&$?.source&&a)return l`<${Ro} state=${t} />`;if(o==="done")return l`<${zo} tally=${$} />`;let b=o==="reading"||o==="trying",u=!n&&!!(a||i),d=i&&!p.date_format&&c?Gt(c.rows):"",g=o==="lost"?"The connection was lost. Nothing was imported.":s;return l`
    ${b&&!u&&l`<${Lo} tally=${$} />`}
    ${!u&&g&&l`<p class="problem" role="alert">${h(g)}</p>`}
    ${c?.isDatabase&&l`<${$t} file=${e} product=${c.product} />`}
    ${o==="refused"&&!n&&!u&&l`<${bt} value=${p.format} />`}
    ${(o==="lost"||n&&c&&!c.problem)&&l`<p><button type="button" class="button" onClick=${z}>Try again</button></p>`}
    ${u&&l`<div class="move-form" data-stale=${b}>
        ${r&&l`<${me} question=${r} />`}
        ${d&&l`<${fe} example=${d} />`}
        <${bt} value=${p.format} />
        ${i&&l`<h3>What the columns become</h3>
          <${ue} columns=${i} />
          <${he} columns=${i} options=${p} />`}
        ${a?.first.length>0&&(i||!c.format)&&l`<h3>The first links, as they will be</h3>
          <${$e} trial=${a} head=${c} columns=${i} />`}
        <${we} value=${p.conflict} />
        <${be} value=${p.owner} />
        ${a&&l`<${vt} tally=${a} /><${xt} tally=${a} />`}
        <${Fo} state=${t} isTrying=${b} trouble=${g} /></div>`}`}var Se=t=>`Trying it out; nothing is changed yet.${t?` ${v(t.links,"line","lines")} so far.`:""}`,Lo=({tally:t})=>l`<div class="move-progress">
  <div class="move-bar" data-endless="true"></div><p role="status">${Se(t)}</p></div>`;function Fo({state:{phase:t,trial:e,tally:o,question:s,options:n},isTrying:r,trouble:a}){let i=e?gt(e):0,c=e?.added??0,p=!!s&&!n.guess,$=(t==="tried"||r)&&!p&&(i>0||c>0),b=r?Se(o):p?"Answer the question above to import the file.":e&&(Io(e)||j(e));return l`<div class="move-end">
    ${a?l`<p class="problem" role="alert">${h(a)}</p>`:l`<p>${b}</p>`}
    ${$&&l`<button type="button" class="button primary" aria-disabled=${r}
        onClick=${()=>r||ht()}>Import ${i?v(i,"link","links"):v(c,"click","clicks")}</button>`}</div>`}var Io=t=>{let{unchanged:e,...o}=t.results;return e>0&&!t.added&&Object.values(o).every(n=>n===0)?"All of it is there already: there is nothing to import.":""},Do=[["created","new","new"],["renamed","new, with another code","new, with other codes"],["updated","changed","changed"],["unchanged","there already","there already"],["skipped","left out: its code is taken","left out: their codes are taken"],["failed","can't be imported","can't be imported"]];function vt({tally:t}){let{results:e,added:o,known:s,summary:n}=t,{failed:r=e.failed,lines_failed:a=0,clicks_skipped:i=0}=n??{},c={...e,failed:r},p=Do.map(([u,d,g])=>[c[u],d,g]).filter(([u])=>u>0),$=[[o,"new"],[s,"there already"],[i,"left out"]].filter(([u])=>u>0),b=({title:u,rows:d})=>d.length>0&&l`<div><h3>${u}</h3><ul>${d.map(([g,Z,Ce=Z])=>l`<li key=${Z}><b>${w(g)}</b> ${g===1?Z:Ce}</li>`)}</ul></div>`;return l`<div class="move-figures">
    <${b} title="Links" rows=${p} /><${b} title="Clicks" rows=${$} />
    ${a>0&&l`<${b} title="Lines" rows=${[[a,"can't be read"]]} />`}</div>`}var Bo=8;function xt({tally:t}){let{reasons:e,remarks:o,more:s}=t,[n,r]=_(!1);if(!o)return null;let a=[...e].sort((c,p)=>p.n-c.n),i=n?a:a.slice(0,Bo);return l`<h3>What is left out or changed</h3>
    <ul class="move-reasons">${i.map(c=>l`<li key=${`${c.result} ${c.text}`}>
        <p><b>${w(c.n)}</b> ${h(c.text)}</p>
        <p class="hint">${ve(c)}</p></li>`)}</ul>
    ${a.length>i.length&&l`<button type="button" class="text-button" onClick=${()=>r(!0)}>
        Show all ${w(a.length)}</button>`}
    ${s>0&&l`<p class="hint">And ${w(s)} more, in the report.</p>`}
    <p><button type="button" class="text-button" onClick=${Eo}><${I} name="download" />
      Download the report</button></p>`}var Eo=()=>Et("terse-import-report.csv",ie());function Ro({state:{phase:t,file:e,trial:o,tally:s}}){let{part:n,text:r}=ft(s,o),a=t==="importing";return l`<div class="move-progress">
    <div class="move-bar" role="progressbar" aria-label=${`Import of ${h(e.name)}`}
      aria-valuemin="0" aria-valuemax="100" aria-valuenow=${Math.floor(100*n)}
      aria-valuetext=${r}><span style=${{width:`${100*n}%`}}></span></div>
    <p>${kt(n,1)} · ${r}</p>
    ${a?l`<p class="hint">It goes on while you look at other pages here. If this tab is closed
          half-way, send the same file again: what has come stays, and the rest comes.</p>
          <button type="button" class="button" onClick=${ce}>Stop</button>`:l`<div role="alert"><p>${t==="lost"?"The connection was lost.":"Stopped."} What has come stays as it is. Send the same file again: the rest comes, and nothing
          comes twice.</p></div>
          <button type="button" class="button primary" onClick=${ht}>Send it again</button>`}</div>
    ${!a&&l`<${vt} tally=${s} /><${xt} tally=${s} />`}`}var zo=({tally:t})=>l`<p class="move-done" role="status"><${I} name="done" />
    <b>${j(t,!0)}</b></p>
  <${vt} tally=${t} /><${xt} tally=${t} />
  <div class="move-answers"><a class="button" href=${M("/ui/")}>Show the links</a></div>`,jo=[["ndjson","All links with their clicks","Everything: codes, options, history and each click. Keep it as a copy, or import it into another terse. It has hashes of passwords and the addresses of shared pages in it.","Export all links"],["csv","Links as CSV","For spreadsheets, and for other products. It has no clicks, passwords, rules or further addresses, so it is no copy. Edited, it can be imported again, with Replace.","Export as CSV"]];async function qo(t){try{let e=await Y("HEAD",t);if(!e.ok){let s=e.status===429?"An export of yours is under way. Try again when it has ended.":`The server refused it (${e.status}).`;throw new Q(e.status,s)}let o=document.createElement("a");o.href=M(t),o.download="",o.click(),G("The download has begun")}catch(e){G(`Not exported: ${e.message}`)}}function Po(){let t=x(S),e=x(Ct),o=At(e),s=o||(et(t)?"":t.identity),n=o!==""&&o!==t.identity;return l`<section class="panel" aria-labelledby="export-title">
    <header class="panel-head"><h2 id="export-title">Export</h2>
      <${jt} owner=${o}
        onChange=${r=>Ot(F("/ui/move",{owner:r}),{replace:!0})} />
    </header>
    ${n&&l`<p class="quiet">${o===Tt?"Links of everybody.":`Links of ${h(o)}.`}${W(t)?" An import keeps their owners if you say so.":""}</p>`}
    <div class="move-exports">${jo.map(([r,a,i,c])=>l`<div key=${r}><h3>${a}</h3><p class="quiet">${i}</p>
        <button type="button" class="button"
          onClick=${()=>qo(F("/api/export",{format:r,owner:s}))}>
          <${I} name="download" />${c}</button></div>`)}</div></section>`}export{Ms as Move};
