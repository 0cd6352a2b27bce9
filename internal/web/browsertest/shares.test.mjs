import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import {
  choose,
  clean,
  cleanInAll,
  copied,
  inFirefox,
  menuItem,
  panel,
  schemes,
  shot,
  sizes,
  suite,
  tablet,
  totalOf,
  until,
} from "./harness.mjs";

const press = (locator, size = {}) => (size.hasTouch ? locator.tap() : locator.click());
const button = (page, name) => page.getByRole("button", { name, exact: true });
const dialog = (page, name = "Share statistics") => page.getByRole("dialog", { name });
const address = (page) => dialog(page).getByLabel("Address of the shared page");
const settled = (page) => page.locator('.stats[data-stale="false"] .chart svg').waitFor();
const isWide = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
const pathOf = (url) => new URL(url).pathname;
const rows = (page) => page.locator(".entries tbody tr");
const row = (page, name) =>
  rows(page).filter({ has: page.locator(`.entry-name bdi:text-is("${name}")`) });

// openShared opens the page of what is shared, by the menu of the header.
async function openShared(page, size) {
  await press(button(page, "More pages"), size);
  await press(menuItem(page, "Shared pages"), size);
  await page.getByRole("heading", { name: "Shared pages" }).waitFor();
}

describe("the statistics of many links", () => {
  const it = suite();
  const stranger = (path, options) => it.open(path, { signedIn: false, ...options });
  const api = (method, path, body) => it.server.api(method, path, body);
  const tagged = "/api/tags/newsletter/share",
    all = "/api/overview/share";

  before(async () => {
    for (const code of ["launch", "docs"]) {
      const { status } = await api("PATCH", `/api/urls/${code}`, { tags: ["newsletter"] });
      assert.equal(status, 200);
    }
    await api("PATCH", "/api/urls/launch", { title: "Spring launch", note: "marker" });
  });

  test("of a tag that somebody else has shared meanwhile stay as they are", async () => {
    await api("DELETE", tagged);
    const page = await it.open("/ui/overview?tag=newsletter");
    await settled(page);
    await button(page, "Share").click();
    await dialog(page).getByText("Not shared.").waitFor();
    const before = { title: "Theirs", expires_at: "2099-05-03T18:00:00Z", password: "theirs" };
    assert.equal((await api("POST", tagged, before)).status, 201);
    const share = (await api("GET", tagged)).body;
    await dialog(page).getByLabel("Title").fill("Mine");
    await dialog(page).getByLabel("Password").fill("mine");
    await button(dialog(page), "Share").click();
    await dialog(page).getByText("It is shared already, as you see here.").waitFor();
    assert.deepEqual((await api("GET", tagged)).body, share);
    assert.equal(await dialog(page).getByLabel("Title").inputValue(), "Theirs");
    await address(page).waitFor();
    await clean(page, "what is shared already");
    await dialog(page).getByLabel("Title").fill("Ours");
    await button(dialog(page), "Save").click();
    await button(dialog(page), "Done").waitFor();
    const { title, expires_at: end } = (await api("GET", tagged)).body;
    assert.deepEqual([title, end], ["Ours", before.expires_at]);
    await api("DELETE", tagged);
  });

  for (const [name, size] of Object.entries(sizes)) {
    test(`of a tag are shared with a title, an end and a password, ${name}`, async () => {
      await api("DELETE", tagged);
      const page = await it.open("/ui/overview?tag=newsletter", size);
      await settled(page);
      await press(button(page, "Share"), size);
      await dialog(page).getByText("Not shared.").waitFor();
      await dialog(page).getByText("all your links tagged newsletter, for").waitFor();
      await cleanInAll(page, "the dialog of a tag that is not shared");
      const title = dialog(page).getByLabel("Title");
      assert.ok(await title.evaluate((it) => it === document.activeElement), "the first field");
      await title.fill("For the customer");
      await dialog(page).getByLabel("Ends").fill("2099-05-03T18:00");
      await dialog(page).getByLabel("Password").fill("open sesame");
      await press(button(dialog(page), "Share"), size);
      await address(page).waitFor();
      assert.ok(await address(page).evaluate((it) => it === document.activeElement), "its address");
      const url = await address(page).inputValue();
      assert.match(url, /^https:\/\/sho\.rt\/ui\/share\/[\w-]{22}$/);
      const { body } = await api("GET", tagged);
      assert.equal(body.url, url);
      assert.equal(body.title, "For the customer");
      assert.equal(
        body.expires_at,
        new Date("2099-05-03T18:00+02:00").toISOString().replace(".000", ""),
      );
      assert.equal(body.password, true);
      await cleanInAll(page, "the dialog of a tag that is shared");
      if (size !== tablet) await shot(page, `share-${name}`);

      // whoever has the address needs the password
      const reader = await stranger(pathOf(url), { ...size, expect: [/status of 403/] });
      await reader.getByRole("heading", { name: "This page requires a password" }).waitFor();
      assert.ok(!(await reader.content()).includes("customer"));
      await cleanInAll(reader, "the form for a password");
      if (size !== tablet) await shot(reader, `shared-password-${name}`);
      await reader.getByLabel("Password").fill("open barley");
      await press(button(reader, "Continue"), size);
      await reader.getByText("Wrong password.").waitFor();
      await cleanInAll(reader, "after a wrong password");
      await reader.getByLabel("Password").fill("open sesame");
      await press(button(reader, "Continue"), size);
      await reader.getByRole("heading", { name: "For the customer" }).waitFor();
      await settled(reader);

      // it is taken away, and what the reader had opened is asked for no more
      await press(button(dialog(page), "Remove"), size);
      await dialog(page).getByText("Will be removed").waitFor();
      await press(button(dialog(page), "Save"), size);
      await button(dialog(page), "Done").waitFor();
      await until(async () => !(await api("GET", tagged)).body.password, "no password");
      const other = await stranger(pathOf(url), size);
      await other.getByRole("heading", { name: "For the customer" }).waitFor();

      // it ends, and opens again
      await api("PATCH", tagged, { expires_at: new Date(Date.now() + 1500).toISOString() });
      await until(async () => (await fetch(it.server.url + pathOf(url))).status === 404, "its end");
      await press(button(dialog(page), "Done"), size);
      await openShared(page, size);
      await press(button(row(page, "For the customer"), "Actions for For the customer"), size);
      await press(menuItem(page, "Edit"), size);
      await dialog(page).getByText("opens the same address again").waitFor();
      await cleanInAll(page, "the dialog of a page that has ended");
      await press(button(dialog(page), "No end"), size);
      await press(button(dialog(page), "Save"), size);
      await button(dialog(page), "Done").waitFor();
      assert.equal((await fetch(it.server.url + pathOf(url))).status, 200);
      await press(button(dialog(page), "Done"), size);
    });
  }

  test("an end that is half typed, or over, is an error at its field", async () => {
    await api("DELETE", all);
    const page = await it.open("/ui/overview", { expect: [/status of 400/] });
    await settled(page);
    await button(page, "Share").click();
    await dialog(page).getByText("all your links, for people").waitFor();
    await dialog(page).getByLabel("Ends").fill("in a week");
    await button(dialog(page), "Share").click();
    await dialog(page)
      .getByText(/^Enter a day and a time, such as/)
      .waitFor();
    await dialog(page).getByLabel("Ends").fill("2001-05-03T18:00");
    await button(dialog(page), "Share").click();
    await dialog(page).getByRole("alert").getByText("in the future").waitFor();
    assert.equal(await dialog(page).getByLabel("Ends").getAttribute("aria-invalid"), "true");
    await button(dialog(page), "No end").click();
    await button(dialog(page), "Share").click();
    await address(page).waitFor();
    assert.deepEqual(Object.keys((await api("GET", all)).body), ["url"]);
  });

  test("are read as their owner reads them, and lead nowhere", async () => {
    await api("DELETE", tagged);
    const { body } = await api("POST", tagged);
    const asked = [];
    const page = await stranger(`${pathOf(body.url)}?range=all&tag=other&owner=somebody`, {
      viewport: { width: 390, height: 844 },
      prepare: (p) => p.on("request", (request) => asked.push(pathOf(request.url()))),
    });
    await settled(page);
    await page.getByRole("heading", { name: "newsletter", exact: true }).waitFor();
    await page.getByText("Clicks of 2 links, shared by their owner.").waitFor();
    assert.ok(await page.locator(".brand").isVisible());
    await cleanInAll(page, "the shared page of a tag");
    const { body: own } = await api("GET", "/api/overview?tag=newsletter&not_visitor=bot");
    assert.equal(await totalOf(page), own.total_clicks);
    const top = panel(page, "Top links");
    await top.scrollIntoViewIfNeeded();
    assert.deepEqual(
      await top.locator(".bar-code").allTextContents(),
      own.top_links.map((link) => link.short_code),
    );
    await top.getByText("Spring launch").waitFor();
    assert.equal(await page.locator("main a").count(), 0, "leads nowhere");
    const text = await page.locator("#app").textContent();
    for (const secret of [...own.top_links.map((link) => link.original_url), "marker"])
      assert.ok(!text.includes(secret), secret);
    const saved = page.waitForEvent("download");
    await button(top, "Export top links as CSV").click();
    const chunks = await (await saved).createReadStream();
    let file = "";
    for await (const chunk of chunks) file += chunk;
    assert.match(file, /^Short link,Title,Clicks\r\n/);
    await page.locator('[aria-labelledby="devices-title"] .bar').first().click();
    await page.waitForURL(/browser=/);
    await until(async () => (await totalOf(page)) < own.total_clicks, "fewer clicks");
    const path = pathOf(body.url);
    assert.deepEqual(
      asked.filter((p) => !p.startsWith("/ui/assets/") && p !== path && p !== `${path}/overview`),
      [],
    );
  });

  test("are shared no longer after a question", async () => {
    const { body } = await api("POST", all);
    const page = await it.open("/ui/overview");
    await settled(page);
    const reader = await stranger(`${pathOf(body.url)}?range=all`, { expect: [/status of 404/] });
    await settled(reader);
    await cleanInAll(reader, "the shared page of all links");
    await button(page, "Share").click();
    await button(dialog(page), "Stop sharing").click();
    const question = dialog(page, "Stop sharing");
    await question.getByText("The address of Overview stops working at once.").waitFor();
    await cleanInAll(page, "the question before sharing stops");
    assert.equal(await page.evaluate(() => document.activeElement.textContent.trim()), "Keep it");
    await button(question, "Keep it").click();
    assert.equal(await address(page).inputValue(), body.url);
    await button(dialog(page), "Stop sharing").click();
    await button(question, "Stop sharing").click();
    await page.locator(".toast", { hasText: "No longer shared" }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.textContent.trim()), "Share");
    await button(reader, "7d").click(); // which asks again
    await reader.getByRole("heading", { name: "Nothing is shared here" }).waitFor();
    assert.equal((await api("GET", all)).status, 404);
  });

  for (const [name, size] of Object.entries(sizes)) {
    test(`of a tag are shared from the list that it filters, ${name}`, async () => {
      await api("DELETE", tagged);
      const page = await it.open("/ui/?tag=newsletter", size);
      await press(button(page, "Share its statistics"), size);
      await dialog(page).getByText("tagged newsletter").waitFor();
      await button(dialog(page), "Share").click();
      await address(page).waitFor();
      await until(
        () => address(page).evaluate((it) => it.scrollLeft === 0),
        "the beginning of the address",
      );
      await dialog(page).getByRole("link", { name: "All shared pages" }).click();
      await page.waitForURL(/\/ui\/shares$/);
      await row(page, "newsletter").waitFor();
    });
  }

  test("are of one tag, or of all", async () => {
    const page = await it.open("/ui/overview?tag=newsletter&tag=other");
    await page.locator(".stats").first().waitFor();
    assert.equal(await button(page, "Share").count(), 0);
  });
});

