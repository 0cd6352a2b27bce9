// Controls for the range of time, the comparison, and who is counted.
import { useState } from "preact/hooks";
import { dateFormat } from "./format.js";
import { html } from "./html.js";
import { lazy, part } from "./lazy.js";
import { People } from "./people.js";
import { isDays, nameOf, presets } from "./range.js";
import { place } from "./router.js";
import { useStore } from "./store.js";

const picker = part(() => import("./rangepicker.js"));
const RangePicker = lazy(picker, "RangePicker");

const days = dateFormat({ day: "numeric", month: "short", year: "numeric" });
const hours = dateFormat({ dateStyle: "medium", timeStyle: "short" });

export function Ranges({ view, bots }) {
  const { range, comparing } = view;
  const [anchor, setAnchor] = useState(null); // of the calendar, when it is open
  const { state } = useStore(place);
  const rolling = presets.some(([name]) => name === range.preset);
  const isZoomed = state?.wider || (!range.preset && !isDays(range));
  const pick = (next) => {
    setAnchor(null);
    view.setRange(next);
  };
  return html`<div class="ranges"><div class="segments" role="group" aria-label="Range">
      ${presets.map(
        ([name, label, long]) =>
          html`<button type="button" key=${name} title=${long}
          aria-pressed=${range.preset === name} onClick=${() => pick({ preset: name })}>
          ${label}</button>`,
      )}
      <button type="button" aria-pressed=${!rolling} aria-haspopup="dialog"
        aria-expanded=${Boolean(anchor)}
        onClick=${(event) => setAnchor(event.currentTarget)}>
        ${rolling ? "Custom" : inShort(range)}</button></div>
    ${
      isZoomed &&
      html`<button type="button" class="button" onClick=${view.zoomOut}>Reset zoom</button>`
    }
    ${
      range.preset !== "all" &&
      html`<${Comparison}
      value=${comparing} onChange=${view.setComparing} />`
    }
    <${People} view=${view} bots=${bots} />
    ${
      anchor &&
      html`<${RangePicker} anchor=${anchor} range=${range} onPick=${pick}
      onClose=${() => setAnchor(null)} />`
    }</div>`;
}

const formatOf = (range) => (isDays(range) ? days() : hours());

const inShort = ({ preset, from, to }) =>
  preset ? nameOf(preset) : formatOf({ from, to }).formatRange(from, to);

// rangeInWords is for reading aloud, where a dash says nothing.
export function rangeInWords({ preset, from, to }) {
  const { format } = formatOf({ from, to });
  return preset ? nameOf(preset) : `${format(from)} to ${format(to)}`;
}

const Comparison = ({ value, onChange }) =>
  html`<select class="field choice" aria-label="Compare with" value=${value}
    data-on=${Boolean(value)} onChange=${(e) => onChange(e.target.value)}>
    <option value="">Compare</option>
    <option value="before">Previous period</option>
    <option value="year">Year before</option></select>`;
