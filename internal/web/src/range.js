// Ranges of time: which there are, how they stand in the address, and what the server is asked for.
const hour = 3600e3;
const day = 24 * hour;

// The ranges that end now: name, label, title, key.
export const presets = [
  ["24h", "24h", "Last 24 hours", "d"], ["7d", "7d", "Last 7 days", "w"],
  ["30d", "30d", "Last 30 days", "m"],
  ["12mo", "12mo", "Last 12 months", "y"], ["all", "All", "All time", "a"],
];
// and those of the calendar: name, label.
export const calendar = [
  ["today", "Today"], ["yesterday", "Yesterday"], ["week", "This week"], ["month", "This month"],
  ["lastmonth", "Last month"], ["year", "This year"],
];
const standard = "30d";

// startOf returns where the day, week, month or year begins that a time is in.
function startOf(unit, time) {
  const date = new Date(time);
  date.setHours(0, 0, 0, 0);
  if (unit === "week") date.setDate(date.getDate() - (date.getDay() + 6) % 7);
  if (unit === "month") date.setDate(1);
  if (unit === "year") date.setMonth(0, 1);
  return +date;
}

// back goes by the calendar, so that a change of clocks moves nothing. Of a month that is shorter
// it takes the last day.
function back(time, n, unit) {
  const date = new Date(time), wanted = date.getDate();
  if (unit === "hour") return time - n * hour;
  if (unit === "day") date.setDate(wanted - n);
  if (unit === "month") date.setMonth(date.getMonth() - n);
  if (unit === "year") date.setFullYear(date.getFullYear() - n);
  if (unit !== "day" && date.getDate() !== wanted) date.setDate(0);
  return +date;
}

// Each preset has where it begins, where it ends unless that is now, and its length as the calendar
// has it.
const rules = {
  "24h": { start: (now) => new Date(now).setMinutes(0, 0, 0) - 23 * hour, length: [24, "hour"] },
  "7d": { start: (now) => back(startOf("day", now), 6, "day"), length: [7, "day"] },
  "30d": { start: (now) => back(startOf("day", now), 29, "day"), length: [30, "day"] },
  // whole weeks
  "12mo": { start: (now) => back(startOf("week", now), 51 * 7, "day"), length: [52 * 7, "day"] },
  today: { start: (now) => startOf("day", now), length: [1, "day"] },
  yesterday: { start: (now) => back(startOf("day", now), 1, "day"),
    end: (now) => startOf("day", now) - 1, length: [1, "day"] },
  week: { start: (now) => startOf("week", now), length: [7, "day"] },
  month: { start: (now) => startOf("month", now), length: [1, "month"] },
  lastmonth: { start: (now) => back(startOf("month", now), 1, "month"),
    end: (now) => startOf("month", now) - 1, length: [1, "month"] },
  year: { start: (now) => startOf("year", now), length: [1, "year"] },
};

// readRange returns the range that an address asks for: a preset, or two instants.
export function readRange(query) {
  const from = Date.parse(query.get("from")), to = Date.parse(query.get("to"));
  if (from < to) return { from, to };
  const asked = query.get("range");
  return { preset: asked === "all" || Object.hasOwn(rules, asked ?? "") ? asked : standard };
}

// rangeQuery is the inverse of readRange.
export function rangeQuery(range) {
  if (range.preset) return { range: range.preset === standard ? "" : range.preset };
  return { from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString() };
}

// A range of the past does not change; the others end now.
export const isLive = ({ preset, to }) => (preset ? !rules[preset]?.end : to > Date.now());

// bounds returns the instants of a range, null for all time.
export function bounds({ preset, from, to }, now = Date.now()) {
  if (!preset) return { start: from, end: to };
  const rule = rules[preset];
  return rule ? { start: rule.start(now), end: rule.end?.(now) ?? now } : null;
}

// instants returns what the server is asked for.
export const instants = (period) => period && { start_time: new Date(period.start).toISOString(),
  end_time: new Date(period.end).toISOString() };

// compared returns the period that another one is compared with: the one before it, or the same a
// year earlier. What is not over is cut at the same point: half of today is compared with half of a
// day.
export function compared({ start, end }, { preset }, how) {
  const rule = rules[preset];
  if (how === "year") {
    const year = preset === "12mo" ? rule.length : [1, "year"];
    return { start: back(start, ...year), end: back(end + 1, ...year) - 1 };
  }
  if (!rule) return { start: start - (end - start + 1), end: start - 1 };
  const before = back(start, ...rule.length);
  return { start: before, end: rule.end ? start - 1 : back(end, ...rule.length) };
}

// intervalFor is as fine as can be read in one chart.
export function intervalFor(start, end) {
  const length = end - start;
  if (length <= 3 * day) return "hour";
  if (length <= 120 * day) return "day";
  return length <= 3 * 366 * day ? "week" : "month";
}

// after is where an interval ends, in the reader's zone.
export function after(time, interval) {
  const date = new Date(time);
  if (interval === "hour") return +date + hour;
  if (interval === "month") date.setMonth(date.getMonth() + 1);
  else date.setDate(date.getDate() + (interval === "week" ? 7 : 1));
  return +date;
}

// The value of a datetime-local input, and back.
export const toInput = (time) => new Date(time - new Date(time).getTimezoneOffset() * 60e3)
  .toISOString().slice(0, 16);
export const fromInput = (text) => new Date(text).getTime();

// isTime reports whether such a value, or a time of the API, is one that the API takes: its year
// has four digits, also in UTC.
export const isTime = (text) => /^\d{4}-\d\d-\d\dT/.test(text)
  && /^\d{4}-/.test(new Date(text).toJSON() ?? "");
