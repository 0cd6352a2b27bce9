import{F as n,H as s,L as r,M as a,i as e}from"./chunk-PE56B7N7.js";var p=[["Everywhere",[["n","New link"],["/","Search"],["z","Undo"],["Esc","Close"],["?","Show shortcuts"]]],["Links",[["j","Next link"],["k","Previous link"],["Enter","Open link"],["x","Select link"],["e","Edit link"],["c","Copy link"],["q","QR code"],["Delete","Delete link"]]],["A link's page",[["e","Edit link"],["c","Copy link"],["q","QR code"],["Delete","Delete link"]]],["Statistics",[["d  w  m  y  a","Last day, week, month, year, all time"],["←  →","Move along the chart"],["Shift  →","Select a range (Enter zooms in, Backspace out)"]]]],c=`javascript:void open(${JSON.stringify(`${location.origin}/ui/`)}+'?url='+encodeURIComponent(location.href)+'&title='+encodeURIComponent(document.title))`,h=o=>{o.preventDefault(),s("Drag it to your bookmarks.")},y=({onClose:o})=>e`<${r} label="Keyboard shortcuts" class="help" onClose=${o}>
  <${a} onClose=${o}>Keyboard shortcuts<//>
  <div class="help-groups">${p.map(([t,d])=>e`<section key=${t}><h3>${t}</h3>
    <dl>${d.map(([k,l])=>e`<div key=${l}>
      <dt>${k.split("  ").map(i=>e`<kbd key=${i}>${i}</kbd>`)}</dt>
      <dd>${l}</dd></div>`)}</dl></section>`)}</div>
  <section class="bookmarklet"><h3>From other pages</h3>
    <p>Drag this to your bookmarks. On any page, it opens the form here, filled in.</p>
    <p><a class="button" href=${c} onClick=${h}>Shorten with terse</a>
      <${n} text=${c} label="Copy the bookmark's address" /></p></section>
<//>`;export{y as Help};
