import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  clean,
  closeFilters,
  codes,
  openFilters,
  schemes,
  shot,
  sizes,
  suite,
  tablet,
  until,
} from "./harness.mjs";

const press = (locator, size = {}) => (size.hasTouch ? locator.tap() : locator.click());
const button = (page, name) => page.getByRole("button", { name, exact: true });
const dayOf = (time) => new Date(time).toISOString().slice(0, 10);
const daysAgo = (n) => dayOf(Date.now() - n * 86400e3);

describe("unused links", () => {
  const it = suite();
  const answer = async (query) => (await it.server.api("GET", `/api/urls?limit=100&${query}`)).body;
  // shows waits for the first rows of an answer.
  const shows = async (page, query) => {
    const { urls } = await answer(query);
    assert(urls.length > 0);
    await until(async () => {
      const shown = await codes(page);
      return shown.length > 0 && shown.every((code, i) => urls[i].short_code === code);
    }, `the links of ${query}`);
  };
  const open = async (page, size) => {
    await openFilters(page, size);
    await press(page.getByRole("button", { name: "Activity: " }), size);
  };

  for (const [name, size] of Object.entries(sizes)) {
    test(`are found by how long nobody clicked, ${name}`, async () => {
      const page = await it.open("/ui/", size);
      await page.locator(".rows .row").first().waitFor();
      await open(page, size);
      await button(page, "Unused for 30 days").waitFor();
      await clean(page, "the choice of unused links");
      const before = daysAgo(30);
      await press(button(page, "Unused for 30 days"), size);
      await page.waitForURL(/unused_since=/);
      await closeFilters(page, size);
      const day = new URL(page.url()).searchParams.get("unused_since");
      assert([before, daysAgo(30)].includes(day), day);
      await shows(page, `unused_since=${day}`);
      const { total } = await answer(`unused_since=${day}`);
      assert(total < (await answer("")).total);
      await page.getByText(`${total} links`, { exact: true }).waitFor();
      const chip = page.getByRole("button", { name: /^Remove filter: Unused since/ });
      await chip.waitFor();
      await clean(page, "unused links");
      if (size !== tablet) await shot(page, `unused-${name}`);
      await open(page, size);
      assert.equal(await button(page, "Unused for 30 days").getAttribute("aria-pressed"), "true");
      await press(button(page, "Unused for a year"), size);
      await page.waitForURL((url) => url.searchParams.get("unused_since") !== day);
      await closeFilters(page, size);
      await page.goBack();
      await page.waitForURL(`**/ui/?unused_since=${day}`);
      await shows(page, `unused_since=${day}`);
      await press(chip, size);
      await page.waitForURL("**/ui/");
      await shows(page, "");
    });

    test(`and since a day of one's own, ${name}`, async () => {
      const page = await it.open("/ui/", size);
      await page.locator(".rows .row").first().waitFor();
      await open(page, size);
      await press(button(page, "Show"), size);
      await page.getByText(/^Enter a day, such as/).waitFor();
      await clean(page, "a day that is missing");
      const day = daysAgo(200);
      await page.getByLabel("Unused since").fill(day);
      await page.getByLabel("Unused since").press("Enter");
      await page.waitForURL(`**/ui/?unused_since=${day}`);
      await closeFilters(page, size);
      await shows(page, `unused_since=${day}`);
      await open(page, size);
      const shown = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
      await until(
        async () =>
          (await page.getByLabel("Unused since").inputValue()) === shown.format(Date.parse(day)),
        "the day in words",
      );
      // or from the calendar, which floats above what floats
      await press(button(page, "Choose a day"), size);
      const calendar = page.getByRole("dialog", { name: "Choose a day" });
      await calendar.waitFor();
      await clean(page, "the calendar of unused links");
      await press(calendar.getByRole("button", { name: "Previous month" }), size);
      await press(calendar.getByRole("button", { name: /^\w+day, 1 / }), size);
      await until(async () => (await calendar.count()) === 0, "it to close");
      assert.match(await page.getByLabel("Unused since").inputValue(), /^1 \w+ \d{4}$/);
      await press(button(page, "Show"), size);
      await page.waitForURL(/unused_since=\d{4}-\d\d-01/);
      await closeFilters(page, size);
      await open(page, size);
      await press(button(page, "Any activity"), size);
      await page.waitForURL("**/ui/");
    });
  }

  test("by keyboard, with other filters, and all are selected", async () => {
    const lines = Array.from({ length: 101 }, (_, i) =>
      JSON.stringify({
        type: "link",
        original_url: "https://example.com/old",
        short_code: `unused-${i}`,
        created_at: "2025-01-01T00:00:00Z",
      }),
    );
    await it.server.upload("/api/import", lines.join("\n")); // more than a page
    const page = await it.open("/ui/?sort=oldest");
    await page.locator(".rows .row").first().waitFor();
    await page.getByRole("button", { name: "Activity: " }).focus();
    await page.keyboard.press("Enter");
    await until(
      () => button(page, "Any activity").evaluate((e) => e === document.activeElement),
      "the focus on what is chosen",
    );
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(/sort=oldest&unused_since=/);
    await until(
      () =>
        page
          .getByRole("button", { name: "Activity: Unused" })
          .evaluate((e) => e === document.activeElement),
      "the focus where it was",
    );
    const query = `unused_since=${daysAgo(90)}`;
    await shows(page, `${query}&sort=oldest`);
    const { total } = await answer(query);
    assert(total > 100, `${total} links`);
    await page.getByLabel("Select all links that are shown").check();
    await button(page, `Select all ${total}`).click();
    await page.getByText(`${total} selected`).first().waitFor();
    await button(page, "Delete").click();
    const asked = page.getByRole("dialog", { name: `Delete ${total} links?` });
    await clean(page, "a question before many links are deleted");
    await asked.getByRole("button", { name: "Keep them" }).click();
    await page.getByText(`${total} selected`).first().waitFor();
    const kept = `${query}&status=active&search=unused-1`; // an address that somebody kept
    await page.goto(`/ui/?${kept}`);
    await shows(page, kept);
    await page.goto("/ui/?unused_since=2026-02-30"); // no day
    await shows(page, "");
    assert.equal(await page.getByRole("button", { name: /^Remove filter/ }).count(), 0);
  });
});

