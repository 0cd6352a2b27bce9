// Ranges of time: the presets, how URLs contain them, and the API's parameters.
import { dateTime } from "./format.js";

const hour = 3600e3;
const day = 24 * hour;

// The ranges that end now: name, label, title, key.
export const presets = [
  ["24h", "24h", "Last 24 hours", "d"],
  ["7d", "7d", "Last 7 days", "w"],
  ["30d", "30d", "Last 30 days", "m"],
  ["12mo", "12mo", "Last 12 months", "y"],
  ["all", "All", "All time", "a"],
];
// Ranges of the calendar: name, label.
export const calendar = [
  ["today", "Today"],
  ["yesterday", "Yesterday"],
  ["week", "This week"],
  ["month", "This month"],
  ["lastmonth", "Last month"],
  ["year", "This year"],
];
const standard = "30d";

// dayStart returns the first instant of a day or, if the zone skips that, of the next one. It may
// be an hour after midnight, where clocks go forward; so never count days from there in hours or by
// the clock. Like Date, it accepts month 12 and day 0.
const dayStart = (year, month, date) => +new Date(year, month, date);

export const isDayStart = (time) => startOf("day", time) === time;

// startOf returns the start of the day, week, month or year that contains a time.
function startOf(unit, time) {
  const at = new Date(time),
    year = at.getFullYear(),
    month = at.getMonth(),
    date = at.getDate();
  if (unit === "year") return dayStart(year, 0, 1);
  if (unit === "month") return dayStart(year, month, 1);
  return dayStart(year, month, unit === "week" ? date - ((at.getDay() + 6) % 7) : date);
}

// back goes back by the calendar. The start or end of a day leads to that of another day, any other
// time to the same time of day. In a shorter month it uses the last day.
function back(time, n, unit) {
  if (unit === "hour") return time - n * hour;
  const at = new Date(time);
  const year = at.getFullYear() - (unit === "year" ? n : 0);
  const month = at.getMonth() - (unit === "month" ? n : 0);
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const date = unit === "day" ? at.getDate() - n : Math.min(at.getDate(), last);
  if (isDayStart(time)) return dayStart(year, month, date);
  if (isDayStart(time + 1)) return dayStart(year, month, date + 1) - 1;
  return at.setFullYear(year, month, date);
}

// Each preset's start, its end unless that is now, and its length on the calendar.
const rules = {
  "24h": { start: (now) => new Date(now).setMinutes(0, 0, 0) - 23 * hour, length: [24, "hour"] },
  "7d": { start: (now) => back(startOf("day", now), 6, "day"), length: [7, "day"] },
  "30d": { start: (now) => back(startOf("day", now), 29, "day"), length: [30, "day"] },
  // whole weeks
  "12mo": { start: (now) => back(startOf("week", now), 51 * 7, "day"), length: [52 * 7, "day"] },
  today: { start: (now) => startOf("day", now), length: [1, "day"] },
  yesterday: {
    start: (now) => back(startOf("day", now), 1, "day"),
    end: (now) => startOf("day", now) - 1,
    length: [1, "day"],
  },
  week: { start: (now) => startOf("week", now), length: [7, "day"] },
  month: { start: (now) => startOf("month", now), length: [1, "month"] },
  lastmonth: {
    start: (now) => back(startOf("month", now), 1, "month"),
    end: (now) => startOf("month", now) - 1,
    length: [1, "month"],
  },
  year: { start: (now) => startOf("year", now), length: [1, "year"] },
};

// readRange returns the range in a URL's query: a preset, or two instants.
export function readRange(query) {
  const from = Date.parse(query.get("from")),
    to = Date.parse(query.get("to"));
  if (from < to) return { from, to };
  const asked = query.get("range");
  return { preset: asked === "all" || Object.hasOwn(rules, asked ?? "") ? asked : standard };
}

// rangeQuery is the inverse of readRange.
export function rangeQuery(range) {
  if (range.preset) return { range: range.preset === standard ? "" : range.preset };
  return { from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString() };
}

// dayAt returns the day that contains a time, in the reader's zone, as YYYY-MM-DD.
export const dayAt = (time) => toInput(time).slice(0, 10);

// ofDays returns the range from the first day to the last, in the reader's zone.
export function ofDays(first, last) {
  const start = (day, n) => {
    const [year, month, date] = day.split("-").map(Number);
    return dayStart(year, month - 1, date + n);
  };
  return { from: start(first, 0), to: start(last, 1) - 1 };
}

