import{H as u,I as o,O as D,Q as R,S as b,T as c,a as l,ab as C,b as v,d as y,h,qa as T,u as k}from"./chunk-IEPOQJS4.js";var E=e=>`/api/tags/${encodeURIComponent(e)}`;function F({tag:e,links:p,onClose:n,onDone:w}){let[s,x]=l(e),[a,i]=l(""),[m,$]=l(!1),[I,S]=l(!1),f=y();v(()=>f.current?.select(),[]);let d=async(r,t,P)=>{if(!m){$(!0);try{await r(),await C(!0),w(t),T(),D(P)}catch(j){i(j.message),$(!1)}}},B=r=>{r.preventDefault();let t=s.trim();if(t===e)return n();if(!t)return i("Enter a name.");d(()=>u("PATCH",E(e),{body:{name:t}}),t,`Renamed ${e} to ${t}`)},N=()=>d(()=>u("DELETE",E(e)),"",`Removed ${e} from all links`),g=p===void 0?"all links":h(p,"link","links");return I?o`<${b} key="remove" label="Delete tag" onClose=${n}>
    <${c} onClose=${n}>Delete the tag ${k(e)}?<//>
    <p>It will be removed from ${g}. The links themselves stay.</p>
    ${a&&o`<p class="problem" role="alert">${a}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${n}>Cancel</button>
      <button type="button" class="button danger" aria-busy=${m} onClick=${N}>
        Delete tag</button></div><//>`:o`<${b} key="rename" label="Rename tag" onClose=${n}>
    <form onSubmit=${B}>
    <${c} onClose=${n}>Rename tag<//>
    <label for="tag-name">Name</label>
    <input id="tag-name" ref=${f} class="field" autocomplete="off" spellcheck=${!1}
      value=${s} onInput=${r=>{x(r.target.value),i("")}}
      aria-invalid=${!!a} aria-describedby=${a?"tag-name-problem":"tag-name-hint"} />
    <${R} text=${s} />
    ${a?o`<p id="tag-name-problem" class="problem" role="alert">${a}</p>`:o`<p id="tag-name-hint" class="hint">On ${g}. The name of another tag joins the
        two.</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${()=>S(!0)}>
        Delete tag</button>
      <button class="button primary" aria-busy=${m}>Rename</button></div>
  </form><//>`}export{F as TagDialog};
