import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  clean,
  codes,
  copied,
  inFirefox,
  phone,
  saveData,
  shot,
  suite,
  token,
  totalOf,
  until,
} from "./harness.mjs";

describe("states", () => {
  const it = suite();
  const first = (page) => page.locator(".rows .row-link").first();

  test("an expired session is renewed in place, and nothing typed is lost", async () => {
    const page = await it.open(null, { expect: [/status of 401/] });
    // What the page asks by itself is over before the session: else that meets its end, and the
    // form is not sent.
    await Promise.all([page.waitForResponse(/\/api\/recent/), page.goto("/ui/?search=example")]);
    await first(page).waitFor();
    await Promise.all([
      page.waitForResponse(/\/api\/urls\?.*typed-before/),
      page.getByLabel("Long URL").fill("https://example.com/typed-before"),
    ]);
    await page.context().clearCookies();
    await page.keyboard.press("Enter");
    await page.getByLabel("Access token").waitFor();
    await shot(page, "session-expired");
    await clean(page, "an expired session");
    await page.getByLabel("Access token").fill(token);
    await page.keyboard.press("Enter");
    await page.locator(".made").waitFor(); // the request that found no session was sent again
    assert.match(page.url(), /search=example/);
    assert.equal(await page.getByLabel("Search links").inputValue(), "example");
    const { body } = await it.server.api("GET", "/api/urls?limit=1");
    assert.equal(body.urls[0].original_url, "https://example.com/typed-before");
  });

  test("signed out elsewhere, while clicks are looked at", async () => {
    const page = await it.open(null, { expect: [/status of 401/] });
    await page.clock.install();
    await page.goto("/ui/links/launch");
    await page.locator(".total.clicks").waitFor();
    await page.context().clearCookies();
    await page.clock.fastForward(60_000);
    await page.getByLabel("Access token").fill(token);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const start = await totalOf(page);
    await it.server.click("launch");
    await until(async () => {
      await page.clock.fastForward(60_000);
      return (await totalOf(page)) > start;
    }, "the page to go on");
  });

  test("the server is away, and comes back", async () => {
    const page = await it.open(null, {
      expect: [/ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)/],
    });
    await page.clock.install();
    await page.goto("/ui/links/docs");
    await page.locator(".total.clicks").waitFor();
    const start = await totalOf(page);
    await it.server.stop();
    await page.clock.fastForward(60_000); // to the next question
    await page.getByText("Can't reach the server. Retrying…").waitFor();
    assert.equal(await totalOf(page), start, "what is known stays");
    await page.getByText("Paused").waitFor();
    await shot(page, "server-away");
    await clean(page, "the server is away");
    await page.getByRole("link", { name: "Links", exact: true }).first().click();
    await page.getByText("Couldn't load links").waitFor();
    await shot(page, "server-away-links");
    await it.server.start();
    await first(page).waitFor(); // without anybody's doing
    await page.locator(".away").waitFor({ state: "detached" });
  });

  const away = /ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)/;

  test("a page that could not be loaded comes back with the server", async () => {
    const page = await it.open("/ui/", { expect: [away], prepare: saveData });
    await first(page).waitFor();
    await it.server.stop();
    await page.getByLabel("Long URL").fill("https://example.com/half-");
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("heading", { name: "Couldn't load this page", level: 1 }).waitFor();
    await page.getByText("Can't reach the server. Retrying…").waitFor();
    await clean(page, "a page that could not be loaded");
    await it.server.start();
    await page.locator(".total.clicks").waitFor(); // without anybody's doing
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Links", exact: true }).click();
    assert.equal(await page.getByLabel("Long URL").inputValue(), "https://example.com/half-");
    await page.getByLabel("Title").waitFor(); // the card's form comes back, too
  });

  test("a dialog that could not be loaded can be opened later", async () => {
    const page = await it.open("/ui/", { expect: [away] });
    await first(page).waitFor();
    await it.server.stop();
    await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
    await page.locator(".toast", { hasText: "Couldn't load this part. Try again" }).waitFor();
    await it.server.start();
    await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  });

  test("a page that an updated server has no more offers to reload", async () => {
    const page = await it.open("/ui/", {
      expect: [/status of 404/, /disallowed MIME type/],
      prepare: saveData,
    });
    await first(page).waitFor();
    let asked = 0;
    await page.route(/assets\/pages-/, (route) => {
      asked++;
      return route.fulfill({ status: 404, json: { error: "not found" } });
    });
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("heading", { name: "Couldn't load this page" }).waitFor();
    await until(() => asked === 2, "another try, as the server is there");
    await page.unrouteAll({ behavior: "wait" });
    await page.getByRole("button", { name: "Reload" }).click();
    await page.locator(".total.clicks").waitFor();
  });

  test("a failure is said where it belongs, and can be tried again", async () => {
    const page = await it.open(null, { expect: [/status of 500/, /status of 429/] });
    let broken = true;
    await page.route("**/api/**", (route) =>
      broken
        ? route.fulfill({ status: 500, json: { error: "internal server error" } })
        : route.continue(),
    );
    await page.goto("/ui/");
    await page.getByText("Couldn't load links").waitFor();
    await shot(page, "error");
    await clean(page, "error");
    await page.goto("/ui/links/docs");
    await page.getByText("Couldn't load the link").waitFor();
    broken = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator(".chart svg").waitFor();
    await page.route("**/api/urls", (route) =>
      route.fulfill({
        status: 429,
        headers: { "Retry-After": "7" },
        json: { error: "rate limit exceeded" },
      }),
    );
    await page.goto("/ui/");
    await page.getByLabel("Long URL").fill("https://example.com/");
    await page.keyboard.press("Enter");
    await page.getByText("Too many requests. Wait 7 s and try again.").waitFor();
  });

  test("a server that is busy is asked again when it says", async () => {
    const page = await it.open(null, { expect: [/status of 503/] });
    const busy = {
      status: 503,
      headers: { "Retry-After": "1" },
      json: { error: "too many questions at once" },
    };
    let refused = 0,
      away = 0;
    const asked = /\/api\/(overview|events|urls)\b/;
    const seen = new Set(); // each question is refused once
    await page.route(asked, (route) => {
      const url = route.request().url();
      if (route.request().method() !== "GET" || seen.has(url)) return route.continue();
      seen.add(url);
      refused++;
      return route.fulfill(busy);
    });
    page.on("request", (request) => {
      away += request.url().endsWith("/health");
    });
    await page.goto("/ui/");
    await first(page).waitFor();
    await page.goto("/ui/overview?range=lastmonth"); // which does not ask by itself
    await page.locator(".bars .bar").first().waitFor();
    await page.locator('[role="tab"]:text-is("Systems")').click();
    await page.locator('[aria-labelledby="devices-os"] .bar').first().waitFor();
    await page.getByRole("grid", { name: "Hours of the week" }).waitFor();
    assert(refused >= 4, `${refused} questions`);
    assert.equal(away, 0, "it is not away");
    await page.unroute(asked);
    await page.route(asked, (route) => route.fulfill(busy)); // for longer than anybody waits
    await page.goto("/ui/");
    await page.getByText("The server is busy. Wait 1 s and try again.").waitFor();
    await page.unroute(asked);
    await page.getByRole("button", { name: "Try again" }).click();
    await first(page).waitFor();
  });

  test("the next page of the list fails, and is asked for again", async () => {
    const page = await it.open("/ui/", { expect: [/status of 500/] });
    await first(page).waitFor();
    let broken = true;
    await page.route(/cursor=/, (route) =>
      broken
        ? route.fulfill({ status: 500, json: { error: "internal server error" } })
        : route.continue(),
    );
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.locator(".foot").getByText("Internal server error.").waitFor();
    broken = false;
    const before = await page.evaluate(() => document.body.scrollHeight);
    await page.getByRole("button", { name: "Try again" }).click();
    await until(
      async () => (await page.evaluate(() => document.body.scrollHeight)) > before,
      "more rows",
    );
  });

  test("offline", async () => {
    const page = await it.open("/ui/overview", { expect: [/ERR_INTERNET_DISCONNECTED/] });
    await page.locator(".total.clicks").waitFor();
    await page.context().setOffline(true);
    await page.getByText("You're offline. We'll reconnect when you're back.").waitFor();
    await page.getByText("Paused").waitFor();
    await shot(page, "offline");
    await page.context().setOffline(false);
    await page.locator(".away").waitFor({ state: "detached" });
  });

  test(
    "nothing moves when what was waited for arrives",
    { skip: inFirefox && "only Chromium reports layout shifts" },
    async () => {
      for (const [path, arrived, name] of [
        ["/ui/", ".rows .row", "links"],
        ["/ui/links/launch", ".chart svg", "link"],
        ["/ui/overview", ".chart svg", "overview"],
      ]) {
        const page = await it.open(null);
        let release;
        const held = new Promise((resolve) => {
          release = resolve;
        });
        await page.route("**/api/**", async (route) => {
          await held;
          await route.continue();
        });
        await page.addInitScript(() => {
          window.moved = [];
          new PerformanceObserver((list) =>
            window.moved.push(
              ...list
                .getEntries()
                .map((e) => `${e.value}: ${e.sources.map((s) => s.node?.className ?? s.node)}`),
            ),
          ).observe({ type: "layout-shift", buffered: true });
        });
        await page.goto(path);
        await page.locator(".bone").first().waitFor();
        await shot(page, `loading-${name}`);
        release();
        await page.locator(arrived).first().waitFor();
        await page.evaluate(
          () =>
            new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
        );
        assert.deepEqual(await page.evaluate(() => window.moved), [], path);
      }
    },
  );

  test("an address that leads nowhere", async () => {
    const page = await it.open("/ui/some/where", { expect: [/status of 404/] });
    await page.getByText("Page not found").waitFor();
    await page.getByRole("link", { name: "Back to links" }).click();
    await first(page).waitFor();
  });

  test("a search that the server answers in many pages, most of them empty", async () => {
    const page = await it.open("/ui/");
    await first(page).waitFor();
    let asked = 0;
    const link = (await it.server.api("GET", "/api/urls/docs")).body;
    await page.route(/search=needle/, (route) => {
      asked++;
      const found = asked === 30;
      route.fulfill({
        json: {
          urls: found ? [link] : [],
          total: found ? 1 : 0,
          limit: 100,
          offset: 0,
          ...(found ? {} : { next_cursor: `c${asked}` }),
        },
      });
    });
    await page.getByLabel("Search links").fill("needle");
    await page.getByText("No matches yet.").waitFor();
    assert.equal(asked, 20, "it goes on by itself for so long");
    await page.getByRole("button", { name: "Keep searching" }).click();
    await until(async () => (await codes(page)).join() === "docs", "the match");
  });
});

