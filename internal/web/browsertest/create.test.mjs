import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { clean, codes, copied, phone, shot, suite, until } from "./harness.mjs";

describe("creating links", () => {
  const it = suite();
  const field = (page) => page.getByLabel("Long URL");
  const code = (page) => page.getByLabel("Code", { exact: true });
  const paste = async (page, text, into = page.locator("body")) => {
    await page.evaluate((t) => navigator.clipboard.writeText(t), text);
    await into.press("ControlOrMeta+v");
  };
  const button = (page, name) => page.getByRole("button", { name, exact: true });
  const ready = (page) => page.locator(".rows .row").first().waitFor();
  const posts = (page) => {
    const sent = [];
    page.on("request", (request) => {
      // A page that is being closed has no body to tell of in Firefox.
      const body = request.method() === "POST" && request.postDataJSON();
      if (body) sent.push(body.original_url);
    });
    return sent;
  };
  const urls = [
    "https://example.com/several/1",
    "https://example.com/several/2",
    "https://sho.rt/launch",
  ];

  for (const where of ["anywhere", "in the field"]) {
    test(`several URLs pasted ${where} become a link each`, async () => {
      const page = await it.open("/ui/");
      await ready(page);
      await paste(
        page,
        `${urls.join("\r\n")}\n`,
        where === "anywhere" ? page.locator("body") : field(page),
      );
      await button(page, "Shorten 3").waitFor();
      await clean(page, "several URLs");
      await page.keyboard.press("Enter");
      await page.getByText("2 of 3 lines shortened").waitFor();
      await page.getByText("That's already a short link on this server.").waitFor();
      await shot(page, "several-urls");
      await page.getByRole("button", { name: "Copy 2 short URLs" }).click();
      await page.getByText("Copied 2 short URLs").first().waitFor();
      const made = (await copied(page))
        .split("\n")
        .map((short) => short.replace("https://sho.rt/", ""));
      const leads = await Promise.all(
        made.map(
          async (short) => (await it.server.api("GET", `/api/urls/${short}`)).body.original_url,
        ),
      );
      assert.deepEqual(leads, urls.slice(0, 2));
      assert.deepEqual((await codes(page)).slice(0, 2), made.toReversed());
      assert.equal(await page.getByRole("button", { name: /^Try/ }).count(), 0, "it can't work");
      await button(page, "Close").click();
      await field(page).waitFor();
      assert.equal(await field(page).inputValue(), "");
    });
  }

  for (const [status, reason] of [
    [429, "rate limit exceeded"],
    [503, "too many questions at once"],
  ])
    test(`several URLs wait after ${status}`, async () => {
      const page = await it.open(null, { expect: [/status of (429|503)/] });
      await page.clock.install();
      await page.goto("/ui/");
      await ready(page);
      let refused = 0;
      await page.route("**/api/bulk", (route) =>
        refused++ === 0
          ? route.fulfill({
              status,
              headers: { "Retry-After": "7" },
              json: { error: reason },
            })
          : route.continue(),
      );
      await paste(page, "https://example.com/fast/1 https://example.com/fast/2");
      await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
      await button(page, "Shorten 2").click();
      await page.getByText("Too many requests. Continuing in 7 s.").waitFor();
      await page.clock.runFor(7_100);
      await page.getByText("2 of 2 lines shortened").waitFor();
      assert.equal(refused, 2);
    });

  test("where the server takes few at once, several URLs are shortened in parts", async () => {
    const page = await it.open("/ui/", { expect: [/status of 413/] });
    await ready(page);
    let left = 2; // requests that are refused: all 300, and then 150
    await page.route("**/api/bulk", (route) =>
      left-- > 0
        ? route.fulfill({ status: 413, json: { error: "at most 90 operations at a time" } })
        : route.continue(),
    );
    // also one URL twice, which are two links
    const many = Array.from(
      { length: 300 },
      (_, i) => `https://example.com/parts/${Math.max(i, 1)}`,
    );
    await paste(page, many.join("\n"));
    await button(page, "Shorten 300").click();
    await page.getByText("300 of 300 lines shortened").waitFor();
    assert.equal(left, -4, "four times 75");
    const made = await page
      .locator(".batch-result a")
      .evaluateAll((links) => links.map((link) => link.pathname.split("/").at(-1)));
    assert.equal(new Set(made).size, 300);
    for (const i of [0, 1, 150, 299]) {
      const { body } = await it.server.api("GET", `/api/urls/${made[i]}`);
      assert.equal(body.original_url, many[i]);
    }
  });

  test("text with white space is never joined, and not sent", async () => {
    const page = await it.open("/ui/");
    await ready(page);
    const sent = posts(page);
    const reason = page.getByText("A URL can't contain spaces");
    await paste(page, "https://example.com/a not  a URL", field(page));
    await reason.waitFor();
    assert.equal(await field(page).inputValue(), "https://example.com/a not a URL");
    await field(page).press("Enter");
    assert(await reason.isVisible());
    await field(page).fill("");
    await paste(page, "no\nURL", field(page));
    await until(async () => (await field(page).inputValue()) === "no URL", "one line");
    await field(page).fill("");
    const many = Array.from({ length: 1001 }, (_, i) => `https://example.com/${i}`);
    await paste(page, many.join("\n"));
    await page.getByText("That's 1,001 lines. At most 1,000 can be shortened at a time.").waitFor();
    assert.deepEqual(sent, []);
  });

  test("a code that is too long is not cut", async () => {
    const page = await it.open("/ui/");
    await ready(page);
    const sent = posts(page);
    await field(page).fill("https://example.com/long");
    await paste(page, "ThisCodeIsWayTooLongForIt", code(page));
    await page.getByText("At most 20 characters").waitFor();
    assert.equal(await code(page).inputValue(), "ThisCodeIsWayTooLongForIt");
    await code(page).press("Enter");
    assert.equal(await code(page).getAttribute("aria-invalid"), "true");
    assert.deepEqual(sent, []);
    await code(page).fill("short-enough");
    await page.keyboard.press("Enter");
    await until(async () => (await codes(page))[0] === "short-enough", "the link");
  });

  test("what is refused has a reason that people understand", async () => {
    const page = await it.open("/ui/", { expect: [/status of 4/, /ERR_FAILED/] });
    await ready(page);
    const refused = async (url, message) => {
      await field(page).fill(url);
      await field(page).press("Enter");
      await page.locator("#create-problem").getByText(message).waitFor();
      assert.equal(await field(page).inputValue(), url, "what was typed stays");
    };
    await refused("https://example.com/a b", "A URL can't contain spaces");
    await refused(
      "mailto:me@example.com",
      "Only http and https addresses can be shortened, not mailto.",
    );
    await refused("nonsense", "Enter a full web address, such as https://example.com/page.");
    await refused("https://sho.rt/launch", "That's already a short link on this server.");
    await refused(
      `https://example.com/${"a".repeat(8192)}`,
      "A URL can have at most 8,192 bytes. This one has 8,212.",
    );
    await field(page).fill("https://example.com/page");
    for (const [chosen, message] of [
      ["api", '"api" is reserved. Try another.'],
      ["docs", '"docs" is taken. Try another.'],
      ["a b", "Use 3–20 letters, digits, - or _."],
    ]) {
      await code(page).fill(chosen);
      await code(page).press("Enter");
      await page.locator("#new-short_code-problem").getByText(message).waitFor();
    }
    await code(page).fill("");
    await page.route("**/api/urls", (route) => route.abort());
    await refused(
      "https://example.com/page",
      "Not created: can't reach the server. Your text is kept.",
    );
  });

  test("what is refused with options is said beside its field", async () => {
    const page = await it.open("/ui/", { expect: [/status of 4/] });
    await ready(page);
    await field(page).fill("https://example.com/with-options");
    const title = page.locator("#new-title");
    const problem = page.locator("#create-problem");
    await title.fill("a\u0085b");
    await title.press("Enter");
    await page.locator("#new-title-problem").getByText("Title must be 1 to 200").waitFor();
    await until(() => title.evaluate((e) => e === document.activeElement), "the focus there");
    assert.equal(await problem.count(), 0);
    await title.fill("Fine");
    await field(page).fill("https://sho.rt/launch");
    await field(page).press("Enter");
    await problem.getByText("That's already a short link on this server.").waitFor();
    await field(page).fill("https://example.com/with-options");
    await code(page).fill("docs");
    await code(page).press("Enter");
    await page.getByText('"docs" is taken. Try another.').waitFor();
    await until(() => code(page).evaluate((e) => e === document.activeElement), "and here");
  });

  test("the scheme is added", async () => {
    const page = await it.open("/ui/");
    await ready(page);
    for (const [typed, url] of [
      ["sub_domain.example.com/x", "https://sub_domain.example.com/x"],
      ["localhost:3000/x", "http://localhost:3000/x"],
      ["127.0.0.1/y", "http://127.0.0.1/y"],
    ]) {
      await field(page).fill(typed);
      await field(page).press("Enter");
      await until(
        async () =>
          (await it.server.api("GET", "/api/urls?limit=1")).body.urls[0].original_url === url,
        url,
      );
      await page.locator(".made").waitFor();
    }
  });

  // newest is where the newest link leads.
  const newest = async () =>
    (await it.server.api("GET", "/api/urls?limit=1")).body.urls[0].original_url;

  test("what does not show around a URL is left out", async () => {
    const page = await it.open("/ui/");
    await ready(page);
    const url = "https://example.com/unseen";
    for (const around of ["\u200b", "\ufeff", "\u2060", "\u200e", "\u00ad", "\u202c"]) {
      const answered = page.waitForResponse((response) => response.request().method() === "POST");
      await field(page).fill(`${around}${url}${around} `);
      await field(page).press("Enter");
      await answered;
      assert.equal(await newest(), url, `U+${around.codePointAt(0).toString(16)}`);
      await page.locator(".made").waitFor();
    }
    const heart = "https://example.com/\u2764\ufe0f"; // whose last character belongs to it
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    await field(page).fill(heart);
    await field(page).press("Enter");
    await answered;
    assert.equal(await newest(), heart);
  });

  test("a list may have commas between its URLs", async () => {
    const page = await it.open("/ui/");
    await ready(page);
    await paste(
      page,
      "https://example.com/list/a, https://example.com/list/b?c=1,2;\n" +
        "https://example.com/list/c,\n",
    );
    await button(page, "Shorten 3").click();
    await page.getByText("3 of 3 lines shortened").waitFor();
    const {
      body: { urls: made },
    } = await it.server.api("GET", "/api/urls?limit=3");
    assert.deepEqual(
      made.map((link) => link.original_url),
      [
        "https://example.com/list/c",
        "https://example.com/list/b?c=1,2",
        "https://example.com/list/a",
      ],
    );
  });

  test("a % that begins no escape is taken", async () => {
    const page = await it.open("/ui/");
    await ready(page);
    for (const url of [
      "https://shop.example/?q=25%-off",
      "https://shop.example/sale-25%-off",
      "https://shop.example/#25%",
      "https://shop.example/a%zz?b=%",
    ]) {
      const answered = page.waitForResponse((response) => response.request().method() === "POST");
      await field(page).fill(url);
      await field(page).press("Enter");
      await answered;
      assert.equal(await newest(), url);
      await page.locator(".made").waitFor();
    }
  });

  test("a link that has ended is none that its URL has already", async () => {
    const url = "https://example.com/ended-or-not";
    const add = (short_code, more) =>
      it.server.api("POST", "/api/urls", { original_url: url, short_code, ...more });
    await add("kept");
    await add("is-disabled", { disabled: true });
    await add("is-over", { expires_at: "2020-01-01T00:00:00Z" });
    await add("is-used", { max_clicks: 1 });
    await it.server.click("is-used");
    await until(
      async () => (await it.server.api("GET", "/api/urls/is-used")).body.status === "used_up",
      "the last click",
    );
    const page = await it.open("/ui/");
    await ready(page);
    await field(page).fill(url);
    await page.locator(".known").getByText("You already have sho.rt/kept for this URL").waitFor();
    await field(page).press("Enter");
    await page.locator(".known").getByText("You already had sho.rt/kept for this URL").waitFor();
  });

  test("a URL that has a short link already", async () => {
    const page = await it.open(null);
    await page.clock.install();
    await page.goto("/ui/");
    await ready(page);
    const url = "https://docs.example.com/getting-started/installation";
    await field(page).fill(url);
    await page.clock.runFor(1000);
    await page.locator(".known").getByText("You already have sho.rt/docs for this URL").waitFor();
    await clean(page, "a URL that has a short link");
    await button(page, "Use it").click();
    await until(async () => (await copied(page)) === "https://sho.rt/docs", "the copy");
    assert.equal(await field(page).inputValue(), "", "nothing is left to make");

    // Nobody looks while it is typed.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
    await field(page).fill(url);
    await field(page).press("Enter");
    const known = page.locator(".known");
    await known.getByText("You already had sho.rt/docs for this URL").waitFor();
    const [second] = await codes(page);
    assert.notEqual(second, "docs");
    await button(page, "Use it").click();
    await page.locator(".toast").getByText(second).waitFor();
    await button(page, `Undo deleting ${second}`).click();
    await until(async () => (await codes(page))[0] === second, "the second one again");

    await field(page).fill(url);
    await page.clock.runFor(1000);
    await button(page, "Keep both").click();
    await known.waitFor({ state: "detached" });
    await field(page).press("Enter");
    await page.locator(".made").waitFor();
    assert.equal(await known.count(), 0, "that was answered");
  });

  test("a link that the URL has is said in one line, also on a phone", async () => {
    const url = "https://example.com/one-line";
    await it.server.api("POST", "/api/urls", { original_url: url, short_code: "one-line" });
    const page = await it.open("/ui/", phone);
    await ready(page);
    await field(page).fill(url);
    const known = page.locator(".known");
    await known.waitFor();
    const { height } = await known.boundingBox();
    assert(height <= 44, `${height} pixels`);
    await field(page).press("Enter");
    await known.getByText(/had sho\.rt\/one-line/).waitFor();
    assert.equal((await known.boundingBox()).height, height);
    await clean(page, "a second link for a URL");
    await button(page, "Use it").tap();
    await known.waitFor({ state: "detached" });
  });

  test("while a search is on, a new link is shown above what it finds", async () => {
    const page = await it.open("/ui/?search=roadmap");
    await until(async () => (await codes(page)).join() === "roadmap", "the match");
    await field(page).fill("https://example.com/pinned");
    await field(page).press("Enter");
    await until(async () => (await codes(page)).length === 2, "both rows");
    const [first] = await codes(page);
    await page.locator(".row", { hasText: first }).getByText("New").waitFor();
    assert.match(await page.locator(".amount").textContent(), /^1 match$/);
    await shot(page, "pinned");
    await page.getByLabel("Search links").fill("launch");
    await until(async () => (await codes(page)).join() === "launch", "another search, without it");
  });
});
