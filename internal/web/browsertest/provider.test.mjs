// The whole way to a provider and back, in a browser: a certified one, on a site of its own.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { clean, phone, schemes, shot, suite } from "./harness.mjs";

const folder = fileURLToPath(new URL("../../tests/oidctest/provider/", import.meta.url));
const missing = !existsSync(`${folder}node_modules/oidc-provider`);
if (missing && process.env.CI === "true") throw new Error(`npm ci in ${folder}`);

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

// 127.0.0.1 and localhost are two sites.
const base = `http://127.0.0.1:${await freePort()}`;
const issuer = `http://localhost:${await freePort()}`;
const expect = [/request to another host: http:\/\/localhost/, /status of 40[0134]/];

describe("a provider", { skip: missing && `NOT TESTED: npm ci in ${folder}` }, () => {
  const it = suite({
    env: {
      BASE_URL: base,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: "terse",
      OIDC_CLIENT_SECRET: "secret",
      OIDC_ALLOWED_EMAILS: "ann@example.com",
      OIDC_NAME: "Acme",
    },
  });
  it.server.port = new URL(base).port;
  let child, answers;
  before(() => {
    child = spawn(process.execPath, [`${folder}provider.mjs`], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  });
  after(() => child.stdin.end());

  const be = async (account) => {
    const config = {
      issuer,
      client: {
        client_id: "terse",
        client_secret: "secret",
        redirect_uris: [`${base}/ui/oidc/callback`],
      },
      claims: { email: ["email", "email_verified"], profile: ["name"] },
      account: { sub: "1", email_verified: true, ...account },
      asks: true,
    };
    child.stdin.write(`${JSON.stringify(config)}\n`);
    await answers.next();
  };
  const signIn = async (page, path) => {
    await page.goto(path);
    await page.getByRole("button", { name: "Be Ann" }).click();
  };
  const status = (page, path) =>
    page.evaluate((path) => fetch(path).then((answer) => answer.status), path);

  test("leads back to a page that is signed in", async () => {
    await be({ email: "ann@example.com" });
    const page = await it.open(null, { signedIn: false, expect });
    await page.goto("/ui/overview?range=7d");
    await page.getByRole("link", { name: "Sign in with Acme" }).click();
    await page.getByRole("button", { name: "Be Ann" }).click();
    await page.waitForURL(`${base}/ui/overview?range=7d`);
    await page.getByRole("button", { name: "Signed in as ann@example.com, editor" }).waitFor();
    assert.equal(await page.getByRole("dialog").count(), 0);
    // The browser came from another site, and its cookie is for requests of this one.
    assert.equal(await status(page, "/api/urls"), 200);
    const [session] = (await page.context().cookies()).filter((it) => it.name === "terse_session");
    assert.equal(session.sameSite, "Strict");
    assert.equal(session.httpOnly, true);
  });

  test("is where the dashboard's button leads, and the person has settings", async () => {
    await be({ email: "ann@example.com", name: "Ann Archer" });
    const page = await it.open("/ui/overview?range=7d", { signedIn: false, expect });
    await page.getByRole("link", { name: "Sign in with Acme" }).click();
    await page.getByRole("button", { name: "Be Ann" }).click();
    await page.waitForURL(`${base}/ui/overview?range=7d`);
    const account = page.getByRole("button", { name: "Signed in as ann@example.com, editor" });
    await account.click();
    await page.locator(".menu-item").getByText("Settings").click();
    await page.getByRole("button", { name: "New token" }).click();
    const form = page.getByRole("dialog", { name: "New token" });
    await form.getByLabel("Name", { exact: true }).fill("mine");
    assert.equal(await form.getByLabel("Acts for").count(), 0); // is for admins
    await form.getByRole("button", { name: "Role: Editor" }).click();
    const roles = await page.locator(".popover .menu-item").allTextContents();
    assert.deepEqual(
      roles.map((text) => text.trim()),
      ["Viewer", "Editor"],
    );
    await page.keyboard.press("Escape");
    await form.getByRole("button", { name: "Make token" }).click();
    const made = page.getByRole("dialog", { name: "The token mine" });
    const text = await made.getByLabel("Token", { exact: true }).inputValue();
    await made.getByRole("button", { name: "Done" }).click();
    const { body } = await it.server.api("GET", "/api/me", undefined, text);
    assert.deepEqual([body.identity, body.role], ["ann@example.com", "editor"]);
    assert.deepEqual(await page.locator(".settings .tab").allTextContents(), ["Tokens"]);

    await page.reload();
    await account.click();
    await page.locator(".menu-item").getByText("Sign out").click();
    await page.getByRole("link", { name: "Sign in with Acme" }).waitFor();
    assert.equal(await status(page, "/api/urls"), 401);
  });

  test("a person who is disabled has to sign in again", async () => {
    await be({ email: "ann@example.com" });
    const page = await it.open("/ui/", { signedIn: false, expect });
    await page.getByRole("link", { name: "Sign in with Acme" }).click();
    await page.getByRole("button", { name: "Be Ann" }).click();
    await page.getByRole("button", { name: /^Signed in as ann/ }).waitFor();
    const path = "/api/users/ann%40example.com";
    await it.server.api("PATCH", path, { disabled: true });
    await page.reload();
    await page.getByRole("dialog", { name: "Sign in" }).waitFor();
    await it.server.api("PATCH", path, { disabled: false });
  });

  for (const colorScheme of schemes)
    test(`says who is kept out, and why, ${colorScheme}`, async () => {
      await be({ sub: "2", email: "eve@example.com" });
      for (const options of [{}, phone]) {
        const page = await it.open(null, { signedIn: false, expect, colorScheme, ...options });
        await signIn(page, "/ui/oidc/login");
        await page.getByText(/eve@example\.com may not sign in/).waitFor();
        const text = await page.locator("main").innerText();
        assert.match(text, /You may not sign in/);
        assert.match(text, /OIDC_ALLOWED_EMAILS/);
        await clean(page, "a person who is kept out");
        await shot(page, `kept-out-${options === phone ? "phone" : "desktop"}-${colorScheme}`);
        assert.equal(await status(page, "/api/urls"), 401);
      }
    });

  test("a page that the provider leads to by itself is signed in, too", async () => {
    await be({ email: "ann@example.com" });
    const page = await it.open(null, { signedIn: false, expect });
    await signIn(page, "/ui/oidc/login?next=/ui/");
    await page.waitForURL(`${base}/ui/`);
    await page.getByRole("button", { name: "Signed in as ann@example.com, editor" }).waitFor();
    assert.equal(await page.getByRole("dialog").count(), 0);
  });

  test("a failure leads to another try, and to the way in by token", async () => {
    await be({ email: "ann@example.com" });
    const page = await it.open("/ui/oidc/callback?code=a&state=b", { signedIn: false, expect });
    await page.getByText("Sign-in failed").waitFor();
    await clean(page, "a sign-in that failed");
    await page.getByRole("link", { name: "Try again" }).click();
    await page.getByRole("button", { name: "Be Ann" }).click();
    await page.waitForURL(`${base}/ui/`);
    await page.goto("/ui/oidc/callback");
    await page.getByRole("link", { name: "Sign in with a token" }).click();
    await page.waitForURL(`${base}/ui/?token`);
  });
});
