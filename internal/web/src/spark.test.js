import assert from "node:assert/strict";
import test from "node:test";
import { spark } from "./spark.js";

test("each day with a count has a bar, the highest at full height", () => {
  assert.equal(spark([0, 10, 5]), "M4 20v-20M7 20v-10");
});

test("few clicks are no peak, and the lowest bar can be seen", () => {
  assert.equal(spark([1]), "M1 20v-4");
  assert.equal(spark([1000, 1]), "M1 20v-20M4 20v-2");
});

test("days without a count draw nothing", () => {
  assert.equal(spark([0, 0]), "");
  assert.equal(spark([]), "");
});
