import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  clean,
  cleanInAll,
  codes,
  menuItem,
  phone,
  pick,
  schemes,
  sizes,
  suite,
  until,
} from "./harness.mjs";

const press = (locator, size = {}) => (size.hasTouch ? locator.tap() : locator.click());
const button = (page, name) => page.getByRole("button", { name, exact: true });

describe("the archive", () => {
  const it = suite({ data: false });
  const add = (code, fields = {}) =>
    it.server.api("POST", "/api/urls", {
      original_url: `https://example.com/${code}`,
      short_code: code,
      ...fields,
    });
  const isArchived = async (code) =>
    Boolean((await it.server.api("GET", `/api/urls/${code}`)).body.archived);
  const shows = (page, what, ...wanted) =>
    until(async () => (await codes(page)).join() === wanted.join(), what);
  const badge = (page, code) =>
    page
      .locator(".row", { has: page.locator(`.row-link:text-is("${code}")`) })
      .getByText("Archived", { exact: true });

  for (const [name, size] of Object.entries(sizes)) {
    test(`takes a link out of the list, and back, ${name}`, async () => {
      const tag = `row-${name}`,
        codeOf = (n) => `${name}-${n}`;
      for (const n of [1, 2, 3]) await add(codeOf(n), { tags: [tag] });
      const page = await it.open(`/ui/?tag=${tag}`, size);
      await shows(page, "the list", codeOf(3), codeOf(2), codeOf(1));
      const act = async (code, action) => {
        await press(button(page, `Actions for ${code}`), size);
        await clean(page, "a row's actions");
        await press(menuItem(page, action), size);
      };
      await act(codeOf(2), "Archive");
      await shows(page, "the list without it", codeOf(3), codeOf(1));
      await page
        .getByText(`${codeOf(2)} archived`)
        .first()
        .waitFor();
      await page.getByText("2 links", { exact: true }).waitFor();
      assert.ok(await isArchived(codeOf(2)));
      await clean(page, "an archived link that can be had back");
      await press(button(page, "Undo"), size);
      await shows(page, "the list as before", codeOf(3), codeOf(2), codeOf(1));
      await page.getByText("3 links", { exact: true }).waitFor();
      assert.equal(await isArchived(codeOf(2)), false);

      await act(codeOf(2), "Archive");
      await shows(page, "the list without it again", codeOf(3), codeOf(1));
      await page.goto(`/ui/?tag=${tag}`);
      await shows(page, "the list of the server", codeOf(3), codeOf(1));
      await page.goto(`/ui/?tag=${tag}&archived=true`);
      await shows(page, "the archive", codeOf(2));
      await badge(page, codeOf(2)).waitFor();
      await clean(page, "the archive");
      await page.goto(`/ui/?tag=${tag}&archived=all`);
      await shows(page, "all links", codeOf(3), codeOf(2), codeOf(1));
      assert.equal(await page.locator(".row .state-badge").count(), 1);
      await page.goto(`/ui/?tag=${tag}&archived=true`);
      await shows(page, "the archive", codeOf(2));
      await act(codeOf(2), "Unarchive");
      await page.getByText("No links with this filter").waitFor();
      await press(button(page, "Undo"), size);
      await shows(page, "the archive as before", codeOf(2));
      assert.ok(await isArchived(codeOf(2)));
    });

    test(`is found by what finds nothing else, ${name}`, async () => {
      const code = `only-${name}`;
      await add(code, { archived: true });
      const page = await it.open(`/ui/?search=${code}`, size);
      await page.getByText(`No matches for "${code}"`).waitFor();
      await page.getByText("1 archived link matches.").waitFor();
      await clean(page, "a search that finds only archived links");
      await press(page.getByRole("link", { name: "Show it" }), size);
      await page.waitForURL(/archived=true/);
      await shows(page, "the archived link", code);
    });
  }

  test("tells that a filter hides what is searched", async () => {
    await add("beyond");
    const page = await it.open("/ui/?archived=true&search=beyond");
    await page.getByText('No matches for "beyond" with this filter').waitFor();
    await page.getByRole("link", { name: "Remove filter" }).click();
    await page.waitForURL("**/ui/?search=beyond");
    await shows(page, "the link", "beyond");
  });

  test("by the filter, with the mouse", async () => {
    await add("filter-1", { tags: ["filter"], archived: true });
    await add("filter-2", { tags: ["filter"] });
    const page = await it.open("/ui/?tag=filter");
    await shows(page, "the others", "filter-2");
    await pick(page, "Archive", "Archived");
    await page.waitForURL("**/ui/?tag=filter&archived=true");
    await shows(page, "the archive", "filter-1");
    await pick(page, "Archive", "Archived or not");
    await shows(page, "all", "filter-2", "filter-1");
    await page.goBack();
    await shows(page, "the archive again", "filter-1");
    await pick(page, "Archive", "Not archived");
    await page.waitForURL("**/ui/?tag=filter");
    await shows(page, "the others again", "filter-2");
    await page.goto("/ui/?tag=filter&archived=maybe");
    await shows(page, "the others", "filter-2");
  });

  test("by the filter, with a finger", async () => {
    await add("finger-1", { tags: ["finger"], archived: true });
    await add("finger-2", { tags: ["finger"] });
    const page = await it.open("/ui/?tag=finger", phone);
    await shows(page, "the others", "finger-2");
    await page.getByRole("button", { name: /^Filters/ }).tap();
    await page.getByRole("button", { name: "Archive: Not archived" }).tap();
    await menuItem(page, "Archived").tap();
    await page.getByRole("button", { name: "Archive: Archived" }).waitFor();
    await cleanInAll(page, "the filters of the archive");
    await page.getByRole("button", { name: /^Show/ }).tap();
    await shows(page, "the archive", "finger-1");
    await page.getByRole("button", { name: "Remove filter: Archived" }).tap();
    await shows(page, "the others again", "finger-2");
  });

  test("by keyboard: the next link has the focus, and Undo brings it back", async () => {
    for (const n of [1, 2, 3]) await add(`keys-${n}`, { tags: ["keys"] });
    const page = await it.open("/ui/?tag=keys");
    await shows(page, "the list", "keys-3", "keys-2", "keys-1");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await button(page, "Actions for keys-2").focus();
    await page.keyboard.press("Enter");
    await menuItem(page, "Archive").waitFor();
    await page.keyboard.type("a");
    await page.keyboard.press("Enter");
    await shows(page, "the list without it", "keys-3", "keys-1");
    const focused = () => page.evaluate(() => document.activeElement.textContent);
    await until(async () => (await focused()) === "keys-1", "the focus on the next link");
    await button(page, "Undo").focus();
    await page.keyboard.press("Enter");
    await shows(page, "the list as before", "keys-3", "keys-2", "keys-1");
  });

  test("many at once", async () => {
    for (const n of [1, 2, 3]) await add(`many-${n}`, { tags: ["many"] });
    const page = await it.open("/ui/?tag=many");
    await shows(page, "the list", "many-3", "many-2", "many-1");
    for (const n of [1, 3]) await page.getByLabel(`Select many-${n}`).check();
    const bar = page.getByRole("region", { name: "Selected links" });
    await clean(page, "selected links");
    await bar.getByRole("button", { name: "Archive" }).click();
    await shows(page, "the list without them", "many-2");
    await until(async () => (await bar.count()) === 0, "nothing to be selected");
    await page.getByText("2 links archived").first().waitFor();
    await button(page, "Undo").click();
    await shows(page, "the list as before", "many-3", "many-2", "many-1");
    for (const n of [1, 2, 3]) await page.getByLabel(`Select many-${n}`).check();
    await bar.getByRole("button", { name: "Archive" }).click();
    await page.getByText("3 archived links match.").waitFor();
    await page.getByRole("link", { name: "Show them" }).click();
    await shows(page, "the archive", "many-3", "many-2", "many-1");
    await page.getByLabel("Select all links that are shown").check();
    await bar.getByRole("button", { name: "Unarchive" }).click();
    await until(async () => !(await isArchived("many-3")), "the server");
    await button(page, "Undo").click();
    await until(() => isArchived("many-3"), "the server again");
  });

  test("a link that is created again is not one of the archive", async () => {
    await add("was-there", { archived: true });
    const page = await it.open("/ui/");
    await page.getByLabel("Long URL").fill("https://example.com/was-there");
    await button(page, "Shorten").click();
    const made = page.locator(".row-link").first();
    await made.waitFor();
    assert.notEqual(await made.textContent(), "was-there");
    assert.equal(await page.getByText("was-there", { exact: true }).count(), 0);
  });

  for (const colorScheme of schemes) {
    test(`on a link's page, ${colorScheme}`, async () => {
      const code = `page-${colorScheme}`;
      await add(code);
      const page = await it.open(`/ui/links/${code}`, { colorScheme });
      const facts = page.locator(".link-facts").first();
      await facts.getByText("No clicks yet").waitFor();
      const act = async (action) => {
        await button(page, "More actions").click();
        await menuItem(page, action).click();
      };
      await act("Archive");
      await facts.locator(".state-badge", { hasText: "Archived" }).waitFor();
      assert.ok(await isArchived(code));
      await clean(page, "the page of an archived link");
      await button(page, "Undo").click();
      await until(async () => !(await isArchived(code)), "the server");
      await until(async () => (await facts.locator(".state-badge").count()) === 0, "the mark");
      await act("Archive");
      await facts.locator(".state-badge", { hasText: "Archived" }).waitFor();
      await page.getByText("Archived", { exact: true }).first().waitFor();
      await act("Unarchive");
      await until(async () => !(await isArchived(code)), "the server again");
      await page.getByText("Taken out of the archive").first().waitFor();
    });
  }

  test("is for who may change links", async () => {
    await add("viewed", { tags: ["viewed"], archived: true });
    const { body } = await it.server.api("POST", "/api/tokens", {
      name: "viewer",
      identity: "authenticated-user",
      role: "viewer",
    });
    const page = await it.open("/ui/?tag=viewed&archived=true", { as: body.token });
    await shows(page, "the archive", "viewed");
    await button(page, "Actions for viewed").click();
    await menuItem(page, "Copy link").waitFor();
    assert.equal(await menuItem(page, "Unarchive").count(), 0);
  });
});
