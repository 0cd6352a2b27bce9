import{Aa as c,K as i,oa as e,ta as a,ua as r,za as s}from"./chunk-GS2UUHZM.js";var m=[["Everywhere",[["n","New link"],["/","Search"],["z","Undo"],["Esc","Close"],["?","Show shortcuts"]]],["Links",[["j","Next link"],["k","Previous link"],["Enter","Open link"],["x","Select link"],["e","Edit link"],["c","Copy link"],["q","QR code"],["Delete","Delete link"]]],["A link's page",[["e","Edit link"],["c","Copy link"],["q","QR code"],["Delete","Delete link"]]],["Statistics",[["d  w  m  y  a","Last day, week, month, year, all time"],["←  →","Move along the chart"],["Shift  →","Select a range (Enter zooms in, Backspace out)"],["↑  ↓","Move along a panel's rows (Home and End, too)"],["→","Open a row's menu"],["Alt  Enter","Leave out a row's value (or Alt and click)"]]]],d=`javascript:void open(${JSON.stringify(`${location.origin}${i("/ui/")}`)}+'?url='+encodeURIComponent(location.href)+'&title='+encodeURIComponent(document.title))`,h=o=>{o.preventDefault(),r("Drag it to your bookmarks.")},g=({onClose:o})=>e`<${s} label="Keyboard shortcuts" class="help" onClose=${o}>
  <${c} onClose=${o}>Keyboard shortcuts<//>
  <div class="help-groups">${m.map(([t,p])=>e`<section key=${t}><h3>${t}</h3>
    <dl>${p.map(([k,l])=>e`<div key=${l}>
      <dt>${k.split("  ").map(n=>e`<kbd key=${n}>${n}</kbd>`)}</dt>
      <dd>${l}</dd></div>`)}</dl></section>`)}</div>
  <section class="bookmarklet"><h3>From other pages</h3>
    <p>Drag this to your bookmarks. On any page, it opens the form here, filled in.</p>
    <p><a class="button" href=${d} onClick=${h}>Shorten with terse</a>
      <${a} text=${d} label="Copy the bookmark's address" /></p></section>
<//>`;export{g as Help};
