import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { clean, codes, copied, shot, suite, until } from "./harness.mjs";

describe("creating links", () => {
  const it = suite();
  const field = (page) => page.getByLabel("Long URL");
  const code = (page) => page.getByLabel("Short code", { exact: true });
  const paste = async (page, text, into = page.locator("body")) => {
    await page.evaluate((t) => navigator.clipboard.writeText(t), text);
    await into.press("ControlOrMeta+v");
  };
  const ready = (page) => page.locator(".rows .row").first().waitFor();
  const posts = (page) => {
    const sent = [];
    page.on(
      "request",
      (request) => {
        // A page that is being closed has no body to tell of in Firefox.
        const body = request.method() === "POST" && request.postDataJSON();
        if (body) sent.push(body.original_url);
      },
    );
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
      await page.getByRole("button", { name: "Shorten 3 URLs" }).waitFor();
      assert.equal(await field(page).inputValue(), "");
      await clean(page, "several URLs");
      await page.keyboard.press("Enter");
      await page.getByText("2 of 3 URLs shortened").waitFor();
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
      await page.getByRole("button", { name: "Close" }).click();
      assert.equal(await page.getByRole("region", { name: "Several URLs" }).count(), 0);
    });
  }

  test("of several URLs, those that come too fast wait", async () => {
    const page = await it.open(null, { expect: [/status of 429/] });
    await page.clock.install();
    await page.goto("/ui/");
    await ready(page);
    let refused = 0;
    await page.route("**/api/bulk", (route) =>
      refused++ === 0
        ? route.fulfill({
            status: 429,
            headers: { "Retry-After": "7" },
            json: { error: "rate limit exceeded" },
          })
        : route.continue(),
    );
    await paste(page, "https://example.com/fast/1 https://example.com/fast/2");
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
    await page.getByRole("button", { name: "Shorten 2 URLs" }).click();
    await page.getByText("Too many requests. Continuing in 7 s.").waitFor();
    await page.clock.runFor(7_100);
    await page.getByText("2 of 2 URLs shortened").waitFor();
    assert.equal(refused, 2);
  });

  test("text with white space is never joined, and not sent", async () => {
    const page = await it.open("/ui/");
    await ready(page);
    const sent = posts(page);
    const reason = page.getByText("A URL can't contain spaces");
    for (const into of [page.locator("body"), field(page)]) {
      await field(page).fill("");
      await page.evaluate(() => document.activeElement.blur());
      await paste(page, "https://example.com/a\nnot a URL", into);
      await reason.waitFor();
      assert.equal(await field(page).inputValue(), "https://example.com/a not a URL");
      await field(page).press("Enter");
      assert(await reason.isVisible());
    }
    await field(page).fill("");
    const many = Array.from({ length: 1001 }, (_, i) => `https://example.com/${i}`);
    await paste(page, many.join("\n"));
    await page.getByText("That's 1,001 URLs. At most 1,000 can be shortened at a time.").waitFor();
    assert.deepEqual(sent, []);
  });

  test("a code that is too long is not cut", async () => {
    const page = await it.open("/ui/");
    await ready(page);
    const sent = posts(page);
    await field(page).fill("https://example.com/long");
    await page.getByRole("button", { name: "Custom code" }).click();
    await paste(page, "ThisCodeIsWayTooLongForIt", code(page));
    await page.getByText("At most 20 characters").waitFor();
    assert.equal(await code(page).inputValue(), "ThisCodeIsWayTooLongForIt");
    await page.keyboard.press("Enter");
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
    await page.getByRole("button", { name: "Custom code" }).click();
    for (const [chosen, message] of [
      ["api", '"api" is reserved. Try another.'],
      ["docs", '"docs" is taken. Try another.'],
      ["a b", "Use 3–20 letters, digits, - or _."],
    ]) {
      await code(page).fill(chosen);
      await refused("https://example.com/page", message);
    }
    await page.getByRole("button", { name: "Use a random code" }).click();
    await page.route("**/api/urls", (route) => route.abort());
    await refused(
      "https://example.com/page",
      "Not created: can't reach the server. Your text is kept.",
    );
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
    await page.getByRole("button", { name: "Copy sho.rt/docs instead" }).click();
    await until(async () => (await copied(page)) === "https://sho.rt/docs", "the copy");
    await field(page).fill(`${url}/other`);
    await page.locator(".known").waitFor({ state: "detached" });
    await field(page).fill("");

    // Nobody looks while it is typed.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
    await field(page).fill(url);
    await field(page).press("Enter");
    await page.locator(".known").getByText("You already had sho.rt/docs for this URL").waitFor();
    assert.notEqual((await codes(page))[0], "docs");
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
