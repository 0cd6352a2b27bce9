import assert from "node:assert/strict";
import test from "node:test";
import { draftOf } from "./draft.js";
import { summariesOf } from "./summaries.js";

const of = (change, link) => summariesOf({ ...draftOf(link), ...change }, link);

test("nothing is said of what is not set", () => {
  assert.deepEqual(of({ original_url: "https://a.example/?utm_x=1" }), {
    utm: "",
    ends: "",
    password: "",
    rules: "",
    more: "",
  });
});

test("what is set is said in a few words", () => {
  const url = "https://a.example/?utm_medium=email&utm_source=news";
  assert.equal(of({ original_url: url }).utm, "news · email");
  assert.match(of({ ends: "on", expires_at: "2030-05-03T18:00" }).ends, /3 May 2030|May 3, 2030/);
  assert.equal(of({ ends: "after", max_clicks: "1" }).ends, "after 1 click");
  assert.match(
    of({ ends: "either", expires_at: "2030-05-03T18:00", max_clicks: "5" }).ends,
    / or /,
  );
  assert.equal(of({ ends: "either" }).ends, "", "what is typed by half is not set");
  assert.equal(of({ rules: [{}, {}] }).rules, "2 rules");
  assert.equal(of({ note: "x", disabled: true }).more, "note, off");
  assert.equal(of({ aliases: ["docs/install"], note: "x" }).more, "docs/install, note");
  assert.equal(of({ aliases: ["1", "2"] }).more, "2 addresses");
});

test("a password is set, kept or removed", () => {
  assert.equal(of({ password: "x" }).password, "set");
  assert.equal(of({}, { password: true }).password, "set");
  assert.equal(of({ password: "" }, { password: true }).password, "will be removed");
});
