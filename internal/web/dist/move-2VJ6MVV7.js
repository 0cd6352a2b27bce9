import{b as Et}from"./chunk-NPBB7G2Y.js";import"./chunk-W2FAQ4P6.js";import{$ as At,Aa as Bt,Ha as zt,I as M,Ia as Dt,J as W,K as et,L as x,M as St,N as F,O as Ot,Q as Tt,R as C,Rc as rt,S as Q,Sc as Rt,T as ot,Tc as qt,U as _t,Wa as st,a as _,b as j,c as kt,d as tt,h as $,ha as Y,i as v,ia as Lt,j as Ct,ja as Ft,k as P,ka as It,ma as G,na as i,o as U,oa as I,ta as H,tc as nt,u as N,w as h,wa as T}from"./chunk-62YV5GNJ.js";var K=[["auto","As found"],["terse","An export of terse"],["csv","A table of links"],["bitly","A table of Bitly"],["dub","A table of Dub"],["shlink","A table of Shlink"],["golink","An export of golink"],["sink","An export of Sink"],["yourls","An SQL dump of YOURLS"]],_e=[["terse",["shortcode","originalurl","createdat","clickcount"]],["Bitly",["bitlink"],"bitly"],["Dub",["shortlink","destinationurl","clicks","createdat"],"dub"],["Dub",["shortlink","destinationurl"]],["Rebrandly",["slashtag"]],["Shlink",["createdat","shortcode","shorturl","longurl","visits"],"shlink"],["Shlink",["shortcode","longurl"]],["YOURLS",["source","target","hits"]],["YOURLS",["keyword","url","timestamp"]],["Kutt",["address","target","visitcount"]],["Short.io",["originalurl","path"]],["TinyURL",["tinyurl"]],["Pretty Links",["prettylink"]]];function V(t){let e=t.map(n=>n.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu,"")),[o="",,s=""]=_e.find(([,n])=>n.every(r=>e.includes(r)))??[];return{product:o,format:s}}var Ae=[["sink",/^\s*\{\s*"version"/],["golink",/^\s*\{\s*"Short"/],["yourls",/^\s*(-- |\/\*)/]],Pt=t=>Ae.find(([,e])=>e.test(t))?.[0]??"",B=t=>["https:","",t].join("/"),at=[["yourls","YOURLS",[["its API",B("yourls.example")]]],["shlink","Shlink",[["its API",B("shlink.example")]]],["kutt","Kutt",[["its SQLite file","kutt.db"],["its PostgreSQL database","postgres://kutt@localhost/kutt"],["its API",B("kutt.example")]]],["chhoto","chhoto-url",[["its SQLite file","urls.sqlite"],["its API",B("chhoto.example")]]],["golink","golink",[["its address",B("go.example")]]],["mjrwtf","mjr.wtf",[["its SQLite file","mjrwtf.db"]]]],Ut=([,,t])=>t.some(([e])=>e==="its SQLite file"),Nt=(t,e)=>`terse import ${t} ${jt(e)} --url ${jt(location.origin+M)} --dry-run`,Mt=({name:t})=>h(t)!==t?"FILE":t.startsWith("-")?`./${t}`:t,jt=t=>/^[\w@%+=:,./-]+$/.test(t)?t:`'${t.replaceAll("'","'\\''")}'`;var Z=64*1024,Le=200,Fe=[",",";","	","|"],Ie=[[/^PK/,"This is a workbook or a ZIP file. Save the table as CSV, or unpack the file."],[/^SQLite format 3\0/,"This is a database. The command line imports it, by its product:"],[/^(\xd0\xcf\x11\xe0)/,"This is a workbook. Save the table as CSV."],[/^%PDF/,"This is a PDF document. Choose a table as CSV, or an export of terse."],[/^(\x89PNG|\xff\xd8\xff|GIF8)/,"This is a picture. Choose a table or an export of terse."],[/^(BZh|\xfd7zXZ)/,"This file is packed in a way that can't be read here. Unpack it first."]];async function it(t,e=""){let o=new Uint8Array(await t.slice(0,72).arrayBuffer()),s=Rt(o),n={packing:s,problem:De(o),format:"",names:null,separator:"",rows:[]};if(Be(o))return{...n,isDatabase:!0,product:ze(o)};if(t.size||(n.problem="The file is empty."),n.problem||s==="zstd")return n;let r=Re(await Ee(t,s),t.size<=Z&&!s),a=Pt(r);return a?{...n,format:a}:/^\s*\{/.test(r)?n:{...n,...qe(r,e)}}var lt=(t,e,o)=>String.fromCharCode(...t.subarray(e,o)),Be=t=>lt(t,0,16)==="SQLite format 3\0",ze=t=>lt(t,68,72)==="chht"?"chhoto":"";function De(t){let e=lt(t,0,16);return Ie.find(([o])=>o.test(e))?.[1]??""}async function Ee(t,e){let o=t.slice(0,Z).stream();e&&(o=o.pipeThrough(new DecompressionStream(e)));let s=o.getReader(),n=[],r=0;try{for(;r<Z;){let{done:a,value:l}=await s.read();if(a)break;n.push(l),r+=l.length}await s.cancel()}catch{}return new Uint8Array(await new Blob(n).arrayBuffer()).subarray(0,Z)}function Re(t,e){let[o,s]=t,n=o===255&&s===254||o>0&&s===0?"utf-16le":o===254&&s===255||o===0&&s>0?"utf-16be":"utf-8",r=new TextDecoder(n).decode(t);if(e)return r;let a=Math.max(r.lastIndexOf(`
`),r.lastIndexOf("\r"));return r.slice(0,a+1)}function qe(t,e){let[o]=t.match(/^\s*"?sep=[^\r\n"]"?(\r\n|\r|\n)/i)??[];o&&(e||=o.match(/=(.)/)[1],t=t.slice(0,o.length).replaceAll(/[^\r\n]/g,"")+t.slice(o.length)),e||=je(t);let[s,...n]=Et(t,e),r=(s?.cells??[]).map(a=>a.trim());return{names:r,separator:e,rows:n.slice(0,Le),...V(r)}}function je(t){let[e]=t.trimStart().split(/[\r\n]/,1),o=e.replaceAll(/"[^"]*"/g,""),s=n=>o.split(n).length;return Fe.reduce((n,r)=>s(r)>s(n)?r:n)}var Wt="guess=true";function Qt(t,e){let o=t.search(/: map=/);if(o<0)return null;let s=t.slice(0,o),n=t.slice(o),r=e.flatMap(c=>Pe(n,c)),a=n.lastIndexOf(` ${Wt} `);a>=0&&r.push({at:a+1,end:a+1+Wt.length,guess:!0}),r.sort((c,d)=>c.at-d.at||d.end-c.end);let l=[];for(let[c,{at:d,end:w,...b}]of r.entries()){if(r[c-1]?.end>d)continue;let u=r.slice(c+1).find(g=>g.at>=w),p=n.slice(w,u?.at).replace(/,?( or)?,?\s*$/,"");l.push({...b,says:p.trim()})}return{text:s,answers:l}}function Pe(t,e){let o=[],s=` map=${e}=`;for(let n=t.indexOf(s);n>=0;n=t.indexOf(s,n+1)){let[r]=t.slice(n+s.length).match(/^[a-z_]*/);o.push({at:n+1,end:n+s.length+r.length,column:e,field:r})}return o}var Ue=/^(\d{1,2})\/(\d{1,2})\/\d{4}(?:(,?\s+)(\d{1,2}:\d{2}(?::\d{2})?)(\s?)([AaPp][Mm])?)?$/;function ct(t){let[,e,o,s,n,r,a]=t.trim().match(Ue)??[];if(!e||e>12||o>12||Number(e)===Number(o))return null;let l=n?`${s}${a?"%I":"%H"}:%M${n.split(":").length>2?":%S":""}`+(a?`${r}%p`:""):"";return[`%d/%m/%Y${l}`,`%m/%d/%Y${l}`]}var Yt=t=>t.flatMap(({cells:e=[]})=>e).find(e=>ct(e))??"";var Ne=100,Me=20,Gt=5,We=256*1024,Qe=["created","updated","unchanged","renamed","skipped","failed"],z=class{constructor(e){this.source=e,this.links=0,this.results=Object.fromEntries(Qe.map(o=>[o,0])),this.added=0,this.known=0,this.columns=null,this.first=[],this.reasons=new Map,this.more=0,this.remarks=0,this.summary=null,this.parts=[],this.text=nt(Ye)}add(e){e.columns?this.columns=e.columns:e.summary?this.summary=e.summary:this.addResult(e)}addResult(e){let{line:o,result:s,clicks_added:n=0,clicks_known:r=0}=e;this.links++,this.results[s]++,this.added+=n,this.known+=r,this.show(e);for(let a of Ge(e))this.note(o,e,a)}show(e){let o=this.first.filter(({line:s})=>s<e.line).length;o!==Gt&&(this.first=[...this.first.slice(0,o),e,...this.first.slice(o,Gt-1)])}note(e,{short_code:o="",new_short_code:s,result:n},r){let a=n!=="created"||!!s;this.remarks++;let l=[e,this.source,o,n,Je(r),r];this.text+=nt(l.map(w=>He(String(w)))),this.text.length>We&&(this.parts.push(new Blob([this.text])),this.text="");let c=`${n} ${r.replaceAll(/"(?:[^"\\]|\\.)*"/g,'"…"')}`,d=this.reasons.get(c);if(!d){if(this.reasons.size===Ne){this.more++;return}d={result:n,text:r,n:0,lines:[]},this.reasons.set(c,d)}d.n++,d.text!==r&&(d.text=c.slice(n.length+1)),d.lines.length<Me&&d.lines.push({line:e,code:a?o:""})}view(){return{...this,reasons:[...this.reasons.values()].map(e=>({...e})),results:{...this.results}}}report(){return new Blob([...this.parts,this.text],{type:"text/csv;charset=utf-8"})}},Ye=["line","source","short_code","result","field","reason"];function Ge({result:t,error:e,notes:o=[],new_short_code:s}){return e?[e,...o]:t==="renamed"?[`short code already exists; it is now ${s}`,...o]:t==="created"&&s?["short code is not possible here (3-20 letters, digits, - and _); it is an alias of "+s,...o]:o}var He=t=>h(t.replaceAll(`
`,"\\n").replaceAll("	","\\t")),Ke=[["original URL","original_url"],["short code","short_code"],["address","short_code"],["at most 20 aliases","aliases"]],A={original_url:"Destination",short_code:"Code",short_url:"Short URL",aliases:"More addresses",title:"Title",tags:"Tags",note:"Note",clicks:"Clicks",created_at:"Created",created_by:"Owner",updated_at:"Changed",starts_at:"Starts",expires_at:"Ends",expired_url:"Then leads to",max_clicks:"Ends after clicks",password:"Password",disabled:"Switched off",archived:"Archived",status:"State",redirect_status:"Redirect type",forward_query:"Passes parameters on",forward_path:"Passes the path on",rules:"Rules",day:"Day of the clicks",hour:"Hour of the clicks"},Ve="password_hash clicks_used share history last_clicked_at domain date dimension counts people visitors time count firsts",Ze=new Set([...Object.keys(A),...Ve.split(" ")]);function Je(t){let e=Ke.find(([s])=>t.startsWith(s));if(e)return e[1];let[o]=t.replace(/^field "/,"").split(" ",1)[0].replace(/"$/,"").split("[",1);return Ze.has(o)?o:""}async function Ht(t,e){let o=t.pipeThrough(new TextDecoderStream).getReader(),s="";for(;;){let{done:n,value:r}=await o.read();if(n)break;let a=(s+r).split(`
`);s=a.pop();for(let l of a)l&&e(JSON.parse(l))}s&&e(JSON.parse(s))}var Zt="/api/import",Xe=1024**3,to=20,eo=200,oo=1e4,mt={format:"auto",conflict:"skip",owner:"",map:{},guess:!1,delimiter:"",time_zone:"",date_format:""},ut={phase:"none",file:null,head:null,options:mt,columns:null,question:null,problem:"",isFinal:!1,trial:null,tally:null},m=et(ut),f=t=>m.set({...m.get(),...t}),y=new AbortController,Jt=()=>m.get().phase==="importing";function Xt(){y.abort(),m.set(ut)}async function te(t){y.abort();let{signal:e}=y=new AbortController,o=S.get(),s=o&&o.name===t.name&&o.size===t.size;m.set({...ut,phase:"reading",file:t,options:{...mt,...s&&o.options}});try{let n=await it(t);if(e.aborted)return;if(f({head:n}),n.problem)return E(n.problem,!0);!s&&n.product&&n.format&&ee(n.format)}catch{e.aborted||E(se,!0);return}if(t.size>Xe)return E(ne,!0);await R()}async function k(t){if(f({options:{...m.get().options,...t}}),"delimiter"in t){let{file:e,options:o}=m.get();f({head:await it(e,o.delimiter==="tab"?"	":o.delimiter)})}await R()}var ee=t=>f({options:{...mt,...so(m.get().options),format:t}}),so=({conflict:t,owner:e})=>({conflict:t,owner:e});function oe(t){return ee(t),R()}function ht(t,e){let{map:o}=m.get().options,s=Object.entries(o).map(([n,r])=>[n,r===e?"":r]);return k({map:{...Object.fromEntries(s),[t]:e},guess:!1})}var se="The file can't be read any more: it was moved or changed. Choose it again.",ne="The file is too big: at most 1 GiB can be sent, and 16 GiB unpacked. Pack it with gzip or zstd.";function E(t,e=!1){f({phase:"refused",problem:t,isFinal:e,...e&&{trial:null,question:null}}),T(t)}var J=class extends Error{constructor(e,o){super(o),this.status=e}},no="Another import of yours is under way, perhaps in another tab. Try again when it has ended.";function ro({status:t,message:e}){return t===409?`Nothing would be imported: ${e}.`:/^needs the role/.test(e)?"You may not import links. Ask an admin.":{408:"The file came too slowly. Try again.",413:ne,415:"The file is packed in a way that the server can't read. Unpack it, and try that.",429:no,503:"The server is stopping. Try again in a moment.",507:"The server has no room for the file. Whoever runs it has to make some on its disk."}[t]??It(e)}var ao=({format:t,conflict:e,owner:o,map:s,guess:n,...r},a)=>({format:t,conflict:e==="skip"?"":e,owner:o,dry_run:a&&"true",show_links:a&&"true",guess:n&&"true",map:Object.entries(s).map(([l,c])=>`${l}=${c}`),...r});async function re(t,e,o,s){let n=await G("POST",t,{body:e,headers:o,signal:s,outlastsSession:!1});if(n.ok)return n;let{error:r=n.statusText}=await n.json().catch(()=>({}));throw new J(n.status,r)}async function io(t){for(let e=1;;e++)try{return await(await re(`${Zt}?dry_run=true`,new Blob,{},t)).text()}catch(o){if(o.status!==429||e===to)throw o;await Ft(1e3,t)}}var ae=null,ie=()=>ae.report();async function le(t,e,o,s){let{file:n,head:r}=m.get();await io(o);let a=await re(F(Zt,ao(t,e)),n,r.packing?{"Content-Encoding":r.packing}:{},o),l=new z(n.name);ae=l;let c=0;if(await Ht(a.body,d=>{l.add(d),!(performance.now()<c+eo)&&(c=performance.now(),s(l))}),!l.summary)throw new Y(0,"");return s(l),l}async function R(){y.abort();let{signal:t}=y=new AbortController;f({phase:"trying",problem:"",isFinal:!1,tally:null});let e=n=>{t.aborted||f({tally:n.view()})},o=async(n,r)=>{let a=await le(n,!0,t,e);if(t.aborted)return;let l=a.view();f({phase:"tried",trial:l,columns:l.columns,question:r,tally:null}),T(r?r.text:q(l))},{options:s}=m.get();try{await o(s,null)}catch(n){if(t.aborted)return;let r=n.status===400?Qt(n.message,lo()):null;if(!r)return dt(n);f({question:r});try{await o({...s,guess:!0},r)}catch(a){if(t.aborted)return;if(a.status!==400)return dt(a);f({phase:"tried",trial:null,columns:po(),question:co(r)}),T(r.text)}}}var lo=()=>[...new Set([...m.get().head.names??[],...(m.get().columns??[]).map(({name:t})=>t)])],co=({text:t,answers:e})=>({text:t,answers:e.filter(({guess:o})=>!o),isNeeded:!0});function po(){let{head:t,options:e}=m.get();return(t.names??[]).map((o,s)=>({name:o,field:e.map[o]||void 0,example:t.rows.map(({cells:n})=>n[s]).find(Boolean)}))}async function dt(t){let{file:e}=m.get();try{await e.slice(0,1).arrayBuffer()}catch{return E(se,!0)}if(t instanceof J)return E(ro(t),t.status!==409&&t.status!==400);f({phase:"lost"}),T("The connection was lost.")}async function ft(){let{file:t,options:e,trial:o}=m.get();y.abort();let{signal:s}=y=new AbortController;f({phase:"importing",problem:"",tally:new z(t.name).view()}),S.keep({name:t.name,size:t.size,options:e,at:Date.now()}),addEventListener("beforeunload",Kt);let n=performance.now(),r=a=>{y.signal===s&&(f({tally:a.view()}),!(performance.now()<n+oo)&&(n=performance.now(),T(gt(a,o).text)))};try{let a=await le(e,!1,s,r);S.forget(),f({phase:"done",tally:a.view()}),T(q(a,!0))}catch(a){Lt(a)||s.aborted?f({phase:"stopped"}):await dt(a)}finally{removeEventListener("beforeunload",Kt)}}var ce=()=>y.abort(),Kt=t=>t.preventDefault();function gt({links:t,added:e,known:o},s){let n=e+o,r=s.added+s.known,a=t/Math.max(1,s.links),l=r?n/r:a;return{part:Math.min(1,(a+l)/2),text:`${$(t)} of ${v(s.links,"link","links")}`+(r?`, ${$(n)} of ${v(r,"click","clicks")}`:"")}}var $t=({results:{created:t,updated:e,renamed:o}})=>t+e+o;function q(t,e=!1){let o=$t(t),{added:s}=t,n=e?"":mo(t);if(!o&&!s)return e?"Nothing was imported.":`There is nothing to import.${n}`;let r=[o&&v(o,"link","links"),s&&v(s,"click","clicks")].filter(Boolean);return e?`Imported ${r.join(" and ")}.`:`${r.join(" and ")} would come.${n}`}function mo({results:{skipped:t,failed:e},summary:o}){let s=t+(o?.failed??e);return s?` ${v(s,"link is","links are")} left out.`:""}var pt=`terse-import${M}`,D=et(uo()),S={watch:D.watch,get(){let t=D.get();return t&&t.identity===C.get().identity?t:null},keep(t){D.set({...t,identity:C.get().identity}),Vt(JSON.stringify(D.get()))},forget(){D.set(null),Vt(null)}};function uo(){try{let t=JSON.parse(localStorage.getItem(pt));return t?.options?.map?t:null}catch{return null}}function Vt(t){try{t===null?localStorage.removeItem(pt):localStorage.setItem(pt,t)}catch{}}var wt=60,de=80,O=t=>{let e=[...h(String(t??""))];return e.slice(0,de).join("")+(e.length>de?"…":"")},pe=[["","Not imported"],...Object.entries(A)];function me({question:{text:t,answers:e,isNeeded:o}}){let s=({guess:n,column:r,field:a})=>n?k({guess:n}):ht(r,a);return i`<div class="move-question" role="group" aria-labelledby="move-asks">
    <p id="move-asks">${h(fo(t))}</p>
    ${e.length>0&&i`<div class="move-answers">${e.map((n,r)=>i`<button type="button" key=${r} class="button"
          onClick=${()=>s(n)}>${ho(n)}</button>`)}</div>`}
    <p class="hint">${o?"The file can't be read without an answer. You can also change what a column is, below.":"You can also change what a column is, below."}</p></div>`}function ho({guess:t,column:e,field:o,says:s}){if(t)return`Import it as it is${s?`, ${s}`:""}`;let n=`"${O(e)}"`,r=o?`${n} is: ${N(A,o)??o}`:`Don't import ${n}`;return s?`${r}, ${s}`:r}var fo=t=>`${t.charAt(0).toUpperCase()}${t.slice(1)}.`;function ue({columns:t}){let e=new Set;return i`<table class="entries move-columns">
    <caption class="unseen">What each column becomes</caption>
    <thead><tr><th scope="col">Column</th><th scope="col">For example</th>
      <th scope="col">Becomes</th></tr></thead>
    <tbody>${t.slice(0,wt).map(({name:o,field:s="",example:n=""},r)=>{let a=!e.has(o);e.add(o);let l=o?O(o):`Column ${r+1}`;return i`<tr key=${r} data-off=${!s}>
        <th scope="row"><bdi>${l}</bdi></th>
        <td class="move-example"><bdi>${O(n)}</bdi></td>
        <td>${a&&o?i`<${st} label=${l} value=${s} options=${go(s)}
                onChange=${c=>c!==s&&ht(o,c)} />`:i`<span class="quiet">${N(A,s)??"Not imported"}</span>`}</td></tr>`})}</tbody></table>
    ${t.length>wt&&i`<p class="hint">And ${$(t.length-wt)} more.</p>`}`}var go=t=>N(A,t)||!t?pe:[...pe,[t,t]],$o=[["","As found"],[",","Commas"],[";","Semicolons"],["tab","Tabs"],["|","Bars"]],wo=["created_at","updated_at","starts_at","expires_at","day","hour"];function he({columns:t,options:e}){let o=t.some(({field:s})=>wo.includes(s));return i`<div class="move-how">
    <${L} label="Between columns" value=${e.delimiter} options=${$o}
      onChange=${s=>k({delimiter:s})} />
    ${o&&i`<${fe} label="Times without a zone" value=${e.time_zone} />`}
    ${e.date_format&&i`<${L} label="Dates" value=${e.date_format}
        options=${[["","As they are known"],...$e(e.date_format)]}
        onChange=${s=>k({date_format:s})} />`}</div>`}var L=({label:t,...e})=>i`<div><span class="form-label" aria-hidden="true">
  ${t}</span><${st} label=${t} ...${e} /></div>`,fe=({label:t,value:e})=>U()!=="UTC"&&i`<${L} label=${t} value=${e}
    options=${[["","UTC"],[U(),`${U()} (yours)`]]}
    onChange=${o=>k({time_zone:o})} />`,bt=({value:t,read:e=t,zone:o})=>i`<div class="move-how"><${L}
    label="What the file is" value=${t} options=${K} onChange=${oe} />
  ${e==="yourls"&&i`<${fe} label="Time zone of its database" value=${o} />`}</div>`;function vt({file:t,product:e}){let o=t?at.filter(Ut):at,[s,n]=_(e||o[0][0]),[,,r]=o.find(([l])=>l===s),a=t?[["the file",Mt(t)]]:r;return i`<div class="move-how"><${L} label="Product" value=${s}
      options=${o} onChange=${n} /></div>
    ${a.map(([l,c])=>i`<div key=${l} class="move-command"><p>From ${l}:</p>
        <${zt} line=${Nt(s,c)} /></div>`)}
    <p class="hint">Run it where ${t?"the file":"the product"} can be reached, after
      <code> terse login</code>. It says what would come; without <code>--dry-run</code> it
      imports.${!t&&" The key of an API is in TERSE_SOURCE_KEY, or in a file that --key-file names."}</p>`}function ge({example:t}){return i`<div class="move-question" role="group" aria-labelledby="move-dates">
    <p id="move-dates">Dates such as ${h(t)} may be two. Those are left out unless you
      say which is meant.</p>
    <div class="move-answers">${$e(ct(t)[0]).map(([e,o])=>i`<button type="button" key=${e} class="button"
        onClick=${()=>k({date_format:e})}>${o}</button>`)}</div></div>`}var $e=t=>{let[e,o]=["%d/%m","%m/%d"].map(s=>t.replace(/%[dm]\/%[dm]/,s));return[[e,"Day first (31/12/2026)"],[o,"Month first (12/31/2026)"]]},bo=[["skip","Leave it out","The link that is there stays as it is."],["overwrite","Replace","The link that is there becomes as in the file, if it is yours, and keeps its clicks."],["rename","Give it another code","abc becomes abc-2. The link that is there stays."],["fail","Import nothing","As soon as one code is taken."]],we=({value:t})=>i`<fieldset class="move-conflicts">
  <legend>If a code is taken by another link</legend>
  ${bo.map(([e,o,s])=>i`<label key=${e} class="move-choice">
      <input type="radio" name="conflict" value=${e} checked=${e===t}
        onChange=${()=>k({conflict:e})} />
      <span><b>${o}</b> <span class="quiet">${s}</span></span></label>`)}</fieldset>`;function be({value:t}){let e=x(C);return!Q(e)||!e.others?null:i`<div class="move-how"><${L} label="The links belong to" value=${t}
    options=${[["","Me"],["keep","The owners that the file names"]]}
    onChange=${o=>k({owner:o})} /></div>`}var vo={created:"New",updated:"Changed",unchanged:"There already",renamed:"New, with another code",skipped:"Left out",failed:"Can't be imported"};function ve({trial:t,head:e,columns:o}){let{file:s}=x(m),n=t.first.map(r=>({result:r,...Co(r.link?r:e.rows.find(({line:a})=>a===r.line)??{},o)}));return i`<div class="move-rows" role="region" tabindex="0" aria-label="The first links">
    <table class="entries">
    <caption class="unseen">The first links of ${h(s.name)}, as they will be</caption>
    <thead><tr><th scope="col">Code</th><th scope="col">Destination</th><th scope="col">Title</th>
      <th scope="col">Created</th><th scope="col" class="end">Clicks</th>
      <th scope="col">What becomes of it</th></tr></thead>
    <tbody>${n.map(({result:r,hasCode:a,url:l,title:c,created:d})=>i`<tr key=${r.line}>
        <th scope="row">${a?ko(r):xo}</th>
        <td class="move-url">${l&&i`<${Bt} url=${l} />`}</td>
        <td class="move-title"><bdi>${O(c)}</bdi></td>
        <td class="move-created"><bdi>${O(d)}</bdi></td>
        <td class="end">${$((r.clicks_added??0)+(r.clicks_known??0))}
          <span class="move-unit"> clicks</span></td>
        <td class="move-result">${vo[r.result]}${r.error&&i`<span class="quiet">: ${O(r.error)}</span>`}</td></tr>`)}</tbody></table></div>`}var xo=i`<span class="quiet">a new one</span>`,yo=i`<span class="quiet">unknown</span>`,ko=({short_code:t="",new_short_code:e,result:o})=>t?i`<span class="mono"><bdi>${O(t)}</bdi>${e&&o==="renamed"&&` → ${e}`}</span>`:yo;function Co({cells:t,link:e},o){if(e){let{short_code:n,original_url:r,title:a,created_at:l}=e;return{hasCode:!!n,url:r,title:a,created:l&&P(new Date(l))}}if(!t)return{hasCode:!0};let s=n=>t[o?.findIndex(r=>r.field===n)]?.trim();return{hasCode:!!(s("short_code")||s("short_url")),url:s("original_url"),title:s("title"),created:s("created_at")}}var xe=({reason:{n:t,lines:e}})=>i`<p class="hint">${e.length===1?"line":"lines"}${" "}${e.map(({line:o,code:s},n)=>i`${n>0&&", "}${$(o)}${s&&i` (<bdi class="mono">${O(s)}</bdi>)`}`)}${t>e.length&&` and ${$(t-e.length)} more`}</p>`;var ye=`/* The page on which links come in and go out */
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
`;var ke=new CSSStyleSheet;ke.replaceSync(ye);document.adoptedStyleSheets=[...document.adoptedStyleSheets,ke];function Qs(){let t=x(C);return kt(()=>{document.title="Import and export · terse",scrollTo(0,0)},[]),_t(t)?i`<main class="page move" id="main"><h1>Import and export</h1>
    ${ot(t)&&i`<${Oo} />`}<${No} /></main>`:i`<main class="page" id="main"><div class="state"><h1>Import and export</h1>
    <p>This is for those who may make links. Ask an admin.</p>
    <a class="button" href=${W("/ui/")}>Back to links</a></div></main>`}function Oo(){let t=x(m),{file:e,phase:o}=t,[s,n]=_(!1),r=tt(null),a=l=>{if(l){if(Jt())return H("An import is under way. Wait for its end, or stop it.");te(l)}};return j(()=>{let l=rt.get();rt.set(null),a(l);let c=p=>p.dataTransfer?.types.includes("Files")&&!document.querySelector("dialog[open]"),u={dragover:p=>{c(p)&&p.preventDefault(),n(c(p))},dragleave:p=>p.relatedTarget||n(!1),drop:p=>{n(!1),c(p)&&(p.preventDefault(),a(p.dataTransfer.files[0]))}};for(let[p,g]of Object.entries(u))addEventListener(p,g);return()=>{for(let[p,g]of Object.entries(u))removeEventListener(p,g)}},[]),j(()=>{e&&document.activeElement===document.body&&r.current?.focus()},[e,o]),i`<section class="panel" aria-labelledby="import-title" data-dropping=${s}>
    <h2 id="import-title">Import</h2>
    ${o!=="importing"&&o!=="done"&&i`<${To} />`}
    ${e?i`<div ref=${r} tabindex="-1" class="move-file">
            <${_o} state=${t} onFile=${a} /></div>
          <${Fo} state=${t} />`:i`<div class="move-drop">
          <p>Drop a file here, or choose one. Nothing is imported before you have seen what would
            come.</p>
          <${Ce} class="button primary" text="Choose a file" onFile=${a} />
          <p class="hint">An export of terse, also packed (.gz, .zst); a file of Sink or golink, or
            an SQL dump of YOURLS; or a table of links of any product: CSV, with the names of the
            columns in its first line. At most 1 GiB.</p></div>
          <details class="move-others"><summary>From a database or a server</summary>
            <p>The command line reads the databases and the APIs of these products, and can ask
              both servers afterwards where each address leads.</p>
            <${vt} /></details>`}
  </section>`}function Ce({text:t,onFile:e,class:o}){let s=tt();return i`<input ref=${s} type="file" hidden aria-label="File to import"
      onChange=${({target:r})=>{e(r.files[0]),r.value=""}} /><button type="button" class=${o}
      onClick=${()=>s.current.click()}>${t}</button>`}function To(){let[t,e]=_(S.get());j(()=>S.watch(()=>e(S.get())),[]);let{phase:o}=x(m);return!t||o==="stopped"||o==="lost"?null:i`<div class="move-question"><p>The import of <b><bdi>${h(t.name)}</bdi></b>,
    begun ${P(t.at)}, did not come to its end on this page. Unless it still runs in
    another tab, choose the same file again: what has come stays as it is, the rest comes, and
    nothing comes twice.</p>
    <div class="move-answers"><button type="button" class="button"
      onClick=${S.forget}>Don't show this again</button></div></div>`}function _o({state:{file:t,head:e,phase:o,columns:s,trial:n,options:r},onFile:a}){let l=o==="importing";return i`<${I} name="upload" /><p><b><bdi>${h(t.name)}</bdi></b>
      <span class="quiet"> ${Ao(t.size)}${Lo(e,s,n,r)}</span></p>
    ${!l&&i`<${Ce} class="text-button" text="Another file" onFile=${a} />
      <button type="button" class="text-button" onClick=${Xt}>
        ${o==="done"?"Close":"Cancel"}</button>`}`}function Ao(t){let[e,o]=t>=1e6?[t/1e6,"MB"]:[t/1e3,"KB"];return t<1e3?v(t,"byte","bytes"):`${$(Math.round(e*10)/10)} ${o}`}var Se=(t,{format:e})=>e==="auto"?t?.format:e;function Lo(t,e,o,s){if(!o&&!e)return"";let n=t?.packing?`, packed with ${t.packing}`:"";if(!e){let a=Se(t,s),[,l="An export of terse"]=K.find(([c])=>c===a)??[];return` · ${l.charAt(0).toLowerCase()}${l.slice(1)}${n}`}let{product:r}=V(e.map(({name:a})=>a));return` · table of ${v(e.length,"column","columns")}${r?`, as ${r} writes it`:""}${n}`}function Fo({state:t}){let{file:e,phase:o,problem:s,isFinal:n,question:r,trial:a,columns:l,head:c,options:d,tally:w}=t;if(o==="importing"||o==="stopped"||o==="lost"&&w?.source&&a)return i`<${qo} state=${t} />`;if(o==="done")return i`<${jo} tally=${w} />`;let b=o==="reading"||o==="trying",u=!n&&!!(a||l),p=l&&!d.date_format&&c?Yt(c.rows):"",g=o==="lost"?"The connection was lost. Nothing was imported.":s;return i`
    ${b&&!u&&i`<${Io} tally=${w} />`}
    ${!u&&g&&i`<p class="problem" role="alert">${h(g)}</p>`}
    ${c?.isDatabase&&i`<${vt} file=${e} product=${c.product} />`}
    ${o==="refused"&&!n&&!u&&i`<${bt} value=${d.format} />`}
    ${(o==="lost"||n&&c&&!c.problem)&&i`<p><button type="button" class="button" onClick=${R}>Try again</button></p>`}
    ${u&&i`<div class="move-form" data-stale=${b}>
        ${r&&i`<${me} question=${r} />`}
        ${p&&i`<${ge} example=${p} />`}
        <${bt} value=${d.format} read=${Se(c,d)}
          zone=${d.time_zone} />
        ${l&&i`<h3>What the columns become</h3>
          <${ue} columns=${l} />
          <${he} columns=${l} options=${d} />`}
        ${a?.first.length>0&&i`<h3>The first links, as they will be</h3>
          <${ve} trial=${a} head=${c} columns=${l} />`}
        <${we} value=${d.conflict} />
        <${be} value=${d.owner} />
        ${a&&i`<${xt} tally=${a} /><${yt} tally=${a} />`}
        <${Bo} state=${t} isTrying=${b} trouble=${g} /></div>`}`}var Oe=t=>`Trying it out; nothing is changed yet.${t?` ${v(t.links,"line","lines")} so far.`:""}`,Io=({tally:t})=>i`<div class="move-progress">
  <div class="move-bar" data-endless="true"></div><p role="status">${Oe(t)}</p></div>`;function Bo({state:{phase:t,trial:e,tally:o,question:s,options:n},isTrying:r,trouble:a}){let l=e?$t(e):0,c=e?.added??0,d=!!s&&!n.guess,w=(t==="tried"||r)&&!d&&(l>0||c>0),b=r?Oe(o):d?"Answer the question above to import the file.":e&&(zo(e)||q(e));return i`<div class="move-end">
    ${a?i`<p class="problem" role="alert">${h(a)}</p>`:i`<p>${b}</p>`}
    ${w&&i`<button type="button" class="button primary" aria-disabled=${r}
        onClick=${()=>r||ft()}>Import ${l?v(l,"link","links"):v(c,"click","clicks")}</button>`}</div>`}var zo=t=>{let{unchanged:e,...o}=t.results;return e>0&&!t.added&&Object.values(o).every(n=>n===0)?"All of it is there already: there is nothing to import.":""},Do=[["created","new","new"],["renamed","new, with another code","new, with other codes"],["updated","changed","changed"],["unchanged","there already","there already"],["skipped","left out: its code is taken","left out: their codes are taken"],["failed","can't be imported","can't be imported"]];function xt({tally:t}){let{results:e,added:o,known:s,summary:n}=t,{failed:r=e.failed,lines_failed:a=0,clicks_skipped:l=0}=n??{},c={...e,failed:r},d=Do.map(([u,p,g])=>[c[u],p,g]).filter(([u])=>u>0),w=[[o,"new"],[s,"there already"],[l,"left out"]].filter(([u])=>u>0),b=({title:u,rows:p})=>p.length>0&&i`<div><h3>${u}</h3><ul>${p.map(([g,X,Te=X])=>i`<li key=${X}><b>${$(g)}</b> ${g===1?X:Te}</li>`)}</ul></div>`;return i`<div class="move-figures">
    <${b} title="Links" rows=${d} /><${b} title="Clicks" rows=${w} />
    ${a>0&&i`<${b} title="Lines" rows=${[[a,"can't be read"]]} />`}</div>`}var Eo=8;function yt({tally:t}){let{reasons:e,remarks:o,more:s}=t,[n,r]=_(!1);if(!o)return null;let a=[...e].sort((c,d)=>d.n-c.n),l=n?a:a.slice(0,Eo);return i`<h3>What is left out or changed</h3>
    <ul class="move-reasons">${l.map(c=>i`<li key=${`${c.result} ${c.text}`}>
        <p><b>${$(c.n)}</b> ${h(c.text)}</p>
        <${xe} reason=${c} /></li>`)}</ul>
    ${a.length>l.length&&i`<button type="button" class="text-button" onClick=${()=>r(!0)}>
        Show all ${$(a.length)}</button>`}
    ${s>0&&i`<p class="hint">And ${$(s)} more, in the report.</p>`}
    <p><button type="button" class="text-button" onClick=${Ro}><${I} name="download" />
      Download the report</button></p>`}var Ro=()=>Dt("terse-import-report.csv",ie());function qo({state:{phase:t,file:e,trial:o,tally:s}}){let{part:n,text:r}=gt(s,o),a=t==="importing";return i`<div class="move-progress">
    <div class="move-bar" role="progressbar" aria-label=${`Import of ${h(e.name)}`}
      aria-valuemin="0" aria-valuemax="100" aria-valuenow=${Math.floor(100*n)}
      aria-valuetext=${r}><span style=${{width:`${100*n}%`}}></span></div>
    <p>${Ct(n,1)} · ${r}</p>
    ${a?i`<p class="hint">It goes on while you look at other pages here. If this tab is closed
          half-way, send the same file again: what has come stays, and the rest comes.</p>
          <button type="button" class="button" onClick=${ce}>Stop</button>`:i`<div role="alert"><p>${t==="lost"?"The connection was lost.":"Stopped."} What has come stays as it is. Send the same file again: the rest comes, and nothing
          comes twice.</p></div>
          <button type="button" class="button primary" onClick=${ft}>Send it again</button>`}</div>
    ${!a&&i`<${xt} tally=${s} /><${yt} tally=${s} />`}`}var jo=({tally:t})=>i`<p class="move-done" role="status"><${I} name="done" />
    <b>${q(t,!0)}</b></p>
  <${xt} tally=${t} /><${yt} tally=${t} />
  <div class="move-answers"><a class="button" href=${W("/ui/")}>Show the links</a></div>`,Po=[["ndjson","All links with their clicks","Everything: codes, options, history and each click. Keep it as a copy, or import it into another terse. It has hashes of passwords and the addresses of shared pages in it.","Export all links"],["csv","Links as CSV","For spreadsheets, and for other products. It has no clicks, passwords, rules or further addresses, so it is no copy. Edited, it can be imported again, with Replace.","Export as CSV"]];async function Uo(t){try{let e=await G("HEAD",t);if(!e.ok){let s=e.status===429?"An export of yours is under way. Try again when it has ended.":`The server refused it (${e.status}).`;throw new Y(e.status,s)}let o=document.createElement("a");o.href=W(t),o.download="",o.click(),H("The download has begun")}catch(e){H(`Not exported: ${e.message}`)}}function No(){let t=x(C),e=x(St),o=At(e),s=o||(ot(t)?"":t.identity),n=o!==""&&o!==t.identity;return i`<section class="panel" aria-labelledby="export-title">
    <header class="panel-head"><h2 id="export-title">Export</h2>
      <${qt} owner=${o}
        onChange=${r=>Ot(F("/ui/move",{owner:r}),{replace:!0})} />
    </header>
    ${n&&i`<p class="quiet">${o===Tt?"Links of everybody.":`Links of ${h(o)}.`}${Q(t)?" An import keeps their owners if you say so.":""}</p>`}
    <div class="move-exports">${Po.map(([r,a,l,c])=>i`<div key=${r}><h3>${a}</h3><p class="quiet">${l}</p>
        <button type="button" class="button"
          onClick=${()=>Uo(F("/api/export",{format:r,owner:s}))}>
          <${I} name="download" />${c}</button></div>`)}</div></section>`}export{Qs as Move};
