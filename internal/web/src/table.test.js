import assert from "node:assert/strict";
import test from "node:test";
import { decode, linesOf, parse, tableOf } from "./table.js";

const read = (text) => {
  const table = tableOf(text);
  return (
    table &&
    linesOf(table).map(({ url, title, code, tags, problem }) =>
      [url, title, code, tags.join("+"), problem && "bad"].join(" | ").replace(/[ |]+$/, ""),
    )
  );
};

test("URLs with white space, commas or semicolons between them are a list", () => {
  const want = ["https://a.example", "https://b.example/x,y"];
  for (const between of ["\n", "\r\n", " ", ", ", ";\n", "\n\n\n"])
    assert.deepEqual(read(want.join(between)), want);
});

test("a heading is found, in any case, and says what its column is", () => {
  assert.deepEqual(read("URL\nhttps://a.example\nhttps://b.example"), [
    "https://a.example",
    "https://b.example",
  ]);
  assert.deepEqual(read('Title,Long URL,Tags,Short Code\nA,a.example,"x, y",one\nB,b.example,,'), [
    "https://a.example | A | one | x+y",
    "https://b.example | B",
  ]);
  assert.deepEqual(read("destination;TITLE\na.example;A"), ["https://a.example | A"]);
  assert.deepEqual(read("long_url\tShort URL\ta\na.example\thttps://s.example/x\t"), [
    "https://a.example",
  ]);
});

test("without one, columns are known by what they contain", () => {
  assert.deepEqual(read("Spring\thttps://a.example\nSummer\thttps://b.example"), [
    "https://a.example | Spring",
    "https://b.example | Summer",
  ]);
  assert.deepEqual(read("https://a.example,7,Spring\nhttps://b.example,8,Summer"), [
    "https://a.example | Spring",
    "https://b.example | Summer",
  ]);
  const { kinds } = tableOf("a\tb\thttps://a.example\thttps://b.example");
  assert.deepEqual(kinds, ["title", "", "url", ""], "one column each, the first that fits");
});

test("a bad line is marked and stays", () => {
  assert.deepEqual(read("https://a.example\nnot a URL\nmailto:b@example.com"), [
    "https://a.example",
    "not a URL |  |  |  | bad",
    "mailto:b@example.com |  |  |  | bad",
  ]);
  const [line] = linesOf(tableOf("title,url\nA,\nB,b.example"));
  assert.equal(line.problem, "There's no URL in this line.");
  const problems = linesOf(tableOf("https://a.example/\nhttps://a b\nnot a URL\nmailto:x")).map(
    ({ problem }) => problem,
  );
  assert.deepEqual(problems, [
    "",
    "A URL can't contain spaces: write them as %20.",
    "That's not a URL.",
    "Only http and https addresses can be shortened, not mailto.",
  ]);
});

test("URLs with commas and rows with columns are told apart by how many there are", () => {
  assert.deepEqual(read("https://a.example/,Spring\nhttps://b.example/,Summer"), [
    "https://a.example/ | Spring",
    "https://b.example/ | Summer",
  ]);
  assert.deepEqual(read("https://a.example/1,2\nhttps://b.example/"), [
    "https://a.example/1,2",
    "https://b.example/",
  ]);
});

test("text without a URL is no table", () => {
  for (const text of ["", "one\ntwo", "title,url\na,b"]) assert.equal(tableOf(text), null, text);
});

test("quotes hold separators, line ends and quotes", () => {
  assert.deepEqual(parse('a,"b, ""c""\r\nd",e\r\n,,\r\nf,g,"h"', ","), [
    ["a", 'b, "c"\r\nd', "e"],
    ["f", "g", "h"],
  ]);
  assert.deepEqual(parse('5" nail,x', ","), [['5" nail', "x"]], "a quote within text is one");
  assert.deepEqual(parse('"open', ","), [["open"]]);
});

test("commas in URLs separate nothing", () => {
  assert.deepEqual(read("list\nhttps://a.example/1,2\nhttps://b.example/"), [
    "list |  |  |  | bad",
    "https://a.example/1,2",
    "https://b.example/",
  ]);
});

test("files are decoded as spreadsheets write them", () => {
  const text = "Größe;https://a.example";
  const utf16 = new Uint8Array([0xff, 0xfe, ...Buffer.from(text, "utf16le")]);
  assert.equal(decode(new TextEncoder().encode(`\ufeff${text}`)), text);
  assert.equal(decode(utf16), text);
  assert.equal(decode(Buffer.from(text, "latin1")), text);
});

test("a large file is read in a moment, and further columns are left out", () => {
  const line = `${"x".repeat(60)},https://a.example/${",".repeat(40)}\n`;
  const { rows, kinds } = tableOf(line.repeat(20_000));
  assert.equal(rows.length, 20_000);
  assert.equal(kinds.length, 20);
});

test("headings that links have no field for are named", () => {
  const lostOf = (text) => tableOf(text).lost;
  assert.deepEqual(
    lostOf(
      "Bitlink,Long URL,Custom Back-Half,Created At,Engagements\nbit.ly/a,https://a.example/,x,1,2",
    ),
    ["Bitlink", "Custom Back-Half", "Created At", "Engagements"],
  );
  for (const plain of [
    "https://a.example/\nhttps://b.example/",
    "https://a.example/\tA\nhttps://b.example/\tB",
    "URL,Code\nhttps://a.example/,a1b",
    "url;title;tags\nhttps://a.example/;A;x",
  ])
    assert.deepEqual(lostOf(plain), [], plain);
});
