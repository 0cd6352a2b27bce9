// Clicks by hour of the week.
import { ask } from "./clicks.js";
import { dateFormat } from "./format.js";
import { bounds } from "./range.js";

const maxSpanMs = 200 * 86400e3; // the API returns at most 5,000 hours

// askWeek returns the clicks and visitors by hour of the week, in the reader's zone: seven days
// from Monday on, with 24 {clicks, visitors} each. It covers at most the last 200 days of the
// range; isCut says whether it left some out.
export async function askWeek(source, view, signal) {
  const { start, end } = bounds(view.range) ?? { start: 0, end: Date.now() };
  const from = Math.max(start, end - maxSpanMs);
  const { series } = await ask(
    source,
    { start: from, end },
    { ...view.asked, by: "visitor" },
    { interval: "hour", signal },
  );
  const days = names().map(() => Array.from({ length: 24 }, () => ({ clicks: 0, visitors: 0 })));
  for (const { time, clicks, visitors = 0 } of series) {
    const date = new Date(time),
      hour = days[(date.getDay() + 6) % 7][date.getHours()];
    hour.clicks += clicks;
    hour.visitors += visitors;
  }
  return { days, isCut: from > start };
}

const weekday = dateFormat({ weekday: "long" });
const clock = dateFormat({ hour: "numeric", minute: "2-digit" });
const monday = (hours) => new Date(2024, 0, 1, hours);

// names returns the names of the days.
export const names = () =>
  Array.from({ length: 7 }, (_, day) => weekday().format(monday(24 * day)));

export const hourName = (hour) => clock().format(monday(hour));
