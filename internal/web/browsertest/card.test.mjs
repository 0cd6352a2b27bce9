import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { clean, codes, pick, schemes, shot, sizes, suite, until } from "./harness.mjs";

// One card makes links: it is a field while it is empty, and grows with what is in it.
describe("the card that makes links", () => {
  const it = suite({ data: false });
  const press = (locator, size = {}) => (size.hasTouch ? locator.tap() : locator.click());
  const button = (page, name) => page.getByRole("button", { name, exact: true });
  const field = (page) => page.getByLabel("Long URL");
  const utm = (page, name) => page.getByRole("combobox", { name });
  const primary = (page) => page.locator(".create .primary").count();
  const parts = ["UTM", "Ends", "Password", "Rules", "More"];
  const visit = async (code, query) => {
    await it.server.click(`${code}?${query}`);
    await until(
      async () => (await it.server.api("GET", `/api/urls/${code}`)).body.click_count > 0,
      "the click",
    );
  };

  for (const [name, size] of Object.entries(sizes)) {
    test(`it grows with a URL, and is empty again afterwards, ${name}`, async () => {
      const page = await it.open("/ui/", size);
      await field(page).waitFor();
      assert.equal(await primary(page), 0);
      await clean(page, "the empty card");
      await field(page).fill("https://card.example/");
      await page.getByLabel("Title").waitFor();
      assert.equal(await primary(page), 1);
      await page.getByLabel("Title").fill("A card");
      for (const part of parts) await press(button(page, part), size);
      await page.locator("#new-password").fill("open sesame");
      await pick(page, "Ends", "at a time");
      await page.getByLabel("Ends on").fill("2030-05-03T18:00");
      await page.getByLabel("Note").fill("Ask first");
      assert.equal(await primary(page), 1);
      await clean(page, "the card with everything");
      for (const part of parts) await press(button(page, part), size);
      for (const text of ["Ends 3 May 2030, 18:00", "Password set", "More note"])
        await until(
          async () =>
            (await page.locator(".disclosure").allTextContents()).some(
              (shown) => shown.trim().replace(/\s+/g, " ") === text,
            ),
          text,
        );
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert(wide <= 0, "nothing is wider than the page");
      await press(button(page, "Shorten"), size);
      await page.locator(".made").waitFor();
      assert.equal(await field(page).inputValue(), "");
      assert.equal(await page.getByLabel("Title").count(), 0);
      assert.equal(await primary(page), 0);
      const [code] = await codes(page);
      const { body } = await it.server.api("GET", `/api/urls/${code}`);
      assert.deepEqual(
        [body.title, body.password, body.expires_at, body.note],
        ["A card", true, "2030-05-03T16:00:00Z", "Ask first"],
      );
    });
  }

  test("it is used by keyboard alone", async () => {
    const page = await it.open("/ui/");
    await field(page).waitFor();
    await page.keyboard.press("n");
    await page.keyboard.type("keys.example/");
    await page.getByLabel("Title").waitFor();
    const focused = () =>
      page.evaluate(() => {
        const { id, textContent } = document.activeElement;
        return id || textContent.trim();
      });
    const order = [];
    for (let i = 0; i < 10; i++) {
      await page.keyboard.press("Tab");
      order.push(await focused());
    }
    assert.deepEqual(order, [
      "new-short_code",
      "new-title",
      "new-tags",
      ...parts,
      "Cancel",
      "Shorten",
    ]);
    await button(page, "Password").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    assert.equal(await focused(), "new-password", "what opens comes next");
    await page.keyboard.type("x");
    await page.keyboard.press("Enter");
    await page.locator(".made").waitFor();
    const [code] = await codes(page);
    assert.equal((await it.server.api("GET", `/api/urls/${code}`)).body.password, true);
  });

  test("what was typed stays on other pages, and comes back after Cancel", async () => {
    const page = await it.open("/ui/");
    await button(page, "Options").click();
    await page.getByLabel("Title").fill("Kept");
    await field(page).fill("https://kept.example/");
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("heading", { name: "Overview" }).first().waitFor();
    await page.getByRole("link", { name: "Links" }).first().click();
    await field(page).waitFor();
    assert.equal(await field(page).inputValue(), "https://kept.example/");
    assert.equal(await page.getByLabel("Title").inputValue(), "Kept");
    await field(page).press("Escape");
    assert.equal(await page.getByLabel("Title").inputValue(), "Kept");
    await button(page, "Cancel").click();
    await page.getByLabel("Title").waitFor({ state: "detached" });
    assert(await field(page).evaluate((e) => e === document.activeElement));
    await button(page, "Undo").click();
    assert.equal(await field(page).inputValue(), "https://kept.example/");
    assert.equal(await page.getByLabel("Title").inputValue(), "Kept");
  });

  for (const [name, size] of Object.entries(sizes)) {
    test(`campaign parameters, from before and from saved sets, ${name}`, async () => {
      const code = `utm-${name}`;
      const url = "https://utm.example/?a=b#c";
      await it.server.api("POST", "/api/urls", { original_url: url, short_code: code });
      await visit(code, "utm_source=newsletter&utm_medium=email");
      const page = await it.open("/ui/", size);
      await field(page).fill(url);
      await press(button(page, "UTM"), size);
      await utm(page, "Source").waitFor();
      await until(async () => {
        // the values used before may still be on their way
        await press(utm(page, "Source"), size);
        return (await page.locator(".option").count()) > 0;
      }, "a value used before");
      await press(page.getByRole("option", { name: /^newsletter/ }), size);
      for (const [label, value] of [
        ["Medium", "email"],
        ["Campaign", "spring sale"],
        ["Term", "shoes"],
        ["Content", "header"],
      ])
        await utm(page, label).fill(value);
      const whole =
        "https://utm.example/?a=b&utm_source=newsletter&utm_medium=email" +
        "&utm_campaign=spring+sale&utm_term=shoes&utm_content=header#c";
      assert.equal(await field(page).inputValue(), whole);
      await utm(page, "Content").press("Escape");
      await press(button(page, "Save as a set"), size);
      const set = page.getByLabel("Name of the set");
      await set.press("Enter");
      await page.getByText("Enter a name.").waitFor();
      await set.fill("Spring");
      await set.press("Enter");
      await button(page, "Spring").waitFor();
      await clean(page, "campaign parameters");
      await shot(page, `utm-${name}`);

      await page.reload();
      await field(page).fill("https://utm.example/other?utm_source=x");
      await press(page.getByRole("button", { name: /^UTM/ }), size);
      await press(button(page, "Spring"), size);
      assert.match(
        await field(page).inputValue(),
        /other\?utm_source=newsletter&.*content=header$/,
      );
      await press(button(page, "Delete the set Spring"), size);
      await button(page, "Spring").waitFor({ state: "detached" });
      await press(button(page, "Undo"), size);
      await button(page, "Spring").waitFor();
    });
  }

  for (const colorScheme of schemes)
    test(`axe finds nothing, ${colorScheme}`, async () => {
      const page = await it.open("/ui/", { colorScheme });
      await field(page).waitFor();
      await button(page, "Options").click();
      await page.getByLabel("Title").waitFor();
      await clean(page, "the opened card");
      await field(page).fill("https://axe.example/");
      for (const part of parts) await button(page, part).click();
      await button(page, "Add a rule").click();
      await clean(page, "all parts");
      await page.getByLabel("Title").fill("x".repeat(201));
      await button(page, "Shorten").click();
      await page.getByText("A title can have at most 200 characters.").waitFor();
      await clean(page, "a problem");
    });
});

describe("the first link", () => {
  const it = suite({ data: false });

  test("an example is offered to those who have a browser", async () => {
    const page = await it.open("/ui/");
    await page.getByRole("heading", { name: "No links yet" }).waitFor();
    await clean(page, "no links");
    await page.getByRole("button", { name: "Try an example" }).click();
    const field = page.getByLabel("Long URL");
    assert.equal(await field.inputValue(), "https://example.com/");
    assert(await field.evaluate((e) => e === document.activeElement));
    await page.keyboard.press("Enter");
    await page.locator(".made").waitFor();
    assert.equal((await codes(page)).length, 1);
  });
});
