// Statistics: the chart, the panels, and what chooses the range.
import { useMemo, useRef, useState } from "preact/hooks";
import { connection } from "./api.js";
import { Chart } from "./chart.js";
import { isFiltered } from "./clicks.js";
import { clicksCSV } from "./csv.js";
import { dimensions, says } from "./dimensions.js";
import { count, share, shortURL, timeZone } from "./format.js";
import { html } from "./html.js";
import { DimensionPanel, PanelsSkeleton } from "./panels.js";
import { bounds, fromInput, isLive, presets, toInput } from "./range.js";
import { useStore } from "./store.js";
import { Command, Icon, Trouble, download, useKeys } from "./ui.js";

// Try has three ways to make a first click.
export const Try = ({ code, onQR }) => html`<${Command} line=${`curl -i ${shortURL(code)}`} />
  <p class="try"><a class="button" href=${shortURL(code)} target="_blank"
    rel="noreferrer noopener">Open it</a><button type="button" class="button"
    onClick=${onQR}>QR code</button></p>`;

export function Stats({ name, view, clicks, nothing, isNew, children }) {
  const { data, panels, earlier, error, stale, reload } = clicks;
  const { range, filters, comparing } = view;
  const filtered = isFiltered(filters);
  useKeys(Object.fromEntries(presets.map(([preset, , , key]) =>
    [key, () => view.setRange({ preset })])));
  return html`<${Ranges} view=${view} />
    ${filtered && html`<div class="chips">
      ${dimensions.map(({ name, chip }) => filters[name]
        && html`<${Chip} key=${name} onRemove=${() => view.setFilter(name, "")}>
          ${chip(filters[name])}<//>`)}</div>`}
    ${data ? html`<div class="stats" data-stale=${stale} aria-busy=${stale}>
      <${Figures} name=${name} range=${range} data=${data} earlier=${comparing ? earlier : null}
        error=${error} />
      ${data.total_clicks > 0 || comparing && earlier?.total_clicks
        ? html`<${Chart} series=${data.series}
          earlier=${comparing && earlier ? earlier.series : null} interval=${data.interval}
          live=${isLive(range)} onZoom=${view.zoom} onReset=${view.zoomOut} />`
        : html`<${NoClicks} range=${range} nothing=${nothing} isNew=${isNew} filtered=${filtered}
          view=${view} />`}
      <div class="panels">${dimensions.map((dimension) => {
        const { name: of } = dimension, answer = panels[of] ?? data, counts = answer[`by_${of}`];
        if (!says(dimension, counts, filters[of])) return null;
        return html`<${DimensionPanel} key=${of} dimension=${dimension} name=${name}
          counts=${counts} total=${answer.total_clicks} chosen=${filters[of]}
          onChoose=${(value) => view.setFilter(of, value)} />`;
      })}${children}</div>
    </div>` : error
      ? html`<${Trouble} title="Couldn't load clicks" message=${error.message} onRetry=${reload} />`
      : html`<${Skeleton} />`}`;
}

function NoClicks({ range, nothing, isNew, filtered, view }) {
  if (filtered) {
    return html`<div class="chart-empty"><h2>No data for this filter</h2>
      <button type="button" class="button" onClick=${view.clearFilters}>Remove filter</button>
    </div>`;
  }
  const never = range.preset === "all" || isLive(range) && isNew(bounds(range).start);
  return html`<div class="chart-empty">
    <h2>${never ? "No clicks yet. Try your link:" : "No clicks in this range"}</h2>
    ${never ? nothing
      : html`<button type="button" class="button"
        onClick=${() => view.setRange({ preset: "all" })}>Show all time</button>`}</div>`;
}

