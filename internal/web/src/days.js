// UTC days, as YYYY-MM-DD.

export const dayOf = (time) => new Date(time).toISOString().slice(0, 10);
export const daysLater = (day, n) => dayOf(Date.parse(day) + n * 86400e3);

// isDay reports whether a text is a day of the calendar.
export const isDay = (text) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && daysLater(text, 0) === text;

// daysTo returns the n days up to last, oldest first.
export const daysTo = (last, n) => Array.from({ length: n }, (_, i) => daysLater(last, i + 1 - n));
