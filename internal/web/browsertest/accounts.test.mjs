import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import {
  choose,
  clean,
  closeFilters,
  codes,
  copied,
  inFirefox,
  menuItem,
  openFilters,
  phone,
  pick,
  schemes,
  shot,
  sizes,
  suite,
  tablet,
  token,
  until,
} from "./harness.mjs";

const chromiumOnly = inFirefox && "its driver can't read the clipboard";

const dialog = (page, name) => page.getByRole("dialog", { name });
const row = (page, name) =>
  page.locator(".entries tbody tr", {
    has: page.locator(".entry-name bdi", { hasText: exactly(name) }),
  });
const exactly = (text) => new RegExp(`^${text}$`);
const seen = (locator, text) => locator.getByText(text, { exact: true }).filter({ visible: true });
const navigation = (page) => page.locator(".top nav a").allTextContents();
const facts = (page) => page.locator(".link-facts").textContent();
const isWide = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
// act opens the menu of a user, and chooses from it.
async function act(page, identity, action) {
  await page.getByRole("button", { name: `Actions for ${identity}`, exact: true }).click();
  await menuItem(page, action).click();
}

// accounts makes tokens for others: an editor's, which has made links, a viewer's, an auditor's and
// an admin's.
function accounts() {
  const it = suite({ data: false });
  const as = {};
  before(async () => {
    for (const [identity, role] of [
      ["ci", "editor"],
      ["vera", "viewer"],
      ["audrey", "auditor"],
      ["boss", "admin"],
    ]) {
      const { status, body } = await it.server.api("POST", "/api/tokens", {
        name: "first",
        identity,
        role,
      });
      assert.equal(status, 201, JSON.stringify(body));
      as[identity] = body.token;
    }
    const make = (code, by, more = {}) =>
      it.server.api(
        "POST",
        "/api/urls",
        {
          original_url: `https://example.com/${code}`,
          short_code: code,
          ...more,
        },
        by,
      );
    await make("mine", token, { title: "Of the settings", tags: ["own"] });
    await make("built", as.ci, { title: "Of the service", tags: ["release"] });
    await make("tested", as.ci);
    await it.server.click("built");
  });
  return { it, as };
}

describe("who uses no accounts", () => {
  const it = suite();

  test("sees nothing of them but the settings", async () => {
    const page = await it.open("/ui/");
    await page.locator(".rows .row").first().waitFor();
    await page.getByRole("button", { name: "More pages" }).click();
    await menuItem(page, "Settings").waitFor();
    await page.keyboard.press("Escape");
    assert.deepEqual(
      (await navigation(page)).map((text) => text.trim()),
      ["Links", "Overview", "Missed"],
    );
    await page.reload(); // now the page knows who it is
    await page.locator(".rows .row").first().waitFor();
    assert.equal(await page.getByRole("button", { name: /^Whose/ }).count(), 0);
    assert.equal(await page.locator(".row-owner").count(), 0);
    assert.equal(await page.getByRole("button", { name: "Sign out" }).count(), 1);
    const [code] = await codes(page);
    await page.goto(`/ui/links/${code}`);
    await page.getByRole("button", { name: "More actions" }).click();
    await menuItem(page, "Share statistics").waitFor();
    assert.equal(await menuItem(page, "Give to someone else").count(), 0);
    await page.goto("/ui/settings");
    await page.getByText("No tokens yet.").waitFor();
    await clean(page, "settings without a token");
  });
});

