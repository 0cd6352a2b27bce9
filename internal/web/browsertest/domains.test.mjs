import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { request as ask } from "node:http";
import { describe, test } from "node:test";
import {
  act,
  clean,
  cleanInAll,
  closeFilters,
  copied,
  inFirefox,
  menuItem,
  openFilters,
  phone,
  pick,
  shot,
  sizes,
  suite,
  totalOf,
  until,
} from "./harness.mjs";

const go = "go.example",
  other = "s2.example";
const press = (locator, size = {}) => (size.hasTouch ? locator.tap() : locator.click());
const button = (page, name) => page.getByRole("button", { name, exact: true });
const row = (page, key) => page.getByRole("link", { name: `View ${key}`, exact: true });

// visit asks the server for an address of a host, as no browser could here.
const visit = (server, host, path) =>
  new Promise((resolve, reject) => {
    ask({ port: server.port, host: "127.0.0.1", path, headers: { Host: host } }, (response) => {
      response.resume();
      resolve({ status: response.statusCode, location: response.headers.location });
    })
      .on("error", reject)
      .end();
  });

describe("a server with three hosts", () => {
  const it = suite({ data: false, env: { DOMAINS: `${go},${other}` } });
  const make = async (link) => {
    const { status, body } = await it.server.api("POST", "/api/urls", link);
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  // three makes links with one code at each host.
  const three = async (code) => {
    for (const domain of [undefined, go, other])
      await make({
        original_url: `https://example.com/${code}/at/${domain ?? "home"}`,
        short_code: code,
        domain,
      });
  };

  for (const [name, size] of Object.entries(sizes)) {
    test(`the domain of a new link is chosen, and remembered, ${name}`, async () => {
      const page = await it.open("/ui/", size);
      const code = `chosen-${name}`;
      await page.getByLabel("Long URL").fill(`https://example.com/${code}`);
      await button(page, "Domain: sho.rt").waitFor();
      await cleanInAll(page, "the form with domains");
      await press(button(page, "Domain: sho.rt"), size);
      await press(menuItem(page, go), size);
      await page.getByLabel("Code", { exact: true }).fill(code);
      assert.equal(await page.locator(".code-field .quiet").first().textContent(), `${go}/`);
      await page.getByLabel("Long URL").focus();
      await page.keyboard.press("Enter");
      const made = page.locator(".made a.mono");
      await made.waitFor();
      assert.equal(await made.textContent(), `${go}/${code}`);
      if (!inFirefox) assert.equal(await copied(page), `https://${go}/${code}`);
      await row(page, `${go}/${code}`).waitFor();
      assert.deepEqual(await visit(it.server, go, `/${code}`), {
        status: 302,
        location: `https://example.com/${code}`,
      });
      assert.equal((await visit(it.server, "sho.rt", `/${code}`)).status, 404);

      await page.reload();
      await row(page, `${go}/${code}`).waitFor();
      await page.getByLabel("Long URL").fill(`https://example.com/${code}/again`);
      await page.keyboard.press("Enter"); // the form may not be there yet
      await until(async () => (await made.textContent()).startsWith(`${go}/`), "the same domain");
      await page.getByLabel("Long URL").fill("https://example.com/");
      await pickDomain(page, "sho.rt", size); // for the next test
      await press(button(page, "Cancel"), size);
    });
  }

  async function pickDomain(page, domain, size) {
    await press(page.locator("#new-domain"), size);
    await press(menuItem(page, domain), size);
    await button(page, `Domain: ${domain}`).waitFor();
  }

  test("three links with one code are three links", async () => {
    await three("same");
    const page = await it.open("/ui/?search=same");
    for (const key of ["same", `${go}/same`, `${other}/same`]) await row(page, key).waitFor();
    await row(page, `${go}/same`).click();
    await page.waitForURL(new RegExp(`/ui/links/same\\?domain=${go}$`));
    await page.getByRole("heading", { name: `${go}/same` }).waitFor();
    await page.getByText("/same/at/go.example").waitFor();
    assert.equal(
      await page.locator('.page a[target="_blank"]').first().getAttribute("href"),
      `https://${go}/same`,
    );
    await page.reload();
    await page.getByText("/same/at/go.example").waitFor();
    // its destination, history and statistics are its own
    await button(page, "Edit").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title").fill("That at go.example");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "That at go.example" }).waitFor();
    const titles = await Promise.all(
      ["", `?domain=${go}`, `?domain=${other}`].map(
        async (query) => (await it.server.api("GET", `/api/urls/same${query}`)).body.title,
      ),
    );
    assert.deepEqual(titles, [undefined, "That at go.example", undefined]);
    await page.getByText("Title set to", { exact: false }).first().waitFor();
    await page.goto("/ui/links/same");
    await page.getByText("/same/at/home").waitFor();
    await page.getByRole("heading", { name: "sho.rt/same" }).waitFor();
    await page.goto("/ui/links/same?domain=sho.rt"); // the default one may be named
    await page.getByText("/same/at/home").waitFor();
  });

  test("a code that changes takes its page along, on its domain", async () => {
    await three("before");
    // asked for an address that is no code any more
    const page = await it.open(`/ui/links/before?domain=${other}`, { expect: [/status of 404/] });
    await page.getByText("/before/at/s2.example").waitFor();
    await button(page, "Edit").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Code", { exact: true }).fill("behind");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.waitForURL(new RegExp(`/ui/links/behind\\?domain=${other}$`));
    await page.getByText(`${other}/before`).first().waitFor(); // it is an alias now
    await page.goto(`/ui/links/before?domain=${other}`); // which leads to the link
    await page.waitForURL(new RegExp(`/ui/links/behind\\?domain=${other}$`));
    await page.goto(`/ui/links/before?domain=${go}`);
    await page.getByText("/before/at/go.example").waitFor();
  });

  test("one of three is deleted, and comes back", async () => {
    await three("gone");
    const page = await it.open("/ui/?search=gone");
    await row(page, `${go}/gone`).waitFor();
    await act(page, `Actions for ${go}/gone`, "Delete");
    await row(page, `${go}/gone`).waitFor({ state: "detached" });
    await row(page, "gone").waitFor();
    await page.keyboard.press("z");
    await row(page, `${go}/gone`).waitFor();
    await act(page, `Actions for ${go}/gone`, "Delete");
    await page.goto("about:blank"); // leaving asks for it
    await until(
      async () => (await it.server.api("GET", `/api/urls/gone?domain=${go}`)).status === 404,
      "the link to be gone",
    );
    for (const query of ["", `?domain=${other}`])
      assert.equal((await it.server.api("GET", `/api/urls/gone${query}`)).status, 200);
  });

  test("several are changed at once, each on its domain", async () => {
    await three("many");
    const page = await it.open("/ui/?search=many");
    for (const key of [`${go}/many`, `${other}/many`]) {
      await page.getByRole("checkbox", { name: `Select ${key}` }).check();
    }
    await page.getByText("2 selected").waitFor();
    await button(page, "Disable").click();
    await page.locator(".toast", { hasText: "2 links disabled" }).waitFor();
    const states = async () =>
      Promise.all(
        ["", `?domain=${go}`, `?domain=${other}`].map(
          async (query) => (await it.server.api("GET", `/api/urls/many${query}`)).body.disabled,
        ),
      );
    assert.deepEqual(await states(), [undefined, true, true]);
    await button(page, "Undo").click();
    await until(async () => (await states()).every((is) => !is), "the changes to be undone");
  });

  for (const [name, size] of Object.entries(sizes)) {
    test(`lists are filtered by domain, ${name}`, async () => {
      const code = `filter-${name}`;
      await three(code);
      const page = await it.open("/ui/", size);
      await row(page, code).waitFor();
      await openFilters(page, size);
      await press(page.getByRole("button", { name: "Domain: Any domain" }), size);
      await press(menuItem(page, other), size);
      await page.waitForURL(new RegExp(`domain=${other}`));
      await closeFilters(page, size);
      await row(page, `${other}/${code}`).waitFor();
      await row(page, code).waitFor({ state: "detached" });
      await clean(page, "the list of a domain");
      const { body } = await it.server.api("GET", `/api/urls?domain=${other}&limit=100`);
      await page.getByText(`${body.total} link`, { exact: false }).first().waitFor();
      await page.goto("/ui/?domain=sho.rt");
      await row(page, code).waitFor();
      assert.equal(await row(page, `${other}/${code}`).count(), 0);
    });
  }

  test("the overview and its clicks are filtered by domain", async () => {
    await three("clicked");
    for (const host of [go, go, other]) await visit(it.server, host, "/clicked");
    const total = async (query) =>
      (await it.server.api("GET", `/api/overview?${query}`)).body.total_clicks;
    await until(async () => (await total(`domain=${go}`)) >= 2, "the clicks to be counted");
    const page = await it.open("/ui/overview?bots=1&range=all");
    await pick(page, "Domain", go);
    await page.waitForURL(new RegExp(`domain=${go}`));
    const top = page.locator("a.bar", { hasText: `${go}/clicked` });
    await top.waitFor();
    await until(async () => {
      const shown = await page.locator(".bars .bar-code").allTextContents();
      return shown.length > 0 && shown.every((code) => code.startsWith(`${go}/`));
    }, "links of the domain only");
    await page.locator("#latest-title").scrollIntoViewIfNeeded(); // it is loaded in sight
    await page.locator(".latest-link a").first().waitFor();
    for (const link of await page.locator(".latest-link a").all())
      assert.match(await link.getAttribute("href"), new RegExp(`domain=${go}`));
    await clean(page, "the overview of a domain");
    await top.click();
    await page.waitForURL(new RegExp(`/ui/links/clicked\\?domain=${go}`));
    await page.goto(`/ui/links/clicked?domain=${go}&bots=1&range=all`);
    await until(async () => (await totalOf(page)) === 2, "its own clicks");
  });

  test("a share is of the link of its domain", async () => {
    await three("shared");
    const page = await it.open(`/ui/links/shared?domain=${go}`);
    await page.getByText("/shared/at/go.example").waitFor();
    await act(page, "More actions", "Share statistics");
    await page.getByRole("dialog").getByRole("button", { name: "Share", exact: true }).click();
    const domains = async () => {
      const { body } = await it.server.api("GET", "/api/shares");
      return body.shares.filter((one) => one.short_code === "shared").map((one) => one.domain);
    };
    await until(async () => (await domains()).length > 0, "the share");
    assert.deepEqual(await domains(), [go]);
    await page.goto("/ui/shares");
    await page.getByText(`${go}/shared`).first().waitFor();
  });

  for (const [name, size] of Object.entries(sizes)) {
    test(`where a domain leads is changed, and undone, ${name}`, async () => {
      const bare = { root_url: "https://www.example.com/shops" };
      await it.server.api("PATCH", `/api/domains/${other}`, bare);
      const page = await it.open("/ui/settings?show=domains", size);
      await page.getByRole("heading", { name: go }).waitFor();
      await cleanInAll(page, "the domains");
      if (name !== "tablet") await shot(page, `domains-${name}`);
      await press(button(page, `Edit ${go}`), size);
      const dialog = page.getByRole("dialog");
      const field = dialog.getByLabel("Where visitors of unknown addresses go");
      await field.fill("nothing");
      await press(dialog.getByRole("button", { name: "Save" }), size);
      await dialog.getByText("Enter a full web address").waitFor();
      await cleanInAll(page, "an error of a domain");
      await field.fill("example.com/lost");
      await press(dialog.getByRole("button", { name: "Save" }), size);
      await dialog.waitFor({ state: "detached" });
      await page.locator(".domains dd", { hasText: "example.com/lost" }).waitFor();
      const lost = async () => (await visit(it.server, go, "/no-such-code")).location;
      await until(
        async () => (await lost()) === "https://example.com/lost",
        "visitors to go there",
      );
      assert.equal((await visit(it.server, other, "/no-such-code")).status, 404);
      await press(button(page, "Undo"), size);
      await until(async () => (await lost()) === undefined, "visitors to stay");
      await page.locator(".domains dd", { hasText: "example.com/lost" }).waitFor({
        state: "detached",
      });
    });
  }

  test("who is no admin reads where domains lead", async () => {
    const { body } = await it.server.api("POST", "/api/tokens", {
      name: "reader",
      role: "viewer",
    });
    const page = await it.open("/ui/settings", { as: body.token });
    await page.getByRole("heading", { name: go }).waitFor();
    assert.equal(await button(page, `Edit ${go}`).count(), 0);
  });

  test("a table goes to the hosts that it names", async () => {
    const page = await it.open("/ui/move", { expect: [/status of 4\d\d .*\/api\/import/] });
    await page.getByLabel("File to import").setInputFiles({
      name: "hosts.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(
        "host,code,url\n" +
          `${go},tabled,https://example.com/1\n` +
          `${other},tabled,https://example.com/2\n` +
          "x.example,tabled,https://example.com/3\n" +
          "y.example,tabled,https://example.com/4\n" +
          `${go},tabled-2,https://example.com/5\n` +
          `${go},tabled-3,https://example.com/6\n`,
      ),
    });
    await button(page, "host: Domain").waitFor();
    await page.locator(".move-rows tbody tr").first().waitFor();
    assert.deepEqual(await page.locator(".move-rows th[scope=row]").allTextContents(), [
      `${go}/tabled`,
      `${other}/tabled`,
      "tabled",
      "tabled",
      `${go}/tabled-2`,
    ]);
    const reasons = page.locator(".move-reasons");
    await reasons.getByText("domain x.example is none of this server").waitFor();
    await reasons.getByText("short_code is that of a link at x.example").waitFor();
    await cleanInAll(page, "a table with hosts");
    await button(page, "Import 5 links").click();
    await page.locator(".move-done").waitFor();
    for (const [at, url] of [
      [go, "https://example.com/1"],
      [other, "https://example.com/2"],
      ["sho.rt", "https://example.com/3"],
    ])
      assert.equal((await visit(it.server, at, "/tabled")).location, url);
  });

  for (const [name, size] of Object.entries(sizes)) {
    const skip = inFirefox && "its driver has no downloads";
    test(`an export of one domain, ${name}`, { skip }, async () => {
      await three(`export-${name}`);
      const page = await it.open("/ui/move", size);
      await press(page.getByRole("button", { name: "Domain: Any domain" }), size);
      await press(menuItem(page, go), size);
      await page.waitForURL(new RegExp(`/ui/move\\?domain=${go}$`));
      await page.getByText(`Links at ${go} only.`).waitFor();
      await cleanInAll(page, "an export of a domain");
      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        press(button(page, "Export as CSV"), size),
      ]);
      const text = await readFile(await saved.path(), "utf8");
      assert.match(text, new RegExp(`^export-${name},${go},`, "m"));
      assert.ok(!text.includes(`at/${other}`) && !text.includes("at/home"), text);
    });
  }

  test("nothing is wider than a small phone, or moves on a wide screen", async () => {
    await three("narrow");
    for (const width of [390, 640, 820, 1024, 1920]) {
      const paths = ["/ui/", "/ui/settings?show=domains", `/ui/links/narrow?domain=${go}`];
      for (const path of [...paths, `/ui/move?domain=${go}`]) {
        const page = await it.open(path, {
          ...(width === 390 ? phone : {}),
          viewport: { width, height: 900 },
        });
        await page.locator("#main h1, #main h2").first().waitFor();
        await page.getByText(go).first().waitFor();
        const over = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        assert.ok(over <= 0, `${path} at ${width}: ${over} px`);
      }
    }
  });
});

