import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { panel, suite, totalOf, until } from "./harness.mjs";

// What those hear who don't see it change.
describe("what is said", () => {
  const it = suite();
  const settled = (page) => page.locator('.stats[data-stale="false"] .chart svg').waitFor();
  const hears = async (page, pattern) => {
    const said = page.locator("#said");
    await until(async () => pattern.test(await said.textContent()), `${pattern}`);
    return said.textContent();
  };

  for (const path of ["/ui/links/launch?show=clicks", "/ui/overview?show=clicks"]) {
    test(`another range, filter and total, ${path}`, async () => {
      const page = await it.open(path);
      await settled(page);
      const before = await page.locator("#said").textContent();
      assert.equal(before, "", "nothing that the page begins with");
      await page.keyboard.press("y");
      await hears(page, /^Last 12 months\. .*[\d,]+ clicks$/);
      await panel(page, "Places").locator(".bar", { hasText: "Germany" }).press("Enter");
      const said = await hears(page, /^Last 12 months\. Country: Germany\. .*[\d,]+ clicks$/);
      assert.equal(
        Number(said.match(/([\d,]+) clicks$/)[1].replaceAll(",", "")),
        await totalOf(page),
      );
      await page.getByLabel("People only").uncheck();
      await hears(page, /^Last 12 months\. Country: Germany\. .*[\d,]+ clicks with bots$/);
      await page.getByRole("button", { name: "Remove filter: Country: Germany" }).click();
      await hears(page, /^Last 12 months\. (?!Country).*[\d,]+ clicks with bots$/);
      await page.getByRole("button", { name: "Custom" }).click();
      await page.getByRole("button", { name: "Last month" }).click();
      await hears(page, /^Last month\. /);
      await page.goBack();
      await hears(page, /^Last 12 months\. /);
      await page.getByRole("slider").press("Home");
      await page.keyboard.press("Shift+ArrowRight");
      await page.keyboard.press("Enter");
      await hears(page, /^\d+ \w+ \d+ to \d+ \w+ \d+\. .*clicks with bots$/);
    });
  }

  test("many filters by their number", async () => {
    const page = await it.open("/ui/links/launch?country=DE&country=US&country=FR&show=clicks");
    await settled(page);
    await panel(page, "Places").locator(".bar", { hasText: "Brazil" }).press("Enter");
    await hears(page, /^Last 30 days\. 4 filters\. /);
  });

  test("clicks that come by themselves are not", async () => {
    const page = await it.open(null);
    await page.clock.install();
    await page.goto("/ui/links/status?show=clicks");
    await settled(page);
    const start = await totalOf(page);
    await it.server.click("status");
    await until(async () => {
      await page.clock.fastForward(60_000);
      return (await totalOf(page)) === start + 1;
    }, "the click");
    assert.equal(await page.locator("#said").textContent(), "");
  });

  test("another day of unknown codes", async () => {
    const page = await it.open("/ui/unknown");
    await panel(page, "0 visits").waitFor();
    await page.getByRole("button", { name: "Previous day" }).click();
    await hears(page, /^\d+ \w+ \d{4}: 0 visits$/);
  });
});