describe("a server that does not know its address", () => {
  const it = suite({ env: { BASE_URL: "" } });

  test("links have the address of the page", async () => {
    const page = await it.open("/ui/");
    await page
      .getByText(
        `Short links start with ${it.server.url}, the address of this page. ` +
          "Set BASE_URL to your public address.",
      )
      .waitFor();
    await clean(page, "the bar");
    await shot(page, "base-url-assumed");
    const host = new URL(it.server.url).host;
    await page.getByRole("button", { name: `Copy ${host}/docs` }).click();
    await until(async () => (await copied(page)) === `${it.server.url}/docs`, "the copy");
    await page.getByLabel("Long URL").fill("https://example.com/own-address");
    await page.keyboard.press("Enter");
    await page.locator(".made").waitFor();
    const [code] = await codes(page);
    await until(
      async () => (await copied(page)) === `${it.server.url}/${code}`,
      "the copy of the new link",
    );
    await page.getByRole("button", { name: "QR code for the new link" }).click();
    await page.getByRole("img", { name: `QR code for ${it.server.url}/${code}` }).waitFor();
  });

  test("which fits on a phone, also where a code is chosen", async () => {
    const page = await it.open("/ui/", phone);
    await page.getByRole("button", { name: "Options" }).tap();
    await page.getByLabel("Code", { exact: true }).fill("a-code-of-20-letters");
    const { x, width } = await page.locator(".code-field").boundingBox();
    assert(x + width <= phone.viewport.width - 16, `${x} + ${width}`);
  });

  test("which is nothing to mention when it is as assumed", async () => {
    const { port } = new URL(it.server.url);
    const page = await it.open(`http://localhost:${port}/ui/`, {
      expect: [/status of 401/, /another host: http:\/\/localhost/],
    });
    await page.getByLabel("Access token").waitFor();
    assert.equal(await page.getByText("Set BASE_URL").count(), 0);
  });
});

