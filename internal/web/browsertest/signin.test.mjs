import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { clean, phone, schemes, sent, shot, suite, token } from "./harness.mjs";

// The provider is out of reach: what it does is tried in internal/httpapi. The tests answer for it.
const provider = {
  OIDC_ISSUER: "http://127.0.0.1:9",
  OIDC_CLIENT_ID: "terse",
  OIDC_ALLOWED_EMAILS: "*",
  OIDC_NAME: "Keycloak",
};
const dialog = (page) => page.getByRole("dialog", { name: "Sign in" });
const button = (page) => page.getByRole("link", { name: "Sign in with Keycloak" });
const expect = [/status of 401/];

// signedInBy answers for the provider: it opens a session with a token, or does not, and leads
// back. It returns the addresses to lead back to.
async function signedInBy(page, as) {
  const asked = [];
  await page.route(/\/ui\/oidc\/login/, async (route) => {
    const next = new URL(route.request().url()).searchParams.get("next");
    asked.push(next);
    if (as) await page.context().request.post("/ui/session", { data: { token: as } });
    await route.fulfill({ status: 303, headers: { Location: next } });
  });
  return asked;
}

describe("sign-in with a provider", () => {
  const it = suite({ env: provider });

  for (const colorScheme of schemes)
    test(`has a button, and a token instead, ${colorScheme}`, async () => {
      for (const options of [{}, phone]) {
        const page = await it.open("/ui/", { signedIn: false, colorScheme, expect, ...options });
        await button(page).waitFor();
        assert.equal(await page.evaluate(() => document.activeElement.tagName), "A");
        assert.equal(await page.getByLabel("Access token").count(), 0);
        await clean(page, "sign-in with a provider");
        await shot(page, `sign-in-${options === phone ? "phone" : "desktop"}-${colorScheme}`);
        await page.getByRole("button", { name: "Use a token instead" }).click();
        assert.equal(await page.evaluate(() => document.activeElement.id), "token");
        await clean(page, "sign-in with a token instead");
        await page.keyboard.type(token);
        await page.keyboard.press("Enter");
        await page.locator(".rows .row").first().waitFor();
      }
    });

  test("leads to the provider and back to the same place", async () => {
    const page = await it.open(null, { signedIn: false, expect });
    const asked = await signedInBy(page, token);
    await page.goto("/ui/links/launch?range=7d&country=DE");
    await button(page).click();
    await page.locator(".stats").waitFor();
    assert.deepEqual(asked, ["/ui/links/launch?range=7d&country=DE"]);
    await page.reload();
    await page.locator(".stats").waitFor();
    assert.equal(await dialog(page).count(), 0);
  });

  test("leads back to an address that is too long for the server to keep", async () => {
    const page = await it.open(null, { signedIn: false, expect });
    const asked = await signedInBy(page, token);
    const path = `/ui/overview?range=7d&referrer=https%3A%2F%2Fexample.com%2F${"a".repeat(1000)}`;
    await page.goto(path);
    await button(page).click();
    await page.locator(".stats").waitFor();
    assert.deepEqual(asked, ["/ui/"]);
    assert.equal(page.url(), it.server.url + path);
    await page.goto("/ui/");
    await page.locator(".rows .row").first().waitFor();
    assert.equal(page.url(), `${it.server.url}/ui/`, "once");
  });

  test("who comes back without a session is asked again", async () => {
    const page = await it.open(null, { signedIn: false, expect });
    await signedInBy(page, "");
    await page.goto("/ui/");
    await button(page).click();
    await page.waitForURL("**/ui/");
    await button(page).waitFor();
  });

  test("a session that began at the provider's own page is found", async () => {
    const page = await it.open(null, { signedIn: false });
    await page.context().request.post("/ui/session", { data: { token } });
    await page.goto("/ui/");
    await page.locator(".rows .row").first().waitFor();
    assert.equal(await dialog(page).count(), 0);
  });

  test("a session that has ended is renewed over the page, in the same place", async () => {
    const page = await it.open("/ui/overview?range=7d", { expect });
    await page.locator(".stats").waitFor();
    await page.context().clearCookies();
    const asked = await signedInBy(page, token);
    // what the page asks for by itself may have been refused already, and the sign-in cover it
    await page.locator(".segments button", { hasText: "30d" }).dispatchEvent("click");
    await button(page).click();
    await page.locator('.stats[data-stale="false"]').waitFor();
    assert.deepEqual(asked, ["/ui/overview"]);
  });

  test("what was typed is there after the way to the provider", async () => {
    const page = await it.open("/ui/", { expect });
    await page.locator(".rows .row").first().waitFor();
    await signedInBy(page, token);
    await page.getByLabel("Long URL").fill("https://example.com/typed");
    await page.getByLabel("Title").fill("Typed, too");
    await page.context().clearCookies();
    await page.keyboard.press("Enter");
    await button(page).click();
    await page.locator(".rows .row").first().waitFor();
    assert.equal(await page.getByLabel("Long URL").inputValue(), "https://example.com/typed");
    assert.equal(await page.getByLabel("Title").inputValue(), "Typed, too");
    assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  });

  test("/ui/?token has the field for a token at once", async () => {
    const page = await it.open("/ui/?token", { signedIn: false, expect });
    await page.getByLabel("Access token").fill(token);
    await page.keyboard.press("Enter");
    await page.locator(".rows .row").first().waitFor();
  });
});

