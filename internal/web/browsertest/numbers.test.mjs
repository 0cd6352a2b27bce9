import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { before, describe, test } from "node:test";
import { promisify } from "node:util";
import { clean, panel, suite, token, until } from "./harness.mjs";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
const bot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

// One link: two visitors click three times, a browser prefetches it, a crawler comes four times.
const visitors = 2,
  clicks = 4,
  byBots = 4,
  withBots = clicks + byBots;

describe("the same numbers by the same names", () => {
  const it = suite({ data: false, env: { TRUSTED_PROXIES: "127.0.0.1" } });

  before(async () => {
    const { server } = it;
    await server.api("POST", "/api/urls", {
      original_url: "https://example.com/",
      short_code: "counted",
      title: "Counted",
    });
    const click = (query, headers) =>
      server.click(`counted${query}`, { "X-Forwarded-For": "8.8.8.8", ...headers });
    const from = { Referer: "https://news.example/story" };
    await click("?utm_source=mail", { "User-Agent": firefox });
    await click("?utm_source=mail", { "User-Agent": firefox, ...from });
    await click("", from);
    await click("", { "Sec-Purpose": "prefetch" });
    for (let i = 0; i < byBots; i++) await click("", { "User-Agent": bot });
    const path = "/api/urls/counted/clicks";
    await until(
      async () => (await server.api("GET", path)).body.total_clicks === withBots,
      "the clicks",
    );
  });

  const settled = (page) => page.locator('.stats[data-stale="false"] .chart svg').waitFor();
  const figures = async (page) =>
    (await page.locator(".figure .total").allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/g, " ").trim(),
    );
  const number = (text) => Number(text.replaceAll(/\D/g, ""));
  const sum = (numbers) => numbers.reduce((all, n) => all + n, 0);
  const panels = ["Referrers", "Campaigns", "Devices", "Places"];

  // shows waits for a page that shows a number by its name in all panels, which add up to it.
  async function shows(page, head, n) {
    for (const name of panels) {
      const own = panel(page, name);
      await until(
        async () => (await own.locator(".bar-heads span").last().textContent()) === head,
        `${head} in ${name}`,
      );
      const numbers = await own.locator(".bar-count").allTextContents();
      assert.equal(sum(numbers.map(number)), n, `${head} in ${name}`);
    }
    await panel(page, "Hours of the week").scrollIntoViewIfNeeded();
    await panel(page, "Hours of the week").locator(".unit", { hasText: head }).waitFor();
    const cells = page.getByRole("grid", { name: "Hours of the week" }).locator("td");
    await cells.first().waitFor();
    assert.equal(sum((await cells.allTextContents()).map(number)), n, `${head} by hour`);
    await page.getByRole("slider", { name: new RegExp(`^${head} over time`) }).waitFor();
    const heads = await page.locator(".chart table thead th").allTextContents();
    assert.equal(heads[1].trim(), head);
    const points = await page.locator(".chart table tbody td:nth-child(2)").allTextContents();
    assert.equal(sum(points.map(number)), n, `${head} in the chart`);
    assert.match(
      await page.getByRole("img", { name: /^World map/ }).getAttribute("aria-label"),
      new RegExp(`^World map of ${head.toLowerCase()};`),
    );
  }

  async function save(page, button) {
    const [saved] = await Promise.all([page.waitForEvent("download"), button.click()]);
    return readFile(await saved.path(), "utf8");
  }
  // files compares the files of a page with what it shows.
  async function files(page, head, n) {
    const own = panel(page, "Devices");
    const text = await save(page, own.getByRole("button", { name: "Export browsers as CSV" }));
    const [first, ...rows] = text.trim().split("\r\n");
    assert.equal(first, `Browser,${head}`);
    assert.equal(sum(rows.map((row) => Number(row.split(",")[1]))), n);
    await page.getByRole("button", { name: "Export", exact: true }).click();
    const zip = await save(page, page.getByText("Everything shown (ZIP of CSV files)"));
    assert(zip.includes(`\nBrowser,${head}\r\n`.slice(1) + rows.join("\r\n")), "as in the panel");
    for (const column of ["Site", "UTM source", "System", "Code,Country"])
      assert(zip.includes(`${column},${head}\r\n`), `${column}, ${head}`);
  }

  const people = { visitors: [`${visitors} visitors`, `${clicks} clicks`] };
  for (const path of ["/ui/links/counted", "/ui/overview", "share"]) {
    test(`on the page and in its files, ${path}`, async () => {
      const shared = path === "share" && (await it.server.api("POST", "/api/urls/counted/share"));
      const page = await it.open(shared ? new URL(shared.body.url).pathname : path);
      await settled(page);
      assert.deepEqual(await figures(page), people.visitors);
      await page.getByText(`${byBots} by bots left out`).waitFor();
      await shows(page, "Visitors", visitors);
      await files(page, "Visitors", visitors);
      await clean(page, `visitors, ${path}`);
      await page.getByRole("button", { name: `${clicks} clicks` }).click();
      await settled(page);
      await shows(page, "Clicks", clicks);
      await files(page, "Clicks", clicks);
      await page.getByLabel("People only").uncheck();
      await page.getByText(`${byBots} by bots counted`).waitFor();
      await settled(page);
      assert.deepEqual(await figures(page), [
        `${visitors} visitors`,
        `${withBots} clicks with bots`,
      ]);
      await shows(page, "Clicks with bots", withBots);
      await files(page, "Clicks with bots", withBots);
      const said = page.locator("#said");
      await until(
        async () =>
          (await said.textContent()).endsWith(`${visitors} visitors, ${withBots} clicks with bots`),
        "what is said",
      );
    });
  }

  test("in the list", async () => {
    const page = await it.open("/ui/");
    const number = page.locator(".rows .row-clicks"),
      head = page.locator(".row-head");
    const shows = (n) =>
      until(async () => (await number.textContent()) === `clicks: ${n}`, `${n} clicks`);
    await shows(clicks);
    await head.getByText("Clicks", { exact: true }).waitFor();
    await page.getByText("bots are left out").waitFor();
    await page.getByLabel("People only").uncheck();
    await shows(withBots);
    await head.getByText("Clicks with bots", { exact: true }).waitFor();
    assert.equal(new URL(page.url()).search, "?bots=1");
  });

  test("all values of a panel", async () => {
    const page = await it.open("/ui/links/counted");
    await settled(page);
    // the dialog is there for more values than a panel shows
    await page.route(/\/clicks\?/, async (route) => {
      const response = await route.fetch(),
        body = await response.json();
      const more = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`Browser ${i}`, 0]));
      for (const name of ["by_browser", "visitors_by_browser"])
        if (body[name]) Object.assign(body[name], more);
      await route.fulfill({ response, json: body });
    });
    await page.reload();
    await panel(page, "Devices").getByRole("button", { name: "All 14 browsers" }).click();
    const dialog = page.getByRole("dialog", { name: "All browsers" });
    await dialog.getByLabel("Sort").getByText("Most visitors").waitFor({ state: "attached" });
    assert.deepEqual(await dialog.locator(".bar-heads span").allTextContents(), [
      "Browser",
      "Visitors",
    ]);
    const counts = await dialog.locator(".bar-count").allTextContents();
    assert.equal(sum(counts.map(number)), visitors);
  });

  test("top links and single clicks", async () => {
    const page = await it.open("/ui/overview");
    await settled(page);
    const top = panel(page, "Top links");
    await top.locator(".bar").first().waitFor();
    const read = async () => [
      await top.locator(".bar-heads span").last().textContent(),
      await top.locator(".bar-title").first().textContent(),
      await top.locator(".bar-count").first().textContent(),
    ];
    assert.deepEqual(await read(), ["Clicks", "Counted", String(clicks)]);
    await top.getByText("by clicks", { exact: true }).waitFor(); // while visitors are shown
    const file = await save(page, top.getByRole("button", { name: "Export top links as CSV" }));
    assert.equal(
      file,
      "Short link,Title,Destination,Clicks\r\n" +
        `https://sho.rt/counted,Counted,https://example.com/,${clicks}\r\n`,
    );
    const latest = panel(page, "Latest clicks");
    await latest.scrollIntoViewIfNeeded();
    await latest.locator("tbody tr").first().waitFor();
    assert.equal(await latest.locator("tbody tr").count(), clicks);
    assert.equal(await latest.locator("tbody a").first().textContent(), "Counted");
    const events = await save(
      page,
      latest.getByRole("link", { name: "Export single clicks as CSV, with those by bots" }),
    );
    const [head, ...rows] = events.trim().split("\r\n");
    const visitor = head.split(",").indexOf("visitor");
    assert.equal(rows.length, withBots);
    assert.equal(rows.filter((row) => row.split(",")[visitor] === "bot").length, byBots);
    await page.getByLabel("People only").uncheck();
    await until(
      async () =>
        JSON.stringify(await read()) ===
        JSON.stringify(["Clicks with bots", "Counted", String(withBots)]),
      "the clicks with bots",
    );
  });

  test("in the API", async () => {
    const ask = async (path) => (await it.server.api("GET", path)).body;
    for (const path of ["/api/urls/counted/clicks", "/api/overview"]) {
      const all = await ask(`${path}?people=true&visitors=by&by=browser,visitor`);
      assert.deepEqual([all.total_clicks, all.people, all.visitors], [withBots, clicks, visitors]);
      assert.equal(sum(Object.values(all.by_browser)), withBots);
      assert.equal(sum(Object.values(all.visitors_by_browser)), visitors);
      assert.equal(all.by_visitor.bot, byBots);
      const own = await ask(`${path}?not_visitor=bot&visitors=true&by=browser`);
      assert.deepEqual([own.total_clicks, own.visitors], [clicks, visitors]);
    }
    const { top_links: top } = await ask("/api/overview?people=true");
    assert.deepEqual(top, [
      {
        short_code: "counted",
        original_url: "https://example.com/",
        title: "Counted",
        clicks: withBots,
        people: clicks,
      },
    ]);
    const one = await ask("/api/urls/counted?people=true");
    assert.deepEqual([one.click_count, one.people], [withBots, clicks]);
    const { urls } = await ask("/api/urls?people=true&search=counted");
    assert.deepEqual([urls[0].click_count, urls[0].people], [withBots, clicks]);
  });

  // terse runs the command line.
  const terse = async (...args) => {
    const { stdout } = await promisify(execFile)(process.env.TERSE_BINARY, args, {
      env: { ...process.env, TERSE_URL: it.server.url, TERSE_TOKEN: token },
    });
    return stdout;
  };

  test("on the command line", async () => {
    const [line] = (await terse("list", "--search", "counted")).split("\n");
    assert.deepEqual(line.split("\t").slice(0, 4), [
      "counted",
      "https://example.com/",
      String(clicks),
      String(withBots),
    ]);
    const { urls } = JSON.parse(await terse("list", "--search", "counted", "--json"));
    const one = JSON.parse(await terse("show", "counted", "--json"));
    for (const link of [urls[0], one])
      assert.deepEqual([link.people, link.click_count], [clicks, withBots]);
    const shown = await terse("show", "counted");
    assert.match(shown, new RegExp(`^people\t${clicks}$`, "m"));
    assert.match(shown, new RegExp(`^click_count\t${withBots}$`, "m"));
    for (const command of [["stats", "counted"], ["overview"]]) {
      const words = await terse(...command);
      assert.match(words, new RegExp(`^${clicks} clicks, ${visitors} visitors`, "m"));
      assert.match(words, new RegExp(`^${byBots} clicks by bots are left out`, "m"));
      const all = await terse(...command, "--bots");
      assert.match(all, new RegExp(`^${withBots} clicks with bots, ${visitors} visitors`, "m"));
      const answer = JSON.parse(await terse(...command, "--json"));
      assert.deepEqual(
        [answer.total_clicks, answer.people, answer.visitors],
        [withBots, clicks, visitors],
      );
    }
    assert.match(await terse("overview"), new RegExp(`counted +${clicks} +Counted`));
    assert.match(await terse("overview", "--bots"), new RegExp(`counted +${withBots} +Counted`));
    const events = await terse("events", "counted", "--all", "--format", "csv");
    assert.equal(events.trim().split("\r\n").length, 1 + withBots);
  });
});
