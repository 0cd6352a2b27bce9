// Panels: what is counted, by dimension, a tab for each.
import { useMemo, useRef, useState } from "preact/hooks";
import { Bars } from "./bars.js";
import { says } from "./dimensions.js";
import { chosen } from "./filters.js";
import { count, lookUp } from "./format.js";
import { html } from "./html.js";
import { AllValues, exportPanel } from "./lazystats.js";
import { WorldMap } from "./map.js";
import { byMost, valuesOf } from "./measure.js";
import { IconButton, tell } from "./ui.js";

const firstCount = 10; // rows at first

// Panel has a title, and below its contents a foot with actions on them.
export const Panel = ({ id, title, wide, extra, children }) =>
  html`<section class=${wide ? "panel wide" : "panel"} aria-labelledby=${`${id}-title`}>
  <header class="panel-head"><h2 id=${`${id}-title`}>${title}</h2>${extra}</header>
  ${children}</section>`;

// isShown reports whether a panel is shown: an optional one only if it says something, and if there
// are no clicks, only one with a filter.
export const isShown = ({ optional, tabs }, view, answers, isEmpty) =>
  tabs.some(
    (tab) =>
      isChosen(chosen(view.filters, tab.name)) ||
      (!isEmpty && (!optional || says(tab, answers[tab.name]))),
  );

const isChosen = ({ only, not }) => only.length > 0 || not.length > 0;

export function DimensionPanel({ panel, source, view, answers, measures }) {
  const { id, title, tabs } = panel,
    open = view.openIn(panel);
  return html`<${Panel} id=${id} title=${title} extra=${
    tabs.length > 1 && html`<${Tabs} panel=${panel} open=${open} view=${view} answers=${answers} />`
  }>
    <div class="panel-body" key=${open.name} ...${
      tabs.length > 1 && {
        id: `${id}-panel`,
        role: "tabpanel",
        "aria-labelledby": `${id}-${open.name}`,
      }
    }>
      ${
        answers[open.name]
          ? html`<${Values} dimension=${open} source=${source} view=${view}
          answer=${answers[open.name]} measures=${measures} />`
          : html`<div class="bars-bone" role="status" aria-label=${`Loading ${open.tab}`}></div>`
      }
    </div><//>`;
}

// Tab reaches one of the tabs, arrow keys the others from there.
function Tabs({ panel: { id, title, tabs }, panel, open, view, answers }) {
  const list = useRef();
  const press = (event) => {
    const at = tabs.indexOf(open),
      last = tabs.length - 1;
    const to = {
      ArrowLeft: at ? at - 1 : last,
      ArrowRight: at < last ? at + 1 : 0,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    view.openTab(panel, tabs[to].name);
    list.current.children[to].focus();
  };
  const isQuiet = (tab) => answers[tab.name] && !says(tab, answers[tab.name]);
  return html`<div class="tabs" role="tablist" aria-label=${title} ref=${list}
    onKeyDown=${press}>${tabs.map(
      (tab) =>
        html`<button type="button" role="tab" key=${tab.name} id=${`${id}-${tab.name}`}
        aria-selected=${tab === open} aria-controls=${tab === open ? `${id}-panel` : undefined}
        tabindex=${tab === open ? 0 : -1} data-quiet=${isQuiet(tab)}
        onClick=${() => view.openTab(panel, tab.name)}>${tab.tab}</button>`,
    )}</div>`;
}

function Values({ dimension, source, view, answer, measures }) {
  const [all, setAll] = useState(false);
  const { name, many, nothing, map } = dimension,
    { measure, counts, total, rest } = valuesOf(answer, measures),
    picked = chosen(view.filters, name);
  const rows = useMemo(() => byMost(counts), [counts]);
  if (!rows.length && !isChosen(picked)) {
    return html`<p class="panel-empty quiet">No values with this filter.</p>`;
  }
  if (nothing && !says(dimension, answer) && !isChosen(picked)) {
    return html`<p class="panel-empty quiet">${nothing}</p>`;
  }
  const toggle = (value, not) => view.toggle(name, value, not);
  return html`${
    map &&
    html`<${WorldMap} counts=${counts} total=${total} measure=${measure} picked=${picked}
      onToggle=${toggle} />`
  }
    <${Bars} rows=${firstRows(rows, counts, picked)} total=${total} highest=${rows[0]?.[1] ?? 0}
      measure=${measure} dimension=${dimension} picked=${picked} view=${view} />
    <p class="panel-foot">${
      (rows.length > firstCount || rest > 0) &&
      html`<button type="button" class="text-button" onClick=${() => setAll(true)}>
        All ${rest ? "" : count(rows.length)} ${many}</button>`
    }
      <${Save} dimension=${dimension} source=${source} view=${view} measures=${measures} /></p>
    ${
      all &&
      html`<${AllValues} dimension=${dimension} source=${source} view=${view}
      measures=${measures} onClose=${() => setAll(false)} />`
    }`;
}

// firstRows returns the highest rows, and chosen ones.
function firstRows(rows, counts, { only, not }) {
  const first = rows.slice(0, firstCount),
    there = new Set(first.map(([value]) => value));
  const others = [...only, ...not].filter((value) => !there.has(value));
  return [...first, ...others.map((value) => [value, lookUp(counts, value) ?? 0])];
}

// Save downloads all values as a file. It requests them first, because the panel has only what it
// shows.
function Save({ dimension, source, view, measures }) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    if (busy) return;
    setBusy(true);
    try {
      await exportPanel(source, view, dimension, measures);
    } catch (error) {
      tell(`Couldn't export: ${error.message}`);
    }
    setBusy(false);
  };
  return html`<${IconButton} icon="download" label=${`Export ${dimension.many} as CSV`}
    aria-busy=${busy} onClick=${save} />`;
}

// PanelsSkeleton is the placeholder until the first answer.
export const PanelsSkeleton = () => html`<div class="panels">
  ${[0, 1].map(
    (column) => html`<div class="panel-column" key=${column}><div class="panel">
    <i class="bone title-bone"></i>${
      column === 1 &&
      html`<${WorldMap} counts=${{}} total=${0}
      picked=${{ only: [], not: [] }} />`
    }
    <div class="bars-bone"></div></div></div>`,
  )}</div>`;
