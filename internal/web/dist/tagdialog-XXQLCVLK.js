import{b as u,q as T,v as C}from"./chunk-MBTQ5TKJ.js";import"./chunk-W3YQ4EOJ.js";import"./chunk-JSWS2VBR.js";import{I as D,L as R,N as c,O as b,b as r,c as y,e as h,i as o,l as v,w as k}from"./chunk-CXPDZ6Q7.js";var E=e=>`/api/tags/${encodeURIComponent(e)}`;function F({tag:e,links:p,onClose:n,onDone:w}){let[s,x]=r(e),[a,i]=r(""),[m,f]=r(!1),[I,S]=r(!1),$=h();y(()=>$.current?.select(),[]);let d=async(l,t,P)=>{if(!m){f(!0);try{await l(),await C(!0),w(t),T(),D(P)}catch(j){i(j.message),f(!1)}}},B=l=>{l.preventDefault();let t=s.trim();if(t===e)return n();if(!t)return i("Enter a name.");d(()=>u("PATCH",E(e),{body:{name:t}}),t,`Renamed ${e} to ${t}`)},N=()=>d(()=>u("DELETE",E(e)),"",`Took ${e} off all links`),g=p===void 0?"all links":v(p,"link","links");return I?o`<${c} key="remove" label="Delete tag" onClose=${n}>
    <${b} onClose=${n}>Delete the tag ${k(e)}?<//>
    <p>It is taken off ${g}. The links themselves stay.</p>
    ${a&&o`<p class="problem" role="alert">${a}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${n}>Cancel</button>
      <button type="button" class="button danger" aria-busy=${m} onClick=${N}>
        Delete tag</button></div><//>`:o`<${c} key="rename" label="Rename tag" onClose=${n}>
    <form onSubmit=${B}>
    <${b} onClose=${n}>Rename tag<//>
    <label for="tag-name">Name</label>
    <input id="tag-name" ref=${$} class="field" autocomplete="off" spellcheck=${!1}
      value=${s} onInput=${l=>{x(l.target.value),i("")}}
      aria-invalid=${!!a} aria-describedby=${a?"tag-name-problem":"tag-name-hint"} />
    <${R} text=${s} />
    ${a?o`<p id="tag-name-problem" class="problem" role="alert">${a}</p>`:o`<p id="tag-name-hint" class="hint">On ${g}. The name of another tag joins the
        two.</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${()=>S(!0)}>
        Delete tag</button>
      <button class="button primary" aria-busy=${m}>Rename</button></div>
  </form><//>`}export{F as TagDialog};
