import{b as m,q as R,v as T}from"./chunk-CL6MINTX.js";import"./chunk-4B4GNKTO.js";import"./chunk-UYNSCFZJ.js";import{I as D,M as u,N as b,b as l,c as v,e as y,i as o,l as h,x as k}from"./chunk-YU7LUNTS.js";var C=e=>`/api/tags/${encodeURIComponent(e)}`;function z({tag:e,links:c,onClose:n,onDone:E}){let[p,w]=l(e),[a,s]=l(""),[i,f]=l(!1),[I,x]=l(!1),$=y();v(()=>$.current?.select(),[]);let d=async(r,t,P)=>{if(!i){f(!0);try{await r(),await T(!0),E(t),R(),D(P)}catch(S){s(S.message),f(!1)}}},B=r=>{r.preventDefault();let t=p.trim();if(t===e)return n();if(!t)return s("Enter a name.");d(()=>m("PATCH",C(e),{body:{name:t}}),t,`Renamed ${e} to ${t}`)},N=()=>d(()=>m("DELETE",C(e)),"",`Removed ${e} from all links`),g=c===void 0?"all links":h(c,"link","links");return I?o`<${u} key="remove" label="Delete tag" onClose=${n}>
    <${b} onClose=${n}>Delete the tag ${k(e)}?<//>
    <p>It will be removed from ${g}. The links themselves stay.</p>
    ${a&&o`<p class="problem" role="alert">${a}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${n}>Cancel</button>
      <button type="button" class="button danger" aria-busy=${i} onClick=${N}>
        Delete tag</button></div><//>`:o`<${u} key="rename" label="Rename tag" onClose=${n}>
    <form onSubmit=${B}>
    <${b} onClose=${n}>Rename tag<//>
    <label for="tag-name">Name</label>
    <input id="tag-name" ref=${$} class="field" autocomplete="off" spellcheck=${!1}
      value=${p} onInput=${r=>{w(r.target.value),s("")}}
      aria-invalid=${!!a} aria-describedby=${a?"tag-name-problem":"tag-name-hint"} />
    ${a?o`<p id="tag-name-problem" class="problem" role="alert">${a}</p>`:o`<p id="tag-name-hint" class="hint">On ${g}. The name of another tag joins the
        two.</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${()=>x(!0)}>
        Delete tag</button>
      <button class="button primary" aria-busy=${i}>Rename</button></div>
  </form><//>`}export{z as TagDialog};
