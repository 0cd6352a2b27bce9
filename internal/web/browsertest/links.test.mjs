import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import {
  choose,
  codes,
  copied,
  drawnIs,
  inFirefox,
  pick,
  sent,
  shot,
  suite,
  token,
  until,
} from "./harness.mjs";

describe("links", () => {
  const it = suite();
  const row = (page, code) =>
    page.locator(".rows .row", { has: page.locator(`.row-link:text-is("${code}")`) });

  test("sign in and out", async () => {
    // for the wrong token
    const page = await it.open("/ui/", { signedIn: false, expect: [/status of 401/] });
    const asked = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.reload();
    const field = page.getByLabel("Access token");
    await field.waitFor();
    await sent(page);
    assert.deepEqual(
      asked.filter((path) => path.startsWith("/api/")),
      [],
      "nothing is asked before",
    );
    await page
      .getByText("Lost it? Run terse token, or open the file token in the data folder.")
      .waitFor(); // which prints it
    await shot(page, "sign-in");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    assert(await field.isVisible(), "Esc must not show what is behind the sign-in");
    await field.fill("wrong");
    await field.press("Enter");
    await page.getByText("That token isn't valid.").waitFor();
    await field.fill(token);
    await field.press("Enter");
    await row(page, "launch").waitFor();
    assert.equal(await field.count(), 0);
    assert.equal(
      await page.getByText("Last 30 days").getAttribute("title"),
      "Clicks a day, each link to its own scale",
    );
    const [cookie] = await page.context().cookies();
    assert(cookie.httpOnly && cookie.sameSite === "Strict");
    await page.reload();
    await row(page, "launch").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await field.waitFor();
    assert.equal((await page.context().cookies()).length, 0);
  });

  test("paste, Enter, copied", async () => {
    const page = await it.open("/ui/");
    await row(page, "quiet").waitFor();
    await page.evaluate(() =>
      navigator.clipboard.writeText("https://example.com/some/long/page?a=1&b=2"),
    );
    await page.locator("body").press("ControlOrMeta+v"); // anywhere on the page
    assert.equal(
      await page.getByLabel("Long URL").inputValue(),
      "https://example.com/some/long/page?a=1&b=2",
    );
    await page.keyboard.press("Enter");
    await page.locator(".made").getByText("Copied").waitFor();
    const [first] = await codes(page);
    assert.equal(await copied(page), `https://sho.rt/${first}`);
    assert.equal(await row(page, first).getAttribute("data-flash"), "true");
    assert.equal(await page.getByLabel("Long URL").inputValue(), "");
    await shot(page, "link-created");
    assert.equal(
      (await it.server.api("GET", `/api/urls/${first}`)).body.original_url,
      "https://example.com/some/long/page?a=1&b=2",
    );
  });

  test("a scheme that was left out, a chosen code, and one that is taken", async () => {
    const page = await it.open("/ui/", { expect: [/status of 409/, /status of 400/] });
    await page.getByLabel("Long URL").fill("example.com/bare");
    await page.getByLabel("Code", { exact: true }).fill("chosen");
    await page.keyboard.press("Enter");
    await row(page, "chosen").waitFor();
    assert.equal(
      (await it.server.api("GET", "/api/urls/chosen")).body.original_url,
      "https://example.com/bare",
    );

    await page.getByLabel("Long URL").fill("https://example.com/other");
    await page.getByLabel("Code", { exact: true }).fill("chosen");
    await page.keyboard.press("Enter");
    await page.getByText('"chosen" is taken. Try another.').waitFor();
    await shot(page, "code-taken");
    assert.equal(
      await page.getByLabel("Long URL").inputValue(),
      "https://example.com/other",
      "what was typed stays",
    );
    await page.getByLabel("Code", { exact: true }).fill("");
    await page.getByLabel("Long URL").fill("ftp://example.com/");
    await page.getByLabel("Long URL").press("Enter");
    await page.getByText("Only http and https addresses can be shortened, not ftp.").waitFor();
  });

  test("search", async () => {
    const page = await it.open("/ui/");
    const search = page.getByLabel("Search links");
    await row(page, "launch").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("utm_SOURCE=news");
    await until(async () => (await codes(page)).join() === "launch", "the match");
    assert.equal(await page.evaluate(() => document.activeElement.id), "search");
    assert.match(page.url(), /search=utm_SOURCE/);
    await page.getByText("1 match").waitFor();
    await shot(page, "search");
    await search.fill("no such thing (.*)");
    await page.getByText("No matches for").waitFor();
    await shot(page, "search-nothing");
    await page.keyboard.press("Escape");
    await row(page, "launch").waitFor();
    await page.goto("/ui/?search=talk"); // an address that somebody kept
    await until(async () => (await codes(page)).join() === "talk", "the match of the address");
    assert.equal(await search.inputValue(), "talk");
  });

  test("the answer of an earlier search never replaces that of a later one", async () => {
    const page = await it.open("/ui/");
    await row(page, "launch").waitFor();
    let release;
    const held = new Promise((resolve) => {
      release = resolve;
    });
    await page.route(/search=docs/, async (route) => {
      await held;
      await route.continue().catch(() => {}); // cancelled by then
    });
    const asked = page.waitForRequest(/search=docs/);
    // Through BiDi nobody hears of the end of a request that is held.
    const failed =
      inFirefox ||
      page.waitForEvent("requestfailed", (request) => request.url().includes("search="));
    await page.getByLabel("Search links").fill("docs");
    await asked;
    await page.getByLabel("Search links").fill("hiring");
    if (!inFirefox)
      assert.match((await failed).url(), /search=docs/, "the request before is cancelled");
    release();
    await until(async () => (await codes(page)).join() === "hiring", "the later search's match");
  });

  test("the first page is asked for once, and again when its turn comes", async () => {
    const page = await it.open(null);
    const asked = [];
    page.on(
      "request",
      (request) => request.url().includes("/api/urls?") && asked.push(request.url().split("?")[1]),
    );
    await page.goto("/ui/");
    await row(page, "launch").waitFor();
    assert.deepEqual(asked, ["limit=100&sort=newest&people=true&archived=false"]);
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.getByRole("link", { name: "Links", exact: true }).click();
    await until(() => asked.length === 2, "the list to be looked at anew");
    await page.goto("/ui/overview");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    assert.equal(asked.length, 2, "other pages have no use for it");
  });

  test("order", async () => {
    const page = await it.open("/ui/");
    await row(page, "launch").waitFor();
    await pick(page, "Sort", "Most clicks");
    await until(async () => (await codes(page))[0] === "launch", "the most clicked first");
    const clicks = (await page.locator(".rows .row-clicks").allTextContents()).map((text) =>
      Number(text.replaceAll(/\D/g, "")),
    );
    assert.deepEqual(
      clicks,
      clicks.toSorted((a, b) => b - a),
    );
    await shot(page, "links-most-clicked");
    await pick(page, "Sort", "Oldest");
    await until(async () => (await codes(page))[0].endsWith("0000"), "the oldest first");
  });

  test("all links are reached by scrolling, and few of them are drawn", async () => {
    const page = await it.open("/ui/");
    await row(page, "launch").waitFor();
    const { total } = (await it.server.api("GET", "/api/urls?limit=1")).body;
    await page.getByText(`${total} links`).waitFor();
    await until(async () => {
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      return (await codes(page)).some((code) => code.endsWith("0000"));
    }, "the oldest link");
    assert((await codes(page)).length < 80, "rows that nobody sees are not drawn");
    const y = await page.evaluate(() => scrollY);
    await page.locator(".rows .row-link").last().click();
    await page.getByRole("button", { name: "Compare" }).waitFor();
    await page.goBack();
    await until(async () => (await page.evaluate(() => scrollY)) === y, "the place that was left");
  });

  test("small charts of the links in sight, and of no others", async () => {
    const page = await it.open(null);
    const asked = [];
    page.on(
      "request",
      (request) =>
        request.url().includes("/api/recent") &&
        asked.push(new URL(request.url()).searchParams.get("short_codes").split(",")),
    );
    await page.goto("/ui/");
    await row(page, "launch").locator(".row-recent").waitFor();
    const { body } = await it.server.api("GET", "/api/recent?short_codes=launch&people=true");
    const path = await row(page, "launch").locator(".row-recent path").getAttribute("d");
    assert.equal(
      path.split("M").length - 1,
      body.clicks.launch.filter((n) => n > 0).length,
      "a bar for each day with clicks",
    );
    assert.equal(await row(page, "quiet").locator(".row-recent").count(), 0);
    assert.equal(asked.length, 1);
    const shown = await codes(page);
    assert(
      asked[0].every((code) => shown.includes(code)) && !asked[0].includes("quiet"),
      asked[0].join(),
    );
    await page.evaluate(() => scrollTo(0, 3000));
    await until(() => asked.length === 2, "those that came into sight");
    assert(
      asked[1].every((code) => !asked[0].includes(code)),
      "what is known is not asked for again",
    );
  });

  test("copy, QR code", async () => {
    const page = await it.open("/ui/");
    await page.getByRole("button", { name: "Copy sho.rt/docs" }).click();
    await page.locator(".bubble").getByText("Copied").waitFor();
    assert.equal(await copied(page), "https://sho.rt/docs");
    await choose(page, "docs", "QR code");
    await page.getByRole("dialog", { name: "QR code for docs" }).waitFor();
    await shot(page, "qr-code");
    const save = async (name) => {
      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name }).click(),
      ]);
      return [saved.suggestedFilename(), await readFile(await saved.path())];
    };
    const [svgName, svg] = await save("Download SVG");
    assert.equal(svgName, "docs.svg");
    // version 2, and its quiet zone
    assert.match(
      svg.toString(),
      /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 33 33">/,
    );
    const [pngName, png] = await save("Download PNG");
    assert.equal(pngName, "docs.png");
    assert.equal(png.subarray(1, 4).toString(), "PNG");
    assert(png.readUInt32BE(16) >= 1024);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  test("delete, undo, delete", async () => {
    const { body } = await it.server.api("POST", "/api/urls", {
      original_url: "https://example.com/doomed",
    });
    const code = body.short_code;
    const page = await it.open(null);
    await page.clock.install();
    await page.goto("/ui/");
    await row(page, code).hover();
    // from here on only the test moves it
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
    await choose(page, code, "Delete");
    await row(page, code).waitFor({ state: "detached" });
    await shot(page, "deleted-undo");
    await page.clock.fastForward(9_000);
    assert.equal(
      (await it.server.api("GET", `/api/urls/${code}`)).status,
      200,
      "not before ten seconds",
    );
    await page.getByRole("button", { name: `Undo deleting ${code}` }).click();
    await row(page, code).waitFor();
    await page.clock.fastForward(20_000);
    assert.equal(
      (await it.server.api("GET", `/api/urls/${code}`)).status,
      200,
      "not after it was undone",
    );
    await page.clock.resume();

    await row(page, code).hover();
    await choose(page, code, "Delete");
    await page.clock.fastForward(10_100);
    await until(
      async () => (await it.server.api("GET", `/api/urls/${code}`)).status === 404,
      "the delete",
    );
    assert.equal(await row(page, code).count(), 0);
    assert.equal(await page.locator(".toast").count(), 0);
  });

  test("leaving the page sends the delete", async () => {
    const { body } = await it.server.api("POST", "/api/urls", {
      original_url: "https://example.com/doomed",
    });
    const page = await it.open("/ui/");
    await choose(page, body.short_code, "Delete");
    await page.goto("about:blank");
    await until(
      async () => (await it.server.api("GET", `/api/urls/${body.short_code}`)).status === 404,
      "the delete",
    );
  });

  test("a delete that is refused brings the link back and says why", async () => {
    const page = await it.open("/ui/", { expect: [/status of 500/] });
    await page.clock.install();
    await page.goto("/ui/");
    await page.route("**/api/bulk", (route) =>
      route.fulfill({ status: 500, json: { error: "internal server error" } }),
    );
    await choose(page, "hiring", "Delete");
    await row(page, "hiring").waitFor({ state: "detached" });
    await page.clock.fastForward(10_100);
    await page.getByText("Couldn't delete hiring: Internal server error.").waitFor();
    await row(page, "hiring").waitFor();
  });
});

describe("a server with an international host", () => {
  const it = suite({ data: false, env: { BASE_URL: "https://b\u00fccher.example" } });

  test("the QR code has it in punycode", async () => {
    await it.server.api("POST", "/api/urls", {
      original_url: "https://example.com/",
      short_code: "drawn",
    });
    const page = await it.open("/ui/links/drawn");
    await page.getByRole("button", { name: "QR code", exact: true }).first().click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download SVG" }).click(),
    ]);
    const drawn = (await readFile(await download.path())).toString();
    drawnIs(drawn, "https://xn--bcher-kva.example/drawn");
  });
});
