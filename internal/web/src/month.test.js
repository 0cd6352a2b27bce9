import assert from "node:assert/strict";
import test from "node:test";
import { firstDay, moved, monthsLater, weeksOf } from "./month.js";

test("months are stepped over the ends of years", () => {
  assert.equal(monthsLater("2026-12", 1), "2027-01");
  assert.equal(monthsLater("2026-01", -1), "2025-12");
  assert.equal(monthsLater("2026-11", -24), "2024-11");
});

test("the week begins where the locale has it", () => {
  for (const [locale, first] of [
    ["en-US", 0],
    ["en", 0],
    ["en-GB", 1],
    ["de", 1],
    ["pt-BR", 0],
    ["ja", 0],
    ["ar-EG", 6],
    ["fr-CA", 0],
  ])
    assert.equal(firstDay(locale), first, locale);
});

test("a month has six weeks with each of its days once, in order", () => {
  for (let month = "2023-01"; month < "2029-01"; month = monthsLater(month, 1)) {
    for (const first of [0, 1, 6]) {
      const weeks = weeksOf(month, first);
      assert.equal(weeks.length, 6);
      const days = weeks.flat().filter(Boolean);
      const [year, number] = month.split("-");
      assert.equal(days.length, new Date(Date.UTC(year, number, 0)).getUTCDate(), month);
      assert.deepEqual([days[0], days], [`${month}-01`, days.toSorted()]);
      weeks.forEach((week) =>
        week.forEach(
          (day, i) => day && assert.equal(new Date(day).getUTCDay(), (first + i) % 7, day),
        ),
      );
    }
  }
});

test("keys move among days", () => {
  const to = (day, key, shiftKey = false) => moved(day, { key, shiftKey }, 1);
  assert.equal(to("2026-03-01", "ArrowLeft"), "2026-02-28");
  assert.equal(to("2026-03-01", "ArrowRight"), "2026-03-02");
  assert.equal(to("2026-03-01", "ArrowUp"), "2026-02-22");
  assert.equal(to("2026-12-28", "ArrowDown"), "2027-01-04");
  assert.equal(to("2026-11-27", "Home"), "2026-11-23");
  assert.equal(to("2026-11-27", "End"), "2026-11-29");
  assert.equal(to("2026-03-31", "PageUp"), "2026-02-28", "a shorter month ends the same");
  assert.equal(to("2026-01-31", "PageDown"), "2026-02-28");
  assert.equal(to("2024-02-29", "PageDown", true), "2025-02-28");
  assert.equal(to("2026-03-31", "PageUp", true), "2025-03-31");
  assert.equal(to("2026-03-31", "a"), undefined);
});
