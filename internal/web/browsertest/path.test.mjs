import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { choose, copied, drawnIs, inFirefox, menuItem, suite, token, until } from "./harness.mjs";

// The whole dashboard of a server whose BASE_URL has a path.
describe("below a path", () => {
  const it = suite({ env: { BASE_URL: "https://sho.rt/go" } });
  const button = (page, name) => page.getByRole("button", { name, exact: true });
  const row = (page, code) => page.locator(`.row-link:text-is("${code}")`);
  const chart = (page) => page.locator(".chart svg").first().waitFor();
  const at = (page, path) =>
    until(() => new URL(page.url()).pathname === path, `the address ${path}`);
  // watch returns a list that it fills with what a page asks for that is not below the path.
  const watch = (page) => {
    const outside = [];
    page.on("request", (request) => {
      const { protocol, pathname } = new URL(request.url());
      if (/^http/.test(protocol) && !pathname.startsWith("/go/")) outside.push(pathname);
    });
    return outside;
  };

  test("sign in, make a link, look at all pages, sign out", async () => {
    const page = await it.open(null, { signedIn: false });
    const outside = watch(page);
    await page.goto("/go");
    await at(page, "/go/ui/");
    await page.getByLabel("Access token").fill(token);
    await page.keyboard.press("Enter");
    await row(page, "launch").waitFor();
    const [cookie] = await page.context().cookies();
    assert.equal(cookie.path, "/go/");

    await page.getByLabel("Long URL").fill("https://example.com/below/a/path");
    await page.keyboard.press("Enter");
    const made = page.locator(".made a.mono");
    await made.waitFor();
    const code = (await made.textContent()).replace("sho.rt/go/", "");
    if (!inFirefox) assert.equal(await copied(page), `https://sho.rt/go/${code}`);
    assert.equal(
      (await it.server.api("GET", `/go/api/urls/${code}`)).body.original_url,
      "https://example.com/below/a/path",
    );
    await made.click();
    await at(page, `/go/ui/links/${code}`);
    await page.getByRole("heading", { name: code }).waitFor();
    await page.getByRole("link", { name: "Links", exact: true }).last().click(); // back
    await at(page, "/go/ui/");

    await row(page, "launch").click();
    await at(page, "/go/ui/links/launch");
    await chart(page);
    assert.equal(
      await page.locator('.page a[target="_blank"]').first().getAttribute("href"),
      "https://sho.rt/go/launch",
    );
    await page.reload();
    await chart(page);
    await page.goBack();
    await at(page, "/go/ui/");
    await page.getByLabel("Search").fill("quiet");
    await page.waitForURL(/\/go\/ui\/\?search=quiet$/);
    await row(page, "quiet").waitFor();
    await page.getByRole("link", { name: "Overview" }).click();
    await at(page, "/go/ui/overview");
    await chart(page);
    await page.locator("a.bar").first().click();
    await page.waitForURL(/\/go\/ui\/links\/[\w-]+$/);
    await chart(page);
    await page.getByRole("link", { name: "Missed" }).click();
    await at(page, "/go/ui/unknown");
    await page.getByRole("heading", { name: "Missed" }).waitFor();

    await page.keyboard.press("?");
    const bookmarklet = page.getByRole("link", { name: "Shorten with terse" });
    assert.match(await bookmarklet.getAttribute("href"), /127\.0\.0\.1:\d+\/go\/ui\//);
    await page.keyboard.press("Escape");
    await page.goto("/go/ui/?url=https://example.com/from-a-bookmark");
    await until(
      async () => (await page.getByLabel("Long URL").inputValue()).endsWith("/from-a-bookmark"),
      "the form to be filled in",
    );
    await at(page, "/go/ui/");

    await button(page, "Sign out").click();
    await page.getByLabel("Access token").waitFor();
    await at(page, "/go/ui/");
    assert.equal((await page.context().cookies()).length, 0);
    assert.deepEqual(
      outside.filter((path) => path !== "/go"),
      [],
    );
  });

  test("statistics are shared, and codes drawn", async () => {
    const page = await it.open("/go/ui/links/docs", { expect: [/status of 404/] });
    await button(page, "More actions").click();
    await menuItem(page, "Share statistics").click();
    await button(page, "Share").click();
    const url = await page.getByLabel("Address of the shared page").inputValue();
    assert.match(url, /^https:\/\/sho\.rt\/go\/ui\/share\/[\w-]{22}$/);
    const { pathname } = new URL(url);
    for (const path of [pathname, pathname.replace("/go/", "/")]) {
      const reader = await it.open(null, { signedIn: false });
      const outside = watch(reader);
      await reader.goto(path);
      await reader.getByText("Clicks of sho.rt/go/docs, shared by its owner.").waitFor();
      await chart(reader);
      await button(reader, "7d").click();
      await reader.waitForURL(/range=7d/);
      assert.deepEqual(
        outside.filter((asked) => asked !== path),
        [],
      );
    }
    await page.goto("/go/ui/");
    await choose(page, "docs", "QR code");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      button(page, "Download SVG").click(),
    ]);
    const drawn = await readFile(await download.path());
    drawnIs(drawn.toString(), "https://sho.rt/go/docs");
  });

  test("a password is asked for, and a preview goes on", async () => {
    const target = `${it.server.url}/go/health`;
    await it.server.api("POST", "/go/api/urls", {
      original_url: target,
      short_code: "locked",
      password: "open sesame",
    });
    await it.server.api("POST", "/go/api/urls", { original_url: target, short_code: "plain" });
    const page = await it.open("/go/locked", { signedIn: false, expect: [/status of 403/] });
    await page.getByLabel("Password").fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByText("Wrong password.").waitFor();
    await at(page, "/go/locked");
    await page.getByLabel("Password").fill("open sesame");
    await page.keyboard.press("Enter");
    await page.waitForURL(target);
    await page.goto("/go/plain+");
    await page.getByRole("link", { name: "Continue" }).click();
    await page.waitForURL(target);
  });

  // as where a proxy cuts the path off, or on the machine itself
  test("the same server is found without it", async () => {
    const page = await it.open("/ui/");
    await row(page, "launch").click();
    await at(page, "/go/ui/links/launch");
    await chart(page);
    await page.goto("/ui/overview?range=7d");
    await chart(page);
    await page.getByRole("link", { name: "Links", exact: true }).click();
    await at(page, "/go/ui/");
  });

  test("sessions of other paths are others", async () => {
    const page = await it.open("/go/ui/");
    await row(page, "launch").waitFor();
    await page.evaluate(() => localStorage.setItem("terse-session", "out"));
    await page.reload();
    await row(page, "launch").waitFor();
  });
});