describe("a server with a short token", () => {
  const it = suite({ env: { BASE_URL: "", AUTH_TOKENS: `a-short-token,${token}` } });
  const signIn = async (page, value) => {
    await page.getByLabel("Access token").fill(value);
    await page.keyboard.press("Enter");
    await page.locator(".rows .row-link").first().waitFor();
  };
  const warning = (page) =>
    page.getByText(
      "Your access token has fewer than 16 characters, and may be guessed. " +
        "Set a longer one in AUTH_TOKEN or AUTH_TOKENS.",
    );

  test("warns whoever signs in with it, for as long as the session lasts", async () => {
    const page = await it.open("/ui/", { signedIn: false });
    await signIn(page, "a-short-token");
    await warning(page).waitFor();
    await page.getByText("Short links start with").waitFor(); // says that, too
    await clean(page, "two notices");
    await shot(page, "short-token");
    await page.goto("/ui/overview");
    await warning(page).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Access token").waitFor();
    assert.equal(await warning(page).count(), 0);
    await signIn(page, token);
    assert.equal(await warning(page).count(), 0);
  });

  test("also in its other tabs, and until another tab has a longer one", async () => {
    const page = await it.open("/ui/", { signedIn: false });
    await page.getByLabel("Access token").waitFor();
    const other = await page.context().newPage();
    await other.goto("/ui/");
    await other.getByLabel("Access token").waitFor();
    await signIn(page, "a-short-token");
    await warning(other).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await other.getByLabel("Access token").waitFor();
    await signIn(other, token);
    await page.locator(".rows .row-link").first().waitFor();
    assert.equal(await warning(page).count(), 0);
  });
});

