// Days and times as people type them: in words, in the order of their own calendar, or as ISO has
// it. What could mean two things means nothing.
import { isDay } from "./days.js";
import { once } from "./format.js";

// monthsOf returns the names of the months in English, and in the language of a locale, where they
// may have another form beside a day.
function monthsOf(locale) {
  const names = [];
  for (const tag of ["en-GB", "en-US", locale])
    for (const month of ["long", "short"])
      for (const day of [undefined, "numeric"]) {
        const format = new Intl.DateTimeFormat(tag, { month, day, timeZone: "UTC" });
        for (let i = 0; i < 12; i++) {
          const parts = format.formatToParts(Date.UTC(2026, i));
          const { value } = parts.find(({ type }) => type === "month");
          names.push([value.toLowerCase().replaceAll(".", ""), i + 1]);
        }
      }
  return names;
}

// Most of the world begins with the day.
function beginsWithMonth(locale) {
  const parts = new Intl.DateTimeFormat(locale).formatToParts(0).map(({ type }) => type);
  const [month, day, year] = ["month", "day", "year"].map((type) => parts.indexOf(type));
  return month < day && day < year;
}

const allowed = /^[\d\p{L}\p{M}\s,./-]*$/u;
const clock = /^(\d{1,2})(?:[:.](\d\d))?\s*(?:([ap])\.?m\.?)?$/;
const atEnd = /(?:[\s,]|(?<=\d)t)(\d{1,2}(?:[:.]\d\d)?\s*(?:[ap]\.?m\.?)?)$/;

const two = (n) => String(n).padStart(2, "0");

// readClock returns a time of day as HH:MM, "" for a text that is none. An hour alone needs "am" or
// "pm".
export function readClock(text) {
  const [, h, minute, half] = text.trim().toLowerCase().match(clock) ?? [];
  if (!h || !(minute || half) || minute > 59 || h > (half ? 12 : 23)) return "";
  return `${two(half ? (h % 12) + (half === "p" ? 12 : 0) : h)}:${minute ?? "00"}`;
}

// reader returns {day, time} for readers of a locale: day(text) returns YYYY-MM-DD, time(text)
// YYYY-MM-DDTHH:MM, and both "" for a text that is none. A year has four digits.
export function reader(locale) {
  const months = monthsOf(locale),
    isMonthFirst = beginsWithMonth(locale);
  const monthOf = (word) => {
    const found = months.filter(([name]) =>
      word.length < 3 ? name === word : name.startsWith(word),
    );
    const [first] = found;
    return first && found.every(([, month]) => month === first[1]) ? first[1] : 0;
  };
  const day = (text) => {
    const low = text.trim().toLowerCase();
    if (!allowed.test(low)) return "";
    const words = (low.match(/[\p{L}\p{M}]+/gu) ?? []).filter((word) => word !== "at"),
      [a = "", b = "", c = "", more] = low.match(/\d+/g) ?? [];
    if (more || words.length > 1) return "";
    let year, month, date;
    if (words.length) {
      if (c) return "";
      month = monthOf(words[0]);
      [year, date] = a.length === 4 ? [a, b] : [b, a];
    } else if (a.length === 4) [year, month, date] = [a, b, c];
    else [year, month, date] = isMonthFirst ? [c, a, b] : [c, b, a];
    const found = `${year}-${two(month)}-${two(date)}`;
    return isDay(found) ? found : "";
  };
  const time = (text) => {
    const low = text.trim().toLowerCase(),
      [end, of] = low.match(atEnd) ?? [];
    const at = of && readClock(of),
      on = at && day(low.slice(0, -end.length));
    return on ? `${on}T${at}` : "";
  };
  return { day, time };
}

const own = once(() => reader());

export const readDay = (text) => own().day(text);
export const readTime = (text) => own().time(text);
