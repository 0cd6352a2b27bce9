// A calendar of months, in which one chooses days by mouse, finger or keyboard.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { dateFormat } from "./format.js";
import { html } from "./html.js";
import { firstDay, monthOf, monthsLater, moved, weeksOf } from "./month.js";
import { dayAt } from "./range.js";
import { IconButton } from "./ui.js";

// Days have no zone here, so they are formatted in UTC.
const format = (options) => {
  const formatter = dateFormat({ ...options, timeZone: "UTC" });
  return (day) => formatter().format(Date.parse(day));
};
const monthName = format({ month: "long", year: "numeric" });
export const dayName = format({ dateStyle: "full" });
const weekday = format({ weekday: "long" });
const weekdayInShort = format({ weekday: "short" });

// Calendar shows a number of months. at is the day with the focus, or under the pointer: the
// caller's, who gets another one by onAt. chosen are the first and the last day that are
// highlighted; so are others, in another way. first and last bound the days that can be chosen, ""
// for no bound. isEarly begins with the month of at, not with those before. onPoint gets a day that
// the pointer is over.
export function Calendar({
  at,
  onAt,
  months = 1,
  chosen: [from, to],
  others: [start, end] = ["", ""],
  first = "",
  last = "",
  today = dayAt(Date.now()),
  isEarly = false,
  onChoose,
  onPoint,
  children,
}) {
  const [shown, setShown] = useState(() => {
    // the last month that is shown
    const month = monthsLater(monthOf(at), isEarly ? months - 1 : 0);
    return last && month > monthOf(last) ? monthOf(last) : month;
  });
  const grid = useRef();
  const steered = useRef(false); // by keyboard
  const week = firstDay(new Intl.DateTimeFormat().resolvedOptions().locale);
  const oldest = monthsLater(shown, 1 - months);

  const go = (day) => {
    const month = monthOf(day);
    if (month > shown) setShown(month);
    else if (month < oldest) setShown(monthsLater(month, months - 1));
    onAt(day);
  };
  useLayoutEffect(() => {
    if (steered.current) grid.current.querySelector(`[data-day="${at}"]`)?.focus();
    steered.current = false;
  }, [at, shown]);
  const press = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !event.target.dataset.day) return;
    const to = moved(at, event, week);
    if (!to) return;
    event.preventDefault();
    steered.current = true;
    go(last && to > last ? last : to < first ? first : to);
  };
  // Turning the page takes the focusable day along.
  const turn = (n) => {
    const next = monthsLater(shown, n),
      least = monthsLater(next, 1 - months);
    setShown(next);
    if (monthOf(at) > next || monthOf(at) < least) onAt(n < 0 ? `${next}-01` : `${least}-01`);
  };
  const isOut = (day) => day < first || Boolean(last && day > last);
  const day = (name, i) => {
    if (!name) return html`<td key=${i}></td>`;
    const isIn = from <= name && name <= to,
      isOther = start <= name && name <= end;
    return html`<td key=${i} role="gridcell" aria-selected=${isIn} data-other=${isOther}
      data-end=${isIn && (name === from || name === to)}>
      <button type="button" data-day=${name} data-focus=${name === at}
        aria-label=${dayName(name) + (isOther ? ", compared" : "")}
        tabindex=${name === at ? 0 : -1} disabled=${isOut(name)}
        aria-current=${name === today ? "date" : undefined}
        onClick=${() => onChoose(name)} onPointerEnter=${() => onPoint?.(name)}>
        ${Number(name.slice(8))}</button></td>`;
  };
  const monthOfDays = (month) => {
    const weeks = weeksOf(month, week),
      id = `month-${month}`;
    return html`<div class="month" key=${month}><h2 id=${id}>${monthName(`${month}-01`)}</h2>
      <table role="grid" aria-labelledby=${id}><thead><tr>${weeks[1].map(
        (name) => html`<th key=${name} scope="col" abbr=${weekday(name)}>
          ${weekdayInShort(name).slice(0, 2)}</th>`,
      )}</tr></thead>
      <tbody>${weeks.map((days, i) => html`<tr key=${i}>${days.map(day)}</tr>`)}</tbody></table>
    </div>`;
  };
  return html`<div class="picker-days" data-months=${months} ref=${grid} onKeyDown=${press}>
    <${IconButton} icon="back" class="picker-turn" label="Previous month"
      disabled=${oldest <= monthOf(first)} onClick=${() => turn(-1)} />
    <${IconButton} icon="back" class="picker-turn forward" label="Next month"
      disabled=${Boolean(last) && shown >= monthOf(last)} onClick=${() => turn(1)} />
    ${Array.from({ length: months }, (_, i) => monthOfDays(monthsLater(oldest, i)))}
    ${children}</div>`;
}
