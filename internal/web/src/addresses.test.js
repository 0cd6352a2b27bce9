import assert from "node:assert/strict";
import { test } from "node:test";
import { aliasProblem, asAddress, asAlias, isCode } from "./addresses.js";

// Without a page, the prefix of short URLs is empty.

test("what people type becomes an address", () => {
  for (const [text, address] of [
    ["docs/install", "docs/install"],
    [" v1.2 ", "v1.2"],
    ["/docs/install/", "docs/install"],
    ["gru\u0308ße", "grüße"],
    ["two words", "two words"],
    ["a,b", "a,b"],
    ["1", "1"],
  ])
    assert.deepEqual(asAlias(text), { value: address }, text);
  assert.equal(asAddress("https://other.example/x"), "https://other.example/x");
});

test("what can be no address says why", () => {
  for (const [text, reason] of [
    ["", /Enter an address/],
    ["é".repeat(65), /at most 128 bytes\. This one has 130/],
    ["a?b", /can't have \?/],
    ["a#b", /can't have \?/],
    ["50%", /can't have \?/],
    ["a\\b", /can't have \?/],
    ["a\u200bb", /invisible/],
    ["a\u00a0b", /invisible/],
    ["a\tb", /invisible/],
    ["https://other.example/x", /Enter what follows/],
    ["a//b", /Between slashes/],
    ["a/./b", /Between slashes/],
    ["../a", /Between slashes/],
    ["launch+", /can't end in/],
    ["logo.svg", /can't end in/],
    ["logo.png", /can't end in/],
  ])
    assert.match(aliasProblem(text), reason, JSON.stringify(text));
  assert.equal(aliasProblem("é".repeat(64)), "");
});

test("some can be codes, too", () => {
  assert.deepEqual(["go1", "launch_2"].filter(isCode), ["go1", "launch_2"]);
  assert.deepEqual(["1", "docs/install", "v1.2", "grüße", "a".repeat(21)].filter(isCode), []);
});
