import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  choose,
  clean,
  codes,
  copied,
  phone,
  schemes,
  shot,
  suite,
  totalOf,
  until,
} from "./harness.mjs";

describe("for everybody", () => {
  const it = suite();
  const arrived = (page) =>
    page.locator(".rows .row, .chart svg, .chart-empty, .state").first().waitFor();

  for (const colorScheme of ["light", "dark"]) {
    test(`axe finds nothing, ${colorScheme}`, async () => {
      const page = await it.open(null, { colorScheme, expect: [/status of 404/] });
      for (const [path, name] of [
        ["/ui/", "links"],
        ["/ui/links/launch?compare=1&country=DE", "link"],
        ["/ui/links/quiet", "no-clicks"],
        ["/ui/overview", "overview"],
        ["/ui/links/nowhere", "no-such-link"],
        ["/ui/?search=nothing-like-this", "no-match"],
      ]) {
        await page.goto(path);
        await arrived(page);
        await clean(page, `${path} ${colorScheme}`);
        if (["links", "link", "overview"].includes(name))
          await shot(page, `${name}-${colorScheme}`);
      }
    });
  }

  for (const colorScheme of schemes) {
    test(`axe finds nothing in what floats, ${colorScheme}`, async () => {
      const page = await it.open("/ui/", { colorScheme });
      await arrived(page);
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
      await clean(page, "help");
      await shot(page, `help-${colorScheme}`);
      await page.keyboard.press("Escape");
      const [code] = await codes(page);
      await choose(page, code, "QR code");
      await page.getByRole("dialog", { name: /^QR code for/ }).waitFor();
      await clean(page, "QR code");
      await page.keyboard.press("Escape");
      await choose(page, code, "Delete");
      await page.locator(".toast").waitFor();
      await clean(page, "undo");
      await page.keyboard.press("z");
      const other = await it.open("/ui/", {
        colorScheme,
        signedIn: false,
      });
      await other.getByLabel("Access token").waitFor();
      await clean(other, "sign-in");
    });

    test(`phone, ${colorScheme}`, async () => {
      const page = await it.open(null, { ...phone, colorScheme });
      for (const [path, name] of [
        ["/ui/", "links"],
        ["/ui/links/launch?compare=1", "link"],
        ["/ui/overview", "overview"],
        ["/ui/links/quiet", "no-clicks"],
      ]) {
        await page.goto(path);
        await arrived(page);
        const [wide, all] = await page.evaluate(() => [
          document.documentElement.clientWidth,
          document.documentElement.scrollWidth,
        ]);
        assert.equal(all, wide, `${path} does not scroll sideways`);
        await clean(page, `${path} on a phone`);
        await shot(page, `phone-${name}-${colorScheme}`, { fullPage: name !== "links" });
      }
    });
  }

  test("what can be done with a link, on a phone", async () => {
    const page = await it.open("/ui/", phone);
    await arrived(page);
    await page.getByRole("button", { name: "Actions for docs" }).tap();
    await clean(page, "actions");
    await shot(page, "phone-actions");
    await page.getByRole("button", { name: "Copy link", exact: true }).tap();
    await page.getByText("Copied sho.rt/docs").first().waitFor();
    assert.equal(await copied(page), "https://sho.rt/docs");
    await page.getByRole("button", { name: "Actions for docs" }).tap();
    await page.getByRole("button", { name: "Delete" }).tap();
    await shot(page, "phone-deleted");
    await page.getByRole("button", { name: "Undo deleting docs" }).tap();
    await page.getByRole("button", { name: "Actions for docs" }).waitFor();
  });

  test("by keyboard alone", async () => {
    const page = await it.open("/ui/");
    await arrived(page);
    await page.keyboard.press("n");
    assert.equal(await page.evaluate(() => document.activeElement.id), "create-url");
    await page.keyboard.type("https://example.com/typed");
    await page.keyboard.press("Enter");
    await page.locator(".made").waitFor();
    await page.keyboard.press("Escape"); // out of the field
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    const focused = () =>
      page.evaluate(() => document.activeElement.closest(".row")?.dataset.index);
    assert.equal(await focused(), "0");
    for (let i = 0; i < 40; i++) await page.keyboard.press("j");
    assert.equal(await focused(), "40");
    const inSight = await page.evaluate(() => {
      const { top, bottom } = document.activeElement.getBoundingClientRect();
      return top > 52 && bottom < innerHeight;
    });
    assert(inSight, "the row that has the focus can be seen");
    const code = await page.evaluate(() => document.activeElement.textContent);
    await page.keyboard.press("c");
    await page.getByText(`Copied sho.rt/${code}`).first().waitFor();
    assert.equal(await copied(page), `https://sho.rt/${code}`);
    await page.keyboard.press("q");
    await page.getByRole("dialog", { name: `QR code for ${code}` }).waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await focused(), "40", "the focus comes back");
    await page.keyboard.press("Delete");
    await page.getByText(`Deleted ${code}`, { exact: true }).waitFor();
    await page.keyboard.press("z");
    await page.locator(".toast").waitFor({ state: "detached" });
    await page.keyboard.press("/");
    await page.keyboard.type("launch");
    await until(async () => (await page.locator(".rows .row").count()) === 1, "the match");
    const onRow = () => page.evaluate(() => document.activeElement.classList.contains("row-link"));
    for (let i = 0; i < 12 && !(await onRow()); i++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/ui/links/launch");
    await page.locator(".chart svg").waitFor();
    const whole = await totalOf(page);
    const places = page.getByRole("region", { name: "Places" }).locator(".bars"),
      german = places.locator(".bar", { hasText: "Germany" });
    const isIn = (element) => element.contains(document.activeElement);
    for (let i = 0; i < 80 && !(await places.evaluate(isIn)); i++) await page.keyboard.press("Tab");
    for (let i = 0; i < 10 && !(await german.evaluate(isIn)); i++)
      await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await until(async () => (await totalOf(page)) < whole, "the filter");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  });

  test("everything that has the focus shows it", async () => {
    const page = await it.open("/ui/");
    await arrived(page);
    for (let i = 0; i < 20; i++) {
      await page.keyboard.press("Tab");
      const [name, visible] = await page.evaluate(() => {
        const e = document.activeElement;
        const outlined = (style) =>
          style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
        return [
          e.outerHTML.slice(0, 80),
          outlined(getComputedStyle(e)) ||
            outlined(getComputedStyle(e, "::after")) ||
            (e.id === "create-url" && outlined(getComputedStyle(e.closest(".create-card")))),
        ];
      });
      assert(visible, name);
    }
  });

  test("the theme that was chosen stays", async () => {
    const page = await it.open("/ui/", { colorScheme: "light" });
    const ground = (where = page) =>
      where.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await ground();
    await page.getByRole("button", { name: /^Theme: system/ }).click();
    assert.equal(await ground(), light);
    await page.getByRole("button", { name: /^Theme: light/ }).click();
    const dark = await ground();
    assert.notEqual(dark, light);
    await page.reload({ waitUntil: "commit" });
    await page.locator("#app").waitFor({ state: "attached" });
    assert.equal(await ground(), dark, "before anything is drawn");
    await page.getByRole("button", { name: /^Theme: dark/ }).click();
    assert.equal(await ground(), light);
    const other = await it.open("/ui/", { colorScheme: "dark" });
    assert.equal(await ground(other), dark, "as the system says");
  });

  test("nothing is too wide for 320 pixels with a scrollbar", async () => {
    const page = await it.open(null, { viewport: { width: 308, height: 640 } });
    for (const path of [
      "/ui/",
      "/ui/links/launch?compare=1&from=2026-11-01T00:00:00Z&to=2026-11-04T00:00:00Z",
      "/ui/overview?country=DE",
      "/ui/links/quiet",
    ]) {
      await page.goto(path);
      await arrived(page);
      assert(
        await page.evaluate(
          () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
        ),
        path,
      );
      assert.deepEqual(
        await page.evaluate(() =>
          [...document.querySelectorAll(".top-inner > *, .segments, .segments button")]
            .filter(
              (e) =>
                e.getBoundingClientRect().right > innerWidth || e.scrollWidth > e.clientWidth + 1,
            )
            .map((e) => e.outerHTML.slice(0, 80)),
        ),
        [],
        path,
      );
    }
  });

  test("where the system gives the colours, bars and what is chosen can be seen", async () => {
    const page = await it.open("/ui/links/launch?compare=1", { forcedColors: "active" });
    await arrived(page);
    await page.locator(".figure[aria-pressed]").first().waitFor();
    const chosen = await page.evaluate(() =>
      ["button.figure", ".tabs button", ".segments button"].map((selector) => {
        const all = [...document.querySelectorAll(selector)];
        const isChosen = ({ ariaPressed, ariaSelected }) =>
          [ariaPressed, ariaSelected].includes("true");
        const grounds = (some) => new Set(some.map((e) => getComputedStyle(e).backgroundColor));
        const others = grounds(all.filter((e) => !isChosen(e)));
        const own = grounds(all.filter(isChosen));
        return [selector, own.size, others.size, [...own].some((ground) => others.has(ground))];
      }),
    );
    assert.deepEqual(chosen, [
      ["button.figure", 1, 1, false],
      [".tabs button", 1, 1, false],
      [".segments button", 1, 1, false],
    ]);
    assert(await page.evaluate(() => matchMedia("(forced-colors: active)").matches));
    const [bar, pressed, other] = await page.evaluate(() => {
      const style = (selector) => getComputedStyle(document.querySelector(selector));
      return [
        style(".bar-fill").borderBottomWidth,
        style('.segments [aria-pressed="true"]').backgroundColor,
        style('.segments [aria-pressed="false"]').backgroundColor,
      ];
    });
    assert(parseFloat(bar) >= 3, bar);
    assert.notEqual(pressed, other);
    await shot(page, "forced-colours");
    await page.locator(".when").scrollIntoViewIfNeeded();
    const hours = page.getByRole("grid", { name: "Hours of the week" });
    await hours.waitFor();
    const shades = await hours.evaluate(
      (grid) =>
        new Set([...grid.querySelectorAll("td")].map((td) => getComputedStyle(td).backgroundColor))
          .size,
    );
    assert.ok(shades > 1, `${shades} colours of hours`);
  });

  test("nothing moves for those who asked for that", async () => {
    const page = await it.open("/ui/", { reducedMotion: "reduce" });
    await arrived(page);
    await page.getByLabel("Long URL").fill("https://example.com/still");
    await page.keyboard.press("Enter");
    await page.locator(".made").waitFor();
    await page.keyboard.press("Escape"); // out of the field
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  });
});
