import assert from "node:assert/strict";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { headOf } from "./head.js";

const file = (content, name = "a.csv") => new File([content], name);
const cells = ({ rows }) => rows.map(({ line, cells: all }) => [line, ...all]);

test("a table, whatever separates its columns", async () => {
  for (const separator of [",", ";", "\t", "|"]) {
    const head = await headOf(
      file(["Ziel", "Kürzel"].join(separator) + "\r\n\r\n" + ["x", '"a\nb"'].join(separator)),
    );
    assert.deepEqual(head.names, ["Ziel", "Kürzel"]);
    assert.equal(head.separator, separator);
    assert.deepEqual(cells(head), [[3, "x", "a\nb"]]);
  }
});

test("sep= above the names, a separator of the reader's, and rows of several lines", async () => {
  const head = await headOf(file('sep=;\r\na,b;c\r\n"1\r\n2";3\r\n4;5'));
  assert.deepEqual(head.names, ["a,b", "c"]);
  assert.deepEqual(cells(head), [
    [3, "1\r\n2", "3"],
    [5, "4", "5"],
  ]);
  assert.deepEqual((await headOf(file("a,b;c\n1,2;3"), ",")).names, ["a", "b;c"]);
});

test("UTF-16, with a mark and without, and packed text", async () => {
  const wide = (text, isBig) => {
    const bytes = Buffer.from(text, "utf16le");
    return isBig ? bytes.swap16() : bytes;
  };
  for (const content of [
    wide("\ufeffZiel;Kürzel\n1;2"),
    wide("\ufeffZiel;Kürzel\n1;2", true),
    wide("Ziel;Kürzel\n1;2"),
    wide("Ziel;Kürzel\n1;2", true),
    gzipSync("Ziel;Kürzel\n1;2\n"),
  ]) {
    const head = await headOf(file(content));
    assert.deepEqual(head.names, ["Ziel", "Kürzel"]);
    assert.deepEqual(cells(head), [[2, "1", "2"]]);
  }
  assert.equal((await headOf(file(gzipSync("a,b\n1,2\n")))).packing, "gzip");
});

test("files of products, and databases", async () => {
  for (const [content, format] of [
    ['{\n "version": "1.0"}', "sink"],
    ['{"Short":"a","Long":"b"}\n', "golink"],
    ["-- MySQL dump\n", "yourls"],
    ["Bitlink,Long URL\na,b\n", "bitly"],
    ["Short link,Destination URL,Clicks,Created at\na,b,1,2026\n", "dub"],
    ["Short link,Destination URL\na,b\n", ""],
    ['{"type":"link"}\n', ""],
  ])
    assert.equal((await headOf(file(content))).format, format, content);
  const database = Buffer.alloc(100);
  database.write("SQLite format 3\0chht", "latin1");
  const head = await headOf(file(database));
  assert.deepEqual([head.isDatabase, head.product], [true, ""]);
  database.write("chht", 68, "latin1");
  assert.equal((await headOf(file(database))).product, "chhoto");
});

test("an export, and one that only the server can unpack", async () => {
  const text = '{"type":"export","version":1}\n{"type":"link","short_code":"a"}\n';
  for (const content of [text, gzipSync(text)]) {
    const { names, rows, problem } = await headOf(file(content));
    assert.deepEqual([names, rows, problem], [null, [], ""]);
  }
  const packed = await headOf(file(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0)));
  assert.deepEqual([packed.packing, packed.rows, packed.problem], ["zstd", [], ""]);
});

test("only the beginning of a large file is read", async () => {
  const text = "url,code\n" + "https://example.com/,a\n".repeat(200_000);
  for (const content of [text, gzipSync(text)]) {
    const { rows } = await headOf(file(content));
    assert.equal(rows.length, 200);
    assert.deepEqual(rows.at(-1), { line: 201, cells: ["https://example.com/", "a"] });
  }
  const { rows, names } = await headOf(file("url,code\n" + "x".repeat(1 << 20)));
  assert.deepEqual([names, rows], [["url", "code"], []]);
});

test("what can't be imported is known by its first bytes", async () => {
  for (const [content, words] of [
    ["PK\x03\x04", /workbook or a ZIP/],
    ["SQLite format 3\0", /database/],
    ["%PDF-1.7", /PDF/],
    ["", /empty/],
  ])
    assert.match((await headOf(file(content))).problem, words);
});
