// Panels: a map and bars of the values of each dimension.
import { useMemo, useState } from "preact/hooks";
import { countries, height, width } from "world";
import { dimensionCSV } from "./csv.js";
import { count, countryName, flag, share } from "./format.js";
import { html } from "./html.js";
import { IconButton, download } from "./ui.js";

const step = 50; // rows each time more are asked for

const byClicks = (counts) => Object.entries(counts).sort(([a, m], [b, n]) =>
  n - m || (a < b ? -1 : 1));

// Panel has a title, and gives what it shows as a file. csv returns that file.
export const Panel = ({ id, title, wide, csv, children }) =>
  html`<section class=${wide ? "panel wide" : "panel"} aria-labelledby=${id}>
  <header class="panel-head"><h2 id=${id}>${title}</h2>
    ${csv && html`<${IconButton} icon="download" label=${`Export ${title} as CSV`}
      onClick=${() => download(...csv())} />`}</header>
  ${children}</section>`;

export function DimensionPanel({ dimension, name, counts, total, chosen, onChoose }) {
  const { id, title, few, label, text } = dimension;
  const rows = useMemo(() => byClicks(counts), [counts]);
  return html`<${Panel} id=${`${id}-title`} title=${title}
    csv=${() => dimensionCSV(name, dimension, rows)}>
    ${dimension.map
      && html`<${WorldMap} counts=${counts}
        highest=${rows.find(([code]) => code !== "XX")?.[1] ?? 0} total=${total} chosen=${chosen}
        onChoose=${onChoose} />`}
    <${Bars} rows=${rows} total=${total} chosen=${chosen} onChoose=${onChoose} few=${few}
      label=${label} title=${text} />
  <//>`;
}

// A row filters all else that is shown by what it stands for, and takes the filter away again. The
// one that is chosen is always there.
function Bars({ rows, few, total, chosen, onChoose, label, title }) {
  const [more, setShown] = useState(few);
  const shown = Math.max(more, chosen ? rows.findIndex(([key]) => key === chosen) + 1 : 0);
  const highest = rows[0]?.[1] ?? 0;
  if (!rows.length) return html`<p class="panel-empty quiet">No data for this range.</p>`;
  return html`<ul class="bars" data-chosen=${Boolean(chosen)}>
    ${rows.slice(0, shown)
      .map(([key, clicks]) =>
        html`<li key=${key}><button type="button" class="bar" aria-pressed=${chosen === key}
          title=${title(key)} onClick=${() => onChoose(chosen === key ? "" : key)}>
      <span class="bar-fill" style=${{ transform: `scaleX(${highest ? clicks / highest : 0})` }}>
        </span>${label(key)}
      <span class="bar-share quiet">${share(clicks, total)}</span>
      <span class="bar-count">${count(clicks)}</span></button></li>`)}
  </ul>
  ${(rows.length > shown || more > few) && html`<p class="panel-more">
    ${rows.length > shown
      && html`<button type="button" class="text-button"
        onClick=${() => setShown(shown + step)}>
        Show ${count(Math.min(step, rows.length - shown))} more</button>`}
    ${more > few
      && html`<button type="button" class="text-button"
        onClick=${() => setShown(few)}>Show less</button>`}</p>`}`;
}

// PanelsSkeleton is what stands there until the first answer.
export const PanelsSkeleton = () => html`<div class="panels">
  <div class="panel"><i class="bone title-bone"></i><${WorldMap} counts=${{}} highest=${0}
    total=${0} onChoose=${() => {}} /><div class="bars-bone"></div></div>
  <div class="panel"><i class="bone title-bone"></i><div class="bars-bone"></div></div></div>`;

// The list below the map says the same in words and can be reached by keyboard.
function WorldMap({ counts, highest, total, chosen, onChoose }) {
  const [hover, setHover] = useState(null); // {code, left, top}
  const shapes = useMemo(() => Object.entries(countries).map(([code, path]) => {
    const clicks = counts[code] ?? 0;
    // By the root: next to the country with the most clicks all others would look the same.
    const level = clicks ? Math.ceil(6 * Math.sqrt(clicks / highest)) : 0;
    return html`<path key=${code} data-code=${code} data-level=${Math.min(6, level)}
      data-chosen=${code === chosen} data-dot=${path.includes("a")} d=${path} />`;
  }), [counts, highest, chosen]);
  const move = (event) => {
    const code = event.target.dataset?.code;
    const box = event.currentTarget.getBoundingClientRect();
    setHover(code ? { code, left: event.clientX - box.left, top: event.clientY - box.top,
      side: event.clientX - box.left > box.width / 2 ? "left" : "right" } : null);
  };
  const choose = (event) => counts[event.target.dataset?.code]
    && onChoose(event.target.dataset.code === chosen ? "" : event.target.dataset.code);
  return html`<div class="map" onPointerMove=${move} onPointerLeave=${() => setHover(null)}>
    <svg viewBox=${`0 0 ${width * 10} ${height * 10}`} role="img"
      aria-label="World map of clicks; same data in the list below" onClick=${choose}>
      ${shapes}</svg>
    ${hover && html`<div class="tip" data-side=${hover.side}
      style=${{ left: `${hover.left}px`, top: `${hover.top}px` }}>
      <span>${flag(hover.code)} ${countryName(hover.code)}</span>
      <b>${count(counts[hover.code] ?? 0)} <span class="quiet">
        ${share(counts[hover.code] ?? 0, total)}</span></b></div>`}
  </div>`;
}
