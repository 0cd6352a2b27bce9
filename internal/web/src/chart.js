// A chart of clicks over time. It is SVG, so its colours come from the style sheet.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { compact, count, dateFormat, plural } from "./format.js";
import { html } from "./html.js";
import { after, isDayStart } from "./range.js";

const height = 264;
const margin = { top: 12, right: 12, bottom: 28, left: 48 };
const labelWidth = 84,
  yearWidth = 112; // room for a label of the time axis

const formats = {
  hour: dateFormat({
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "numeric",
    minute: "2-digit",
  }),
  day: dateFormat({ weekday: "short", day: "numeric", month: "short", year: "numeric" }),
  week: dateFormat({ day: "numeric", month: "short", year: "numeric" }),
  month: dateFormat({ month: "long", year: "numeric" }),
};
const clock = dateFormat({ hour: "numeric", minute: "2-digit" });
const date = dateFormat({ day: "numeric", month: "short" });
const dateYear = dateFormat({ day: "numeric", month: "short", year: "numeric" });
const month = dateFormat({ month: "short", year: "numeric" });

export function intervalName(time, interval) {
  if (interval === "week") return formats.week().formatRange(time, after(time, "week") - 1);
  return formats[interval]().format(time);
}

// ticks returns the labels of the time axis. The first date of a year shows the year, unless all
// are in the current one.
function ticks(series, interval, inner) {
  const yearOf = (p) => new Date(p.time).getFullYear();
  const isThisYear = series.every((p) => yearOf(p) === new Date().getFullYear());
  const every = Math.max(
    1,
    Math.ceil((series.length * (isThisYear ? labelWidth : yearWidth)) / inner),
  );
  let year = isThisYear ? yearOf(series[0]) : 0;
  return series.flatMap((p, i) => {
    if (i % every) return [];
    const isClock = interval === "hour" && (i === 0 || !isDayStart(p.time));
    if (interval === "month" || isClock)
      return [{ i, time: p.time, text: (isClock ? clock : month)().format(p.time) }];
    const text = (yearOf(p) === year ? date : dateYear)().format(p.time);
    year = yearOf(p);
    return [{ i, time: p.time, text }];
  });
}

// scale returns the values of the horizontal lines, from 0 to a round number above the highest.
export function scale(highest) {
  const rough = Math.max(highest, 5) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(
    1,
    [1, 2, 2.5, 5, 10].map((f) => f * power).find((s) => s >= rough && Number.isInteger(s)) ??
      Math.ceil(rough),
  );
  const lines = [];
  for (let value = 0; ; value += step) {
    lines.push(value);
    if (value >= highest && value > 0) return lines;
  }
}

function useWidth(ref) {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry.contentRect.width)));
    observer.observe(ref.current);
    setWidth(Math.round(ref.current.getBoundingClientRect().width));
    return () => observer.disconnect();
  }, []);
  return width;
}

const heads = { visitors: "Visitors", clicks: "Clicks" };
const titles = { visitors: "Visitors over time", clicks: "Clicks over time" };
const say = {
  visitors: (n) => plural(n, "visitor", "visitors"),
  clicks: (n) => plural(n, "click", "clicks"),
};

