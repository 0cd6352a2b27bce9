// What the server answers to an import, line by line, summed up.
import { row } from "./csv.js";
import { visible } from "./format.js";

const maxReasons = 100; // different ones that are kept; the report has all
const maxLines = 20; // lines that are kept of each
const firstRows = 5; // that are shown as they will be
const reportPart = 256 * 1024; // characters kept as text; then the browser may use its disk

export const kinds = ["created", "updated", "unchanged", "renamed", "skipped", "failed"];

// Tally sums up results. It keeps as much of a million lines as of a few.
export class Tally {
  constructor(source) {
    this.source = source;
    this.links = 0;
    this.results = Object.fromEntries(kinds.map((kind) => [kind, 0]));
    this.added = 0;
    this.known = 0;
    this.columns = null; // of a table
    this.first = []; // results of the first lines, in their order
    this.reasons = new Map();
    this.more = 0; // remarks beyond maxReasons
    this.remarks = 0;
    this.summary = null;
    this.parts = [];
    this.text = row(header);
  }

  // add takes a line of the answer.
  add(line) {
    if (line.columns) this.columns = line.columns;
    else if (line.summary) this.summary = line.summary;
    else this.addResult(line);
  }

  addResult(result) {
    const { line, result: kind, clicks_added: added = 0, clicks_known: known = 0 } = result;
    this.links++;
    this.results[kind]++;
    this.added += added;
    this.known += known;
    this.show(result);
    for (const reason of reasonsOf(result)) this.note(line, result, reason);
  }

  // show keeps the results of the first lines. Those of lines that can't be read come before the
  // others.
  show(result) {
    const at = this.first.filter(({ line }) => line < result.line).length;
    if (at === firstRows) return;
    this.first = [...this.first.slice(0, at), result, ...this.first.slice(at, firstRows - 1)];
  }

  note(line, { short_code, domain, new_short_code: other, result }, reason) {
    const code = placeOf(domain, short_code);
    // A try makes a code for a link without one; the import will make another.
    const isOwn = result !== "created" || Boolean(other);
    this.remarks++;
    const cells = [line, this.source, code, result, fieldOf(reason), reason];
    this.text += row(cells.map((cell) => printable(String(cell))));
    if (this.text.length > reportPart) {
      this.parts.push(new Blob([this.text]));
      this.text = "";
    }
    const key = `${result} ${reason.replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"')}`;
    let group = this.reasons.get(key);
    if (!group) {
      if (this.reasons.size === maxReasons) {
        this.more++;
        return;
      }
      group = { result, text: reason, n: 0, lines: [] };
      this.reasons.set(key, group);
    }
    group.n++;
    if (group.text !== reason) group.text = key.slice(result.length + 1);
    if (group.lines.length < maxLines) group.lines.push({ line, code: isOwn ? code : "" });
  }

  // view returns what the page shows; a new one, since this goes on.
  view() {
    return {
      ...this,
      reasons: [...this.reasons.values()].map((group) => ({ ...group })),
      results: { ...this.results },
    };
  }

  // report returns the remarks as a file, as the command line writes it.
  report() {
    return new Blob([...this.parts, this.text], { type: "text/csv;charset=utf-8" });
  }
}

// placeOf names a code with its domain, as the command line takes it.
export const placeOf = (domain, code = "") => (domain ? `${domain}/${code}` : code);

const header = ["line", "source", "short_code", "result", "field", "reason"];

// reasonsOf returns what is to be said about a line. The texts are those of the command line.
export function reasonsOf({ result, error, notes = [], new_short_code: code }) {
  if (error) return [error, ...notes];
  if (result === "renamed") return [`short code already exists; it is now ${code}`, ...notes];
  if (result === "created" && code)
    return [
      "short code is not possible here (3-20 letters, digits, - and _); it is an alias of " + code,
      ...notes,
    ];
  return notes;
}

const printable = (text) => visible(text.replaceAll("\n", "\\n").replaceAll("\t", "\\t"));

const words = [
  ["original URL", "original_url"],
  ["short code", "short_code"],
  ["address", "short_code"],
  ["at most 20 aliases", "aliases"],
];

// What a column of a table can be, as the API names it, in words.
export const fields = {
  original_url: "Destination",
  short_code: "Code",
  short_url: "Short URL",
  domain: "Domain",
  aliases: "More addresses",
  title: "Title",
  tags: "Tags",
  note: "Note",
  clicks: "Clicks",
  created_at: "Created",
  created_by: "Owner",
  updated_at: "Changed",
  starts_at: "Starts",
  expires_at: "Ends",
  expired_url: "Then leads to",
  max_clicks: "Ends after clicks",
  password: "Password",
  disabled: "Switched off",
  archived: "Archived",
  status: "State",
  redirect_status: "Redirect type",
  forward_query: "Passes parameters on",
  forward_path: "Passes the path on",
  rules: "Rules",
  day: "Day of the clicks",
  hour: "Hour of the clicks",
};

const ofLines =
  "password_hash clicks_used share history last_clicked_at date dimension counts people " +
  "visitors time count firsts";
const known = new Set([...Object.keys(fields), ...ofLines.split(" ")]);

// fieldOf returns the field that a message of the server is about, "" if it is about none: such a
// message begins with its name.
export function fieldOf(message) {
  const found = words.find(([start]) => message.startsWith(start));
  if (found) return found[1];
  const [name] = message
    .replace(/^field "/, "")
    .split(" ", 1)[0]
    .replace(/"$/, "")
    .split("[", 1);
  return known.has(name) ? name : "";
}

// readLines calls take with each line of JSON of a stream, as it comes.
export async function readLines(stream, take) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let left = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (left + value).split("\n");
    left = lines.pop();
    for (const line of lines) if (line) take(JSON.parse(line));
  }
  if (left) take(JSON.parse(left));
}
