import{H as s,I as n,z as e}from"./chunk-IHNPMMYB.js";var r=[["Everywhere",[["n","New link"],["/","Search"],["z","Undo delete"],["Esc","Close"],["?","Show shortcuts"]]],["Links",[["j","Next link"],["k","Previous link"],["Enter","Open link"],["c","Copy link"],["q","QR code"],["Delete","Delete link"]]],["A link's page",[["c","Copy link"],["q","QR code"],["Delete","Delete link"]]],["Statistics",[["d  w  m  y  a","Last day, week, month, year, all time"],["←  →","Move along the chart"],["Shift  →","Select a range (Enter zooms in, Backspace out)"]]]],p=({onClose:t})=>e`<${s} label="Keyboard shortcuts" class="help" onClose=${t}>
  <${n} onClose=${t}>Keyboard shortcuts<//>
  <div class="help-groups">${r.map(([l,a])=>e`<section key=${l}><h3>${l}</h3>
    <dl>${a.map(([d,o])=>e`<div key=${o}>
      <dt>${d.split("  ").map(i=>e`<kbd key=${i}>${i}</kbd>`)}</dt>
      <dd>${o}</dd></div>`)}</dl></section>`)}</div>
<//>`;export{p as Help};
