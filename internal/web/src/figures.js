// The numbers above the chart: how many people there were, and how often they clicked.
import { useState } from "preact/hooks";
import { count, share, timeZone } from "./format.js";
import { html } from "./html.js";
import { ExportMenu } from "./lazystats.js";
import { isLive } from "./range.js";
import { useStore } from "./store.js";
import { connection } from "./transport.js";
import { Icon } from "./ui.js";

const names = { before: "Previous period", year: "Year before" };
const spoken = { before: "in the previous period", year: "a year before" };

export function Figures({ source, view, data, measures, earlier, error }) {
  const [saving, setSaving] = useState(null); // the button that opened the menu
  const { there, shown } = measures;
  return html`<div class="figures">
    <div class="figure-row" role="group" aria-label="The page shows">${there.map(
      (measure) =>
        html`<${Figure} key=${measure.name} measure=${measure} view=${view} data=${data}
        earlier=${earlier} isShown=${measure === shown} isOnly=${there.length === 1} />`,
    )}</div>
    ${
      earlier &&
      html`<span class="legend quiet"><svg viewBox="0 0 24 8" aria-hidden="true">
        <path class="legend-line" d="M0 4h24" /></svg>${names[view.comparing]}</span>`
    }
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

// Figure is a number. If there are several, pressing one shows it in the chart and in all panels.
function Figure({ measure, view, data, earlier, isShown, isOnly }) {
  const { name, total, unit } = measure,
    now = total(data);
  const number = html`<span class=${`total ${name}`}><b>${count(now)}</b> ${" "}
    ${unit(now)}</span>
    ${
      earlier &&
      html`<${Change} now=${now} then=${total(earlier)}
      how=${view.comparing} />`
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

function Change({ now, then, how }) {
  if (now === then) return html`<span class="change">no change</span>`;
  if (!then) return html`<span class="change" data-up="true">new</span>`;
  const up = now > then,
    by = share(Math.abs(now - then), then);
  return html`<span class="change" data-up=${up}><span aria-hidden="true">
    ${up ? "▲" : "▼"} ${by} <span class="quiet">vs. ${count(then)}</span></span>
    <span class="unseen">${up ? "Up" : "Down"} ${by} from ${count(then)} ${spoken[how]}</span>
  </span>`;
}