describe("a list with two domains", () => {
  const it = suite({ env: { DOMAINS: go } });

  for (const [name, size] of Object.entries({ desktop: {}, phone })) {
    test(`says the host of each link, ${name}`, async () => {
      for (const [code, url, title] of [
        ["launch", "https://shop.example.com/spring/stickers", "Stickers of the launch"],
        ["opening", "https://example.com/shops/berlin", ""],
      ]) {
        const link = { short_code: code, original_url: url, domain: go, ...(title && { title }) };
        await it.server.api("POST", "/api/urls", link); // the second time it is there
        await visit(it.server, go, `/${code}`);
      }
      const page = await it.open("/ui/", size);
      await row(page, `${go}/launch`).waitFor();
      await row(page, "launch").waitFor();
      const hosts = page.locator(".row", { has: row(page, `${go}/launch`) }).locator(".row-host");
      assert.equal(await hosts.textContent(), `${go}/`);
      await shot(page, `domains-list-${name}`);
    });
  }
});

describe("a host with a long name", () => {
  const host = "a-rather-long-name.marketing.example.com",
    code = "spring-flyers";
  const it = suite({ data: false, env: { DOMAINS: `${go},${host}` } });
  const destination = "https://example.com/a/destination/that/is/long/too?with=parameters";
  const create = (link) =>
    it.server.api("POST", "/api/urls", { original_url: destination, ...link });

  test("gives way to the code where there is no room", async () => {
    for (const [i, domain] of [go, host].entries()) {
      await create({ short_code: `titled-${i}`, domain, title: "A title".repeat(9) });
      await create({ short_code: code, domain, aliases: ["printed"] });
      await visit(it.server, domain, `/${code}`);
    }
    const clicks = async () => (await it.server.api("GET", "/api/overview")).body.total_clicks;
    await until(async () => (await clicks()) === 2, "the clicks to be counted");
    // whole fails if a code is cut, or not on one line with its host.
    const whole = async (page, place) => {
      await page.locator(place).first().waitFor();
      const cut = await page.locator(place).evaluateAll((all) =>
        all
          .filter((one) => {
            const part = one.querySelector(".code-part"),
              { top, right, width } = part.getBoundingClientRect(),
              text = document.createRange(),
              before = one.querySelector(".host-part")?.getBoundingClientRect() ?? { top };
            text.selectNodeContents(part);
            return (
              text.getBoundingClientRect().width > width + 0.01 ||
              right > one.getBoundingClientRect().right + 1 ||
              Math.abs(before.top - top) > 2
            );
          })
          .map((one) => one.textContent),
      );
      assert.deepEqual(cut, [], place);
    };
    for (const size of [phone, { viewport: { width: 768, height: 1024 } }, {}]) {
      const page = await it.open("/ui/", size);
      await page.locator(".rows .row").nth(3).waitFor();
      await whole(page, ".row-first .row-code");
      await page.goto("/ui/overview?bots=1&range=all");
      await whole(page, ".bar-code");
      await page.locator("#latest-title").scrollIntoViewIfNeeded();
      await whole(page, ".latest-link .mono");
      await page.goto(`/ui/?url=${encodeURIComponent(destination)}`);
      await page.locator("#new-domain").click();
      await menuItem(page, host).click();
      await whole(page, ".known a");
    }
  });

  test("does not leave the list's tools a line of their own", async () => {
    for (const width of [721, 1280, 1440, 1920]) {
      const page = await it.open("/ui/", { viewport: { width, height: 900 } });
      const amount = await page.locator(".amount").boundingBox();
      const tool = await page.getByRole("link", { name: "Import and export" }).boundingBox();
      assert.ok(tool.y < amount.y + amount.height && tool.x > amount.x, `at ${width}`);
    }
  });
});

