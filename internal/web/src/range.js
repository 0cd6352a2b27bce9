// Ranges of time: which there are, how they stand in the address, and what the server is asked for.
const hour = 3600e3;
const day = 24 * hour;

// Name, label, title, key.
export const presets = [
  ["24h", "24h", "Last 24 hours", "d"], ["7d", "7d", "Last 7 days", "w"],
  ["30d", "30d", "Last 30 days", "m"],
  ["12mo", "12mo", "Last 12 months", "y"], ["all", "All", "All time", "a"],
];
const standard = "30d";

// readRange returns the range that an address asks for: a preset, or two instants.
export function readRange(query) {
  const from = Date.parse(query.get("from")), to = Date.parse(query.get("to"));
  if (from < to) return { from, to };
  const asked = query.get("range");
  return { preset: presets.some(([name]) => name === asked) ? asked : standard };
}

// rangeQuery is the inverse of readRange.
export function rangeQuery(range) {
  if (range.preset) return { range: range.preset === standard ? "" : range.preset };
  return { from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString() };
}

// A range of the past does not change; the others end now.
export const isLive = (range) => Boolean(range.preset) || range.to > Date.now();

// bounds returns the instants of a range, null for all time.
export function bounds(range, now = Date.now()) {
  if (!range.preset) return { start: range.from, end: range.to };
  const start = new Date(now);
  switch (range.preset) {
    case "24h":
      start.setMinutes(0, 0, 0);
      return { start: start - 23 * hour, end: now };
    case "7d":
      start.setHours(0, 0, 0, 0);
      start.setDate(start.getDate() - 6);
      return { start: +start, end: now };
    case "30d":
      start.setHours(0, 0, 0, 0);
      start.setDate(start.getDate() - 29);
      return { start: +start, end: now };
    case "12mo": // whole weeks
      start.setHours(0, 0, 0, 0);
      start.setDate(start.getDate() - ((start.getDay() + 6) % 7) - 51 * 7);
      return { start: +start, end: now };
  }
  return null;
}

// before returns the period of the same length that ends where the range begins, cut at the same
// point: half of today is compared with half of a day.
export function before({ start, end }, range) {
  const days = { "7d": 7, "30d": 30, "12mo": 52 * 7 }[range.preset];
  if (!days) {
    const length = range.preset ? 24 * hour : end - start + 1;
    return { start: start - length, end: end - length };
  }
  const back = (time) => {
    const date = new Date(time);
    // by the calendar, so that a change of clocks moves nothing
    date.setDate(date.getDate() - days);
    return +date;
  };
  return { start: back(start), end: back(end) };
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
