import assert from "node:assert/strict";
import test from "node:test";
import { ago, ahead, keyOf, partsOf } from "./format.js";

test("how long ago is a number, which no calendar contradicts", () => {
  const day = 86400e3;
  for (const [ms, words] of [
    [0, "just now"],
    [90 * 60e3, "1 hour ago"],
    [1.5 * day, "1 day ago"],
    [35 * day, "1 month ago"],
    [400 * day, "1 year ago"],
  ])
    assert.equal(ago(Date.now() - ms, "long"), words);
});

test("how far off a time is that comes", () => {
  for (const [ms, words] of [
    [-1, "now"],
    [4.2e3, "in 5 s"],
    [59e3, "in 59 s"],
    [29.9 * 60e3, "in 30 min"],
    [6.1 * 3600e3, "in 6 hr"],
  ])
    assert.match(ahead(Date.now() + ms), new RegExp(`^${words}\\.?$`));
});

test("a link's key has its domain, unless that is the default one", () => {
  for (const [link, key] of [
    [{ short_code: "launch" }, "launch"],
    [{ short_code: "launch", domain: "go.example" }, "go.example/launch"],
  ]) {
    assert.equal(keyOf(link), key);
    const { domain, code } = partsOf(key);
    assert.deepEqual([domain, code], [link.domain ?? "", link.short_code]);
  }
});
