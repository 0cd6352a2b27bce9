// The contents of a page of clicks as files for spreadsheets: one CSV file per panel (RFC 4180).
import { keyOf, urlOfKey } from "./format.js";
import { toInput } from "./range.js";
import { names } from "./week.js";

// A cell that a spreadsheet would take for a formula gets an apostrophe, as spreadsheets show it
// themselves.
function cell(value) {
  let text = String(value);
  if (/^[=+\-@\t\r]/.test(text)) text = "'" + text;
  return /[",\r\n]|^\s/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// row returns a line of a file.
export const row = (cells) => cells.map(cell).join(",") + "\r\n";

// file returns the arguments of download.
const file = (name, what, lines) => [
  `terse-${name}-${what}-${local(Date.now()).slice(0, 10)}.csv`,
  lines.map(row).join(""),
  "text/csv;charset=utf-8",
];

// local formats a time for spreadsheets, in the page's zone.
const local = (time) => toInput(time).replace("T", " ");

const begins = { hour: "Hour", day: "Day", week: "Week from", month: "Month from" };
const periods = {
  before: ["Previous period", "previous period"],
  year: ["Year before", "year before"],
};
const another = ["Compared range", "compared range"];

// measures are the measures of an answer, each of which has a column, named as on the page.
export function clicksCSV(name, { series, interval, time_zone: zone }, measures, earlier, how) {
  const time = (t) => (interval === "hour" ? local(t) : local(t).slice(0, 10));
  const { there } = measures,
    [title, words] = periods[how] ?? another;
  const head = [
    `${begins[interval]} (${zone})`,
    ...there.map((measure) => measure.head),
    ...(earlier ? [title, ...there.map((measure) => `${measure.head} in ${words}`)] : []),
  ];
  const cells = (point) => there.map(({ of }) => (point ? of(point) : ""));
  const lines = series.map((point, i) => [
    time(point.time),
    ...cells(point),
    ...(earlier ? [earlier[i] ? time(earlier[i].time) : "", ...cells(earlier[i])] : []),
  ]);
  return file(name, "clicks", [head, ...lines]);
}

// unit is what is counted, above the column of numbers.
export const dimensionCSV = (name, { many, columns, cells }, unit, rows) =>
  file(name, many.toLowerCase().replaceAll(" ", "-"), [
    [...columns, unit],
    ...rows.map(([value, number]) => [...cells(value), number]),
  ]);

export const weekCSV = (name, days, { there }) =>
  file(name, "hours-of-the-week", [
    ["Day", "Hour", ...there.map(({ head }) => head)],
    ...days.flatMap((hours, day) =>
      hours.map((point, hour) => [names()[day], `${hour}:00`, ...there.map(({ of }) => of(point))]),
    ),
  ]);

// unknownCSV has a column for each of the days, whose addresses are those that no link has.
export const unknownCSV = (date, days, codes) =>
  file("missed", date, [
    ["Address", "Visits", "Possible excess", ...days],
    ...codes.map((code) => [
      code.short_code,
      code.count,
      code.error,
      ...days.map((day) => code.by_date[day] ?? 0),
    ]),
  ]);

// linksCSV has no column of destinations where none is known, as on a shared page.
export function linksCSV(name, links, { clicks }) {
  const leads = links.some(({ original_url: url }) => url);
  return file(name, "top-links", [
    ["Short link", "Title", ...(leads ? ["Destination"] : []), clicks.head],
    ...links.map((link) => [
      urlOfKey(keyOf(link)),
      link.title ?? "",
      ...(leads ? [link.original_url] : []),
      link.clicks,
    ]),
  ]);
}

export const createdCSV = (lines) =>
  file("links", "created", [
    ["URL", "Short URL", "Title"],
    ...lines.map((line) => [line.url, urlOfKey(line.made), line.title]),
  ]);