describe("tokens", () => {
  const it = suite({ data: false });

  for (const [size, options] of Object.entries(sizes)) {
    test(`made, used and deleted, on a ${size}`, { skip: chromiumOnly }, async () => {
      const page = await it.open("/ui/settings", options);
      await page.getByRole("button", { name: "New token" }).click();
      const form = dialog(page, "New token");
      assert.equal(await page.evaluate(() => document.activeElement.id), "token-name");
      await form.getByRole("button", { name: "Make token" }).click();
      await form.getByText("Enter a name.").waitFor();
      await form.getByLabel("Name", { exact: true }).fill(`for a ${size}`);
      await pick(page, "Role", "Viewer");
      await pick(page, "Expires", "In 7 days");
      await form.getByRole("button", { name: "Make token" }).click();
      const made = dialog(page, `The token for a ${size}`);
      await made.getByText("It is shown only now.").waitFor();
      await page.keyboard.press("Escape"); // it would be lost
      await made.getByRole("button", { name: "Copy the token" }).click();
      const text = await copied(page);
      assert.match(text, /^terse_[0-9A-Za-z]{32}_[0-9a-f]{8}$/);
      assert.equal(await made.getByLabel("The token", { exact: true }).textContent(), text);
      await made.getByRole("button", { name: "Done" }).click();
      const { body } = await it.server.api("GET", "/api/me", undefined, text);
      assert.deepEqual([body.role, body.token.name], ["viewer", `for a ${size}`]);
      const days = (Date.parse(body.token.expires_at) - Date.now()) / 86400e3;
      assert(days > 6.9 && days <= 7, body.token.expires_at);

      await row(page, `for a ${size}`)
        .getByText(`…${text.slice(-4)}`)
        .waitFor();
      assert(!(await page.locator("body").textContent()).includes(text));
      await page.getByRole("button", { name: `Delete for a ${size}` }).click();
      await dialog(page, "Delete token").getByRole("button", { name: "Keep it" }).click();
      assert.equal((await it.server.api("GET", "/api/me", undefined, text)).status, 200);
      await page.getByRole("button", { name: `Delete for a ${size}` }).click();
      await dialog(page, "Delete token").getByRole("button", { name: "Delete token" }).click();
      await row(page, `for a ${size}`).waitFor({ state: "detached" });
      assert.equal((await it.server.api("GET", "/api/me", undefined, text)).status, 401);
    });
  }

  test("made by keyboard alone", async () => {
    const page = await it.open("/ui/settings");
    const to = async (name) => {
      for (let i = 0; i < 30; i++) {
        const focused = await page.evaluate(
          () => document.activeElement.ariaLabel || document.activeElement.textContent.trim(),
        );
        if (focused === name) return;
        await page.keyboard.press("Tab");
      }
      assert.fail(`Tab does not reach ${name}`);
    };
    await page.getByText("No tokens yet.").waitFor();
    await to("New token");
    await page.keyboard.press("Enter");
    await dialog(page, "New token").waitFor();
    await page.keyboard.type("typed");
    await to("Role: Editor");
    await page.keyboard.press("Enter");
    await page.keyboard.press("v");
    await page.keyboard.press("Enter");
    await to("Role: Viewer");
    await to("Make token");
    await page.keyboard.press("Enter");
    await dialog(page, "The token typed").waitFor();
    await to("Done");
    await page.keyboard.press("Enter");
    await seen(row(page, "typed"), "Viewer").waitFor();
    assert.equal(
      await page.evaluate(() => document.activeElement.textContent.trim()),
      "New token",
      "the focus comes back",
    );
    await to("Delete typed");
    await page.keyboard.press("Enter");
    await dialog(page, "Delete token").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.textContent.trim()), "Keep it");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await row(page, "typed").waitFor({ state: "detached" });
    await until(
      () => page.evaluate(() => document.activeElement.textContent.trim() === "New token"),
      "the focus",
    );
  });

  test("what the server refuses stands at its field, and the text is kept", async () => {
    await it.server.api("POST", "/api/tokens", { name: "taken" });
    const page = await it.open("/ui/settings", { expect: [/status of (409|400)/] });
    await page.getByRole("button", { name: "New token" }).click();
    const form = dialog(page, "New token");
    const ofNewName = form.getByText("A new name has no links, so it sees none");
    assert.equal(await ofNewName.count(), 0);
    await pick(page, "Role", "Viewer");
    await ofNewName.waitFor();
    await form.getByLabel("Name", { exact: true }).fill("taken");
    await form.getByRole("button", { name: "Make token" }).click();
    await page.locator("#token-name-problem", { hasText: "Token name already exists." }).waitFor();
    await until(
      () => page.evaluate(() => document.activeElement.id === "token-name"),
      "the focus in the field",
    );
    await form.getByLabel("Name", { exact: true }).fill("not taken");
    await form.getByLabel("Acts for").fill("No Such Name");
    await form.getByRole("button", { name: "Make token" }).click();
    await page.locator("#token-identity-problem").waitFor();
    assert.equal(await form.getByLabel("Name", { exact: true }).inputValue(), "not taken");
    await form.getByLabel("Acts for").fill("robot");
    await form.getByRole("button", { name: "Make token" }).click();
    await dialog(page, "The token not taken").getByRole("button", { name: "Done" }).click();
    await seen(row(page, "not taken"), "robot").waitFor();
    await page.getByRole("link", { name: "People", exact: true }).click();
    await row(page, "robot").getByText("Service").waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Tokens" }).waitFor();
  });
});

