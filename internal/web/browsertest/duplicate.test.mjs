import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cleanInAll, menuItem, shot, sizes, suite, tablet, until } from "./harness.mjs";

describe("duplicating a link", () => {
  const it = suite();
  const press = (locator, size = {}) => (size.hasTouch ? locator.tap() : locator.click());
  const button = (page, name) => page.getByRole("button", { name, exact: true });
  const add = async (code, fields = {}) => {
    const answer = await it.server.api("POST", "/api/urls", {
      original_url: `https://example.com/${code}?a=1`,
      short_code: code,
      ...fields,
    });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
  };
  const link = async (code) => (await it.server.api("GET", `/api/urls/${code}`)).body;
  const code = (page) => page.getByLabel("Code", { exact: true });
  const isReady = (page) =>
    until(
      () => code(page).evaluate((e) => e === document.activeElement),
      "the focus on the code of the copy",
    );
  const everything = {
    title: "Spring",
    note: "on the flyer",
    tags: ["news", "shop"],
    max_clicks: 500,
    expires_at: "2099-05-03T16:00:00Z",
    starts_at: "2026-01-02T02:04:00Z",
    expired_url: "https://example.com/over",
    redirect_status: 307,
    forward_query: true,
    forward_path: true,
    disabled: true,
    rules: [
      {
        name: "ios",
        when: { device: ["ios"], query: { ref: "print" } },
        url: "https://a.example/",
      },
      { name: "half", share: 50, url: "https://b.example/" },
    ],
  };

  for (const [name, size] of Object.entries(sizes)) {
    test(`the card has all that a copy can have, ${name}`, async () => {
      const from = `whole-${name}`;
      await add(from, { ...everything, password: "secret-enough", aliases: [`${from}/1`] });
      const page = await it.open("/ui/", size);
      await press(button(page, `Actions for ${from}`), size);
      await press(menuItem(page, "Duplicate"), size);
      await isReady(page);
      assert.equal(await code(page).inputValue(), "");
      await page.getByText(`A copy of sho.rt/${from}. Not copied: its password.`).first().waitFor();
      assert.equal(await page.locator(".known").count(), 0, "that the URL has a link is no news");
      await cleanInAll(page, "a copy");
      if (size !== tablet) await shot(page, `duplicate-${name}`);
      await code(page).fill(`copy-${name}`);
      await code(page).press("Enter");
      await page.locator(".made").getByText(`sho.rt/copy-${name}`).waitFor();
      assert.equal(await page.locator(".known").count(), 0);
      const {
        short_code: _,
        short_url: __,
        created_at: ___,
        id: ____,
        ...copy
      } = await link(`copy-${name}`);
      assert.deepEqual(copy, {
        ...everything,
        original_url: `https://example.com/${from}?a=1`,
        created_by: "authenticated-user",
        click_count: 0,
        clicks_left: 500,
        status: "disabled",
      });
    });
  }

  test("from its page; an end that has come stays behind", async () => {
    await add("over", { expires_at: "2020-01-01T00:00:00Z", title: "Over" });
    const page = await it.open("/ui/links/over");
    await button(page, "More actions").click();
    await menuItem(page, "Duplicate").click();
    await isReady(page);
    assert.equal(new URL(page.url()).pathname, "/ui/");
    await page
      .getByText("A copy of sho.rt/over. Not copied: its end, which has come.")
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".made").waitFor();
    const [made] = (await it.server.api("GET", "/api/urls?limit=1")).body.urls;
    assert.deepEqual([made.title, made.expires_at], ["Over", undefined]);
  });

  test("what was in the card can be had back", async () => {
    await add("plain");
    const page = await it.open("/ui/");
    await page.getByLabel("Long URL").fill("https://example.com/typed");
    await page.getByLabel("Title").fill("Typed");
    await button(page, "Actions for plain").click();
    await menuItem(page, "Duplicate").click();
    await isReady(page);
    await page.getByText("A copy of sho.rt/plain, with an address of its own.").first().waitFor();
    assert.equal(await page.getByLabel("Title").inputValue(), "");
    await button(page, "Undo").click();
    await until(
      async () => (await page.getByLabel("Title").inputValue()) === "Typed",
      "what was typed",
    );
    assert.equal(await page.getByLabel("Long URL").inputValue(), "https://example.com/typed");
  });
});
