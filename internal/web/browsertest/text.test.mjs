import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inFirefox, panel, suite, until } from "./harness.mjs";

// Text of people, in whatever length and characters it comes.
describe("text", () => {
  const it = suite({ data: false });
  const widths = { 320: 640, 390: 844, 820: 1180, 1440: 900 };
  const touches = (width) => (width < 1000 ? { hasTouch: true } : {});
  const counted = (code) =>
    until(
      async () => (await it.server.api("GET", `/api/urls/${code}`)).body.click_count === 1,
      "the click",
    );
  const button = (page, name) => page.getByRole("button", { name, exact: true });

  test("an underscore shows in every field of a URL", async () => {
    await it.server.api("POST", "/api/urls", {
      original_url: "https://example.com/",
      short_code: "fields",
      rules: [{ name: "de", when: { country: ["DE"] }, url: "https://example.com/de" }],
    });
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ]) {
      const page = await it.open("/ui/", {
        viewport: { width, height },
        expect: inFirefox ? [/style-src-elem/] : [],
      }); // a style of Playwright, for pictures
      const shows = async (field, what) => {
        const seen = [];
        for (const text of ["____", "    "]) {
          await field.fill(`https://example.com/${text}`);
          await field.blur(); // a caret would blink
          seen.push((await field.screenshot()).toString("base64"));
        }
        assert.notEqual(seen[0], seen[1], `${what}, ${width}`);
      };
      await shows(page.getByLabel("Long URL"), "a new link's URL");
      await page.goto("/ui/links/fields");
      await button(page, "Change the destination").click();
      await shows(page.getByLabel("Destination"), "a destination in place");
      await button(page, "Edit").click();
      const dialog = page.getByRole("dialog");
      await shows(dialog.getByLabel("Destination"), "a destination in the form");
    }
  });

  test("letters of a path are shown as its preview shows them", async () => {
    const path = "/%D9%85%D8%B1%D8%AD%D8%A8%D8%A7/gr%C3%BC%C3%9Fe%20an%2Falle%E2%80%AE%C3";
    const { status } = await it.server.api("POST", "/api/urls", {
      original_url: `https://example.com${path}?q=%C3%BC`,
      short_code: "letters",
    });
    assert.equal(status, 201);
    const shown = "/مرحبا/grüße%20an%2Falle%E2%80%AE%C3";
    const page = await it.open("/ui/");
    const row = page.locator(".row", { has: page.locator('.row-link:text-is("letters")') });
    assert.ok((await row.locator(".row-url").textContent()).endsWith(`${shown}?q=%C3%BC`));
    await page.goto("/ui/links/letters");
    await page.locator(".leads").getByText("مرحبا").waitFor();
    await button(page, "Change the destination").click();
    assert.ok((await page.getByLabel("Destination").inputValue()).includes(path), "it is no text");
    await page.goto("/letters+");
    await page.getByText("grüße%20an%2Falle%E2%80%AE%C3").waitFor();
  });

  test("what can be done with a link waits for its title, and moves nowhere", async () => {
    await it.server.api("POST", "/api/urls", {
      original_url: "https://example.com/titled",
      short_code: "titled",
      title: "A title",
    });
    const page = await it.open(null);
    let answer;
    const held = new Promise((resolve) => {
      answer = resolve;
    });
    await page.route("**/api/urls/titled", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto("/ui/links/titled");
    await page.locator(".link-short").waitFor();
    assert.equal(await button(page, "Copy the short URL").isVisible(), false);
    answer();
    await page.getByRole("heading", { name: "A title" }).waitFor();
    await button(page, "Copy the short URL").waitFor();
  });

  // Turned is text that shows as "abcgpj.exe" where it is not spelled out, hidden shows as nothing.
  const turned = "abc\u202egpj.exe",
    spelled = "abc[U+202E]gpj.exe",
    hidden = "\u200b\u00ad";
  const raw = /[\u00ad\u200b\u202e]/;

  test("that would hide or turn other text is spelled out wherever it shows", async () => {
    const path = "/ui/links/turned";
    const { status } = await it.server.api("POST", "/api/urls", {
      short_code: "turned",
      original_url: `https://example.com/${turned}`,
      title: turned + hidden,
      note: `a\n${turned}`,
      tags: [turned, `${turned}-2`, `${turned}-3`],
      expired_url: `https://example.com/${turned}`,
      rules: [
        {
          name: turned,
          when: { query: { [turned]: turned } },
          url: `https://example.com/${turned}`,
        },
      ],
    });
    assert.equal(status, 201);
    await it.server.api("PATCH", "/api/urls/turned", { title: turned });
    await it.server.api("PATCH", "/api/urls/turned", { title: `${turned}!` });
    const kept = encodeURIComponent(turned);
    await it.server.click(`turned?utm_source=${kept}&utm_medium=${kept}&utm_campaign=${kept}`);
    await counted("turned");
    const page = await it.open(null);
    const look = async (what) => {
      const shown = await page.evaluate(() => [
        document.title,
        document.body.innerText,
        ...[...document.querySelectorAll("body *")].flatMap((e) =>
          ["title", "aria-label", "placeholder"].map((name) => e.getAttribute(name) ?? ""),
        ),
        ...[...document.querySelectorAll("option, .unseen")].map((e) => e.textContent),
      ]);
      assert.deepEqual(
        shown.filter((text) => raw.test(text)),
        [],
        what,
      );
    };
    // beside says that a field is followed by what it can't show.
    const beside = (field) =>
      page
        .locator(".spelled", { hasText: spelled })
        .and(field.locator("xpath=following-sibling::*"))
        .first()
        .waitFor();
    await page.goto(`${path}?source=${kept}`);
    await page.locator(".history li").first().waitFor();
    await panel(page, "Referrers").locator(".bar").first().waitFor();
    await until(async () => (await page.title()) === `${spelled}! · turned · terse`, "the title");
    await look("the page of a link");
    await button(page, "Change the destination").click();
    await beside(page.getByLabel("Destination"));
    await page.keyboard.press("Escape");
    await button(page, "Edit").click();
    const dialog = page.getByRole("dialog");
    for (const name of [/^Ends/, /^Rules/, /^More/])
      await dialog.getByRole("button", { name }).click();
    for (const label of ["Destination", "Title", "Note", "Page to show"]) {
      await beside(dialog.getByLabel(label, { exact: true }));
    }
    await button(dialog, "Edit rule 1").click();
    for (const label of ["Leads to", "Name in statistics"]) {
      await beside(dialog.getByLabel(label));
    }
    await look("the form");
    await button(dialog, `Remove ${spelled}`).first().click();
    await until(
      async () => (await page.locator("#said").textContent()) === `Removed ${spelled}`,
      "what is said",
    );
    await page.goto("/ui/");
    await page.locator(".rows .row").first().waitFor();
    await page.getByLabel("Long URL").fill(`https://example.com/${turned}`);
    await page.locator(".create .spelled", { hasText: spelled }).waitFor();
    await page.locator(".known").waitFor();
    await look("the list");
    await page.goto(`/ui/?tag=${kept}`);
    await button(page, "Rename or delete this tag").click();
    await beside(dialog.getByLabel("Name", { exact: true }));
    await dialog.getByLabel("Name", { exact: true }).fill(`${turned}-4`);
    await button(dialog, "Rename").click();
    await page.locator(".toast", { hasText: `Renamed ${spelled} to ${spelled}-4` }).waitFor();
    await look("a message");
    await page.locator(".row-link").first().focus();
    await page.keyboard.press("x");
    await button(page.locator(".selection"), "Tag").click();
    await page.locator(".take-off").waitFor();
    await look("the dialog that tags links");
    await page.goto("/ui/overview?show=clicks");
    await panel(page, "Top links").locator(".bar").first().waitFor();
    await look("the overview");
    const { body: shared } = await it.server.api("POST", "/api/urls/turned/share");
    await page.goto(new URL(shared.url).pathname);
    await page.getByRole("heading", { name: `${spelled}!` }).waitFor();
    await until(async () => (await page.title()) === `${spelled}! · terse`, "the title");
    await look("a shared page");
  });

  test("keeps what scripts and emoji are made of", async () => {
    const title =
      "\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u2764\ufe0f " +
      "\u0646\u0645\u06cc\u200c\u062e " +
      "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}";
    await it.server.api("POST", "/api/urls", {
      short_code: "emoji",
      title: `${title}\u{e0041}`,
      original_url: "https://example.com/",
    });
    const page = await it.open("/ui/links/emoji");
    await page.getByRole("heading", { name: `${title}[U+E0041]`, exact: true }).waitFor();
    await button(page, "Edit").click();
    await page.getByRole("dialog").locator(".spelled").waitFor();
    await page.getByRole("dialog").getByLabel("Title").fill(title);
    await page.getByRole("dialog").locator(".spelled").waitFor({ state: "detached" });
  });

  // beyond returns what is wider than the page or its dialog, and not cut off by what it stands in.
  const beyond = (page) =>
    page.evaluate(() => {
      const root = document.documentElement;
      const cuts = (e) =>
        e &&
        e !== document.body &&
        e !== root &&
        ((e.tagName !== "DIALOG" && getComputedStyle(e).overflowX !== "visible") ||
          cuts(e.parentElement));
      const isBeyond = (rect, e) => {
        const edges = e.closest("dialog")?.getBoundingClientRect() ?? {
          left: 0,
          right: root.clientWidth,
        };
        return rect.left < edges.left - 1 || rect.right > edges.right + 1;
      };
      const rectOf = (text) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        return range.getBoundingClientRect();
      };
      const shown = [...document.querySelectorAll("body *:not(.unseen, .unseen *)")].filter(
        (e) => e.checkVisibility() && !e.closest("select, option, .skip"),
      );
      return shown
        .filter(
          (e) =>
            (!cuts(e.parentElement) && isBeyond(e.getBoundingClientRect(), e)) ||
            (!cuts(e) &&
              [...e.childNodes].some(
                (text) =>
                  text.nodeType === Node.TEXT_NODE && text.data.trim() && isBeyond(rectOf(text), e),
              )),
        )
        .map((e) => e.outerHTML.slice(0, 120));
    });

  // long is text of n letters without a space.
  const long = (letter, n) => letter.repeat(n);
  const tag = long("T", 40),
    ruleName = long("R", 40);
  const sourceOf = (n) => long("s", n);
  const labels = { 60: [60], 200: [63, 63, 63] };
  const hostOf = (n) => `${labels[n].map((of) => long("h", of)).join(".")}.example`;

  async function makeLong(n) {
    const code = `long-${n}`;
    const options = {
      title: long("W", n),
      note: long("n", n),
      tags: [tag, long("U", 40)],
      expired_url: `https://example.com/${long("e", n)}`,
      rules: [
        {
          name: ruleName,
          when: { query: { [long("q", n)]: long("v", n) } },
          url: `https://example.com/${long("r", n)}`,
        },
        { name: "rest", url: `https://${hostOf(n)}/` },
      ],
    };
    assert.equal(
      (
        await it.server.api("POST", "/api/urls", {
          short_code: code,
          ...options,
          original_url: `https://${hostOf(n)}/${long("p", n)}`,
        })
      ).status,
      201,
    );
    for (const change of [{ title: long("X", n) }, { title: options.title, tags: [tag] }]) {
      await it.server.api("PATCH", `/api/urls/${code}`, change);
    }
    const source = sourceOf(n);
    await it.server.click(
      `${code}?utm_source=${source}&utm_medium=${source}&utm_campaign=${source}` +
        `&${long("q", n)}=${long("v", n)}`,
      { Referer: `https://${hostOf(n)}/${long("f", n)}` },
    );
    await counted(code);
    const { body } = await it.server.api(
      "GET",
      `/api/urls/${code}/clicks?by=source,medium,campaign,referrer_host,rule`,
    ); // as they are kept
    const filters = ["source", "medium", "campaign", "referrer_host", "rule"].map((name) => [
      name,
      Object.keys(body[`by_${name}`])[0],
    ]);
    return [`/ui/links/${code}`, new URLSearchParams(filters)];
  }

  test("without spaces widens no page, dialog or message", async () => {
    const links = { 60: await makeLong(60), 200: await makeLong(200) };
    const { body: shared } = await it.server.api("POST", "/api/urls/long-200/share");
    const wide = [];
    for (const [width, height] of Object.entries(widths)) {
      const page = await it.open(null, {
        viewport: { width: Number(width), height },
        ...touches(width),
      });
      const look = async (what) => {
        const found = await beyond(page);
        if (found.length) wide.push(`${what}, ${width}: ${found[0]} and ${found.length - 1} more`);
      };
      for (const [n, [path, filters]] of Object.entries(links)) {
        if (n === "60" && width !== "390") continue; // fits where 200 do
        await page.goto(`${path}?${filters}`);
        await panel(page, "Rules").locator(".bar").first().waitFor();
        await until(async () => {
          await page.locator("#latest-title").scrollIntoViewIfNeeded();
          return await panel(page, "Latest clicks").locator("td").count();
        }, "the latest clicks");
        await page.locator(".history li").first().waitFor({ state: "attached" });
        await page.locator("details").evaluateAll((all) => {
          for (const details of all) details.open = true;
        });
        await look(`the page of a link, ${n}`);
        await panel(page, "Rules")
          .getByRole("button", { name: /^More for RRR/ })
          .click();
        await page.locator('dialog[open], [role="menu"]').waitFor();
        await look(`the menu of a value, ${n}`);
        await page.keyboard.press("Escape");
        await button(page, "Edit").click();
        await page
          .getByRole("dialog")
          .getByRole("button", { name: /^Rules/ })
          .click();
        await page.getByRole("dialog").getByText("Try it").waitFor();
        await look(`the form, ${n}`);
        await page.keyboard.press("Escape");
        await page.goto(`${path}?tab=referrer&tab=source`);
        await panel(page, "Referrers").locator(".bar").first().waitFor();
        await look(`whole referrers, ${n}`);
      }
      await page.goto("/ui/overview");
      await panel(page, "Top links").locator(".bar").first().waitFor();
      await look("the overview");
      await page.goto(`/ui/?tag=${tag}`);
      await page.locator(".rows .row").first().waitFor();
      await look("the list");
      if (width !== "320") continue; // which is narrower than any dialog would like to be
      await button(page, "Rename or delete this tag").click();
      await button(page.getByRole("dialog"), "Delete tag").click();
      await page.getByText("Delete the tag").waitFor();
      await look("the dialog that deletes a tag");
      await page.keyboard.press("Escape");
      await page.locator(".row-link").first().focus();
      await page.keyboard.press("x");
      await button(page.locator(".selection"), "Tag").click();
      await page.locator(".take-off").waitFor();
      await look("the dialog that tags links");
      await page.keyboard.press("Escape");
      await button(page, "Rename or delete this tag").click();
      await page.getByLabel("Name", { exact: true }).fill(tag.replace(/T$/, width[0]));
      await button(page, "Rename").click();
      await page.locator(".toast", { hasText: "Renamed" }).waitFor();
      await look("a message");
      await it.server.api("PATCH", `/api/tags/${tag.replace(/T$/, width[0])}`, { name: tag });
      await page.goto(new URL(shared.url).pathname);
      await page.getByRole("heading", { name: long("W", 200) }).waitFor();
      await look("a shared page");
      await page.goto(`/ui/?search=${long("N", 200)}`);
      await page.getByText("No matches for").waitFor();
      await look("a search without matches");
    }
    assert.deepEqual(wide, []);
  });
});
