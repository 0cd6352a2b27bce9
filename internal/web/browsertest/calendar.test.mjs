import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { clean, phone, shot, suite, tablet, until } from "./harness.mjs";

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
    assert.equal(await page.getByLabel("Compare with").count(), 0);
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
    await page.getByLabel("Compare with").waitFor();
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
});
