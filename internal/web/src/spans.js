// Periods in words, as their first and their last day.
import { dateFormat } from "./format.js";
import { isDayStart } from "./range.js";

const formats = {
  days: dateFormat({ day: "numeric", month: "short" }),
  daysOfYears: dateFormat({ day: "numeric", month: "short", year: "numeric" }),
  hours: dateFormat({ day: "numeric", month: "short", hour: "numeric", minute: "2-digit" }),
  hoursOfYears: dateFormat({ dateStyle: "medium", timeStyle: "short" }),
};

// spansOf returns periods in words: "22–28 Nov". They have years unless all are in this one, and
// hours where a day is cut.
export function spansOf(...periods) {
  const thisYear = new Date().getFullYear();
  const years = periods.some(({ start, end }) =>
    [start, end].some((time) => new Date(time).getFullYear() !== thisYear),
  );
  return periods.map(({ start, end }) => {
    const unit = isDayStart(start) ? "days" : "hours";
    return formats[years ? `${unit}OfYears` : unit]().formatRange(start, end);
  });
}
