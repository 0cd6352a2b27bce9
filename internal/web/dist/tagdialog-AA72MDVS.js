import{Aa as c,Tb as C,a as l,aa as D,b as v,bc as E,d as y,ga as R,i as h,ma as u,oa as a,ua as T,wa as w,x as k,za as b}from"./chunk-GS2UUHZM.js";var x=e=>R(`/api/tags/${encodeURIComponent(e)}`,D());function K({tag:e,links:p,onClose:o,onDone:I}){let[s,S]=l(e),[n,m]=l(""),[i,f]=l(!1),[B,N]=l(!1),$=y();v(()=>$.current?.select(),[]);let d=async(r,t,q)=>{if(!i){f(!0);try{await r(),await C(!0),I(t),E(),T(q)}catch(A){m(A.message),f(!1)}}},P=r=>{r.preventDefault();let t=s.trim();if(t===e)return o();if(!t)return m("Enter a name.");d(()=>u("PATCH",x(e),{body:{name:t}}),t,`Renamed ${e} to ${t}`)},j=()=>d(()=>u("DELETE",x(e)),"",`Removed ${e} from all links`),g=p===void 0?"all links":h(p,"link","links");return B?a`<${b} key="remove" label="Delete tag" onClose=${o}>
    <${c} onClose=${o}>Delete the tag ${k(e)}?<//>
    <p>It will be removed from ${g}. The links themselves stay.</p>
    ${n&&a`<p class="problem" role="alert">${n}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${o}>Cancel</button>
      <button type="button" class="button danger" aria-busy=${i} onClick=${j}>
        Delete tag</button></div><//>`:a`<${b} key="rename" label="Rename tag" onClose=${o}>
    <form onSubmit=${P}>
    <${c} onClose=${o}>Rename tag<//>
    <label for="tag-name">Name</label>
    <input id="tag-name" ref=${$} class="field" autocomplete="off" spellcheck=${!1}
      value=${s} onInput=${r=>{S(r.target.value),m("")}}
      aria-invalid=${!!n} aria-describedby=${n?"tag-name-problem":"tag-name-hint"} />
    <${w} text=${s} />
    ${n?a`<p id="tag-name-problem" class="problem" role="alert">${n}</p>`:a`<p id="tag-name-hint" class="hint">On ${g}. The name of another tag joins the
        two.</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${()=>N(!0)}>
        Delete tag</button>
      <button class="button primary" aria-busy=${i}>Rename</button></div>
  </form><//>`}export{K as TagDialog};
