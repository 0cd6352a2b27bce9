import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { clean, phone, suite, tablet, until } from "./harness.mjs";

describe("menus", () => {
  const it = suite();
  const opener = (page) => page.getByRole("button", { name: "Export", exact: true });
  const menu = (page) => page.getByRole("menu", { name: "Export" });
  const open = async (options) => {
    const page = await it.open("/ui/links/launch?range=all", options);
    await page.locator('.stats[data-stale="false"] .chart').waitFor();
    return page;
  };
  const focused = (page) => page.evaluate(() => document.activeElement.textContent.trim());
  const gone = (page) => until(async () => (await menu(page).count()) === 0, "the menu to close");
  const expanded = (page) => opener(page).getAttribute("aria-expanded");
  const inside = async (page) => {
    const it = await menu(page).boundingBox(),
      view = await page.evaluate(() => [document.documentElement.clientWidth, innerHeight]);
    assert.ok(it.x >= 8 && it.x + it.width <= view[0] - 8, `across: ${JSON.stringify([it, view])}`);
    assert.ok(it.y >= 8 && it.y + it.height <= view[1] - 8, `down: ${JSON.stringify([it, view])}`);
    return it;
  };

  test("by keyboard", async () => {
    const page = await open();
    await opener(page).focus();
    await page.keyboard.press("Enter");
    await menu(page).waitFor();
    assert.equal(await expanded(page), "true");
    assert.match(await focused(page), /^The chart/);
    await page.keyboard.press("ArrowDown");
    assert.match(await focused(page), /^Everything/);
    await page.keyboard.press("ArrowDown");
    assert.match(await focused(page), /^The chart/, "from the last to the first");
    await page.keyboard.press("ArrowUp");
    assert.match(await focused(page), /^Everything/);
    await page.keyboard.press("Home");
    assert.match(await focused(page), /^The chart/);
    await page.keyboard.press("End");
    assert.match(await focused(page), /^Everything/);
    await page.keyboard.press("t");
    assert.match(await focused(page), /^The chart/, "by its first letter");
    const address = page.url();
    await page.keyboard.press("w");
    assert.equal(page.url(), address, "the page's own keys rest");
    await clean(page, "a menu");
    await page.keyboard.press("Escape");
    await gone(page);
    assert.equal(await focused(page), "Export");
    assert.equal(await expanded(page), "false");

    await page.keyboard.press("Enter");
    await menu(page).waitFor();
    await page.keyboard.press("Tab");
    await gone(page);
    assert.notEqual(await focused(page), "Export", "Tab goes on");

    await opener(page).focus();
    await page.keyboard.press("Enter");
    await menu(page).waitFor();
    const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
    assert.match(file.suggestedFilename(), /^terse-launch-clicks-/);
    await gone(page);
    assert.equal(await focused(page), "Export");
  });

  test("by mouse", async () => {
    const page = await open();
    await opener(page).click();
    await menu(page).waitFor();
    const button = await opener(page).boundingBox(),
      box = await inside(page);
    assert.ok(Math.abs(box.y - button.y - button.height - 4) < 1, "right below its button");
    await opener(page).click();
    await gone(page);
    await opener(page).click();
    await menu(page).waitFor();
    await page.mouse.click(5, 400);
    await gone(page);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      opener(page)
        .click()
        .then(() => page.getByRole("menuitem", { name: "The chart" }).click()),
    ]);
    assert.match(file.suggestedFilename(), /\.csv$/);
  });

  test("stays beside its button, and in the window", async () => {
    const page = await open();
    await opener(page).click();
    await menu(page).waitFor();
    const apart = async () => {
      const [button, box] = [await opener(page).boundingBox(), await menu(page).boundingBox()];
      return Math.abs(box.y - button.y - button.height - 4);
    };
    await page.evaluate(() => scrollBy(0, 60));
    await until(async () => (await apart()) < 1, "the menu to follow");
    await page.setViewportSize({ width: 800, height: 300 });
    await until(() => inside(page).then(Boolean, () => false), "the menu to be in the window");
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await gone(page);
  });

  test("by finger on a tablet", async () => {
    const page = await open(tablet);
    await opener(page).tap();
    const item = page.getByRole("menuitem", { name: "The chart" });
    const { height } = await item.boundingBox();
    assert.ok(height >= 44, `a finger hits ${height}`);
    await inside(page);
    const [file] = await Promise.all([page.waitForEvent("download"), item.tap()]);
    assert.match(file.suggestedFilename(), /\.csv$/);
  });

  test("is a sheet on a phone", async () => {
    const page = await open(phone);
    await opener(page).tap();
    const sheet = page.getByRole("dialog", { name: "Export" });
    await sheet.waitFor();
    await until(async () => {
      const { y, height } = await sheet.boundingBox();
      return Math.abs(y + height - 844) <= 1;
    }, "the sheet to rise to the bottom");
    const { x, width } = await sheet.boundingBox();
    assert.deepEqual([x, width], [0, 390]);
    await clean(page, "a sheet");
    await sheet.getByRole("button", { name: "Cancel" }).tap();
    await until(async () => (await sheet.count()) === 0, "the sheet to close");
    await opener(page).tap();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      sheet.getByRole("button", { name: "The chart" }).tap(),
    ]);
    assert.match(file.suggestedFilename(), /\.csv$/);
  });
});
