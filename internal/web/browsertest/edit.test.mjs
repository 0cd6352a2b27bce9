import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  act,
  clean,
  inFirefox,
  phone,
  pick,
  schemes,
  shot,
  sizes,
  suite,
  tablet,
  touch,
  until,
} from "./harness.mjs";

describe("editing a link", () => {
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
  const press = (locator, size) => (size.hasTouch ? locator.tap() : locator.click());
  const button = (page, name) => page.getByRole("button", { name, exact: true });
  const edit = async (page, size = {}) => {
    await press(button(page, "Edit"), size);
    const dialog = page.getByRole("dialog", { name: /^Edit/ });
    await dialog.getByLabel("Title").waitFor();
    return dialog;
  };
  const closed = (page) => page.getByRole("dialog").waitFor({ state: "detached" });

  test("the destination changes in place, and back", async () => {
    await add("in-place");
    const page = await open("in-place");
    const pencil = button(page, "Change the destination");
    await pencil.click();
    const field = page.getByLabel("Destination", { exact: true });
    await field.fill("https://example.com/nowhere");
    await field.press("Escape");
    await field.waitFor({ state: "detached" });
    assert(await pencil.evaluate((e) => e === document.activeElement), "the focus comes back");
    assert.equal((await link("in-place")).original_url, "https://example.com/in-place");

    await pencil.click();
    await field.fill("not an address");
    await field.press("Enter");
    await page.getByText("A URL can't contain spaces").waitFor();
    await clean(page, "the destination");
    await field.fill("example.com/elsewhere");
    await field.press("Enter");
    await page.locator(".saved").waitFor();
    await shot(page, "link-saved");
    assert.equal((await link("in-place")).original_url, "https://example.com/elsewhere");
    await button(page, "Undo").click();
    await until(
      async () => (await link("in-place")).original_url === "https://example.com/in-place",
      "the destination as it was",
    );
    await page.locator(".leads").getByText("example.com/in-place").waitFor();
  });

  test("what others changed meanwhile is told, and replaced only on purpose", async () => {
    await add("together", { title: "Ours" });
    const page = await open("together", { expect: [/status of 412/] });
    const other = (fields) => it.server.api("PATCH", "/api/urls/together", fields);
    await button(page, "Change the destination").click();
    const field = page.getByLabel("Destination", { exact: true });
    await field.fill("https://example.com/mine");
    await other({ original_url: "https://example.com/theirs" });
    await field.press("Enter");
    await page.getByText("Someone else changed it to https://example.com/theirs").waitFor();
    assert.equal(await field.inputValue(), "https://example.com/mine");
    await field.press("Enter");
    await page.locator(".saved").waitFor();
    assert.equal((await link("together")).original_url, "https://example.com/mine");

    const dialog = await edit(page);
    await dialog.getByLabel("Title").fill("Mine");
    await other({ title: "Theirs", tags: ["team"] });
    await button(dialog, "Save").click();
    await dialog
      .getByText("Someone else edited this link. Your text is kept; save again to " + "overwrite.")
      .waitFor();
    await dialog.getByText("Title changed from “Ours” to “Theirs”").waitFor();
    await dialog.getByText("Tagged team").waitFor();
    assert.equal(await dialog.getByLabel("Title").inputValue(), "Mine", "what was typed stays");
    await button(dialog, "Remove team").waitFor();
    await clean(page, "a conflict");
    await shot(page, "edit-conflict");
    await button(dialog, "Save again").click();
    await closed(page);
    const { title, tags } = await link("together");
    assert.deepEqual([title, tags], ["Mine", ["team"]]);
  });

  for (const [name, size] of Object.entries(sizes)) {
    test(`every field of the form is kept and shown, ${name}`, async () => {
      const code = `form-${name}`;
      await add(code);
      const page = await open(code, size);
      const dialog = await edit(page, size);
      await dialog.getByLabel("Destination", { exact: true }).fill("https://example.com/a#b");
      await press(button(dialog, "UTM"), size);
      const utm = (name) => dialog.getByRole("combobox", { name });
      await utm("Source").fill("news letter");
      await utm("Medium").fill("email");
      await utm("Medium").fill("");
      assert.equal(
        await dialog.getByLabel("Destination", { exact: true }).inputValue(),
        "https://example.com/a?utm_source=news+letter#b",
      );
      await dialog.getByLabel("Title").fill("A form");
      const tags = dialog.locator("#f-tags");
      await tags.fill("shop");
      await tags.press("Enter");
      await tags.fill("Newsletter, SHOP,");
      await press(button(dialog, "Ends"), size);
      await pick(dialog, "Ends", "at a time or after clicks");
      await dialog.getByLabel("Ends on").fill("2030-05-03T18:00");
      await dialog.getByLabel("Clicks until it ends").fill("500");
      await pick(dialog, "Then show", "another page");
      await dialog.getByLabel("Page to show").fill("example.com/over");
      await press(button(dialog, "Password"), size);
      await dialog.getByLabel("Password").fill("open sesame");
      await press(button(dialog, "More"), size);
      await dialog.getByLabel("Starts").fill("2026-01-02T03:04");
      await pick(dialog, "Redirect type", "307: temporary, keeps the method");
      await dialog.getByLabel("The visitor's query parameters").check();
      await dialog.getByLabel("Note").fill("Ask Kim first.\nThen Lee.");
      await clean(page, "the form");
      if (size !== tablet) await shot(page, `edit-${name}`);
      const wide = await page.evaluate(
        () =>
          document.querySelector("dialog").scrollWidth <=
          document.querySelector("dialog").clientWidth,
      );
      assert(wide, "the form does not scroll sideways");
      await press(button(dialog, "Save"), size);
      await closed(page);
      const kept = await link(code);
      assert.deepEqual(
        { ...kept, id: 0, created_at: "", updated_at: "" },
        {
          id: 0,
          short_code: code,
          short_url: `https://sho.rt/${code}`,
          created_at: "",
          updated_at: "",
          created_by: "authenticated-user",
          click_count: 0,
          original_url: "https://example.com/a?utm_source=news+letter#b",
          title: "A form",
          note: "Ask Kim first.\nThen Lee.",
          tags: ["Newsletter", "shop"],
          starts_at: "2026-01-02T02:04:00Z",
          expires_at: "2030-05-03T16:00:00Z",
          max_clicks: 500,
          clicks_left: 500,
          expired_url: "https://example.com/over",
          password: true,
          redirect_status: 307,
          forward_query: true,
          status: "active",
        },
      );
      await page.getByRole("heading", { name: "A form" }).waitFor();
      if (size === sizes.phone)
        await page.locator("summary").getByText("Note: Ask Kim first").tap();
      for (const text of [
        "Ends 3 May 2030, 18:00",
        "500 of 500 clicks left",
        "Password",
        "Redirect 307",
        "Ask Kim first. Then Lee.",
      ])
        await page.getByText(text).first().waitFor();
      await clean(page, "the page of a link");
      if (size !== tablet) await shot(page, `link-options-${name}`);

      const again = await edit(page, size);
      const section = (name) => again.getByRole("button", { name });
      for (const [name, set] of [
        [/^UTM/, "UTM news letter"],
        [/^Ends/, "Ends 3 May 2030, 18:00 or after 500 clicks"],
        [/^Password/, "Password set"],
        [/^More/, "More start, redirect type, query, note"],
      ]) {
        const text = await section(name).textContent();
        assert.equal(text.trim().replace(/\s+/g, " "), set);
        if (!name.test("UTM")) await press(section(name), size);
      }
      await press(button(again, "Change"), size);
      await again.getByLabel("Password", { exact: true }).fill("x");
      await again.getByLabel("Password", { exact: true }).fill("");
      await press(button(again, "Keep the old password"), size);
      await press(button(again, "Remove"), size);
      await pick(again, "Ends", "never");
      await again.getByLabel("Starts").fill("");
      await press(button(again, "Save"), size);
      await closed(page);
      const left = Object.keys(await link(code));
      for (const gone of ["password", "expires_at", "max_clicks", "starts_at", "status"])
        assert(!left.includes(gone), gone);
    });

    test(`rules are made, put in order and tried, ${name}`, async () => {
      const code = `rules-${name}`;
      await add(code);
      const page = await open(code, size);
      const dialog = await edit(page, size);
      await press(button(dialog, "Rules"), size);
      await press(button(dialog, "Add a rule"), size);
      assert.equal(
        (await dialog.locator(".outcome").textContent()).trim().replace(/\s+/g, " "),
        "goes nowhere yet (rule-1)",
      );
      await dialog.getByLabel("Leads to").fill("https://apps.example/de");
      await act(dialog, "Add a condition", "Device");
      await press(button(dialog, "iPhone or iPad"), size);
      await act(dialog, "Add a condition", "Country");
      const countries = dialog.locator(".condition input").last();
      await countries.fill("germany");
      await countries.press("Enter");
      await countries.fill("AT");
      await countries.press("Enter");
      await press(button(dialog, "Done"), size);
      await dialog.getByText("iPhone or iPad in Germany or Austria").first().waitFor();
      await pick(dialog, "Country of the visitor", "Germany");
      await press(button(dialog, "Add a rule"), size);
      await dialog.getByLabel("Leads to").fill("example.com/b");
      await act(dialog, "Add a condition", "Share");
      await press(button(dialog, "Done"), size);
      await dialog.getByText("Half of the rest").waitFor();

      const outcome = dialog.locator(".outcome");
      assert.match(await outcome.textContent(), /^goes to apps\.example\/de \(rule-1\)/);
      await pick(dialog, "Country of the visitor", "France");
      assert.match(
        await outcome.textContent(),
        /^goes to example\.com\/b \(50\s?%\) \(rule-2\) or to example\.com\/rules-.* \(50\s?%\)/,
      );
      await clean(page, "rules");
      await dialog.locator(".try-it").scrollIntoViewIfNeeded();
      if (size !== tablet) await shot(page, `rules-${name}`);

      const words = () => dialog.locator(".rule-words").allTextContents();
      const order = async () => (await words()).map((text) => (/^Half/.test(text) ? "b" : "de"));
      const grip = dialog.getByRole("button", { name: /^Move rule 2/ });
      await grip.focus();
      await page.keyboard.press("ArrowUp");
      await until(async () => (await order()).join() === "b,de", "the rule above");
      assert.match(await page.evaluate(() => document.activeElement.ariaLabel), /^Move rule 1/);
      await dialog.getByText("Half of all visitors").waitFor();
      const center = async (n) => {
        const { x, y, width, height } = await dialog.locator(".grip").nth(n).boundingBox();
        return { x: x + width / 2, y: y + height / 2 };
      };
      const [from, to] = [await center(0), await center(1)];
      const below = { x: to.x, y: to.y + 12 };
      if (size.hasTouch) {
        await touch(page, [from, { x: from.x, y: (from.y + to.y) / 2 }, to, below]);
      } else {
        await page.mouse.move(from.x, from.y);
        await page.mouse.down();
        await page.mouse.move(below.x, below.y, { steps: 8 });
        await page.mouse.up();
      }
      await until(async () => (await order()).join() === "de,b", "the rule below");
      await press(button(dialog, "Save"), size);
      await closed(page);
      assert.deepEqual((await link(code)).rules, [
        {
          name: "rule-1",
          when: { device: ["ios"], country: ["DE", "AT"] },
          url: "https://apps.example/de",
        },
        { name: "rule-2", share: 50, url: "https://example.com/b" },
      ]);
      if (size === sizes.phone) await page.locator("summary").getByText("Rules 2").tap();
      const said = page.getByRole("list", { name: "Rules in words" }).getByRole("listitem");
      await until(async () => (await said.count()) === 3, "two rules, and everyone else");
    });
  }

  test("try it says what the server does", async () => {
    const to = (name) => `https://${name}.example/`;
    await add("tried", {
      rules: [
        { name: "apple", when: { device: ["ios"], browser: ["safari"] }, url: to("apple") },
        {
          name: "german",
          when: { language: ["de", "fr"], device: ["mobile", "desktop"] },
          url: to("german"),
        },
        { name: "swiss", when: { language: ["de-CH"] }, url: to("swiss") },
        { name: "print", when: { query: { ref: "print" } }, url: to("print") },
        {
          name: "windows",
          when: { device: ["windows"], after: "2020-01-01T00:00:00Z" },
          url: to("windows"),
        },
        { name: "over", when: { before: "2020-01-01T00:00:00Z" }, url: to("over") },
      ],
    });
    const agents = {
      iphone:
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 " +
        "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
      phone:
        "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) " +
        "Chrome/140.0.0.0 Mobile Safari/537.36",
      tablet:
        "Mozilla/5.0 (Linux; Android 15; SM-X710) AppleWebKit/537.36 (KHTML, like Gecko) " +
        "Chrome/140.0.0.0 Safari/537.36",
      windows:
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " +
        "Chrome/140.0.0.0 Safari/537.36",
    };
    const deviceNames = {
      iphone: "iPhone",
      phone: "Android phone",
      tablet: "Android tablet",
      windows: "Windows PC",
    };
    const languageOf = new Intl.DisplayNames("en-GB", { type: "language" });
    const page = await open("tried");
    const dialog = await edit(page);
    await dialog.getByRole("button", { name: /^Rules/ }).click();
    for (const [device, agent] of Object.entries(agents)) {
      for (const language of ["en", "de", "fr", "de-CH"]) {
        for (const query of ["", "ref=print"]) {
          const answer = await fetch(`${it.server.url}/tried${query && `?${query}`}`, {
            redirect: "manual",
            headers: { "User-Agent": agent, "Accept-Language": language },
          });
          const where = answer.headers.get("location");
          await pick(dialog, "Device of the visitor", deviceNames[device]);
          await pick(dialog, "Language of the visitor", languageOf.of(language));
          await pick(dialog, "Query of the visit", query || "no query");
          const text = await dialog.locator(".outcome b").textContent();
          assert.equal(
            `https://${text}`.replace(/\/?$/, "/"),
            where.replace(/\/?$/, "/"),
            `${device} ${language} ${query}`,
          );
        }
      }
    }
  });

  test("what is wrong is said beside its field, and leaving asks", async () => {
    await add("wrong");
    const page = await open("wrong", { expect: [/status of 400/] });
    const dialog = await edit(page);
    await dialog.getByLabel("Title").fill("x".repeat(201));
    await button(dialog, "Save").click();
    await dialog.getByText("A title can have at most 200 characters.").waitFor();
    await until(
      () => dialog.getByLabel("Title").evaluate((e) => e === document.activeElement),
      "the focus on the title",
    );
    await dialog.getByLabel("Title").fill("Fine");
    await button(dialog, "Ends").click();
    await pick(dialog, "Ends", "after a number of clicks");
    await button(dialog, "Save").click();
    await dialog.getByText("Enter a number from 1 to 1,000,000,000.").waitFor();
    await pick(dialog, "Ends", "never");
    await dialog.getByLabel("Destination", { exact: true }).fill("https://sho.rt/launch");
    await button(dialog, "Save").click();
    await dialog.getByText("That's already a short link on this server.").waitFor();
    await button(dialog, "Rules").click();
    await button(dialog, "Add a rule").click();
    await button(dialog, "Save").click();
    await dialog.getByText("Enter where the rule leads").waitFor();
    await clean(page, "problems");

    await page.keyboard.press("Escape");
    await dialog.getByText("Discard your changes?").waitFor();
    await button(dialog, "Keep editing").click();
    await page.keyboard.press("Escape");
    await button(dialog, "Discard").click();
    await closed(page);
    assert.equal((await link("wrong")).title, undefined);
    await page.keyboard.press("e");
    await page.getByRole("dialog", { name: /^Edit/ }).waitFor();
    await page.keyboard.press("Escape");
    await closed(page);
  });

  test("what only the server refuses is said beside its field, too", async () => {
    await add("refused", {
      rules: [{ name: "a", when: { query: { ref: "a" } }, url: "https://a.example/" }],
    });
    const page = await open("refused", { expect: [/status of 400/] });
    const dialog = await edit(page);
    const refused = async (field, message, control) => {
      await button(dialog, "Save").click();
      await dialog
        .locator(`[id$="-${field}-problem"]`)
        .getByText(message, { exact: true })
        .waitFor();
      await until(
        () => control.evaluate((e) => e === document.activeElement),
        `the focus on ${field}`,
      );
    };
    const isOurs = "That's already a short link on this server.";
    const title = dialog.getByLabel("Title"),
      tags = dialog.locator("#f-tags");
    await title.fill("a\u0085b");
    await refused(
      "title",
      "Title must be 1 to 200 characters, not only spaces, none a control " + "character.",
      title,
    );
    await title.fill("");
    await tags.fill(".");
    await tags.press("Enter");
    await refused(
      "tags",
      "Tags must be up to 20, each 1 to 40 characters, without commas and " +
        "control characters, and neither . nor ..",
      tags,
    );
    await button(dialog, "Remove .").click();
    await button(dialog, "Ends").click();
    await pick(dialog, "Ends", "after a number of clicks");
    await dialog.getByLabel("Clicks until it ends").fill("5");
    await pick(dialog, "Then show", "another page");
    const address = dialog.getByLabel("Page to show");
    await address.fill("https://sho.rt/launch");
    await refused("expired_url", isOurs, address);
    await pick(dialog, "Then show", "a page that says so");
    await button(dialog, "More").click();
    const note = dialog.getByLabel("Note");
    await note.fill("a\u0001b");
    await refused(
      "note",
      "Note must be 1 to 2000 characters, not only spaces, none a control " +
        "character but tabs and line breaks.",
      note,
    );
    await note.fill("");
    await dialog.getByRole("button", { name: /^Rules/ }).click();
    await button(dialog, "Edit rule 1").click();
    const leads = dialog.getByLabel("Leads to");
    await leads.fill("https://sho.rt/launch");
    await refused("url", isOurs, leads);
    await clean(page, "what the server refuses");
    await leads.fill("https://a.example/");
    const query = dialog.locator('[data-condition$="-query"] input');
    await query.fill(`long=${"x".repeat(501)}`);
    await query.press("Enter");
    await button(dialog, "Done").click();
    await refused(
      "query",
      "Rules[0].when.query must have names of 1 to 500 characters, and " + "values of at most 500.",
      query,
    ); // which opens the rule again
    await page.keyboard.press("Escape");
    await button(dialog, "Discard").click();
    await closed(page);
    assert.equal((await link("refused")).updated_at, undefined);
  });

  for (const [name, size] of Object.entries(sizes)) {
    test(`a dialog begins with its first field, and gives the focus back, ${name}`, async () => {
      await add(`focus-${name}`, { title: "Focus" });
      const page = await open(`focus-${name}`, size);
      const focused = () =>
        page.evaluate(
          () => document.activeElement.getAttribute("aria-label") ?? document.activeElement.id,
        );
      const has = (what) => until(async () => (await focused()) === what, `the focus on ${what}`);
      const dialog = await edit(page, size);
      await has("f-original_url");
      await dialog.getByLabel("Title").fill("Other");
      await page.keyboard.press("Escape");
      await dialog.getByText("Discard your changes?").waitFor();
      await until(
        () => button(dialog, "Keep editing").evaluate((e) => e === document.activeElement),
        "the focus on what keeps",
      );
      await page.keyboard.press("Escape"); // which asks already
      await page.keyboard.press("Enter");
      await dialog.getByText("Discard your changes?").waitFor({ state: "detached" });
      await has("f-title");
      assert.equal(await dialog.getByLabel("Title").inputValue(), "Other");
      await press(button(dialog, "Cancel"), size);
      await press(button(dialog, "Discard"), size);
      await closed(page);
      await until(
        () => button(page, "Edit").evaluate((e) => e === document.activeElement),
        "the focus where it was",
      );
      await press(button(page, "QR code").first(), size);
      await page.getByRole("dialog").getByText("QR code", { exact: true }).waitFor();
      assert.equal(await page.evaluate(() => document.activeElement.type), "color");
      await page.keyboard.press("Escape");
      await closed(page);
      await press(button(page, "More actions"), size);
      const role = size === phone ? "button" : "menuitem";
      await press(page.getByRole(role, { name: "Delete statistics", exact: true }), size);
      await page.getByRole("dialog", { name: "Delete statistics" }).waitFor();
      assert.equal(await page.evaluate(() => document.activeElement.textContent), "Cancel");
    });
  }

  test("a time is whole, and its year has four digits", async () => {
    await add("years");
    const page = await open("years");
    const dialog = await edit(page);
    const year = new Date().getFullYear();
    const problem = `Enter a day and a time, such as 31 Dec ${year}, 18:00.`;
    for (const name of ["Ends", "More", "Rules"]) await button(dialog, name).click();
    await pick(dialog, "Ends", "at a time");
    await button(dialog, "Add a rule").click();
    await dialog.getByLabel("Leads to").fill("https://years.example/");
    await act(dialog, "Add a condition", "From");
    const fields = new Map([
      ["Ends on", dialog.getByLabel("Ends on")],
      ["From", dialog.locator('[data-condition$="-after"] input')],
      ["Starts", dialog.getByLabel("Starts")],
    ]);
    for (const [name, field] of fields) {
      await field.fill("12026-05-03T18:00");
    }
    for (const [name, field] of fields) {
      await button(dialog, "Save").click();
      await until(() => field.evaluate((e) => e === document.activeElement), `the focus: ${name}`);
      assert.equal(await field.getAttribute("aria-invalid"), "true");
      await dialog
        .locator(`[id="${await field.getAttribute("aria-describedby")}"]`)
        .getByText(problem)
        .waitFor();
      await field.fill("2026-05-03T18:00");
      if (name === "Ends on") await field.fill("2027-05-03T18:00");
    }
    // What is typed by half is no time, and is not left out.
    const starts = fields.get("Starts");
    await starts.fill("");
    await starts.focus();
    await page.keyboard.type("03");
    await button(dialog, "Save").click();
    await dialog.getByText(problem).waitFor();
    assert.equal(await starts.inputValue(), "03");
    await starts.fill("2026-05-03T18:00");
    await button(dialog, "Save").click();
    await closed(page);
    const { starts_at: begins, expires_at: ends, rules } = await link("years");
    assert.deepEqual(
      [begins, ends, rules[0].when.after],
      ["2026-05-03T16:00:00Z", "2027-05-03T16:00:00Z", "2026-05-03T16:00:00Z"],
    );
  });

  test("what is typed survives a server that is away", async () => {
    await add("away");
    const page = await open("away", { expect: [/ERR_FAILED/, /NetworkError/] });
    const dialog = await edit(page);
    await dialog.getByLabel("Title").fill("Still here");
    await page.route("**/api/urls/away", (route) => route.abort());
    await button(dialog, "Save").click();
    await dialog.getByText("Not saved: can't reach the server.").waitFor();
    await page.unroute("**/api/urls/away");
    await button(dialog, "Save").click();
    await closed(page);
    assert.equal((await link("away")).title, "Still here");
  });

  for (const colorScheme of schemes) {
    test(`axe finds nothing in the form, ${colorScheme}`, async () => {
      const rules = [
        {
          name: "x",
          url: "https://example.com/x",
          when: {
            device: ["ios"],
            browser: ["safari"],
            language: ["de"],
            country: ["DE"],
            query: { a: null },
            after: "2026-01-01T00:00:00Z",
            address: ["192.0.2.0/24"],
          },
          share: 20,
        },
      ];
      const code = `axe-${colorScheme}`;
      await add(code, {
        title: "All",
        tags: ["a", "b"],
        password: "x",
        rules,
        max_clicks: 3,
        disabled: true,
        note: "note",
      });
      const page = await open(code, { colorScheme });
      await clean(page, "the link");
      const dialog = await edit(page);
      for (const name of [/^UTM/, /^Ends/, /^Password/, /^Rules/, /^More/])
        await dialog.getByRole("button", { name }).click();
      await button(dialog, "Edit rule 1").click();
      await clean(page, "the form with a rule");
      await shot(page, `edit-rule-${colorScheme}`, { fullPage: true });
    });
  }
});
