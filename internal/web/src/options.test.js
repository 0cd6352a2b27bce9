import assert from "node:assert/strict";
import test from "node:test";
import { has, matching } from "./options.js";

const options = ["shop", "Newsletter", "old news", "Übersicht"].map((value) => ({ value }));
const found = (text) => matching(options, text).map(({ value }) => value);

test("options match anywhere, in any case, those that begin with the text first", () => {
  assert.deepEqual(found("news"), ["Newsletter", "old news"]);
  assert.deepEqual(found("O"), ["old news", "shop"]);
  assert.deepEqual(found(" ÜBER"), ["Übersicht"]);
  assert.deepEqual(found("U\u0308ber"), ["Übersicht"], "however the letter is written");
  assert.deepEqual(found("nothing"), []);
});

test("without a text all options are there, up to a bound", () => {
  assert.equal(found("").length, 4);
  const many = Array.from({ length: 1000 }, (_, i) => ({ value: `tag ${i}` }));
  assert.equal(matching(many, "").length, 100);
});

test("an option is found in any case, but not by a part of it", () => {
  assert.ok(has(options, " newsletter "));
  assert.ok(!has(options, "news"));
});
