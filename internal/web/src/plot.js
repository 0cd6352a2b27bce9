// How a series of numbers over time is laid out as a chart.
import { dateFormat } from "./format.js";
import { after, isDayStart } from "./range.js";

export const height = 264;
export const margin = { top: 12, right: 12, bottom: 28, left: 48 };
export const labelWidth = 84; // room for a label of the time axis
const yearWidth = 112; // and for one with a year

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
export function ticks(series, interval, inner) {
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

// plotOf lays out a series, and an earlier one if there is one, in a picture of a width. of returns
// the number of a point.
export function plotOf(series, earlier, { interval, width, of }) {
  const inner = Math.max(1, width - margin.left - margin.right),
    tall = height - margin.top - margin.bottom,
    last = series.length - 1;
  const lines = scale(Math.max(...series.map(of), ...(earlier ?? []).map(of), 0)),
    top = lines.at(-1);
  const x = (i) => margin.left + (last > 0 ? (inner * i) / last : inner / 2);
  const y = (value) => margin.top + tall * (1 - value / top);
  return {
    width,
    last,
    lines,
    x,
    y,
    labels: ticks(series, interval, inner),
    base: y(0),
    // the path through points
    line: (points) =>
      points.map((p, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(of(p)).toFixed(1)}`).join(""),
    // the point nearest to a distance from the left
    at: (left) =>
      Math.min(last, Math.max(0, Math.round(((left - margin.left) / inner) * last || 0))),
  };
}
