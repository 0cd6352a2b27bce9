import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  choose,
  clean,
  codes,
  copied,
  menuItem,
  panel,
  phone,
  schemes,
  shot,
  sizes,
  suite,
  until,
} from "./harness.mjs";

describe("a link's addresses", () => {
  const it = suite();
  const add = async (code, fields = {}) => {
    const answer = await it.server.api("POST", "/api/urls", {
      original_url: `https://example.com/${code}`,
      short_code: code,
      ...fields,
    });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
  };
  const link = async (code) => (await it.server.api("GET", `/api/urls/${code}`)).body;
  const open = async (code, options) => {
    const page = await it.open(`/ui/links/${code}`, options);
    await page.locator(".link-leads .leads").waitFor();
    return page;
  };
  const press = (locator, size = {}) => (size.hasTouch ? locator.tap() : locator.click());
  const button = (page, name) => page.getByRole("button", { name, exact: true });
  const focused = (locator) => locator.evaluate((e) => e === document.activeElement);
  const hasFocus = (locator, what) => until(() => focused(locator), `the focus on ${what}`);
  const fits = async (page, what) =>
    assert(
      await page.evaluate(
        () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
      ),
      `${what} does not scroll sideways`,
    );
  const listed = (page) => page.locator(".link-aliases li > .mono").allTextContents();
  const shows = (page, expected) =>
    until(async () => (await listed(page)).join() === expected.join(), expected.join());
  const history = (page) => page.locator(".history li p").allTextContents();
  // On a phone they are folded, n of them.
  const unfold = (page, size, n) =>
    size === phone && page.locator("summary").getByText(`More addresses ${n}`).tap();

  test("clicks by address are a panel of a link that has several", async () => {
    await add("by-address", { aliases: ["docs/by address", "other"] });
    const agent = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0" };
    for (const path of ["by-address", "docs/by%20address", "docs/by%20address", "other"])
      await fetch(`${it.server.url}/${path}`, { headers: agent, redirect: "manual" });
    await until(
      async () => (await link("by-address")).click_count === 4,
      "all clicks to be counted",
    );
    const page = await open("by-address");
    const rows = panel(page, "Addresses").locator(".bar-row");
    await until(async () => (await rows.count()) === 3, "a row for each address");
    const names = await rows.locator(".bar-name").allTextContents();
    assert.deepEqual(names.toSorted(), ["Short code", "docs/by address", "other"]);
    await rows.locator(".bar", { hasText: "docs/by address" }).click();
    await until(
      () => new URL(page.url()).searchParams.get("alias") === "/docs/by address",
      "the filter in the page's address",
    );
    const without = await open("launch");
    await panel(without, "Referrers").waitFor();
    assert.equal(await panel(without, "Addresses").count(), 0, "a link without aliases");
    await shot(page, "clicks-by-address");
    await clean(page, "a link's page with clicks by address");
  });

  for (const [name, size] of Object.entries(sizes)) {
    test(`are on its page, where one is added and removed, ${name}`, async () => {
      const code = `at-${name}`,
        other = `other-${name}`;
      await add(code, { title: `Addresses ${name}`, aliases: [`${name}/1`, `${name}/grüße an`] });
      await add(other, { aliases: [`${name}/taken`] });
      const page = await open(code, { ...size, expect: [/status of 4(00|09)/] });
      await shows(page, [`sho.rt/${name}/1`, `sho.rt/${name}/grüße an`]);
      await unfold(page, size, 2);
      await press(button(page, `Copy sho.rt/${name}/grüße an`), size);
      await until(
        async () => (await copied(page)) === `https://sho.rt/${name}/gr%C3%BC%C3%9Fe%20an`,
        "the short URL",
      );
      await page.locator(".bubble").waitFor({ state: "detached" });
      await fits(page, "the page");

      await press(button(page, "Add an address"), size);
      const field = page.getByLabel("New address");
      await hasFocus(field, "the field");
      for (const [text, words] of [
        ["", "Enter an address, such as docs/install."],
        ["a//b", "Between slashes there has to be a name"],
        [`${name}/1`, "This link has that address already."],
        [code, "This link has that address already."],
        [`${name}/taken`, `sho.rt/${name}/taken is taken by another link.`],
        [other, `sho.rt/${other} is taken by another link.`],
        ["api/docs", "Address is reserved: api/docs."],
      ]) {
        await field.fill(text);
        await press(button(page, "Add"), size);
        await page.locator(".link-alias").getByText(words).waitFor();
        assert.equal(await field.getAttribute("aria-invalid"), "true", words);
        await hasFocus(field, "the field with the error");
      }
      await clean(page, "a new address that is refused");
      await fits(page, "the field");
      await field.fill(`https://sho.rt/${name}/caf%C3%A9/`); // as copied from elsewhere
      await field.press("Enter");
      await shows(page, [`sho.rt/${name}/1`, `sho.rt/${name}/grüße an`, `sho.rt/${name}/café`]);
      await hasFocus(button(page, "Add an address"), "the button");
      assert.deepEqual((await link(code)).aliases, [
        `${name}/1`,
        `${name}/grüße an`,
        `${name}/café`,
      ]);
      await page.getByText(`Added ${name}/café`, { exact: true }).waitFor();
      await clean(page, "addresses");

      await press(button(page, `Actions for sho.rt/${name}/1`), size);
      await menuItem(page, "Remove").waitFor();
      await page.locator(".menu-item").getByText("visitors get a 404").waitFor();
      assert.equal(await menuItem(page, "Make this the code").count(), 0, "it has a slash");
      await clean(page, "what can be done with an address");
      await press(menuItem(page, "Remove"), size);
      await shows(page, [`sho.rt/${name}/grüße an`, `sho.rt/${name}/café`]);
      await page.getByText(`Removed ${name}/1: visitors get a 404`).first().waitFor();
      await hasFocus(button(page, "Add an address"), "what is still there");
      assert.equal((await fetch(`${it.server.url}/${name}/1`, { redirect: "manual" })).status, 404);
      await press(button(page, "Undo"), size);
      await shows(page, [`sho.rt/${name}/1`, `sho.rt/${name}/grüße an`, `sho.rt/${name}/café`]);
      assert.equal((await fetch(`${it.server.url}/${name}/1`, { redirect: "manual" })).status, 302);
    });

    test(`one becomes the code, and back, ${name}`, async () => {
      const code = `was-${name}`,
        next = `is-${name}`;
      await add(code, { aliases: [`${name}/x`, next] });
      // a question about clicks may be under way at the old code
      const page = await open(`${code}?range=7d`, { ...size, expect: [/status of 404/] });
      await page.locator(".stats").waitFor();
      await page.evaluate(() => {
        window.isSamePage = true;
      });
      await unfold(page, size, 2);
      await press(button(page, `Actions for sho.rt/${next}`), size);
      await page.locator(".menu-item").getByText(`${code} stays as an address`).waitFor();
      await press(menuItem(page, "Make this the code"), size);
      await page.waitForURL(`**/ui/links/${next}?range=7d`);
      await page.getByRole("heading", { name: `sho.rt/${next}` }).waitFor();
      await shows(page, [`sho.rt/${name}/x`, `sho.rt/${code}`]);
      const told = `Code changed to ${next}`;
      await page.locator(".saved").getByText(told).waitFor();
      await until(
        async () => (await page.locator("#said").textContent()).includes(told),
        "the words for those who listen",
      );
      await until(async () => (await page.title()).startsWith(next), "the title");
      await hasFocus(button(page, "Add an address"), "what is still there");
      assert.equal(await page.evaluate(() => window.isSamePage), true);
      await until(
        async () => (await history(page)).join() === `Code changed from ${code} to ${next}`,
        "the history",
      );
      await clean(page, "another code");
      const { aliases } = await link(next);
      assert.deepEqual(aliases, [`${name}/x`, code]);
      await press(button(page, "Undo"), size);
      await page.waitForURL(`**/ui/links/${code}?range=7d`);
      await shows(page, [`sho.rt/${name}/x`, `sho.rt/${next}`]);
      assert.deepEqual((await link(code)).aliases, [`${name}/x`, next]);
    });

    test(`are among the options of a new link and in the form, ${name}`, async () => {
      const code = `form-${name}`;
      await add(`rival-${name}`, { aliases: [`rival/${name}`] });
      const page = await it.open("/ui/", { ...size, expect: [/status of 4(04|09)/] });
      await page.getByLabel("Long URL").fill("https://example.com/form");
      await page.getByLabel("Code").fill(code);
      await press(page.getByRole("button", { name: /^More(?! pages)/ }), size);
      const field = page.getByRole("textbox", { name: "More addresses" });
      const button1 = button(page, "Shorten");
      await field.fill("50%");
      await press(button1, size);
      await page.getByText("An address can't have ? # % or \\ in it.").waitFor();
      await hasFocus(field, "the field with the error");
      await field.fill(`a,b/${name}`);
      await field.press("Enter");
      await field.fill(`rival/${name}`);
      await press(button1, size);
      await page.getByText(`sho.rt/rival/${name} is taken by another link.`).waitFor();
      await clean(page, "a form whose address is taken");
      await press(button(page, `Remove rival/${name}`), size);
      await fits(page, "the form");
      await press(button1, size);
      await page.locator(".made").waitFor();
      assert.deepEqual((await link(code)).aliases, [`a,b/${name}`]);

      await page.goto(`/ui/links/${code}`);
      await press(button(page, "Edit"), size);
      const dialog = page.getByRole("dialog", { name: /^Edit/ });
      await button(dialog, `More a,b/${name}`).waitFor(); // the only one is named
      await dialog.getByLabel("Code").fill("");
      await press(button(dialog, "Save"), size);
      await dialog.getByText("A link needs a code.").waitFor();
      await dialog.getByLabel("Code").fill(`rival-${name}`);
      await press(button(dialog, "Save"), size);
      await dialog.getByText(`"rival-${name}" is taken. Try another.`).waitFor();
      await dialog.getByLabel("Code").fill(`new-${name}`);
      await dialog.getByText(`${code} stays as an address.`).waitFor();
      await press(dialog.getByRole("button", { name: /^More/ }), size);
      const inDialog = dialog.getByRole("textbox", { name: "More addresses" });
      await inDialog.fill(`second/${name}`);
      await inDialog.press("Enter");
      await press(button(dialog, `Remove a,b/${name}`), size);
      await clean(page, "the form");
      await press(button(dialog, "Save"), size);
      await page.waitForURL(`**/ui/links/new-${name}`);
      await page.getByRole("dialog").waitFor({ state: "detached" });
      assert.deepEqual((await link(`new-${name}`)).aliases, [`second/${name}`, code]);
      await until(
        async () => (await history(page)).length === 2,
        "what was changed besides the code",
      );
      assert.deepEqual(await history(page), [
        `Address second/${name} added, address a,b/${name} removed`,
        `Code changed from ${code} to new-${name}`,
      ]);
    });
  }

  for (const [name, size] of [
    ["desktop", {}],
    ["phone", phone],
  ]) {
    test(`are above the numbers, on a phone below the chart, ${name}`, async () => {
      const aliases = ["1", "spring-26", "flyer/spring"];
      await it.server.api("PATCH", "/api/urls/launch", {
        title: "Spring launch",
        tags: ["newsletter"],
        aliases,
      });
      const page = await open("launch", size);
      await page.locator(".chart svg").waitFor();
      await shows(
        page,
        aliases.map((alias) => `sho.rt/${alias}`),
      );
      await page.locator(".link-facts").getByText("Last click").waitFor();
      await unfold(page, size, 3);
      await shot(page, `addresses-${name}`, { fullPage: size === phone });
      const [first, last, numbers, chart] = await page.evaluate(() =>
        [".link-aliases li:first-child", ".link-aliases li:last-child", ".figures", ".chart"].map(
          (selector) => document.querySelector(selector).getBoundingClientRect(),
        ),
      );
      if (size === phone) assert(chart.bottom <= first.top, `${chart.bottom} ${first.top}`);
      else assert(last.bottom <= numbers.top, `${last.bottom} ${numbers.top}`);
    });
  }

  test("a page's old address leads to the link", async () => {
    await add("moved-1", { title: "Moved" });
    await add("newer", { title: "Leads to moved-1, too" }); // which the search finds first
    await it.server.api("PATCH", "/api/urls/moved-1", { short_code: "moved-2" });
    const page = await it.open("/ui/links/moved-1?range=all", { expect: [/status of 404/] });
    await page.waitForURL("**/ui/links/moved-2?range=all");
    await page.getByRole("heading", { name: "Moved" }).waitFor();
    await page.goto("/ui/links/moved-3");
    await page.getByRole("heading", { name: "Link not found" }).waitFor();
  });

  test("many don't push the numbers away", async () => {
    const aliases = Array.from({ length: 20 }, (_, i) => `much/${i}`);
    await add("much", { aliases });
    const page = await open("much", phone);
    await unfold(page, phone, 20);
    await button(page, "Show all 20").waitFor();
    assert.equal((await listed(page)).length, 4);
    await button(page, "Show all 20").tap();
    assert.equal((await listed(page)).length, 20);
    await button(page, "Add an address").tap();
    await page.getByLabel("New address").fill("much/more");
    await button(page, "Add").tap();
    await page.getByText("A link can have at most 20 more addresses.").waitFor();
    await clean(page, "many addresses");
  });

  test("others' changes meanwhile are kept", async () => {
    await add("both", { aliases: ["both/1"] });
    const page = await open("both", { expect: [/status of 412/] });
    await it.server.api("PATCH", "/api/urls/both", { title: "Theirs", aliases: ["both/2"] });
    await button(page, "Add an address").click();
    await page.getByLabel("New address").fill("both/3");
    await page.keyboard.press("Enter");
    await shows(page, ["sho.rt/both/2", "sho.rt/both/3"]);
    await page.getByRole("heading", { name: "Theirs" }).waitFor();
  });

  test("are reached by keyboard alone", async () => {
    await add("keys", { aliases: ["keys-2"] });
    const page = await open("keys");
    await button(page, "Add an address").focus();
    await page.keyboard.press("Enter");
    await hasFocus(page.getByLabel("New address"), "the field");
    await page.keyboard.press("Escape");
    await hasFocus(button(page, "Add an address"), "the button");
    await page.keyboard.press("Tab"); // copy
    await page.keyboard.press("Tab");
    await hasFocus(button(page, "Actions for sho.rt/keys-2"), "the menu's button");
    await page.keyboard.press("Enter");
    await menuItem(page, "QR code").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "QR code for keys-2" });
    await dialog.getByText("sho.rt/keys-2").waitFor();
    await dialog.getByRole("img", { name: "QR code for https://sho.rt/keys-2" }).waitFor();
    await clean(page, "an address's QR code");
    await page.keyboard.press("Escape");
    await hasFocus(button(page, "Actions for sho.rt/keys-2"), "the menu's button");
    await page.keyboard.press("Enter");
    await menuItem(page, "Make this the code").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/ui/links/keys-2");
    await hasFocus(button(page, "Add an address"), "what is still there");
  });

  test("the list counts them, finds a link by them and follows another code", async () => {
    await add("row-1", { title: "In a row", aliases: ["row/one", "row/two"] });
    await add("row-2", { aliases: ["row/three"] });
    const page = await it.open("/ui/?search=row/one");
    const row = (code) =>
      page.locator(".rows .row", { has: page.locator(`.row-link:text-is("${code}")`) });
    await until(async () => (await codes(page)).join() === "row-1", "the match");
    assert.equal(await row("row-1").locator(".row-more").textContent(), "+2 addresses");
    assert.equal(
      await row("row-1").locator(".row-more").getAttribute("title"),
      "sho.rt/row/one\nsho.rt/row/two",
    );
    await clean(page, "a row with addresses");
    await page.getByLabel("Search links").fill("https://sho.rt/row/three");
    await until(async () => (await codes(page)).join() === "row-2", "the match");
    assert.equal(await row("row-2").locator(".row-more").textContent(), "+1 address");

    await page.getByLabel("Select row-2").check();
    await page.keyboard.press("e");
    const dialog = page.getByRole("dialog", { name: /^Edit/ });
    await dialog.getByLabel("Code").fill("row-9");
    await button(dialog, "Save").click();
    await row("row-9").waitFor();
    await page.getByText("1 selected").waitFor();
    await button(page, "Disable").click();
    await page.getByText("1 link disabled", { exact: true }).first().waitFor();
    assert.deepEqual((await link("row-9")).aliases, ["row/three", "row-2"]);
    assert.equal((await link("row-9")).disabled, true);
    await button(page, "Undo").click();
    await until(async () => !(await link("row-9")).disabled, "the link as it was");
    await choose(page, "row-9", "Copy link");
    await until(async () => (await copied(page)) === "https://sho.rt/row-9", "the short URL");
    await page.goto("/ui/?search=row");
    const small = await it.open("/ui/?search=row/one", phone);
    await small.locator(".row-more").waitFor();
    await clean(small, "a row with addresses on a phone");
  });

  test("a link whose code was changed meanwhile is not saved", async () => {
    await add("gone-1", {});
    const page = await open("gone-1", { expect: [/status of 404/] });
    await button(page, "Edit").click();
    const dialog = page.getByRole("dialog", { name: /^Edit/ });
    await dialog.getByLabel("Title").fill("Mine");
    await it.server.api("PATCH", "/api/urls/gone-1", { short_code: "gone-2" });
    await button(dialog, "Save").click();
    await dialog.getByText("the link was deleted, or has another code now").waitFor();
    assert.equal(await dialog.getByLabel("Title").inputValue(), "Mine");
  });

  test("a column of a table has them", async () => {
    const page = await it.open("/ui/");
    await page.getByLabel("Long URL").waitFor();
    const text =
      "url\taliases\tcode\n" +
      "https://example.com/t1\ttable/1, table/2\ttable-1\n" +
      "https://example.com/t2\t/table/3/\t\n" +
      "https://example.com/t3\ttable/1\ttable-3\n";
    await page.evaluate((t) => navigator.clipboard.writeText(t), text);
    await page.locator("body").press("ControlOrMeta+v");
    await button(page, "Shorten 3").waitFor();
    assert.deepEqual(await page.locator(".batch thead .pick span").allTextContents(), [
      "URL",
      "More addresses",
      "Code",
    ]);
    await page.getByRole("button", { name: /^More(?! pages)/ }).click();
    assert.equal(await page.getByRole("textbox", { name: "More addresses" }).count(), 0);
    await button(page, "Shorten 3").click();
    await page.getByText("2 of 3 lines shortened").waitFor();
    await page.locator(".batch").getByText("sho.rt/table/1 is taken by another link.").waitFor();
    assert.deepEqual((await link("table-1")).aliases, ["table/1", "table/2"]);
    const { urls } = (await it.server.api("GET", "/api/urls?search=table/3")).body;
    assert.deepEqual(urls[0].aliases, ["table/3"]);
  });

  for (const colorScheme of schemes) {
    test(`fit 320 pixels with a scrollbar, ${colorScheme}`, async () => {
      const long = `catalogue/2019/${"very-".repeat(20)}long`;
      await add(`small-${colorScheme}`, {
        title: "Small",
        aliases: [`${colorScheme}/1`, `${colorScheme}/${long}`.slice(0, 128)],
      });
      const page = await open(`small-${colorScheme}`, {
        colorScheme,
        viewport: { width: 308, height: 640 },
      });
      await fits(page, "the page");
      await button(page, "Add an address").click();
      await fits(page, "the field");
      await clean(page, "a new address");
      await button(page, "Cancel").click();
      await page.locator("summary").getByText("More addresses 2").click();
      await fits(page, "the addresses");
      await page.getByRole("button", { name: /^Actions for .*long/ }).click();
      await menuItem(page, "Remove").click();
      await page.locator(".saved").getByText("Removed").waitFor();
      await fits(page, "what was done");
      await page.goto(`/ui/?search=${colorScheme}/1`);
      await page.locator(".row-more").waitFor();
      await fits(page, "the list");
    });
  }
});
