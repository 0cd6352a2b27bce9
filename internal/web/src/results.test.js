import assert from "node:assert/strict";
import test from "node:test";
import { Tally, fieldOf, readLines } from "./results.js";

const result = (line, kind, more) => ({ line, short_code: `c${line}`, result: kind, ...more });

test("the first lines are kept in their order, however late their results come", () => {
  const tally = new Tally("links.ndjson");
  for (const line of [4, 8, 9, 11, 20, 2, 3, 30, 5, 6])
    tally.add(result(line, line % 2 ? "created" : "failed"));
  assert.deepEqual(
    tally.view().first.map(({ line }) => line),
    [2, 3, 4, 5, 6],
  );
});

test("results are summed up, and remarks are a report as the command line writes it", async () => {
  const tally = new Tally("links.csv");
  tally.add({ columns: [{ name: "a" }] });
  tally.add(result(2, "created", { clicks_added: 5 }));
  tally.add(result(3, "skipped", { error: "short code already exists" }));
  tally.add(result(4, "renamed", { new_short_code: "c4-2", notes: ["title was cut"] }));
  tally.add({ line: 5, short_code: "docs/a", result: "created", new_short_code: "Xy7" });
  tally.add({ line: 6, result: "failed", error: 'original_url is "=1,\n\u0007", which is no URL' });
  tally.add(result(7, "skipped", { domain: "go.example", error: "short code already exists" }));
  tally.add({ summary: { created: 2 } });
  const view = tally.view();
  assert.deepEqual(view.results, {
    created: 2,
    updated: 0,
    unchanged: 0,
    renamed: 1,
    skipped: 2,
    failed: 1,
  });
  assert.deepEqual([view.links, view.added, view.remarks], [6, 5, 6]);
  assert.deepEqual(view.reasons[0].lines, [
    { line: 3, code: "c3" },
    { line: 7, code: "go.example/c7" },
  ]);
  assert.equal(view.first.length, 5);
  assert.equal(
    await tally.report().text(),
    [
      "line,source,short_code,result,field,reason",
      "3,links.csv,c3,skipped,short_code,short code already exists",
      "4,links.csv,c4,renamed,short_code,short code already exists; it is now c4-2",
      "4,links.csv,c4,renamed,title,title was cut",
      '5,links.csv,docs/a,created,short_code,"short code is not possible here (3-20 letters, ' +
        'digits, - and _); it is an alias of Xy7"',
      '6,links.csv,,failed,original_url,"original_url is ""=1,\\n[U+0007]"", which is no URL"',
      "7,links.csv,go.example/c7,skipped,short_code,short code already exists",
      "",
    ].join("\r\n"),
  );
});

test("many remarks take no more room on the screen, and all are in the report", async () => {
  const tally = new Tally("=1.csv"),
    n = 200_000;
  for (let line = 1; line <= n; line++)
    tally.add(result(line, "failed", { error: `original_url is "x${line}", which is no URL` }));
  const { reasons, more } = tally.view();
  assert.equal(more, 0);
  assert.deepEqual(
    reasons.map(({ n: times, text, lines }) => [times, text, lines.length]),
    [[n, 'original_url is "…", which is no URL', 20]],
  );
  const lines = (await tally.report().text()).split("\r\n");
  assert.equal(lines.length, n + 2);
  assert.match(lines[1], /^1,'=1\.csv,c1,/);
});

test("different remarks are kept up to a bound", () => {
  const tally = new Tally("a");
  for (let i = 0; i < 500; i++) tally.add(result(i, "created", { notes: [`note ${i}`] }));
  const { reasons, more } = tally.view();
  assert.deepEqual([reasons.length, more], [100, 400]);
});

test("the field that a message is about", () => {
  for (const [message, field] of [
    ["short code already exists", "short_code"],
    ["original URL must be a valid http or https URL", "original_url"],
    ["at most 20 aliases", "aliases"],
    ["rules[2].url is blocked", "rules"],
    ['field "title" is twice in it', "title"],
    ["constructor is none", ""],
    ["it has 3 cells in place of 4", ""],
  ])
    assert.equal(fieldOf(message), field, message);
});

test("lines of JSON are read as they come, however they are cut", async () => {
  const text = '{"a":"ä"}\n\n{"b":2}\n{"c":3}',
    bytes = new TextEncoder().encode(text);
  for (const size of [1, 3, 1000]) {
    const parts = [];
    for (let i = 0; i < bytes.length; i += size) parts.push(bytes.subarray(i, i + size));
    const found = [];
    await readLines(ReadableStream.from(parts), (line) => found.push(line));
    assert.deepEqual(found, [{ a: "ä" }, { b: 2 }, { c: 3 }]);
  }
});
