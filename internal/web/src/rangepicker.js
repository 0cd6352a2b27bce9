// A calendar in which one chooses a range of days, and another that it is compared with. The named
// ranges stand beside it.
import { useState } from "preact/hooks";
import { Calendar, dayName } from "./calendar.js";
import { html } from "./html.js";
import { Popover, isNarrow } from "./menu.js";
import { bounds, calendar, compared, dayAt, ofDays } from "./range.js";
import { spansOf } from "./spans.js";
import { say } from "./ui.js";

// comparisons are the named ones: value, label.
const comparisons = [
  ["", "No comparison"],
  ["before", "Previous period"],
  ["year", "Year before"],
];

// RangePicker begins with the comparison if that is asked for. All time has none.
export function RangePicker({ anchor, range, comparing, isComparing, onPick, onCompare, onClose }) {
  const [isOther, setOther] = useState(isComparing); // whether the comparison is chosen
  const period = bounds(range);
  const mode = (label, value) => html`<button type="button" aria-pressed=${isOther === value}
    onClick=${() => setOther(value)}>${label}</button>`;
  return html`<${Popover} anchor=${anchor} class="picker" onClose=${onClose}
    label=${isOther ? "Choose what to compare with" : "Choose a range"}>
    ${
      period &&
      html`<div class="picker-modes"><div class="segments" role="group" aria-label="Choose">
        ${mode("Range", false)}${mode("Compare with", true)}</div></div>`
    }
    <div class="picker-body" key=${isOther}>${
      isOther
        ? html`<div class="picker-presets" role="group" aria-label="Named comparisons">
          ${comparisons.map(
            ([value, label]) => html`<button type="button" key=${value} class="menu-item"
              data-focus=${comparing === value} aria-pressed=${comparing === value}
              onClick=${() => onCompare(value)}><span>${label}
              ${value && html`<small>${spansOf(compared(period, range, value))}</small>`}
              </span></button>`,
          )}</div>`
        : html`<div class="picker-presets" role="group" aria-label="Named ranges">
          ${calendar.map(
            ([name, label]) => html`<button type="button" key=${name} class="menu-item"
              aria-pressed=${range.preset === name} onClick=${() => onPick({ preset: name })}>
              ${label}</button>`,
          )}</div>`
    }
      <${Days} shown=${daysOf(period)} isOther=${isOther}
        others=${daysOf(comparing && compared(period, range, comparing))}
        onChoose=${isOther ? onCompare : onPick} />
    </div>
  <//>`;
}

// daysOf returns the first and the last day of a period, undefined without one.
const daysOf = (period) =>
  period ? [dayAt(period.start), dayAt(Math.min(period.end, Date.now()))] : undefined;

// Days chooses a range by its two ends: shown, or others if it is the comparison.
function Days({ shown, others, isOther, onChoose }) {
  const today = dayAt(Date.now()),
    now = isOther ? others : shown;
  const [first, setFirst] = useState(""); // of a new range
  const [at, setAt] = useState(now?.[1] ?? shown?.[0] ?? today); // with the focus, or pointed at
  const fresh = first && [first, at].sort();
  const choose = (day) => {
    if (first) return onChoose(ofDays(...[first, day].sort()));
    setFirst(day);
    setAt(day);
    say(`From ${dayName(day)}. Choose the last day.`);
  };
  return html`<${Calendar} at=${at} onAt=${setAt} months=${isNarrow() ? 1 : 2}
    chosen=${(!isOther && fresh) || shown || ["", ""]} others=${(isOther && fresh) || others}
    last=${today} isEarly=${isOther} onChoose=${choose} onPoint=${(day) => first && setAt(day)}>
    <p class="picker-hint quiet">${
      first ? `From ${dayName(first)}. Choose the last day.` : "Choose the first day."
    }</p><//>`;
}
