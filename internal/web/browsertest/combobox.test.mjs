import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { act, clean, shot, sizes, suite, until } from "./harness.mjs";

describe("a field with options", () => {
  const it = suite({ data: false });
  const press = (locator, size) => (size.hasTouch ? locator.tap() : locator.click());
  const button = (page, name) => page.getByRole("button", { name, exact: true });
  const add = async (code, fields) => {
    const body = { original_url: "https://example.com/", short_code: code, ...fields };
    const answer = await it.server.api("POST", "/api/urls", body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
  };
  const link = async (code) => (await it.server.api("GET", `/api/urls/${code}`)).body;
  const tagged = async (name) => {
    for (const { tag } of (await it.server.api("GET", "/api/tags")).body.tags)
      await it.server.api("DELETE", `/api/tags/${encodeURIComponent(tag)}`);
    await add(`one-${name}`, { tags: ["newsletter", "shop"] });
    await add(`two-${name}`, { tags: ["newsletter"] });
    await add(name);
  };
  const edit = async (code, size = {}) => {
    const page = await it.open(`/ui/links/${code}`, size);
    await press(button(page, "Edit"), size);
    const dialog = page.getByRole("dialog", { name: /^Edit/ });
    await dialog.locator("#f-tags").waitFor();
    return dialog;
  };
  const options = (dialog) => dialog.locator(".option").allTextContents();
  const shown = (dialog, ...wanted) =>
    until(
      async () =>
        (await options(dialog)).map((text) => text.trim().replace(/\s+/g, " ")).join() ===
        wanted.join(),
      `the options ${wanted}`,
    );
  const closed = (dialog) => dialog.locator(".option").first().waitFor({ state: "detached" });

  for (const [name, size] of Object.entries(sizes)) {
    test(`tags are chosen and made, ${name}`, async () => {
      await tagged(name);
      const dialog = await edit(name, size),
        tags = dialog.locator("#f-tags");
      await press(tags, size);
      await shown(dialog, "newsletter 2", "shop 1");
      await tags.fill("NEWS");
      await shown(dialog, "newsletter 2", 'Create "NEWS"');
      await clean(dialog.page(), "a list of options");
      await shot(dialog.page(), `combobox-${name}`);
      const [field, list] = [
        await dialog.locator(".chips-field").boundingBox(),
        await dialog.locator(".options").first().boundingBox(),
      ];
      assert(list.x >= 0 && list.x + list.width <= dialog.page().viewportSize().width);
      assert(list.y >= field.y + field.height || list.y + list.height <= field.y, "beside it");
      if (size.hasTouch) {
        const { height } = await dialog.locator(".option").first().boundingBox();
        assert(height >= 44);
      }
      await press(dialog.locator(".option").first(), size);
      await closed(dialog);
      await button(dialog, "Remove newsletter").waitFor();
      assert.equal(await tags.inputValue(), "");
      assert(await tags.evaluate((e) => e === document.activeElement), "the focus stays");
      await tags.fill("fresh");
      await press(dialog.getByRole("option", { name: 'Create "fresh"' }), size);
      await press(button(dialog, "Save"), size);
      await dialog.waitFor({ state: "detached" });
      assert.deepEqual((await link(name)).tags, ["fresh", "newsletter"]);
    });
  }

  test("by keyboard: Enter takes what is highlighted, or else what was typed", async () => {
    await tagged("keys");
    const dialog = await edit("keys"),
      tags = dialog.locator("#f-tags"),
      page = dialog.page();
    const active = () =>
      tags.evaluate((e) => {
        const option = document.getElementById(e.getAttribute("aria-activedescendant"));
        return option?.getAttribute("aria-selected") === "true"
          ? option.querySelector("span").textContent
          : "";
      });
    await tags.focus();
    assert.equal(await tags.getAttribute("aria-expanded"), "false");
    await page.keyboard.press("ArrowDown");
    await until(async () => (await tags.getAttribute("aria-expanded")) === "true", "the list");
    assert.equal(await active(), "");
    for (const [key, wanted] of [
      ["ArrowDown", "newsletter"],
      ["ArrowDown", "shop"],
      ["Home", "newsletter"],
      ["End", "shop"],
      ["ArrowDown", "newsletter"],
      ["ArrowUp", "shop"],
    ]) {
      await page.keyboard.press(key);
      await until(async () => (await active()) === wanted, `${wanted} after ${key}`);
    }
    await page.keyboard.press("Escape");
    await closed(dialog);
    assert(await dialog.isVisible(), "Escape closes the list first");

    await page.keyboard.type("news");
    await page.keyboard.press("Enter");
    await button(dialog, "Remove news").waitFor();
    await page.keyboard.type("news");
    await page.keyboard.press("ArrowDown");
    await until(async () => (await active()) === "newsletter", "the highlighted option");
    await page.keyboard.press("Enter");
    await button(dialog, "Remove newsletter").waitFor();
    await page.keyboard.type("news"); // both are there already
    await closed(dialog);
    await tags.fill("");
    await shown(dialog, "shop 1");
    await page.keyboard.press("Escape");
    await closed(dialog);
    await page.keyboard.press("Escape");
    await dialog.getByText("Discard your changes?").waitFor();
    await button(dialog, "Keep editing").click();
    await button(dialog, "Save").click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual((await link("keys")).tags, ["news", "newsletter"]);
  });

  test("countries have options too, but none is made", async () => {
    await add("places");
    const dialog = await edit("places");
    await button(dialog, "Rules").click();
    await button(dialog, "Add a rule").click();
    await dialog.getByLabel("Leads to").fill("https://places.example/");
    await act(dialog, "Add a condition", "Country");
    const countries = dialog.locator(".condition input");
    await countries.fill("ustr");
    await shown(dialog, "Australia", "Austria");
    await countries.press("ArrowUp");
    await countries.press("Enter");
    await button(dialog, "Remove Austria").waitFor();
    await countries.fill("nowhere");
    await closed(dialog);
  });

  test("Enter takes the only option, unless what was typed is a value", async () => {
    await add("only");
    const dialog = await edit("only");
    await button(dialog, "Rules").click();
    await button(dialog, "Add a rule").click();
    await dialog.getByLabel("Leads to").fill("https://only.example/");
    const enter = async (field, text, wanted) => {
      await field.fill(text);
      await field.press("Enter");
      await button(dialog, `Remove ${wanted}`).waitFor();
    };
    await act(dialog, "Add a condition", "Country");
    const countries = dialog.locator(".condition input").first();
    await enter(countries, "Germ", "Germany");
    await enter(countries, "uz", "Uzbekistan");
    await enter(countries, "us", "United States"); // its code; also in Russia
    await countries.fill("ustr");
    await countries.press("Enter");
    await dialog.getByText("Enter a country or its code, such as DE.").waitFor();
    await countries.fill("");
    await act(dialog, "Add a condition", "Language");
    const languages = dialog.locator(".condition input").first();
    await enter(languages, "germ", "German");
    await languages.fill("ga"); // Irish, and in Hungarian
    await languages.press("Enter");
    await button(dialog, "Remove Irish").waitFor();
  });
});
