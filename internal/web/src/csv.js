// The contents of a page of clicks as files for spreadsheets: one CSV file per panel (RFC 4180).
import { shortURL } from "./format.js";
import { toInput } from "./range.js";
import { names } from "./week.js";

// A cell that a spreadsheet would take for a formula gets an apostrophe, as spreadsheets show it
// themselves.
function cell(value) {
  let text = String(value);
  if (/^[=+\-@\t\r]/.test(text)) text = "'" + text;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// file returns the arguments of download.
const file = (name, what, lines) => [
  `terse-${name}-${what}-${local(Date.now()).slice(0, 10)}.csv`,
  lines.map((line) => line.map(cell).join(",") + "\r\n").join(""),
  "text/csv;charset=utf-8",
];

// local formats a time for spreadsheets, in the page's zone.
const local = (time) => toInput(time).replace("T", " ");

const begins = { hour: "Hour", day: "Day", week: "Week from", month: "Month from" };
const periods = {
  before: ["Previous period", "previous period"],
  year: ["Year before", "year before"],
};

export function clicksCSV(name, { series, interval, time_zone: zone, visitors }, earlier, how) {
  const time = (t) => (interval === "hour" ? local(t) : local(t).slice(0, 10));
  const [title, words] = periods[how] ?? periods.before;
  const counts = (of) => [...(visitors === undefined ? [] : [of("visitors")]), of("clicks")];
  const head = [
    `${begins[interval]} (${zone})`,
    ...counts((what) => what[0].toUpperCase() + what.slice(1)),
    ...(earlier
      ? [title, ...counts((what) => `${what[0].toUpperCase() + what.slice(1)} in ${words}`)]
      : []),
  ];
  const lines = series.map((p, i) => [
    time(p.time),
    ...counts((what) => p[what]),
    ...(earlier
      ? [earlier[i] ? time(earlier[i].time) : "", ...counts((what) => earlier[i]?.[what] ?? "")]
      : []),
  ]);
  return file(name, "clicks", [head, ...lines]);
}

export const dimensionCSV = (name, { tab, columns, cells }, rows) =>
  file(name, tab.toLowerCase(), [
    [...columns, "Clicks"],
    ...rows.map(([value, clicks]) => [...cells(value), clicks]),
  ]);

export const weekCSV = (name, days) =>
  file(name, "hours-of-the-week", [
    ["Day", "Hour", "Visitors", "Clicks"],
    ...days.flatMap((hours, day) =>
      hours.map(({ visitors, clicks }, hour) => [names()[day], `${hour}:00`, visitors, clicks]),
    ),
  ]);

export const unknownCSV = (date, codes) =>
  file("unknown-codes", date, [
    ["Code", "Visits", "Possible excess"],
    ...codes.map((code) => [code.short_code, code.count, code.error]),
  ]);

export const linksCSV = (name, links) =>
  file(name, "top-links", [
    ["Short link", "Destination", "Clicks"],
    ...links.map((link) => [shortURL(link.short_code), link.original_url, link.clicks]),
  ]);