// isDays reports whether a range consists of whole days.
export const isDays = ({ from, to }) => isDayStart(from) && isDayStart(to + 1);

// A past range does not change; others end now.
export const isLive = ({ preset, to }) => (preset ? !rules[preset]?.end : to > Date.now());

// nameOf returns a preset's label.
export const nameOf = (preset) =>
  presets.find(([name]) => name === preset)?.[2] ?? calendar.find(([name]) => name === preset)?.[1];

// bounds returns the instants of a range, null for all time.
export function bounds({ preset, from, to }, now = Date.now()) {
  if (!preset) return { start: from, end: to };
  const rule = rules[preset];
  return rule ? { start: rule.start(now), end: rule.end?.(now) ?? now } : null;
}

// readComparison returns what the range in a URL's query is compared with: "" for nothing, "before"
// for the period before, "year" for the same a year earlier, or another range of two instants.
export function readComparison(query) {
  const from = Date.parse(query.get("compare_from")),
    to = Date.parse(query.get("compare_to"));
  if (from < to) return { from, to };
  const how = query.get("compare");
  return how === "1" ? "before" : how === "year" ? how : "";
}

// comparisonQuery is the inverse of readComparison.
export function comparisonQuery(comparing) {
  const { from, to } = comparing;
  return {
    compare: { before: "1", year: "year" }[comparing] ?? "",
    compare_from: from ? new Date(from).toISOString() : "",
    compare_to: to ? new Date(to).toISOString() : "",
  };
}

// instants returns a period as the API's parameters.
export const instants = (period) =>
  period && {
    start_time: new Date(period.start).toISOString(),
    end_time: new Date(period.end).toISOString(),
  };

// compared returns the period to compare with: the one before, the same a year earlier, or another
// range as it is. If the period is not over, the one before and that of a year ago are cut at the
// same point: half of today is compared with half a day.
export function compared({ start, end }, { preset }, how) {
  const rule = rules[preset];
  if (how.from) return { start: how.from, end: how.to };
  if (how === "year") {
    const year = preset === "12mo" ? rule.length : [1, "year"];
    return { start: back(start, ...year), end: back(end, ...year) };
  }
  const length = rule?.length ?? lengthOf(start, end + 1);
  return {
    start: back(start, ...length),
    end: rule && !rule.end ? back(end, ...length) : start - 1,
  };
}

// lengthOf returns the number of days between two times, or of hours if they cut a day.
function lengthOf(start, end) {
  return isDayStart(start) && isDayStart(end)
    ? [Math.round((end - start) / day), "day"]
    : [(end - start) / hour, "hour"];
}

// daysIn returns how long a period is in days, which is a whole number for whole days.
export function daysIn({ start, end }) {
  const [n, unit] = lengthOf(start, end + 1);
  return unit === "day" ? n : n / 24;
}

// intervalFor returns the finest interval that is legible in one chart.
export function intervalFor(start, end) {
  const length = end - start;
  if (length <= 3 * day) return "hour";
  if (length <= 120 * day) return "day";
  return length <= 3 * 366 * day ? "week" : "month";
}

// after returns the end of the interval that begins at a time, in the reader's zone.
export function after(time, interval) {
  const at = new Date(time),
    year = at.getFullYear(),
    month = at.getMonth(),
    date = at.getDate();
  if (interval === "hour") return time + hour;
  if (interval === "month") return dayStart(year, month + 1, 1);
  return dayStart(year, month, date + (interval === "week" ? 7 : 1));
}

// The value of a datetime-local input, and back.
export const toInput = (time) =>
  new Date(time - new Date(time).getTimezoneOffset() * 60e3).toISOString().slice(0, 16);
export const fromInput = (text) => new Date(text).getTime();

// isTime reports whether the API accepts such a value, or a time: its year must have four digits,
// also in UTC.
export const isTime = (text) =>
  /^\d{4}-\d\d-\d\dT/.test(text) && /^\d{4}-/.test(new Date(text).toJSON() ?? "");

// notATime says how a day and a time are typed.
export const notATime = () =>
  `Enter a day and a time, such as ${dateTime(new Date(new Date().getFullYear(), 11, 31, 18))}.`;
