// When clicks happen: the hours of the week, as a coloured table.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { askWeek } from "./clicks.js";
import { weekCSV } from "./csv.js";
import { compact, count, share } from "./format.js";
import { html } from "./html.js";
import { Panel } from "./panels.js";
import { isLive } from "./range.js";
import { aborted } from "./transport.js";
import { IconButton, download } from "./ui.js";
import { useSeen } from "./use.js";
import { hourName, levelOf, levels, names } from "./week.js";

const hours = [...Array(24).keys()];

// useWeek loads the hours once they are visible, and reloads them each minute.
function useWeek(source, view, isSeen) {
  const [week, setWeek] = useState({ days: null, isCut: false });
  const minute = isLive(view.range) ? Math.floor(Date.now() / 60e3) : 0;
  useEffect(() => {
    if (!isSeen) return;
    const controller = new AbortController();
    // keep the data while the server is unreachable, which the page says
    askWeek(source, view, controller.signal)
      .then(setWeek)
      .catch((error) => {
        if (!aborted(error)) setWeek((old) => old);
      });
    return () => controller.abort();
  }, [isSeen, minute, JSON.stringify([source.clicks, view.range, view.asked])]);
  return week;
}

export function When({ source, view, measures }) {
  const place = useRef();
  const { days, isCut } = useWeek(source, view, useSeen(place));
  const [at, setAt] = useState(null); // under the pointer
  const { shown } = measures;
  const ends = useMemo(() => days && levels(days.flat().map(shown.of)), [days, shown]);
  return html`<${Panel} id="when" title="Hours of the week" extra=${html`<span class="unit quiet">
    ${isCut && "Last 200 days · "}${shown.head}</span>`}>
    <div class="when" ref=${place}>
      ${
        days
          ? html`<${Hours} days=${days} measure=${shown} ends=${ends} at=${at} setAt=${setAt} />
        <${Legend} ends=${ends} />
        <p class="panel-foot"><${Words} days=${days} measure=${shown} at=${at} />
          <${IconButton} icon="download" label="Export hours of the week as CSV"
            onClick=${() => download(...weekCSV(source.name, days, measures))} /></p>`
          : html`<div class="when-bone bone"></div>`
      }</div><//>`;
}

// Legend says which numbers each colour stands for.
const Legend = ({ ends }) => html`<p class="when-legend quiet" aria-hidden="true">
  <span><i></i>0</span>${ends.map(
    (end, i) => html`<span key=${i} data-level=${i + 1}><i></i>
      ${i === ends.length - 1 ? compact(end) : `≤ ${compact(end)}`}</span>`,
  )}</p>`;

// busiest returns the [day, hour] with the most.
function busiest(days, { of }) {
  const all = days.flatMap((hours, day) => hours.map((one, hour) => [day, hour, of(one)]));
  return all.reduce((most, one) => (one[2] > most[2] ? one : most));
}

function Words({ days, measure, at }) {
  const total = days.flat().reduce((sum, one) => sum + measure.of(one), 0);
  if (!total) return html`<span class="quiet">No data for this range.</span>`;
  const [day, hour] = at ?? busiest(days, measure),
    number = measure.of(days[day][hour]);
  return html`<span class="when-words">${!at && "Most: "}${names()[day]},${" "}
    ${hourName(hour)} to ${hourName((hour + 1) % 24)}: <b>${measure.say(number)}</b>${" "}
    <span class="quiet">${share(number, total)}</span></span>`;
}

// Tab reaches one of the cells, arrow keys the others from there.
function Hours({ days, measure, ends, at, setAt }) {
  const table = useRef();
  const [reached, setReached] = useState([0, 0]);
  const [titles, heads] = useMemo(() => [names(), hours.map(hourName)], []);
  const pointed = (event) => {
    const cell = event.target.closest?.("td");
    if (cell) setAt([Number(cell.dataset.day), Number(cell.dataset.hour)]);
  };
  const press = (event) => {
    const [day, hour] = reached;
    const to = {
      ArrowUp: [day - 1, hour],
      ArrowDown: [day + 1, hour],
      ArrowLeft: [day, hour - 1],
      ArrowRight: [day, hour + 1],
      Home: [day, 0],
      End: [day, 23],
    }[event.key];
    if (!to) return;
    event.preventDefault();
    const cell = table.current.querySelector(`[data-day="${to[0]}"][data-hour="${to[1]}"]`);
    cell?.focus();
  };
  const focused = (day, hour) => {
    setReached([day, hour]);
    setAt([day, hour]);
  };
  return html`<table role="grid" aria-label="Hours of the week" ref=${table}
    onPointerMove=${pointed} onPointerDown=${pointed} onKeyDown=${press}
    onPointerLeave=${(event) => event.pointerType === "mouse" && setAt(null)}
    onBlur=${() => setAt(null)}>
    <thead><tr><th scope="col"><span class="unseen">Day</span></th>${heads.map(
      (name, hour) =>
        html`<th scope="col" key=${hour}><span class=${hour % 6 ? "unseen" : "when-hour"}>
        ${name}</span></th>`,
    )}</tr></thead>
    <tbody>${days.map(
      (of, day) => html`<tr key=${day}>
      <th scope="row"><span aria-hidden="true">${titles[day].slice(0, 3)}</span>
        <span class="unseen">${titles[day]}</span></th>
      ${of.map(
        (one, hour) => html`<td key=${hour} data-day=${day} data-hour=${hour}
        data-level=${levelOf(measure.of(one), ends)}
        data-at=${at?.[0] === day && at[1] === hour}
        tabindex=${reached[0] === day && reached[1] === hour ? 0 : -1}
        onFocus=${() => focused(day, hour)}><span class="unseen">${count(measure.of(one))}</span>
      </td>`,
      )}</tr>`,
    )}</tbody></table>`;
}
