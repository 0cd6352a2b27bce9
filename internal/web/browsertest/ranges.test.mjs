import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inFirefox, suite, until } from "./harness.mjs";
import { after, bounds, compared } from "../src/range.js";

// inZone runs with Node's clock in a zone: Node looks again when the variable is set.
async function inZone(zone, run) {
  const before = process.env.TZ;
  process.env.TZ = zone;
  try {
    return await run();
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
}

const day = 86400e3;
const offset = (time) => new Date(time).getTimezoneOffset();
const dateOf = (time) => {
  const date = new Date(time);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
};

// isFirst reports whether a time is the first instant of a date or, where that was left out, of a
// later one.
const isFirst = (time, date) => dateOf(time) >= date && dateOf(time - 1) < date;

describe("days", { skip: inFirefox && "Node's clock is the same for both browsers" }, () => {
  test("are stepped to where they begin, in all zones, when clocks change", async () => {
    const wrong = [];
    const check = (what, zone, time, date) =>
      isFirst(time, date) ||
      wrong.push(
        `${zone}: ${what} of ${new Date(date).toISOString().slice(0, 10)} is ` +
          new Date(time).toISOString(),
      );
    const steps = (zone, noon) => {
      const today = dateOf(noon),
        yesterday = { preset: "yesterday" },
        week = { preset: "7d" };
      const { start, end } = bounds(yesterday, noon);
      check("yesterday", zone, start, today - day);
      check("the end of yesterday", zone, end + 1, today);
      check(
        "the day before",
        zone,
        compared({ start, end }, yesterday, "before").start,
        today - 2 * day,
      );
      check("the day after", zone, after(end + 1, "day"), today + day);
      check("the week after", zone, after(end + 1, "week"), today + 7 * day);
      const seven = bounds(week, noon);
      check("7d", zone, seven.start, today - 6 * day);
      check("7d before", zone, compared(seven, week, "before").start, today - 13 * day);
      // of a range that was dragged over, or is one's own
      const days = { start: seven.start, end: after(end + 1, "day") - 1 };
      check("the days before", zone, compared(days, {}, "before").start, today - 13 * day);
      const date = new Date(today);
      const lastYear = new Date(today).setUTCFullYear(date.getUTCFullYear() - 1);
      const ago = compared({ start: end + 1, end: days.end }, {}, "year");
      if (new Date(lastYear).getUTCDate() === date.getUTCDate()) {
        // all but 29 February
        check("a year before", zone, ago.start, lastYear);
        check("the end of a year before", zone, ago.end + 1, lastYear + day);
      }
    };
    for (const zone of Intl.supportedValuesOf("timeZone")) {
      await inZone(zone, () => {
        for (let noon = +new Date(2000, 0, 1, 12); noon < Date.UTC(2041, 0, 1); noon += 7 * day) {
          const change = Math.abs(offset(noon + 7 * day) - offset(noon));
          // In 2011 two zones left a day out: there is no yesterday.
          if (!change || change === 24 * 60) continue;
          let changed = noon + day;
          while (offset(changed) === offset(noon)) changed += day;
          for (const n of [-7, -1, 0, 1, 6, 7, 13, 14]) steps(zone, changed + n * day);
        }
      });
    }
    assert.deepEqual([wrong.length, wrong.slice(0, 20)], [0, []]);
  });
});

describe("days of zones whose clocks change at midnight", () => {
  const it = suite();

  test("begin where the server has them begin", { skip: inFirefox && "Node's clock" }, async () => {
    for (const zone of [
      "Africa/Cairo",
      "America/Havana",
      "America/Santiago",
      "America/St_Johns",
      "Antarctica/Casey",
      "Asia/Beirut",
      "Asia/Pyongyang",
      "Asia/Tehran",
      "Atlantic/Azores",
      "Pacific/Apia",
    ]) {
      for (const interval of ["day", "week", "month"]) {
        const { status, body } = await it.server.api(
          "GET",
          "/api/urls/docs/clicks?" +
            new URLSearchParams({
              interval,
              time_zone: zone,
              start_time: "2010-01-01T12:00:00Z",
              end_time: "2023-01-01T12:00:00Z",
            }),
        );
        assert.equal(status, 200);
        const times = body.series.map(({ time }) => Date.parse(time)).slice(1);
        assert(times.length > 100);
        await inZone(zone, () =>
          assert.deepEqual(
            times.slice(0, -1).map((time) => after(time, interval)),
            times.slice(1),
            `${zone} by ${interval}`,
          ),
        );
      }
    }
  });

  test("are asked for from their first instant on", async () => {
    // Cairo's clocks went from 24:00 on 23 April to 01:00 on 24 April 2026.
    const page = await it.open(null, { timezoneId: "Africa/Cairo" });
    await page.clock.install({ time: "2026-04-24T10:00:00Z" });
    const asked = async (query, start, end) => {
      await Promise.all([
        page.waitForRequest((request) => {
          const { searchParams } = new URL(request.url());
          return (
            searchParams.get("start_time") === start &&
            (!end || searchParams.get("end_time") === end)
          );
        }),
        page.goto(`/ui/links/docs?${query}`),
      ]);
    };
    await asked("range=yesterday", "2026-04-22T22:00:00.000Z", "2026-04-23T21:59:59.999Z");
    await asked("range=7d", "2026-04-17T22:00:00.000Z");
    await asked("range=7d&compare=1", "2026-04-10T22:00:00.000Z");
    await asked(
      "range=yesterday&compare=year",
      "2025-04-22T22:00:00.000Z",
      "2025-04-23T21:59:59.999Z",
    );
  });

  test("are all in what the chart is dragged over", async () => {
    const page = await it.open(null, { timezoneId: "Africa/Cairo" });
    await page.clock.install({ time: "2026-04-26T10:00:00Z" });
    await page.route(/\/clicks\?/, async (route) => {
      // a chart takes a click
      const response = await route.fetch(),
        json = await response.json();
      await route.fulfill({ response, json: { ...json, total_clicks: 1 } });
    });
    await page.goto("/ui/links/docs?range=7d&bots=1&show=clicks");
    const chart = page.locator('.stats[data-stale="false"] .chart svg');
    await chart.waitFor();
    const { x, y, width } = await chart.boundingBox(),
      inner = width - 48 - 12;
    const pointOf = (day) => x + 48 + inner * (day / 6); // the first is 20 April
    await page.mouse.move(pointOf(3), y + 100);
    await page.mouse.down();
    await page.mouse.move(pointOf(4), y + 110, { steps: 3 });
    await page.mouse.up();
    await until(() => page.url().includes("from="), "the part");
    const { searchParams: params } = new URL(page.url());
    assert.deepEqual(
      [params.get("from"), params.get("to")],
      ["2026-04-22T22:00:00.000Z", "2026-04-24T20:59:59.999Z"],
    );
  });
});
