import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { clean, phone, suite, until } from "./harness.mjs";

// The tests hold every answer until they let it go, so they see what is asked before what is
// answered, however long that takes.
describe("the first page on a slow line", () => {
  const it = suite();
  const several = suite({ data: false, env: { DOMAINS: "go.example,s2.example" } });

  const open = async (path, options, on = it) => {
    const page = await on.open(null, options);
    let held = [],
      isHolding = true;
    await page.route(/\/(assets|api)\//, (route) =>
      isHolding ? held.push(route) : route.continue(),
    );
    await page.goto(path, { waitUntil: "commit" });
    const isHeld = (pattern) => held.some((route) => pattern.test(route.request().url()));
    return {
      page,
      scripts: () => held.filter((route) => route.request().resourceType() === "script").length,
      asked: (pattern) => until(() => isHeld(pattern), `a request for ${pattern}`),
      answer: async (pattern) => {
        const now = held.filter((route) => pattern.test(route.request().url()));
        held = held.filter((route) => !now.includes(route));
        await Promise.all(now.map((route) => route.continue()));
      },
      answerAll: async () => {
        isHolding = false;
        await Promise.all(held.splice(0).map((route) => route.continue()));
      },
    };
  };
  const placesOf = (page, selectors) =>
    page.evaluate(
      (all) =>
        all.map((selector) => {
          const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
          return [selector, x, y, width, height];
        }),
      selectors,
    );

  for (const [name, options, on] of [
    ["on a desktop", {}],
    ["on a phone", phone],
    ["with several domains", {}, several],
  ]) {
    test(`is drawn before its modules are there, and does not move, ${name}`, async () => {
      const { page, asked, answer, answerAll, scripts } = await open("/ui/", options, on);
      // The page is drawn when it arrives.
      await page.locator(".boot .rows-skeleton").waitFor();
      const parts = [".top", ".top nav a[aria-current]", ".toolbar", ".rows-skeleton .bone"];
      const before = await placesOf(page, parts);
      const picks = await page.locator(".boot .pick:visible span").allTextContents();
      assert.equal(await page.locator(".top [aria-current]").textContent(), "Links");
      await clean(page, "the first paint");
      // One round trip brings the modules and the links.
      for (const file of [/app-/, /chunk-/, /\/api\/urls\?/]) await asked(file);
      assert.ok(scripts() <= 2, `${scripts()} scripts`);
      await answer(/app-|chunk-/);
      await page.locator("#said").waitFor({ state: "attached" });
      assert.equal(await page.locator(".boot").count(), 0);
      assert.deepEqual(await placesOf(page, parts), before);
      assert.deepEqual(await page.locator(".toolbar .pick span").allTextContents(), picks);
      await answer(/\/api\/urls\?/);
      if (on !== several) await page.locator(".rows .row").first().waitFor();
      await answerAll();
    });
  }

  // Browsers have six connections to a server without HTTP/2.
  for (const [path, ...data] of [
    ["/ui/overview", /by=referrer_host/, /by=visitor/],
    ["/ui/links/launch", /by=referrer_host/, /by=visitor/, /launch$/],
  ]) {
    test(`${path} has its clicks after three round trips`, async () => {
      const { page, asked, answer, answerAll, scripts } = await open(path);
      await page.locator(".boot .waiting").waitFor();
      for (const file of [/app-/, /chunk-/, /pages-/]) await asked(file);
      assert.ok(scripts() <= 6, `${scripts()} scripts`);
      await answer(/app-|chunk-|pages-/);
      for (const question of data) await asked(question);
      await answer(/\/api\//);
      await page.locator(".stats .chart svg").waitFor();
      await answerAll();
    });
  }

  test("the next page's code comes when the first page is there", async () => {
    const { page, asked, answer, answerAll } = await open("/ui/");
    await asked(/app-/);
    await answer(/app-|chunk-/);
    await asked(/assets\/pages-/);
    await page.getByRole("link", { name: "Overview" }).click();
    await page.locator("main[aria-busy] .progress").waitFor();
    assert.equal(await page.locator(".top [aria-current]").textContent(), "Overview");
    await answerAll();
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    assert.equal(await page.locator(".progress").count(), 0);
  });

  test("who is signed out sees only the sign-in", async () => {
    const { page, asked, answer, answerAll } = await open("/ui/", {
      signedIn: false,
      prepare: (page) =>
        page.addInitScript(
          () =>
            location.protocol.startsWith("http") && localStorage.setItem("terse-session", "out"),
        ),
    });
    await asked(/app-/);
    await page.waitForFunction(() => "signedOut" in document.documentElement.dataset);
    assert.equal(await page.locator(".boot .top").isVisible(), false);
    await answerAll();
    await page.getByRole("dialog", { name: "Sign in" }).waitFor();
  });
});
