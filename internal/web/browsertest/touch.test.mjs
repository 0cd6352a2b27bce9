import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { clean, phone, shot, suite, tablet, touch, until } from "./harness.mjs";

const sizes = { tablet, phone };

describe("a finger", () => {
  const it = suite();
  const row = (page, code) =>
    page.locator(".rows .row", { has: page.locator(`.row-link:text-is("${code}")`) });

  for (const [name, size] of Object.entries(sizes)) {
    test(`hits nothing that it can't see, ${name}`, async () => {
      const page = await it.open("/ui/", size);
      await row(page, "docs").waitFor();
      const hidden = await page.evaluate(() => {
        const seen = (e) =>
          !e ||
          (getComputedStyle(e).opacity > 0 &&
            getComputedStyle(e).visibility === "visible" &&
            seen(e.parentElement));
        const found = new Set();
        for (const row of document.querySelectorAll(".rows .row")) {
          const { top, bottom } = row.getBoundingClientRect();
          for (let x = 2; x < innerWidth; x += 4) {
            const hit = document.elementFromPoint(x, (top + bottom) / 2)?.closest("a, button");
            if (hit && !seen(hit)) found.add(hit.getAttribute("aria-label"));
          }
        }
        return [...found];
      });
      assert.deepEqual(hidden, []);
    });

    test(`opens a link at the right end of its row, and deletes nothing, ${name}`, async () => {
      const page = await it.open("/ui/", size);
      await row(page, "docs").waitFor();
      const place = row(page, "docs").locator(name === "tablet" ? ".row-recent" : ".row-clicks");
      const { x, y, width, height } = await place.boundingBox();
      await touch(page, [{ x: x + width - 4, y: y + height / 2 }]);
      await page.waitForURL("**/ui/links/docs");
      assert.equal(await page.locator(".toast").count(), 0);
    });

    test(`finds what can be done with a link in a menu, ${name}`, async () => {
      const page = await it.open("/ui/", size);
      const more = page.getByRole("button", { name: "Actions for docs" });
      await more.tap();
      const isPhone = name === "phone";
      const sheet = page.getByRole(isPhone ? "dialog" : "menu", { name: "Actions for docs" });
      const texts = await sheet.locator(".menu-item").allTextContents();
      assert.deepEqual(
        texts.map((text) => text.trim()),
        [
          "Edit",
          "Copy link",
          "QR code",
          "Open destination",
          "Share statistics",
          "Duplicate",
          "Select",
          "Archive",
          "Delete",
          ...(isPhone ? ["Cancel"] : []),
        ],
      );
      await clean(page, "the sheet");
      await shot(page, `${name}-actions`);
      if (isPhone) await sheet.getByRole("button", { name: "Cancel" }).tap();
      else await page.keyboard.press("Escape");
      await sheet.waitFor({ state: "detached" });
      assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), "Actions for docs");
    });

    test(`has room, ${name}`, async () => {
      const page = await it.open("/ui/", size);
      await row(page, "docs").waitFor();
      await page.getByRole("button", { name: "Options" }).tap();
      await page.getByLabel("Code", { exact: true }).waitFor();
      await shot(page, `${name}-links`);
      const small = await page.evaluate(() =>
        [...document.querySelectorAll("button, select, .field, .code-field, .top nav a")]
          .map((e) => [e, e.getBoundingClientRect()])
          .filter(([, { width, height }]) => width > 0 && (width < 44 || height < 44))
          .map(([e, { width, height }]) => `${e.ariaLabel ?? e.textContent}: ${width} × ${height}`),
      );
      assert.deepEqual(small, []);
    });

    test(`chooses further links anywhere on their rows, ${name}`, async () => {
      const page = await it.open("/ui/", size);
      await page.getByRole("button", { name: "Actions for docs" }).tap();
      await page
        .getByRole(name === "phone" ? "button" : "menuitem", { name: "Select", exact: true })
        .tap();
      const tapOn = async (code, part) => {
        const { x, y, width, height } = await row(page, code).locator(part).boundingBox();
        await page.touchscreen.tap(x + width / 2, y + height / 2);
      };
      await tapOn("talk", ".row-url");
      await tapOn("launch", ".row-clicks");
      await page.getByText("3 selected").waitFor();
      await tapOn("talk", ".row-url");
      await page.getByText("2 selected").waitFor();
      assert.equal(new URL(page.url()).pathname, "/ui/");
      await page.getByRole("button", { name: "Actions for talk" }).tap();
      await page.getByRole(name === "phone" ? "dialog" : "menu", { name: /talk/ }).waitFor();
    });

    test(`gets into the code also beside it, ${name}`, async () => {
      const page = await it.open("/ui/", size);
      await page.getByRole("button", { name: "Options" }).tap();
      const code = page.getByLabel("Code", { exact: true });
      await code.waitFor();
      await page.locator(".create .code-field > span").tap();
      await until(() => code.evaluate((input) => input === document.activeElement), "the focus");
    });
  }

  test("keeps range and numbers in sight on a link's page, on a phone", async () => {
    const page = await it.open("/ui/links/docs", phone);
    await page.locator(".chart svg").waitFor();
    const bar = page.locator(".in-sight");
    assert.equal(await bar.count(), 0);
    await page.evaluate(() => scrollTo(0, 1600));
    await bar.waitFor();
    assert.match(await bar.textContent(), /\d clicks?/);
    await clean(page, "the bar");
    await bar.tap();
    await bar.waitFor({ state: "detached" });
    const focused = () => page.evaluate(() => Boolean(document.activeElement.closest(".ranges")));
    assert(await focused(), "the range can be changed at once");
  });

  test("gets the menu also where a mouse would get buttons", async () => {
    const page = await it.open("/ui/");
    await row(page, "docs").waitFor();
    await page
      .getByRole("button", { name: "Edit docs" })
      .evaluate((button) =>
        button.dispatchEvent(
          new PointerEvent("click", { pointerType: "touch", bubbles: true, cancelable: true }),
        ),
      );
    await page.getByRole("menu", { name: "Actions for docs" }).waitFor();
    assert.equal(await page.getByRole("dialog").count(), 0);
  });

  test("finds no page that scrolls sideways, on the narrowest phone", async () => {
    const page = await it.open(null, { ...phone, viewport: { width: 320, height: 640 } });
    for (const path of ["/ui/", "/ui/links/launch", "/ui/overview"]) {
      await page.goto(path);
      await page.locator(".rows .row, .chart svg").first().waitFor();
      const [wide, all] = await page.evaluate(() => [
        document.documentElement.clientWidth,
        document.documentElement.scrollWidth,
      ]);
      assert.deepEqual([path, all], [path, wide]);
    }
  });
});