// series and earlier are lists of {time, clicks, visitors}; earlier is null without a comparison.
// measure is what the line shows; live means that the last interval is not over.
export function Chart({ series, earlier, interval, measure, live, onZoom, onReset }) {
  const of = (p) => p[measure] ?? 0,
    title = `${titles[measure]}, by ${interval}`;
  const box = useRef();
  const width = useWidth(box);
  const [hover, setHover] = useState(-1);
  const [drag, setDrag] = useState(null); // {from, to}: indexes
  const by = useRef(""); // input that chose the point: "mouse", "touch", "pen" or "key"
  const last = series.length - 1;

  const plot = useMemo(() => {
    const inner = Math.max(1, width - margin.left - margin.right),
      tall = height - margin.top - margin.bottom;
    const highest = Math.max(...series.map(of), ...(earlier ?? []).map(of), 0);
    const lines = scale(highest),
      top = lines.at(-1);
    const x = (i) => margin.left + (last > 0 ? (inner * i) / last : inner / 2);
    const y = (value) => margin.top + tall * (1 - value / top);
    const line = (points) =>
      points.map((p, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(of(p)).toFixed(1)}`).join("");
    return { inner, x, y, lines, line, labels: ticks(series, interval, inner), base: y(0) };
  }, [width, series, earlier, measure]);
  const { inner, x, y, lines, line, labels, base } = plot;

  const at = (event) => {
    const left = event.clientX - box.current.getBoundingClientRect().left - margin.left;
    return Math.min(last, Math.max(0, Math.round((left / inner) * last || 0)));
  };
  const selected =
    drag && drag.from !== drag.to
      ? [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)]
      : null;
  const clear = () => {
    setHover(-1);
    setDrag(null);
  };
  const zoom = () => {
    if (selected) onZoom(series[selected[0]].time, after(series[selected[1]].time, interval) - 1);
    clear();
  };
  const held = useRef(false);
  const down = (event) => {
    if (event.button !== 0) return;
    by.current = event.pointerType;
    held.current = true;
    event.currentTarget.setPointerCapture(event.pointerId);
    const i = at(event);
    setHover(i);
    setDrag({ from: i, to: i });
  };
  const move = (event) => {
    if (event.pointerType !== "mouse" && !held.current) return;
    by.current = event.pointerType;
    const i = at(event);
    setHover(i);
    if (held.current) setDrag({ ...drag, to: i });
  };
  // A mouse zooms into the dragged range. A finger's selection stays, and zooming takes a button,
  // because fingers slip.
  const up = (event) => {
    held.current = false;
    if (!selected) setDrag(null);
    else if (event.pointerType === "mouse") zoom();
  };
  const cancel = () => {
    held.current = false;
    clear();
  };
  const leave = (event) => event.pointerType === "mouse" && !held.current && clear();
  // By keyboard the chart is a slider over its points; Shift selects a range, and Enter zooms into
  // it.
  const press = (event) => {
    const from = hover < 0 ? last : hover,
      page = Math.max(1, Math.round(last / 10));
    const to = {
      ArrowLeft: from - (hover < 0 ? 0 : 1),
      ArrowRight: from + 1,
      ArrowDown: from - 1,
      ArrowUp: from + 1,
      PageDown: from - page,
      PageUp: from + page,
      Home: 0,
      End: last,
    }[event.key];
    if (to !== undefined) {
      const i = Math.min(last, Math.max(0, to));
      by.current = "key";
      setHover(i);
      setDrag(event.shiftKey ? { from: drag?.from ?? from, to: i } : null);
    } else if (event.key === "Enter" && drag) zoom();
    else if (event.key === "Escape" && hover >= 0) clear();
    else if (event.key === "Backspace") onReset();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  useEffect(clear, [interval, last]); // the point is somewhere else now
  useEffect(() => {
    const elsewhere = (event) =>
      by.current !== "mouse" && !box.current.contains(event.target) && clear();
    document.addEventListener("pointerdown", elsewhere);
    return () => document.removeEventListener("pointerdown", elsewhere);
  }, []);

  const solid = live && last > 0 ? series.slice(0, -1) : series;
  const point = hover >= 0 && hover <= last ? series[hover] : null;
  const spoken = (p) => `${intervalName(p.time, interval)}: ${say[measure](of(p))}`;
  const current = point ?? series[last];
  const columns = measure === "visitors" ? ["visitors", "clicks"] : ["clicks"];
  const asks = selected && by.current !== "mouse";
  const middle =
    selected && Math.min(width - 52, Math.max(52, (x(selected[0]) + x(selected[1])) / 2));
  return html`<figure class="chart" ref=${box}>
    ${
      width > 0 &&
      html`<svg width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`}
      aria-hidden="true"
      onPointerDown=${down} onPointerMove=${move} onPointerUp=${up} onPointerCancel=${cancel}
      onPointerLeave=${leave} onDblClick=${() => by.current === "mouse" && onReset()}>
      <rect class="chart-ground" width=${width} height=${height} />
      ${lines.map(
        (value) =>
          html`<g key=${value}><line class="chart-grid" x1=${margin.left} x2=${width - margin.right}
          y1=${y(value)} y2=${y(value)} />
        <text class="chart-label" x=${margin.left - 10} y=${y(value) + 4} text-anchor="end">
          ${compact(value)}</text></g>`,
      )}
      ${labels.map(
        ({ i, time, text }) =>
          html`<text key=${time} class="chart-label" x=${x(i)} y=${height - 8}
          text-anchor=${
            i === 0 && last > 0 ? "start" : x(i) > width - labelWidth / 2 ? "end" : "middle"
          }>${text}</text>`,
      )}
      ${
        selected &&
        html`<rect class="chart-drag" x=${x(selected[0])} y=${margin.top}
        width=${x(selected[1]) - x(selected[0])} height=${base - margin.top} />`
      }
      ${
        last > 0 &&
        html`<path class="chart-area"
        d=${`${line(series)}L${x(last)} ${base}L${x(0)} ${base}z`} />`
      }
      ${earlier && html`<path class="chart-earlier" d=${line(earlier.slice(0, series.length))} />`}
      <path class="chart-line" d=${line(solid)} />
      ${
        live &&
        last > 0 &&
        html`<path class="chart-line chart-unfinished"
          d=${
            `M${x(last - 1)} ${y(of(series[last - 1]))}` + `L${x(last)} ${y(of(series[last]))}`
          } />`
      }
      ${last === 0 && html`<circle class="chart-dot" cx=${x(0)} cy=${y(of(series[0]))} r="4" />`}
      ${
        point &&
        html`<line class="chart-cursor" x1=${x(hover)} x2=${x(hover)} y1=${margin.top}
        y2=${base} />
        ${
          earlier?.[hover] &&
          html`<circle class="chart-dot chart-dot-earlier" cx=${x(hover)}
            cy=${y(of(earlier[hover]))} r="4" />`
        }
        <circle class="chart-dot" cx=${x(hover)} cy=${y(of(point))} r="4" />`
      }
    </svg>`
    }
    ${
      point &&
      html`<div class="tip" data-side=${x(hover) > width / 2 ? "left" : "right"}
      style=${{ left: `${x(hover)}px` }}>
      <span class="quiet">${intervalName(point.time, interval)}
        ${live && hover === last ? " so far" : ""}</span>
      <b>${say[measure](of(point))}</b>
      ${measure === "visitors" && html`<span>${say.clicks(point.clicks)}</span>`}
      ${
        earlier?.[hover] &&
        html`<span class="quiet">
          ${count(of(earlier[hover]))} · ${intervalName(earlier[hover].time, interval)}</span>`
      }
    </div>`
    }
    ${
      asks &&
      html`<button type="button" class="button chart-zoom" tabindex="-1"
      style=${{ left: `${middle}px` }} onMouseDown=${(e) => e.preventDefault()}
      onClick=${zoom}>Zoom in</button>`
    }
    <div class="chart-steps" tabindex="0" role="slider"
      aria-label=${title} aria-valuemin="0"
      aria-valuemax=${Math.max(last, 0)} aria-valuenow=${Math.max(point ? hover : last, 0)}
      aria-valuetext=${current ? spoken(current) : "No clicks"} onKeyDown=${press}
      onBlur=${() => by.current === "key" && clear()}></div>
    <figcaption class="unseen">${title}</figcaption>
    <div class="unseen"><table><caption>${title}</caption>
      <thead><tr><th scope="col">Time</th>${columns.map(
        (what) => html`<th scope="col" key=${what}>
          ${heads[what]}</th>`,
      )}
        ${earlier && html`<th scope="col">${heads[measure]} in the period compared</th>`}</tr>
      </thead>
      <tbody>${series.map(
        (p, i) => html`<tr key=${p.time}>
        <th scope="row">${intervalName(p.time, interval)}</th>
        ${columns.map((what) => html`<td key=${what}>${count(p[what] ?? 0)}</td>`)}
        ${earlier && html`<td>${earlier[i] ? count(of(earlier[i])) : ""}</td>`}</tr>`,
      )}</tbody>
        </table></div>
  </figure>`;
}
