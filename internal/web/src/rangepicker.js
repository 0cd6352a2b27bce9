// A calendar in which one chooses a range of days, with the named ranges beside it.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { dateFormat } from "./format.js";
import { html } from "./html.js";
import { Popover, isNarrow } from "./menu.js";
import { firstDay, monthOf, monthsLater, moved, weeksOf } from "./month.js";
import { bounds, calendar, dayAt, ofDays } from "./range.js";
import { IconButton, say } from "./ui.js";

// Days have no zone here, so they are formatted in UTC.
const format = (options) => {
  const formatter = dateFormat({ ...options, timeZone: "UTC" });
  return (day) => formatter().format(Date.parse(day));
};
const monthName = format({ month: "long", year: "numeric" });
const dayName = format({ dateStyle: "full" });
const weekday = format({ weekday: "long" });
const weekdayInShort = format({ weekday: "short" });

export function RangePicker({ anchor, range, onPick, onClose }) {
  return html`<${Popover} anchor=${anchor} label="Choose a range" class="picker" onClose=${onClose}>
    <div class="picker-body">
      <div class="picker-presets" role="group" aria-label="Named ranges">${calendar.map(
        ([name, label]) => html`<button type="button" key=${name} class="menu-item"
          aria-pressed=${range.preset === name} onClick=${() => onPick({ preset: name })}>
          ${label}</button>`,
      )}</div>
      <${Days} range=${range} onPick=${onPick} />
    </div>
  <//>`;
}

function Days({ range, onPick }) {
  const today = dayAt(Date.now()),
    shown = bounds(range);
  const span = shown && [dayAt(shown.start), dayAt(Math.min(shown.end, Date.now()))];
  const [first, setFirst] = useState(""); // of a new range
  const [at, setAt] = useState(span?.[1] ?? today); // the day with the focus, or under the pointer
  const months = isNarrow() ? 1 : 2;
  const [end, setEnd] = useState(monthOf(at)); // the last month that is shown
  const grid = useRef();
  const steered = useRef(false); // by keyboard
  const week = firstDay(new Intl.DateTimeFormat().resolvedOptions().locale);

  const go = (day) => {
    const month = monthOf(day);
    if (month > end) setEnd(month);
    else if (month < monthsLater(end, 1 - months)) setEnd(monthsLater(month, months - 1));
    setAt(day);
  };
  useLayoutEffect(() => {
    if (steered.current) grid.current.querySelector(`[data-day="${at}"]`)?.focus();
    steered.current = false;
  }, [at, end]);
  const press = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !event.target.dataset.day) return;
    const to = moved(at, event, week);
    if (!to) return;
    event.preventDefault();
    steered.current = true;
    go(to < today ? to : today);
  };
  const choose = (day) => {
    if (first) return onPick(ofDays(...[first, day].sort()));
    setFirst(day);
    setAt(day);
    say(`From ${dayName(day)}. Choose the last day.`);
  };
  // Turning the page takes the focusable day along.
  const turn = (n) => {
    const next = monthsLater(end, n);
    setEnd(next);
    const oldest = monthsLater(next, 1 - months);
    if (monthOf(at) > next || monthOf(at) < oldest) setAt(n < 0 ? `${next}-01` : `${oldest}-01`);
  };
  const [from, to] = first ? [first, at].sort() : (span ?? ["", ""]);
  return html`<div class="picker-days" ref=${grid} onKeyDown=${press}>
    <${IconButton} icon="back" class="picker-turn" label="Previous month"
      onClick=${() => turn(-1)} />
    <${IconButton} icon="back" class="picker-turn forward" label="Next month"
      disabled=${end >= monthOf(today)} onClick=${() => turn(1)} />
    ${Array.from({ length: months }, (_, i) => monthsLater(end, i + 1 - months)).map(
      (month) => html`<${Month} key=${month} month=${month} week=${week} at=${at} today=${today}
        from=${from} to=${to} onChoose=${choose} onPoint=${(day) => first && setAt(day)} />`,
    )}
    <p class="picker-hint quiet">${
      first ? `From ${dayName(first)}. Choose the last day.` : "Choose the first day."
    }</p></div>`;
}

function Month({ month, week, at, today, from, to, onChoose, onPoint }) {
  const weeks = weeksOf(month, week),
    id = `month-${month}`;
  const day = (name, i) => {
    if (!name) return html`<td key=${i}></td>`;
    const isIn = from <= name && name <= to;
    return html`<td key=${i} role="gridcell" aria-selected=${isIn}
      data-end=${isIn && (name === from || name === to)}>
      <button type="button" data-day=${name} data-focus=${name === at} aria-label=${dayName(name)}
        tabindex=${name === at ? 0 : -1} disabled=${name > today}
        aria-current=${name === today ? "date" : undefined}
        onClick=${() => onChoose(name)} onPointerEnter=${() => onPoint(name)}>
        ${Number(name.slice(8))}</button></td>`;
  };
  return html`<div class="month"><h2 id=${id}>${monthName(`${month}-01`)}</h2>
    <table role="grid" aria-labelledby=${id}><thead><tr>${weeks[1].map(
      (name) => html`<th key=${name} scope="col" abbr=${weekday(name)}>
        ${weekdayInShort(name).slice(0, 2)}</th>`,
    )}</tr></thead>
    <tbody>${weeks.map((days, i) => html`<tr key=${i}>${days.map(day)}</tr>`)}</tbody></table>
  </div>`;
}
