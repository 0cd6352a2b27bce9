import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { codes, doubleClick, sent, shot, stopClock, suite, totalOf, until } from "./harness.mjs";

describe("clicks", () => {
  const it = suite();
  const sum = (counts) => Object.values(counts).reduce((a, b) => a + b, 0);
  const settled = (page) => page.locator('.stats[data-stale="false"] .chart svg').waitFor();
  const country = (page, name) => page.getByRole("region", { name: "Countries" }).getByRole("button", { name });
  const referrer = (page, name) => page.getByRole("region", { name: "Referrers" }).getByRole("button", { name });

  const clicksOf = async (code) => (await it.server.api("GET", `/api/urls/${code}/clicks`)).body.total_clicks;

  test("the page of a link says what the server says", async () => {
    const page = await it.open("/ui/links/launch");
    await settled(page);
    const { body } = await it.server.api("GET", "/api/urls/launch/clicks");
    await page.getByRole("button", { name: "All", exact: true }).click();
    await until(async () => (await totalOf(page)) === body.total_clicks, "the total of all time");
    assert.equal(sum(body.by_country), body.total_clicks);
    await page.getByRole("heading", { name: "sho.rt/launch" }).waitFor();
    assert.equal(await page.title(), "launch · terse");
    assert.match(await country(page, "United States").textContent(), new RegExp(body.by_country.US.toLocaleString("en-GB")));
    await page.locator('.map path[data-code="US"][data-level="6"]').waitFor();
    await page.locator('.map path[data-code="MT"]:not([data-level="0"])').waitFor();
    assert.equal(await page.locator('.map path[data-code="NZ"]').getAttribute("data-level"), "0");
    const cells = await page.locator(".chart table td").allTextContents();
    assert.equal(cells.reduce((a, b) => a + Number(b.replaceAll(",", "")), 0), body.total_clicks, "the table behind the chart adds up");
  });

  test("ranges have addresses", async () => {
    const page = await it.open("/ui/links/launch");
    await settled(page);
    const month = await totalOf(page);
    await page.getByRole("button", { name: "24 h" }).click();
    await until(async () => (await totalOf(page)) < month, "fewer clicks in a day");
    assert.match(page.url(), /\?range=24h$/);
    await page.locator(".chart figcaption").getByText("by hour").waitFor({ state: "attached" });
    const day = await totalOf(page);
    await page.getByRole("button", { name: "12 mo" }).click();
    await until(async () => (await totalOf(page)) > month, "more clicks in a year");
    await page.locator(".chart figcaption").getByText("by week").waitFor({ state: "attached" });
    await page.goBack();
    await until(async () => Math.abs((await totalOf(page)) - day) < 5, "the day again");
    await page.reload();
    await until(async () => Math.abs((await totalOf(page)) - day) < 5, "the day after loading the address anew");
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
    const { body } = await it.server.api("GET", `/api/urls/launch/clicks?start_time=${query.get("from")}&end_time=${query.get("to")}`);
    assert.equal(await totalOf(page), body.total_clicks);
    await doubleClick(page, { x: box.x + 300, y: box.y + 100 });
    await until(async () => (await totalOf(page)) >= whole, "the whole again");
    assert.doesNotMatch(page.url(), /from=/);
  });

  test("the chart by keyboard: through its points, and into a part", async () => {
    const page = await it.open("/ui/links/launch");
    await settled(page);
    const chart = page.getByRole("slider", { name: "Clicks over time, by day" });
    await chart.focus();
    await page.keyboard.press("Home");
    const cells = await page.locator(".chart table tr").evaluateAll((rows) => rows.slice(1).map((row) => [...row.children].map((cell) => cell.textContent)));
    const says = async () => (await chart.getAttribute("aria-valuetext")).replace(/ clicks?$/, "").split(": ");
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
    await page.route(/\/api\/overview/, async (route) => {
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
    assert.equal(await page.locator('.map path[data-chosen="true"]').getAttribute("data-code"), "DE");
    assert.equal(await country(page, "Germany").getAttribute("aria-pressed"), "true");
    await country(page, "United States").waitFor(); // the others stay, to be chosen instead
    assert(await page.getByRole("region", { name: "Countries" }).locator(".bar").count() > 5);
    assert.match(await referrer(page, "news.ycombinator.com").textContent(), /ycombinator/);
    await country(page, "United States").click();
    await until(async () => (await totalOf(page)) > german, "the clicks of the United States instead");
    assert.match(page.url(), /country=US/);
    await page.goBack();
    await until(async () => (await totalOf(page)) === german, "Germany again");
    await referrer(page, "news.ycombinator.com").click();
    await until(async () => (await totalOf(page)) < german, "the clicks of both");
    await settled(page);
    await page.evaluate(() => scrollTo(0, 0));
    await shot(page, "filtered");
    const query = new URL(page.url()).searchParams;
    assert.equal(query.get("referrer"), "https://news.ycombinator.com/");
    await page.getByRole("button", { name: "Remove the filter Germany" }).or(page.locator(".chip", { hasText: "Germany" })).click();
    await until(async () => (await totalOf(page)) > german * 0.5 && !page.url().includes("country"), "the referrer alone");
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
    await page.getByLabel("Compare with the period before").check();
    await page.locator(".chart-earlier").waitFor();
    assert.match(await page.locator(".change").textContent(), /^[▲▼] [\d,]+%/);
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

  test("CSV", async () => {
    const page = await it.open("/ui/links/docs?from=2026-01-01T00:00:00.000Z&to=2036-01-01T00:00:00.000Z");
    await settled(page);
    const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
    assert.match(saved.suggestedFilename(), /^terse-docs-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await readFile(await saved.path(), "utf8")).trimEnd().split("\r\n").map((line) => line.split(","));
    assert.deepEqual(lines[0], ["what", "key", "clicks"]);
    const total = await totalOf(page);
    for (const what of ["month", "country", "referrer", "total"]) {
      assert.equal(lines.filter(([w]) => w === what).reduce((all, [, , clicks]) => all + Number(clicks), 0), total, what);
    }
  });

  test("a range of one's own", async () => {
    const page = await it.open("/ui/links/docs");
    await settled(page);
    await page.getByRole("button", { name: "Custom" }).click();
    await page.getByLabel("From").fill("2026-11-02T10:00");
    await page.getByLabel("To").fill("2026-11-01T10:00");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByText("The end has to be after the start.").waitFor();
    await page.getByLabel("From").fill("2026-10-25T00:00"); // the day on which clocks go back
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.waitForURL(/from=2026-10-24T22%3A00%3A00.000Z&to=2026-11-01T09%3A00%3A00.000Z/);
    await settled(page);
    await shot(page, "custom-range");
  });

  test("no clicks yet", async () => {
    const page = await it.open("/ui/links/quiet");
    await page.getByText("No clicks yet. Try it:").waitFor();
    assert.equal(await page.locator(".command code").textContent(), "curl -i https://sho.rt/quiet");
    await shot(page, "no-clicks");
    await page.goto("/ui/links/docs?from=2000-01-01T00:00:00.000Z&to=2000-01-02T00:00:00.000Z");
    await page.getByText("No clicks in this range").waitFor();
    await page.getByRole("button", { name: "Show all time" }).click();
    await settled(page);
  });

  test("a link that is not there", async () => {
    const page = await it.open("/ui/links/nowhere", { expect: [/status of 404/] });
    await page.getByText('"nowhere" doesn\'t exist or was deleted.').waitFor();
    await shot(page, "no-such-link");
  });

  test("overview", async () => {
    const page = await it.open("/ui/overview");
    await settled(page);
    const { body } = await it.server.api("GET", "/api/overview");
    await page.getByText(`${body.links} links`).waitFor();
    await shot(page, "overview");
    await shot(page, "overview-full", { fullPage: true });
    await page.getByRole("button", { name: "All", exact: true }).click();
    await until(async () => (await totalOf(page)) === body.total_clicks, "the total");
    assert.equal(await page.getByRole("region", { name: "Top links" }).getByRole("link").count(), Math.min(10, body.top_links.length));
    await page.getByRole("region", { name: "Top links" }).getByRole("link", { name: "launch" }).click();
    await page.waitForURL("**/ui/links/launch");
    await settled(page);
  });

  test("deleting from the page of a link", async () => {
    const page = await it.open("/ui/links/hiring");
    await settled(page);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.waitForURL("**/ui/");
    await page.getByRole("button", { name: "Undo deleting hiring" }).click();
    await until(async () => (await codes(page)).includes("hiring"), "the link in the list");
  });
});