describe("people", () => {
  const { it, as } = accounts();
  const status = async (who) => (await it.server.api("GET", "/api/me", undefined, as[who])).status;

  test("get other roles, are disabled and signed out", async () => {
    const page = await it.open("/ui/settings?show=people");
    await row(page, "ci").getByText("Service").waitFor();
    await pick(page, "Role of vera", "Auditor");
    await page.getByText("vera is an auditor now").first().waitFor();
    const roleOf = async (who) =>
      (await it.server.api("GET", "/api/users")).body.users.find((one) => one.identity === who)
        ?.role;
    assert.equal(await roleOf("vera"), "auditor");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Role of vera: Admin" }).waitFor();

    const theirs = await it.open("/ui/", { as: as.ci, expect: [/status of 401/] });
    await theirs.locator(".rows .row").first().waitFor();
    await act(page, "ci", "Sign out everywhere");
    await page.getByText("Signed out ci everywhere").first().waitFor();
    await theirs.reload();
    await dialog(theirs, "Sign in").waitFor();

    await act(page, "vera", "Disable");
    await row(page, "vera").getByText("Disabled").waitFor();
    await until(async () => (await status("vera")) === 401, "the token to be refused");
    await act(page, "vera", "Enable");
    await row(page, "vera").getByText("Disabled").waitFor({ state: "detached" });
    await until(async () => (await status("vera")) === 200, "the token to work again");
  });

  test("are deleted, and somebody else gets their links", async () => {
    const page = await it.open("/ui/settings?show=people");
    await row(page, "ci").waitFor();
    await act(page, "ci", "Delete");
    const question = dialog(page, "Delete user");
    const heir = question.getByLabel("Give 2 links to");
    assert.equal(await heir.inputValue(), "authenticated-user");
    await heir.fill("");
    await question.getByRole("button", { name: "Delete" }).click();
    await question.getByText("Choose who gets the links.").waitFor();
    await heir.fill("boss");
    await page.keyboard.press("Escape"); // the list of suggestions
    await question.getByRole("button", { name: "Delete" }).click();
    await row(page, "ci").waitFor({ state: "detached" });
    assert.equal(await status("ci"), 401);
    const { body } = await it.server.api("GET", "/api/urls/built?owner=boss");
    assert.equal(body.created_by, "boss");
    await it.server.click("built");
  });
});

describe("the audit", () => {
  const { it, as } = accounts();

  test("says who did what, by whom and about what, and goes on", async () => {
    for (let i = 0; i < 60; i++) {
      await it.server.api("PATCH", "/api/urls/tested", { title: `Title ${i}` }, as.ci);
    }
    await it.server.api("DELETE", "/api/urls/tested", undefined, as.ci);
    const page = await it.open("/ui/settings?show=audit");
    const entries = page.locator(".audit li");
    await entries.first().getByText("ci deleted the link tested: example.com/tested").waitFor();
    await entries.nth(1).getByText("ci changed the link tested: title").waitFor();
    assert.equal(await entries.count(), 50);
    await page.getByRole("button", { name: "Show older entries" }).click();
    await until(async () => (await entries.count()) > 60, "older entries");
    await page.getByLabel("By", { exact: true }).fill("authenticated-user");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/ui/settings?show=audit&by=authenticated-user");
    await entries.first().getByText("authenticated-user").waitFor();
    assert(
      (await entries.allTextContents()).every((text) => text.trim().startsWith("authenticated")),
    );
    await page.getByLabel("About").fill("no-such-thing");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByText("Nothing with this filter.").waitFor();
    await page.goBack();
    await entries.first().waitFor();
    await page.getByRole("link", { name: "Remove filter" }).click();
    await page.getByLabel("About").fill("built");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await entries.first().getByText("ci made the link built").waitFor();
    await page.getByRole("link", { name: "built" }).click();
    await page.waitForURL("**/ui/links/built?owner=*");
    await page.getByRole("heading", { name: "Of the service" }).waitFor();
  });
});

