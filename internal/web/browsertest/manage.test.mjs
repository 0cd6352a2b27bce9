import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import {
  clean,
  codes,
  copied,
  inFirefox,
  menuItem,
  pick,
  shot,
  sizes,
  suite,
  tablet,
  until,
} from "./harness.mjs";

describe("managing links", () => {
  const it = suite();
  const row = (page, code) =>
    page.locator(".rows .row", { has: page.locator(`.row-link:text-is("${code}")`) });
  const add = async (code, fields = {}) => {
    const answer = await it.server.api("POST", "/api/urls", {
      original_url: `https://example.com/${code}`,
      short_code: code,
      ...fields,
    });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
  };
  const link = async (code) => (await it.server.api("GET", `/api/urls/${code}`)).body;
  const press = (locator, size) => (size.hasTouch ? locator.tap() : locator.click());
  const button = (page, name) => page.getByRole("button", { name, exact: true });
  const ready = (page) => page.locator(".rows .row").first().waitFor();
  const shows = (page, expected) =>
    until(async () => (await codes(page)).join() === expected.join(), expected.join());

  test("titles, tags and states are in the list, which can be filtered by them", async () => {
    await add("tagged-1", { title: "Spring launch", tags: ["Shop", "news"] });
    await add("tagged-2", { tags: ["shop", "off"], disabled: true });
    await add("tagged-3", { tags: ["off"], expires_at: "2020-01-01T00:00:00Z" });
    await add("tagged-4", { tags: ["off"], starts_at: "2040-01-01T00:00:00Z" });
    const page = await it.open("/ui/");
    await row(page, "tagged-1").getByText("Spring launch").waitFor();
    await row(page, "tagged-2").getByText("Disabled").waitFor();
    await row(page, "tagged-3").getByText("Ended").waitFor();
    await row(page, "tagged-4").getByText("Scheduled").waitFor();
    await clean(page, "rows with titles, tags and states");
    await row(page, "tagged-1").getByRole("link", { name: "Links tagged Shop" }).click();
    await page.waitForURL("**/ui/?tag=Shop");
    await shows(page, ["tagged-2", "tagged-1"]);
    await page.getByText("2 links").waitFor();
    await pick(page, "State", "Disabled");
    await page.waitForURL("**/ui/?tag=Shop&status=disabled");
    await shows(page, ["tagged-2"]);
    await button(page, "Tag: Another tag").click();
    await page.getByRole("combobox", { name: "Find a tag" }).waitFor();
    await page.getByRole("option", { name: "Shop" }).waitFor({ state: "detached" });
    await page.getByRole("option", { name: "off" }).click();
    await page.waitForURL(/tag=Shop&tag=off/);
    await shows(page, ["tagged-2"]);
    await clean(page, "filters");
    await shot(page, "filtered-list");
    await page.getByRole("button", { name: "Remove filter: Shop" }).click();
    await pick(page, "State", "Used up");
    await page.getByText("No links with this filter").waitFor();
    await page.getByRole("link", { name: "Remove filter" }).click();
    await page.waitForURL("**/ui/");
    await row(page, "tagged-1").waitFor();
    await page.goBack();
    await page.getByText("No links with this filter").waitFor();
    await page.goto("/ui/?tag=off&status=expired"); // an address that somebody kept
    await shows(page, ["tagged-3"]);
  });

  test("a tag is renamed, and removed from all links", async () => {
    await add("renamed-1", { tags: ["wrng"] });
    await add("renamed-2", { tags: ["wrng", "kept"] });
    const page = await it.open("/ui/?tag=wrng");
    await shows(page, ["renamed-2", "renamed-1"]);
    await button(page, "Rename or delete this tag").click();
    const dialog = page.getByRole("dialog", { name: "Rename tag" });
    await dialog.getByLabel("Name").fill("right");
    await clean(page, "renaming a tag");
    await shot(page, "rename-tag");
    await button(dialog, "Rename").click();
    await page.waitForURL("**/ui/?tag=right");
    await shows(page, ["renamed-2", "renamed-1"]);
    assert.deepEqual((await link("renamed-2")).tags, ["kept", "right"]);
    await button(page, "Rename or delete this tag").click();
    await button(dialog, "Delete tag").click();
    const question = page.getByRole("dialog", { name: "Delete tag" });
    await question.getByText("It will be removed from 2 links.").waitFor();
    await clean(page, "deleting a tag");
    await button(question, "Delete tag").click();
    await page.waitForURL("**/ui/");
    await row(page, "renamed-1").waitFor();
    assert.deepEqual((await link("renamed-2")).tags, ["kept"]);
  });

  for (const [name, size] of Object.entries(sizes)) {
    test(`many links are tagged, disabled and deleted at once, ${name}`, async () => {
      const made = [1, 2, 3].map((n) => `many-${name}-${n}`);
      for (const code of made) await add(code, code.endsWith("2") ? { tags: ["old"] } : {});
      const page = await it.open("/ui/", size);
      await ready(page);
      const select = async () => {
        if (size.hasTouch) {
          await button(page, `Actions for ${made[2]}`).tap();
          await menuItem(page, "Select").tap();
          for (const code of made.slice(0, 2)) await page.getByLabel(`Select ${code}`).tap();
        } else {
          await page.getByLabel(`Select ${made[2]}`).click();
          await page.getByLabel(`Select ${made[0]}`).click({ modifiers: ["Shift"] });
        }
        await page.getByText("3 selected").waitFor();
      };
      await select();
      await clean(page, "selected links");
      if (size !== tablet) await shot(page, `selected-${name}`);
      await press(button(page, "Tag"), size);
      const dialog = page.getByRole("dialog", { name: "Tag links" });
      await press(dialog.locator("input"), size);
      await dialog.locator(".option").nth(2).waitFor();
      const [list, buttons] = await Promise.all(
        [".options", ".buttons"].map((part) => dialog.locator(part).boundingBox()),
      );
      assert.ok(list.y + list.height <= buttons.y, "the buttons are not covered");
      await dialog.locator("input").fill(`fresh-${name}`);
      await dialog.locator("input").press("Enter");
      await press(button(dialog, "old"), size);
      await clean(page, "the dialog for tags");
      if (size !== tablet) await shot(page, `tag-links-${name}`);
      await press(button(dialog, "Apply"), size);
      await page.getByText("3 links tagged").first().waitFor();
      for (const code of made) assert.deepEqual((await link(code)).tags, [`fresh-${name}`]);
      await press(button(page, "Undo"), size);
      await until(async () => (await link(made[1])).tags?.[0] === "old", "the tags as they were");
      assert.equal((await link(made[0])).tags, undefined);

      await page.getByText("3 selected").waitFor(); // for the next action
      await press(button(page, "Disable"), size);
      await page.getByText("3 links disabled").first().waitFor();
      await row(page, made[0]).getByText("Disabled").waitFor();
      for (const code of made) assert.equal((await link(code)).status, "disabled");
      await press(button(page, "Undo"), size);
      await row(page, made[0]).getByText("Disabled").waitFor({ state: "detached" });

      await press(button(page, "Delete"), size);
      await page.getByText("3 links deleted", { exact: true }).waitFor();
      await press(button(page, "Undo all"), size);
      await row(page, made[0]).waitFor();
      await select();
      await press(button(page, "Delete"), size);
      await page.goto("about:blank");
      for (const code of made)
        await until(
          async () => (await it.server.api("GET", `/api/urls/${code}`)).status === 404,
          `the delete of ${code}`,
        );
    });
  }

  test("links are selected by keyboard, and become QR codes", async () => {
    const page = await it.open("/ui/");
    await ready(page);
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("2 selected").waitFor();
    const chosen = (await codes(page)).slice(0, 2);
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      button(page, "QR codes").click(),
    ]);
    assert.equal(saved.suggestedFilename(), "qr-codes.zip");
    const zip = (await readFile(await saved.path())).toString("latin1");
    for (const code of chosen) assert(zip.includes(`${code}.svg`), code);
    await page.getByText("2 selected").waitFor();
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".selection").waitFor({ state: "detached" });
    await page.getByLabel("Select all links that are shown").check();
    await page.getByText("100 selected").waitFor();
    const { total } = (await it.server.api("GET", "/api/urls?limit=1")).body;
    assert(total > 100);
    // Firefox's list of downloads takes Enter.
    if (inFirefox) await button(page, `Select all ${total}`).click();
    else {
      await button(page, `Select all ${total}`).focus();
      await page.keyboard.press("Enter");
    }
    await page.getByText(`${total} selected`).first().waitFor();
    assert.equal(await button(page, /^Select all/).count(), 0);
    await until(
      () => button(page, "Tag").evaluate((e) => e === document.activeElement),
      "the focus on what comes next",
    );
    await button(page, "Clear the selection").click();
    await page.locator(".selection").waitFor({ state: "detached" });
  });

  test("Escape clears a selection and keeps the place", async () => {
    const page = await it.open("/ui/");
    await ready(page);
    for (const key of ["j", "j", "x", "j", "x"]) await page.keyboard.press(key);
    await page.getByText("2 selected").waitFor();
    const [, , third, fourth] = await codes(page);
    const focused = () => page.evaluate(() => document.activeElement.textContent);
    await page.keyboard.press("Escape");
    await page.locator(".selection").waitFor({ state: "detached" });
    assert.equal(await focused(), third);
    await page.keyboard.press("j");
    await until(async () => (await focused()) === fourth, "the next row");
    // also from a box that was checked, and from what is gone with the selection
    await page.getByLabel(`Select ${fourth}`).check();
    await page.keyboard.press("Escape");
    await page.locator(".selection").waitFor({ state: "detached" });
    assert.equal(await focused(), fourth);
    await page.keyboard.press("x");
    await button(page, "Disable").focus();
    await page.keyboard.press("Escape");
    await page.locator(".selection").waitFor({ state: "detached" });
    assert.equal(await focused(), fourth);
    await page.keyboard.press("x");
    await button(page, "Clear the selection").click();
    await page.locator(".selection").waitFor({ state: "detached" });
    assert.equal(await focused(), fourth);
    await page.keyboard.press("Escape"); // with nothing selected, it leaves the row
    assert.equal(await page.evaluate(() => document.activeElement === document.body), true);
  });

  for (const [name, size] of Object.entries(sizes)) {
    test(`tags can be typed at once when links are tagged, ${name}`, async () => {
      await add(`typed-${name}`, { title: `Typed ${name}` });
      const page = await it.open("/ui/", size);
      await ready(page);
      if (size.hasTouch) {
        await row(page, `typed-${name}`)
          .getByRole("button", { name: /^Actions for/ })
          .tap();
        await menuItem(page, "Select").tap();
      } else {
        await page.getByLabel(`Select typed-${name}`).check();
      }
      await press(button(page, "Tag"), size);
      const dialog = page.getByRole("dialog", { name: "Tag links" });
      await dialog.waitFor();
      await page.keyboard.type("at-once");
      await page.keyboard.press("Enter");
      await button(dialog, "Remove at-once").waitFor();
      await press(button(dialog, "Apply"), size);
      await until(async () => (await link(`typed-${name}`)).tags?.join() === "at-once", "the tag");
    });
  }

  test("where the server takes few at once, many are done in parts", async () => {
    const all = Array.from({ length: 5 }, (_, i) => `part-${i}`);
    for (const code of all) await add(code, { title: "in parts" });
    const page = await it.open("/ui/?search=in+parts", { expect: [/status of 413/] });
    let left = 2; // requests that are refused: all five, and then three
    await page.route("**/api/bulk", (route) =>
      left-- > 0
        ? route.fulfill({ status: 413, json: { error: "at most 2 operations at a time" } })
        : route.continue(),
    );
    await until(async () => (await codes(page)).length === all.length, "the links");
    await page.getByLabel("Select all links that are shown").check();
    await button(page, "Disable").click();
    await page.getByText("5 links disabled").first().waitFor();
    assert.equal(left, -3, "two, two and one");
    for (const code of all) assert.equal((await link(code)).disabled, true, code);
    await button(page, "Undo").click();
    await until(
      async () => (await Promise.all(all.map(link))).every((one) => !one.disabled),
      "all of them back",
    );
    await button(page, "Delete").click();
    await page.goto("/ui/"); // which does not wait
    await until(
      async () =>
        (
          await Promise.all(
            all.map(async (code) => (await it.server.api("GET", `/api/urls/${code}`)).status),
          )
        ).every((s) => s === 404),
      "all of them gone",
    );
  });

  test("the history is told in sentences", async () => {
    await add("story");
    const change = (fields) => it.server.api("PATCH", "/api/urls/story", fields);
    await change({ title: "One" });
    await change({ title: "Two", tags: ["a", "b"], password: "x" });
    await change({ original_url: "https://example.com/other", tags: ["b"], password: null });
    await change({ max_clicks: 5, disabled: true });
    const page = await it.open("/ui/links/story");
    const history = page.locator(".history");
    await history.waitFor();
    assert.deepEqual((await history.locator("li p").allTextContents()).sort(), [
      "Destination changed from example.com/story to example.com/other",
      "Disabled",
      "Ends after 5 clicks",
      "No longer tagged a",
      "Password removed",
      "Password set",
      "Tagged a, b",
      "Title changed from “One” to “Two”",
      "Title set to “One”",
    ]);
    await history.scrollIntoViewIfNeeded();
    await clean(page, "history");
    await shot(page, "history");
    for (let i = 0; i < 4; i++) await change({ title: `Title ${i}` });
    await page.reload();
    await button(history, "Show all 8 changes").click();
    assert.equal(await history.locator("li").count(), 8);
  });

  for (const [name, size] of Object.entries(sizes)) {
    test(`a link's page says what the link does, ${name}`, async () => {
      const code = `told-${name}`;
      await add(code, {
        title: `Told ${"t".repeat(60)}`,
        note: "on the flyer",
        password: "secret-enough",
        max_clicks: 5,
        rules: [
          { name: "ios", when: { device: ["ios"] }, url: "https://apps.example/de" },
          { name: "half", share: 50, url: "https://shop.example.com/b" },
        ],
      });
      const page = await it.open(`/ui/links/${code}`, size);
      const heading = page.getByRole("heading", { level: 1 });
      await until(async () => /^Told/.test(await heading.textContent()), "the title");
      await page.locator(".link-short").getByText(`sho.rt/${code}`).waitFor();
      if (size === sizes.phone) {
        const folds = page.locator("summary");
        assert.deepEqual(
          (await folds.allTextContents()).map((text) => text.trim().replace(/\s+/g, " ")),
          ["Rules 2", "Note: on the flyer"],
        );
        const [figures, ranges, chart, fold] = await page.evaluate(() =>
          [".figures", ".ranges", ".chart, .chart-empty", ".fold"].map(
            (part) => document.querySelector(part).getBoundingClientRect().top,
          ),
        );
        assert.ok(figures < 400, `the figures are first, not at ${figures}`);
        assert.ok(figures < ranges && ranges < chart && chart < fold, "in this order");
        for (const part of await folds.all()) await part.tap();
      }
      await page.locator(".link-note").getByText("Note: on the flyer").waitFor();
      await page.locator(".link-facts").getByText("5 of 5 clicks left").waitFor();
      const rules = page.getByRole("list", { name: "Rules in words" }).locator("li");
      await until(
        async () => (await rules.allTextContents()).every((text) => text.includes("0 clicks")),
        "the clicks of each rule",
      );
      const texts = await rules.allTextContents();
      assert.match(texts[0], /iPhone or iPad.*→\s*apps\.example/s);
      assert.match(texts[1], /Half of the rest.*→\s*shop\.example\.com/s);
      assert.match(texts[2], /Everyone else.*→\s*the destination/s);
      const fits = () => document.documentElement.scrollWidth <= innerWidth;
      assert(await page.evaluate(fits), "nothing is wider than the window");
      await clean(page, "the page");
      await shot(page, `link-says-${name}`);
    });
  }

  for (const [name, size] of Object.entries(sizes)) {
    test(`a link is disabled, and its statistics deleted, on its page, ${name}`, async () => {
      const code = `menu-${name}`;
      await add(code);
      for (let i = 0; i < 3; i++) await it.server.click(code);
      await until(async () => (await link(code)).click_count === 3, "the clicks");
      const page = await it.open(`/ui/links/${code}`, size);
      await page.locator(".chart svg").waitFor();
      const more = async (item) => {
        await press(button(page, "More actions"), size);
        await press(menuItem(page, item), size);
      };
      await press(button(page, "More actions"), size);
      await clean(page, "the menu");
      if (size !== tablet) await shot(page, `link-menu-${name}`);
      await page.keyboard.press("Escape");
      await more("Disable");
      await page.locator(".link-facts").getByText("Disabled").waitFor();
      assert.equal((await link(code)).status, "disabled");
      await more("Enable");
      await page.locator(".link-facts .state-badge").waitFor({ state: "detached" });

      await more("Delete statistics");
      const dialog = page.getByRole("dialog", { name: "Delete statistics" });
      await clean(page, "the question");
      if (size !== tablet) await shot(page, `delete-statistics-${name}`);
      await press(button(dialog, "Cancel"), size);
      assert.equal((await link(code)).click_count, 3);
      await more("Delete statistics");
      await press(button(dialog, "Delete statistics"), size);
      await page.getByText("No clicks yet").waitFor();
      assert.equal((await link(code)).click_count, 0);
    });

    test(`a QR code has colours, a margin and a logo, ${name}`, async () => {
      const page = await it.open("/ui/links/docs", size);
      await page.locator(".chart svg").waitFor();
      await press(button(page, "QR code"), size);
      const dialog = page.getByRole("dialog", { name: "QR code for docs" });
      await dialog.getByLabel("Colour").fill("#1f4fd8");
      await dialog.getByLabel("Background").fill("#fff3d6");
      await pick(dialog, "Margin", "2");
      await pick(dialog, "Error correction", "Q, 25 %");
      await dialog.getByLabel("Count scans apart from clicks").check();
      await press(button(dialog, "Copy image address"), size);
      await until(
        async () =>
          (await copied(page)) ===
          "https://sho.rt/docs.svg?color=1f4fd8" + "&background=fff3d6&margin=2&level=Q&medium=qr",
        "the address",
      );
      await dialog.getByLabel("Colour").fill("#ffe9a8");
      await dialog.getByText("Scanners may fail").waitFor();
      await dialog.getByLabel("Colour").fill("#1f4fd8");
      const logo = await page.evaluate(() => {
        const canvas = document.createElement("canvas");
        canvas.width = canvas.height = 64;
        canvas.getContext("2d").fillRect(8, 8, 48, 48);
        return canvas.toDataURL("image/png").split(",")[1];
      });
      await dialog.locator('input[type="file"]').setInputFiles({
        name: "logo.png",
        mimeType: "image/png",
        buffer: Buffer.from(logo, "base64"),
      });
      await button(dialog, "Remove the logo").waitFor();
      await clean(page, "QR code");
      if (size !== tablet) await shot(page, `qr-${name}`);
      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        press(button(dialog, "Download SVG"), size),
      ]);
      const svg = (await readFile(await saved.path())).toString();
      assert.match(svg, /fill="#fff3d6".*fill="#1f4fd8".*<image href="data:image\/png;base64,/s);

      await pick(dialog, "PNG size", "512 pixels");
      const [png] = await Promise.all([
        page.waitForEvent("download"),
        press(button(dialog, "Download PNG"), size),
      ]);
      const bytes = await readFile(await png.path());
      assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [512, 512]);
      if (!inFirefox) {
        await press(dialog.getByRole("button", { name: "Copy image", exact: true }), size);
        await dialog
          .getByRole("button", { name: "Copy image", exact: true })
          .locator(".icon-done")
          .waitFor();
        const types = await page.evaluate(async () =>
          (await navigator.clipboard.read()).flatMap((item) => item.types),
        );
        assert.deepEqual(types, ["image/png"]);
      }
      await page.goto("/ui/links/launch");
      await page.locator(".chart svg").waitFor();
      await press(button(page, "QR code"), size);
      const other = page.getByRole("dialog", { name: "QR code for launch" });
      await button(other, "Remove the logo").waitFor();
      assert.equal(await other.getByLabel("Colour").inputValue(), "#1f4fd8");
      assert.equal(await other.getByLabel("Background").inputValue(), "#fff3d6");
      await button(other, "PNG size: 512 pixels").waitFor();
      await press(button(other, "Remove the logo"), size);
      await button(other, "Copy image address").waitFor();
      await page.reload();
      await page.locator(".chart svg").waitFor();
      await press(button(page, "QR code"), size);
      await other.getByText("Add a logo").waitFor();
    });

    test(`a link is made with options, ${name}`, async () => {
      const page = await it.open("/ui/", size);
      await ready(page);
      await page.getByLabel("Long URL").fill("example.com/options");
      const form = page.locator(".create");
      await form.getByLabel("Title").fill("With options");
      await press(button(form, "UTM"), size);
      await form.getByRole("combobox", { name: "Campaign" }).fill("spring");
      assert.equal(
        await page.getByLabel("Long URL").inputValue(),
        "example.com/options?utm_campaign=spring",
      );
      await press(button(form, "Ends"), size);
      await pick(form, "Ends", "after a number of clicks");
      await press(button(form, "Shorten"), size);
      await form.getByText("Enter a number from 1 to").waitFor();
      await form.getByLabel("Clicks until it ends").fill("3");
      await clean(page, "options");
      if (size !== tablet) await shot(page, `create-options-${name}`);
      await press(button(form, "Shorten"), size);
      await page.locator(".made").waitFor();
      await form.getByLabel("Title").waitFor({ state: "detached" });
      const [code] = await codes(page);
      const { title, max_clicks: most, original_url: url } = await link(code);
      assert.deepEqual(
        [title, most, url],
        ["With options", 3, "https://example.com/options?utm_campaign=spring"],
      );
      await row(page, code).getByText("With options").waitFor();
    });
  }

  test("an address opens the form filled in, and the help has a bookmark that does", async () => {
    const page = await it.open("/ui/?url=https%3A%2F%2Fexample.com%2Ffrom&title=From%20elsewhere");
    await page.locator(".create").getByLabel("Title").waitFor();
    assert.equal(await page.getByLabel("Long URL").inputValue(), "https://example.com/from");
    assert.equal(await page.getByLabel("Title").inputValue(), "From elsewhere");
    assert.equal(new URL(page.url()).search, "", "a reload starts anew");
    await button(page.locator(".create"), "Cancel").click();
    await page.getByLabel("Long URL").press("Escape");
    await page.keyboard.press("?");
    const bookmark = page.getByRole("link", { name: "Shorten with terse" });
    const script = await bookmark.getAttribute("href");
    await clean(page, "help");
    await bookmark.click();
    await page.getByText("Drag it to your bookmarks.").first().waitFor();
    const opened = await page.evaluate((text) => {
      let url;
      const open = (to) => {
        url = to;
      };
      // as a bookmark would run it on another page
      const run = text.replace("javascript:void ", "");
      const [, start] = run.match(/^open\("([^"]+)"/);
      open(
        start +
          "?url=" +
          encodeURIComponent("https://a.example/?b=c") +
          "&title=" +
          encodeURIComponent("A & B"),
      );
      return [run, url];
    }, script);
    assert.match(
      opened[0],
      /^open\("http:\/\/127\.0\.0\.1:\d+\/ui\/"\+'\?url='\+encodeURIComponent/,
    );
    await page.goto(opened[1]);
    await page.locator(".create").getByLabel("Title").waitFor();
    assert.equal(await page.getByLabel("Title").inputValue(), "A & B");
    assert.equal(await page.getByLabel("Long URL").inputValue(), "https://a.example/?b=c");
  });
});
