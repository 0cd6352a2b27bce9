// The page on which links come in and go out.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import {
  clean,
  inFirefox,
  menuItem,
  phone,
  schemes,
  shot,
  sizes,
  suite,
  until,
} from "./harness.mjs";

const products = new URL("../../move/archive/table/testdata/products/", import.meta.url);
const texts = new URL("../../../cmd/terse/testdata/products/", import.meta.url);
const product = (name) => readFile(new URL(`${name}.csv`, products));
const button = (page, name) => page.getByRole("button", { name, exact: true });
// Browsers put every refusal on their console.
const refused = /status of 4\d\d .*\/api\/import/;

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "terse-move-"));
});
after(() => rm(folder, { recursive: true, force: true }));

async function give(page, name, content) {
  const path = join(folder, name);
  await writeFile(path, content);
  await page.getByLabel("File to import").setInputFiles(path);
}

async function opened(it, { expect = [], ...options } = {}) {
  const page = await it.open("/ui/move", { expect: [refused, ...expect], ...options });
  await button(page, "Choose a file").waitFor();
  return page;
}

describe("import and export", () => {
  const it = suite({ data: false });
  const links = async () => (await it.server.api("GET", "/api/urls?limit=100")).body.urls;
  const clear = async () => {
    for (const { short_code: code } of await links())
      await it.server.api("DELETE", `/api/urls/${code}`);
  };
  beforeEach(clear);
  const figures = (page) => page.locator(".move-figures li").allTextContents();
  const becomes = (page, column) =>
    page
      .locator(".move-columns")
      .getByRole("button", { name: `${column}: ` })
      .textContent();
  const firstLinks = async (page) => {
    const rows = page.locator(".move-rows tbody tr");
    await rows.first().waitFor();
    return rows.evaluateAll((all) =>
      all.map((row) => {
        const text = (at) => row.querySelector(at).textContent.replaceAll(/\s+/g, " ").trim();
        return {
          code: text("th"),
          url: text(".move-url"),
          title: text(".move-title"),
          created: text(".move-created"),
          clicks: text(".end"),
          result: text(".move-result"),
        };
      }),
    );
  };
  const read = (response) =>
    response.text().then((text) => text.trim().split("\n").map(JSON.parse));
  const exported = async () => {
    const response = await fetch(`${it.server.url}/api/export`, {
      headers: { Authorization: "Bearer token-for-the-tests" },
    });
    return (await read(response)).slice(1);
  };

  // What must be there of each file: destination, its addresses (… is a new code), clicks, title.
  const spring = "https://shop.example/spring";
  const expected = {
    bitly: [
      [spring, ["4kDs1", "spring"], 1234, "Spring sale"],
      ["https://docs.example/handbook", ["3xYz2"], 17, "Handbook"],
      ["https://shop.example/gift", ["2aBc3", "gift-card"], 0, undefined],
    ],
    dub: [
      [spring, ["spring"], 42, undefined],
      ["https://shop.example/sale", ["…", "docs/sale"], 0, undefined],
    ],
    yourls: [
      [spring, ["spring"], 42, undefined],
      ["https://docs.example/handbook", ["…", "1"], 1204, undefined],
      ["https://shop.example/gift", ["gift-card"], 0, undefined],
    ],
    shlink: [
      [spring, ["spring"], 42, "Spring"],
      ["https://docs.example/", ["…", "café"], 0, undefined],
    ],
    shortio: [
      [spring, ["spring"], 0, "Spring"],
      ["https://docs.example/handbook", ["handbook"], 0, undefined],
      ["https://shop.example/old", ["old"], 0, "Old"],
    ],
    tinyurl: [
      [spring, ["spring"], 42, undefined],
      ["https://docs.example/handbook", ["handbook"], 7, undefined],
    ],
  };
  for (const [name, all] of Object.entries(expected)) {
    test(`a table of ${name}`, async () => {
      const page = await opened(it);
      await give(page, `${name}.csv`, await product(name));
      await button(page, `Import ${all.length} links`).click();
      await page.locator(".move-done").waitFor();
      const clicks = all.reduce((sum, [, , n]) => sum + n, 0);
      const more = clicks ? ` and ${clicks.toLocaleString("en-GB")} clicks` : "";
      const text = `Imported ${all.length} links${more}.`;
      assert.equal(await page.locator(".move-done b").textContent(), text);
      const there = (await links()).map((link) => {
        const { original_url: url, short_code: code, aliases = [], click_count: n, title } = link;
        const isNew = !all.some(([, addresses]) => addresses.includes(code));
        return [url, [isNew ? "…" : code, ...aliases], n, title];
      });
      const byURL = ([a], [b]) => (a < b ? -1 : 1);
      assert.deepEqual(there.sort(byURL), all.toSorted(byURL));
      // and the same again: nothing comes twice
      const before = await exported();
      await button(page, "Close").click();
      await give(page, `${name}.csv`, await product(name));
      await page.getByText("All of it is there already").waitFor();
      assert.deepEqual(await exported(), before);
    });
  }

  // Files of products that are no tables: what each link in them is.
  const files = {
    "sink.json": (text) =>
      [...text.matchAll(/"slug": "([^"]+)",\s*"url": "([^"]+)"/g)].map(([, ...pair]) => pair),
    "golink.ndjson": (text) =>
      text
        .trim()
        .split("\n")
        .map(JSON.parse)
        .map(({ Short, Long }) => [Short, Long.replace(/\{\{.*/, "")]),
  };
  for (const [name, linksIn] of Object.entries(files)) {
    test(`a file such as ${name}`, async () => {
      const text = String(await readFile(new URL(name, texts)));
      const page = await opened(it);
      await give(page, name, text);
      const [product] = name.split(".");
      await page.getByText(new RegExp(`an export of ${product}`, "i")).waitFor();
      await page.getByRole("button", { name: /^Import \d+ links$/ }).waitFor();
      // the first ones are seen as they will be, in the order of the file
      const [[code, url]] = linksIn(text);
      const rows = await firstLinks(page);
      assert.equal(rows.length, 5);
      assert.equal(rows[0].code, code);
      assert.equal(rows[0].url, url.replace("https://", "").replace(/\/$/, ""));
      assert.match(rows[0].created, /2026/);
      await clean(page, "a file of a product");
      await page.getByRole("button", { name: /^Import \d+ links$/ }).click();
      await page.locator(".move-done").waitFor();
      const all = await links();
      const at = (code) =>
        all.find(({ short_code: own, aliases = [] }) => [own, ...aliases].includes(code));
      const found = linksIn(text).filter(([code]) => at(code));
      assert.ok(found.length > 2, `${found.length} of the links are there`);
      for (const [code, url] of found) {
        const { original_url: to } = at(code);
        assert.ok(to.startsWith(url.replace(/\/$/, "")), `${code} leads to ${to}, not ${url}`);
      }
    });
  }

  test("a dump of YOURLS, packed", async () => {
    const page = await opened(it);
    await give(page, "dump.sql.gz", await readFile(new URL("../yourls/dump.sql.gz", texts)));
    await page.getByText("an SQL dump of YOURLS, packed with gzip").waitFor();
    const [, second] = await firstLinks(page);
    assert.deepEqual([second.code, second.url], ["10", "example.com/pages/36?a=1&b=36#part-36"]);
    await page.getByRole("button", { name: /^Import \d+ links$/ }).click();
    await page.locator(".move-done").waitFor();
    const all = await links();
    const sample = all.find(({ short_code: code }) => code === "yourls");
    assert.equal(new URL(sample.original_url).host, "yourls.org");
    assert.ok(all.length > 50, `${all.length} links`);
  });

  test("the time zone of a dump's times, and none of other files", async () => {
    const text = [
      "-- a dump",
      "SET TIME_ZONE='+00:00';",
      "CREATE TABLE `yourls_url` (`keyword` text, `url` text, `title` text,",
      "  `timestamp` timestamp, `ip` text, `clicks` int);",
      "INSERT INTO `yourls_url` VALUES",
      "  ('one','https://example.com/','One','2026-02-01 09:30:00','192.0.2.1',0);",
    ].join("\n");
    const page = await opened(it);
    await give(page, "dump.sql", text);
    await button(page, "Time zone of its database: UTC").click();
    await menuItem(page, "Europe/Berlin (yours)").click();
    await button(page, "Time zone of its database: Europe/Berlin (yours)").waitFor();
    await clean(page, "the time zone of a dump");
    await button(page, "Import 1 link").click();
    await page.locator(".move-done").waitFor();
    const { body } = await it.server.api("GET", "/api/urls/one");
    // the database took what YOURLS wrote in UTC for its own time
    assert.equal(body.created_at, "2026-02-01T10:30:00Z");
    await button(page, "Close").click();
    await give(page, "sink.json", await readFile(new URL("sink.json", texts)));
    await button(page, "What the file is: As found").waitFor();
    assert.equal(await page.getByText("Time zone of its database").count(), 0);
  });

  test("what the file is can be said", async () => {
    const page = await opened(it);
    await give(
      page,
      "dub.csv",
      "Short link,Destination URL\nhttps://a.example/abc,https://b.example/\n",
    );
    await button(page, "What the file is: As found").click();
    await menuItem(page, "An export of Sink").click();
    await page.locator(".problem").first().waitFor();
    await button(page, "What the file is: An export of Sink").click();
    await menuItem(page, "A table of Dub").click();
    await button(page, "Import 1 link").click();
    await page.locator(".move-done").waitFor();
    const { body } = await it.server.api("GET", "/api/urls/abc");
    assert.deepEqual([body.original_url, body.forward_query], ["https://b.example/", true]);
  });

  test("databases and servers, by the command line", async () => {
    const page = await opened(it);
    await page.getByText("From a database or a server").click();
    await button(page, "Product: YOURLS").click();
    await menuItem(page, "Kutt").click();
    const commands = () => page.locator(".command code").allTextContents();
    await until(async () => (await commands()).length === 3, "the commands of Kutt");
    const end = ` --url ${it.server.url} --dry-run`;
    assert.equal((await commands())[0], `terse import kutt kutt.db${end}`);
    await clean(page, "commands");
    const database = (mark) => {
      const bytes = Buffer.alloc(100);
      bytes.write("SQLite format 3\0", "latin1");
      bytes.write(mark, 68, "latin1");
      return bytes;
    };
    await give(page, "it's urls.sqlite", database("chht"));
    await page.getByText("This is a database.").first().waitFor();
    await button(page, "Product: chhoto-url").waitFor();
    assert.deepEqual(await commands(), [`terse import chhoto 'it'\\''s urls.sqlite'${end}`]);
    await clean(page, "a database");
    await give(page, "db", database(""));
    await button(page, "Product: Kutt").waitFor();
    assert.deepEqual(await commands(), [`terse import kutt db${end}`]);
  });

  test("what a table is taken for, its own headings, and what each becomes", async () => {
    const page = await opened(it);
    await give(page, "links of Bitly.csv", await product("bitly"));
    await page.getByText("table of 7 columns, as Bitly writes it").waitFor();
    for (const [column, text] of [
      ["Long URL", "Destination"],
      ["Bitlink", "Short URL"],
      ["Custom Back-Half", "More addresses"],
      ["Created", "Created"],
      ["Clicks total", "Clicks"],
    ])
      assert.equal(await becomes(page, column), text);
    assert.deepEqual(await figures(page), ["3 new", "1,251 new"]);
    await page.locator("#said", { hasText: "3 links and 1,251 clicks would come." }).waitFor();
    const rows = page.locator(".move-rows tbody tr");
    assert.equal(await rows.count(), 3);
    const [first] = await rows.allTextContents();
    for (const text of ["spring", "shop.example/spring", "Spring sale", "5 Jan 2026", "1,234"])
      assert.ok(first.includes(text), `${text} in ${first}`);
    assert.deepEqual(await links(), [], "nothing is imported yet");
    await page.locator(".move-columns").getByRole("button", { name: "Title: Title" }).click();
    await menuItem(page, "Note").click();
    await until(async () => (await becomes(page, "Title")) === "Note", "the change");
    await page
      .locator(".move-columns")
      .getByRole("button", { name: "Clicks total: Clicks" })
      .click();
    await menuItem(page, "Not imported").click();
    await until(
      async () => JSON.stringify(await figures(page)) === '["3 new"]',
      "the figures without clicks",
    );
    await button(page, "Import 3 links").click();
    await page.locator(".move-done").waitFor();
    assert.deepEqual(
      (await links()).map((link) => [link.short_code, link.title, link.note, link.click_count]),
      [
        ["4kDs1", undefined, "Spring sale", 0],
        ["2aBc3", undefined, undefined, 0],
        ["3xYz2", undefined, "Handbook", 0],
      ],
    );
  });

  test("questions of the server have their answers as buttons", async () => {
    const page = await opened(it);
    await give(
      page,
      "ziele.csv",
      "Wohin;Was;Kurz\nhttps://example.com/a;A;aktion\nhttps://example.com/b;B;haus\n" +
        "https://example.com/c;C;buch\n",
    );
    await page.getByText("no column is known to have the URLs where links lead").first().waitFor();
    await page.getByRole("button", { name: /^"Wohin" is: Destination/ }).click();
    await page.getByText("No column is known to have short codes").first().waitFor();
    assert.equal(await page.getByRole("button", { name: /^Import 3/ }).count(), 0);
    assert.equal(await page.getByRole("button", { name: /^Import it as it is/ }).count(), 1);
    await clean(page, "a question");
    await page.locator(".move-columns").getByRole("button", { name: "Kurz: " }).click();
    await menuItem(page, "Code").click();
    await button(page, "Import 3 links").click();
    await page.locator(".move-done").waitFor();
    assert.deepEqual((await links()).map((link) => link.short_code).sort(), [
      "aktion",
      "buch",
      "haus",
    ]);
  });

  test("dates that may be two, and times without a zone", async () => {
    const page = await opened(it);
    await give(
      page,
      "dates.csv",
      "url,code,created\nhttps://example.com/a,one,01/02/2026 09:30\n" +
        "https://example.com/b,two,03/04/2026 10:00\n",
    );
    await page.getByText("Dates such as 01/02/2026 09:30 may be two.").waitFor();
    await button(page, "Day first (31/12/2026)").click();
    await until(async () => (await becomes(page, "created")) === "Created", "the dates");
    await button(page, "Times without a zone: UTC").click();
    await menuItem(page, "Europe/Berlin (yours)").click();
    await button(page, "Times without a zone: Europe/Berlin (yours)").waitFor();
    await button(page, "Import 2 links").click();
    await page.locator(".move-done").waitFor();
    assert.deepEqual(
      (await links()).map((link) => link.created_at),
      ["2026-04-03T08:00:00Z", "2026-02-01T08:30:00Z"],
    );
  });

  test("codes that are taken", async () => {
    const make = () =>
      it.server.api("POST", "/api/urls", {
        original_url: "https://other.example/",
        short_code: "spring",
      });
    await make();
    const page = await opened(it);
    await give(page, "dub.csv", await product("dub"));
    await button(page, "Import 1 link").waitFor();
    assert.deepEqual(await figures(page), [
      "1 new",
      "1 left out: its code is taken",
      "42 left out",
    ]);
    await page.getByText("short code already exists").first().waitFor();
    await page.getByText("line 2 (spring)", { exact: true }).waitFor();
    await page.locator(".move-end").getByText("1 link would come. 1 link is left out.").waitFor();
    await page.getByRole("radio", { name: /^Import nothing/ }).check();
    await page.getByText("Nothing would be imported: short code already exists").first().waitFor();
    assert.equal(await page.getByRole("button", { name: /^Import \d/ }).count(), 0);
    await page.getByRole("radio", { name: /^Give it another code/ }).check();
    await button(page, "Import 2 links").waitFor();
    await page.locator(".move-rows").getByText("spring → spring-2").waitFor();
    await page.getByRole("radio", { name: /^Replace/ }).check();
    await page.locator(".move-figures").getByText("1 changed").waitFor();
    await button(page, "Import 2 links").click();
    await page.locator(".move-done").waitFor();
    const { body } = await it.server.api("GET", "/api/urls/spring");
    assert.deepEqual([body.original_url, body.click_count], [spring, 42]);
  });

  test(
    "the report is the command line's",
    { skip: inFirefox && "its driver has no downloads" },
    async () => {
      const page = await opened(it);
      await give(
        page,
        "=list.csv",
        'url,code,title\nhttps://example.com/a,one,"=1+1"\nftp://example.com/b,two,b\n' +
          "https://example.com/c,docs/install,c\n",
      );
      await button(page, "Import 2 links").click();
      await page.locator(".move-done").waitFor();
      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        button(page, "Download the report").click(),
      ]);
      assert.equal(saved.suggestedFilename(), "terse-import-report.csv");
      const lines = (await readFile(await saved.path(), "utf8")).split("\r\n");
      assert.equal(lines[0], "line,source,short_code,result,field,reason");
      assert.match(lines[1], /^3,'=list\.csv,two,failed,original_url,original URL must be/);
      assert.match(lines[2], /^4,'=list\.csv,docs\/install,created,short_code,"short code is not/);
    },
  );

  test("an export of terse, plain and packed", async (t) => {
    await it.server.upload("/api/import?format=csv", await product("bitly"));
    const text = (await exported()).map((line) => JSON.stringify(line) + "\n").join("");
    const { zstdCompressSync } = await import("node:zlib");
    const packed = { "all.ndjson": text, "all.ndjson.gz": gzipSync(text) };
    if (zstdCompressSync) packed["all.ndjson.zst"] = zstdCompressSync(text);
    else packed["all.ndjson.zst"] = await zstd(text);
    const page = await opened(it);
    for (const [name, content] of Object.entries(packed)) {
      await clear();
      await give(page, name, content);
      await page.getByText("export of terse").waitFor();
      assert.equal(await page.locator(".move-columns").count(), 0);
      await button(page, "Import 3 links").click();
      await page.getByText("Imported 3 links and 1,251 clicks.").first().waitFor();
      assert.equal(
        (await exported()).map((line) => JSON.stringify(line) + "\n").join(""),
        text,
        name,
      );
      await button(page, "Close").click();
    }
    t.diagnostic(Object.keys(packed).join(", "));
  });

  // zstd packs a text as Node 20 can't: in one block that is not compressed.
  const zstd = async (text) => {
    const bytes = Buffer.from(text);
    assert.ok(bytes.length < 1 << 16);
    const head = Buffer.alloc(9 + 3);
    head.writeUInt32LE(0xfd2fb528, 0);
    head[4] = 0b10100000; // one segment, whose size takes four bytes
    head.writeUInt32LE(bytes.length, 5);
    head.writeUIntLE((bytes.length << 3) | 1, 9, 3); // the last block, as it is
    return Buffer.concat([head, bytes]);
  };

  test("a file that is dropped anywhere on the page", async () => {
    const page = await opened(it);
    const dropped = await drop(page, page.locator("h1"), "dub.csv", String(await product("dub")));
    assert.deepEqual(dropped, [false, false], "the browser does not open it");
    await button(page, "Import 2 links").waitFor();
  });

  const drop = (page, target, name, content) =>
    target.evaluate(
      (element, [name, content]) => {
        const data = new DataTransfer();
        data.items.add(new File([content], name));
        const fire = (type) =>
          element.dispatchEvent(
            new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }),
          );
        return [fire("dragover"), fire("drop")];
      },
      [name, content],
    );

  test("a table of another product in the card on Links leads here", async () => {
    const page = await it.open("/ui/");
    const url = page.getByLabel("Long URL");
    await url.waitFor();
    for (const [name, content, says] of [
      ["bitly.csv", String(await product("bitly")), "Import 3 links"],
      [
        "export.ndjson",
        '{"type":"link","original_url":"https://a.example/","short_code":"abc"}\n',
        "Import 1 link",
      ],
      [
        "big.csv",
        `url,code\n${`https://a.example/${"x".repeat(5000)},\n`.repeat(1100)}`,
        "Import 1 link",
      ],
    ]) {
      await page.goto("/ui/");
      await url.waitFor();
      await drop(page, url, name, content);
      await page.getByRole("heading", { name: "Import and export", level: 1 }).waitFor();
      await page.locator(".move-file").getByText(name).waitFor();
      await button(page, says).waitFor();
    }
    await page.goto("/ui/");
    await url.waitFor();
    await page.evaluate(
      (text) => navigator.clipboard.writeText(text),
      "Short link\tDestination URL\tClicks\nhttps://go.example/abc\thttps://a.example/\t7\n",
    );
    await page.locator("body").press("ControlOrMeta+v");
    await button(page, "Import 1 link").waitFor();
    assert.deepEqual(await figures(page), ["1 new", "7 new"]);
    // a list of URLs stays in the card
    await page.goto("/ui/");
    await url.waitFor();
    await drop(page, url, "list.csv", "title,url,code\nA,https://a.example/,abc\n");
    await button(page, "Shorten 1").waitFor();
    await drop(
      page,
      url.or(page.locator(".create")).first(),
      "list.txt",
      "https://a.example/\nhttps://b.example/\n",
    );
    await button(page, "Shorten 2").waitFor();
  });

  test("hostile files", async () => {
    const page = await opened(it);
    const evil = "<img src=x onerror=alert(1)>";
    await give(
      page,
      `${evil.replaceAll("/", "")}\u202egnp.csv`,
      `url,code,"${evil}","=cmd|' /C calc'!A0","a\u0007\u202eb",__proto__,constructor\n` +
        `https://example.com/a,one,${evil},=1+1,\u0000\u0007,x,y\n` +
        `https://example.com/b,two,"${"x".repeat(900_000)}",,,,\n`,
    );
    await page.locator(".move-columns").waitFor();
    assert.equal(await page.locator(".move img").count(), 0);
    await page.locator(".move-columns").getByText("[U+0007][U+202E]").first().waitFor();
    await page.locator(".move-columns").getByText(evil).first().waitFor();
    await page.locator(".move-file").getByText("[U+202E]").waitFor();
    await clean(page, "a hostile table");
    await give(page, "long.csv", `url,code\nhttps://example.com/,${"x".repeat(1 << 20)}\n`);
    await button(page, "Import 1 link").waitFor();
    await give(page, "binary.csv", Buffer.from([0xff, 0xfe, 0, 0, 1, 2, 3]));
    await page.locator(".problem").waitFor();
    await give(page, "book.xlsx", "PK\x03\x04…");
    await page.getByText("This is a workbook or a ZIP file.").first().waitFor();
    await give(page, "empty.csv", "");
    await page.getByText("The file is empty.").first().waitFor();
    await give(page, "head.csv", "url,code\n");
    await page.getByText("The table has no rows.").first().waitFor();
    assert.deepEqual(await links(), []);
  });

  test("what the server refuses is said in words", async () => {
    const page = await opened(it, { expect: [/status of (4|5)\d\d/] });
    for (const [status, error, words] of [
      [413, "x", /The file is too big: at most 1 GiB/],
      [415, "x", /packed in a way that the server can't read/],
      [429, "an import of yours is under way", /Another import of yours is under way/],
      [507, "no room for the body", /The server has no room for the file/],
      [403, "needs the role editor", /You may not import links/],
    ]) {
      await page.route(/\/api\/import\?format=auto/, (route) =>
        route.fulfill({ status, json: { error } }),
      );
      await give(page, "a.csv", "url,code\nhttps://example.com/,abc\n");
      await page.getByText(words).first().waitFor();
      await page.unroute(/\/api\/import\?format=auto/);
      await button(page, "Try again").click();
      await button(page, "Import 1 link").waitFor();
    }
  });

  test("by keyboard alone", async () => {
    const page = await opened(it);
    await give(page, "dub.csv", await product("dub"));
    await button(page, "Import 2 links").waitFor();
    await page.getByRole("radio", { name: /^Leave it out/ }).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    assert.ok(await page.getByRole("radio", { name: /^Give it another code/ }).isChecked());
    // until it was tried the button is there, but does nothing
    await page.locator('.move-end button:not([aria-disabled="true"])').waitFor();
    for (let i = 0; i < 5; i++) {
      await page.keyboard.press("Tab");
      if (await button(page, "Import 2 links").evaluate((e) => e === document.activeElement)) break;
    }
    await page.keyboard.press("Enter");
    await page.locator(".move-done").waitFor();
    assert.notEqual(await page.evaluate(() => document.activeElement.tagName), "BODY");
  });

  for (const [name, size] of Object.entries(sizes)) {
    for (const colorScheme of schemes) {
      test(`axe finds nothing, ${name}, ${colorScheme}`, async () => {
        const page = await opened(it, { ...size, colorScheme });
        await clean(page, "nothing chosen");
        await give(page, "bitly.csv", await product("bitly"));
        await button(page, "Import 3 links").waitFor();
        await clean(page, "a table");
        if (colorScheme === "light") await shot(page, `move-${name}`);
        const [wide, all] = await page.evaluate(() => [
          document.documentElement.clientWidth,
          document.documentElement.scrollWidth,
        ]);
        assert.ok(all <= wide, "it does not scroll sideways");
        await button(page, "Import 3 links").click();
        await page.locator(".move-done").waitFor();
        await clean(page, "the end");
        await clear();
      });
    }
  }

  test("axe finds nothing where the system sets the colours", async () => {
    const page = await opened(it, { forcedColors: "active" });
    await clean(page, "nothing chosen");
    await give(page, "bitly.csv", await product("bitly"));
    await button(page, "Import 3 links").waitFor();
    await clean(page, "a table");
    await shot(page, "move-forced-colours");
    await button(page, "Import 3 links").click();
    await page.locator(".move-done").waitFor();
    await clean(page, "the end");
  });

  test("nothing moves while a choice is tried", async () => {
    const page = await opened(it);
    await give(page, "bitly.csv", await product("bitly"));
    await button(page, "Import 3 links").waitFor();
    const places = () =>
      page.evaluate(() =>
        [...document.querySelectorAll(".move-columns, .move-conflicts, .move-rows")].map(
          (part) => part.getBoundingClientRect().top + scrollY,
        ),
      );
    const before = await places();
    let answer;
    await page.route(/conflict=rename/, async (route) => {
      await new Promise((resolve) => {
        answer = resolve;
      });
      await route.continue();
    });
    await page.getByRole("radio", { name: /^Give it another code/ }).check();
    await page.getByText("Trying it out; nothing is changed yet.").waitFor();
    assert.deepEqual(await places(), before);
    assert.ok(await button(page, "Import 3 links").isDisabled());
    answer();
    await until(() => button(page, "Import 3 links").isEnabled(), "the end of the try");
    assert.deepEqual(await places(), before);
  });

  test(
    "a file is chosen by keyboard",
    { skip: inFirefox && "its driver has no choosers" },
    async () => {
      const page = await opened(it);
      const choosing = page.waitForEvent("filechooser");
      await button(page, "Choose a file").focus(); // by then the browser knows who chooses
      await page.keyboard.press("Enter");
      const chooser = await choosing;
      await chooser.setFiles({
        name: "a.csv",
        mimeType: "text/csv",
        buffer: Buffer.from("url,code\nhttps://example.com/,abc\n"),
      });
      await button(page, "Import 1 link").waitFor();
    },
  );

  test("on a phone, by touch, from the list", async () => {
    await it.server.upload("/api/import?format=csv", await product("dub"));
    const page = await it.open("/ui/", phone);
    await page.locator(".rows .row").first().waitFor();
    await page.getByRole("link", { name: "Import and export" }).tap();
    await button(page, "Choose a file").waitFor();
    await page.goto("/ui/overview");
    await button(page, "More pages").tap();
    await menuItem(page, "Import and export").tap();
    await button(page, "Choose a file").waitFor();
    await give(page, "yourls.csv", await product("yourls"));
    await page.getByRole("radio", { name: /^Give it another code/ }).tap();
    await page.locator(".move-columns").getByRole("button", { name: "hits: Clicks" }).tap();
    await menuItem(page, "Not imported").tap();
    await button(page, "Import 2 links").tap();
    await page.locator(".move-done").waitFor();
  });

  test("exports", { skip: inFirefox && "its driver has no downloads" }, async () => {
    await it.server.upload("/api/import?format=csv", await product("bitly"));
    const page = await opened(it, { expect: [/status of 429/] });
    for (const [name, end] of [
      ["Export all links", "ndjson"],
      ["Export as CSV", "csv"],
    ]) {
      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        button(page, name).click(),
      ]);
      assert.match(saved.suggestedFilename(), new RegExp(`^terse-\\d{4}-\\d\\d-\\d\\d\\.${end}$`));
      const text = await readFile(await saved.path(), "utf8");
      if (end === "csv") assert.match(text, /^short_code,domain,original_url/);
      else assert.deepEqual(text.trim().split("\n").slice(1).map(JSON.parse), await exported());
    }
    await page.route(/\/api\/export/, (route) => route.fulfill({ status: 429 }));
    await button(page, "Export as CSV").click();
    await page.getByText("Not exported: An export of yours is under way.").first().waitFor();
  });

  test("an admin's file keeps its owners, and an export has the links of all", async () => {
    const { body } = await it.server.api("POST", "/api/tokens", {
      name: "service",
      role: "editor",
      identity: "ci",
    });
    const page = await opened(it);
    await give(
      page,
      "owners.ndjson",
      '{"type":"link","original_url":"https://a.example/","short_code":"of-ci","created_by":"ci"}\n',
    );
    await button(page, "The links belong to: Me").click();
    await menuItem(page, "The owners that the file names").click();
    await button(page, "The links belong to: The owners that the file names").waitFor();
    await button(page, "Import 1 link").click();
    await page.locator(".move-done").waitFor();
    assert.deepEqual(await links(), []);
    const theirs = await it.server.api("GET", "/api/urls", undefined, body.token);
    assert.deepEqual(
      theirs.body.urls.map((link) => link.short_code),
      ["of-ci"],
    );
    await button(page, "Whose: My links").click();
    await page.locator(".menu-item").getByText("All links", { exact: true }).click();
    await page.getByText("Links of everybody.").waitFor();
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.method() === "HEAD"),
      button(page, "Export as CSV").click(),
    ]);
    assert.match(request.url(), /format=csv&owner=\*$|owner=%2A/);
    await it.server.api("DELETE", "/api/urls/of-ci?owner=*");
  });

  test("who may not make links does not see the import", async () => {
    const make = (name, role) =>
      it.server
        .api("POST", "/api/tokens", { name, role, identity: "ci" })
        .then(({ body }) => body.token);
    const viewer = await it.open("/ui/move", { as: await make("v", "viewer") });
    await viewer.getByText("This is for those who may make links.").waitFor();
    await viewer.goto("/ui/");
    await viewer.locator(".state, .rows .row").first().waitFor();
    assert.equal(await viewer.getByRole("link", { name: "Import and export" }).count(), 0);
    await clean(viewer, "a viewer");
    const auditor = await it.open("/ui/move", { as: await make("a", "auditor") });
    await button(auditor, "Export as CSV").waitFor();
    assert.equal(await button(auditor, "Choose a file").count(), 0);
  });
});

