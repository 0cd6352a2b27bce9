import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inFirefox, saveData, suite, until } from "./harness.mjs";

const skip = inFirefox && "its driver does not say how many bytes came";

describe("what comes over the wire, with data and headers", { skip }, () => {
  const it = suite();

  // weigh returns the bytes of all answers until a page is complete, without what it prefetches.
  const weigh = async (path, last) => {
    const page = await it.open(null, { prepare: saveData });
    const waiting = new Set(),
      addresses = new Set();
    let total = 0,
      counted = 0,
      isComplete = false;
    page.on("request", (request) => {
      if (isComplete) return; // the page may be closed before its answer
      const address = request.url().replace(/end_time=[^&]+/, "");
      if (addresses.has(address)) return; // asked again, for newer clicks
      addresses.add(address);
      waiting.add(request);
    });
    page.on("requestfinished", async (request) => {
      if (!waiting.has(request)) return;
      const { responseHeadersSize, responseBodySize } = await request.sizes();
      total += responseHeadersSize + responseBodySize;
      counted++;
      waiting.delete(request);
    });
    await page.goto(path);
    await page.locator(last).first().waitFor();
    await until(() => waiting.size === 0, "all answers");
    isComplete = true;
    assert.ok(counted > 3, `${counted} answers`);
    return Math.ceil(total / 1024);
  };

  const shared = (what) => async () => {
    const { body } = await it.server.api("POST", `/api/${what}/share`);
    return new URL(body.url).pathname;
  };

  for (const [name, path, last, most] of [
    ["the list", "/ui/", ".rows .row", 64],
    ["the overview", "/ui/overview", '.stats[data-stale="false"] .chart svg', 115],
    ["a link's page", "/ui/links/launch", '.stats[data-stale="false"] .chart svg', 115],
    ["a shared link", shared("urls/launch"), '.stats[data-stale="false"] .chart svg', 84],
    ["shared links", shared("overview"), '[aria-labelledby="top-title"] .bar', 86],
  ]) {
    test(`${name}: at most ${most} KiB`, async (t) => {
      const weight = await weigh(await (path.call ? path() : path), last);
      t.diagnostic(`${weight} KiB`);
      assert.ok(weight <= most, `${weight} KiB`);
    });
  }

  test("pages and dialogs that are seldom opened come when they are", async () => {
    const page = await it.open(null, { prepare: saveData });
    const parts = new Set();
    page.on("request", (request) => {
      const [, name] = request.url().match(/\/assets\/([a-z]+)-\w+\.js$/) ?? [];
      if (name && name !== "chunk") parts.add(name);
    });
    await page.goto("/ui/");
    await page.locator(".rows .row-recent").first().waitFor(); // the last that the list asks for
    const first = [...parts];
    for (const name of ["move", "shares", "sharing", "settings", "edit", "filtersheet", "webhooks"])
      assert.ok(!first.includes(name), `${name} of ${first}`);
    for (const [path, name] of [
      ["/ui/move", "move"],
      ["/ui/shares", "shares"],
      ["/ui/settings", "settings"],
      ["/ui/settings?show=webhooks", "webhooks"],
    ]) {
      await page.goto(path);
      await until(() => parts.has(name), name);
    }
  });
});
