import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { clean, suite } from "./harness.mjs";

// What the server says of a link that leads where no link may lead.
describe("a blocked link", () => {
  const it = suite({ data: false });

  test("says so in the list and on its page", async () => {
    const link = { original_url: "https://example.com/", short_code: "kept" };
    await it.server.api("POST", "/api/urls", link);
    await it.server.api("POST", "/api/urls", { ...link, short_code: "evil" });
    const page = await it.open("/ui/");
    const mark = (answer) => (answer.short_code === "evil" ? { ...answer, blocked: true } : answer);
    await page.route(/\/api\/urls(\?|\/evil$|\/evil\?)/, async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      if (json.urls) json.urls = json.urls.map(mark);
      await route.fulfill({ response, json: mark(json) });
    });
    await page.reload();
    const row = (code) =>
      page.locator(".row", { has: page.locator(`.row-link:text-is("${code}")`) });
    await row("evil").getByText("Blocked", { exact: true }).waitFor();
    assert.equal(await row("kept").getByText("Blocked", { exact: true }).count(), 0);
    await clean(page, "a list with a blocked link");
    await row("evil").locator(".row-link").click();
    await page.getByText("This server lets no link lead to its destination").first().waitFor();
    await clean(page, "the page of a blocked link");
  });
});
