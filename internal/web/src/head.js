// The beginning of a file that is to be imported, to be shown as it is.
import { packingOf } from "./packing.js";
import { tableOf as productOf, textOf as formatOf } from "./products.js";
import { records } from "./table.js";

const most = 64 * 1024; // bytes of text that are read here: the server reads the rest
const maxRows = 200; // rows that are kept of it
const separators = [",", ";", "\t", "|"];

// What people choose that is neither a table nor an export, by its first bytes, and what to do.
const others = [
  [/^PK/, "This is a workbook or a ZIP file. Save the table as CSV, or unpack the file."],
  [/^SQLite format 3\0/, "This is a database. The command line imports it, by its product:"],
  [/^(\xd0\xcf\x11\xe0)/, "This is a workbook. Save the table as CSV."],
  [/^%PDF/, "This is a PDF document. Choose a table as CSV, or an export of terse."],
  [/^(\x89PNG|\xff\xd8\xff|GIF8)/, "This is a picture. Choose a table or an export of terse."],
  [/^(BZh|\xfd7zXZ)/, "This file is packed in a way that can't be read here. Unpack it first."],
];

// headOf returns the beginning of a file: {packing, problem, isDatabase, product, format, names,
// separator, rows}. problem is why it can't be imported here, "" if nothing is known. product is
// what made a database or a table, format what a text is if that is certain. names are the headings
// of a table; rows are its [{line, cells}]. What can't be read here, such as what only the server
// can unpack, is not among them.
export async function headOf(file, separator = "") {
  const start = new Uint8Array(await file.slice(0, 72).arrayBuffer());
  const packing = packingOf(start),
    head = { packing, problem: problemOf(start), format: "", names: null, separator: "", rows: [] };
  if (isDatabase(start)) return { ...head, isDatabase: true, product: madeBy(start) };
  if (!file.size) head.problem = "The file is empty.";
  if (head.problem || packing === "zstd") return head;
  const text = textOf(await beginningOf(file, packing), file.size <= most && !packing);
  const format = formatOf(text);
  if (format) return { ...head, format };
  return /^\s*\{/.test(text) ? head : { ...head, ...tableOf(text, separator) };
}

const textAt = (bytes, from, to) => String.fromCharCode(...bytes.subarray(from, to));
const isDatabase = (bytes) => textAt(bytes, 0, 16) === "SQLite format 3\0";
// chhoto-url marks its files.
const madeBy = (bytes) => (textAt(bytes, 68, 72) === "chht" ? "chhoto" : "");

function problemOf(bytes) {
  const text = textAt(bytes, 0, 16);
  return others.find(([is]) => is.test(text))?.[1] ?? "";
}

// beginningOf returns the first bytes, unpacked. What is packed ends within a block, which is an
// error, or goes on for ever.
async function beginningOf(file, packing) {
  let from = file.slice(0, most).stream();
  if (packing) from = from.pipeThrough(new DecompressionStream(packing));
  const reader = from.getReader(),
    parts = [];
  let size = 0;
  try {
    while (size < most) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      size += value.length;
    }
    await reader.cancel();
  } catch {
    // What came before is enough.
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer()).subarray(0, most);
}

// textOf decodes UTF-8 and UTF-16, as the server does. Without its last line, which may be cut off,
// unless the bytes are whole.
function textOf(bytes, isWhole) {
  const [a, b] = bytes;
  const encoding =
    (a === 0xff && b === 0xfe) || (a > 0 && b === 0)
      ? "utf-16le"
      : (a === 0xfe && b === 0xff) || (a === 0 && b > 0)
        ? "utf-16be"
        : "utf-8";
  const text = new TextDecoder(encoding).decode(bytes);
  if (isWhole) return text;
  const end = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"));
  return text.slice(0, end + 1);
}

// tableOf reads the text with the separator, or the one that the first line has most often. Excel's
// line above the names, sep=;, says which.
function tableOf(text, separator) {
  const [given] = text.match(/^\s*"?sep=[^\r\n"]"?(\r\n|\r|\n)/i) ?? [];
  if (given) {
    separator ||= given.match(/=(.)/)[1];
    text = text.slice(0, given.length).replaceAll(/[^\r\n]/g, "") + text.slice(given.length);
  }
  separator ||= oftenIn(text);
  const [head, ...rows] = records(text, separator);
  const names = (head?.cells ?? []).map((name) => name.trim());
  return { names, separator, rows: rows.slice(0, maxRows), ...productOf(names) };
}

function oftenIn(text) {
  const [first] = text.trimStart().split(/[\r\n]/, 1);
  const bare = first.replaceAll(/"[^"]*"/g, "");
  const amount = (separator) => bare.split(separator).length;
  return separators.reduce((best, one) => (amount(one) > amount(best) ? one : best));
}
