// Rows of a dimension's values, as bars that filter.
import { useState } from "preact/hooks";
import { count, share } from "./format.js";
import { html } from "./html.js";
import { Menu } from "./menu.js";
import { useRows } from "./roving.js";
import { IconButton } from "./ui.js";

// Heads says what the rows below it are, and what is counted.
export const Heads = ({ rows, measure }) => html`<p class="bar-heads"><span>${rows}</span>
  <span>${measure.head}</span></p>`;

// digits is the width of the column of numbers: that of the highest.
export const digits = (highest) => ({ "--digits": count(highest).length });

// A row sets a filter by its value for the whole page, or removes it; with Alt it excludes its
// value. A row's menu has both, for those without an Alt key.
export function Bars({ rows, total, highest, measure, dimension, picked: { only, not }, view }) {
  const [asking, setAsking] = useState(null); // the {value, anchor} of the open menu
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
        tabindex="-1" aria-haspopup="menu"
        onClick=${(event) => setAsking({ value, anchor: event.currentTarget })} /></li>`;
  };
  return html`<${Heads} rows=${one} measure=${measure} />
    <div aria-label=${many} ...${roving.rows}>
      <ul class="bars" data-chosen=${only.length > 0} style=${digits(highest)}>
        ${rows.map(row)}</ul></div>
    ${
      asking !== null &&
      html`<${RowMenu} asking=${asking} dimension=${dimension} picked=${{ only, not }}
      view=${view} onClose=${() => setAsking(null)} />`
    }`;
}

function RowMenu({ asking, dimension: { name, text }, picked: { only, not }, view, onClose }) {
  const { value, anchor } = asking,
    isOnly = only.includes(value),
    isNot = not.includes(value);
  const item = (icon, label, out) => ({
    icon,
    label,
    onChoose: () => view.toggle(name, value, out),
  });
  const items = [
    (isOnly || isNot) && item("close", "Remove this filter", isNot),
    !isOnly && item("done", "Filter by this", false),
    !isNot && item("less", "Leave this out", true),
  ].filter(Boolean);
  return html`<${Menu} anchor=${anchor} label=${`Filter by ${text(value)}`} items=${items}
    onClose=${onClose} />`;
}
