import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  clean,
  closeFilters,
  codes,
  menuItem,
  openFilters,
  phone,
  schemes,
  shot,
  suite,
  tablet,
  until,
} from "./harness.mjs";

describe("the list on a phone", () => {
  const it = suite();
  const ready = (page) => page.locator(".rows .row").first().waitFor();
  const button = (page, name) => page.getByRole("button", { name, exact: true });
  const sheet = (page) => page.getByRole("dialog", { name: "Filters" });
  const gone = (page) => sheet(page).waitFor({ state: "detached" });
  const hasFocus = (locator, what) =>
    until(() => locator.evaluate((e) => e === document.activeElement), `the focus on ${what}`);
  const statusOf = (page) => new URL(page.url()).searchParams.get("status");

  test("begins above the middle of its upper half", async () => {
    const page = await it.open("/ui/", phone);
    await ready(page);
    const { y } = await page.locator(".rows .row").first().boundingBox();
    assert.ok(y < 260, `the first row is at ${y}`);
    await shot(page, "phone-list");
  });

  test("shows whole codes", async () => {
    for (const size of [phone, tablet]) {
      const page = await it.open("/ui/", size);
      await ready(page);
      const cut = await page
        .locator(".row-link")
        .evaluateAll((links) =>
          links.filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.textContent),
        );
      assert.deepEqual(cut, [], `at ${size.viewport.width} pixels`);
    }
  });

  for (const colorScheme of schemes) {
    test(`has its filters in a sheet, ${colorScheme}`, async () => {
      await it.server.api("POST", "/api/urls", {
        original_url: "https://pear.example/",
        tags: ["pear"],
      });
      const page = await it.open("/ui/", { ...phone, colorScheme });
      await ready(page);
      const { total } = (await it.server.api("GET", "/api/urls?limit=1")).body;
      assert.equal(await page.locator(".toolbar .pick").count(), 2, "filters and order");
      await button(page, "Filters").tap();
      await sheet(page).getByText("Any tag").waitFor();
      await button(sheet(page), `Show ${total} links`).waitFor();
      await clean(page, "the filters");
      await shot(page, `filters-${colorScheme}`);
      await button(sheet(page), "Tag: Any tag").tap();
      await page.getByRole("option", { name: "pear" }).tap();
      await button(sheet(page), "Remove filter: pear").waitFor();
      await button(sheet(page), "State: Any state").tap();
      await menuItem(page, "Active").tap();
      await sheet(page).getByLabel("People only").uncheck();
      const made = (await it.server.api("GET", "/api/urls?limit=1&tag=pear")).body.total;
      await until(
        async () => await button(sheet(page), `Show ${made} link${made > 1 ? "s" : ""}`).count(),
        "how many are left",
      );
      await clean(page, "filters that are set");
      await closeFilters(page, phone);
      await button(page, "Filters 3 set").waitFor();
      assert.equal(new URL(page.url()).search, "?tag=pear&status=active&bots=1");
      for (const text of ["pear", "Active", "With bots"])
        await page.getByRole("button", { name: `Remove filter: ${text}` }).waitFor();
      await clean(page, "a narrowed list");
      await shot(page, `filtered-phone-${colorScheme}`);
      await page.goBack(); // all of that was one step
      await page.waitForURL("**/ui/");
      await button(page, "Filters").waitFor();
      await page.goForward();
      await button(page, "Filters 3 set").tap();
      await button(sheet(page), "Clear all").tap();
      await button(sheet(page), "Tag: Any tag").waitFor();
      await closeFilters(page, phone);
      assert.equal(new URL(page.url()).search, "");
    });
  }

  test("going back closes the sheet, and keeps what was chosen", async () => {
    const page = await it.open("/ui/?search=docs", phone);
    await until(async () => (await codes(page)).join() === "docs", "the match");
    await openFilters(page, phone);
    await sheet(page).waitFor();
    await page.goBack();
    await gone(page);
    assert.equal(new URL(page.url()).search, "?search=docs");
    await hasFocus(button(page, "Filters"), "the button");

    await openFilters(page, phone);
    await button(sheet(page), "State: Any state").tap();
    await menuItem(page, "Disabled").tap();
    await button(sheet(page), "State: Disabled").waitFor();
    await page.goBack();
    await gone(page);
    assert.equal(statusOf(page), "disabled");
    await button(page, "Filters 1 set").waitFor();
    await page.goBack();
    await until(async () => (await codes(page)).join() === "docs", "the list before");
    assert.equal(statusOf(page), null);
  });

  test("works by keyboard, and Escape closes only the sheet above", async () => {
    const page = await it.open("/ui/", { viewport: { width: 390, height: 844 } });
    await ready(page);
    await button(page, "Filters").focus();
    await page.keyboard.press("Enter");
    await sheet(page).waitFor();
    await button(sheet(page), "State: Any state").focus();
    await page.keyboard.press("Enter");
    await menuItem(page, "Scheduled").waitFor();
    await page.keyboard.press("Escape");
    await menuItem(page, "Scheduled").waitFor({ state: "detached" });
    await hasFocus(button(sheet(page), "State: Any state"), "what opened it");
    await page.keyboard.press("Escape");
    await gone(page);
    await hasFocus(button(page, "Filters"), "what opened it");
    assert.equal(await page.evaluate(() => history.state), null, "the step is gone, too");
  });

  test("says how many are set where the system gives the colours", async () => {
    const page = await it.open("/ui/?status=active", { ...phone, forcedColors: "active" });
    await ready(page);
    const [inside, around] = await page.evaluate(() => {
      const badge = document.querySelector(".filters-button b");
      return [badge, badge.parentElement].map((e) => getComputedStyle(e).color);
    });
    assert.equal(inside, around, "the number is text like its button's");
    await clean(page, "the list");
    await button(page, "Filters 1 set").tap();
    await sheet(page).waitFor();
    await clean(page, "the filters");
    await shot(page, "filters-forced-colours");
  });
});