describe("sign-in that leads to the provider by itself", () => {
  const it = suite({ env: { ...provider, OIDC_AUTO_REDIRECT: "true" } });

  test("goes there at once, and not again after signing out", async () => {
    const page = await it.open(null, { signedIn: false, expect });
    const asked = await signedInBy(page, token);
    await page.goto("/ui/overview");
    await page.locator(".stats").waitFor();
    assert.deepEqual(asked, ["/ui/overview"]);
    await page.getByRole("button", { name: "Sign out" }).click();
    await button(page).waitFor();
    await page.reload();
    await button(page).waitFor();
    assert.equal(asked.length, 1);
    await button(page).click();
    await page.locator(".rows .row").first().waitFor();
    assert.equal(asked.length, 2);
    await page.context().clearCookies();
    await page.reload();
    await page.locator(".rows .row").first().waitFor();
    assert.equal(asked.length, 3, "a session that has ended");
  });

  test("does not go round in a circle", async () => {
    const page = await it.open(null, { signedIn: false, expect });
    const asked = await signedInBy(page, "");
    await page.goto("/ui/");
    await button(page).waitFor();
    assert.equal(asked.length, 1);
  });

  test("/ui/?token does not", async () => {
    const page = await it.open(null, { signedIn: false, expect });
    const asked = await signedInBy(page, token);
    await page.goto("/ui/?token");
    await page.getByLabel("Access token").waitFor();
    assert.equal(asked.length, 0);
  });
});

describe("a session that is over", () => {
  const it = suite();

  test("is found out by one request, and nothing else is asked in vain", async () => {
    const refused = [];
    const page = await it.open(null, {
      signedIn: false,
      expect,
      prepare: (p) => {
        p.on("response", (r) => r.status() === 401 && refused.push(new URL(r.url()).pathname));
        return p.addInitScript(() => {
          if (!location.protocol.startsWith("http")) return; // about:blank has no storage
          localStorage["terse-session"] ??= "in";
          localStorage["terse-me"] ??= '{"identity":"authenticated-user","role":"admin"}';
        });
      },
    });
    await page.goto("/ui/settings");
    await page.getByLabel("Access token").waitFor();
    // what waits for a moment without work has had it
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    await page.evaluate(() => dispatchEvent(new Event("focus")));
    await sent(page);
    assert.deepEqual(refused, ["/api/tokens"]);
    const users = page.waitForResponse(/\/api\/users/);
    await page.getByLabel("Access token").fill(token);
    await page.keyboard.press("Enter");
    await page.getByText("No tokens yet.").waitFor();
    assert.equal((await users).status(), 200, "whether there are others");
    assert.equal(refused.length, 1);
  });
});
