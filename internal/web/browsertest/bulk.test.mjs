import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { clean, copied, inFirefox, pick, schemes, shot, sizes, suite, until } from "./harness.mjs";

describe("a list of links to make", () => {
  const it = suite({ data: false });
  const press = (locator, size = {}) => (size.hasTouch ? locator.tap() : locator.click());
  const button = (page, name) => page.getByRole("button", { name, exact: true });
  const field = (page) => page.getByLabel("Long URL");
  const paste = async (page, text, into = page.locator("body")) => {
    await page.evaluate((t) => navigator.clipboard.writeText(t), text);
    await into.press("ControlOrMeta+v");
  };
  // drop drops a file with the text onto the page.
  const drop = (page, content, name = "links.csv") =>
    page.evaluate(
      ([content, name]) => {
        const data = new DataTransfer();
        data.items.add(new File([content], name, { type: "text/csv" }));
        const target = document.getElementById("create-url") ?? document.querySelector(".create");
        const fire = (type) =>
          target.dispatchEvent(
            new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }),
          );
        return [fire("dragover"), fire("drop")];
      },
      [content, name],
    );
  const newest = async (n) =>
    (await it.server.api("GET", `/api/urls?limit=${n}`)).body.urls.toReversed();
  const cells =
    "Name\tLong URL\tOwner\r\nSpring\thttps://shop.example/spring\tA\r\n" +
    "Summer\tlater\tB\r\nAutumn\tshop.example/autumn?x=1\tC\r\n";

  for (const [name, size] of Object.entries(sizes)) {
    test(`cells of a spreadsheet, with what all links get, ${name}`, async () => {
      const page = await it.open("/ui/", size);
      await field(page).waitFor();
      await paste(page, cells);
      await button(page, "Shorten 2").waitFor();
      assert(await button(page, "Shorten 2").evaluate((e) => e === document.activeElement));
      await page.getByText("1 of 3 lines left out").waitFor();
      await press(button(page, "Show it"), size);
      const bad = page.locator('.batch [data-problem="true"]');
      assert.ok(await bad.evaluate((row) => row === document.activeElement));
      await page.getByText("That's not a URL.").waitFor();
      assert.deepEqual(
        (await page.locator(".batch .pick").allTextContents()).map((text) => text.trim()),
        ["Title", "URL", "Skip"],
      );
      await press(button(page, "UTM"), size);
      await page.getByRole("combobox", { name: "Source" }).fill("news");
      await page.locator(".batch").getByText("shop.example/autumn?x=1&utm_source=news").waitFor();
      await page.locator("#new-tags").fill("november");
      await page.locator("#new-tags").press("Enter");
      await press(button(page, "Ends"), size);
      await pick(page, "Ends", "after a number of clicks");
      await press(button(page, "Shorten 2"), size);
      await page.getByText("Enter a number from 1 to").waitFor();
      await page.getByLabel("Clicks until it ends").fill("5");
      await clean(page, "a table of links to make");
      await shot(page, `create-table-${name}`);
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert(wide <= 0, "nothing is wider than the page");
      await press(button(page, "Shorten 2"), size);
      await page.getByText("2 of 3 lines shortened").waitFor();
      assert.equal(await page.getByRole("button", { name: /^Try/ }).count(), 0);
      await clean(page, "the results");
      await press(button(page, "Copy 2 short URLs"), size);
      const made = await newest(2);
      await until(
        async () =>
          (await copied(page)) ===
          made.map(({ short_code: code }) => `https://sho.rt/${code}`).join("\n"),
        "the copy",
      );
      assert.deepEqual(
        made.map((link) => [link.title, link.original_url, link.tags, link.max_clicks]),
        [
          ["Spring", "https://shop.example/spring?utm_source=news", ["november"], 5],
          ["Autumn", "https://shop.example/autumn?x=1&utm_source=news", ["november"], 5],
        ],
      );
      if (!inFirefox) {
        // Firefox's driver has no downloads
        const [saved] = await Promise.all([
          page.waitForEvent("download"),
          press(button(page, "Download CSV"), size),
        ]);
        assert.equal(
          (await readFile(await saved.path())).toString(),
          "URL,Short URL,Title\r\n" +
            made
              .map(
                (link) =>
                  `${link.original_url},https://sho.rt/${link.short_code},${link.title}\r\n`,
              )
              .join(""),
        );
      }
      await press(button(page, "Close"), size);
      await field(page).waitFor();
    });
  }

  test("a file that is dropped, with codes and tags of its own", async () => {
    const page = await it.open("/ui/");
    await field(page).waitFor();
    const [over, dropped] = await drop(
      page,
      "short code;destination;tags;title\r\n" +
        'from-file;https://file.example/1;"a, b";"One; ""1"""\r\n' +
        ";https://file.example/2;;\r\n",
    );
    assert.deepEqual([over, dropped], [false, false], "the browser does not open it");
    await button(page, "Shorten 2").waitFor();
    await page.locator("#new-tags").fill("b, c,");
    await button(page, "Remove c").waitFor();
    await button(page, "Shorten 2").click();
    await page.getByText("2 of 2 lines shortened").waitFor();
    const { body } = await it.server.api("GET", "/api/urls/from-file");
    assert.deepEqual(
      [body.original_url, body.title, body.tags],
      ["https://file.example/1", 'One; "1"', ["a", "b", "c"]],
    );
    await button(page, "Close").click();

    await drop(page, "one\ntwo\n");
    await page.getByText("There's no URL in it.").waitFor();
    await clean(page, "a file without URLs");
    assert(await button(page, "Shorten a list from a CSV file").isVisible());
  });

  test("which column is what can be changed, by keyboard", async () => {
    const page = await it.open("/ui/");
    await field(page).waitFor();
    await paste(page, "https://a.example/1\thttps://b.example/1\tOne\nx\thttps://b.example/2\tTwo");
    await button(page, "Shorten 2").waitFor();
    const first = page.getByRole("button", { name: "Column 1: https://a.example/1" }),
      second = page.getByRole("button", { name: "Column 2: https://b.example/1" });
    await first.focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("u");
    await page.keyboard.press("Enter");
    await button(page, "Shorten 1").waitFor();
    assert.equal((await second.textContent()).trim(), "Skip", "only one column has the URLs");
    assert(await first.evaluate((e) => e === document.activeElement), "the focus stays");
    await page.keyboard.press("Enter");
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.getByText("No line has a URL. Choose the column with the URLs.").waitFor();
    assert.equal(await page.getByRole("button", { name: /^Shorten/ }).count(), 0);
    await pick(page, "Column 2: https://b.example/1", "URL");
    await button(page, "Shorten 2").focus();
    await page.keyboard.press("Enter");
    await page.getByText("2 of 2 lines shortened").waitFor();
    assert.deepEqual(
      (await newest(2)).map((link) => [link.original_url, link.title]),
      [
        ["https://b.example/1", "One"],
        ["https://b.example/2", "Two"],
      ],
    );
  });

  test("only lines that can work are tried again", async () => {
    const page = await it.open("/ui/", { expect: [/ERR_FAILED/, /NetworkError/] });
    await field(page).waitFor();
    await it.server.api("POST", "/api/urls", {
      original_url: "https://taken.example/",
      short_code: "taken",
    });
    const list = "url,code\nhttps://c.example/1,taken\nhttps://c.example/2,\nhttps://sho.rt/x,";
    await paste(page, list, field(page));
    await button(page, "Shorten 3").waitFor();
    await page.route("**/api/bulk", (route) => route.abort());
    await button(page, "Shorten 3").click();
    await page.getByText("Not shortened: can't reach the server.").first().waitFor();
    await page.unroute("**/api/bulk");
    await button(page, "Try 3 again").click();
    await page.getByText("1 of 3 lines shortened").waitFor();
    await page.getByText('"taken" is taken. Try another.').waitFor();
    await page.getByText("That's already a short link on this server.").waitFor();
    assert.equal(await page.getByRole("button", { name: /^Try/ }).count(), 0);
  });

  test("a list and a URL do not take each other's place", async () => {
    const page = await it.open("/ui/");
    await field(page).fill("https://typed.example/");
    await page.getByLabel("Title").fill("Typed");
    await page.evaluate(() => document.activeElement.blur());
    await paste(page, "https://d.example/1\nhttps://d.example/2");
    await button(page, "Shorten 2").waitFor();
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("heading", { name: "Overview" }).first().waitFor();
    await page.getByRole("link", { name: "Links" }).first().click();
    await button(page, "Shorten 2").waitFor();
    await button(page, "Cancel").click();
    await field(page).waitFor();
    assert.equal(await field(page).inputValue(), "https://typed.example/");
    assert.equal(await page.getByLabel("Title").inputValue(), "Typed");
  });

  for (const colorScheme of schemes)
    test(`axe finds nothing, ${colorScheme}`, async () => {
      const page = await it.open("/ui/", { colorScheme });
      await field(page).waitFor();
      await paste(page, `${cells}Winter\thttps://sho.rt/y\tD\n`);
      await button(page, "Shorten 3").waitFor();
      await clean(page, "a table");
      await button(page, "Shorten 3").click();
      await page.getByText("2 of 4 lines shortened").waitFor();
      await clean(page, "results");
    });
});
