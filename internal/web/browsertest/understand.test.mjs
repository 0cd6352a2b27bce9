import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import {
  clean,
  compare,
  panel,
  phone,
  pick,
  sent,
  shot,
  stopClock,
  suite,
  tablet,
  totalOf,
  until,
} from "./harness.mjs";

describe("understanding clicks", () => {
  const it = suite();
  const settled = (page) => page.locator('.stats[data-stale="false"] .chart svg').waitFor();
  const row = (page, name, value) => panel(page, name).locator(".bar", { hasText: value });
  const people = async (query = "") =>
    (await it.server.api("GET", `/api/urls/launch/clicks?not_visitor=bot&${query}`)).body;
  const count = async (query) => (await people(query)).total_clicks;
  const sums = { total: 0 };

  // allTime opens the page of a link with all of its clicks: their number stays the same.
  const allTime = async (query = "", options = {}) => {
    sums.total ||= await count();
    const page = await it.open(`/ui/links/launch?range=all${query}`, options);
    await settled(page);
    return page;
  };
  const counts = async (page, n, what) =>
    until(async () => (await totalOf(page)) === n, `${n} clicks: ${what}`);

  test("a panel has tabs, and asks for those that are open", async () => {
    const asked = [];
    const page = await allTime("", {
      prepare: (page) =>
        page.on("request", (request) => {
          const query = new URL(request.url()).searchParams;
          if (query.has("by")) asked.push(query.get("by"));
        }),
    });
    assert.deepEqual(
      asked
        .join()
        .split(",")
        .sort()
        .filter((name, i, all) => name !== all[i - 1]),
      ["alias", "browser", "country", "referrer_host", "rule", "source", "visitor"],
    );
    const { visitors_by_os: systems } = await people("by=os&visitors=by");
    await page.getByRole("tab", { name: "Systems" }).click();
    await row(page, "Devices", "Windows").waitFor();
    assert.match(
      await row(page, "Devices", "Windows").textContent(),
      new RegExp(`${systems.Windows.toLocaleString("en-GB")}$`),
    );
    assert(asked.includes("os"));
    assert.equal(await page.locator(".map svg").isVisible(), true);
    await page.getByRole("tab", { name: "Cities" }).click();
    await row(page, "Places", "Berlin").waitFor();
    assert.equal(await page.locator(".map").count(), 0);
    assert.match(page.url(), /tab=os&tab=city/);
    await clean(page, "other tabs");
    await page.reload();
    await row(page, "Places", "Berlin").waitFor();
    await row(page, "Devices", "Windows").waitFor();
    await page.getByRole("tab", { name: "Cities" }).press("Home");
    await page.locator(".map").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Countries");
    await page.keyboard.press("ArrowLeft");
    await row(page, "Places", "Berlin").waitFor();
  });

  test("what nobody knows is said in words", async () => {
    await it.server.api("POST", "/api/urls", {
      original_url: "https://example.com/",
      short_code: "plain",
    });
    await it.server.click("plain", { "Accept-Language": "" });
    await until(
      async () => (await it.server.api("GET", "/api/urls/plain/clicks")).body.total_clicks === 1,
      "the click",
    );
    const page = await it.open("/ui/links/plain");
    await settled(page);
    await panel(page, "Places").getByText("Nobody knows which countries").waitFor();
    await page.getByRole("tab", { name: "UTM campaign" }).click();
    await panel(page, "Campaigns").getByText("No visit named a campaign.").waitFor();
    assert.equal(await panel(page, "Rules").count(), 0);
    await clean(page, "quiet panels");
    await shot(page, "quiet-panels");
  });

  test("several values, and what is left out", async () => {
    const page = await allTime();
    await row(page, "Devices", "Safari").click();
    await row(page, "Devices", "Firefox").click();
    await counts(page, await count("browser=Safari&browser=Firefox"), "any of them");
    await row(page, "Places", "Germany").click({ modifiers: ["Alt"] });
    const three = await count("browser=Safari&browser=Firefox&not_country=DE");
    await counts(page, three, "without Germany");
    assert.match(page.url(), /not_country=DE/);
    assert.deepEqual(
      (await page.locator(".chip-text").allTextContents()).map((text) =>
        text.replaceAll(/\s+/g, " ").trim(),
      ),
      ["Country is not Germany", "Browser: Safari", "Browser: Firefox"],
    );
    assert.equal(await row(page, "Places", "Germany").getAttribute("aria-pressed"), "true");
    await clean(page, "filters");
    await page.evaluate(() => scrollTo(0, 0));
    await shot(page, "several-filters");
    await page.reload();
    await counts(page, three, "after loading the address anew");
    await page.getByRole("button", { name: "Remove filter: Browser: Safari" }).click();
    await counts(page, await count("browser=Firefox&not_country=DE"), "one less");
    await page.goBack();
    await counts(page, three, "by going back");
    await page.getByRole("button", { name: "Remove all filters" }).click();
    await counts(page, sums.total, "all");
    await row(page, "Devices", "Chrome").press("Alt+Enter");
    await counts(page, await count("not_browser=Chrome"), "by keyboard");
    await row(page, "Devices", "Chrome").click();
    await counts(page, sums.total, "all again");
  });

  for (const [name, size] of [
    ["tablet", tablet],
    ["phone", phone],
  ]) {
    test(`a row's menu, by touch on a ${name}`, async () => {
      const page = await allTime("", size);
      const more = page.getByRole("button", { name: "More for United States" });
      await more.tap();
      // a popover, or a sheet where the page is narrow
      const [menuRole, itemRole] = size === phone ? ["dialog", "button"] : ["menu", "menuitem"];
      const menu = page.getByRole(menuRole, { name: "Filter by United States" });
      await clean(page, "the menu of a row");
      await shot(page, `row-menu-${name}`);
      await menu.getByRole(itemRole, { name: "Leave this out" }).tap();
      await counts(page, await count("not_country=US"), "all others");
      await more.tap();
      await menu.getByRole(itemRole, { name: "Filter by this" }).tap();
      await counts(page, await count("country=US"), "only this");
      await more.tap();
      await menu.getByRole(itemRole, { name: "Remove this filter" }).tap();
      await counts(page, sums.total, "all");
      const small = await page.evaluate(() =>
        [...document.querySelectorAll("main button, main select, main .field")]
          .map((e) => [e, e.getBoundingClientRect()])
          .filter(([, { width, height }]) => width && (width < 44 || height < 44))
          .map(([e, { width, height }]) => `${e.ariaLabel ?? e.textContent}: ${width} × ${height}`),
      );
      assert.deepEqual(small, []);
    });
  }

  test("a panel has one tab stop, and arrow keys reach its rows and menus", async () => {
    const page = await allTime();
    const rows = panel(page, "Devices").locator(".bar"),
      active = () => page.evaluate(() => document.activeElement.ariaLabel);
    const isAt = (i) => rows.nth(i).evaluate((row) => row === document.activeElement);
    await page.getByRole("tab", { name: "Browsers" }).focus();
    await page.keyboard.press("Tab");
    assert(await isAt(0), "Tab reaches the first row");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    assert(await isAt(2));
    await page.keyboard.press("Tab");
    assert.equal(await active(), "Export browsers as CSV", "Tab leaves the rows");
    await page.keyboard.press("Shift+Tab");
    assert(await isAt(2), "and comes back to the row where it was");
    await page.keyboard.press("End");
    assert(await isAt((await rows.count()) - 1));
    await page.keyboard.press("ArrowDown"); // there is none below
    assert(await isAt((await rows.count()) - 1));
    await page.keyboard.press("Home");
    const first = await rows.first().getAttribute("title");
    await page.keyboard.press("ArrowRight");
    assert.equal(await active(), `More for ${first}`);
    await page.keyboard.press("Enter");
    await page.getByText("Leave this out").waitFor();
    await page.keyboard.press("Escape");
    await until(async () => (await active()) === `More for ${first}`, "the focus on the row again");
    await page.keyboard.press("ArrowLeft");
    assert(await isAt(0));
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/browser=/);
    assert(await isAt(1), "the focus stays when the row filters");
    const stops = await page
      .locator(".panels .bars")
      .evaluateAll((all) => all.map((bars) => bars.querySelectorAll('[tabindex="0"]').length));
    assert.deepEqual(
      stops,
      stops.map(() => 1),
    );
  });

  test("bars end where the panel's tabs end, and percentages are there", async () => {
    const page = await allTime();
    const own = panel(page, "Devices");
    const right = (locator) => locator.evaluate((e) => Math.round(e.getBoundingClientRect().right));
    assert.equal(
      await right(own.locator(".bar").first()),
      (await right(own.getByRole("tab").last())) - 8, // the tab's padding
    );
    assert.equal(
      await right(own.locator(".bar-count").first()),
      await right(own.locator(".bar-heads span").last()),
    );
    for (const text of await own.locator(".bar-share").allTextContents())
      assert.match(text, /^\d+%$/);
    assert(await own.locator(".bar-share").first().isVisible());
  });

  for (const [name, size] of [
    ["tablet", tablet],
    ["phone", phone],
  ]) {
    test(`latest clicks have two lines on a ${name}`, async () => {
      const code = `as-long-as-${name}`.padEnd(20, "W"); // and no longer
      await it.server.api("POST", "/api/urls", {
        original_url: "https://example.com/",
        short_code: code,
      });
      await it.server.click(`${code}?utm_source=${"s".repeat(60)}`, {
        Referer: `https://${"a-long-name".repeat(5)}.example/`,
      });
      await it.server.api("PATCH", "/api/urls/launch", { title: "Spring launch" });
      await until(
        async () =>
          (await it.server.api("GET", "/api/events?limit=1")).body.events[0].short_code === code,
        "the click to be listed",
      );
      const page = await it.open("/ui/overview", size);
      await settled(page);
      const latest = panel(page, "Latest clicks");
      await latest.scrollIntoViewIfNeeded();
      await latest.locator("tbody tr").first().waitFor();
      await latest.locator("a", { hasText: "Spring launch" }).first().waitFor();
      const found = await latest.locator("tbody tr").evaluateAll((rows) =>
        rows.flatMap((row) => {
          const boxes = [...row.cells].map((cell) => cell.getBoundingClientRect());
          const over = boxes.flatMap((a, i) =>
            boxes
              .slice(i + 1)
              .filter(
                (b) =>
                  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 &&
                  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5,
              ),
          );
          const middles = boxes.map((box) => (box.top + box.bottom) / 2).sort((x, y) => x - y);
          const lines = middles.filter((y, i) => i === 0 || y - middles[i - 1] > 4).length;
          return over.length || lines !== 2 ? [`${row.textContent}: ${lines}`] : [];
        }),
      );
      assert.deepEqual(found, []);
      const [link] = await latest.locator("tbody a").all();
      assert.equal(await link.evaluate((e) => getComputedStyle(e).textOverflow), "ellipsis");
      assert.equal((await latest.getByRole("row").count()) > 10, true, "it is a table still");
      await clean(page, `latest clicks on a ${name}`);
    });
  }

  test("visitors come first, and the page shows what is pressed", async () => {
    await it.server.api("POST", "/api/urls", {
      original_url: "https://example.com/",
      short_code: "twice",
    });
    for (const agent of [
      "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
      undefined,
      undefined,
    ]) {
      await it.server.click("twice", agent && { "User-Agent": agent });
    }
    await until(
      async () => (await it.server.api("GET", "/api/urls/twice/clicks")).body.total_clicks === 3,
      "the clicks",
    );
    const page = await it.open("/ui/links/twice?range=24h&compare=1");
    await settled(page);
    const figure = (name) => page.getByRole("button", { name });
    assert.equal(await page.locator(".total.visitors b").textContent(), "2");
    assert.equal(await figure(/^2 visitors/).getAttribute("aria-pressed"), "true");
    await page.getByRole("slider", { name: "Visitors over time, by hour" }).press("End");
    await page.locator(".tip b").getByText("2 visitors").waitFor();
    await page.locator(".tip").getByText("3 clicks").waitFor();
    await clean(page, "visitors");
    const browsers = panel(page, "Devices");
    const head = () => browsers.locator(".bar-heads span").last().textContent();
    assert.equal(await head(), "Visitors");
    assert.match(await row(page, "Devices", "Chrome").textContent(), /50%1$/);
    await figure(/^3 clicks/).click();
    await until(async () => (await head()) === "Clicks", "the panels to follow");
    assert.match(await row(page, "Devices", "Chrome").textContent(), /67%2$/);
    await page.getByRole("slider", { name: "Clicks over time, by hour" }).waitFor();
    assert.match(page.url(), /show=clicks/);
    await page.reload();
    await page.getByRole("slider", { name: "Clicks over time, by hour" }).waitFor();
  });

  test("people only, or bots, too", async () => {
    const page = await allTime();
    const { body: all } = await it.server.api("GET", "/api/urls/launch/clicks?by=visitor");
    const bots = all.by_visitor.bot.toLocaleString("en-GB");
    await counts(page, all.total_clicks - all.by_visitor.bot, "people");
    const only = page.getByRole("checkbox", { name: `People only · ${bots} by bots left out` });
    assert.equal(await only.isChecked(), true);
    await only.uncheck();
    await counts(page, all.total_clicks, "all");
    await page.getByText(`${bots} by bots counted`).waitFor();
    assert.equal(
      await page.locator(".total.clicks").innerText(),
      `${all.total_clicks.toLocaleString("en-GB")} clicks with bots`,
    );
    assert.match(page.url(), /bots=1/);
    await page.reload();
    await counts(page, all.total_clicks, "all, after loading the address anew");
    await page.goBack();
    await counts(page, all.total_clicks - all.by_visitor.bot, "people again");
  });

  test("only bots came", async () => {
    await it.server.api("POST", "/api/urls", {
      original_url: "https://example.com/",
      short_code: "crawled",
    });
    await it.server.click("crawled", {
      "User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    });
    const page = await it.open("/ui/links/crawled");
    await page.getByText("No clicks by people in this range").waitFor();
    await shot(page, "only-bots");
    await page.getByRole("button", { name: "Count bots, too" }).click();
    await counts(page, 1, "the bot's");
  });

  test("all values of a panel: searched, sorted, chosen", async () => {
    const page = await allTime();
    await page.getByRole("button", { name: "All 17 countries" }).click();
    const dialog = page.getByRole("dialog", { name: "All countries" });
    const names = () => dialog.locator(".bar-name").allTextContents();
    await dialog.locator(".bar").first().waitFor();
    assert.equal((await names()).length, 17);
    assert(
      await dialog.getByLabel("Search countries").evaluate((e) => e === document.activeElement),
      "the focus is where one types",
    );
    assert.match(await dialog.locator(".bar").first().textContent(), /United States.*\d%/s);
    await clean(page, "all countries");
    await shot(page, "all-countries");
    await pick(dialog, "Sort", "Country, A to Z");
    const sorted = await names();
    assert.deepEqual(
      sorted,
      sorted.toSorted((a, b) => a.localeCompare(b, "en")),
    );
    await dialog.getByLabel("Search countries").fill("malt");
    await until(async () => (await names()).join() === "Malta", "what was searched for");
    await dialog.locator(".bar").click();
    await until(() => page.url().includes("country=MT"), "the filter");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await counts(page, await count("country=MT"), "Malta");
    await row(page, "Places", "Malta").waitFor(); // below the ten with the most
  });

  test("all of it, at once", async () => {
    for (const [name, options] of [
      ["statistics", {}],
      ["statistics-tablet", tablet],
      ["statistics-phone", phone],
      ["statistics-dark", { colorScheme: "dark" }],
    ]) {
      const page = await it.open("/ui/links/launch?compare=1", options);
      await settled(page);
      await panel(page, "Latest clicks").scrollIntoViewIfNeeded();
      await panel(page, "Latest clicks").locator("tbody tr").first().waitFor();
      await page.getByRole("grid").waitFor();
      await clean(page, name);
      await page.evaluate(() => scrollTo(0, 0));
      await shot(page, name, { fullPage: true });
    }
  });

  test("a range by the calendar", async () => {
    const page = await it.open(null, { timezoneId: "Europe/Berlin" });
    await page.clock.install({ time: new Date("2026-11-18T15:30:00+01:00") });
    const asked = async (name) => {
      await page.locator(".segments [aria-haspopup]").click();
      const dialog = page.getByRole("dialog", { name: "Choose a range" });
      const [request] = await Promise.all([
        page.waitForRequest((one) => one.url().includes("by=referrer_host")),
        dialog.getByRole("button", { name }).click(),
      ]);
      const query = new URL(request.url()).searchParams;
      return [query.get("start_time"), query.get("end_time").slice(0, 16), query.get("interval")];
    };
    await page.goto("/ui/links/launch");
    await settled(page);
    const now = "2026-11-18T14:3";
    for (const [name, start, end, interval] of [
      ["Today", "2026-11-17T23:00:00.000Z", now, "hour"],
      ["Yesterday", "2026-11-16T23:00:00.000Z", "2026-11-17T22:59", "hour"],
      ["This week", "2026-11-15T23:00:00.000Z", now, "hour"],
      ["Last month", "2026-09-30T22:00:00.000Z", "2026-10-31T22:59", "day"],
      ["This month", "2026-10-31T23:00:00.000Z", now, "day"],
      ["This year", "2025-12-31T23:00:00.000Z", now, "week"],
    ]) {
      const [from, to, by] = await asked(name);
      assert.deepEqual([name, from, to.slice(0, end.length), by], [name, start, end, interval]);
    }
    assert.match(page.url(), /range=year/);
    await page.getByRole("button", { name: "7d" }).click();
    await page.waitForURL(/range=7d/);
    await page.getByRole("button", { name: "Custom" }).waitFor();
  });

  test("compared with the period before, and the year before", async () => {
    const page = await it.open(null, { timezoneId: "Europe/Berlin" });
    await page.clock.install({ time: new Date("2026-11-18T15:30:00+01:00") });
    const then = async (range, compare) => {
      const [request] = await Promise.all([
        page.waitForRequest(
          (one) =>
            /by=visitor&(?!limit)/.test(one.url()) &&
            !one.url().includes("interval=month&") &&
            !one.url().endsWith("interval=month"),
        ),
        page.goto(`/ui/links/docs?range=${range}&compare=${compare}`),
      ]);
      const query = new URL(request.url()).searchParams;
      return [query.get("start_time").slice(0, 13), query.get("end_time").slice(0, 13)];
    };
    assert.deepEqual(await then("today", "1"), ["2026-11-16T23", "2026-11-17T14"]);
    assert.deepEqual(await then("lastmonth", "1"), ["2026-08-31T22", "2026-09-30T21"]);
    assert.deepEqual(await then("month", "1"), ["2026-09-30T22", "2026-10-18T13"]);
    assert.deepEqual(await then("lastmonth", "year"), ["2025-09-30T22", "2025-10-31T22"]);
    assert.deepEqual(await then("30d", "year"), ["2025-10-19T22", "2025-11-18T14"]);
    await page.getByRole("button", { name: "Compare with: Year before" }).waitFor();
    await compare(page, "Previous period");
    await page.getByRole("button", { name: "Compare with: Previous period" }).waitFor();
    await page.getByRole("button", { name: "All", exact: true }).click();
    await page.getByRole("button", { name: /^Compare/ }).waitFor({ state: "detached" });
  });

  test("CSV, a file for each panel", async () => {
    await it.server.api("POST", "/api/urls", {
      original_url: "https://example.com/csv",
      short_code: "sheet",
    });
    for (const referrer of ["https://a.example/x,y", "https://a.example/x,y", "https://b.example/"])
      await it.server.click("sheet", { Referer: referrer });
    await until(
      async () => (await it.server.api("GET", "/api/urls/sheet/clicks")).body.total_clicks === 3,
      "the clicks",
    );
    const page = await it.open(null);
    const forged = { "=1+1": 2, '@say "hi"': 1 }; // the server takes none such for a referrer
    await page.route(/sheet\/clicks/, async (route) => {
      const response = await route.fetch(),
        body = await response.json();
      await route.fulfill({
        response,
        json: {
          ...body,
          ...(body.by_referrer && { by_referrer: { ...body.by_referrer, ...forged } }),
        },
      });
    });
    await page.goto("/ui/links/sheet?range=24h");
    await settled(page);
    const save = async (name, role = "button") => {
      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole(role, { name }).click(),
      ]);
      return [
        saved.suggestedFilename(),
        (await readFile(await saved.path(), "utf8")).split("\r\n"),
      ];
    };
    await page.getByRole("button", { name: "Export", exact: true }).click();
    const [file, hours] = await save("The chart (CSV)", "menuitem");
    assert.match(file, /^terse-sheet-clicks-\d{4}-\d\d-\d\d\.csv$/);
    assert.equal(hours[0], "Hour (Europe/Berlin),Visitors,Clicks");
    assert.equal(hours.at(-1), "", "the last line ends, too");
    const clicked = hours.slice(1, -1).map((line) => line.split(","));
    assert.equal(clicked.length, 24);
    assert.match(clicked[0][0], /^\d{4}-\d\d-\d\d \d\d:00$/);
    assert.equal(
      clicked.reduce((all, [, , n]) => all + Number(n), 0),
      3,
    );
    assert.deepEqual(await save("Export browsers as CSV").then(([, lines]) => lines), [
      "Browser,Visitors",
      "Chrome,1",
      "",
    ]);
    await page.getByRole("button", { name: /^3 clicks/ }).click();
    await panel(page, "Devices").locator(".bar-heads", { hasText: "Clicks" }).waitFor();
    await page.getByRole("tab", { name: "Pages" }).click();
    assert.deepEqual(await save("Export pages as CSV").then(([, lines]) => lines), [
      "Page,Clicks",
      "'=1+1,2",
      '"https://a.example/x,y",2',
      '"\'@say ""hi""",1',
      "https://b.example/,1",
      "",
    ]);
  });

  test("hours of the week", async () => {
    const asked = [];
    const page = await allTime("&show=clicks", {
      prepare: (page) =>
        page.on(
          "request",
          (request) => request.url().includes("interval=hour") && asked.push(request.url()),
        ),
    });
    assert.deepEqual(asked, [], "nobody sees them yet");
    const hours = page.getByRole("grid", { name: "Hours of the week" });
    await panel(page, "Hours of the week").scrollIntoViewIfNeeded();
    await hours.waitFor();
    const cells = await hours.locator("td").allTextContents();
    assert.equal(cells.length, 7 * 24);
    assert.equal(
      cells.reduce((sum, text) => sum + Number(text.replaceAll(",", "")), 0),
      sums.total,
    );
    const legend = await panel(page, "Hours of the week").locator(".when-legend span").count();
    const levels = await hours.locator("td").evaluateAll((all) => all.map((e) => e.dataset.level));
    const used = [...new Set(levels)].filter((level) => level !== "0");
    assert.equal(legend, 7, "none, and six levels");
    for (const level of used) {
      const n = levels.filter((one) => one === level).length;
      assert(n > 12 && n < 56, `${n} hours of level ${level}`);
    }
    await clean(page, "hours of the week");
    await shot(page, "hours");
    const words = () => panel(page, "Hours of the week").locator(".when-words").textContent();
    assert.match(await words(), /^Most: [A-Z][a-z]+day, /);
    const reads = (wanted) => until(async () => wanted.test(await words()), `words like ${wanted}`);
    await hours.locator('[tabindex="0"]').focus();
    await reads(/^Monday, 0?0:00 to 0?1:00: [\d,]+ clicks \d+%$/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    await reads(/^Tuesday, 23:00 to 0?0:00: /);
    const wanted = Number((await words()).match(/([\d,]+) click/)[1].replaceAll(",", ""));
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export hours of the week as CSV" }).click(),
    ]);
    const lines = (await readFile(await saved.path(), "utf8")).split("\r\n");
    assert.equal(lines[0], "Day,Hour,Visitors,Clicks");
    assert.equal(lines.length, 1 + 7 * 24 + 1);
    assert.match(lines[48], new RegExp(`^Tuesday,23:00,\\d+,${wanted}$`));
    const other = await allTime("&show=clicks", phone);
    await panel(other, "Hours of the week").scrollIntoViewIfNeeded();
    await other.locator('.when td[data-day="3"][data-hour="12"]').tap();
    await panel(other, "Hours of the week").getByText("Thursday, 12:00 to 13:00:").waitFor();
    await shot(other, "hours-phone");
  });

  test("the latest clicks, one by one, as they come", async () => {
    await it.server.api("POST", "/api/urls", {
      original_url: "https://example.com/",
      short_code: "live",
    });
    const click = async (n, headers) => {
      await it.server.click("live?utm_source=mail", headers);
      await until(
        async () => (await it.server.api("GET", "/api/urls/live/events")).body.events.length === n,
        "the click to be listed",
      );
    };
    await click(1, { Referer: "https://first.example/" });
    const page = await it.open(null);
    await stopClock(page);
    const asked = [];
    page.on("request", (request) => request.url().includes("/events") && asked.push(request.url()));
    await page.goto("/ui/links/live");
    await settled(page);
    const latest = panel(page, "Latest clicks"),
      rows = latest.locator("tbody tr");
    await latest.scrollIntoViewIfNeeded();
    await until(async () => {
      await page.clock.fastForward(100); // what is asked for after a frame
      return (await rows.count()) === 1;
    }, "the first click");
    assert.match(
      (await rows.first().textContent()).replaceAll(/\s+/g, " "),
      /Unknown ?Chrome on Windows ?first\.example · mail/,
    );
    await click(2, { Referer: "https://second.example/" });
    await page.clock.fastForward(60_000);
    await rows.first().getByText("second.example").waitFor();
    await latest.getByRole("button", { name: "Pause" }).click();
    await click(3, { Referer: "https://third.example/" });
    const before = asked.length;
    await page.clock.fastForward(60_000);
    await sent(page);
    assert.equal(asked.length, before, "nobody asks while it is paused");
    await latest.getByRole("button", { name: "Resume" }).click();
    await until(async () => {
      await page.clock.fastForward(100);
      return (await rows.count()) === 3;
    }, "the click that came meanwhile");
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await page.clock.fastForward(60_000);
    await sent(page);
    const hidden = asked.length;
    await page.clock.fastForward(60_000);
    await sent(page);
    assert.equal(asked.length, hidden, "nobody asks while nobody looks");
    await page.evaluate(() => {
      delete document.hidden;
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await until(() => asked.length > hidden, "the next question");
  });

  test("older clicks, of all links, by their filters", async () => {
    const page = await it.open("/ui/overview?country=FR");
    await settled(page);
    const latest = panel(page, "Latest clicks"),
      rows = latest.locator("tbody tr");
    await latest.scrollIntoViewIfNeeded();
    await rows.first().waitFor();
    assert.equal(await rows.count(), 10);
    await latest.getByRole("button", { name: "Show 50 older clicks" }).click();
    await until(async () => (await rows.count()) === 60, "more of them");
    const { body } = await it.server.api("GET", "/api/events?country=FR&not_visitor=bot&limit=60");
    assert.deepEqual(
      await rows.locator("a").allTextContents(),
      body.events.map(({ short_code: code }) => (code === "launch" ? "Spring launch" : code)),
    );
    await latest.getByRole("button", { name: "Resume" }).waitFor();
    await clean(page, "latest clicks");
    await shot(page, "latest");
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      latest.getByRole("link", { name: "Export single clicks as CSV, with those by bots" }).click(),
    ]);
    const lines = (await readFile(await saved.path(), "utf8")).split("\r\n");
    assert.match(lines[0], /^time,short_code,country,/);
    assert(lines.length > 60);
    await rows.locator("a").first().click();
    await page.waitForURL(`**/ui/links/${body.events[0].short_code}`);
    const small = await it.open("/ui/links/launch", phone);
    await settled(small);
    await panel(small, "Latest clicks").scrollIntoViewIfNeeded();
    await panel(small, "Latest clicks").locator("tbody tr").first().waitFor();
    await clean(small, "latest clicks on a phone");
    assert(
      await small.evaluate(
        () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
      ),
    );
  });

  test("top links are those of the range, the filters and the tags", async () => {
    for (const code of ["docs", "talk"]) {
      await it.server.api("PATCH", `/api/urls/${code}`, { tags: ["learn"] });
    }
    const page = await it.open("/ui/overview?range=7d&browser=Firefox");
    await settled(page);
    const links = panel(page, "Top links").locator(".bar-code");
    await until(async () => (await links.first().textContent()) === "launch", "the most clicked");
    await page.getByRole("button", { name: "Tag: Any tag" }).click();
    await page.getByRole("option", { name: "learn 2" }).click();
    await page.waitForURL(/tag=learn/);
    await until(
      async () => (await links.allTextContents()).sort().join() === "docs,talk",
      "those with the tag",
    );
    await page.getByText("2 links", { exact: true }).waitFor();
    await clean(page, "overview by tag");
    await shot(page, "overview-by-tag");
    await page.getByRole("button", { name: "Remove filter: Tag: learn" }).click();
    await until(async () => (await links.count()) === 10, "all again");
  });

  test("everything that is shown, in one file", async () => {
    const page = await allTime("&country=DE");
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await page.getByRole("menu", { name: "Export" }).waitFor();
    await clean(page, "export");
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "Everything shown" }).click(),
    ]);
    assert.match(saved.suggestedFilename(), /^terse-launch-\d{4}-\d\d-\d\d\.zip$/);
    const zip = (await readFile(await saved.path())).toString("latin1"); // nothing is compressed
    for (const name of [
      "clicks",
      "hours-of-the-week",
      "sites",
      "pages",
      "utm-sources",
      "utm-mediums",
      "utm-campaigns",
      "countries",
      "regions",
      "cities",
      "browsers",
      "systems",
      "kinds",
      "languages",
      "rules",
    ]) {
      assert(zip.includes(`terse-launch-${name}-`), name);
    }
    const { visitors } = await people("country=DE&visitors=true");
    assert(zip.includes(`Code,Country,Visitors\r\nDE,Germany,${visitors}\r\n`));
  });
});

describe("clicks of which only the days are kept", () => {
  const it = suite({ data: false, env: { TRACKING: "off" } });

  test("are those of people", async () => {
    await it.server.api("POST", "/api/urls", {
      original_url: "https://example.com/",
      short_code: "plain",
    });
    await it.server.click("plain");
    await until(
      async () => (await it.server.api("GET", "/api/urls/plain/clicks")).body.total_clicks === 1,
      "the click",
    );
    const page = await it.open("/ui/links/plain");
    await until(async () => (await totalOf(page)) === 1, "the click");
    await clean(page, "no single clicks");
  });
});
