import assert from "node:assert/strict";
import test from "node:test";
import { ago } from "./format.js";

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
