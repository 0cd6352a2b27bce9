import{D as B,M as T,b as u,e as x,i as l,w as b}from"./chunk-CXPDZ6Q7.js";function _({id:s,label:C,values:o,onChange:g,parse:R=n=>({value:n}),show:r=String,options:c=[],placeholder:w,problem:D=""}){let[n,m]=u(""),[I,y]=u(""),h=x(),f=e=>{let t=e.split(",").map(i=>i.trim()).filter(Boolean).map(R),a=t.find(i=>i.problem);if(y(a?.problem??""),a)return m(e);let d=i=>v=>r(v).toLowerCase()===r(i).toLowerCase(),$=[...o];for(let{value:i}of t)$.some(d(i))||$.push(i);m(""),$.length>o.length&&g($)},k=e=>{T(`Removed ${r(o[e])}`),g(o.filter((t,a)=>a!==e)),h.current.focus()},L=e=>{let t=e.target.value;m(t),y("");let a=e.inputType==="insertReplacementText"||!e.inputType;(t.includes(",")||a&&c.some(([d])=>d===t))&&f(t)},S=e=>{e.key==="Enter"?(e.preventDefault(),n.trim()&&f(n)):e.key==="Backspace"&&!n&&o.length&&k(o.length-1)},p=I||D;return l`<div class="chips-field" data-invalid=${!!p}>
      ${o.map((e,t)=>l`<span class="tag" key=${r(e)}>
        <span>${b(r(e))}</span>
        <button type="button" class="tag-remove" aria-label=${`Remove ${b(r(e))}`}
          onClick=${()=>k(t)}><${B} name="close" /></button></span>`)}
      <input id=${s} ref=${h} value=${n} aria-label=${C} autocomplete="off"
        autocapitalize="off" spellcheck=${!1} placeholder=${o.length?"":w}
        list=${c.length?`${s}-options`:void 0} onInput=${L} onKeyDown=${S}
        onBlur=${()=>n.trim()&&f(n)} aria-invalid=${!!p}
        aria-describedby=${p?`${s}-problem`:void 0} />
      ${c.length>0&&l`<datalist id=${`${s}-options`}>${c.map(([e,t])=>l`<option key=${e} value=${e}>${t}</option>`)}</datalist>`}
    </div>
    ${p&&l`<p id=${`${s}-problem`} class="problem" role="alert">${p}</p>`}`}export{_ as a};