describe("the last click", () => {
  const it = suite({ data: false });
  const add = (code, fields = {}) =>
    it.server.api("POST", "/api/urls", {
      original_url: `https://example.com/${code}`,
      short_code: code,
      ...fields,
    });
  const facts = (page) => page.locator(".link-facts");

  for (const colorScheme of schemes) {
    test(`is on a link's page, ${colorScheme}`, async () => {
      const code = `last-${colorScheme}`;
      await add(code);
      const page = await it.open(`/ui/links/${code}`, { colorScheme });
      await facts(page).getByText("No clicks yet").waitFor();
      await it.server.click(code);
      await facts(page).getByText("Last click just now").waitFor();
      const { last_clicked_at: time } = (await it.server.api("GET", `/api/urls/${code}`)).body;
      const shown = facts(page).locator("time", { hasText: "Last click" });
      assert.equal(await shown.getAttribute("datetime"), time);
      const words = new Intl.DateTimeFormat("en-GB", {
        dateStyle: "medium",
        timeStyle: "short",
        timeZone: "Europe/Berlin",
      }).format(new Date(time));
      assert.equal(await shown.getAttribute("title"), words);
      await clean(page, "a link with its last click");
      await button(page, "More actions").click();
      await page.locator(".menu-item").getByText("Delete statistics").click();
      await page
        .getByRole("dialog", { name: "Delete statistics" })
        .getByRole("button", { name: "Delete statistics" })
        .click();
      await facts(page).getByText("No clicks yet").waitFor();
    });
  }

  test("no link is unused where all were clicked", async () => {
    await add("busy-1", { tags: ["busy"] });
    await it.server.click("busy-1");
    const today = dayOf(Date.now());
    await until(
      async () =>
        (await it.server.api("GET", `/api/urls?tag=busy&unused_since=${today}`)).body.total === 0,
      "the click",
    );
    const page = await it.open(`/ui/?tag=busy&unused_since=${today}`);
    await page.getByText("No links with this filter").waitFor();
    for (const { short_code: code } of (await it.server.api("GET", "/api/urls")).body.urls)
      await it.server.click(code);
    await until(
      async () => (await it.server.api("GET", `/api/urls?unused_since=${today}`)).body.total === 0,
      "the clicks",
    );
    await page.goto(`/ui/?unused_since=${today}`);
    await page.getByText("No unused links").waitFor();
    await page.getByText(/^Every link from before .* was clicked since\.$/).waitFor();
    await clean(page, "no unused links");
    await page.getByRole("link", { name: "Remove filter" }).click();
    await page.waitForURL("**/ui/");
    await page.locator(".rows .row").first().waitFor();
  });
});

describe("the last click without tracking", () => {
  const it = suite({ data: false, env: { TRACKING: "off" } });

  test("is a day", async () => {
    await it.server.api("POST", "/api/urls", {
      original_url: "https://example.com/",
      short_code: "days",
    });
    await it.server.click("days");
    let time;
    await until(async () => {
      ({ last_clicked_at: time } = (await it.server.api("GET", "/api/urls/days")).body);
      return time;
    }, "the click");
    const page = await it.open("/ui/links/days");
    const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
    await page.getByText(`Last click on ${day.format(new Date(time))}`, { exact: true }).waitFor();
  });
});

describe("a list by the clicks of a period", () => {
  const it = suite({ data: false });

  test("shows them, and its heading says so", async () => {
    const at = (days) => new Date(Date.now() - days * 86400e3).toISOString();
    const link = (code, ...clicks) => [
      { type: "link", original_url: "https://example.com/", short_code: code, created_at: at(90) },
      ...clicks.map(([days, count]) => ({ type: "click", time: at(days), count })),
    ];
    const lines = [...link("often", [60, 50], [2, 3]), ...link("lately", [2, 7])];
    await it.server.upload("/api/import", lines.map((line) => JSON.stringify(line)).join("\n"));
    const page = await it.open("/ui/?sort=clicks-7d");
    const shown = async () => (await page.locator(".row .row-clicks").allInnerTexts()).join(" ");
    await until(async () => /7\s.*3$/s.test(await shown()), "the clicks of the period");
    assert.deepEqual(await codes(page), ["lately", "often"]);
    await page.getByText("Clicks in 7 days", { exact: true }).waitFor();
    await page.goto("/ui/?sort=clicks&bots=1");
    await until(async () => /53\s.*7$/s.test(await shown()), "the clicks of all time");
    await page.getByText("Clicks with bots", { exact: true }).waitFor();
  });
});
