import{Aa as f,N as o,P as n,c as l,d as i,oa as a,za as p}from"./chunk-GS2UUHZM.js";var u=()=>{let{path:e,query:t}=o.get();return t.size?`${e}?${t}`:e};function $(e){let t=i(u()),r=i(t.current);return l(()=>{n(t.current,{state:{...o.get().state,isSheet:!0}});let c=o.watch(({state:b})=>{b?.isSheet&&(r.current=u())}),s=()=>{r.current!==u()&&n(r.current),e()};return addEventListener("popstate",s),()=>{c(),removeEventListener("popstate",s)}},[]),()=>{if(r.current===t.current)return history.back();n(r.current,{replace:!0}),e()}}function y({found:e,onClear:t,onClose:r,children:c}){let s=$(r);return a`<${p} label="Filters" class="sheet filters" onClose=${s}>
    <${f} onClose=${s}>Filters<//>
    <div class="filters-choices">${c}</div>
    <p class="unseen" role="status">${e}</p>
    <div class="buttons">
      <button type="button" class="button" disabled=${!t} onClick=${t}>
        Clear all</button>
      <button type="button" class="button primary" onClick=${s}>Show ${e}</button></div>
  <//>`}export{y as FilterSheet};
