// A calendar of months, which has no zone: days are YYYY-MM-DD, months YYYY-MM.
import { daysLater } from "./days.js";

export const monthOf = (day) => day.slice(0, 7);

// monthsLater returns the month n months after another.
export function monthsLater(month, n) {
  const at = new Date(`${month}-01`);
  at.setUTCMonth(at.getUTCMonth() + n);
  return monthOf(at.toISOString());
}

const lastOf = (month) => daysLater(`${monthsLater(month, 1)}-01`, -1);

// sameDayOf returns the same day of another month, or that month's last.
const sameDayOf = (month, day) => {
  const same = month + day.slice(7),
    last = lastOf(month);
  return same < last ? same : last;
};

// Where the week does not begin on a Monday, by region, from Unicode's data. Not all browsers know.
const sunday =
  "AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN IS JM JP KE KH KR LA MH MM MO MT " +
  "MX MZ NI NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW";
const saturday = "AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY";

// firstDay returns the weekday that a week begins with in a locale: 0 is Sunday.
export function firstDay(locale) {
  const { region } = new Intl.Locale(locale).maximize();
  if (sunday.split(" ").includes(region)) return 0;
  return saturday.split(" ").includes(region) ? 6 : 1;
}

// inWeek returns how many days of the week are before a day.
const inWeek = (day, first) => (new Date(day).getUTCDay() - first + 7) % 7;

// weeksOf returns a month's weeks, each of seven days. Days of other months are "". There are
// always six weeks, so that all months are equally high.
export function weeksOf(month, first) {
  const start = daysLater(`${month}-01`, -inWeek(`${month}-01`, first));
  const dayAt = (i) => {
    const day = daysLater(start, i);
    return monthOf(day) === month ? day : "";
  };
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_, i) => dayAt(7 * week + i)),
  );
}

// moved returns the day that a key leads to from another, undefined for other keys.
export function moved(day, { key, shiftKey }, first) {
  const at = inWeek(day, first),
    months = (n) => sameDayOf(monthsLater(monthOf(day), shiftKey ? 12 * n : n), day);
  switch (key) {
    case "ArrowLeft":
      return daysLater(day, -1);
    case "ArrowRight":
      return daysLater(day, 1);
    case "ArrowUp":
      return daysLater(day, -7);
    case "ArrowDown":
      return daysLater(day, 7);
    case "Home":
      return daysLater(day, -at);
    case "End":
      return daysLater(day, 6 - at);
    case "PageUp":
      return months(-1);
    case "PageDown":
      return months(1);
    default:
      return undefined;
  }
}