function Figures({ name, range, data, earlier, error }) {
  const away = useStore(connection) !== "up";
  const status = error || away
    ? html`<span class="live" data-off title=${error?.message}>Paused</span>`
    : isLive(range) ? html`<span class="live" title="Updates every few seconds">Live</span>` : null;
  return html`<div class="figures"><p class="total"><b>
    ${count(data.total_clicks)}</b> ${data.total_clicks === 1 ? "click" : "clicks"}</p>
    ${earlier && html`<${Change} now=${data.total_clicks} then=${earlier.total_clicks} />
      <span class="legend quiet"><svg viewBox="0 0 24 8" aria-hidden="true">
        <path class="legend-line" d="M0 4h24" /></svg>Previous period</span>`}
    <span class="figures-end">${status}
      <span class="quiet zone">Time zone: ${timeZone().replaceAll("_", " ")}</span>
    <button type="button" class="text-button"
      onClick=${() => download(...clicksCSV(name, data, earlier?.series))}>
      <${Icon} name="download" />Export CSV</button></span></div>`;
}

function Change({ now, then }) {
  if (now === then) return html`<span class="change">no change</span>`;
  if (!then) return html`<span class="change" data-up="true">new</span>`;
  const up = now > then, by = share(Math.abs(now - then), then);
  return html`<span class="change" data-up=${up}><span aria-hidden="true">
    ${up ? "▲" : "▼"} ${by} <span class="quiet">vs. ${count(then)}</span></span>
    <span class="unseen">
      ${up ? "Up" : "Down"} ${by} from ${count(then)} in the previous period</span></span>`;
}

const Chip = ({ onRemove, children }) =>
  html`<button type="button" class="chip" onClick=${onRemove}>
    <span class="unseen">Remove filter: </span><span class="chip-text">${children}</span>
    <${Icon} name="close" /></button>`;

function Ranges({ view }) {
  const { range, comparing } = view;
  const [choosing, setChoosing] = useState(false);
  const custom = choosing || !range.preset;
  const pick = (preset) => {
    setChoosing(false);
    view.setRange({ preset });
  };
  return html`<div class="ranges"><div class="segments" role="group" aria-label="Range">
      ${presets.map(([name, label, long]) =>
        html`<button type="button" key=${name} title=${long}
          aria-pressed=${!custom && range.preset === name} onClick=${() => pick(name)}>
          ${label}</button>`)}
      <button type="button" aria-pressed=${custom} aria-expanded=${custom}
        onClick=${() => setChoosing(!choosing)}>Custom</button></div>
    ${!range.preset
      && html`<button type="button" class="button" onClick=${view.zoomOut}>Reset zoom</button>`}
    ${range.preset !== "all" && html`<label class="check">
      <input type="checkbox" checked=${comparing}
        onChange=${(e) =>
          view.setComparing(e.target.checked)} />Compare to previous period</label>`}
    ${custom && html`<${Custom} key=${`${range.from}-${range.to}`} range=${range}
      onApply=${(next) => { setChoosing(false); view.setRange(next); }} />`}</div>`;
}

function Custom({ range, onApply }) {
  const initial =
    useMemo(() => bounds(range) ?? { start: Date.now() - 30 * 86400e3, end: Date.now() }, []);
  const [from, setFrom] = useState(toInput(initial.start));
  const [to, setTo] = useState(toInput(initial.end));
  const [problem, setProblem] = useState("");
  const first = useRef();
  const apply = (event) => {
    event.preventDefault();
    const next = { from: fromInput(from), to: fromInput(to) };
    if (!(next.from < next.to)) return setProblem("End must be after start.");
    setProblem("");
    onApply(next);
  };
  return html`<form class="custom" onSubmit=${apply}>
    <label>From <input ref=${first} class="field" type="datetime-local" required value=${from}
      onInput=${(e) => setFrom(e.target.value)} /></label>
    <label>To <input class="field" type="datetime-local" required value=${to}
      onInput=${(e) => setTo(e.target.value)}
      aria-describedby=${problem ? "custom-problem" : undefined} /></label>
    <button class="button">Apply</button>
    ${problem && html`<p id="custom-problem" class="problem" role="alert">${problem}</p>`}</form>`;
}

const Skeleton = () => html`<div class="stats" role="status" aria-label="Loading clicks">
  <div class="figures"><i class="bone total-bone"></i></div><div class="chart-bone"></div>
  <${PanelsSkeleton} /></div>`;
