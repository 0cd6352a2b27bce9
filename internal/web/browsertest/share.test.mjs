import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  clean,
  cleanInAll,
  compare,
  copied,
  inFirefox,
  menuItem,
  schemes,
  shot,
  sizes,
  stopClock,
  suite,
  tablet,
  totalOf,
  until,
} from "./harness.mjs";

describe("shared statistics of a server that does not know its address", () => {
  const it = suite({ env: { BASE_URL: "" } });

  test("are where the page is", async () => {
    const page = await it.open("/ui/links/docs");
    await page.getByRole("button", { name: "More actions" }).click();
    await menuItem(page, "Share statistics").click();
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const url = await page.getByLabel("Address of the shared page").inputValue();
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/ui\/share\/[\w-]{22}$/);
    assert.equal((await page.goto(url)).status(), 200);
  });
});

describe("shared statistics", () => {
  const it = suite();
  const press = (locator, size) => (size.hasTouch ? locator.tap() : locator.click());
  const button = (page, name) => page.getByRole("button", { name, exact: true });
  const share = async (code) => {
    const { body } = await it.server.api("POST", `/api/urls/${code}/share`);
    return new URL(body.url).pathname;
  };
  const stop = (code) => it.server.api("DELETE", `/api/urls/${code}/share`);
  const shown = (page) => page.locator(".chart svg, .chart-empty").first().waitFor();
  const settled = (page) => page.locator('.stats[data-stale="false"] .chart svg').waitFor();
  const stranger = (path, options) => it.open(path, { signedIn: false, ...options });

  for (const [name, size] of Object.entries(sizes)) {
    test(`a link is shared, and no longer, ${name}`, async () => {
      await stop("docs");
      const page = await it.open("/ui/links/docs", size);
      await press(button(page, "More actions"), size);
      await press(menuItem(page, "Share statistics"), size);
      const dialog = page.getByRole("dialog", { name: "Share statistics" });
      await dialog.getByText("Not shared.").waitFor();
      await cleanInAll(page, "the dialog of a link that is not shared");
      await press(button(dialog, "Share"), size);
      const address = dialog.getByLabel("Address of the shared page");
      await address.waitFor();
      const url = await address.inputValue();
      assert.match(url, /^https:\/\/sho\.rt\/ui\/share\/[\w-]{22}$/);
      assert.equal(
        await dialog.getByRole("link", { name: "Open the shared page" }).getAttribute("href"),
        url,
      );
      await cleanInAll(page, "the dialog of a link that is shared");
      if (!inFirefox) {
        await press(button(dialog, "Copy the address"), size);
        await until(async () => (await copied(page)) === url, "the address on the clipboard");
      }
      await press(button(dialog, "Done"), size);
      await press(button(page, "More actions"), size);
      await press(menuItem(page, "Share statistics"), size);
      await until(async () => (await address.inputValue()) === url, "the same address");
      const { pathname } = new URL(url);
      const reader = await stranger(pathname, { ...size, expect: [/status of 404/] });
      await shown(reader);
      await press(button(dialog, "Stop sharing"), size);
      await press(button(page.getByRole("dialog", { name: "Stop sharing" }), "Stop sharing"), size);
      await page.locator(".toast", { hasText: "No longer shared" }).waitFor();
      await press(button(reader, "7d"), size); // which asks again
      await reader.getByRole("heading", { name: "Nothing is shared here" }).waitFor();
      await clean(reader, "a page that is shared no longer");
      assert.equal((await reader.goto(pathname)).status(), 404);
      await reader.getByRole("heading", { name: "Nothing is shared here" }).waitFor();
      await cleanInAll(reader, "a page that is not there");
    });
  }

  test("a stranger sees what is shared, and filters it", async () => {
    await it.server.api("PATCH", "/api/urls/launch", { title: "Spring <b>launch</b>" });
    const page = await stranger(await share("launch"));
    await page.getByRole("heading", { name: "Spring <b>launch</b>" }).waitFor();
    await page.getByText("Clicks of sho.rt/launch, shared by its owner.").waitFor();
    await until(async () => (await page.title()) === "Spring <b>launch</b> · terse", "the title");
    await page.getByRole("button", { name: "All", exact: true }).click();
    await settled(page);
    const { total_clicks: all } = (
      await it.server.api("GET", "/api/urls/launch/clicks?not_visitor=bot")
    ).body;
    await until(async () => (await totalOf(page)) === all, "what the owner sees");
    // not by their roles: Firefox ESR 153 crashes when it is asked for these in turn
    const sources = page.locator('[aria-labelledby="referrers-title"]');
    assert.equal(await sources.locator('[role="tab"]').count(), 0, "no whole URLs");
    await sources.locator(".bar", { hasText: "news.ycombinator.com" }).click();
    await page.waitForURL(/referrer_host=news\.ycombinator\.com/);
    await until(async () => (await totalOf(page)) < all, "fewer clicks");
    await page.getByRole("tab", { name: "Systems" }).click();
    await page.locator('[aria-labelledby="devices-title"] .bar', { hasText: "Windows" }).click();
    await page.waitForURL(/os=Windows/);
    const filtered = page.url();
    await button(page, "12mo").click();
    await page.waitForURL(/range=12mo/);
    await page.goBack();
    await page.waitForURL(filtered);
    await button(page, "Remove all filters").click();
    await until(async () => (await totalOf(page)) === all, "all clicks");
    await button(page, "30d").click();
    await compare(page, "Previous period");
    await page.locator(".legend").waitFor();
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("d");
    await page.waitForURL(/range=24h/);
    // these are no filters here
    await page.goto(`${page.url()}&referrer=https://t.co/&country=nowhere&tab=referrer`);
    await settled(page);
    assert.equal(await page.locator(".chip").count(), 0);
    await sources.getByRole("button", { name: "Export sites as CSV" }).waitFor();
    const download = page.waitForEvent("download");
    await button(page, "Export").click();
    await page.getByRole("menuitem", { name: "Everything shown" }).click();
    assert.match((await download).suggestedFilename(), /^terse-launch-.*\.zip$/);
  });

  for (const signedIn of [true, false]) {
    test(`the page needs nothing private, signed ${signedIn ? "in" : "out"}`, async () => {
      const code = `private-${signedIn}`,
        secret = "marker";
      await it.server.api("POST", "/api/urls", {
        short_code: code,
        title: "Shown",
        original_url: `https://${secret}.example/`,
        note: secret,
        tags: [secret],
        password: secret,
        expired_url: `https://${secret}.example/over`,
        rules: [{ name: "rule", when: { device: ["ios"] }, url: `https://${secret}.example/` }],
      });
      const told = [],
        asked = [];
      const path = await share(code);
      const page = await it.open(null, {
        signedIn,
        prepare: async (p) => {
          p.on("request", (request) => asked.push(new URL(request.url()).pathname));
          p.on("response", (response) =>
            told.push(JSON.stringify(response.headers()), response.text()),
          );
          // as it is after a sign-out
          if (!signedIn)
            await p.addInitScript(
              () =>
                location.pathname.startsWith("/ui/") &&
                localStorage.setItem("terse-session", "out"),
            );
        },
      });
      const response = await page.goto(path);
      await shown(page);
      await page.getByText("No clicks in this range").waitFor();
      await button(page, "Show all time").click();
      await page.getByText("No clicks yet").waitFor();
      assert.equal(await page.getByLabel("Access token").count(), 0);
      assert.equal(await page.getByText("Try your link").count(), 0);
      assert.ok(asked.length > 3);
      assert.deepEqual(
        asked.filter((p) => !p.startsWith("/ui/assets/") && p !== path && p !== `${path}/clicks`),
        [],
      );
      assert.ok(told.length > 6);
      page.removeAllListeners("response"); // what comes later ends with the page
      assert.ok(!(await Promise.all(told)).join().includes(secret), "nothing else of the link");
      const headers = response.headers();
      assert.equal(headers["cache-control"], "no-store");
      assert.equal(headers["referrer-policy"], "no-referrer");
      assert.equal(headers["x-robots-tag"], "noindex");
      assert.match(headers["content-security-policy"], /default-src 'none'; script-src 'self'/);
    });
  }

  test("the page asks seldom by itself, and shows new clicks", async () => {
    const page = await stranger(null);
    await stopClock(page);
    let asked = 0;
    page.on("request", (request) => {
      asked += request.url().includes("/clicks?");
    });
    await page.goto(await share("hiring"));
    await shown(page);
    const [before, first] = [asked, await totalOf(page)];
    await it.server.click("hiring");
    await until(
      async () =>
        (await it.server.api("GET", "/api/urls/hiring/clicks")).body.total_clicks >
        (await it.server.api("GET", "/api/urls/hiring")).body.click_count - 1,
      "the click to be counted",
    );
    await page.clock.runFor(20_000);
    assert.equal(asked, before);
    await until(async () => {
      await page.clock.runFor(15_000);
      return (await totalOf(page)) === first + 1;
    }, "the click");
  });

  for (const colorScheme of schemes) {
    for (const [name, size] of Object.entries(sizes)) {
      test(`the page is for everybody, ${name}, ${colorScheme}`, async () => {
        await it.server.api("PATCH", "/api/urls/launch", { title: "Spring launch" });
        const page = await stranger(await share("launch"), { ...size, colorScheme });
        await shown(page);
        await page.locator(".when").scrollIntoViewIfNeeded();
        await page.getByRole("grid", { name: "Hours of the week" }).waitFor();
        await page.evaluate(() => scrollTo(0, 0));
        const [wide, all] = await page.evaluate(() => [
          document.documentElement.clientWidth,
          document.documentElement.scrollWidth,
        ]);
        assert.ok(name !== "phone" || all === wide, "does not scroll sideways");
        await clean(page, `shared ${name} ${colorScheme}`);
        if (size !== tablet) await shot(page, `shared-${name}-${colorScheme}`, { fullPage: true });
      });
    }
  }
});
