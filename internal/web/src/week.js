// The hours of the week, in the reader's zone.
import { dateFormat } from "./format.js";

const weekday = dateFormat({ weekday: "long" });
const clock = dateFormat({ hour: "numeric", minute: "2-digit" });
const monday = (hours) => new Date(2024, 0, 1, hours);

// names returns the names of the days.
export const names = () =>
  Array.from({ length: 7 }, (_, day) => weekday().format(monday(24 * day)));

export const hourName = (hour) => clock().format(monday(hour));

// byHour sums up a series of hours: seven days from Monday on, with 24 {clicks, visitors} each.
export function byHour(series) {
  const days = Array.from({ length: 7 }, () =>
    Array.from({ length: 24 }, () => ({ clicks: 0, visitors: 0 })),
  );
  for (const { time, clicks, visitors = 0 } of series) {
    const date = new Date(time),
      hour = days[(date.getDay() + 6) % 7][date.getHours()];
    hour.clicks += clicks;
    hour.visitors += visitors;
  }
  return days;
}

// levels returns the highest number of each level of colour, the lowest level first. About as many
// hours are in each, so one busy hour does not make all others look the same. Hours without clicks
// are in none.
export function levels(numbers, most = 6) {
  const there = numbers.filter((n) => n > 0).sort((a, b) => a - b);
  const ends = Array.from(
    { length: most },
    (_, level) => there[Math.ceil((there.length * (level + 1)) / most) - 1],
  );
  return [...new Set(ends)].filter((end) => end !== undefined);
}

// levelOf returns the level of a number, 0 for none.
export const levelOf = (n, ends) => (n > 0 ? 1 + ends.findIndex((end) => n <= end) : 0);