describe("a host that was taken away", () => {
  const it = suite({ data: false, env: { DOMAINS: go } });

  test("its links are there, and say that nobody reaches them", async () => {
    await it.server.api("POST", "/api/urls", {
      original_url: "https://example.com/left",
      short_code: "left-over",
      domain: go,
    });
    await it.server.stop();
    it.server.env = {};
    await it.server.start();
    const page = await it.open("/ui/");
    await row(page, `${go}/left-over`).waitFor();
    await page.locator(".row", { hasText: "left-over" }).getByText("Domain not served").waitFor();
    await clean(page, "a link that nobody reaches");
    await row(page, `${go}/left-over`).click();
    await page.getByText("Domain not served").waitFor();
    await page.getByText("Its domain is not served: visitors get a 404.").waitFor();
    assert.equal(await page.getByText("Try your link").count(), 0);
    await page.goto("/ui/settings?show=domains");
    await page.getByText("Not served", { exact: true }).waitFor();
    await page.getByRole("link", { name: "1 link" }).click();
    await row(page, `${go}/left-over`).waitFor();
    // no new link can have it
    await page.getByLabel("Long URL").fill("https://example.com/");
    await page.locator("#new-domain").click();
    await menuItem(page, "sho.rt").waitFor();
    assert.equal(await menuItem(page, go).count(), 0);
  });
});

describe("a server with one host", () => {
  const it = suite({ data: false });

  test("shows nothing of domains, and asks for none", async () => {
    await it.server.api("POST", "/api/urls", { original_url: "https://example.com/one" });
    const asked = [];
    const page = await it.open(null, {
      prepare: (page) => page.on("request", (request) => asked.push(request.url())),
    });
    await page.goto("/ui/");
    await page.locator(".rows .row").first().waitFor();
    await page.getByLabel("Long URL").fill("https://example.com/one/host");
    await page.getByLabel("Code", { exact: true }).waitFor();
    assert.equal(await page.locator("#new-domain").count(), 0);
    assert.equal(await page.getByRole("button", { name: /^Domain/ }).count(), 0);
    await page.goto("/ui/settings");
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "Domains" }).count(), 0);
    assert.deepEqual(
      asked.filter((url) => url.includes("domain")),
      [],
    );
  });
});
