import assert from "node:assert/strict";
import test from "node:test";
import {
  bounds,
  compared,
  comparisonQuery,
  dayAt,
  daysIn,
  isDays,
  ofDays,
  rangeQuery,
  readComparison,
  readRange,
} from "./range.js";
import { spansOf } from "./spans.js";

// inZone runs with Node's clock in a zone: Node looks again when the variable is set.
function inZone(zone, run) {
  const before = process.env.TZ;
  process.env.TZ = zone;
  try {
    return run();
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
}

const iso = ({ from, to }) => [new Date(from).toISOString(), new Date(to).toISOString()];

test("a range of days begins and ends with them in the reader's zone", () => {
  for (const [zone, first, last, from, to] of [
    ["UTC", "2026-11-03", "2026-11-03", "2026-11-03T00:00:00.000Z", "2026-11-03T23:59:59.999Z"],
    // the day on which clocks go back has 25 hours
    [
      "Europe/Berlin",
      "2026-10-25",
      "2026-10-25",
      "2026-10-24T22:00:00.000Z",
      "2026-10-25T22:59:59.999Z",
    ],
    // a day that begins at 01:00
    [
      "Africa/Cairo",
      "2026-04-24",
      "2026-04-24",
      "2026-04-23T22:00:00.000Z",
      "2026-04-24T20:59:59.999Z",
    ],
    [
      "Asia/Kolkata",
      "2025-12-31",
      "2026-01-01",
      "2025-12-30T18:30:00.000Z",
      "2026-01-01T18:29:59.999Z",
    ],
  ])
    inZone(zone, () => {
      const range = ofDays(first, last);
      assert.deepEqual(iso(range), [from, to], zone);
      assert.equal(isDays(range), true, zone);
      assert.deepEqual([dayAt(range.from), dayAt(range.to)], [first, last], zone);
    });
});

test("days and their instants are each other's inverse in all zones", () => {
  const days = ["2026-01-31", "2026-03-08", "2026-03-29", "2026-04-24", "2026-10-25", "2026-11-01"];
  for (const zone of Intl.supportedValuesOf("timeZone")) {
    inZone(zone, () => {
      for (const day of days) {
        const range = ofDays(day, day);
        assert.deepEqual([dayAt(range.from), dayAt(range.to)], [day, day], `${zone} ${day}`);
        assert.equal(isDays(range), true, `${zone} ${day}`);
      }
    });
  }
});

test("hours are no days", () => {
  inZone("Europe/Berlin", () => {
    const { from, to } = ofDays("2026-11-03", "2026-11-03");
    assert.equal(isDays({ from: from + 3600e3, to }), false);
    assert.equal(isDays({ from, to: to - 3600e3 }), false);
  });
});

test("days survive the way through a URL, and are compared with the days before", () => {
  inZone("America/New_York", () => {
    const range = ofDays("2026-03-08", "2026-03-10"); // clocks go forward on the first
    assert.deepEqual(readRange(new URLSearchParams(rangeQuery(range))), range);
    const before = compared(bounds(range), range, "before");
    assert.deepEqual([dayAt(before.start), dayAt(before.end)], ["2026-03-05", "2026-03-07"]);
  });
});

test("a comparison survives the way through a URL", () => {
  for (const comparing of ["", "before", "year", ofDays("2026-10-14", "2026-10-20")])
    assert.deepEqual(
      readComparison(new URLSearchParams(comparisonQuery(comparing))),
      comparing,
      JSON.stringify(comparing),
    );
  for (const query of [
    "compare=2",
    "compare=constructor",
    "compare_from=2026-10-14T00:00:00Z",
    "compare_from=2026-10-14T00:00:00Z&compare_to=2026-10-13T00:00:00Z",
    "compare_from=x&compare_to=y",
  ])
    assert.equal(readComparison(new URLSearchParams(query)), "", query);
});

test("another range is compared as it is, and each has its length in days", () => {
  inZone("Europe/Berlin", () => {
    const range = ofDays("2026-11-22", "2026-11-28"),
      other = ofDays("2026-10-19", "2026-10-26"); // clocks go back on the 25th
    const then = compared(bounds(range), range, other);
    assert.deepEqual(then, { start: other.from, end: other.to });
    assert.deepEqual([daysIn(bounds(range)), daysIn(then)], [7, 8]);
    const half = { start: range.from, end: range.from + 12 * 3600e3 - 1 };
    assert.equal(daysIn(half), 0.5);
  });
});

test("periods are said by their first and last day", () => {
  inZone("Europe/Berlin", () => {
    const year = new Date().getFullYear();
    const days = (first, last) => bounds(ofDays(first, last));
    // the order of day and month is the reader's
    const [now, then] = spansOf(
      days(`${year}-05-22`, `${year}-05-28`),
      days(`${year}-04-29`, `${year}-05-06`),
    );
    assert.match(now, /^(22\s?–\s?28 May|May 22\s?–\s?28)$/);
    assert.match(then, /^(29 Apr\s?–\s?6 May|Apr 29\s?–\s?May 6)$/);
    // one in another year: both say which
    const years = spansOf(days("2020-05-22", "2020-05-28"), days(`${year}-05-01`, `${year}-05-01`));
    assert.match(years[0], /2020/);
    assert.match(years[1], new RegExp(year));
    assert.doesNotMatch(years[1], /–/, "one day");
    const noon = +new Date(year, 4, 3, 12);
    assert.match(spansOf({ start: noon, end: noon + 3600e3 })[0], /12:00.*1/);
  });
});
