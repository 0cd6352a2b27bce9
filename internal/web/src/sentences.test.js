import assert from "node:assert/strict";
import { test } from "node:test";
import { told } from "./sentences.js";

const aliases = (old, now) => ({ aliases: { old, new: now } });
const code = (old, now) => ({ short_code: { old, new: now } });

test("addresses that come and go are told", () => {
  for (const [fields, ...sentences] of [
    [aliases(null, ["docs/install"]), "Address docs/install added"],
    [aliases(["v1"], null), "Address v1 removed"],
    [aliases(["a", "b"], ["b", "c", "d"]), "Addresses c, d added, address a removed"],
    [aliases(["a", "b"], ["b", "a"]), "Order of the addresses changed"],
    [aliases(null, ["a\u115fb"]), "Address a[U+115F]b added"],
  ])
    assert.deepEqual(told(fields), sentences);
});

test("another code is told once, and what else happened to the addresses", () => {
  for (const [fields, ...sentences] of [
    [{ ...code("launch", "go"), ...aliases(null, ["launch"]) }, "Code changed from launch to go"],
    [
      { ...code("launch", "v12"), ...aliases(["1", "v12"], ["1", "launch"]) },
      "Code changed from launch to v12",
    ],
    [
      { ...code("launch", "go"), ...aliases(["1"], ["2", "launch"]) },
      "Code changed from launch to go",
      "Address 2 added, address 1 removed",
    ],
    [
      { ...code("launch", "go"), ...aliases(["1"], ["2"]) },
      "Code changed from launch to go",
      "Address 2 added, addresses launch, 1 removed",
    ],
    [code("launch", "Launch"), "Code changed from launch to Launch"],
    [
      { ...code("launch", "Launch"), ...aliases(["1"], ["1", "2"]) },
      "Code changed from launch to Launch",
      "Address 2 added",
    ],
  ])
    assert.deepEqual(told(fields), sentences);
});

test("what an import brought is shown as it is where no sentence fits", () => {
  for (const [fields, want] of [
    [{ short_code: { old: null, new: "x" } }, 'short_code: null → "x"'],
    [{ aliases: { old: null, new: 5 } }, "aliases: null → 5"],
    [{ rules: { old: [null], new: null } }, "rules: [null] → null"],
    [{ starts_at: { old: null, new: "soon" } }, 'starts_at: null → "soon"'],
    [{ title: null }, "title: null → null"],
    [{ later: { old: 1, new: 2 } }, "later: 1 → 2"],
  ])
    assert.deepEqual(told(fields), [want]);
  assert.deepEqual(told(null), []);
});
