import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { clean, phone, shot, suite, until } from "./harness.mjs";

describe("unknown codes", () => {
  const it = suite();
  const title = "Missed";
  const row = (page, code) =>
    page.locator(".unknown tbody tr").filter({ has: page.getByText(code, { exact: true }) });

  // lookFor opens addresses as visitors do, and waits until the server knows of all that did.
  const headers = { "User-Agent": "Mozilla/5.0" };
  let total = 0;
  async function lookFor(addresses) {
    for (const [address, times] of Object.entries(addresses)) {
      for (let i = 0; i < times; i++) {
        const url = `${it.server.url}/${encodeURI(address)}`;
        const { status } = await fetch(url, { headers });
        assert.equal(status, 404);
        total++;
      }
    }
    await until(
      async () => (await it.server.api("GET", "/api/unknown")).body.total >= total,
      "the visits to be counted",
    );
  }

  test("are in the navigation, and become links", async () => {
    await lookFor({ lanch: 12, "roadmap-2025": 5, ABCDEFGHIJ0123456789: 2 });
    const page = await it.open("/ui/");
    await page.getByRole("link", { name: title }).click();
    await page.getByRole("heading", { name: title }).waitFor();
    const nav = page.getByRole("navigation", { name: "Pages" });
    assert.equal(await nav.getByRole("link", { name: title }).getAttribute("aria-current"), "page");
    assert.equal(await page.title(), `${title} · terse`);
    await page.getByRole("heading", { name: "19 visits" }).waitFor();
    assert.deepEqual(await page.locator(".unknown tbody th").allTextContents(), [
      "lanch",
      "roadmap-2025",
      "ABCDEFGHIJ0123456789",
    ]);
    assert.deepEqual(await page.locator(".unknown td.end").allTextContents(), ["12", "5", "2"]);
    await clean(page, "unknown codes");
    await shot(page, "unknown-codes");

    await row(page, "roadmap-2025").getByRole("link", { name: "Create this link" }).click();
    await page.getByLabel("Code", { exact: true }).waitFor();
    assert.equal(await page.getByLabel("Code", { exact: true }).inputValue(), "roadmap-2025");
    assert.equal(new URL(page.url()).search, "", "the address is that of the list");
    await until(
      () => page.getByLabel("Long URL").evaluate((field) => field === document.activeElement),
      "the focus to be where the URL belongs",
    );
    await page.keyboard.type("https://example.com/blog/2025/roadmap");
    await page.keyboard.press("Enter");
    await page.locator(".made").getByText("sho.rt/roadmap-2025").waitFor();
    await it.server.click("roadmap-2025");

    await page.goBack();
    await row(page, "roadmap-2025").getByRole("link", { name: "Show the link" }).click();
    await page.waitForURL(/\/ui\/links\/roadmap-2025$/);
  });

  const long = "guides/" + "wörter-".repeat(15); // 127 bytes
  const widerThanPage = (page) =>
    page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );

  test("addresses that only an alias can be become aliases", async () => {
    const addresses = ["docs/instal", "v1.2 beta/grüße", "مرحبا/دليل", long];
    await lookFor(Object.fromEntries(addresses.map((address) => [address, 3])));
    const page = await it.open("/ui/unknown");
    for (const address of addresses) await row(page, address).waitFor();
    assert.ok((await widerThanPage(page)) <= 0, "long addresses are wrapped");
    await clean(page, "missed addresses");
    await shot(page, "missed-addresses");

    await row(page, "v1.2 beta/grüße").getByRole("link", { name: "Create this link" }).click();
    await page.getByRole("button", { name: "More v1.2 beta/grüße" }).click();
    const field = page.getByRole("textbox", { name: "More addresses" });
    await field.waitFor();
    assert.equal(await page.getByLabel("Code", { exact: true }).inputValue(), "");
    await page.getByLabel("Long URL").fill("https://example.com/greetings");
    await page.keyboard.press("Enter");
    await page.locator(".made").waitFor();
    const { body } = await it.server.api("GET", "/api/urls?limit=1");
    assert.deepEqual(body.urls[0].aliases, ["v1.2 beta/grüße"]);
    await it.server.click(encodeURI("v1.2 beta/grüße"));

    // A code may be another link's alias by now, too.
    await lookFor({ misprint: 4 });
    const other = await it.server.api("POST", "/api/urls", {
      original_url: "https://example.com/other",
      short_code: "no-misprint",
      aliases: ["misprint"],
    });
    assert.equal(other.status, 201);
    const asked = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith("/api/")) asked.push(pathname);
    });
    await page.goto("/ui/unknown");
    const code = body.urls[0].short_code;
    await row(page, "v1.2 beta/grüße")
      .getByRole("link", { name: `Show the link ${code}` })
      .waitFor();
    await row(page, "misprint").getByRole("link", { name: "Show the link no-misprint" }).waitFor();
    await row(page, long).getByRole("link", { name: "Create this link" }).waitFor();
    assert.ok(asked.length <= 12, `it takes ${asked.length} requests`);
    await row(page, "v1.2 beta/grüße").getByRole("link").click();
    await page.waitForURL(new RegExp(`/ui/links/${code}$`));

    await page.goto(`/ui/?code=${encodeURIComponent("what? no")}`);
    await page.getByLabel("Long URL").fill("https://example.com/what");
    await page.keyboard.press("Enter");
    await page.getByText("An address can't have ? # % or").waitFor();
  });

  test("what was typed stays when a code is chosen", async () => {
    await lookFor({ typed: 1 });
    const page = await it.open("/ui/");
    await page.getByLabel("Long URL").fill("https://example.com/typed-before");
    await page.getByRole("link", { name: title }).click();
    await row(page, "typed").getByRole("link", { name: "Create this link" }).click();
    await page.getByLabel("Code", { exact: true }).waitFor();
    assert.equal(
      await page.getByLabel("Long URL").inputValue(),
      "https://example.com/typed-before",
    );
    assert.equal(await page.getByLabel("Code", { exact: true }).inputValue(), "typed");
  });

  test("all days are shown at first, a single one has an address", async () => {
    await lookFor({ today: 1 });
    const page = await it.open("/ui/unknown");
    const all = page.getByRole("button", { name: "Last 30 days" });
    await row(page, "today").waitFor();
    assert.equal(await all.getAttribute("aria-pressed"), "true");
    const day = page.getByLabel("One day"),
      now = (await it.server.api("GET", "/api/unknown")).body.date;
    assert.equal(await day.inputValue(), "");
    await row(page, "today")
      .getByRole("img", { name: /^Most on .*: 1$/ })
      .waitFor();
    assert.equal(await page.getByRole("button", { name: "Next day" }).isDisabled(), true);
    await page.getByRole("button", { name: "Previous day" }).click();
    await page.getByText("Nobody opened an address without a link.").waitFor();
    const before = new Date(Date.parse(now) - 86400e3).toISOString().slice(0, 10);
    assert.equal(new URL(page.url()).search, `?date=${before}`);
    const words = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
    assert.equal(await day.inputValue(), words.format(Date.parse(before)));
    assert.equal(await all.getAttribute("aria-pressed"), "false");
    await until(
      async () => /: 0 visits$/.test(await page.locator("#said").textContent()),
      "the day and its visits to be said",
    );
    await page.reload();
    await page.getByText("Nobody opened an address without a link.").waitFor();
    await day.fill("2001-01-01");
    await day.press("Enter");
    await page.getByText(/^Enter one of the last 30 days/).waitFor();
    await day.fill(now);
    await day.press("Enter");
    await row(page, "today").waitFor();
    assert.equal(new URL(page.url()).search, `?date=${now}`);
    assert.equal(await page.locator(".unknown .spark").count(), 0, "a day has no days");
    await all.click();
    await row(page, "today").getByRole("img").waitFor();
    assert.equal(new URL(page.url()).search, "");
    await page.goto("/ui/unknown?date=2001-01-01");
    await page.getByText("Nobody opened an address without a link.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Previous day" }).isDisabled(), true);
  });

  test("the sum over days, with what each of them had", async () => {
    const page = await it.open(null);
    const codes = [
      { short_code: "poster", count: 9, error: 0, by_date: { "2026-01-03": 2, "2026-01-28": 7 } },
      { short_code: "flyer", count: 2, error: 1, by_date: { "2026-01-30": 2 } },
    ];
    await page.route("**/api/unknown*", (route) =>
      route.fulfill({
        json: { date: "2026-01-30", total: 11, by_date: {}, codes },
      }),
    );
    const asking = page.waitForRequest("**/api/unknown*");
    await page.goto("/ui/unknown");
    assert.equal(new URL((await asking).url()).searchParams.get("days"), "30");
    await row(page, "poster").getByRole("img", { name: "Most on 28 Jan: 7" }).waitFor();
    assert.equal(await row(page, "poster").locator("td").nth(1).textContent(), "28 Jan");
    assert.equal(await row(page, "flyer").locator("td.end").textContent(), "1–2");
    const loading = page.waitForEvent("download");
    await page.getByRole("button", { name: "as CSV" }).click();
    const file = await loading;
    assert.match(file.suggestedFilename(), /^terse-missed-30-days-to-2026-01-30-/);
    const lines = (await readFile(await file.path(), "utf8")).split("\r\n");
    assert.match(lines[0], /^Address,Visits,Possible excess,2026-01-01,.*,2026-01-30$/);
    assert.match(lines[1], /^poster,9,0,0,0,2,0,/);
  });

  test("many codes, of which some are not sure", async () => {
    const page = await it.open(null);
    const codes = Array.from({ length: 120 }, (_, i) => ({
      short_code: `code-${i}`,
      count: 4000 - i,
      error: i % 2 ? 1000 : 0,
    }));
    await page.route("**/api/unknown*", (route) =>
      route.fulfill({ json: { date: "2026-01-30", total: 123_456, codes } }),
    );
    await page.goto("/ui/unknown?date=2026-01-30");
    await page.getByRole("heading", { name: "123,456 visits" }).waitFor();
    assert.equal(await page.locator(".unknown tbody tr").count(), 50);
    assert.equal(await page.locator(".unknown td.end").nth(1).textContent(), "2,999–3,999");
    await page.getByRole("button", { name: "Show 50 more" }).click();
    await page.getByRole("button", { name: "Show 20 more" }).click();
    await until(async () => (await page.locator(".unknown tbody tr").count()) === 120, "all codes");
    assert.equal(await page.locator(".panel-more").count(), 0);
    await clean(page, "many unknown codes");
    const loading = page.waitForEvent("download");
    await page.getByRole("button", { name: "as CSV" }).click();
    const file = await loading;
    assert.match(file.suggestedFilename(), /^terse-missed-2026-01-30-/);
    const lines = (await readFile(await file.path(), "utf8")).split("\r\n");
    assert.deepEqual(lines.slice(0, 3), [
      "Address,Visits,Possible excess",
      "code-0,4000,0",
      "code-1,3999,1000",
    ]);
    assert.equal(lines.length, 122);
  });

  test("a failure is said, and can be tried again", async () => {
    const page = await it.open(null, { expect: [/status of (400|500)/] });
    let broken = true;
    await page.route("**/api/unknown*", (route) =>
      broken
        ? route.fulfill({ status: 500, json: { error: "internal server error" } })
        : route.continue(),
    );
    await page.goto("/ui/unknown");
    await page.getByText("Couldn't load the addresses").waitFor();
    broken = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator("#unknown-title").waitFor();
    await page.goto("/ui/unknown?date=yesterday");
    await page.getByText("Date must be a day such as 2026-01-31.").waitFor();
  });

  test("on a phone", async () => {
    await lookFor({ lanch: 1, ABCDEFGHIJ0123456789: 1, [long]: 1 });
    const page = await it.open("/ui/unknown", phone);
    await row(page, "ABCDEFGHIJ0123456789").waitFor();
    await row(page, long).waitFor();
    assert.ok((await widerThanPage(page)) <= 0, "nothing is wider than the page");
    const create = row(page, "lanch").getByRole("link", { name: "Create this link" });
    const { height, width } = await create.boundingBox();
    assert.ok(height >= 44 && width >= 44, `a finger hits ${width} by ${height}`);
    await clean(page, "unknown codes on a phone");
    await shot(page, "phone-unknown-codes", { fullPage: true });
    await create.tap();
    assert.equal(await page.getByLabel("Code", { exact: true }).inputValue(), "lanch");
  });
});
