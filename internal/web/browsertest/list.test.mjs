import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  choose,
  clean,
  closeFilters,
  codes,
  openFilters,
  sent,
  shot,
  sizes,
  suite,
  token,
  until,
} from "./harness.mjs";

describe("the list", () => {
  const it = suite();
  const row = (page, code) =>
    page.locator(".rows .row", { has: page.locator(`.row-link:text-is("${code}")`) });
  const add = async (path) =>
    (await it.server.api("POST", "/api/urls", { original_url: `https://example.com/${path}` })).body
      .short_code;
  const tagged = (tag) =>
    it.server.api("POST", "/api/urls", { original_url: `https://${tag}.example`, tags: [tag] });
  const comeBack = (page) =>
    page.evaluate(() => {
      dispatchEvent(new Event("blur"));
      dispatchEvent(new Event("focus"));
    });
  const focusedCode = (page) =>
    page.evaluate(
      () => document.activeElement.closest(".row")?.querySelector(".row-link").textContent,
    );
  const inSight = async (page) => {
    // once the rows are drawn
    const code = () =>
      page.evaluate(
        () =>
          document.elementFromPoint(200, 400).closest(".row")?.querySelector(".row-link")
            .textContent,
      );
    await until(code, "a row");
    return code();
  };
  const exists = async (code) => (await it.server.api("GET", `/api/urls/${code}`)).status === 200;

  test("is looked at again when the reader comes back", async () => {
    const page = await it.open("/ui/");
    await row(page, "quiet").waitFor();
    const code = await add("from-another-tab");
    await it.server.click("quiet");
    await until(
      async () => (await it.server.api("GET", "/api/urls/quiet")).body.click_count === 1,
      "the click",
    );
    await comeBack(page);
    await row(page, code).waitFor();
    assert.equal(await row(page, "quiet").locator(".row-clicks").textContent(), "clicks: 1");

    await page.evaluate(() => scrollTo(0, 1500));
    const top = (name) =>
      page.evaluate(
        (text) =>
          [...document.querySelectorAll(".row-link")]
            .find((e) => e.textContent === text)
            ?.getBoundingClientRect().top,
        name,
      );
    const read = await inSight(page);
    const before = await top(read),
      amount = await page.locator(".amount").textContent();
    await add("above-1");
    await add("above-2");
    await comeBack(page);
    await until(
      async () => (await page.locator(".amount").textContent()) !== amount,
      "the new total",
    );
    assert.equal(await top(read), before, "what is read does not move");
  });

  test("a deleted link leaves it, and the one that has the focus keeps it", async () => {
    const page = await it.open("/ui/");
    const code = await add("soon-gone");
    await page.reload();
    await row(page, code).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    const focused = await focusedCode(page);
    await it.server.api("DELETE", `/api/urls/${code}`);
    await comeBack(page);
    await row(page, code).waitFor({ state: "detached" });
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    assert.equal(await focusedCode(page), focused);
  });

  test("counts people, and bots where they are asked for", async () => {
    const { body } = await it.server.api("POST", "/api/urls", {
      original_url: "https://example.com/counted",
    });
    const code = body.short_code;
    await it.server.click(code);
    for (let i = 0; i < 2; i++) await it.server.click(code, { "User-Agent": "curl/8.0" });
    await until(
      async () => (await it.server.api("GET", `/api/urls/${code}`)).body.click_count === 3,
      "the clicks",
    );
    const page = await it.open("/ui/");
    const clicks = row(page, code).locator(".row-clicks");
    await clicks.waitFor();
    assert.equal(await clicks.textContent(), "clicks: 1");
    await page.getByText("bots are left out").waitFor();
    await row(page, code).locator('.row-recent[title^="1 click in 30 days"]').waitFor();

    const people = page.getByRole("checkbox", { name: "People only" });
    await people.uncheck();
    await until(async () => (await clicks.textContent()) === "clicks: 3", "all clicks");
    assert.equal(new URL(page.url()).search, "?bots=1");
    await page.locator(".row-head").getByText("Clicks with bots").waitFor();
    await page.getByRole("button", { name: "Sort: Newest" }).click();
    assert.deepEqual(
      await page
        .getByRole("listbox", { name: "Sort" })
        .getByRole("option")
        .evaluateAll((all) => all.slice(2).map((e) => /with bots/.test(e.textContent))),
      [true, true, true, true],
    );
    await page.keyboard.press("Escape");
    await row(page, code).locator('.row-recent[title^="3 clicks in 30 days"]').waitFor();
    await page.reload();
    await until(async () => (await clicks.textContent()) === "clicks: 3", "the same again");
    await people.focus();
    await page.keyboard.press("Space");
    await until(async () => (await clicks.textContent()) === "clicks: 1", "people's");
    assert.equal(new URL(page.url()).search, "");
  });

  for (const [name, size] of Object.entries(sizes)) {
    test(`tag, state, sort and search are at hand, ${name}`, async () => {
      const press = (locator) => (size.hasTouch ? locator.tap() : locator.click());
      const pick = (text) => page.getByRole("button", { name: text, exact: true });
      for (const tag of ["pear", "apple"]) await tagged(tag);
      const page = await it.open("/ui/", size);
      await openFilters(page, size);
      await press(pick("State: Any state"));
      await page.locator(".menu-item").getByText("Scheduled").waitFor();
      await clean(page, "the states");
      await press(page.locator(".menu-item").getByText("Active"));
      await page.waitForURL("**/ui/?status=active");
      await pick("State: Active").waitFor();
      await closeFilters(page, size);
      await press(pick("Sort: Newest"));
      await press(page.locator(".menu-item").getByText("Oldest"));
      await page.waitForURL(/sort=oldest/);
      await pick("Sort: Oldest").waitFor();
      await openFilters(page, size);
      await press(pick("Tag: Any tag"));
      await page.getByRole("option", { name: "pear" }).waitFor();
      await clean(page, "the tags");
      await page.keyboard.type("app");
      await page.getByRole("option", { name: "pear" }).waitFor({ state: "detached" });
      await press(page.getByRole("option", { name: "apple" }));
      await page.waitForURL(/tag=apple/);
      await closeFilters(page, size);
      await page.getByRole("button", { name: "Remove filter: apple" }).waitFor();
      await page.getByLabel("Search links").fill("apple");
      await page.waitForURL(/search=apple/);
      const clear = page.getByRole("button", { name: "Clear the search" });
      const { width, height } = await clear.boundingBox();
      assert.ok(!size.hasTouch || (width >= 44 && height >= 44), `${width} by ${height}`);
      await press(clear);
      await page.waitForURL((url) => !url.searchParams.has("search"));
      assert.equal(await page.evaluate(() => document.activeElement.id), "search");
    });
  }

  test("filters are removed together where several are set", async () => {
    await tagged("several");
    const page = await it.open("/ui/?tag=several&search=x&sort=oldest");
    const all = page.getByRole("button", { name: "Remove all filters" });
    await page.getByRole("button", { name: "Remove filter: several" }).waitFor();
    assert.equal(await all.count(), 0, "one filter has a button of its own");
    await page.goto("/ui/?status=active&archived=all&search=x&sort=oldest");
    await all.waitFor();
    await clean(page, "several filters");
    await all.click();
    await page.waitForURL((url) => url.search === "?search=x&sort=oldest");
    await page.getByRole("button", { name: "State: Any state" }).waitFor();
    await all.waitFor({ state: "detached" });
  });

  test("tag, state and sort by keyboard", async () => {
    await tagged("keyed");
    const page = await it.open("/ui/");
    const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
    await page.getByRole("button", { name: "Tag: Any tag" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("option", { name: "keyed" }).waitFor();
    assert.equal(await focused(), "Find a tag");
    await page.keyboard.press("Escape");
    await page.getByRole("option").first().waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await until(async () => (await focused()) === "Tag: Any tag", "the focus to come back");
    await page.keyboard.press("Enter");
    await page.getByRole("combobox", { name: "Find a tag" }).waitFor();
    await page.keyboard.type("KEY");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/ui/?tag=keyed");
    await until(async () => (await focused()) === "Tag: Another tag", "the focus to come back");
    await page.keyboard.press("Tab");
    assert.equal(await focused(), "State: Any state");
    await page.keyboard.press("Tab");
    assert.equal(await focused(), "Activity: Any activity");
    await page.keyboard.press("Tab");
    assert.equal(await focused(), "Archive: Not archived");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("listbox", { name: "Sort" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/sort=oldest/);
    await until(async () => (await focused()) === "Sort: Oldest", "the focus to come back");
  });

  for (const [name, size] of Object.entries(sizes)) {
    test(`a row begins with its title, and marks what visitors run into, ${name}`, async () => {
      const code = `marked-${name}`;
      const title = `${"w".repeat(60)} \u05e9\u05dc\u05d5\u05dd \u{1f389}`;
      await it.server.api("POST", "/api/urls", {
        original_url: "https://shop.example.com/spring",
        short_code: code,
        title,
        tags: ["one", "two", "three"],
        password: "secret-enough",
        expires_at: "2099-05-03T12:00:00Z",
        rules: [{ name: "ios", when: { device: ["ios"] }, url: "https://apps.example/" }],
      });
      const page = await it.open("/ui/?tag=three", size);
      const found = row(page, code);
      await found.waitFor();
      const lines = await found.locator(".row-what > span").allTextContents();
      assert(lines[0].trim().startsWith(title), lines[0]);
      assert.match(lines[1], new RegExp(`${code}.*shop.example.com`, "s"));
      for (const mark of ["Password", "1 rule", /^Ends /]) {
        await found.getByRole("img", { name: mark }).waitFor();
      }
      if (name !== "phone") {
        assert.equal(await found.locator(".row-tags > :first-child").textContent(), "three");
      }
      const year = new Date().getFullYear();
      assert(!(await found.locator(".row-time").textContent()).includes(year));
      const fits = () => document.documentElement.scrollWidth <= innerWidth;
      assert(await page.evaluate(fits), "nothing is wider than the window");
      await clean(page, `rows, ${name}`);
      await shot(page, `rows-${name}`);
    });
  }

  test("a window of 768 pixels has room for titles, and for what is done with links", async () => {
    await it.server.api("POST", "/api/urls", {
      original_url: "https://shop.example.com/spring",
      short_code: "narrow",
      title: "Spring launch",
      tags: ["newsletter", "spring"],
    });
    const page = await it.open("/ui/?search=narrow", { viewport: { width: 768, height: 900 } });
    const found = row(page, "narrow");
    await found.waitFor();
    const isCut = await found
      .locator(".row-title")
      .evaluate((e) => e.scrollWidth > e.clientWidth + 1);
    assert.ok(!isCut, "the title is whole");
    await page.getByLabel("Select narrow").click();
    const bar = page.locator(".selection");
    await bar.waitFor();
    const tops = await bar.locator(".button").evaluateAll((all) => all.map((e) => e.offsetTop));
    assert.equal(new Set(tops).size, 1, `one line: ${tops}`);
  });

  test("a row's actions are in sight, cover nothing and can be reached by keyboard", async () => {
    const page = await it.open("/ui/");
    await row(page, "docs").locator(".row-link").focus();
    const names = [];
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press("Tab");
      const label = await page.evaluate(() => document.activeElement.ariaLabel);
      if (/docs$/.test(label)) names.push(label);
    }
    assert.deepEqual(names, ["Edit docs", "Copy sho.rt/docs", "Actions for docs"]);
    const visible = () =>
      row(page, "launch").evaluate((e) =>
        [...e.querySelectorAll(".row-recent, .row-clicks, .row-time, .row-actions button")].every(
          (part) => getComputedStyle(part).opacity === "1" && part.getClientRects().length > 0,
        ),
      );
    await row(page, "launch").locator(".row-recent").waitFor();
    assert(await visible());
    await row(page, "launch").hover();
    assert(await visible());
    await row(page, "launch").locator(".row-recent").click();
    await page.waitForURL("**/ui/links/launch");
    await page.goBack();
    await page.getByRole("button", { name: "Edit launch" }).click();
    await page.getByRole("dialog", { name: /Edit/ }).waitFor();
    await page.keyboard.press("Escape");
    await choose(page, "launch", "Copy link");
    await page.getByText("Copied sho.rt/launch").first().waitFor();
  });

  test("a search can be cleared", async () => {
    const page = await it.open("/ui/?search=docs");
    await page.getByRole("button", { name: "Clear the search" }).click();
    await row(page, "launch").waitFor();
    assert.equal(await page.getByLabel("Search links").inputValue(), "");
    assert.equal(await page.evaluate(() => document.activeElement.id), "search");
  });

  test("signing out and in is shared by all tabs", async () => {
    const page = await it.open("/ui/");
    await row(page, "launch").waitFor();
    const other = await page.context().newPage();
    await other.goto("/ui/links/docs");
    await other.locator(".total.clicks").waitFor();
    await other.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Access token").waitFor();
    assert.equal(await page.locator(".row").count(), 0, "nothing of it stays on the screen");
    await page.getByLabel("Access token").fill(token);
    await page.keyboard.press("Enter");
    await row(page, "launch").waitFor();
    await other.locator(".rows .row").first().waitFor();
    assert.equal(await other.getByLabel("Access token").count(), 0);
  });

  test("a delete that waits does not outlast the session", async () => {
    const code = await add("kept");
    const page = await it.open(null);
    await page.clock.install();
    await page.goto("/ui/");
    await row(page, code).waitFor();
    const other = await page.context().newPage();
    await other.goto("/ui/links/docs");
    await other.locator(".total.clicks").waitFor();
    await page.bringToFront();
    // From here on only the test moves it, in both tabs.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
    await row(page, code).locator(".row-link").focus();
    await page.keyboard.press("Delete");
    await page.getByRole("button", { name: `Undo deleting ${code}` }).waitFor();
    await other.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Access token").waitFor();
    assert(
      !(await page.locator("body").textContent()).includes(code),
      "nothing of it stays on the screen",
    );
    await page.clock.fastForward(20_000);
    await page.getByLabel("Access token").fill(token);
    await page.keyboard.press("Enter");
    await page.getByText(`Couldn't delete ${code}: You signed out in another tab.`).waitFor();
    await row(page, code).waitFor();
    await page.clock.fastForward(20_000);
    await sent(page);
    assert(await exists(code));
  });

  test("signing out waits for deletes, and for what is to be known of them", async () => {
    const code = await add("last-words");
    const page = await it.open("/ui/", { expect: [/status of 500/] });
    await row(page, code).waitFor();
    const asked = [];
    let arrived,
      release,
      works = false;
    const underWay = new Promise((resolve) => {
      arrived = resolve;
    });
    const held = new Promise((resolve) => {
      release = resolve;
    });
    await page.route(/\/api\/bulk|\/ui\/session/, async (route) => {
      if (route.request().method() === "GET") return route.continue();
      asked.push(new URL(route.request().url()).pathname);
      if (works) return route.continue();
      arrived();
      await held;
      await route.fulfill({ status: 500, json: { error: "internal server error" } });
    });
    const signOut = () => page.getByRole("button", { name: "Sign out" }).click();
    await row(page, code).locator(".row-link").focus();
    await page.keyboard.press("Delete");
    await signOut();
    await underWay;
    await signOut(); // in vain while the first one waits
    await sent(page);
    release();
    await page.getByText(`Couldn't delete ${code}: Internal server error.`).waitFor();
    await row(page, code).waitFor();
    await sent(page);
    assert.deepEqual(asked, ["/api/bulk"], "who reads that is still signed in");

    works = true;
    await row(page, code).locator(".row-link").focus();
    await page.keyboard.press("Delete");
    await signOut();
    await page.getByLabel("Access token").waitFor();
    assert.deepEqual(asked.slice(1), ["/api/bulk", "/ui/session"]);
    assert(!(await exists(code)));
  });

  test("without a session the server is not asked in vain", async () => {
    const page = await it.open("/ui/");
    await page.locator(".rows .row-recent").first().waitFor(); // the last that the list asks for
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Access token").waitFor();
    for (const path of ["/ui/", "/ui/overview"]) {
      // an error on the console would fail the test
      await page.goto(path);
      await page.getByLabel("Access token").waitFor();
    }
    await page.getByLabel("Access token").fill(token);
    await page.keyboard.press("Enter");
    await page.locator(".chart svg").waitFor();
  });

  test("the way back from a link leads to where it was left", async () => {
    const page = await it.open("/ui/?search=example&sort=clicks");
    await row(page, "docs").locator(".row-link").click();
    await page.waitForURL("**/ui/links/docs");
    await until(
      () => page.evaluate(() => document.activeElement.tagName === "H1"),
      "the focus on the heading",
    );
    await until(
      async () => (await page.locator("#said").textContent()) === "docs",
      "the announcement",
    );
    await page.locator(".chart svg").waitFor();
    await page.locator(".back").click();
    await page.waitForURL("**/ui/?search=example&sort=clicks");
    assert.equal(await page.getByLabel("Search links").inputValue(), "example");
    await until(async () => (await focusedCode(page)) === "docs", "the focus on the row");

    await page.goto("/ui/");
    await row(page, "launch").waitFor();
    await page.evaluate(() => scrollTo(0, 2000));
    const code = await inSight(page);
    const y = await page.evaluate(() => scrollY);
    await row(page, code)
      .locator(".row-link")
      .evaluate((link) => link.click()); // Playwright would scroll
    await page.waitForURL(`**/ui/links/${code}`);
    await page.locator(".link-title h1").waitFor();
    await page.goBack();
    await until(async () => (await focusedCode(page)) === code, "the focus on the row");
    assert.equal(await page.evaluate(() => scrollY), y);
    await page.keyboard.press("j");
    assert.notEqual(await focusedCode(page), code);
  });

  test("every delete can be undone, however many there are", async () => {
    const made = [];
    for (let i = 0; i < 7; i++) made.push(await add(`many-${i}`));
    const page = await it.open(null);
    await page.clock.install();
    await page.goto("/ui/");
    await row(page, made.at(-1)).waitFor();
    // From here on only the test moves it.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
    const deleteAll = async () => {
      await page.evaluate(() => document.activeElement.blur());
      for (const code of made)
        await row(page, code)
          .locator(".row-link")
          .focus()
          .then(() => page.keyboard.press("Delete"));
      await page.getByText("7 links deleted").waitFor();
    };
    await deleteAll();
    await shot(page, "deleted-many");
    await page.clock.fastForward(9_000);
    await page.getByRole("button", { name: "Undo all" }).click();
    await row(page, made[0]).waitFor();
    assert.deepEqual(await page.locator(".toast").allTextContents(), ["Restored"]);
    await page.clock.fastForward(20_000);
    assert.equal(await page.locator(".toast").count(), 0);
    for (const code of made) assert(await exists(code));

    await deleteAll();
    await page.keyboard.press("z");
    await page.getByText("6 links deleted").waitFor();
    await page.clock.fastForward(9_000);
    for (const code of made) assert(await exists(code), "not before ten seconds");
    await page.clock.fastForward(1_100);
    for (const code of made.slice(0, 6))
      await until(async () => !(await exists(code)), `the delete of ${code}`);
    assert(await exists(made[6]), "which was undone");
  });

  test("leaving the page sends all deletes", async () => {
    const made = [];
    for (let i = 0; i < 30; i++) made.push(await add(`leaving-${i}`));
    const page = await it.open("/ui/");
    await row(page, made.at(-1)).waitFor();
    for (let i = 30; i > 0; i--) {
      await page.locator(".rows .row-link").first().focus();
      await page.keyboard.press("Delete");
    }
    await page.getByText("30 links deleted").waitFor();
    await page.goto("about:blank");
    for (const code of made)
      await until(async () => !(await exists(code)), `the delete of ${code}`);
  });

  test("says how many match", async () => {
    const page = await it.open("/ui/");
    await row(page, "launch").waitFor();
    const { urls } = (await it.server.api("GET", "/api/urls?limit=100")).body;
    for (const [total, more, text] of [
      [117, {}, "117 matches"],
      [100, { total_at_least: true }, "100+ matches"],
      [1, {}, "1 match"],
    ]) {
      await page.route(new RegExp(`search=total-${total}`), (route) =>
        route.fulfill({
          json: {
            urls: urls.slice(0, total),
            total,
            limit: 100,
            offset: 0,
            ...(total > 1 && { next_cursor: "c" }),
            ...more,
          },
        }),
      );
      await page.getByLabel("Search links").fill(`total-${total}`);
      await page.locator(".amount").getByText(text, { exact: true }).waitFor();
    }
  });

  test("the bar says of how many links some are selected, also if none were counted", async () => {
    const page = await it.open("/ui/");
    await row(page, "launch").waitFor();
    const { urls } = (await it.server.api("GET", "/api/urls?limit=100")).body;
    const others = urls
      .map((link) => ({ ...link, short_code: `${link.short_code}-2` }))
      .slice(0, 20);
    await page.route(/search=uncounted/, (route) => {
      const isFirst = !route.request().url().includes("cursor=");
      const total = { total: 100, total_at_least: true, limit: 100, offset: 0 };
      return route.fulfill({
        json: isFirst ? { urls, ...total, next_cursor: "c" } : { urls: others, ...total },
      });
    });
    await page.getByLabel("Search links").fill("uncounted");
    await page.locator(".amount").getByText("100+ matches", { exact: true }).waitFor();
    await page.getByLabel("Select all links that are shown").check();
    await page.locator(".selection").getByText("100 selected of more than 100").waitFor();
    await page.getByRole("button", { name: "Select all, at most 10,000" }).click();
    await page.locator(".selection").getByText("120 selected", { exact: true }).waitFor();
    assert.equal(await page.getByRole("button", { name: /^Select all,/ }).count(), 0);
    await page.getByLabel(`Select ${urls[0].short_code}`, { exact: true }).uncheck();
    await page.getByRole("button", { name: "Select all 120" }).waitFor();
  });

  test("a search is asked for as it was typed, and cut only for the server", async () => {
    const page = await it.open("/ui/");
    await row(page, "launch").waitFor();
    for (const text of ["https://sho.rt/launch/", "two words", "sho.rt/launch+?utm=1"]) {
      const asked = page.waitForRequest(
        (request) => new URL(request.url()).searchParams.get("search") === text,
      );
      await page.getByLabel("Search links").fill(text);
      await asked;
    }
    const long = `https://example.com/${"x".repeat(300)}`;
    const asked = page.waitForRequest(/search=https/);
    await page.getByLabel("Search links").fill(long);
    assert.equal(new URL((await asked).url()).searchParams.get("search"), long.slice(0, 200));
    assert.equal(await page.getByLabel("Search links").inputValue(), long);
    await page.getByText(`No matches for "${long.slice(0, 200)}"`).waitFor();
  });
});
