import assert from "node:assert/strict";
import test from "node:test";
import { dayOf, daysLater, daysTo, isDay } from "./days.js";

test("a day is of UTC, wherever the reader is", () => {
  assert.equal(dayOf(Date.parse("2026-01-31T23:59:59.999Z")), "2026-01-31");
  assert.equal(dayOf(Date.parse("2026-02-01T00:30:00+01:00")), "2026-01-31");
});

test("days before and after cross months, years, leap days and clock changes", () => {
  assert.equal(daysLater("2026-03-01", -1), "2026-02-28");
  assert.equal(daysLater("2028-03-01", -1), "2028-02-29");
  assert.equal(daysLater("2026-12-31", 1), "2027-01-01");
  assert.equal(daysLater("2026-03-29", 1), "2026-03-30");
});

test("the days up to one end with it", () => {
  assert.deepEqual(daysTo("2026-03-01", 3), ["2026-02-27", "2026-02-28", "2026-03-01"]);
  assert.equal(daysTo("2026-11-27", 30)[0], "2026-10-29");
});

test("only days of the calendar are days", () => {
  for (const day of ["2026-02-28", "2028-02-29", "0001-01-01"]) assert.ok(isDay(day), day);
  for (const text of ["", "2026-02-29", "2026-2-1", "yesterday", "2026-13-01", "2026-01-01T00"]) {
    assert.ok(!isDay(text), text);
  }
});
