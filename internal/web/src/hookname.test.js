import assert from "node:assert/strict";
import { test } from "node:test";
import { nameOf, shorten } from "./hookname.js";

test("a webhook is known by its description, or by its URL, of which both ends are there", () => {
  const long = `https://hooks.example/${"a".repeat(200)}/end`;
  for (const [hook, name] of [
    [{ url: "https://hooks.example/a", description: "Chat" }, "Chat"],
    [{ url: "https://hooks.example/a?b=c", description: null }, "hooks.example/a?b=c"],
    [{ url: "https://hooks.example/" }, "hooks.example"],
    [{ url: "http://10.1.0.7:8080/a", description: "" }, "http://10.1.0.7:8080/a"],
    [{ url: "https://hooks.example/a", description: "a\u202eb" }, "a[U+202E]b"],
  ])
    assert.equal(nameOf(hook), name);
  assert.match(nameOf({ url: long }), /^hooks\.example\/a+…a+\/end$/);
  assert.equal(shorten(long).length, 60);
  assert.equal(shorten("https://hooks.example/a"), "https://hooks.example/a");
});
