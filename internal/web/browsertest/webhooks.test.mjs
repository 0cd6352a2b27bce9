import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import {
  act,
  clean,
  cleanInAll,
  copied,
  inFirefox,
  menuItem,
  phone,
  pick,
  schemes,
  shot,
  sizes,
  suite,
  touch,
  until,
} from "./harness.mjs";

const chromiumOnly = inFirefox && "its driver can't read the clipboard";

const dialog = (page, name) => page.getByRole("dialog", { name });
const row = (page, text) => page.locator(".entries tbody tr", { hasText: text });
const seen = (locator, text) => locator.getByText(text).filter({ visible: true });
const deliveries = (page) => page.locator(".deliveries > li");
const isWide = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

// receiver starts a server that keeps what it gets, and gives an answer that tests change.
function receiver() {
  const it = { got: [], answer: { status: 204, body: "" } };
  let server;
  before(async () => {
    server = createServer((request, response) => {
      let body = "";
      request.setEncoding("utf8");
      request.on("data", (text) => {
        body += text;
      });
      request.on("end", () => {
        it.got.push({ headers: request.headers, body });
        response.writeHead(it.answer.status).end(it.answer.body);
      });
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    it.url = `http://127.0.0.1:${server.address().port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return it;
}

const env = { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" };

async function make(it, url, more = {}, query = "") {
  const { status, body } = await it.server.api("POST", `/api/webhooks${query}`, {
    url,
    events: ["link.created", "link.updated"],
    ...more,
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

describe("webhooks", () => {
  const there = receiver();
  const it = suite({ data: false, env });

  for (const [size, options] of Object.entries(sizes)) {
    test(`created, tested and deleted, on a ${size}`, { skip: chromiumOnly }, async () => {
      there.got = [];
      there.answer = { status: 204, body: "" };
      const page = await it.open("/ui/settings?show=webhooks", options);
      await page.getByText("No webhooks yet.").waitFor();
      await page.getByRole("button", { name: "Create webhook" }).click();
      const form = dialog(page, "Create webhook");
      assert.equal(await page.evaluate(() => document.activeElement.id), "hook-url");
      await form.getByRole("button", { name: "Create webhook" }).click();
      await form.getByText("Enter a URL.").waitFor();
      await form.getByLabel("URL").fill(`${there.url}/${size}`);
      await form.getByLabel("Clicks are counted").check();
      await form.getByLabel("A link is deleted").uncheck();
      await form.getByLabel("Description").fill(`From a ${size}`);
      await form.getByRole("button", { name: "Create webhook" }).click();
      const made = dialog(page, `The secret of From a ${size}`);
      await made.getByText("It is shown only now.").waitFor();
      await page.keyboard.press("Escape"); // it would be lost
      const copy = made.getByRole("button", { name: "Copy the secret" });
      if (options.hasTouch) {
        const { width, height } = await copy.boundingBox();
        assert.ok(width >= 44 && height >= 44, `the button is ${width} by ${height}`);
      }
      await copy.click();
      const secret = await copied(page);
      const shown = made.getByLabel("The secret", { exact: true });
      assert.equal(await shown.textContent(), secret);
      assert.ok(
        await shown.evaluate((it) => it.scrollWidth <= it.clientWidth && it.scrollLeft === 0),
        "all of the secret is in sight",
      );
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      await made.getByRole("button", { name: "Done" }).click();
      const here = row(page, `From a ${size}`);
      const text = (await here.textContent()).replace(/\s+/g, " ");
      assert.match(text, /Links created, updated, expired · clicks/);
      assert.match(text, /Active/);
      assert.ok(!(await page.locator("body").textContent()).includes(secret));
      assert.ok(!(await isWide(page)));

      await act(page, `Actions for From a ${size}`, "Send a test");
      await deliveries(page).getByText("Delivered").waitFor();
      await until(() => there.got.length === 1, "the test");
      const [{ headers, body }] = there.got;
      const key = Buffer.from(secret.slice("whsec_".length), "base64");
      const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
      assert.equal(
        headers["webhook-signature"],
        `v1,${createHmac("sha256", key).update(signed).digest("base64")}`,
      );
      await deliveries(page).locator("summary").click();
      await page.locator(".payload").getByText('"type": "webhook.test"').waitFor();
      await deliveries(page).getByText("Answer 204").first().waitFor();
      assert.ok(!(await isWide(page)));

      await page.getByRole("link", { name: "Webhooks", exact: true }).last().click();
      await act(page, `Actions for From a ${size}`, "Delete");
      const question = dialog(page, "Delete webhook");
      await question.getByRole("button", { name: "Keep it" }).click();
      await act(page, `Actions for From a ${size}`, "Delete");
      await question.getByRole("button", { name: "Delete webhook" }).click();
      await page.getByText("No webhooks yet.").waitFor();
      const { body: left } = await it.server.api("GET", "/api/webhooks");
      assert.deepEqual(left.webhooks, []);
    });
  }

  test("what the server refuses stands at its field", async () => {
    const page = await it.open("/ui/settings?show=webhooks", { expect: [/status of 400/] });
    await page.getByRole("button", { name: "Create webhook" }).click();
    const form = dialog(page, "Create webhook");
    await form.getByLabel("URL").fill("https://10.0.0.7/");
    for (const box of await form.getByRole("checkbox").all()) await box.uncheck();
    await form.getByRole("button", { name: "Create webhook" }).click();
    await page.locator("#hook-events-problem", { hasText: "Choose at least one." }).waitFor();
    await form.getByLabel("A link is created").check();
    await form.getByRole("button", { name: "Create webhook" }).click();
    const { body } = await it.server.api("POST", "/api/webhooks", {
      url: "https://10.0.0.7/",
      events: ["link.created"],
    });
    const problem = page.locator("#hook-url-problem");
    await problem.waitFor();
    const said = await problem.textContent();
    assert.ok(said.toLowerCase().startsWith(body.error.toLowerCase()), said);
    await until(
      () => page.evaluate(() => document.activeElement.id === "hook-url"),
      "the focus in the field",
    );
    await clean(page, "a refused webhook");
  });

  test("changed, disabled, enabled again, and given another secret", async () => {
    const hook = await make(it, `${there.url}/changed`, { description: "Old" });
    const page = await it.open("/ui/settings?show=webhooks");
    await row(page, "/changed").getByRole("link").click();
    await page.getByText("No deliveries yet.").waitFor();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const form = dialog(page, "Edit webhook");
    await form.getByLabel("Description").fill("New");
    await form.getByLabel("Tags").fill("news");
    await page.keyboard.press("Enter");
    await form.getByRole("button", { name: "Save" }).click();
    await page.locator(".hook-facts").getByText("news").waitFor();
    const read = async () => (await it.server.api("GET", `/api/webhooks/${hook.id}`)).body;
    let now = await read();
    assert.deepEqual(
      [now.description, now.tags, now.events, now.url],
      ["New", ["news"], hook.events, hook.url],
    );

    const name = "Actions for New";
    await act(page, name, "Disable");
    await page.getByText("Disabled.", { exact: true }).waitFor();
    assert.equal((await read()).status, "disabled");
    assert.ok(await page.getByRole("button", { name: "Send a test" }).isDisabled());
    await page.getByRole("button", { name: "Undo" }).click();
    await until(async () => (await read()).status === "active", "it to be enabled again");
    await act(page, name, "Disable");
    await page.getByRole("button", { name: "Enable" }).click();
    await page.getByText("Disabled.", { exact: true }).waitFor({ state: "detached" });
    assert.equal((await read()).status, "active");

    await act(page, name, "Rotate secret");
    const question = dialog(page, "Rotate secret");
    await question.getByText("Rotating again within them ends the present one at once.").waitFor();
    await question.getByRole("button", { name: "Rotate secret" }).click();
    const shown = await dialog(page, /^The secret of/)
      .getByLabel("The secret", { exact: true })
      .textContent();
    assert.match(shown, /^whsec_/);
    assert.notEqual(shown, hook.secret);
    await page.getByRole("button", { name: "Done" }).click();
    there.got = [];
    await page.getByRole("button", { name: "Send a test" }).click();
    await until(() => there.got.length === 1, "the test");
    assert.equal(there.got[0].headers["webhook-signature"].split(" ").length, 2);
    await it.server.api("DELETE", `/api/webhooks/${hook.id}`);
  });

  test("those of one host are told apart", async () => {
    const long = `${there.url}/${"services/".repeat(20)}last`;
    const hooks = [
      await make(it, `${there.url}/first`),
      await make(it, `${there.url}/second`, { description: "Chat" }),
      await make(it, long),
    ];
    const page = await it.open("/ui/settings?show=webhooks");
    for (const name of [`Actions for ${there.url}/first`, "Actions for Chat"])
      await page.getByRole("button", { name, exact: true }).waitFor();
    await seen(row(page, "Chat"), "/second").waitFor();
    const link = page.getByRole("link", { name: /^http:.+….+\/last$/ });
    assert.equal(await link.locator("[title]").getAttribute("title"), long);
    await link.click();
    await page.getByRole("heading", { name: /^http:.+….+\/last$/ }).waitFor();
    await page.locator(".hook-facts").getByText(long.slice(there.url.length)).waitFor();
    for (const { id } of hooks) await it.server.api("DELETE", `/api/webhooks/${id}`);
  });

  test("what fails says why, and is sent again", async () => {
    const hook = await make(it, `${there.url}/failing`);
    there.answer = { status: 500, body: "<b>out of order</b>" };
    there.got = [];
    await it.server.api("POST", "/api/urls", {
      original_url: "https://example.com/",
      short_code: "told",
    });
    const page = await it.open(`/ui/settings?show=webhooks&webhook=${hook.id}`);
    const one = deliveries(page).filter({ hasText: "Link created" });
    await one.getByText("Answer 500").waitFor();
    await one.getByText(/next (in \d+ s|now|in 1 min)$/).waitFor();
    await one.getByText(/\d attempts · next/).waitFor(); // by itself
    await page.locator(".hook-note").getByText("Failing").waitFor();
    await one.locator("summary").click();
    await one.getByText("<b>out of order</b>").first().waitFor();
    await one.locator(".payload").getByText('"short_code": "told"').waitFor();
    there.answer = { status: 200, body: "" };
    await one.getByRole("button", { name: "Send again" }).click();
    await one.locator("summary").getByText("Delivered").waitFor();
    await pick(page, "Show", "Failed");
    await page.getByText("None with this status.").waitFor();
    await pick(page, "Show", "Delivered");
    await one.waitFor();
    const ids = new Set(there.got.map(({ headers }) => headers["webhook-id"]));
    assert.equal(ids.size, 1);
    await it.server.api("DELETE", `/api/webhooks/${hook.id}`);
  });

  test("by keyboard alone", async () => {
    const page = await it.open("/ui/settings?show=webhooks");
    const to = async (name) => {
      for (let i = 0; i < 40; i++) {
        const focused = await page.evaluate(() => {
          const { ariaLabel, labels, textContent } = document.activeElement;
          return ariaLabel || labels?.[0]?.textContent.trim() || textContent.trim();
        });
        if (focused.startsWith(name)) return;
        await page.keyboard.press("Tab");
      }
      assert.fail(`Tab does not reach ${name}`);
    };
    await page.getByText("No webhooks yet.").waitFor();
    await to("Create webhook");
    await page.keyboard.press("Enter");
    await dialog(page, "Create webhook").waitFor();
    await page.keyboard.type(`${there.url}/typed`);
    await to("A link is deleted");
    await page.keyboard.press("Space");
    await to("Create webhook");
    await page.keyboard.press("Enter");
    await dialog(page, /^The secret of/).waitFor();
    await to("Done");
    await page.keyboard.press("Enter");
    await seen(row(page, "/typed"), "Links created, updated, expired").waitFor();
    await to(`${there.url}/typed`);
    await page.keyboard.press("Enter");
    await page.getByText("No deliveries yet.").waitFor();
    assert.equal(
      await page.evaluate(() => document.activeElement.id),
      "hook-title",
      "the focus is on the page that has come",
    );
    await to("Send a test");
    await page.keyboard.press("Enter");
    await deliveries(page).getByText("Delivered").waitFor();
    await to("Show: All");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator(".payload").waitFor();
    await page.goBack();
    await row(page, "/typed").waitFor();
    const { body } = await it.server.api("GET", "/api/webhooks");
    await it.server.api("DELETE", `/api/webhooks/${body.webhooks[0].id}`);
  });
});

describe("webhooks by role, and how they look", () => {
  const there = receiver();
  const it = suite({ data: false, env });
  const as = {};
  before(async () => {
    for (const [identity, role] of [
      ["ci", "editor"],
      ["vera", "viewer"],
      ["audrey", "auditor"],
    ]) {
      const { body } = await it.server.api("POST", "/api/tokens", { name: "a", identity, role });
      as[identity] = body.token;
    }
  });

  test("each sees what it may", async () => {
    const mine = await make(it, `${there.url}/mine`, {}, "?owner=*");
    await it.server.api(
      "POST",
      "/api/webhooks",
      { url: `${there.url}/theirs`, events: ["clicks"], description: "Click counts" },
      as.ci,
    );
    const editor = await it.open("/ui/settings", { as: as.ci });
    await row(editor, "/theirs").waitFor();
    assert.equal(await row(editor, "/mine").count(), 0);
    assert.equal(await editor.getByRole("button", { name: "Create webhook" }).count(), 1);
    const auditor = await it.open("/ui/settings?show=webhooks", { as: as.audrey });
    await row(auditor, "/theirs").waitFor();
    await seen(row(auditor, "/mine"), "of everybody's links").waitFor();
    assert.equal(await auditor.getByRole("button", { name: /webhook|Actions/ }).count(), 0);
    await row(auditor, "/theirs").getByRole("link").click();
    await auditor.getByText("No deliveries yet.").waitFor();
    assert.equal(await auditor.getByRole("button", { name: "Edit" }).count(), 0);
    const viewer = await it.open("/ui/", { as: as.vera });
    await viewer.getByRole("button", { name: "Signed in as vera, viewer" }).click();
    await menuItem(viewer, "Shared pages").waitFor();
    assert.equal(await menuItem(viewer, "Settings").count(), 0);
    await it.server.api("DELETE", `/api/webhooks/${mine.id}?owner=*`);
  });

  test("without faults in any size and colour", async () => {
    const answered = (hook, count) =>
      until(async () => {
        const { body } = await it.server.api("GET", `/api/webhooks/${hook.id}/deliveries`);
        return body.deliveries.filter(({ attempts }) => attempts.length > 0).length === count;
      }, `${count} answers`);
    const gone = await make(it, `${there.url}/gone`, { description: "Team chat" });
    there.answer = { status: 410, body: "out-of-order".repeat(100) };
    await it.server.api("POST", "/api/urls", {
      original_url: `https://example.com/${"long".repeat(50)}`,
    });
    await answered(gone, 1);
    const hook = await make(it, `${there.url}/looked-at`, {
      description: "For the newsletter",
      tags: ["news", "shop"],
      events: ["link.created", "link.updated", "link.deleted", "link.expired", "clicks"],
    });
    there.answer = { status: 200, body: "" };
    await it.server.api("POST", `/api/webhooks/${hook.id}/test`);
    await answered(hook, 1);
    there.answer = { status: 500, body: "out of order" };
    await it.server.api("POST", "/api/urls", {
      original_url: "https://example.com/spring",
      short_code: "spring",
      tags: ["news"],
    });
    await answered(hook, 2);
    for (const [size, options] of Object.entries({
      desktop: {},
      wide: { viewport: { width: 1440, height: 900 } },
      phone,
    })) {
      for (const colorScheme of schemes) {
        const name = `${size}-${colorScheme}`;
        const page = await it.open("/ui/settings?show=webhooks", { ...options, colorScheme });
        await row(page, "looked-at").waitFor();
        await seen(row(page, "Team chat"), "Answer 410 (gone)").waitFor();
        await clean(page, `the list, ${name}`);
        assert.ok(!(await isWide(page)), `the list, ${name}`);
        if (size !== "wide") await shot(page, `webhooks-${name}`);
        await page.goto(`/ui/settings?show=webhooks&webhook=${hook.id}`);
        await deliveries(page).filter({ hasText: "Link created" }).locator("summary").click();
        await page.locator(".payload").waitFor();
        await clean(page, `a webhook, ${name}`);
        assert.ok(!(await isWide(page)), `a webhook, ${name}`);
        if (size !== "wide") await shot(page, `webhook-${name}`, { fullPage: true });
        await page.goto(`/ui/settings?show=webhooks&webhook=${gone.id}`);
        await deliveries(page).locator("summary").click();
        await page.locator(".payload").waitFor();
        await page.locator(".hook-note").getByText("Answer 410 (gone).").waitFor();
        await clean(page, `a disabled webhook, ${name}`);
        assert.ok(!(await isWide(page)), `a disabled webhook, ${name}`);
        await page.getByRole("button", { name: "Edit", exact: true }).click();
        await dialog(page, "Edit webhook").waitFor();
        await clean(page, `the form, ${name}`);
        if (size === "phone" && options.hasTouch) {
          await page.getByRole("button", { name: "Cancel" }).click();
          await page.getByRole("link", { name: "Webhooks", exact: true }).last().click();
          const { x, y, height } = await row(page, "looked-at").locator("th").boundingBox();
          assert.ok(height >= 44, `the row is ${height} high`);
          await touch(page, [{ x: x + 2, y: y + height - 4 }]);
          await deliveries(page).first().waitFor();
          await page.getByRole("button", { name: "Edit", exact: true }).click();
          for (const box of await page.locator(".hook-form .check").all()) {
            assert.ok((await box.boundingBox()).height >= 44);
          }
        }
      }
    }
    const page = await it.open(`/ui/settings?show=webhooks&webhook=${hook.id}`);
    await deliveries(page).first().waitFor();
    await cleanInAll(page, "a webhook");
  });
});
