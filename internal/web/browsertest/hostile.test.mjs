import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { suite, until } from "./harness.mjs";

// What people, or whoever sends them, put into URLs and referrers is text, whatever it looks like.
describe("hostile values", () => {
  const it = suite({ data: false });
  const nasty =
    `"'><img src=x onerror=alert(1)><script>alert(2)</script>` +
    "<svg/onload=alert(3)>{{7*7}}${alert(4)}";
  // Without raw spaces, which the API refuses.
  const url = `https://example.com/${nasty.replaceAll(" ", "/")}`;
  // The page itself has one script without an address, in its head.
  const baseline = `document.querySelectorAll("img, iframe, object, "
    + "body script:not([src]), [onerror], [onload], a[href^='javascript' i]").length`;

  test("stay text", async () => {
    const { body } = await it.server.api("POST", "/api/urls", {
      original_url: url,
      short_code: "nasty",
    });
    assert.equal(body.original_url, url);
    await it.server.api("POST", "/api/urls", {
      original_url: "https://example.com/\u202Egnp.exe",
      short_code: "constructor",
    });
    await it.server.click(`nasty?utm_campaign=${encodeURIComponent(nasty)}`, {
      Referer: `https://evil.example/${nasty.replaceAll(" ", "/")}`,
    });
    await it.server.click("nasty", { Referer: "javascript:alert(1)" });
    await until(
      async () => (await it.server.api("GET", "/api/urls/nasty")).body.click_count === 2,
      "the clicks",
    );
    const page = await it.open("/ui/", { expect: [/status of 404/] }); // the last address
    const encoded = encodeURIComponent(nasty);
    for (const path of [
      "/ui/",
      `/ui/?search=${encoded}`,
      "/ui/links/nasty",
      `/ui/links/nasty?referrer=${encoded}&country=${encoded}`,
      "/ui/links/constructor",
      "/ui/overview",
      `/ui/links/${encoded}`,
    ]) {
      await page.goto(path).catch(() => {});
      await page.locator(".rows .row, .chart svg, .chart-empty, .state").first().waitFor();
      assert.equal(await page.evaluate(baseline), 0, path);
    }
    await page.goto("/ui/");
    await page.locator(".row").last().hover();
    assert.equal(
      (await page.locator(".row-link").last().getAttribute("title")).split("\n")[0],
      url,
    );
    await page.goto("/ui/links/nasty");
    const sources = page.getByRole("region", { name: "Referrers" });
    const campaigns = page.getByRole("region", { name: "Campaigns" });
    await sources.locator(".bar", { hasText: "evil.example" }).click();
    await page.locator(".chip").waitFor();
    assert.equal(await page.evaluate(baseline), 0);
    await campaigns.getByRole("tab", { name: "UTM campaign" }).click();
    await campaigns.locator(".bar", { hasText: "<img src=x" }).click();
    await page.locator(".chip").last().getByText("<img src=x").waitFor();
    assert.equal(await page.evaluate(baseline), 0);
  });

  // Every object of JavaScript has these, as do tables that are looked up by a value.
  const inherited = Object.getOwnPropertyNames(Object.prototype).sort();

  test("are what they say, also where every object has something of that name", async () => {
    const made = await it.server.api("POST", "/api/urls", {
      short_code: "named",
      original_url: "https://example.com/",
      rules: inherited.map((name) => ({
        name,
        when: { query: { r: name } },
        url: "https://rule.example/",
      })),
    });
    assert.equal(made.status, 201);
    for (const name of inherited) {
      const query = new URLSearchParams({
        r: name,
        utm_source: name,
        utm_medium: name,
        utm_campaign: name,
      });
      await it.server.click(`named?${query}`, { Referer: `https://${name}/` });
    }
    const {
      body: { url },
    } = await it.server.api("POST", "/api/urls/named/share");
    const pages = ["/ui/overview", "/ui/links/named", new URL(url).pathname];
    await until(
      async () =>
        (await it.server.api("GET", "/api/urls/named")).body.click_count === inherited.length,
      "the clicks",
    );
    const page = await it.open(null);
    // read opens each tab, which has to have a row for each of the values.
    const read = async (values, what) => {
      await page.locator('.stats[data-stale="false"]').waitFor();
      for (const tab of await page.locator('[role="tab"]').all()) {
        await tab.click();
        const name = (await tab.getAttribute("id")).replace(/^[a-z]+-/, "");
        const own = page.locator(`[aria-labelledby$="-${name}"]`);
        await own.locator(".bars, .panel-empty").waitFor();
        const rows = new Map(
          await own
            .locator(".bar")
            .evaluateAll((bars) =>
              bars.map((bar) => [
                bar.title.toLowerCase(),
                bar.querySelector(".bar-count").textContent,
              ]),
            ),
        );
        for (const value of values(name)) {
          assert.match(
            rows.get(value.toLowerCase()) ?? "no row",
            /^\d+$/,
            `${what}: ${name} ${value}`,
          );
        }
      }
    };
    const first = inherited.slice(0, 8); // of the ten that a panel shows
    const clicked = ["source", "medium", "campaign", "referrer_host", "rule"];
    for (const path of pages) {
      await page.goto(path);
      await read((name) => (clicked.includes(name) ? first : []), path);
    }
    // Filters in an address are anybody's. The API takes 100 values at once.
    for (const path of pages) {
      for (const [prefix, names] of [
        ["", ["referrer_host", "source", "medium", "campaign", "region", "city"]],
        ["not_", ["browser", "os", "language", "rule"]],
      ]) {
        const query = new URLSearchParams(
          ["compare", "range", "show", "status"].map((name) => [name, "constructor"]),
        );
        for (const name of names) {
          for (const value of inherited) query.append(prefix + name, value);
        }
        await page.goto(`${path}?${query}`);
        await read((name) => (names.includes(name) ? inherited : []), `${path} ${prefix}`);
        assert.equal(await page.locator(".chips .chip").count(), names.length * inherited.length);
      }
    }
  });

  test("are shown from left to right, with what would hide or turn them spelled out", async () => {
    await it.server.api("POST", "/api/urls", {
      original_url: "https://example.com/\u202Egnp.exe",
      short_code: "spoof",
    });
    await it.server.api("POST", "/api/urls", {
      original_url: "https://مثال.إختبار/مسار/?سؤال=1",
      short_code: "arabic",
    });
    await it.server.click("spoof");
    await until(
      async () => (await it.server.api("GET", "/api/urls/spoof")).body.click_count === 1,
      "the click",
    );
    const page = await it.open(null);
    for (const path of ["/ui/", "/ui/links/spoof", "/ui/overview", "/ui/?search=%E2%80%AE"]) {
      await page.goto(path);
      await page.getByText("[U+202E]").first().waitFor();
      const raw = await page.evaluate(() =>
        [
          document.body.innerText,
          ...[...document.querySelectorAll("[title]")].map((e) => e.title),
        ].filter((text) => text.includes("\u202E")),
      );
      assert.deepEqual(raw, [], path);
    }
    await page.goto("/ui/");
    const url = page.locator(".row", { hasText: "arabic" }).locator(".row-url");
    await url.waitFor();
    const [host, slash, rest] = await url.evaluate((e) => {
      const parts = e.querySelectorAll(":scope > bdi > bdi");
      const first = document.createRange();
      first.setStart(parts[1].firstChild, 0);
      first.setEnd(parts[1].firstChild, 1);
      return [parts[0], first, parts[1]].map((part) => part.getBoundingClientRect().toJSON());
    });
    assert(
      Math.abs(host.right - slash.left) < 1 && slash.right <= rest.right,
      "the host, then the slash, then the rest",
    );
  });

  test("that are very long are cut in a row, and whole where they are asked for", async () => {
    const long = `https://example.com/${"long/".repeat(1600)}`;
    await it.server.api("POST", "/api/urls", { original_url: long, short_code: "longest" });
    const page = await it.open("/ui/");
    const row = page.locator(".row", { hasText: "longest" });
    await row.hover();
    assert((await row.locator(".row-url").textContent()).length < 350);
    assert.equal((await row.locator(".row-link").getAttribute("title")).split("\n")[0], long);
  });

  test("never become a link that runs", async () => {
    const page = await it.open(null);
    const link = {
      id: 1,
      short_code: "evil",
      created_at: "2026-01-01T00:00:00Z",
      created_by: "authenticated-user",
      click_count: 1,
      original_url: "javascript:alert(1)",
    };
    await page.route(/\/api\/urls\?/, (route) =>
      route.fulfill({
        json: {
          urls: [
            link,
            { ...link, id: 2, short_code: "evil2", original_url: " \u0001JaVaScRiPt:alert(1)" },
            {
              ...link,
              id: 3,
              short_code: "evil3",
              original_url: "data:text/html,<script>alert(1)</script>",
            },
          ],
          total: 3,
          limit: 100,
          offset: 0,
        },
      }),
    );
    const clicks = {
      ...link,
      total_clicks: 3,
      by_country: { "<b>": 2, __proto__x: 1 },
      by_referrer: { "javascript:alert(1)": 3 },
      by_rule: { "<b>": 2, default: 1 },
      interval: "day",
      time_zone: "UTC",
      start_time: "2026-01-01T00:00:00Z",
      end_time: "2026-01-02T00:00:00Z",
      series: [{ time: "2026-01-01T00:00:00Z", clicks: 3 }],
    };
    await page.route(/\/api\/urls\/evil\/clicks/, (route) => route.fulfill({ json: clicks }));
    const words = {
      title: "<b>title</b>\u202e",
      note: "<img src=x>",
      tags: ["javascript:alert(1)"],
      expired_url: "javascript:alert(1)",
      status: "active",
      max_clicks: 5,
      clicks_left: 5,
      rules: [{ name: "<b>", url: "javascript:alert(1)", when: { device: ["<b>"] } }],
    };
    await page.route(/\/api\/urls\/evil$/, (route) =>
      route.fulfill({ json: { ...link, ...words }, headers: { ETag: '"1"' } }),
    );
    await page.goto("/ui/");
    await page.locator(".rows .row").first().waitFor();
    const dangerous = () =>
      page.evaluate(
        () =>
          [...document.querySelectorAll("[href]")].filter((e) => !/^https?:/.test(e.href)).length,
      );
    assert.equal(await dangerous(), 0);
    await page.getByRole("button", { name: "Actions for evil", exact: true }).click();
    await page.locator(".menu-item").getByText("Copy link").waitFor();
    assert.equal(await page.getByText("Open destination").count(), 0);
    assert.equal(await dangerous(), 0);
    await page.keyboard.press("Escape");
    await page.goto("/ui/links/evil");
    await page.locator(".chart svg").waitFor();
    assert.equal(await dangerous(), 0);
    assert.equal(await page.evaluate(baseline), 0);
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Rules/ })
      .click();
    await page.getByRole("dialog").getByText("Try it").waitFor();
    assert.equal(await dangerous(), 0);
    assert.equal(await page.evaluate(baseline), 0);
  });

  test("the page can't be framed, and runs nothing that is put into it", async () => {
    const answer = await fetch(it.server.url + "/ui/");
    assert.match(answer.headers.get("content-security-policy"), /frame-ancestors 'none'/);
    const page = await it.open("/ui/", { expect: [/violat|TrustedHTML|Content Security Policy/i] });
    await page.getByText("Paste a long URL").or(page.getByLabel("Long URL")).waitFor();
    assert.equal(
      await page.evaluate(() => {
        try {
          document.body.innerHTML = "<img src=x onerror=alert(1)>";
          return "markup was made from text";
        } catch (error) {
          return error.name;
        }
      }),
      "TypeError",
    );
  });
});
