import assert from "node:assert/strict";
import test from "node:test";
import { height, margin, plotOf, scale, ticks } from "./plot.js";

const day = 86400e3;
const days = (n, start = Date.UTC(2020, 2, 1)) =>
  Array.from({ length: n }, (_, i) => ({ time: start + i * day, clicks: i }));
const plot = (series, earlier = null, width = 560) =>
  plotOf(series, earlier, { interval: "day", width, of: (p) => p.clicks });

test("lines are at round numbers, up to the first above the highest", () => {
  for (const [highest, lines] of [
    [0, [0, 1]],
    [1, [0, 1]],
    [5, [0, 1, 2, 3, 4, 5]],
    [6, [0, 2, 4, 6]],
    [12, [0, 5, 10, 15]],
    [118, [0, 25, 50, 75, 100, 125]],
    [1204, [0, 250, 500, 750, 1000, 1250]],
    [1e6, [0, 2e5, 4e5, 6e5, 8e5, 1e6]],
  ])
    assert.deepEqual(scale(highest), lines, String(highest));
  for (let n = 1; n < 5000; n = Math.ceil(n * 1.3)) {
    const lines = scale(n);
    assert(lines.every(Number.isInteger) && lines.length <= 8 && lines.at(-1) >= n, `${n}`);
  }
});

test("the first point is at the left, the last at the right, the highest line at the top", () => {
  const { x, y, last, lines, base, at, line } = plot(days(11));
  assert.deepEqual([last, lines.at(-1)], [10, 10]);
  assert.deepEqual([x(0), x(10)], [margin.left, 560 - margin.right]);
  assert.deepEqual([y(10), y(0), base], [margin.top, height - margin.bottom, y(0)]);
  assert.deepEqual([at(-50), at(x(3) + 20), at(x(3) + 30), at(9999)], [0, 3, 4, 10]);
  assert.equal(line(days(2)), `M48.0 ${y(0).toFixed(1)}L98.0 ${y(1).toFixed(1)}`);
});

test("a single point is in the middle", () => {
  const { x, at } = plot(days(1));
  assert.equal(x(0), margin.left + 250);
  assert.equal(at(400), 0);
});

test("the earlier series fits as well", () => {
  assert.equal(plot(days(3), [{ time: 0, clicks: 80 }]).lines.at(-1), 80);
});

test("on the day on which clocks go back an hour has two labels", () => {
  const zone = process.env.TZ;
  process.env.TZ = "America/New_York";
  try {
    // 1 November 2020 has 25 hours
    const hours = days(1, Date.UTC(2020, 10, 1, 4)).flatMap(({ time }) =>
      Array.from({ length: 25 }, (_, i) => ({ time: time + i * 3600e3, clicks: 1 })),
    );
    const labels = ticks(hours, "hour", 25 * 112);
    assert.equal(labels.length, 25);
    assert.equal(labels[1].text, labels[2].text, "an hour that comes twice");
    assert.notEqual(labels[2].text, labels[3].text);
    assert.equal(new Set(labels.map(({ time }) => time)).size, 25);
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test("labels have room, and say the year where it changes", () => {
  const labels = ticks(days(20, Date.UTC(2019, 11, 22, 12)), "day", 20 * 112);
  const years = labels.filter(({ text }) => /\d{4}/.test(text)).map(({ text }) => text);
  assert.equal(labels.length, 20);
  assert.equal(years.length, 2, years.join());
  assert(years[0].includes("2019") && years[1].includes("2020"), years.join());
  assert.equal(ticks(days(20), "day", 10 * 112).length, 10);
});