describe("the page of what is shared", () => {
  const it = suite();
  const api = (method, path, body, as) => it.server.api(method, path, body, as);

  test("is empty, and says what can be shared", async () => {
    const page = await it.open("/ui/");
    await page.locator(".rows .row").first().waitFor();
    await openShared(page);
    await page.getByRole("heading", { name: "Nothing is shared" }).waitFor();
    assert.equal(await page.title(), "Shared pages · terse");
    await cleanInAll(page, "nothing is shared");
  });

  test("lists all of it, newest first", async () => {
    await api("PATCH", "/api/urls/docs", { tags: ["shop"] });
    await api("POST", "/api/urls/launch/share");
    await api("POST", "/api/tags/shop/share", { title: "The <b>shop</b>", password: "secret" });
    const { body } = await api("POST", "/api/overview/share", {
      expires_at: new Date(Date.now() + 1000).toISOString(),
    });
    await until(
      async () => (await fetch(it.server.url + pathOf(body.url))).status === 404,
      "its end",
    );
    for (const colorScheme of schemes) {
      for (const [name, size] of Object.entries(sizes)) {
        const page = await it.open("/ui/shares", { ...size, colorScheme });
        await rows(page).first().waitFor();
        assert.deepEqual(
          (await rows(page).locator(".entry-name").allTextContents()).map((text) => text.trim()),
          ["Overview", "The <b>shop</b>", "sho.rt/launch"],
        );
        const seen = async (at) => (await rows(page).nth(at).innerText()).replace(/\s+/g, " ");
        assert.match(await seen(0), /All links.*Ended/);
        assert.match(await seen(1), /Tag shop.*(Password|Yes)/);
        assert.match(await seen(2), /^sho\.rt\/launch Link/);
        assert.doesNotMatch(await seen(2), /Ended|Password|Yes/);
        assert.ok(!(await isWide(page)), "does not scroll sideways");
        await clean(page, `what is shared, ${name}, ${colorScheme}`);
        if (size !== tablet) await shot(page, `shares-${name}-${colorScheme}`);
      }
    }
  });

  for (const [name, size] of Object.entries(sizes)) {
    test(`copies, opens, changes and withdraws, ${name}`, async () => {
      const { body } = await api("POST", "/api/urls/launch/share", { title: null });
      const page = await it.open("/ui/shares", size);
      const one = row(page, "sho.rt/launch");
      await one.waitFor();
      if (!inFirefox) {
        await press(button(one, "Copy the address of sho.rt/launch"), size);
        await until(async () => (await copied(page)) === body.url, "the address on the clipboard");
      }
      assert.equal(
        await one.getByRole("link", { name: "Open sho.rt/launch" }).getAttribute("href"),
        body.url,
      );
      await press(button(one, "Actions for sho.rt/launch"), size);
      await press(menuItem(page, "Edit"), size);
      assert.equal(await address(page).inputValue(), body.url);
      await dialog(page).getByLabel("Title").fill("A title");
      await press(button(dialog(page), "Save"), size);
      await press(button(dialog(page), "Done"), size);
      await row(page, "A title").waitFor();
      await press(button(row(page, "A title"), "Actions for A title"), size);
      await press(menuItem(page, "Stop sharing"), size);
      await press(button(dialog(page, "Stop sharing"), "Stop sharing"), size);
      await row(page, "A title").waitFor({ state: "detached" });
      await until(
        () => page.evaluate(() => document.activeElement.textContent === "Shared pages"),
        "the focus on the heading",
      );
      assert.equal((await api("GET", "/api/urls/launch/share")).status, 404);
    });
  }

  test("is used by keyboard alone", async () => {
    const { body } = await api("POST", "/api/urls/launch/share", { title: "By keyboard" });
    const page = await it.open("/ui/shares");
    await row(page, "By keyboard").waitFor();
    const focused = () =>
      page.evaluate(
        () =>
          document.activeElement.getAttribute("aria-label") ??
          document.activeElement.textContent.trim(),
      );
    const tabTo = async (name) => {
      for (let i = 0; i < 60; i++) {
        await page.keyboard.press("Tab");
        if ((await focused()) === name) return;
      }
      assert.fail(`Tab does not reach ${name}`);
    };
    await tabTo("Copy the address of By keyboard");
    await page.keyboard.press("Tab");
    assert.equal(await focused(), "Open By keyboard");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await address(page).waitFor();
    await until(async () => (await focused()) === "Address of the shared page", "the first field");
    await tabTo("Stop sharing");
    await page.keyboard.press("Enter");
    await until(async () => (await focused()) === "Keep it", "the safe answer");
    await page.keyboard.press("Escape");
    await until(async () => (await focused()) === "Address of the shared page", "back");
    await page.keyboard.press("Escape");
    await until(async () => (await focused()) === "Actions for By keyboard", "where it was");
    assert.equal((await api("GET", "/api/urls/launch/share")).body.url, body.url);
  });

  test("a viewer reads it", async () => {
    const made = await api("POST", "/api/tokens", { name: "v", identity: "vera", role: "viewer" });
    await api("POST", "/api/urls", {
      short_code: "veras",
      original_url: "https://example.com/",
    });
    await api("PATCH", "/api/urls/veras", { owner: "vera" });
    const shared = await api("POST", "/api/urls/veras/share?owner=vera");
    assert.equal(shared.status, 201, JSON.stringify(shared.body));
    const page = await it.open("/ui/overview", { as: made.body.token });
    await page.locator(".stats").first().waitFor();
    assert.equal(await button(page, "Share").count(), 0);
    await page.getByRole("button", { name: "Signed in as vera, viewer" }).click();
    await menuItem(page, "Shared pages").click();
    await row(page, "sho.rt/veras").waitFor();
    assert.match(await row(page, "sho.rt/veras").innerText(), /by authenticated-user/);
    assert.equal(await page.getByRole("button", { name: /^Actions for/ }).count(), 0);
    assert.equal(await page.getByRole("button", { name: /^Copy the address/ }).count(), 1);
    await clean(page, "a viewer's shared pages");

    // an admin finds them, too
    const admin = await it.open("/ui/shares");
    await admin.getByRole("heading", { name: "Shared pages" }).waitFor();
    await admin.getByRole("button", { name: "Whose: My links" }).click();
    assert.equal(await menuItem(admin, "All links").count(), 0, "each has pages of their own");
    await admin.getByLabel("Links of").fill("vera");
    await admin.keyboard.press("Enter");
    await admin.waitForURL(/owner=vera/);
    await row(admin, "sho.rt/veras").waitFor();
    await button(row(admin, "sho.rt/veras"), "Actions for sho.rt/veras").click();
    await menuItem(admin, "Stop sharing").click();
    await button(dialog(admin, "Stop sharing"), "Stop sharing").click();
    await admin.getByRole("heading", { name: "Nothing is shared" }).waitFor();
  });

  test("a link is shared from its row", async () => {
    await api("DELETE", "/api/urls/docs/share");
    const page = await it.open("/ui/");
    await choose(page, "docs", "Share statistics");
    await button(dialog(page), "Share").click();
    await address(page).waitFor();
    await button(dialog(page), "Done").click();
    assert.equal((await api("GET", "/api/urls/docs/share")).status, 200);
  });
});