describe("nothing there yet", () => {
  const it = suite({ data: false });

  test("no links", async () => {
    const page = await it.open("/ui/");
    await page.getByText("No links yet").waitFor();
    await shot(page, "no-links");
    await clean(page, "no links");
    await page.goto("/ui/overview");
    await page.getByRole("heading", { name: "No links yet" }).waitFor();
    assert.equal(await page.getByText("Try your link").count(), 0);
    await shot(page, "overview-empty");
    await page.goto("/ui/");
    await page.getByLabel("Long URL").fill("https://example.com/first");
    await page.keyboard.press("Enter");
    await page.getByText("1 link", { exact: true }).waitFor();
    const small = await it.open("/ui/overview", phone);
    const { x, width } = await small.locator(".chart-empty").boundingBox();
    assert.deepEqual([x, width], [16, phone.viewport.width - 32], "it ends where the rest ends");
  });

  test("the page for unknown codes", async () => {
    const page = await it.open("/nowhere", { expect: [/status of 404/] });
    await page.getByRole("heading", { name: "This link doesn't work" }).waitFor();
    await page.getByText("It may be mistyped (capitals matter) or it was deleted.").waitFor();
    await shot(page, "not-found");
    await clean(page, "not found");
    const dark = await it.open("/nowhere", { colorScheme: "dark", expect: [/status of 404/] });
    await dark.getByRole("heading", { name: "This link doesn't work" }).waitFor();
    await clean(dark, "not found, dark");
    await shot(dark, "not-found-dark");
  });
});
