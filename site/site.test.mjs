// The site in a browser: what it looks like on a phone and on a desk, in light and dark, and what
// readers do. browser_test.go runs this, in Chromium and, but for what only looks, in Firefox.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { clean, copied, inFirefox, launch, watch } from "../internal/web/browsertest/harness.mjs";

const { SITE_URL: site, SITE_FOLDER: folder, SITE_PAGES: pages } = process.env;
const phone = { width: 390, height: 844 };
const desk = { width: 1440, height: 900 };
const patience = 60_000; // for what has to happen; nothing is tested for being quick

const browser = await launch();
after(() => browser.close());

// opened passes a page to a test, and fails if the page saw an error or asked another host.
async function opened(path, options, what) {
  const { expect = [], ...context } = options;
  const pageContext = await browser.newContext({ viewport: desk, ...context });
  pageContext.setDefaultTimeout(patience);
  const page = await pageContext.newPage();
  const url = new URL(path, site);
  const seen = watch(page, url.origin, expect);
  try {
    await page.goto(url.href);
    await what(page);
    assert.deepEqual(seen, []);
  } finally {
    await pageContext.close();
  }
}

// isNarrow fails if a page can be scrolled sideways.
async function isNarrow(page, what) {
  const [wide, room] = await page.evaluate(() => {
    const root = document.documentElement;
    return [root.scrollWidth, root.clientWidth];
  });
  assert.ok(wide <= room, `${what}: ${wide} pixels in ${room}`);
}

const looks = inFirefox ? [] : JSON.parse(pages);
for (const name of looks)
  test(`${name} is readable`, async () => {
    await opened(name, {}, async (page) => {
      for (const [size, viewport] of Object.entries({ desk, phone })) {
        await page.setViewportSize(viewport);
        await page.waitForFunction(
          (width) =>
            innerWidth === width &&
            [...document.querySelectorAll(".table, .code pre")].every(
              (it) => it.scrollWidth > it.clientWidth === it.hasAttribute("tabindex"),
            ),
          viewport.width,
        );
        for (const colorScheme of ["light", "dark"]) {
          await page.emulateMedia({ colorScheme });
          await clean(page, `${name}, ${size}, ${colorScheme}`);
        }
        await isNarrow(page, `${name}, ${size}`);
      }
    });
  });

