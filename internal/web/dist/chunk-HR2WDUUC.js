import{i}from"./chunk-7IEWZMB5.js";var l="?";function p({value:t,onChange:a,...c}){let n=({target:o})=>{let e=o.validity.badInput?l:o.value;e!==t&&a(e)};return i`<input class="field" type="datetime-local" max="9999-12-31T23:59"
    value=${t===l?"":t} onInput=${n} onBlur=${n} ...${c} />`}export{p as a};