describe("roles", () => {
  const { it, as } = accounts();

  test("a viewer is offered nothing that changes something", async () => {
    await it.server.api("PATCH", "/api/urls/mine", { owner: "vera" });
    for (const options of [{}, phone]) {
      const page = await it.open("/ui/", { as: as.vera, ...options });
      await page.getByRole("button", { name: "Signed in as vera, viewer" }).waitFor();
      await page.locator(".rows .row").waitFor();
      assert.deepEqual(
        (await navigation(page)).map((text) => text.trim()),
        ["Links", "Overview"],
      );
      assert.equal(await page.getByLabel("Long URL").count(), 0);
      assert.equal(await page.getByRole("checkbox", { name: /^Select/ }).count(), 0);
      assert.equal(await page.getByRole("button", { name: /^Edit/ }).count(), 0);
      await page.getByRole("button", { name: "Actions for mine" }).click();
      const items = await page.locator(".menu-item").allTextContents();
      assert.deepEqual(
        items.map((text) => text.trim()).filter((text) => text !== "Cancel"),
        ["Copy link", "QR code", "Open destination"],
      );
      await page.keyboard.press("Escape");
      for (const key of ["n", "j", "x", "e", "Delete"]) await page.keyboard.press(key);
      assert.equal(await page.locator("dialog[open], .selection, .toast").count(), 0);
      await page.goto("/ui/links/mine");
      await page.getByRole("heading", { name: "Of the settings" }).waitFor();
      await page.locator(".stats").waitFor();
      for (const name of ["Edit", "More actions", "Change the destination", "Add an address"])
        assert.equal(await page.getByRole("button", { name, exact: true }).count(), 0, name);
      await page.getByRole("button", { name: "Signed in as vera, viewer" }).click();
      assert.equal(await menuItem(page, "Settings").count(), 0); // it came by a token
      await clean(page, "account");
    }
    await it.server.api("PATCH", "/api/urls/mine?owner=vera", { owner: "authenticated-user" });
  });

  test("an editor makes links, and hears why others' can't be seen", async () => {
    const page = await it.open("/ui/", { as: as.ci, expect: [/status of 403/] });
    await page.getByRole("button", { name: "Signed in as ci, editor" }).waitFor();
    assert.equal((await navigation(page)).length, 2);
    await page.getByLabel("Long URL").fill("https://example.com/by-ci");
    await page.keyboard.press("Enter");
    await page.locator(".made").waitFor();
    assert.equal(await page.getByRole("button", { name: /^Whose/ }).count(), 0);
    await page.goto("/ui/?owner=*");
    await page.getByText("Needs the role auditor.").waitFor();
    await page.goto("/ui/links/mine");
    await page
      .getByText(/Unauthorized to/)
      .first()
      .waitFor();
    await page.goto("/ui/unknown");
    await page.getByText("Needs the role auditor.").waitFor();
    await page.goto("/ui/settings");
    await page.getByText("No webhooks yet.").waitFor(); // tokens are not for tokens
  });

  test("an auditor reads everything, and changes nothing", async () => {
    const page = await it.open("/ui/?owner=*", { as: as.audrey });
    await page.getByRole("button", { name: "Whose: All links" }).waitFor();
    await page.locator(".rows .row").first().waitFor();
    assert.equal(await page.getByLabel("Long URL").count(), 0);
    await page.getByRole("link", { name: "View built" }).click();
    await page.getByRole("heading", { name: "Of the service" }).waitFor();
    await page.locator(".stats").waitFor();
    assert.match(await facts(page), /Belongs to\s+ci/);
    assert.equal(await page.getByRole("button", { name: "Edit", exact: true }).count(), 0);
    await page.getByRole("link", { name: "Missed" }).click();
    await page.getByRole("heading", { name: "Missed" }).waitFor();
    await page.getByRole("button", { name: "Signed in as audrey, auditor" }).click();
    await menuItem(page, "Settings").click();
    await row(page, "vera").waitFor(); // People: tokens are not for tokens
    assert.equal(await page.getByRole("button", { name: /^Role of/ }).count(), 0);
    await page.getByRole("button", { name: "Actions for vera" }).click();
    assert.deepEqual(
      (await page.locator(".menu-item").allTextContents()).map((text) => text.trim()),
      ["Show links", "Show in the audit"],
    );
    await menuItem(page, "Show links").click();
    await page.waitForURL("**/ui/?owner=vera");
    await page.getByText("No link belongs to vera.").waitFor();
  });

  test("a role that was taken away is no longer offered", async () => {
    const page = await it.open("/ui/", { as: as.boss, expect: [/status of 403/] });
    await page.getByRole("button", { name: "Signed in as boss, admin" }).waitFor();
    // what the page still loads may be refused, too, and take the field away
    await page.getByLabel("Long URL").fill("https://example.com/refused");
    await it.server.api("PATCH", "/api/users/boss", { role: "viewer" });
    await until(async () => {
      const { body } = await it.server.api("GET", "/api/me", undefined, as.boss);
      return body.role === "viewer";
    }, "the role");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Signed in as boss, viewer" }).waitFor();
    await page.getByLabel("Long URL").waitFor({ state: "detached" });
    await it.server.api("PATCH", "/api/users/boss", { role: "admin" });
  });
});