// results opens the search, types, and returns what is found when the answer is there.
async function results(page, text) {
  await page.keyboard.press("/");
  const field = page.getByRole("combobox", { name: "Search" });
  await field.fill(text);
  await page
    .getByRole("status")
    .getByText(/result|The first|Nothing/)
    .waitFor();
  return page
    .getByRole("option")
    .evaluateAll((all) =>
      all.map((it) => new URL(it.href).pathname.replace(/.*\/below\//, "") + new URL(it.href).hash),
    );
}

for (const [text, want] of Object.entries({
  password: "link-options.html#a-password",
  backup: "backup.html",
  "sign in": "sign-in.html",
  BASE_URL: "settings.html#base_url",
  base_u: "settings.html#base_url",
  "what the rows mean": "performance.html#what-the-rows-mean",
  "--data-dir": "settings.html#data_dir",
  bookmarklet: "dashboard.html#from-other-pages-and-apps", // in the middle of a page
  bookmraklet: "dashboard.html#from-other-pages-and-apps", // mistyped
  "kutt sqlite": "moving/kutt.html",
  kubernetes: "install.html#kubernetes",
  k8s: "install.html#kubernetes",
  SSO: "sign-in.html",
  mac: "install.html#homebrew",
  "migrate shlink": "moving/shlink.html",
  uninstall: "deploy.html#systemd",
  "rotate token": "accounts.html#when-a-token-has-leaked",
  "reset token": "accounts.html#when-a-token-has-leaked",
  "install nixos": "install.html#nix-and-nixos",
  fedora: "install.html#fedora-and-its-relatives",
  checksum: "install.html#the-binary",
  "bookmarklet nowhereatall": "dashboard.html#from-other-pages-and-apps", // not all words
}))
  test(`the search finds ${text}`, () =>
    opened("format/block.html", {}, async (page) => {
      const found = await results(page, text);
      assert.ok(found.slice(0, 5).includes(want), `${text}: ${found.slice(0, 8).join(" ")}`);
    }));

test("the search works with the keyboard alone", () =>
  opened("moving/kutt.html", {}, async (page) => {
    assert.deepEqual(await results(page, "nowhereatall"), []);
    const contents = page.getByRole("status").getByRole("link", { name: "contents" });
    assert.equal(await contents.evaluate((it) => it.href), new URL("contents.html", site).href);
    const found = await results(page, "backup");
    const dialog = page.getByRole("dialog", { name: "Search" });
    const field = dialog.getByRole("combobox");
    const chosen = () => dialog.getByRole("option", { selected: true }).getAttribute("id");
    assert.equal(await chosen(), "theResult0");
    await page.keyboard.press("ArrowDown");
    assert.equal(await chosen(), "theResult1");
    assert.equal(await field.getAttribute("aria-activedescendant"), "theResult1");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    assert.equal(await chosen(), `theResult${found.length - 1}`);
    if (!inFirefox) await clean(page, "the search");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await page.keyboard.press("/");
    await dialog.waitFor();
    await page.keyboard.press("ArrowDown");
    const want = found[0]; // behind the last
    await page.keyboard.press("Enter");
    await page.waitForURL(new URL(want, site).href);
  }));

test("the search leads to a place of the same page", () =>
  opened("settings.html", {}, async (page) => {
    await results(page, "TLS_KEY_FILE");
    await page.keyboard.press("Enter");
    await page.waitForURL(/settings\.html#tls_key_file$/);
    await page.getByRole("dialog", { name: "Search" }).waitFor({ state: "hidden" });
    const { y } = await page.locator("#tls_key_file").boundingBox();
    assert.ok(y > 53 && y < 900, `${y}`); // below the header
  }));

test("the menu opens on a phone", () =>
  opened("sign-in/google.html", { viewport: phone }, async (page) => {
    const menu = page.getByRole("navigation", { name: "Pages", exact: true });
    assert.equal(await menu.isVisible(), false);
    await page.getByRole("button", { name: "Menu" }).click();
    await menu.waitFor();
    if (!inFirefox) await clean(page, "the menu");
    assert.equal(await menu.locator("[aria-current=page]").textContent(), "Google");
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Menu" }).click();
    await menu.getByRole("link", { name: "Backups" }).click();
    await page.waitForURL(/\/backup\.html$/);
  }));

test("pages lead to the next and the one before", () =>
  opened("moving/kutt.html", {}, async (page) => {
    await page.getByRole("link", { name: "Next From mjr.wtf" }).click();
    await page.waitForURL(/\/moving\/mjrwtf\.html$/);
    await page.getByRole("link", { name: "Previous From Kutt" }).click();
    await page.waitForURL(/\/moving\/kutt\.html$/);
  }));

test("code is copied", () =>
  opened(
    "index.html",
    { permissions: inFirefox ? [] : ["clipboard-read", "clipboard-write"] },
    async (page) => {
      const code = page.locator(".code").first();
      await code.hover();
      await code.getByRole("button", { name: "Copy" }).click();
      await code.getByRole("button", { name: "Copied" }).waitFor();
      const text = await copied(page);
      assert.match(text, /^curl -fLO https:.*\n.*\nterse serve\n$/);
    },
  ));

for (const [size, viewport] of Object.entries({ desk, phone }))
  test(`nothing covers code, ${size}`, () =>
    opened("install.html", { viewport }, async (page) => {
      const covered = await page.locator(".code").evaluateAll((all) =>
        all.filter((it) => {
          const [code, copy] = ["pre", ".copy"].map((part) =>
            it.querySelector(part).getBoundingClientRect(),
          );
          return copy.left < code.right && copy.bottom > code.top + 8;
        }),
      );
      assert.ok((await page.locator(".code .copy").count()) > 3);
      assert.equal(covered.length, 0);
    }));

test("the search opens with Ctrl-K", () =>
  opened("tls.html", {}, async (page) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Search" }).waitFor();
  }));

test("the link to the text does not mark it", () =>
  opened("tls.html", {}, async (page) => {
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(/#theText$/);
    const background = () =>
      page.evaluate(() => getComputedStyle(document.querySelector(":target")).backgroundColor);
    assert.match(await background(), /rgba\(0, 0, 0, 0\)/);
    await page.goto(new URL("tls.html#renewal", site).href);
    assert.doesNotMatch(await background(), /rgba\(0, 0, 0, 0\)/);
  }));

test("a table of texts fits a phone", () =>
  opened("deploy.html", { viewport: phone }, async (page) => {
    const row = page.getByRole("row").filter({ hasText: "TerseBackupMissing" });
    const boxes = await row.locator("td").evaluateAll((all) =>
      all.map((it) => {
        const { left, right, top } = it.getBoundingClientRect();
        return { left, right, top, heading: it.dataset.heading };
      }),
    );
    assert.deepEqual(
      boxes.map((box) => box.heading),
      ["Alert", "On each node", "When", "Means"],
    );
    for (const [i, box] of boxes.entries()) {
      assert.ok(box.left >= 0 && box.right <= phone.width, JSON.stringify(box));
      assert.ok(i === 0 || box.top > boxes[i - 1].top, JSON.stringify(boxes));
    }
  }));

test("the outline follows the text", () =>
  opened("tls.html#renewal", {}, async (page) => {
    const outline = page.getByRole("navigation", { name: "On this page" });
    const last = await outline.getByRole("link").last().getAttribute("href");
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await outline.locator(`[aria-current][href="${last}"]`).waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    await outline.locator(`[aria-current][href="${last}"]`).waitFor({ state: "detached" });
  }));

test("pictures have their room before they are there", () =>
  opened("dashboard.html", { viewport: phone }, async (page) => {
    const before = await page.evaluate(() => document.body.scrollHeight);
    const pictures = page.locator("article img");
    for (const picture of await pictures.all()) {
      await picture.scrollIntoViewIfNeeded();
      await picture.evaluate((it) => it.decode());
    }
    assert.ok((await pictures.count()) > 3);
    assert.equal(await page.evaluate(() => document.body.scrollHeight), before);
  }));

test("all can be read without JavaScript", () =>
  opened("index.html", { viewport: phone, javaScriptEnabled: false }, async (page) => {
    // Firefox takes what Playwright does for no reason to say that there is no scripting.
    if (!inFirefox)
      assert.equal(await page.getByRole("button", { name: "Search" }).isVisible(), false);
    await page.getByText("On this page").first().click();
    await page.getByRole("link", { name: "A tour", exact: true }).click();
    await page.waitForURL(/#a-tour$/);
    await page.getByRole("button", { name: "Menu" }).click();
    const menu = page.getByRole("navigation", { name: "Pages", exact: true });
    await menu.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
  }));

test("the site can be read and searched as files", () =>
  opened(pathToFileURL(`${folder}/moving/kutt.html`).href, {}, async (page) => {
    const ground = await page.evaluate(() => getComputedStyle(document.documentElement).background);
    assert.match(ground, /248, 249, 251/);
    await results(page, "BASE_URL");
    await page.keyboard.press("Enter");
    await page.waitForURL(/^file:.*#base_url$/);
  }));

test("an address that does not exist leads on", () =>
  opened("gone/for/good", { expect: [/status of 404/] }, async (page) => {
    await page.getByRole("heading", { name: "No such page" }).waitFor();
    await page.locator("article").getByRole("link", { name: "contents" }).click();
    await page.getByRole("heading", { name: "Contents", level: 1 }).waitFor();
  }));

if (!inFirefox)
  test("a print has the text alone", () =>
    opened("settings.html", { colorScheme: "dark" }, async (page) => {
      await page.emulateMedia({ media: "print" });
      assert.equal(await page.getByRole("banner").isVisible(), false);
      assert.equal(
        await page.getByRole("navigation", { name: "Pages", exact: true }).isVisible(),
        false,
      );
      assert.equal(await page.getByText("Times are written as").isVisible(), true);
      const colour = await page.evaluate(() => getComputedStyle(document.body).color);
      assert.equal(colour, "rgb(22, 27, 38)"); // that of the light page
    }));
