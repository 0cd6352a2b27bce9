import assert from "node:assert/strict";
import test from "node:test";
import { clicksCSV, dimensionCSV, linksCSV, unknownCSV, weekCSV } from "./csv.js";
import { measures } from "./measure.js";

const data = {
  visitors: 3,
  total_clicks: 9,
  ofPeople: true,
  interval: "day",
  time_zone: "Europe/Berlin",
  series: [
    { time: +new Date(2026, 0, 30), clicks: 4, visitors: 2 },
    { time: +new Date(2026, 0, 31), clicks: 5, visitors: 1 },
  ],
};
const view = { measure: "", people: true };
const both = measures(view, data);
const lines = ([, text]) => text.split("\r\n");

test("columns have the names of the page", () => {
  assert.deepEqual(lines(clicksCSV("launch", data, both)), [
    "Day (Europe/Berlin),Visitors,Clicks",
    "2026-01-30,2,4",
    "2026-01-31,1,5",
    "",
  ]);
  const bots = measures(view, { ...data, visitors: 0, ofPeople: false });
  assert.deepEqual(lines(clicksCSV("launch", data, bots)).slice(0, 2), [
    "Day (Europe/Berlin),Clicks with bots",
    "2026-01-30,4",
  ]);
  const earlier = [{ time: +new Date(2025, 0, 30), clicks: 7, visitors: 6 }];
  const other = { from: 1, to: 2 };
  assert.match(lines(clicksCSV("launch", data, both, earlier, other))[0], /,Compared range,/);
  assert.deepEqual(lines(clicksCSV("launch", data, both, earlier, "year")), [
    "Day (Europe/Berlin),Visitors,Clicks,Year before,Visitors in year before,Clicks in year before",
    "2026-01-30,2,4,2025-01-30,6,7",
    "2026-01-31,1,5,,,",
    "",
  ]);
  const links = [{ short_code: "a", title: "A, B", original_url: "https://a.example/", clicks: 2 }];
  assert.deepEqual(
    lines(linksCSV("overview", links, both)).map((line) => line.replace(/^\/a/, "")),
    ["Short link,Title,Destination,Clicks", ',"A, B",https://a.example/,2', ""],
  );
});

test("a file is named for the link, what is in it, and the day", () => {
  const dimension = { many: "UTM sources", columns: ["UTM source"], cells: (value) => [value] };
  const [name, text, type] = dimensionCSV("launch", dimension, "Visitors", [["mail", 3]]);
  assert.match(name, /^terse-launch-utm-sources-\d{4}-\d\d-\d\d\.csv$/);
  assert.equal(text, "UTM source,Visitors\r\nmail,3\r\n");
  assert.equal(type, "text/csv;charset=utf-8");
});

test("cells are quoted where they must be, and are no formulas", () => {
  const dimension = { many: "pages", columns: ["Page"], cells: (value) => [value] };
  const rows = ["=1+1", "+1", "-1", "@a", "\ta", "a,b", 'say "hi"', "two\nlines", "plain"];
  const [, text] = dimensionCSV(
    "x",
    dimension,
    "Clicks",
    rows.map((value) => [value, 1]),
  );
  assert.equal(
    text,
    "Page,Clicks\r\n'=1+1,1\r\n'+1,1\r\n'-1,1\r\n'@a,1\r\n'\ta,1\r\n\"a,b\",1\r\n" +
      '"say ""hi""",1\r\n"two\nlines",1\r\nplain,1\r\n',
  );
});

test("hours of the week, a line each", () => {
  const days = Array.from({ length: 7 }, (_, day) =>
    Array.from({ length: 24 }, (_, hour) => ({ clicks: day * 24 + hour, visitors: hour })),
  );
  const all = lines(weekCSV("x", days, both));
  assert.equal(all.length, 1 + 7 * 24 + 1);
  assert.deepEqual(
    [all[0], all[1], all[168]],
    ["Day,Hour,Visitors,Clicks", "Monday,0:00,0,0", "Sunday,23:00,23,167"],
  );
});

test("codes that nobody made, by day", () => {
  const days = ["2026-01-29", "2026-01-30"];
  const codes = [{ short_code: "lanch", count: 12, error: 0, by_date: { "2026-01-30": 12 } }];
  assert.deepEqual(lines(unknownCSV("2026-01-30", days, codes)), [
    "Address,Visits,Possible excess,2026-01-29,2026-01-30",
    "lanch,12,0,0,12",
    "",
  ]);
});