describe("my links and all links", () => {
  const { it, as } = accounts();
  const whose = (page, text) => page.getByRole("button", { name: `Whose: ${text}`, exact: true });
  const owners = (page) => page.locator(".row-owner bdi").allTextContents();
  // where is phone on a phone's list, which has a sheet of filters.
  async function show(page, from, to, where) {
    await openFilters(page, where);
    await whose(page, from).click();
    await page.locator(".tag-filter").getByText(to, { exact: true }).click();
    await whose(page, to).waitFor();
    await closeFilters(page, where);
  }

  for (const [size, options] of Object.entries(sizes)) {
    test(`are chosen, and the choice is in the address, on a ${size}`, async () => {
      const page = await it.open("/ui/", options);
      await page.locator(".rows .row").waitFor();
      assert.deepEqual(await codes(page), ["mine"]);
      assert.equal(await page.locator(".row-owner").count(), 0);
      await show(page, "My links", "All links", options);
      await page.waitForURL("**/ui/?owner=*");
      await until(async () => (await codes(page)).length === 3, "all links");
      assert.deepEqual((await owners(page)).sort(), ["You", "ci", "ci"]);
      await openFilters(page, options);
      await whose(page, "All links").click();
      await page.getByLabel("Links of", { exact: true }).fill("ci");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/ui/?owner=ci");
      await closeFilters(page, options);
      await until(async () => (await codes(page)).length === 2, "the links of ci");
      assert.equal(await page.getByLabel("Long URL").count(), 0); // what is made is one's own
      await page.goBack();
      await until(async () => (await codes(page)).length === 3, "all links");
      await page.goBack();
      await until(async () => (await codes(page)).length === 1, "my links");
      await page.goForward();
      await page.reload();
      await until(async () => (await codes(page)).length === 3, "all links");
      await page.getByRole("link", { name: "Overview" }).click();
      await whose(page, "All links").waitFor();
      await page.getByText("3 links").waitFor();
      await page.locator("#latest-title").scrollIntoViewIfNeeded();
      await page.locator(".latest").getByRole("link", { name: "Of the service" }).waitFor();
      assert(!(await isWide(page)));
      await show(page, "All links", "My links");
      await page.getByText("1 link", { exact: true }).waitFor();
    });
  }

  test("an admin changes a link of somebody else", async () => {
    const page = await it.open("/ui/?owner=*", { expect: [/status of 404.*\/share/] });
    await page.getByRole("link", { name: "View built" }).click();
    await page.waitForURL("**/ui/links/built?owner=*");
    await page.getByRole("heading", { name: "Of the service" }).waitFor();
    assert.match(await facts(page), /Belongs to\s+ci/);
    await page.locator(".chart svg").waitFor();
    await page.getByRole("button", { name: "Change the destination" }).click();
    await page.getByLabel("Destination").fill("https://example.com/changed");
    await page.keyboard.press("Enter");
    await page.getByText("Saved").first().waitFor();
    const url = async () =>
      (await it.server.api("GET", "/api/urls/built", undefined, as.ci)).body.original_url;
    assert.equal(await url(), "https://example.com/changed");
    await page.getByRole("button", { name: "Undo" }).click();
    await until(async () => (await url()) === "https://example.com/built", "the undo");
    await page
      .locator(".history")
      .getByText(/Destination changed/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await dialog(page, /^Edit/).getByLabel("Title").fill("Edited by an admin");
    await dialog(page, /^Edit/).getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Edited by an admin" }).waitFor();
    await page.getByRole("button", { name: "More actions" }).click();
    await menuItem(page, "Share statistics").click();
    await dialog(page, "Share statistics").getByRole("button", { name: "Share" }).click();
    await page.getByLabel("Address of the shared page").waitFor();
    await dialog(page, "Share statistics").getByRole("button", { name: "Done" }).click();
  });

  test("a link of somebody else that was opened by its address alone is found", async () => {
    const page = await it.open("/ui/links/tested", { expect: [/status of 403/] });
    await page.waitForURL("**/ui/links/tested?owner=*");
    await until(async () => /Belongs to\s+ci/.test(await facts(page)), "the link");
  });

  test("links are given to others, one by one and many at once, and back", async () => {
    const ownerOf = async (code) =>
      (await it.server.api("GET", `/api/urls/${code}?owner=*`)).body.created_by;
    const page = await it.open("/ui/links/mine", { expect: [/status of 400/] });
    await page.getByRole("heading", { name: "Of the settings" }).waitFor();
    await page.getByRole("button", { name: "More actions" }).click();
    await menuItem(page, "Give to someone else").click();
    const form = dialog(page, /^Give/);
    await form.getByRole("button", { name: "Give" }).click();
    await form.getByText("Choose somebody.").waitFor();
    await form.getByRole("combobox").fill("nobody-at-all");
    await form.getByRole("button", { name: "Give" }).click();
    await form.getByText("Unknown owner.").waitFor();
    await form.getByRole("combobox").fill("vera");
    await page.keyboard.press("Escape");
    await clean(page, "give");
    await form.getByRole("button", { name: "Give" }).click();
    await page.waitForURL("**/ui/links/mine?owner=*");
    assert.equal(await ownerOf("mine"), "vera");
    await page.getByRole("button", { name: "Undo" }).click();
    await until(async () => (await ownerOf("mine")) === "authenticated-user", "the undo");

    await page.goto("/ui/?owner=*");
    await page.getByRole("checkbox", { name: "Select built" }).click();
    await page.getByRole("checkbox", { name: "Select mine" }).click();
    await page.getByRole("button", { name: "Give", exact: true }).click();
    await dialog(page, "Give 2 links").getByRole("combobox").fill("vera");
    await page.keyboard.press("Escape");
    await dialog(page, "Give 2 links").getByRole("button", { name: "Give" }).click();
    await page.getByText("2 links given to vera").first().waitFor();
    assert.deepEqual([await ownerOf("built"), await ownerOf("mine")], ["vera", "vera"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await until(async () => (await ownerOf("built")) === "ci", "the undo of many");
    assert.equal(await ownerOf("mine"), "authenticated-user");
  });

  test("a link of somebody else is deleted, when nobody undoes it", async () => {
    await it.server.api(
      "POST",
      "/api/urls",
      { original_url: "https://example.com/d", short_code: "doomed" },
      as.ci,
    );
    const page = await it.open("/ui/?owner=*");
    await page.locator(".rows .row").first().waitFor();
    await choose(page, "doomed", "Delete");
    await page.getByRole("button", { name: "Undo deleting doomed" }).waitFor();
    await page.goto("about:blank"); // leaving the page sends it
    await until(
      async () => (await it.server.api("GET", "/api/urls/doomed?owner=*")).status === 404,
      "the link to be gone",
    );
  });

  test("tags are those of the links that are shown", async () => {
    const page = await it.open("/ui/?owner=ci");
    await page.getByRole("button", { name: "Tag: Any tag" }).click();
    await page.getByRole("option", { name: /release/ }).click();
    await page.waitForURL("**/ui/?tag=release&owner=ci");
    await until(async () => (await codes(page)).join() === "built", "the link");
    await page.getByRole("button", { name: "Rename or delete this tag" }).waitFor();
    await page.goto("/ui/?owner=*&tag=release");
    await page.locator(".rows .row").waitFor();
    assert.equal(await page.getByRole("button", { name: "Rename or delete this tag" }).count(), 0);
  });
});

describe("accounts, for everybody", () => {
  const { it, as } = accounts();
  const steps = {
    tokens: async (page) => {
      await page.goto("/ui/settings");
      await row(page, "first").first().waitFor();
    },
    "new-token": async (page) => {
      await page.goto("/ui/settings");
      await page.getByRole("button", { name: "New token" }).click();
      await dialog(page, "New token").waitFor();
    },
    "delete-token": async (page) => {
      await page.goto("/ui/settings");
      await page.getByRole("button", { name: "Delete first" }).first().click();
      await dialog(page, "Delete token").waitFor();
    },
    people: async (page) => {
      await page.goto("/ui/settings?show=people");
      await row(page, "vera").waitFor();
    },
    "people-menu": async (page) => {
      await page.goto("/ui/settings?show=people");
      await page.getByRole("button", { name: "Actions for vera" }).click();
      await menuItem(page, "Delete").waitFor();
    },
    "delete-user": async (page) => {
      await page.goto("/ui/settings?show=people");
      await act(page, "ci", "Delete");
      await dialog(page, "Delete user").waitFor();
    },
    audit: async (page) => {
      await page.goto("/ui/settings?show=audit");
      await page.locator(".audit li").first().waitFor();
    },
    "all-links": async (page) => {
      await page.goto("/ui/?owner=*");
      await page.locator(".row-owner").first().waitFor();
    },
    whose: async (page) => {
      await page.goto("/ui/?owner=*");
      await page.locator(".row-owner").first().waitFor();
      const filters = page.getByRole("button", { name: /^Filters/ });
      if (await filters.isVisible()) await filters.click();
      await page.getByRole("button", { name: "Whose: All links" }).click();
      await page.getByLabel("Links of", { exact: true }).waitFor();
    },
    "foreign-link": async (page) => {
      await page.goto("/ui/links/built?owner=*");
      await page.getByText("Belongs to").waitFor();
    },
  };
  const pictured = ["tokens", "people", "audit", "all-links"];
  for (const colours of [...schemes.map((it) => ({ colorScheme: it })), { forcedColors: "active" }])
    test(`axe finds nothing, ${Object.values(colours)}`, async () => {
      const page = await it.open(null, colours);
      const small = await it.open(null, { ...phone, ...colours });
      const isPictured = (name) => colours.colorScheme === "light" && pictured.includes(name);
      for (const [name, step] of Object.entries(steps)) {
        await step(page);
        await clean(page, name);
        if (isPictured(name)) await shot(page, `accounts-${name}`);
        await step(small);
        await clean(small, `${name} on a phone`);
        assert(!(await isWide(small)), name);
        if (isPictured(name)) await shot(small, `accounts-phone-${name}`);
      }
    });

  test("nothing is too wide for 320 pixels, nor for a finger too small", async () => {
    const page = await it.open(null, { ...tablet, viewport: { width: 320, height: 640 } });
    for (const [name, step] of Object.entries(steps)) {
      await step(page);
      assert(!(await isWide(page)), name);
      assert.deepEqual(
        await page.evaluate(() =>
          [...document.querySelectorAll(".settings :is(button, .tab), .top-end > *")]
            .map((e) => [e.outerHTML.slice(0, 60), e.getBoundingClientRect()])
            .filter(([, { height, right }]) => height > 0 && (height < 43.5 || right > innerWidth))
            .map(([text, { height, right }]) => `${text} ${height} ${right}`),
        ),
        [],
        name,
      );
    }
  });

  test("the section that is shown can be told where the system gives the colours", async () => {
    const page = await it.open("/ui/settings", { forcedColors: "active" });
    await row(page, "first").first().waitFor();
    const [here, there] = await page.evaluate(() =>
      [".tab[aria-current]", ".tab:not([aria-current])"].map(
        (selector) => getComputedStyle(document.querySelector(selector)).backgroundColor,
      ),
    );
    assert.notEqual(here, there);
  });

  test("the account's menu is a sheet on a phone, and leads out", async () => {
    const page = await it.open("/ui/", { as: as.ci, ...phone });
    await page.getByRole("button", { name: "Signed in as ci, editor" }).tap();
    await page.locator(".menu-head").getByText("Editor").waitFor();
    await clean(page, "account");
    await menuItem(page, "Sign out").tap();
    await dialog(page, "Sign in").waitFor();
    assert.equal(
      await page.evaluate(() => localStorage.getItem("terse-me")?.includes("ci") ?? false),
      false,
    );
  });
});
