import assert from "node:assert/strict";
import test from "node:test";
import { byHour, levelOf, levels, names } from "./week.js";

// in runs with a zone, and then with the one of before.
function inZone(zone, act) {
  const old = process.env.TZ;
  process.env.TZ = zone;
  try {
    act();
  } finally {
    if (old === undefined) delete process.env.TZ;
    else process.env.TZ = old;
  }
}

test("hours are those of the reader's zone, from Monday on", () => {
  const sunday = Date.UTC(2026, 10, 22, 23, 0); // a Sunday
  const series = [
    { time: sunday, clicks: 2, visitors: 1 },
    { time: sunday + 3600e3, clicks: 3 },
    { time: sunday + 7 * 86400e3, clicks: 5, visitors: 2 },
  ];
  inZone("UTC", () => {
    const days = byHour(series);
    assert.deepEqual(days[6][23], { clicks: 7, visitors: 3 });
    assert.deepEqual(days[0][0], { clicks: 3, visitors: 0 });
    assert.deepEqual([days.length, days[0].length], [7, 24]);
  });
  inZone("Europe/Berlin", () => {
    assert.deepEqual(byHour(series)[0][0], { clicks: 7, visitors: 3 });
  });
  inZone("Asia/Kolkata", () => {
    assert.deepEqual(byHour(series)[0][4], { clicks: 7, visitors: 3 });
  });
  assert.equal(names().length, 7);
});

test("an hour that comes twice, and one that is left out, when clocks change", () => {
  inZone("Europe/Berlin", () => {
    const night = (year, month, day) =>
      Array.from({ length: 5 }, (_, i) => ({
        time: Date.UTC(year, month, day, i - 1),
        clicks: 1,
      }));
    assert.equal(byHour(night(2026, 9, 25))[6][2].clicks, 2);
    assert.equal(byHour(night(2026, 2, 29))[6][2].clicks, 0);
  });
});

test("levels have about as many hours each, whatever the highest", () => {
  const numbers = [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 5000];
  const ends = levels(numbers);
  assert.equal(ends.length, 6);
  assert.equal(ends.at(-1), 5000);
  const sizes = numbers.reduce((all, n) => {
    all[levelOf(n, ends)]++;
    return all;
  }, Array(7).fill(0));
  assert.equal(sizes[0], 2);
  assert(
    sizes.slice(1).every((size) => size >= 2 && size <= 3),
    sizes.join(),
  );
});

test("fewer numbers than levels", () => {
  assert.deepEqual(levels([0, 0]), []);
  assert.deepEqual(levels([0, 3, 3, 3]), [3]);
  assert.deepEqual(levels([1, 7]), [1, 7]);
  assert.equal(levelOf(0, []), 0);
  assert.equal(levelOf(7, [1, 7]), 2);
});
