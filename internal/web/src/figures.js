// The numbers above the chart: how many people there were, and how often they clicked.
import { useState } from "preact/hooks";
import { count, share, timeZone } from "./format.js";
import { html } from "./html.js";
import { ExportMenu } from "./lazystats.js";
import { bounds, compared, daysIn, isLive } from "./range.js";
import { rangeInWords } from "./ranges.js";
import { spansOf } from "./spans.js";
import { useStore } from "./store.js";
import { connection } from "./transport.js";
import { Icon } from "./ui.js";

const spoken = { before: "in the previous period", year: "a year before" };

// countedDays returns how many days of a period an answer counts: where single clicks have been
// dropped, these may be fewer.
const countedDays = (period, { counted_start_time: start, counted_end_time: end }) =>
  daysIn(start ? { start: Date.parse(start), end: Date.parse(end) } : period);

// pairOf returns what a comparison is of: the periods, and days, of both, if they are unevenly
// long. Months of 30 and of 31 days are not. It returns null without a comparison.
function pairOf({ range, comparing }, data, earlier) {
  const now = comparing && bounds(range);
  if (!now) return null;
  const then = compared(now, range, comparing),
    days = [countedDays(now, data), countedDays(then, earlier)];
  const isCut = data.counted_start_time || earlier.counted_start_time;
  return { periods: [now, then], days: (comparing.from || isCut) && days[0] !== days[1] && days };
}

export function Figures({ source, view, data, measures, earlier, error }) {
  const [saving, setSaving] = useState(null); // the button that opened the menu
  const { there, shown } = measures,
    pair = earlier && pairOf(view, data, earlier);
  return html`<div class="figures">
    <div class="figure-row" role="group" aria-label="The page shows">${there.map(
      (measure) =>
        html`<${Figure} key=${measure.name} measure=${measure} view=${view} data=${data}
        earlier=${earlier} pair=${pair} isShown=${measure === shown}
        isOnly=${there.length === 1} />`,
    )}</div>
    ${pair && html`<${Legend} periods=${pair.periods} />`}
    <span class="figures-end"><${Status} view=${view} error=${error} />
      <span class="quiet zone" title="Time zone"><span class="unseen">Time zone: </span>
        ${timeZone().replaceAll("_", " ")}</span>
      <button type="button" class="text-button" aria-haspopup="menu"
        aria-expanded=${Boolean(saving)} onClick=${(event) => setSaving(event.currentTarget)}>
        <${Icon} name="download" />Export</button></span>
    ${
      saving &&
      html`<${ExportMenu} anchor=${saving} source=${source} view=${view} data=${data}
      measures=${measures} earlier=${earlier} onClose=${() => setSaving(null)} />`
    }</div>`;
}

// Legend says which line is which, by their first and last days.
const Legend = ({ periods }) =>
  html`<span class="legend quiet">${spansOf(...periods).map(
    (span, i) => html`<span key=${i}><svg viewBox="0 0 24 8" aria-hidden="true">
    <path class=${i ? "legend-line" : "legend-now"} d="M0 4h24" /></svg>${span}</span>`,
  )}</span>`;

// Figure is a number. If there are several, pressing one shows it in the chart and in all panels.
function Figure({ measure, view, data, earlier, pair, isShown, isOnly }) {
  const { name, total, unit } = measure,
    now = total(data);
  const number = html`<span class=${`total ${name}`}><b>${count(now)}</b> ${" "}
    ${unit(now)}</span>
    ${
      pair &&
      html`<${Change} now=${now} then=${total(earlier)} days=${pair.days} how=${view.comparing} />`
    }`;
  if (isOnly) return html`<p class="figure">${number}</p>`;
  return html`<button type="button" class="figure" aria-pressed=${isShown}
    onClick=${() => view.setMeasure(name)}>${number}</button>`;
}

function Status({ view, error }) {
  const away = useStore(connection) !== "up";
  if (error || away) {
    return html`<span class="live" data-off title=${error?.message}>Paused</span>`;
  }
  return isLive(view.range) ? html`<span class="live" title="Updates by itself">Live</span>` : null;
}

// Change says by how much a number is higher or lower. Sums over unequal days can't be compared, so
// that is said of their averages per day.
function Change({ now, then, days, how }) {
  const [a, b] = days ? [now / days[0], then / days[1]] : [now, then];
  if (a === b) return html`<span class="change">no change</span>`;
  if (!then) return html`<span class="change" data-up="true">new</span>`;
  const up = a > b,
    by = share(Math.abs(a - b), b) + (days ? " per day" : "");
  return html`<span class="change" data-up=${up}><span aria-hidden="true">
    ${up ? "▲" : "▼"} ${by} <span class="quiet">vs. ${count(then)}</span></span>
    <span class="unseen">${up ? "Up" : "Down"} ${by} from ${count(then)}${" "}
      ${spoken[how] ?? `in ${rangeInWords(how)}`}</span>
  </span>`;
}
