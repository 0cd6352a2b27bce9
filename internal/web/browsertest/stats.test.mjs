import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  clean,
  codes,
  compare,
  copied,
  doubleClick,
  menuItem,
  panel,
  phone,
  sent,
  shot,
  stopClock,
  suite,
  tablet,
  totalOf,
  touch,
  until,
} from "./harness.mjs";

describe("clicks", () => {
  const it = suite();
  const sum = (counts) => Object.values(counts).reduce((a, b) => a + b, 0);
  const settled = (page) => page.locator('.stats[data-stale="false"] .chart svg').waitFor();
  const row = (page, title, name) => panel(page, title).locator(".bar", { hasText: name });
  const country = (page, name) => row(page, "Places", name);
  const referrer = (page, name) => row(page, "Referrers", name);

  const clicksOf = async (code) =>
    (await it.server.api("GET", `/api/urls/${code}/clicks`)).body.total_clicks;

  test("the page of a link says what the server says", async () => {
    const page = await it.open("/ui/links/launch?show=clicks");
    await settled(page);
    const { body } = await it.server.api("GET", "/api/urls/launch/clicks?not_visitor=bot");
    await page.getByRole("button", { name: "All", exact: true }).click();
    await until(async () => (await totalOf(page)) === body.total_clicks, "the total of all time");
    assert.equal(sum(body.by_country), body.total_clicks);
    await page.getByRole("heading", { name: "sho.rt/launch" }).waitFor();
    assert.equal(await page.title(), "launch · terse");
    assert.match(
      await country(page, "United States").textContent(),
      new RegExp(body.by_country.US.toLocaleString("en-GB")),
    );
    await page.locator('.map path[data-code="US"][data-level="6"]').waitFor();
    await page.locator('.map path[data-code="MT"]:not([data-level="0"])').waitFor();
    assert.equal(await page.locator('.map path[data-code="NZ"]').getAttribute("data-level"), "0");
    const cells = await page.locator(".chart table td").allTextContents();
    assert.equal(
      cells.reduce((a, b) => a + Number(b.replaceAll(",", "")), 0),
      body.total_clicks,
      "the table behind the chart adds up",
    );
  });

  test("a link with rules shows what they decided", async () => {
    const { server } = it;
    await server.api("POST", "/api/urls", {
      original_url: "https://example.com/",
      short_code: "ruled",
      rules: [{ name: "phones", when: { query: { p: null } }, url: "https://m.example/" }],
    });
    for (const visit of ["ruled", "ruled?p=1", "ruled?p=2"]) await server.click(visit);
    await until(async () => (await clicksOf("ruled")) === 3, "the clicks to be counted");
    const page = await it.open("/ui/links/ruled?show=clicks");
    const rule = (name) => row(page, "Rules", name);
    assert.match(await rule("phones").textContent(), /67%.*2$/s);
    assert.match(await rule("No rule").textContent(), /33%.*1$/s);
    await rule("phones").click();
    await until(async () => (await totalOf(page)) === 2, "the clicks of the rule");
    assert.match(page.url(), /rule=phones/);
    await page.locator(".chips").getByText("Rule: phones").waitFor();
    await clean(page, "the page of a link with rules");
    await shot(page, "rules-clicks");
    const plain = await it.open("/ui/links/launch");
    await settled(plain);
    assert.equal(await panel(plain, "Rules").count(), 0, "a link without rules has no such panel");
  });

  test("an app on Android has its name in place of its package's", async () => {
    await it.server.api("POST", "/api/urls", {
      original_url: "https://example.com/",
      short_code: "in-app",
    });
    for (const app of ["com.google.android.gm", "com.example.reader"])
      await it.server.click("in-app", { Referer: `android-app://${app}/` });
    const page = await it.open("/ui/links/in-app?range=24h");
    const bars = panel(page, "Referrers").locator(".bar-name");
    await until(async () => (await bars.count()) === 2, "both apps");
    const names = async () => (await bars.allTextContents()).sort().join();
    assert.equal(await names(), "Gmail (Android),com.example.reader");
    await panel(page, "Latest clicks").scrollIntoViewIfNeeded();
    await panel(page, "Latest clicks").getByText("Gmail (Android)").waitFor();
    await page.getByRole("tab", { name: "Pages" }).click();
    await until(async () => /^Gmail \(Android\),/.test(await names()), "the pages");
  });

  test("ranges have addresses", async () => {
    const page = await it.open("/ui/links/launch");
    await settled(page);
    const month = await totalOf(page);
    await page.getByRole("button", { name: "24h" }).click();
    await until(async () => (await totalOf(page)) < month, "fewer clicks in a day");
    assert.match(page.url(), /\?range=24h$/);
    await page.locator(".chart figcaption").getByText("by hour").waitFor({ state: "attached" });
    const day = await totalOf(page);
    await page.getByRole("button", { name: "12mo" }).click();
    await until(async () => (await totalOf(page)) > month, "more clicks in a year");
    await page.locator(".chart figcaption").getByText("by week").waitFor({ state: "attached" });
    await page.goBack();
    await until(async () => Math.abs((await totalOf(page)) - day) < 5, "the day again");
    await page.reload();
    await until(
      async () => Math.abs((await totalOf(page)) - day) < 5,
      "the day after loading the address anew",
    );
  });

  test("zoom", async () => {
    const page = await it.open("/ui/links/launch");
    await settled(page);
    const whole = await totalOf(page);
    const box = await page.locator(".chart svg").boundingBox();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 120, { steps: 4 });
    await shot(page, "zoom");
    await page.mouse.move(box.x + box.width * 0.55, box.y + 120, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/from=.*&to=/);
    await until(async () => (await totalOf(page)) < whole, "the clicks of the part");
    await page.locator(".chart figcaption").getByText("by hour").waitFor({ state: "attached" });
    const query = new URL(page.url()).searchParams;
    const { body } = await it.server.api(
      "GET",
      `/api/urls/launch/clicks?not_visitor=bot&start_time=${query.get("from")}` +
        `&end_time=${query.get("to")}`,
    );
    assert.equal(await totalOf(page), body.total_clicks);
    await page.getByRole("button", { name: "Reset zoom" }).click();
    await until(async () => (await totalOf(page)) >= whole, "the whole, by the button");
    await page.goBack();
    await until(async () => (await totalOf(page)) === body.total_clicks, "the part again");
    await settled(page);
    await doubleClick(page, { x: box.x + 300, y: box.y + 100 });
    await until(async () => (await totalOf(page)) >= whole, "the whole again");
    assert.doesNotMatch(page.url(), /from=/);
  });

  test("the chart by keyboard: through its points, and into a part", async () => {
    const page = await it.open("/ui/links/launch?show=clicks");
    await settled(page);
    const chart = page.getByRole("slider", { name: "Clicks over time, by day" });
    await chart.focus();
    await page.keyboard.press("Home");
    const cells = await page
      .locator(".chart table tr")
      .evaluateAll((rows) =>
        rows.slice(1).map((row) => [...row.children].map((cell) => cell.textContent)),
      );
    const says = async () =>
      (await chart.getAttribute("aria-valuetext")).replace(/ clicks?$/, "").split(": ");
    assert.deepEqual(await says(), cells[0]);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    assert.deepEqual(await says(), cells[1]);
    assert.equal(await page.locator(".tip span").textContent(), cells[1][0]);
    await page.keyboard.press("End");
    assert.deepEqual(await says(), cells.at(-1));
    for (let i = 0; i < 9; i++) await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Shift+ArrowLeft");
    await page.locator(".chart-drag").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/from=.*&to=/);
    await page.locator(".chart figcaption").getByText("by hour").waitFor({ state: "attached" });
    await page.getByRole("slider").press("Backspace");
    await page.waitForURL((url) => !url.search.includes("from="));
  });

  test("a slow server is asked less often", async () => {
    const page = await it.open(null);
    await stopClock(page);
    let asked = 0;
    await page.route(/\/api\/overview.*referrer_host/, async (route) => {
      asked++;
      const answer = await route.fetch();
      await page.clock.fastForward(500); // as if that long had passed
      await route.fulfill({ response: answer });
    });
    await page.goto("/ui/overview");
    await settled(page);
    await page.clock.fastForward(4_400);
    await sent(page);
    assert.equal(asked, 1);
    await page.clock.fastForward(200);
    await until(() => asked === 2, "the next question");
    await page.unrouteAll({ behavior: "wait" });
  });

  test("countries and referrers filter each other", async () => {
    const page = await it.open("/ui/links/launch");
    await settled(page);
    const whole = await totalOf(page);
    await country(page, "Germany").click();
    await until(async () => (await totalOf(page)) < whole, "the clicks of Germany");
    const german = await totalOf(page);
    assert.match(page.url(), /country=DE/);
    assert.equal(
      await page.locator('.map path[data-chosen="true"]').getAttribute("data-code"),
      "DE",
    );
    assert.equal(await country(page, "Germany").getAttribute("aria-pressed"), "true");
    await country(page, "United States").waitFor(); // the others stay, to be chosen, too
    assert((await panel(page, "Places").locator(".bar").count()) > 5);
    assert.match(await referrer(page, "news.ycombinator.com").textContent(), /ycombinator/);
    await country(page, "United States").click();
    await until(async () => (await totalOf(page)) > german, "the clicks of both countries");
    assert.match(page.url(), /country=DE&country=US/);
    await page.goBack();
    await until(async () => (await totalOf(page)) === german, "Germany again");
    await referrer(page, "news.ycombinator.com").click();
    await until(async () => (await totalOf(page)) < german, "the clicks of both");
    await settled(page);
    await page.evaluate(() => scrollTo(0, 0));
    await shot(page, "filtered");
    const query = new URL(page.url()).searchParams;
    assert.equal(query.get("referrer_host"), "news.ycombinator.com");
    await page.getByRole("button", { name: "Remove filter: Country: Germany" }).click();
    await until(
      async () => (await totalOf(page)) > german * 0.5 && !page.url().includes("country"),
      "the referrer alone",
    );
    await page.goBack();
    await page.goBack();
    await until(async () => (await totalOf(page)) === german, "Germany alone, by going back");
    await settled(page);
    await page.locator(".chip", { hasText: "Germany" }).click();
    await until(async () => (await totalOf(page)) === whole, "all");
    await page.locator('.map path[data-code="BR"]').click();
    await page.waitForURL(/country=BR/);
  });

  test("the period before", async () => {
    const page = await it.open("/ui/links/launch");
    await settled(page);
    await compare(page, "Previous period");
    await page.locator(".chart-earlier").waitFor();
    assert.match(
      await page.locator(".change > [aria-hidden]").last().textContent(),
      /^[▲▼] [\d,]+% vs\. [\d,]+$/,
    );
    await page.getByRole("button", { name: "Compare with: Previous period" }).waitFor();
    assert.match(
      await page.locator(".change .unseen").last().textContent(),
      /^(Up|Down) [\d,]+% from [\d,]+ in the previous period$/,
    );
    assert.match(page.url(), /compare=1/);
    const box = await page.locator(".chart svg").boundingBox();
    await page.mouse.move(box.x + box.width * 0.62, box.y + 100);
    await page.locator(".tip").waitFor();
    await shot(page, "link");
    await shot(page, "link-full", { fullPage: true });
  });

  test("clicks appear while the page is looked at, and only then is the server asked", async () => {
    const page = await it.open(null);
    await stopClock(page);
    await page.goto("/ui/links/status");
    await settled(page);
    const start = await totalOf(page);
    const all = await clicksOf("status");
    await it.server.click("status", { Referer: "https://live.example/" });
    await until(async () => (await clicksOf("status")) === all + 1, "the click to be counted");
    await page.clock.fastForward(60_000);
    await until(async () => (await totalOf(page)) === start + 1, "the click");
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    const asked = [];
    page.on("request", (request) => request.url().includes("/clicks") && asked.push(request.url()));
    await it.server.click("status");
    await until(async () => (await clicksOf("status")) === all + 2, "the click to be counted");
    await page.clock.fastForward(60_000);
    await sent(page);
    assert.deepEqual(asked, []);
    await page.evaluate(() => {
      delete document.hidden;
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await until(async () => (await totalOf(page)) === start + 2, "the click that came meanwhile");
  });

  test("no clicks yet", async () => {
    const page = await it.open("/ui/links/quiet");
    await page.getByText("No clicks yet. Try your link:").waitFor();
    const ways = await page.locator(".chart-empty").locator("a, button").allTextContents();
    assert.deepEqual(ways.slice(0, 2), ["Open it", "QR code"]);
    assert.equal(
      await page.getByRole("link", { name: "Open it" }).getAttribute("href"),
      "https://sho.rt/quiet",
    );
    await shot(page, "no-clicks");
    await page.locator(".chart-empty").getByRole("button", { name: "QR code" }).click();
    await page.getByRole("dialog", { name: "QR code for quiet" }).waitFor();
    await page.goto("/ui/links/docs?from=2000-01-01T00:00:00.000Z&to=2000-01-02T00:00:00.000Z");
    await page.getByText("No clicks in this range").waitFor();
    await page.getByRole("button", { name: "Show all time" }).click();
    await settled(page);
  });

  test("the first click counts, also by the command that is suggested", async () => {
    await it.server.api("POST", "/api/urls", {
      original_url: "https://example.com/",
      short_code: "fresh",
    });
    const page = await it.open("/ui/links/fresh");
    const command = await page.locator(".chart-empty .command code").textContent();
    const [, agent, code] = command.match(/^curl -i (?:-A (\S+) )?https:\/\/sho\.rt\/(\w+)$/);
    await it.server.click(code, { "User-Agent": agent ?? "curl/8.5.0" });
    await until(async () => (await clicksOf("fresh")) === 1, "the click to be counted");
    await page.reload();
    await settled(page);
    assert.equal(await totalOf(page), 1);
  });

  test("a link that is not there", async () => {
    const page = await it.open("/ui/links/nowhere", { expect: [/status of 404/] });
    await page.getByText('"nowhere" doesn\'t exist or was deleted.').waitFor();
    await shot(page, "no-such-link");
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.evaluate(() => {
      dispatchEvent(new Event("focus"));
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await page.getByRole("link", { name: "Back to links" }).click();
    await page.locator(".rows .row").first().waitFor();
    assert.deepEqual(
      asked.filter((url) => url.includes("/nowhere")),
      [],
    );
  });

  test("overview", async () => {
    const page = await it.open("/ui/overview");
    await settled(page);
    const { body } = await it.server.api("GET", "/api/overview?not_visitor=bot");
    await page.getByText(`${body.links} links`).waitFor();
    await shot(page, "overview");
    await shot(page, "overview-full", { fullPage: true });
    await page.getByRole("button", { name: "All", exact: true }).click();
    await until(async () => (await totalOf(page)) === body.total_clicks, "the total");
    assert.equal(
      await panel(page, "Top links").getByRole("link").count(),
      Math.min(10, body.top_links.length),
    );
    await panel(page, "Top links").getByRole("link", { name: "launch" }).click();
    await page.waitForURL("**/ui/links/launch");
    await settled(page);
  });

  for (const [name, size] of [
    ["a tablet", tablet],
    ["a phone", phone],
  ]) {
    test(`the chart by touch, on ${name}`, async () => {
      const page = await it.open("/ui/links/launch?show=clicks", size);
      await settled(page);
      const box = await page.locator(".chart svg").boundingBox();
      const on = (part) => ({ x: box.x + box.width * part, y: box.y + 100 });
      await touch(page, [on(0.5)]);
      const pinned = await page.locator(".tip span").textContent();
      const cells = await page
        .locator(".chart table tr")
        .evaluateAll((rows) =>
          rows.slice(1).map((row) => [...row.children].map((cell) => cell.textContent)),
        );
      assert.equal(
        await page.locator(".tip b").textContent(),
        `${cells.find(([day]) => day === pinned)[1]} clicks`,
        "a tap pins the value",
      );
      await touch(page, [on(0.8)]);
      await until(
        async () => (await page.locator(".tip span").textContent()) !== pinned,
        "the value of another day",
      );
      await shot(page, `touch-${name.split(" ")[1]}`);
      await page.locator(".total.clicks").tap();
      await page.locator(".tip").waitFor({ state: "detached" });

      await touch(page, [on(0.4), on(0.5), on(0.6), on(0.7)]);
      await page.getByRole("button", { name: "Zoom in" }).waitFor();
      assert.doesNotMatch(page.url(), /from=/, "a drag alone does not zoom");
      await page.locator(".total.clicks").tap();
      await page.getByRole("button", { name: "Zoom in" }).waitFor({ state: "detached" });
      await touch(page, [on(0.4), on(0.5), on(0.6), on(0.7)]);
      await page.getByRole("button", { name: "Zoom in" }).tap();
      await page.waitForURL(/from=.*&to=/);
      await settled(page);
      await clean(page, `zoomed on ${name}`);
      const lefts = await page
        .locator(".ranges, .ranges > *")
        .evaluateAll((all) => all.map((e) => e.getBoundingClientRect().left));
      assert(
        lefts.every((left) => left >= lefts[0]),
        `nothing stands out of the page's margin: ${lefts}`,
      );
      assert(
        await page.evaluate(
          () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
        ),
      );
      await page.getByRole("button", { name: "Reset zoom" }).tap();
      await page.waitForURL((url) => !url.search.includes("from="));
      await page.getByRole("button", { name: "Reset zoom" }).waitFor({ state: "detached" });
    });
  }

  test("keys on the page of a link", async () => {
    const page = await it.open("/ui/links/talk");
    await settled(page);
    for (const [key, range] of [
      ["d", "24h"],
      ["w", "7d"],
      ["y", "12mo"],
      ["a", "all"],
      ["m", ""],
    ]) {
      await page.keyboard.press(key);
      await page.waitForURL((url) => (url.searchParams.get("range") ?? "") === range);
    }
    await page.keyboard.press("c");
    await page.locator(".toast").getByText("Copied sho.rt/talk").waitFor();
    assert.equal(await copied(page), "https://sho.rt/talk");
    await settled(page);
    await page.keyboard.press("Delete");
    await page.waitForURL("**/ui/");
    await page.getByRole("button", { name: "Undo deleting talk" }).waitFor();
    await page.keyboard.press("z");
    await until(async () => (await codes(page)).includes("talk"), "the link in the list");
    await page.goto("/ui/overview");
    await settled(page);
    await page.keyboard.press("w");
    await page.waitForURL(/range=7d/);
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await help.waitFor();
    assert.deepEqual(await help.locator("h3").allTextContents(), [
      "Everywhere",
      "Links",
      "A link's page",
      "Statistics",
      "From other pages",
    ]);
    await shot(page, "help");
  });

  test("words are English, and only numbers are the reader's", async () => {
    const page = await it.open("/ui/links/launch?range=12mo", { locale: "de-DE" });
    await settled(page);
    await until(async () => (await totalOf(page)) > 15_000, "the clicks of the year");
    assert.match(await page.locator(".total.clicks b").textContent(), /^\d\d\.\d{3}$/);
    const [made, clicked] = await page.locator(".link-facts time").allTextContents();
    assert.match(made.trim(), /^Created \d+ months? ago$/);
    assert.match(clicked.trim(), /^Last click /);
    await country(page, "Germany").waitFor();
    const english = /\b(Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)\b/;
    const labels = await page.locator(".chart text[text-anchor=middle]").allTextContents();
    assert(
      labels.every((label) => english.test(label)),
      labels.join(),
    );
    const [day] = await page.locator(".chart table th[scope=row]").allTextContents();
    assert.match(day, english);
    const heights = await page.locator(".chart text[text-anchor=end]").allTextContents();
    assert(heights.includes("2K") && !heights.some((text) => /Tsd|Mio/.test(text)), heights.join());
    await page.goto("/ui/");
    await until(async () => (await codes(page)).includes("launch"), "the list");
    const times = await page.locator(".row-time").allTextContents();
    assert(
      times.every((time) => !/vor|Std|Tag/.test(time)),
      times.join(),
    );
  });

  test("an axis beyond a year's turn has years, and its labels have room", async () => {
    const page = await it.open("/ui/links/docs?range=12mo");
    await settled(page);
    const labels = page.locator(".chart svg text:not([text-anchor=end])");
    const texts = await labels.allTextContents(),
      year = new Date().getFullYear();
    assert(texts[0].endsWith(String(year - 1)), texts.join());
    assert.equal(texts.filter((text) => text.endsWith(String(year))).length, 1, texts.join());
    const boxes = await labels.evaluateAll((all) =>
      all.map((label) => label.getBoundingClientRect().toJSON()),
    );
    for (const [i, { left }] of boxes.slice(1).entries())
      assert(left > boxes[i].right, texts.join());
    await page.getByRole("button", { name: "7d" }).click();
    await until(async () => (await labels.count()) < 8, "the week");
    assert(
      !(await labels.allTextContents()).some((text) => /\d{4}/.test(text)),
      "this year needs none",
    );
  });

  test("while a range is loading, all that is old is dimmed", async () => {
    const page = await it.open("/ui/links/launch");
    await settled(page);
    let release;
    const held = new Promise((resolve) => {
      release = resolve;
    });
    await page.route(/\/clicks/, async (route) => {
      await held;
      await route.continue().catch(() => {}); // the page may be gone
    });
    await page.getByRole("button", { name: "24h" }).click();
    const opacity = () =>
      page.locator(".total.clicks b").evaluate((e) => {
        let all = 1;
        for (; e; e = e.parentElement) all *= getComputedStyle(e).opacity;
        return all;
      });
    await until(async () => (await opacity()) < 0.7, "the number to be dim");
    release();
    await until(async () => (await opacity()) === 1, "the number of the day");
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  test("a filter that no click has says so", async () => {
    const page = await it.open("/ui/links/launch?referrer=zzz");
    await page.getByText("No data for this filter").waitFor();
    assert.equal(await page.locator(".chart svg").count(), 0);
    const panels = await page.locator(".panel h2").allTextContents();
    assert.deepEqual(panels, ["Referrers"], "only the one whose filter is why");
    await shot(page, "no-data-for-filter");
    await page.getByRole("button", { name: "Remove filter", exact: true }).click();
    await settled(page);
  });

  test("deleting from the page of a link", async () => {
    const page = await it.open("/ui/links/hiring");
    await settled(page);
    await page.getByRole("button", { name: "More actions" }).click();
    await menuItem(page, "Delete").click();
    await page.waitForURL("**/ui/");
    await page.getByRole("button", { name: "Undo deleting hiring" }).click();
    await until(async () => (await codes(page)).includes("hiring"), "the link in the list");
  });
});
