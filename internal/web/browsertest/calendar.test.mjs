import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { clean, cleanInAll, phone, shot, suite, tablet, until } from "./harness.mjs";

describe("the calendar", () => {
  const it = suite();
  const picker = (page) => page.getByRole("dialog", { name: "Choose a range" });
  const day = (page, name) => picker(page).getByRole("button", { name, exact: true });
  const opener = (page) => page.locator(".segments [aria-haspopup]");
  const settled = (page) => page.locator('.stats[data-stale="false"] .chart svg').waitFor();
  const gone = (page) => until(async () => (await picker(page).count()) === 0, "it to close");
  const pressed = (page) => page.locator('.segments [aria-pressed="true"]').allTextContents();
  const focused = (page) =>
    page.evaluate(() => document.activeElement.ariaLabel ?? document.activeElement.textContent);

  // Wednesday, 18 November 2026; what the server counted does not matter.
  const open = async (query, options) => {
    const page = await it.open(null, options);
    await page.clock.install({ time: new Date("2026-11-18T15:30:00+01:00") });
    await page.route(/\/clicks\?/, async (route) => {
      const response = await route.fetch(),
        json = await response.json();
      await route.fulfill({ response, json: { ...json, total_clicks: 1 } });
    });
    await page.goto(`/ui/links/docs?bots=1&show=clicks${query}`);
    await settled(page);
    return page;
  };
  const range = (page) => {
    const { searchParams } = new URL(page.url());
    return [searchParams.get("from"), searchParams.get("to")];
  };

  test("two clicks choose a range", async () => {
    const page = await open("&range=all");
    await opener(page).click();
    await picker(page).waitFor();
    assert.deepEqual(await pressed(page), ["All"], "what is highlighted is what is shown");
    assert.equal(await page.getByRole("button", { name: "Compare" }).count(), 0);
    assert.deepEqual(await picker(page).locator("h2").allTextContents(), [
      "October 2026",
      "November 2026",
    ]);
    assert.equal(await day(page, "Thursday, 19 November 2026").isDisabled(), true);
    await clean(page, "the calendar");
    // backwards, across the day on which clocks go back
    await day(page, "Monday, 2 November 2026").click();
    await picker(page).getByText("From Monday, 2 November 2026. Choose the last day.").waitFor();
    await day(page, "Friday, 23 October 2026").hover();
    await until(
      async () => (await picker(page).locator('[aria-selected="true"]').count()) === 11,
      "the days between",
    );
    await clean(page, "the calendar with a first day");
    await shot(page, "custom-range");
    await day(page, "Friday, 23 October 2026").click();
    await gone(page);
    await page.waitForURL(/from=/);
    assert.deepEqual(range(page), ["2026-10-22T22:00:00.000Z", "2026-11-02T22:59:59.999Z"]);
    await settled(page);
    assert.deepEqual(
      (await pressed(page)).map((text) => text.trim()),
      ["23 Oct – 2 Nov 2026"],
    );
    await page.getByRole("button", { name: "Compare" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Reset zoom" }).count(), 0);

    await opener(page).click();
    await picker(page).waitFor();
    assert.equal(await focused(page), "Monday, 2 November 2026");
    await picker(page).getByRole("button", { name: "Previous month" }).click();
    await picker(page).getByRole("heading", { name: "September 2026" }).waitFor();
    await picker(page).getByRole("button", { name: "Last month" }).click();
    await page.waitForURL(/range=lastmonth/);
    assert.deepEqual(
      (await pressed(page)).map((text) => text.trim()),
      ["Last month"],
    );
  });

  test("by keyboard", async () => {
    const page = await open("");
    await opener(page).focus();
    await page.keyboard.press("Enter");
    await picker(page).waitFor();
    assert.equal(await focused(page), "Wednesday, 18 November 2026");
    for (const [key, name] of [
      ["ArrowRight", "Wednesday, 18 November 2026"], // nobody can click tomorrow
      ["ArrowLeft", "Tuesday, 17 November 2026"],
      ["ArrowUp", "Tuesday, 10 November 2026"],
      ["Home", "Monday, 9 November 2026"],
      ["End", "Sunday, 15 November 2026"],
      ["PageUp", "Thursday, 15 October 2026"],
      ["PageUp", "Tuesday, 15 September 2026"],
      ["ArrowDown", "Tuesday, 22 September 2026"],
    ]) {
      await page.keyboard.press(key);
      assert.equal(await focused(page), name, key);
    }
    await page.keyboard.press("Enter");
    await until(
      async () =>
        (await page.locator("#said").textContent()) ===
        "From Tuesday, 22 September 2026. Choose the last day.",
      "the first day to be said",
    );
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.waitForURL(/from=/);
    assert.deepEqual(range(page), ["2026-09-21T22:00:00.000Z", "2026-09-23T21:59:59.999Z"]);
    await gone(page);
    await until(
      async () => /^22\s?–\s?23 Sept? 2026$/.test((await focused(page)).trim()),
      "the focus to be on the button again",
    );
    await until(
      async () =>
        /^22 Sept? 2026 to 23 Sept? 2026\. /.test(await page.locator("#said").textContent()),
      "the range to be said",
    );
    await page.keyboard.press("Enter");
    await picker(page).waitFor();
    await page.keyboard.press("Escape");
    await gone(page);
    assert.match((await focused(page)).trim(), /^22\s?–\s?23/);
    // the same day twice is one day
    await page.keyboard.press("Enter");
    await picker(page).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.waitForURL(/from=2026-09-22T22%3A00%3A00.000Z&to=2026-09-23T21/);
  });

  test("hours that were zoomed into are in words, too", async () => {
    const page = await open("&from=2026-11-17T09:00:00Z&to=2026-11-17T12:00:00Z");
    assert.deepEqual(
      (await pressed(page)).map((text) => text.trim().replaceAll(/\s*–\s*/g, " – ")),
      ["17 Nov 2026, 10:00 – 13:00"],
    );
    await opener(page).click();
    await picker(page).waitFor();
    assert.equal(await focused(page), "Tuesday, 17 November 2026");
    await page.keyboard.press("Escape");
    await gone(page);
    await page.getByRole("button", { name: "Reset zoom" }).click();
    await page.waitForURL((url) => !url.searchParams.get("from"));
    assert.deepEqual(await pressed(page), ["30d"]);
  });

  test("weeks begin where the reader's do", async () => {
    const page = await open("", { locale: "en-US" });
    await opener(page).click();
    await picker(page).waitFor();
    const heads = await picker(page).locator(".month th").allTextContents();
    assert.equal(heads[0].trim(), "Su");
  });

  test("by finger, on a tablet and on a phone", async () => {
    for (const [kind, months] of [
      [tablet, 2],
      [phone, 1],
    ]) {
      const page = await open("", kind);
      await opener(page).tap();
      await picker(page).waitFor();
      assert.equal(await picker(page).locator(".month").count(), months);
      assert.ok(
        await page.evaluate(
          () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
        ),
        "nothing is wider than the page",
      );
      await clean(page, `the calendar of ${months}`);
      await picker(page).getByRole("button", { name: "Previous month" }).tap();
      const first = day(page, "Monday, 5 October 2026");
      const { height } = await first.boundingBox();
      assert.ok(height >= 36, `a finger hits ${height}`);
      await first.tap();
      await day(page, "Sunday, 11 October 2026").tap();
      await page.waitForURL(/from=/);
      assert.deepEqual(range(page), ["2026-10-04T22:00:00.000Z", "2026-10-11T21:59:59.999Z"]);
      await gone(page);
    }
  });

  const comparing = (page) => page.getByRole("dialog", { name: "Choose what to compare with" });
  const compareButton = (page) => page.getByRole("button", { name: /^Compare/ });
  const params = (page, ...names) => {
    const { searchParams } = new URL(page.url());
    return names.map((name) => searchParams.get(name));
  };
  const other = ["compare", "compare_from", "compare_to"];
  const legend = async (page) => {
    const texts = await page.locator(".legend > span").allTextContents();
    return texts.map((text) => text.trim().replaceAll(/\s*–\s*/g, "–"));
  };

  test("any two ranges are compared, and both are said", async () => {
    const page = await open("&range=7d");
    await compareButton(page).click();
    await comparing(page).waitFor();
    assert.equal(
      (await page.evaluate(() => document.activeElement.textContent)).trim(),
      "No comparison",
    );
    const text = async (name) =>
      (await comparing(page).getByRole("button", { name }).textContent()).replaceAll(/\s+/g, " ");
    assert.match(await text("Previous period"), /Previous period ?5 ?– ?11 Nov/);
    assert.match(
      await text("Year before"),
      /Year before ?12 Nov 2025 ?– ?18 Nov 2025|12 ?– ?18 Nov/,
    );
    await cleanInAll(page, "the comparison");
    await comparing(page).getByRole("button", { name: "Previous period" }).click();
    await page.locator(".legend").waitFor();
    await settled(page);
    assert.deepEqual(await legend(page), ["12–18 Nov", "5–11 Nov"]);
    assert.deepEqual(params(page, ...other), ["1", null, null]);

    await compareButton(page).click();
    const day = (name) => comparing(page).getByRole("button", { name });
    await day("Wednesday, 14 October 2026").click();
    await comparing(page).getByText("From Wednesday, 14 October 2026.").waitFor();
    await day("Tuesday, 20 October 2026").hover();
    await until(
      async () => (await comparing(page).locator('[data-other="true"]').count()) === 7,
      "the days between",
    );
    await clean(page, "another range with its first day");
    await shot(page, "compare-ranges");
    await day("Tuesday, 20 October 2026").click();
    await page.waitForURL(/compare_from=/);
    assert.deepEqual(params(page, ...other), [
      null,
      "2026-10-13T22:00:00.000Z",
      "2026-10-20T21:59:59.999Z",
    ]);
    await settled(page);
    await until(async () => (await legend(page))[1] === "14–20 Oct", "the other range");
    assert.deepEqual(await legend(page), ["12–18 Nov", "14–20 Oct"]);
    await page.locator(".chart-earlier").waitFor();
    const name = await compareButton(page).getAttribute("aria-label");
    assert.match(name, /^Compare with: 14\s?–\s?20 Oct 2026$/);

    // what is highlighted is what is shown: both
    await opener(page).click();
    await picker(page).waitFor();
    assert.equal(await picker(page).locator('[data-other="true"]').count(), 7);
    assert.equal(await picker(page).locator('[aria-selected="true"]').count(), 7);
    await picker(page)
      .getByRole("button", { name: "Tuesday, 20 October 2026, compared", exact: true })
      .waitFor();
    await cleanInAll(page, "the calendar with two ranges");
    await picker(page).getByRole("button", { name: "Compare with", exact: true }).click();
    await comparing(page).getByRole("button", { name: "No comparison" }).click();
    await page.waitForURL((url) => !url.search.includes("compare"));
    await until(async () => (await page.locator(".legend").count()) === 0, "no comparison");
    await page.goBack();
    await until(async () => (await legend(page))[1] === "14–20 Oct", "it to come back");
    await page.reload();
    await until(async () => (await legend(page))[1] === "14–20 Oct", "it to be in the address");
    await page.getByRole("button", { name: "All", exact: true }).click();
    await compareButton(page).waitFor({ state: "detached" });
  });

  test("a comparison is chosen by keyboard, and said", async () => {
    const page = await open("&range=7d");
    await compareButton(page).focus();
    await page.keyboard.press("Enter");
    await comparing(page).waitFor();
    for (let i = 0; i < 9 && !/^\w+day, /.test(await focused(page)); i++)
      await page.keyboard.press("Tab");
    assert.equal(await focused(page), "Thursday, 12 November 2026", "before the range");
    for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    for (let i = 0; i < 2; i++) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.waitForURL(/compare_from=2026-10-14T22/);
    await until(
      async () =>
        /^Last 7 days, compared with 15 Oct 2026 to 17 Oct 2026\. /.test(
          await page.locator("#said").textContent(),
        ),
      "the comparison to be said",
    );
    assert.match(await focused(page), /^Compare with: 15/);
  });

  test("sums of unequal ranges are compared by their averages per day", async () => {
    const at = (day, n) => ({ time: `2026-${day}T00:00:00+01:00`, clicks: n });
    const answers = {
      "2026-11-08": { total_clicks: 70, series: [at("11-09", 10), at("11-10", 10)] },
      "2026-10-13": { total_clicks: 100, series: [at("10-14", 30), at("10-15", 20)] },
    };
    const page = await it.open(null);
    await page.clock.install({ time: new Date("2026-11-18T15:30:00+01:00") });
    const asked = [];
    await page.route(/\/clicks\?/, async (route) => {
      const query = new URL(route.request().url()).searchParams,
        response = await route.fetch(),
        json = await response.json();
      asked.push(`${query.get("start_time").slice(0, 10)} ${query.get("interval")}`);
      await route.fulfill({
        response,
        json: { ...json, visitors: 0, ...answers[query.get("start_time").slice(0, 10)] },
      });
    });
    const shown = async (from, to) => {
      await page.goto(
        "/ui/links/docs?bots=1&from=2026-11-08T23:00:00Z&to=2026-11-15T22:59:59.999Z" +
          `&compare_from=${from}&compare_to=${to}`,
      );
      await settled(page);
      const change = page.locator(".change").first();
      await change.waitFor();
      return [
        (await change.locator("[aria-hidden]").textContent()).trim().replaceAll(/\s+/g, " "),
        (await change.locator(".unseen").textContent()).trim().replaceAll(/\s+/g, " "),
      ];
    };
    // 10 a day in seven days, 20 a day in five
    assert.deepEqual(await shown("2026-10-13T22:00:00Z", "2026-10-18T21:59:59.999Z"), [
      "▼ 50% per day vs. 100",
      "Down 50% per day from 100 in 14 Oct 2026 to 18 Oct 2026",
    ]);
    // as many days: their sums
    assert.deepEqual(await shown("2026-10-13T22:00:00Z", "2026-10-20T21:59:59.999Z"), [
      "▼ 30% vs. 100",
      "Down 30% from 100 in 14 Oct 2026 to 20 Oct 2026",
    ]);
    // or of what is counted of them
    Object.assign(answers["2026-10-13"], {
      counted_start_time: "2026-10-15T22:00:00Z",
      counted_end_time: "2026-10-20T21:59:59.999999Z",
    });
    assert.equal(
      (await shown("2026-10-13T22:00:00Z", "2026-10-20T21:59:59.999Z"))[0],
      "▼ 50% per day vs. 100",
    );
    await page.getByText(/^The other range is counted from 16 Oct 2026, 00:00 to/).waitFor();
    // hours and years: no more points than the chart has room for
    asked.length = 0;
    await page.goto(
      "/ui/links/docs?bots=1&from=2026-11-08T23:00:00Z&to=2026-11-09T22:59:59.999Z" +
        "&compare_from=2019-12-31T23:00:00Z&compare_to=2025-12-31T22:59:59.999Z",
    );
    await settled(page);
    await page.locator(".change").first().waitFor();
    assert.ok(asked.includes("2019-12-31 month"), asked.join());
    assert.ok(asked.includes("2019-12-31 hour"), asked.join());
  });

  test("a comparison on a phone, of all links, and on a shared page", async () => {
    const page = await open("&range=7d", phone);
    await compareButton(page).tap();
    await comparing(page).waitFor();
    await clean(page, "the comparison on a phone");
    assert.ok(
      await page.evaluate(
        () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
      ),
      "nothing is wider than the page",
    );
    await comparing(page).getByRole("button", { name: "Previous month" }).tap();
    await comparing(page).getByRole("button", { name: "Monday, 5 October 2026" }).tap();
    await comparing(page).getByRole("button", { name: "Sunday, 11 October 2026" }).tap();
    await page.waitForURL(/compare_from=/);
    await until(async () => (await legend(page))[1] === "5–11 Oct", "both ranges");

    const all = await it.open(null);
    await all.clock.install({ time: new Date("2026-11-18T15:30:00+01:00") });
    await all.goto(`/ui/overview?bots=1&${page.url().split("?")[1]}`);
    await all.locator('.stats[data-stale="false"]').waitFor();
    assert.deepEqual(await legend(all), ["12–18 Nov", "5–11 Oct"]);

    const { body } = await it.server.api("POST", "/api/urls/docs/share");
    const shared = await it.open(null, { signedIn: false });
    await shared.clock.install({ time: new Date("2026-11-18T15:30:00+01:00") });
    await shared.goto(`${new URL(body.url).pathname}?bots=1&range=7d`);
    await shared.locator('.stats[data-stale="false"]').waitFor();
    await compareButton(shared).click();
    await comparing(shared).getByRole("button", { name: "Previous period" }).click();
    await shared.waitForURL(/compare=1/);
  });

  test("the two ranges differ by more than a colour, in forced colours, too", async () => {
    const page = await open(
      "&range=7d&compare_from=2026-10-13T22:00:00Z&compare_to=2026-10-20T21:59:59.999Z",
      { forcedColors: "active" },
    );
    await opener(page).click();
    await picker(page).waitFor();
    const styles = await picker(page).evaluate((dialog) => {
      const cell = (name) => dialog.querySelector(`[data-day="${name}"]`).closest("td");
      const of = (name) => [
        getComputedStyle(cell(name)).backgroundColor,
        getComputedStyle(cell(name), "::after").borderTopStyle,
      ];
      return [of("2026-11-14"), of("2026-10-16"), of("2026-10-06")];
    });
    const [[chosen, a], [compared, b], [plain, c]] = styles;
    assert.notEqual(chosen, plain);
    assert.equal(compared, plain);
    assert.deepEqual([a, b, c], ["none", "dashed", "none"]);
  });
});
