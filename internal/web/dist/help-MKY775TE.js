import{L as i,M as a,Q as s,R as r,l as e}from"./chunk-VCSZMV2F.js";var p=[["Everywhere",[["n","New link"],["/","Search"],["z","Undo"],["Esc","Close"],["?","Show shortcuts"]]],["Links",[["j","Next link"],["k","Previous link"],["Enter","Open link"],["x","Select link"],["e","Edit link"],["c","Copy link"],["q","QR code"],["Delete","Delete link"]]],["A link's page",[["e","Edit link"],["c","Copy link"],["q","QR code"],["Delete","Delete link"]]],["Statistics",[["d  w  m  y  a","Last day, week, month, year, all time"],["←  →","Move along the chart"],["Shift  →","Select a range (Enter zooms in, Backspace out)"],["Alt  Enter","Leave out what a row stands for, as Alt and a click do"]]]],c=`javascript:void open(${JSON.stringify(`${location.origin}/ui/`)}+'?url='+encodeURIComponent(location.href)+'&title='+encodeURIComponent(document.title))`,h=t=>{t.preventDefault(),a("Drag it to your bookmarks.")},u=({onClose:t})=>e`<${s} label="Keyboard shortcuts" class="help" onClose=${t}>
  <${r} onClose=${t}>Keyboard shortcuts<//>
  <div class="help-groups">${p.map(([o,d])=>e`<section key=${o}><h3>${o}</h3>
    <dl>${d.map(([k,l])=>e`<div key=${l}>
      <dt>${k.split("  ").map(n=>e`<kbd key=${n}>${n}</kbd>`)}</dt>
      <dd>${l}</dd></div>`)}</dl></section>`)}</div>
  <section class="bookmarklet"><h3>From other pages</h3>
    <p>Drag this to your bookmarks. On any page, it opens the form here, filled in.</p>
    <p><a class="button" href=${c} onClick=${h}>Shorten with terse</a>
      <${i} text=${c} label="Copy the bookmark's address" /></p></section>
<//>`;export{u as Help};
