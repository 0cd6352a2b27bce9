import assert from "node:assert/strict";
import test from "node:test";
import { addSet, addUTM, dropSet, readSets, readUTM, utmOf, withUTM, writeUTM } from "./utm.js";

test("a parameter is written into a URL, whose rest stays as it is", () => {
  for (const [url, name, value, want] of [
    ["https://a.example/", "source", "news letter", "https://a.example/?utm_source=news+letter"],
    ["https://a.example/?b=%7E&c", "term", "x&y", "https://a.example/?b=%7E&c&utm_term=x%26y"],
    ["https://a.example/#top", "content", "ü", "https://a.example/?utm_content=%C3%BC#top"],
    ["https://a.example/?utm_source=a&b=c", "source", "d", "https://a.example/?utm_source=d&b=c"],
    ["https://a.example/?utm_source=a&b=c#d", "source", "", "https://a.example/?b=c#d"],
    ["https://a.example/?utm_source=a&utm_source=b", "source", "", "https://a.example/"],
    ["", "source", "a", "?utm_source=a"],
  ]) {
    assert.equal(writeUTM(url, name, value), want);
    assert.equal(readUTM(want, name), value);
  }
});

test("all five are read, and replaced together", () => {
  const url = "https://a.example/?x=1&utm_source=a&utm_medium=b+c&utm_term=%zz";
  assert.deepEqual(utmOf(url), { source: "a", medium: "b c", term: "%zz" });
  assert.equal(
    withUTM(url, { source: "s", content: "c" }),
    "https://a.example/?x=1&utm_source=s&utm_content=c",
  );
  assert.equal(withUTM(url, {}), "https://a.example/?x=1");
});

test("parameters of several URLs are added to what each has", () => {
  assert.equal(
    addUTM("https://a.example/?utm_source=own&utm_term=t", "?utm_source=s&utm_campaign=c"),
    "https://a.example/?utm_source=s&utm_term=t&utm_campaign=c",
  );
  assert.equal(addUTM("https://a.example/", ""), "https://a.example/");
});

test("sets are named, replaced and deleted", () => {
  let { sets } = addSet([], " Spring ", { source: "a" });
  ({ sets } = addSet(sets, "autumn", { source: "b" }));
  assert.deepEqual(
    sets.map(({ name }) => name),
    ["autumn", "Spring"],
  );
  ({ sets } = addSet(sets, "SPRING", { source: "c" }));
  assert.deepEqual(sets.at(-1), { name: "SPRING", values: { source: "c" } });
  assert.deepEqual(dropSet(sets, "autumn"), sets.slice(1));
  assert.equal(addSet(sets, " ", {}).problem, "Enter a name.");
  assert.match(addSet(sets, "x".repeat(41), {}).problem, /at most 40/);
});

test("sets have bounds, in number and in bytes", () => {
  let sets = [];
  for (let i = 0; i < 50; i++) ({ sets } = addSet(sets, `set ${i}`, { source: "x" }));
  assert.match(addSet(sets, "one more", {}).problem, /50 sets already/);
  assert.ok(addSet(sets, "set 7", { source: "y" }).sets, "an old one can still be replaced");
  assert.match(addSet([], "big", { source: "ü".repeat(40_000) }).problem, /too much room/);
});

test("what is stored is not trusted", () => {
  for (const text of [null, "", "{", "7", "null", '{"a":1}']) assert.deepEqual(readSets(text), []);
  assert.deepEqual(
    readSets(
      JSON.stringify([
        { name: "good", values: { source: "a" }, more: 1 },
        { name: "", values: {} },
        { name: "bad", values: { source: 1 } },
        { name: "worse", values: { __proto: "x" } },
        null,
      ]),
    ),
    [{ name: "good", values: { source: "a" } }],
  );
});
