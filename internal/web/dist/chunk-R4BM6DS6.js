import{c as D}from"./chunk-I52D3NO7.js";import{Aa as T,Cc as O,Dc as U,Ea as k,F as x,Fc as B,H as w,M as C,S as G,a as c,b as d,d as y,i as v,oa as m,x as g,za as S}from"./chunk-GS2UUHZM.js";function P({id:t,label:n,text:o,onText:r,except:f="",placeholder:u="Name or email",problem:e="",hint:s,create:a}){let l=C(O);d(()=>{U().catch(()=>{})},[]);let b=B(l?.filter(({identity:$})=>$!==f));return m`<label for=${t}>${n}</label>
    <${D} id=${t} label=${n} class="field" placeholder=${u} text=${o}
      onText=${r} options=${b} create=${a} onChoose=${r}
      aria-invalid=${!!e}
      aria-describedby=${e?`${t}-problem`:s&&`${t}-hint`} />
    <${k} id=${t} text=${e} />
    ${!e&&s&&m`<p id=${`${t}-hint`} class="hint">${s}</p>`}`}function A({links:t,onGive:n,onClose:o}){let[r,f]=c(""),[u,e]=c(""),[s,a]=c(!1),l=y(),[b]=t,$=new Set(t.map(i=>i.created_by??G.get().identity)),p=t.length===1?w(x(b)):v(t.length,"link","links"),N=async i=>{if(i.preventDefault(),!s){if(!r.trim())return e("Choose somebody."),l.current.querySelector("input").focus();a(!0);try{await n(r.trim()),o()}catch(h){e(h.status===412?"Not given: someone else edited the link. Try again.":h.message),a(!1)}}};return m`<${S} label=${`Give ${p}`} class="ask" onClose=${o}><form ref=${l}
    onSubmit=${N} novalidate>
    <${T} onClose=${o}>Give <span class=${t.length===1?"mono":""}>
      ${g(p)}</span><//>
    <${P} id="give-to" label="Give to" text=${r} problem=${u}
      except=${$.size===1?[...$][0]:""}
      hint="The short URL works as before, and its statistics go along. Clicks so far stay in the
        overview of whom they were counted for."
      onText=${i=>{f(i),e("")}} />
    <div class="buttons"><button type="button" class="button" onClick=${o}>Cancel</button>
      <button class="button primary" aria-busy=${s}>Give</button></div>
  </form><//>`}export{P as a,A as b};
