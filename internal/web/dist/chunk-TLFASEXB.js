import{c as k}from"./chunk-RMLAKTFL.js";import{B as x,F as w,L as C,a as c,b as d,d as v,fa as m,i as y,kc as D,lc as U,nc as B,qa as G,ra as S,ta as T,w as g}from"./chunk-5RJPQ6WF.js";function P({id:t,label:n,text:o,onText:r,except:u="",placeholder:f="Name or email",problem:e="",hint:s,create:a}){let l=w(D);d(()=>{U().catch(()=>{})},[]);let b=B(l?.filter(({identity:$})=>$!==u));return m`<label for=${t}>${n}</label>
    <${k} id=${t} label=${n} class="field" placeholder=${f} text=${o}
      onText=${r} options=${b} create=${a} onChoose=${r}
      aria-invalid=${!!e}
      aria-describedby=${e?`${t}-problem`:s&&`${t}-hint`} />
    <${T} id=${t} text=${e} />
    ${!e&&s&&m`<p id=${`${t}-hint`} class="hint">${s}</p>`}`}function O({links:t,onGive:n,onClose:o}){let[r,u]=c(""),[f,e]=c(""),[s,a]=c(!1),l=v(),[b]=t,$=new Set(t.map(i=>i.created_by??C.get().identity)),p=t.length===1?`${x}/${b.short_code}`:y(t.length,"link","links"),N=async i=>{if(i.preventDefault(),!s){if(!r.trim())return e("Choose somebody."),l.current.querySelector("input").focus();a(!0);try{await n(r.trim()),o()}catch(h){e(h.status===412?"Not given: someone else edited the link. Try again.":h.message),a(!1)}}};return m`<${G} label=${`Give ${p}`} class="ask" onClose=${o}><form ref=${l}
    onSubmit=${N} novalidate>
    <${S} onClose=${o}>Give <span class=${t.length===1?"mono":""}>
      ${g(p)}</span><//>
    <${P} id="give-to" label="Give to" text=${r} problem=${f}
      except=${$.size===1?[...$][0]:""}
      hint="The short URL works as before, and its statistics go along. Clicks so far stay in the
        overview of whom they were counted for."
      onText=${i=>{u(i),e("")}} />
    <div class="buttons"><button type="button" class="button" onClick=${o}>Cancel</button>
      <button class="button primary" aria-busy=${s}>Give</button></div>
  </form><//>`}export{P as a,O as b};
