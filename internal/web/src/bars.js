// Rows of a dimension's values, as bars that filter.
import { useState } from "preact/hooks";
import { count, share } from "./format.js";
import { html } from "./html.js";
import { useRows } from "./roving.js";
import { Dialog, Icon, IconButton } from "./ui.js";

// Heads says what the rows below it are, and what is counted.
export const Heads = ({ rows, measure }) => html`<p class="bar-heads"><span>${rows}</span>
  <span>${measure.head}</span></p>`;

// digits is the width of the column of numbers: that of the highest.
export const digits = (highest) => ({ "--digits": count(highest).length });

// A row sets a filter by its value for the whole page, or removes it; with Alt it excludes its
// value. A row's menu has both, for those without an Alt key.
export function Bars({ rows, total, highest, measure, dimension, picked: { only, not }, view }) {
  const [asking, setAsking] = useState(null); // the value whose menu is open
  const { name, one, many, label, text } = dimension;
  const roving = useRows(rows.map(([value]) => value));
  const row = ([value, number]) => {
    const isOnly = only.includes(value),
      isNot = not.includes(value);
    const press = (event) => {
      if (event.key !== "Enter" || !event.altKey) return;
      event.preventDefault();
      view.toggle(name, value, true);
    };
    return html`<li key=${value} class="bar-row" data-row=${value} data-not=${isNot}>
      <button type="button" class="bar" aria-pressed=${isOnly || isNot} title=${text(value)}
        tabindex=${roving.tabIndex(value)} onKeyDown=${press}
        onClick=${(event) => view.toggle(name, value, event.altKey || isNot)}>
        <span class="bar-fill" style=${{ transform: `scaleX(${highest ? number / highest : 0})` }}>
        </span>${isNot && html`<span class="unseen">Not </span>`}${label(value)}
        <span class="bar-share quiet">${share(number, total)}</span>
        <span class="bar-count">${count(number)}</span></button>
      <${IconButton} icon="more" class="bar-more" label=${`More for ${text(value)}`}
        tabindex="-1" aria-haspopup="dialog" onClick=${() => setAsking(value)} /></li>`;
  };
  return html`<${Heads} rows=${one} measure=${measure} />
    <div aria-label=${many} ...${roving.rows}>
      <ul class="bars" data-chosen=${only.length > 0} style=${digits(highest)}>
        ${rows.map(row)}</ul></div>
    ${
      asking !== null &&
      html`<${RowMenu} value=${asking} dimension=${dimension}
      isOnly=${only.includes(asking)} isNot=${not.includes(asking)} view=${view}
      onClose=${() => setAsking(null)} />`
    }`;
}

function RowMenu({ value, dimension: { name, one, text }, isOnly, isNot, view, onClose }) {
  const title = text(value);
  const item = (icon, words, act) => html`<button type="button" class="sheet-item"
    onClick=${() => {
      onClose();
      act();
    }}><${Icon} name=${icon} />${words}</button>`;
  return html`<${Dialog} label=${`Filter by ${title}`} class="sheet" onClose=${onClose}>
    <p class="sheet-title"><span class="quiet">${one}</span><span><bdi>${title}</bdi></span></p>
    ${
      isOnly || isNot
        ? item("close", "Remove this filter", () => view.toggle(name, value, isNot))
        : item("done", "Filter by this", () => view.toggle(name, value, false))
    }
    ${!isNot && item("less", "Leave this out", () => view.toggle(name, value, true))}
    ${isNot && item("done", "Filter by this", () => view.toggle(name, value, false))}
    ${item("close", "Cancel", () => {})}
  <//>`;
}
