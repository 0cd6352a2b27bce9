// Controls for the range of time, the comparison, and who is counted.
import { useState } from "preact/hooks";
import { dateFormat } from "./format.js";
import { html } from "./html.js";
import { lazy, part } from "./lazy.js";
import { People } from "./people.js";
import { isDays, nameOf, presets } from "./range.js";
import { place } from "./router.js";
import { useStore } from "./store.js";
import { Icon } from "./ui.js";

const picker = part(() => import("./rangepicker.js"));
const RangePicker = lazy(picker, "RangePicker");

const days = dateFormat({ day: "numeric", month: "short", year: "numeric" });
const hours = dateFormat({ dateStyle: "medium", timeStyle: "short" });

export function Ranges({ view, bots }) {
  const { range, comparing } = view;
  const [picking, setPicking] = useState(null); // {anchor, isComparing} of an open calendar
  const { state } = useStore(place);
  const rolling = presets.some(([name]) => name === range.preset);
  const isZoomed = state?.wider || (!range.preset && !isDays(range));
  const open = (isComparing) => (event) => setPicking({ anchor: event.currentTarget, isComparing });
  const isOpen = (isComparing) => picking?.isComparing === isComparing;
  const done = (set) => (next) => {
    setPicking(null);
    set(next);
  };
  const pick = done(view.setRange);
  return html`<div class="ranges"><div class="segments" role="group" aria-label="Range">
      ${presets.map(
        ([name, label, long]) =>
          html`<button type="button" key=${name} title=${long}
          aria-pressed=${range.preset === name} onClick=${() => pick({ preset: name })}>
          ${label}</button>`,
      )}
      <button type="button" aria-pressed=${!rolling} aria-haspopup="dialog"
        aria-expanded=${isOpen(false)} onClick=${open(false)}>
        ${rolling ? "Custom" : inShort(range)}</button></div>
    ${
      isZoomed &&
      html`<button type="button" class="button" onClick=${view.zoomOut}>Reset zoom</button>`
    }
    ${
      range.preset !== "all" &&
      html`<button type="button" class="button pick choice" data-on=${Boolean(comparing)}
        aria-label=${comparing ? `Compare with: ${comparisonOf(comparing)}` : "Compare"}
        aria-haspopup="dialog" aria-expanded=${isOpen(true)} onClick=${open(true)}>
        <span>${comparing ? comparisonOf(comparing) : "Compare"}</span><${Icon} name="down" />
      </button>`
    }
    <${People} view=${view} bots=${bots} />
    ${
      picking &&
      html`<${RangePicker} ...${picking} range=${range} comparing=${comparing}
      onPick=${pick} onCompare=${done(view.setComparing)} onClose=${() => setPicking(null)} />`
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

const named = { before: "Previous period", year: "Year before" };

// comparisonOf says what a range is compared with.
const comparisonOf = (comparing) => named[comparing] ?? inShort(comparing);

// comparisonInWords is for reading aloud, "" without a comparison.
export const comparisonInWords = (comparing) =>
  comparing && (named[comparing]?.toLowerCase() ?? rangeInWords(comparing));