const many = (n) =>
  "url,code,clicks\n" +
  Array.from({ length: n }, (_, i) => `https://example.com/${i},row-${i},2\n`).join("");
const long = { timeout: 300_000 };

describe("large imports", () => {
  const it = suite({ data: false });
  const amount = async () => (await it.server.api("GET", "/api/urls?limit=1")).body.total;
  const clicks = async () =>
    (
      await it.server.api(
        "GET",
        "/api/overview?start_time=2020-01-01T00:00:00Z&end_time=2100-01-01T00:00:00Z" +
          "&interval=month",
      )
    ).body.total_clicks;

  test("an import that is cut off goes on when the file is sent again", async () => {
    const n = 20_000,
      text = many(n);
    let page = await opened(it);
    await give(page, "many.csv", text);
    await button(page, "Import 20,000 links").click(long);
    await page.getByRole("progressbar").waitFor();
    await until(async () => (await amount()) > 0, "the first links");
    await button(page, "Stop").click();
    await page.getByText("Stopped. What has come stays as it is.").waitFor();
    await until(
      async () => (await it.server.api("POST", "/api/import?dry_run=true")).status !== 429,
      "the end of the import",
    );
    const some = await amount();
    assert.ok(some < n, `${some} links have come`);
    // another page knows of it, goes on, and is closed half-way
    page = await page.context().newPage();
    await page.goto("/ui/move");
    await page.getByText("did not come to its end on this page").waitFor();
    await give(page, "many.csv", text);
    await page.getByRole("button", { name: /^Import \d/ }).click(long);
    await until(async () => (await amount()) > some, "more links");
    const context = page.context();
    await page.close();
    page = await context.newPage();
    await page.goto("/ui/move");
    await page.getByText("did not come to its end on this page").waitFor();
    await give(page, "many.csv", text);
    await page.getByRole("button", { name: /^Import \d/ }).click(long);
    await page.locator(".move-done").waitFor(long);
    assert.equal(await page.getByText("did not come to its end").count(), 0);
    assert.deepEqual([await amount(), await clicks()], [n, 2 * n], "each is there once");
    await page.reload();
    await button(page, "Choose a file").waitFor();
    assert.equal(await page.getByText("did not come to its end").count(), 0);
  });

  test("a server that ends half-way", async () => {
    const n = 20_000;
    const page = await opened(it, { expect: [refused, /ERR_|NetworkError|status of 50/] });
    const text = many(n).replaceAll(",row-", ",end-");
    await give(page, "ends.csv", text);
    await button(page, "Import 20,000 links").click(long);
    const before = await amount();
    await until(async () => (await amount()) > before, "the first links");
    await it.server.stop();
    await page.getByText("The connection was lost. What has come stays as it is.").waitFor(long);
    await it.server.start();
    const some = await amount();
    assert.ok(some > before && some < before + n, `${some} links`);
    await page.getByText("Can't reach the server").waitFor({ state: "detached" });
    await button(page, "Send it again").click();
    await page.locator(".move-done").waitFor(long);
    assert.deepEqual([await amount(), await clicks()], [before + n, 2 * (before + n)]);
  });

  test("a file that is too big is not sent", { skip: inFirefox && "once is enough" }, async () => {
    const page = await opened(it);
    const path = join(folder, "big.csv");
    await writeFile(path, "url,code\n");
    await truncate(path, 1024 ** 3 + 1); // it takes no room
    await page.getByLabel("File to import").setInputFiles(path);
    await page.getByText("The file is too big: at most 1 GiB can be sent").first().waitFor();
  });

  test("200,000 rows, with the progress seen, while another page is read", async (t) => {
    const n = 200_000,
      before = await amount();
    const page = await opened(it);
    await give(page, "all.csv", many(n));
    await button(page, "Import 180,000 links").click(long);
    const bar = page.getByRole("progressbar");
    await bar.waitFor();
    const seen = new Set();
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await page.goBack();
    const end = Date.now() + 2 * long.timeout;
    while (!(await page.locator(".move-done").count())) {
      assert.ok(Date.now() < end, "it comes to its end");
      const part = await bar.getAttribute("aria-valuenow", { timeout: 1000 }).catch(() => null);
      if (part !== null) seen.add(Number(part));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    t.diagnostic(`percents seen: ${[...seen].join(" ")}`);
    assert.ok(seen.size > 3, `${[...seen]}`);
    assert.deepEqual(
      [...seen],
      [...seen].sort((a, b) => a - b),
      "it only grows",
    );
    await page.getByText("Imported 180,000 links and 360,000 clicks.").first().waitFor();
    await page.locator(".move-figures").getByText("20,000 there already").waitFor();
    const all = before + n - 20_000;
    assert.deepEqual([await amount(), await clicks()], [all, 2 * all]);
    const nodes = await page.evaluate(() => document.querySelectorAll("#main *").length);
    assert.ok(nodes < 300, `${nodes} elements`);
  });

  test("the browser asks before it leaves half-way", async () => {
    const page = await opened(it, { expect: [refused, /^dialog: /] });
    await page.route(/\/api\/import\?format=auto$/, () => {}); // never answered
    await give(page, "two.csv", "url,code\nhttps://example.com/x,new-1\n");
    await button(page, "Import 1 link").click();
    await page.getByRole("progressbar").waitFor();
    const [dialog] = await Promise.all([
      page.waitForEvent("dialog"),
      page.close({ runBeforeUnload: true }),
    ]);
    assert.equal(dialog.type(), "beforeunload");
  });

  test("a connection that is lost half-way", async () => {
    const page = await opened(it, { expect: [refused, /ERR_FAILED|NetworkError|Load failed|503/] });
    let lost = true;
    await page.route(/\/api\/import\?format=auto$/, (route) =>
      lost ? route.abort() : route.continue(),
    );
    await give(page, "two.csv", "url,code\nhttps://example.com/y,new-2\n");
    await button(page, "Import 1 link").click();
    await page.getByText("The connection was lost. What has come stays as it is.").waitFor();
    await clean(page, "a lost connection");
    lost = false;
    await button(page, "Send it again").click();
    await page.getByText("Imported 1 link.").first().waitFor();
  });
});
