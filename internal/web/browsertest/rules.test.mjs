import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { act, clean, shot, sizes, suite, until } from "./harness.mjs";

// A rule decides where strangers are led. One that is not finished is never saved: without its
// condition it would lead everybody there.
describe("the rules of a link", () => {
  const it = suite({ data: false });
  const only = "https://only-germans.example/";
  const german = { name: "de", when: { country: ["DE"] }, url: only };
  const add = async (code, rules) => {
    const answer = await it.server.api("POST", "/api/urls", {
      original_url: `https://example.com/${code}`,
      short_code: code,
      rules,
    });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
  };
  const rulesOf = async (code) => (await it.server.api("GET", `/api/urls/${code}`)).body.rules;
  const press = (locator, size) => (size.hasTouch ? locator.tap() : locator.click());
  const button = (page, name) => page.getByRole("button", { name, exact: true });
  const edit = async (code, size = {}) => {
    const page = await it.open(`/ui/links/${code}`, size);
    await press(button(page, "Edit"), size);
    const dialog = page.getByRole("dialog", { name: /^Edit/ });
    await dialog.getByLabel("Title").waitFor();
    return dialog;
  };
  const closed = (dialog) => dialog.waitFor({ state: "detached" });
  const field = (form, kind) => form.locator(`[data-condition$="-${kind}"]`);
  // refused presses a button that saves. It has to say at the condition why it does not, and to put
  // the focus there.
  const refused = async (form, name, kind, message, size = {}) => {
    await press(button(form, name), size);
    await field(form, kind).getByText(message, { exact: true }).waitFor();
    await until(
      () =>
        field(form, kind).evaluate((e) => e.querySelector(":is(input, .toggle):focus") !== null),
      `the focus on ${kind}`,
    );
  };
  const noCountry = "Choose at least one country, or remove this condition.";

  for (const [name, size] of Object.entries(sizes)) {
    test(`a condition without a value is not saved, ${name}`, async () => {
      const code = `germans-${name}`;
      await add(code);
      const dialog = await edit(code, size);
      await press(button(dialog, "Rules"), size);
      await press(button(dialog, "Add a rule"), size);
      await dialog.getByLabel("Leads to").fill(only);
      await act(dialog, "Add a condition", "Country");
      await dialog.getByText("Visitors in … →").waitFor();
      await refused(dialog, "Save", "country", noCountry, size);
      const countries = field(dialog, "country").locator("input");
      await countries.fill("Germ");
      const unknown = "Enter a country or its code, such as DE.";
      await refused(dialog, "Save", "country", unknown, size);
      await clean(dialog.page(), "a condition without a value");
      await shot(dialog.page(), `rule-problem-${name}`);
      assert.equal(await rulesOf(code), undefined);

      await press(button(dialog, "Done"), size);
      await dialog.locator(".rule > .problem").getByText(unknown).waitFor();
      await refused(dialog, "Save", "country", unknown, size); // which opens the rule again
      assert.equal(await countries.inputValue(), "Germ", "what was typed stays");
      await countries.fill("Germany");
      await press(button(dialog, "Save"), size); // leaving the field takes what is valid
      await closed(dialog);
      assert.deepEqual(await rulesOf(code), [{ ...german, name: "rule-1" }]);
    });

    test(`the last value of a condition is taken away, ${name}`, async () => {
      const code = `last-${name}`;
      await add(code, [german]);
      const dialog = await edit(code, size);
      await press(dialog.getByRole("button", { name: /^Rules/ }), size);
      await press(button(dialog, "Edit rule 1"), size);
      await press(button(dialog, "Remove Germany"), size);
      await refused(dialog, "Save", "country", noCountry, size);
      assert.deepEqual(await rulesOf(code), [german]);
      await press(button(dialog, "Remove condition Country"), size);
      await dialog.getByText("All visitors →").waitFor();
      await press(button(dialog, "Save"), size);
      await closed(dialog);
      assert.deepEqual(await rulesOf(code), [{ name: "de", url: only }], "on purpose");
    });

    test(`a link is not created with an unfinished rule, ${name}`, async () => {
      const page = await it.open("/ui/", size),
        form = page.locator(".create");
      const url = `https://example.com/devices/${name}`;
      await page.getByLabel("Long URL").fill(url);
      await press(button(form, "Rules"), size);
      await press(button(form, "Add a rule"), size);
      await form.getByLabel("Leads to").fill("https://phones.example/");
      await act(form, "Add a condition", "Device");
      await press(button(form, "Done"), size);
      await press(button(form, "Shorten"), size);
      const message = "Choose at least one device, or remove this condition.";
      await field(form, "device").getByText(message).waitFor();
      await until(
        () => field(form, "device").evaluate((e) => e.contains(document.activeElement)),
        "the focus on the devices",
      );
      assert.equal((await it.server.api("GET", `/api/urls?search=${url}`)).body.total, 0);
      await press(button(form, "Android"), size);
      await press(button(form, "Shorten"), size);
      await page.locator(".made").waitFor();
      const {
        urls: [made],
      } = (await it.server.api("GET", `/api/urls?search=${url}`)).body;
      assert.deepEqual(await rulesOf(made.short_code), [
        { name: "rule-1", when: { device: ["android"] }, url: "https://phones.example/" },
      ]);
    });

    test(`a rule for everybody above others is warned of, ${name}`, async () => {
      const code = `order-${name}`;
      await add(code, [
        { name: "all", url: "https://all.example/" },
        german,
        { name: "rest", url: "https://rest.example/" },
      ]);
      const dialog = await edit(code, size);
      await press(dialog.getByRole("button", { name: /^Rules/ }), size);
      const warning = dialog.getByText("The rules below are never reached.");
      const warned = () =>
        dialog
          .locator(".rule")
          .evaluateAll((rules) => rules.map((rule) => rule.textContent.includes("never reached")));
      assert.deepEqual(await warned(), [true, false, false]);
      await clean(dialog.page(), "a rule for everybody");
      await warning.scrollIntoViewIfNeeded();
      await shot(dialog.page(), `rule-warning-${name}`);
      await dialog.getByRole("button", { name: /^Move rule 1/ }).focus();
      await dialog.page().keyboard.press("ArrowDown");
      await until(async () => (await warned()).join() === "false,true,false", "the warning below");
      await press(button(dialog, "Remove rule 3"), size);
      await warning.waitFor({ state: "detached" });
    });
  }

  test("every kind of condition wants a value", async () => {
    await add("kinds");
    const dialog = await edit("kinds");
    await button(dialog, "Rules").click();
    await button(dialog, "Add a rule").click();
    await dialog.getByLabel("Leads to").fill("https://kinds.example/");
    const kinds = {
      device: "Choose at least one device",
      browser: "Choose at least one browser",
      language: "Choose at least one language",
      country: "Choose at least one country",
      query: "Enter at least one parameter",
      address: "Enter at least one IP address",
      after: "Choose a day and a time",
      before: "Choose a day and a time",
    };
    const kindNames = {
      device: "Device",
      browser: "Browser",
      language: "Language",
      country: "Country",
      query: "Query",
      address: "IP address",
      after: "From",
      before: "Until",
    };
    for (const [kind, message] of Object.entries(kinds)) {
      await act(dialog, "Add a condition", kindNames[kind]);
      await refused(dialog, "Save", kind, `${message}, or remove this condition.`);
      await dialog.locator(".outcome").getByText("example.com/kinds").waitFor();
      await field(dialog, kind)
        .getByRole("button", { name: /^Remove condition/ })
        .click();
    }
    await act(dialog, "Add a condition", "Share");
    await field(dialog, "share").locator("input").fill("");
    await refused(dialog, "Save", "share", "A share is a whole number from 1 to 99.");
    await button(dialog, "Remove condition Share").click();
    for (const [kind, typed, message] of [
      ["language", "Klingon?", "Enter a language or its tag, such as de or pt-BR."],
      ["query", "=print", "Enter a parameter, such as ref=print, or ref for any."],
      ["address", "home", "Enter an address or a block, such as 192.0.2.0/24."],
      ["address", "999.1", "Enter an address or a block, such as 192.0.2.0/24."],
    ]) {
      await act(dialog, "Add a condition", kindNames[kind]);
      await field(dialog, kind).locator("input").fill(typed);
      await refused(dialog, "Save", kind, message);
      await field(dialog, kind)
        .getByRole("button", { name: /^Remove condition/ })
        .click();
    }
    assert.equal(await rulesOf("kinds"), undefined);
    await button(dialog, "Save").click();
    await closed(dialog);
    assert.deepEqual(await rulesOf("kinds"), [{ name: "rule-1", url: "https://kinds.example/" }]);
  });

  test("text that was not taken is not lost", async () => {
    await add("typed");
    const dialog = await edit("typed");
    const tags = dialog.locator("#f-tags"),
      page = dialog.page();
    await tags.fill("x".repeat(41));
    await button(dialog, "Save").click();
    await dialog.getByText("A tag can have at most 40 characters.").waitFor();
    await until(() => tags.evaluate((e) => e === document.activeElement), "the focus on the tags");
    await page.keyboard.press("Escape");
    await dialog.getByText("Discard your changes?").waitFor();
    await button(dialog, "Keep editing").click();
    await until(() => tags.evaluate((e) => e === document.activeElement), "the focus back");
    await tags.fill("news");
    await page.keyboard.press("Escape"); // which closes the list of tags
    await page.keyboard.press("Escape"); // with what becomes a tag when the field is left
    await until(
      () => button(dialog, "Keep editing").evaluate((e) => e === document.activeElement),
      "the focus on what keeps",
    );
    await page.keyboard.press("Enter");
    await button(dialog, "Remove news").waitFor();
    await button(dialog, "Save").click();
    await closed(dialog);
    assert.deepEqual((await it.server.api("GET", "/api/urls/typed")).body.tags, ["news"]);

    await page.goto("/ui/");
    await page.getByLabel("Select typed").check();
    await button(page, "Tag").click();
    const bulk = page.getByRole("dialog", { name: "Tag links" });
    await bulk.getByLabel("Add tags").fill("y".repeat(41));
    await button(bulk, "Apply").click();
    await bulk.getByText("A tag can have at most 40 characters.").waitFor();
    await bulk.getByLabel("Add tags").fill("shop");
    await button(bulk, "Apply").click();
    await bulk.waitFor({ state: "detached" });
    await until(
      async () => (await it.server.api("GET", "/api/urls/typed")).body.tags.join() === "news,shop",
      "the tag",
    );
  });
});
