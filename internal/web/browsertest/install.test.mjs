import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { clean, inFirefox, sizes, suite, token } from "./harness.mjs";

const manifestPath = "/ui/manifest.webmanifest";
const long = `https://example.com/?long=${"0123456789".repeat(200)}`;

// shared is the address that a system opens for what somebody shares, as the manifest says.
async function shared(server, values) {
  const { share_target: target } = await (await fetch(server.url + manifestPath)).json();
  assert.equal(target.method, "GET");
  const query = new URLSearchParams(
    Object.entries(values).map(([name, value]) => [target.params[name], value]),
  );
  return `${target.action}?${query}`;
}

// filled fails unless the form has a URL and a title, and nothing was made of them.
async function filled(page, server, url, title) {
  await page.locator(".create").getByLabel("Title").waitFor();
  assert.equal(await page.getByLabel("Long URL").inputValue(), url);
  assert.equal(await page.locator(".create").getByLabel("Title").inputValue(), title);
  assert.equal(new URL(page.url()).search, "", "a reload starts anew");
  assert.equal((await server.api("GET", "/api/urls")).body.total, 0);
}

async function signIn(page) {
  await page.getByLabel("Access token").fill(token);
  await page.keyboard.press("Enter");
}

describe("what somebody shares with the dashboard", () => {
  const it = suite({ data: false });
  const open = async (values, options) =>
    it.open(await shared(it.server, values), { expect: [/status of 401/], ...options });

  for (const [name, size] of Object.entries(sizes))
    test(`fills in the form, ${name}`, async () => {
      const page = await it.open(null, size);
      for (const [values, url, title] of [
        [{ url: "https://example.com/a?b=c&d=%20e", title: "A & B" }, "=", "A & B"],
        [{ title: "In the text", text: "In the text\nhttps://example.com/a." }, null, null],
        [{ url: "content://app/1", text: "https://example.com/a" }, null, ""],
        [{ url: "https://example.com/first", text: "not https://example.com/a" }, "=", ""],
        [{ url: "example.com/bare", title: "", text: "" }, "=", ""],
      ]) {
        await page.goto(await shared(it.server, values));
        await filled(
          page,
          it.server,
          url === "=" ? values.url : "https://example.com/a",
          title ?? values.title,
        );
      }
    });

  test("may have no URL, which the form says", async () => {
    const page = await open({ title: "Only words", text: "Nothing to open here" });
    await page.getByText("There is no web address in what was shared.").waitFor();
    await filled(page, it.server, "", "Only words");
    await clean(page, "a form without a URL");
  });

  test("is there after signing in with a token, and after a session that ended", async () => {
    const page = await open({ url: long, title: "Later" }, { signedIn: false });
    await signIn(page);
    await filled(page, it.server, long, "Later");

    await page.context().clearCookies();
    await page.goto(await shared(it.server, { text: `See ${long}`, title: "Again" }));
    await signIn(page);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await filled(page, it.server, long, "Again");
  });
});

for (const automatic of [false, true])
  describe(`a provider that ${automatic ? "the page" : "a button"} leads to`, () => {
    const it = suite({
      data: false,
      env: {
        OIDC_ISSUER: "http://127.0.0.1:9",
        OIDC_CLIENT_ID: "terse",
        OIDC_ALLOWED_EMAILS: "*",
        OIDC_NAME: "Keycloak",
        OIDC_AUTO_REDIRECT: `${automatic}`,
      },
    });

    for (const url of ["https://example.com/short", long])
      test(`leads back to a form with ${url.length} characters`, async () => {
        const page = await it.open(null, { signedIn: false, expect: [/status of 401/] });
        const asked = [];
        await page.route(/\/ui\/oidc\/login/, async (route) => {
          const next = new URL(route.request().url()).searchParams.get("next");
          asked.push(next);
          await page.context().request.post("/ui/session", { data: { token } });
          await route.fulfill({ status: 303, headers: { Location: next } });
        });
        await page.goto(await shared(it.server, { url, title: "Kept" }));
        if (!automatic) await page.getByRole("link", { name: "Sign in with Keycloak" }).click();
        await filled(page, it.server, url, "Kept");
        assert.equal(asked.length, 1);
        assert.ok(asked[0].length <= 1024, "the server takes no longer address");
        assert.equal(await page.evaluate(() => sessionStorage.length), 0);
      });
  });

describe("the dashboard as an app", () => {
  const it = suite({ data: false });

  test("has icons, which are its picture", async () => {
    const page = await it.open("/ui/");
    const at = await page.locator('link[rel="manifest"]').getAttribute("href");
    assert.equal(at, manifestPath);
    const { icons } = await page.evaluate(async (at) => (await fetch(at)).json(), at);
    assert.deepEqual(
      icons.map(({ sizes, purpose }) => [sizes, purpose]),
      [
        ["192x192", undefined],
        ["512x512", undefined],
        ["512x512", "maskable"],
      ],
    );
    for (const icon of icons) {
      const { width, height, corner, off } = await page.evaluate(async ({ src }) => {
        const picture = document.querySelector('link[rel="icon"]').href;
        const load = async (url) => {
          const image = new Image();
          image.src = url;
          await image.decode();
          return image;
        };
        const image = await load(src),
          size = image.naturalWidth;
        const draw = (of) => {
          const canvas = new OffscreenCanvas(size, size).getContext("2d");
          canvas.drawImage(of, 0, 0, size, size);
          return canvas.getImageData(0, 0, size, size).data;
        };
        const [made, meant] = [draw(image), draw(await load(picture))];
        let off = 0; // pixels within the circle that every system leaves
        for (let y = 0; y < size; y++)
          for (let x = 0; x < size; x++) {
            const i = 4 * (y * size + x);
            if (Math.hypot(x - size / 2, y - size / 2) < 0.4 * size)
              off += Math.abs(made[i] - meant[i]) > 40;
          }
        return { width: size, height: image.naturalHeight, corner: made[3], off };
      }, icon);
      assert.deepEqual(`${width}x${height}`, icon.sizes);
      assert.equal(corner, icon.purpose === "maskable" ? 255 : 0, "how opaque the corner is");
      assert.ok(off < width, `${off} pixels of ${icon.src} differ from the picture`);
    }
  });

  // Firefox on a desktop installs nothing, and has no such questions.
  test("is understood by a browser that installs it", { skip: inFirefox }, async () => {
    const page = await it.open("/ui/");
    const session = await page.context().newCDPSession(page);
    const { url, errors, manifest } = await session.send("Page.getAppManifest");
    assert.equal(url, it.server.url + manifestPath);
    assert.deepEqual(errors, []);
    const home = `${it.server.url}/ui/`;
    assert.deepEqual([manifest.startUrl, manifest.scope, manifest.id], [home, home, home]);
    assert.equal(manifest.display, "kStandalone");
    assert.equal(manifest.icons.length, 3);
    assert.deepEqual([manifest.shareTarget.action, manifest.shareTarget.method], [home, "kGet"]);
  });
});
