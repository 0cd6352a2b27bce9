// A list is shortened by one request, even while another page is shown.
import { created } from "./deletions.js";
import { preferred } from "./domains.js";
import { draftOf, fieldsOf, refusalOf } from "./draft.js";
import { count, keyOf } from "./format.js";
import { insert } from "./list.js";
import { batch, draft, edit, empty } from "./newlink.js";
import { operate } from "./operations.js";
import { linesOf, tableOf } from "./table.js";
import { aborted, sentence } from "./transport.js";
import { addUTM } from "./utm.js";

const maxLines = 1000; // as in the API
export const noURL = "There's no URL in it.";

// The batch is {table, lines, utm, began, busy, pause}. utm is a query with the parameters that all
// links get; pause is in seconds, while the server refuses requests. A line is one of a table's; it
// has made, the key of its link, and isFinal if no attempt can succeed.
let controller = new AbortController();

const set = (change) => batch.get() && batch.set({ ...batch.get(), ...change });

// propose shows a text as a table of links to make. It returns why it does not, "" if it does.
export function propose(text) {
  const table = tableOf(text);
  if (!table) return noURL;
  if (table.rows.length > maxLines) {
    const lines = count(table.rows.length);
    return `That's ${lines} lines. At most ${count(maxLines)} can be shortened at a time.`;
  }
  controller.abort();
  if (!draft.get().options) edit({ options: draftOf({ domain: preferred.get() }) });
  batch.set({ table, lines: marked(table), utm: "", began: false, busy: false, pause: 0 });
  return "";
}

const marked = (table) =>
  linesOf(table).map((line) => ({ ...line, made: "", isFinal: Boolean(line.problem) }));

// choose says what a column is. Two columns can't be the same.
export function choose(column, kind) {
  const before = batch.get().table;
  const kinds = before.kinds.map((old, i) => (i === column ? kind : old === kind ? "" : old));
  const table = { ...before, kinds };
  set({ table, lines: marked(table) });
}

export const setUTM = (utm) => set({ utm });

// dismiss ends a list. What all links got is not for the next one.
export function dismiss() {
  controller.abort();
  if (batch.get().began) empty();
  batch.set(null);
}

// canMake reports whether a line may become a link.
export const canMake = (line) => !line.made && !line.isFinal;

// shortenAll creates the links that do not exist yet.
export async function shortenAll() {
  const { signal } = (controller = new AbortController());
  const options = { ...draft.get().options, original_url: "" },
    { utm } = batch.get();
  const left = batch.get().lines.filter(canMake);
  let done = 0;
  const take = (results) => {
    const outcome = new Map(results.map((result, i) => [left[done + i], result]));
    done += results.length;
    const after = (line) => (outcome.has(line) ? resultOf(line, outcome.get(line), options) : line);
    set({ lines: batch.get().lines.map(after) });
    for (const { link } of results) if (link) show(link);
  };
  set({ began: true, busy: true });
  try {
    await operate(
      left.map((line) => ({ op: "create", link: linkOf(line, fieldsOf(options), utm) })),
      take,
      { signal, onPause: (pause) => set({ pause }) },
    );
  } catch (error) {
    if (aborted(error)) return set({ busy: false, pause: 0 });
    const problem = error.status === 0 ? "Not shortened: can't reach the server." : error.message;
    set({
      lines: batch.get().lines.map((line) => (canMake(line) ? { ...line, problem } : line)),
    });
  }
  set({ busy: false, pause: 0 });
}

export const stop = () => controller.abort();

// linkOf returns the API's fields for a line: its own, and those that all share.
function linkOf(line, shared, utm) {
  const own = {
    ...shared,
    original_url: addUTM(line.url, utm),
    short_code: line.code,
    aliases: line.aliases,
    title: line.title,
    note: line.note || shared.note,
    tags: [...new Set([...line.tags, ...(shared.tags ?? [])])],
  };
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value && value.length !== 0));
}

// resultOf returns a line with its result. The server would refuse the same line again, unless it
// was busy.
function resultOf(line, { link, link_omitted: omitted, status, field, error }, options) {
  if (link) return { ...line, made: keyOf(link), problem: "" };
  if (omitted)
    return { ...line, problem: "Shortened. Find it in the list of links.", isFinal: true };
  const message = sentence(error);
  const about = {
    ...options,
    original_url: line.url,
    short_code: line.code,
    aliases: line.aliases,
  };
  const [problem = message] = Object.values(refusalOf({ status, field, message }, about) ?? {});
  return { ...line, problem, isFinal: status < 500 && status !== 429 };
}

function show(link) {
  created(link);
  insert({ created_at: new Date().toISOString(), click_count: 0, ...link });
}
