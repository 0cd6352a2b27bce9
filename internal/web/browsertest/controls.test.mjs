import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { clean, menuItem, phone, schemes, shot, sizes, suite, until } from "./harness.mjs";

const press = (locator, size = {}) => (size.hasTouch ? locator.tap() : locator.click());
const button = (page, name) => page.getByRole("button", { name, exact: true });

// Controls are of one kind: none is the browser's own beside one of ours.
describe("controls", () => {
  const it = suite();
  const ends = (scope) => scope.getByRole("button", { name: /^Ends: / });
  const list = (page, name) => page.getByRole("listbox", { name });
  const focused = (page) => page.evaluate(() => document.activeElement.textContent.trim());
  const isFocused = (locator) => locator.evaluate((e) => e === document.activeElement);

  // form opens the card with all of its parts.
  const form = async (options) => {
    const page = await it.open("/ui/", options);
    await page.getByLabel("Long URL").fill("https://controls.example/");
    const card = page.locator(".create");
    await card.getByLabel("Title").waitFor();
    for (const part of ["Ends", "Rules", "More"]) await press(button(card, part), options);
    return { page, card };
  };
  const natives = (page) =>
    page
      .locator("select, datalist, input:is([type^=date], [type=time], [type=month], [type=week])")
      .count();

  for (const colorScheme of schemes) {
    test(`there is no native one, and axe finds nothing, ${colorScheme}`, async () => {
      const { page, card } = await form({ colorScheme });
      await ends(card).click();
      await menuItem(page, "at a time or after clicks").click();
      await button(card, "Add a rule").click();
      await button(card, "Add a condition").click();
      await clean(page, "a menu of conditions");
      await menuItem(page, "From").click();
      await until(() => isFocused(card.getByRole("textbox", { name: "From" })), "its field");
      assert.equal(await natives(page), 0);
      await ends(card).click();
      await list(page, "Ends").waitFor();
      await clean(page, "a list");
      await page.keyboard.press("Escape");
      await card.locator(".date-field .icon-button").first().click();
      await page.getByRole("dialog", { name: "Choose a day" }).waitFor();
      await clean(page, "a calendar");
      await shot(page, `date-field-${colorScheme}`);
      for (const path of ["/ui/unknown", "/ui/settings", "/ui/links/docs", "/ui/overview"]) {
        await page.goto(path);
        await page.locator("main h1").waitFor();
        assert.equal(await natives(page), 0, path);
      }
    });
  }

  test("a list is gone through by keyboard", async () => {
    const { page, card } = await form();
    await ends(card).focus();
    await page.keyboard.press("ArrowDown");
    await list(page, "Ends").waitFor();
    assert.equal(await ends(card).getAttribute("aria-expanded"), "true");
    assert.equal(await focused(page), "never", "what is chosen");
    assert.equal(
      await list(page, "Ends")
        .locator('[aria-selected="true"]')
        .textContent()
        .then((s) => s.trim()),
      "never",
    );
    for (const [key, text] of [
      ["ArrowDown", "at a time"],
      ["End", "at a time or after clicks"],
      ["ArrowDown", "never"],
      ["ArrowUp", "at a time or after clicks"],
      ["Home", "never"],
      ["a", "at a time"],
    ]) {
      await page.keyboard.press(key);
      assert.equal(await focused(page), text, key);
    }
    await page.keyboard.press("Enter");
    await until(() => isFocused(ends(card)), "the focus on the button again");
    assert.equal(await ends(card).getAttribute("aria-label"), "Ends: at a time");
    await page.keyboard.press("Enter");
    await list(page, "Ends").waitFor();
    await page.keyboard.press("Escape");
    await list(page, "Ends").waitFor({ state: "detached" });
    assert.equal(await ends(card).getAttribute("aria-label"), "Ends: at a time");
    // a label leads to it
    await card.locator("label", { hasText: "Redirect type" }).click();
    await list(page, "Redirect type").waitFor();
  });

  test("a word is typed in a long list", async () => {
    const { page, card } = await form();
    await button(card, "Add a rule").click();
    const country = card.getByRole("button", { name: /^Country of the visitor: / });
    await country.focus();
    await page.keyboard.press("ArrowDown");
    await list(page, "Country of the visitor").waitFor();
    for (const letter of "new z") await page.keyboard.press(letter === " " ? "Space" : letter);
    assert.equal(await focused(page), "New Zealand");
    await page.keyboard.press("Enter");
    await until(
      async () => (await country.getAttribute("aria-label")).endsWith("New Zealand"),
      "the country",
    );
  });

  for (const [name, size] of Object.entries(sizes)) {
    test(`a day is chosen in a calendar, and a time typed, ${name}`, async () => {
      const { page, card } = await form(size);
      await press(ends(card), size);
      await press(menuItem(page, "at a time"), size);
      const field = card.getByLabel("Ends on");
      await field.fill("3 May 2030, 18:00");
      const opener = field.locator("xpath=following-sibling::button");
      const box = await opener.boundingBox();
      assert.ok(box.width >= 36 && box.height >= 36, `${box.width} by ${box.height}`);
      await press(opener, size);
      const calendar = page.getByRole("dialog", { name: "Choose a day" });
      await calendar.getByRole("heading", { name: "May 2030" }).waitFor();
      await clean(page, `the calendar of a day, ${name}`);
      assert.equal(
        await calendar.locator('[aria-selected="true"] button').getAttribute("aria-label"),
        "Friday, 3 May 2030",
      );
      await press(calendar.getByRole("button", { name: "Next month" }), size);
      await press(calendar.getByRole("button", { name: "Monday, 10 June 2030" }), size);
      await until(async () => (await calendar.count()) === 0, "it to close");
      await until(() => isFocused(field), "the focus on the field");
      assert.equal(await field.inputValue(), "10 Jun 2030, 18:00");
      // the time is selected
      await page.keyboard.type("9:15");
      assert.equal(await field.inputValue(), "10 Jun 2030, 9:15");
      await field.blur();
      assert.equal(await field.inputValue(), "10 Jun 2030, 09:15");
      await press(card.getByRole("button", { name: "Shorten", exact: true }), size);
      await page.locator(".made").waitFor();
      const { urls } = (await it.server.api("GET", "/api/urls?limit=1")).body;
      assert.equal(urls[0].expires_at, "2030-06-10T07:15:00Z");
    });
  }

  test("the calendar of a day is used by keyboard", async () => {
    const { page, card } = await form();
    const field = card.getByLabel("Starts");
    await field.fill("28/02/2028 7:30");
    await page.keyboard.press("Alt+ArrowDown");
    const calendar = page.getByRole("dialog", { name: "Choose a day" });
    await calendar.waitFor();
    const at = () => page.evaluate(() => document.activeElement.ariaLabel);
    assert.equal(await at(), "Monday, 28 February 2028");
    await page.keyboard.press("ArrowRight");
    assert.equal(await at(), "Tuesday, 29 February 2028");
    await page.keyboard.press("Shift+PageDown");
    assert.equal(await at(), "Wednesday, 28 February 2029");
    await page.keyboard.press("Enter");
    await until(() => isFocused(field), "the focus on the field");
    assert.equal(await field.inputValue(), "28 Feb 2029, 07:30");
    await page.keyboard.press("Alt+ArrowDown");
    await calendar.waitFor();
    await page.keyboard.press("Escape");
    await calendar.waitFor({ state: "detached" });
    assert.equal(await field.inputValue(), "28 Feb 2029, 07:30");
    assert.equal(await card.getByLabel("Title").count(), 1, "the card stays open");
  });

  test("a calendar closes before the dialog around it, on a phone too", async () => {
    for (const size of [{}, phone]) {
      const page = await it.open("/ui/links/docs", size);
      await page.locator(".chart svg, .chart-empty").first().waitFor();
      await page.keyboard.press("e");
      const dialog = page.getByRole("dialog", { name: /^Edit / });
      await press(button(dialog, "More"), size);
      await press(dialog.locator(".date-field .icon-button").first(), size);
      const calendar = page.getByRole("dialog", { name: "Choose a day" });
      await calendar.waitFor();
      await page.keyboard.press("Escape");
      await until(async () => (await calendar.count()) === 0, "the calendar to close");
      assert.equal(await dialog.count(), 1, "the form stays");
      await press(dialog.getByRole("button", { name: /^Redirect type: / }), size);
      await menuItem(page, "301: permanent").waitFor();
      await page.keyboard.press("Escape");
      await until(async () => (await menuItem(page, "301: permanent").count()) === 0, "the list");
      assert.equal(await dialog.count(), 1, "the form stays");
    }
  });

  test("dates are read as the reader writes them", async () => {
    for (const [locale, typed, shown] of [
      ["en-US", "5/3/2030 6:00 pm", "May 3, 2030, 6:00 PM"],
      ["en-GB", "5/3/2030 18:00", "5 Mar 2030, 18:00"],
      ["de-DE", "5.3.2030 18:00", "5 Mar 2030, 18:00"],
    ]) {
      const { card } = await form({ locale });
      const field = card.getByLabel("Starts");
      await field.fill(typed);
      await field.blur();
      assert.equal((await field.inputValue()).replaceAll("\u202f", " "), shown, locale);
      await field.fill("soon");
      await field.blur();
      assert.equal(await field.inputValue(), "soon", "nothing is dropped");
      await card.getByRole("button", { name: "Shorten", exact: true }).click();
      await card.getByText(/^Enter a day and a time, such as/).waitFor();
      await until(() => isFocused(field), "the focus on it");
    }
  });
});
