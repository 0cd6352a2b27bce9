// A pasted list, the cells of a spreadsheet or a CSV file (RFC 4180) as rows of links.
import { asAddress } from "./addresses.js";
import { webURL } from "./format.js";
import { complaint, complete, several } from "./urls.js";

const maxColumns = 20; // further ones are left out
const examined = 1000; // rows that tell what a column is: as many as can be made into links

// decode returns the text of a file: UTF-8, UTF-16 with its mark, or else what old spreadsheets
// write.
export function decode(bytes) {
  const [a, b] = new Uint8Array(bytes);
  if (a === 0xff && b === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (a === 0xfe && b === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

// parse returns the rows of a text whose cells a character separates; null for the character means
// that every line is a cell. Empty lines are left out.
export const parse = (text, separator) => records(text, separator).map(({ cells }) => cells);

// records is parse with the line in which each row begins, from 1: [{line, cells}].
export function records(text, separator) {
  const found = [];
  let cells = [],
    cell = "",
    quoted = false,
    line = 1,
    begin = 1;
  const endCell = () => {
    cells.push(cell);
    cell = "";
  };
  const endRow = () => {
    endCell();
    if (cells.some((one) => one.trim())) found.push({ line: begin, cells });
    cells = [];
    begin = line;
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === "\n" || (c === "\r" && text[i + 1] !== "\n")) line++;
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') cell += text[++i];
      else quoted = false;
    } else if (c === '"' && separator && !cell.trim()) {
      quoted = true;
      cell = "";
    } else if (c === separator) {
      endCell();
    } else if (c === "\n" || c === "\r") {
      if (c === "\r" && text[i + 1] === "\n") {
        i++;
        line++;
      }
      endRow();
    } else {
      cell += c;
    }
  }
  endRow();
  return found;
}

// rowsOf parses a text with the separator that most rows agree about. URLs may contain commas, so a
// list of URLs has columns only where all rows have as many.
function rowsOf(text) {
  let best = null,
    agreed = 0;
  for (const separator of ["\t", ";", ","]) {
    if (!text.includes(separator)) continue;
    const rows = parse(text, separator);
    const usual = mostOften(rows.map((row) => row.length));
    const part = rows.filter((row) => row.length === usual).length / rows.length;
    if (usual > 1 && part > agreed) [best, agreed] = [rows, part];
  }
  if (agreed === 1 && (best.length > 1 || text.includes("\t"))) return best;
  const urls = several(text);
  if (urls.length) return urls.map((url) => [url]);
  return agreed > 0.5 ? best : parse(text, null);
}

function mostOften(values) {
  const times = new Map();
  for (const value of values) times.set(value, (times.get(value) ?? 0) + 1);
  return [...times].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

// What a column can be: name, label.
export const kinds = [
  ["url", "URL"],
  ["title", "Title"],
  ["code", "Code"],
  ["aliases", "More addresses"],
  ["tags", "Tags"],
  ["note", "Note"],
  ["", "Skip"],
];

// Headings by what their column is, in lower case, without anything but letters.
const headings = {
  url: ["url", "longurl", "originalurl", "destination", "destinationurl", "target", "targeturl"],
  title: ["title", "name", "label", "linktitle"],
  code: ["code", "shortcode", "customcode", "slug", "alias", "keyword", "backhalf", "key"],
  aliases: ["aliases", "moreaddresses", "otheraddresses", "shorturls"],
  tags: ["tags", "tag", "labels", "keywords"],
  note: ["note", "notes", "comment", "comments"],
  "": ["shorturl", "shortlink", "clicks", "created", "createdat", "visits"],
};

// Headings of what only an import brings along: codes as other products name them, dates, clicks,
// states and ends.
const ofImports = new Set(
  (
    "shorturl shortlink bitlink tinyurl prettylink slashtag customslug custombackhalf shortid " +
    "sourceurl created createdat datecreated createddate creationdate createdon timestamp " +
    "timeadded updated updatedat lastedit modified clicks totalclicks clickstotal clickcount " +
    "hits visits totalvisits visitcount visitscount engagements totalengagements status state " +
    "disabled archived banned inactive startsat validsince validfrom startdate expiresat " +
    "validuntil expires expirydate expirationdate expiration expirytime expirein expiry " +
    "maxclicks maxvisits clicklimit password"
  ).split(" "),
);

const folded = (cell) => cell.toLowerCase().replaceAll(/[^\p{L}]/gu, "");

// isForImport reports whether a text is a table whose headings have what only an import brings
// along.
export function isForImport(text) {
  const [first = []] = rowsOf(text.slice(0, 64 * 1024));
  return (
    first.length > 1 && !first.some(isURL) && first.some((cell) => ofImports.has(folded(cell)))
  );
}

headings.url.push("link", "links", "urls", "longlink", "address", "website", "href");

function headingOf(cell) {
  const text = folded(cell);
  return Object.keys(headings).find((kind) => headings[kind].includes(text));
}

const isURL = (cell) => webURL(complete(cell)) !== null;

// tableOf returns {rows, kinds, lost} of a text, null if there is no URL in it. kinds are what its
// columns are, by their headings or else by what they contain. lost are the headings that links
// have no field for, such as those of another shortener's export.
export function tableOf(text) {
  let rows = rowsOf(text).map((row) => row.slice(0, maxColumns).map((cell) => cell.trim()));
  const width = Math.max(0, ...rows.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, i) => i);
  const found = columns.map(() => undefined);
  const [first = []] = rows;
  let lost = []; // headings of columns that can't be brought along
  if (!first.some(isURL) && first.some((cell) => headingOf(cell) !== undefined)) {
    rows = rows.slice(1);
    for (const i of columns) {
      const kind = headingOf(first[i] ?? "");
      if (kind === "" || !found.includes(kind)) found[i] = kind;
    }
    lost = first.filter((cell) => cell && !headingOf(cell));
  }
  const sample = rows.slice(0, examined);
  const amountOf = (fits) => columns.map((i) => sample.filter((row) => fits(row[i] ?? "")).length);
  const urls = amountOf(isURL),
    texts = amountOf(isText);
  const place = (kind, i) => {
    if (i >= 0 && !found.includes(kind)) found[i] = kind;
  };
  const free = (i) => found[i] === undefined;
  const most = Math.max(0, ...urls.filter((_, i) => free(i)));
  place("url", most ? columns.findIndex((i) => free(i) && urls[i] === most) : -1);
  place(
    "title",
    columns.findIndex((i) => free(i) && texts[i] > sample.length / 2),
  );
  if (!urls[found.indexOf("url")]) return null;
  return { rows, kinds: found.map((kind) => kind ?? ""), lost };
}

const isText = (cell) => /\p{L}/u.test(cell) && !isURL(cell);

// linesOf returns the links in a table's rows: {url, title, code, aliases, tags, note, problem}.
// problem is why one can't be made. Blanks separate aliases, which may have commas.
export function linesOf({ rows, kinds: columns }) {
  const at = (kind) => columns.indexOf(kind);
  const [url, title, code, aliases, tags, note] = kinds.map(([name]) => at(name));
  return rows.map((row) => {
    const cell = (i) => row[i] ?? "";
    const line = {
      url: complete(cell(url)),
      title: cell(title),
      code: cell(code),
      aliases: cell(aliases)
        .split(/[,;]?\s+/)
        .filter(Boolean)
        .map(asAddress),
      tags: cell(tags)
        .split(/[,;|]/)
        .map((tag) => tag.trim())
        .filter(Boolean),
      note: cell(note),
    };
    return { ...line, problem: problemOf(line.url) };
  });
}

// problemOf returns why a cell can't become a link, "" if it can. Other text is not meant as a URL.
function problemOf(url) {
  if (!url) return "There's no URL in this line.";
  return /^[a-z][a-z\d+.-]*:/i.test(url) ? complaint(url) : "That's not a URL.";
}
