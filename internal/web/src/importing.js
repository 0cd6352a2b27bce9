// An import: its file, how that is read, what a try of it says, and how far it is. It goes on while
// another page is shown.
import { respond } from "./api.js";
import { basePath, count, plural } from "./format.js";
import { headOf } from "./head.js";
import { me } from "./me.js";
import { questionOf } from "./question.js";
import { Tally, readLines } from "./results.js";
import { address } from "./router.js";
import { store } from "./store.js";
import { Failure, aborted, sentence, sleep } from "./transport.js";
import { say } from "./ui.js";

const path = "/api/import";
const maxBytes = 1024 ** 3; // as in the API
const maxTurns = 20; // seconds to wait for the end of an import that was stopped
const shownEveryMs = 200,
  spokenEveryMs = 10e3;

// How a file is read, and what becomes of it. map has fields by the names of columns, "" for one
// that is not read. guess says that a table is meant as it is. format is the name of one, or auto
// where the server finds it.
const standard = {
  format: "auto",
  conflict: "skip",
  owner: "",
  map: {},
  guess: false,
  delimiter: "",
  time_zone: "",
  date_format: "",
};

// phase: "none", "reading" (the first bytes of the file), "trying", "tried", "importing", "done",
// "stopped", "lost" (the server, or the way there), "refused" (by the server, with the reason in
// problem; the file may be tried again).
const nothing = {
  phase: "none",
  file: null,
  head: null,
  options: standard,
  columns: null, // of a table: as the server reads them
  question: null, // of the server about the table
  problem: "",
  isFinal: false, // nothing that could be chosen here helps
  trial: null, // what would come
  tally: null, // what has come so far
};
export const importing = store(nothing);

const set = (change) => importing.set({ ...importing.get(), ...change });
let controller = new AbortController();

export const isUnderWay = () => importing.get().phase === "importing";

// forgetFile makes room for another file.
export function forgetFile() {
  controller.abort();
  importing.set(nothing);
}

// choose takes a file, and tries it.
export async function choose(file) {
  controller.abort();
  const { signal } = (controller = new AbortController());
  const left = leftOver.get();
  const isSame = left && left.name === file.name && left.size === file.size;
  importing.set({
    ...nothing,
    phase: "reading",
    file,
    options: { ...standard, ...(isSame && left.options) },
  });
  try {
    const head = await headOf(file);
    if (signal.aborted) return;
    set({ head });
    if (head.problem) return refuse(head.problem, true);
    // Only the columns tell a table of a product, which the server leaves to people.
    if (!isSame && head.product && head.format) setFormat(head.format);
  } catch {
    if (!signal.aborted) refuse(unreadable, true);
    return;
  }
  if (file.size > maxBytes) return refuse(tooBig, true);
  await tryOut();
}

// change changes how the file is read, and tries it again.
export async function change(options) {
  set({ options: { ...importing.get().options, ...options } });
  if ("delimiter" in options) {
    const { file, options: all } = importing.get();
    set({ head: await headOf(file, all.delimiter === "tab" ? "\t" : all.delimiter) });
  }
  await tryOut();
}

const setFormat = (format) =>
  set({ options: { ...standard, ...kept(importing.get().options), format } });
const kept = ({ conflict, owner }) => ({ conflict, owner }); // of how another format is read

// changeFormat says what the file is, and tries it again.
export function changeFormat(format) {
  setFormat(format);
  return tryOut();
}

// setField says what a column is. What several can't be is taken from the others.
export function setField(column, field) {
  const { map } = importing.get().options;
  const others = Object.entries(map).map(([name, old]) => [name, old === field ? "" : old]);
  return change({ map: { ...Object.fromEntries(others), [column]: field }, guess: false });
}

const unreadable = "The file can't be read any more: it was moved or changed. Choose it again.";
const tooBig =
  "The file is too big: at most 1 GiB can be sent, and 16 GiB unpacked. Pack it with gzip or zstd.";

function refuse(problem, isFinal = false) {
  set({ phase: "refused", problem, isFinal, ...(isFinal && { trial: null, question: null }) });
  say(problem);
}

// Refused is an answer of the server that refuses the whole file.
class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const busy =
  "Another import of yours is under way, perhaps in another tab. Try again when it has ended.";

// inWords returns what a refusal means, and what to do.
function inWords({ status, message }) {
  if (status === 409) return `Nothing would be imported: ${message}.`;
  if (/^needs the role/.test(message)) return "You may not import links. Ask an admin.";
  return (
    {
      408: "The file came too slowly. Try again.",
      413: tooBig,
      415: "The file is packed in a way that the server can't read. Unpack it, and try that.",
      429: busy,
      503: "The server is stopping. Try again in a moment.",
      507: "The server has no room for the file. Whoever runs it has to make some on its disk.",
    }[status] ?? sentence(message)
  );
}

const parametersOf = ({ format, conflict, owner, map, guess, ...table }, isDry) => ({
  format,
  conflict: conflict === "skip" ? "" : conflict,
  owner,
  dry_run: isDry && "true",
  show_links: isDry && "true",
  guess: guess && "true",
  map: Object.entries(map).map(([column, field]) => `${column}=${field}`),
  ...table,
});

async function ask(to, body, headers, signal) {
  const response = await respond("POST", to, { body, headers, signal, outlastsSession: false });
  if (response.ok) return response;
  const { error = response.statusText } = await response.json().catch(() => ({}));
  throw new Refused(response.status, error);
}

// waitForTurn asks with nothing whether the server would take a file now. What refuses a file must
// not have to wait for its end, and browsers that are still sending it may not read the answer.
async function waitForTurn(signal) {
  for (let turn = 1; ; turn++) {
    try {
      return await (await ask(`${path}?dry_run=true`, new Blob(), {}, signal)).text();
    } catch (error) {
      if (error.status !== 429 || turn === maxTurns) throw error;
      await sleep(1000, signal);
    }
  }
}

// report returns the remarks of the last try or import as a file.
let last = null;
export const report = () => last.report();

// send sends the file and returns the Tally of the answer, which onTally gets meanwhile, too.
async function send(options, isDry, signal, onTally) {
  const { file, head } = importing.get();
  await waitForTurn(signal);
  const response = await ask(
    address(path, parametersOf(options, isDry)),
    file,
    head.packing ? { "Content-Encoding": head.packing } : {},
    signal,
  );
  const tally = new Tally(file.name);
  last = tally;
  let shown = 0;
  await readLines(response.body, (line) => {
    tally.add(line);
    if (performance.now() < shown + shownEveryMs) return;
    shown = performance.now();
    onTally(tally);
  });
  if (!tally.summary) throw new Failure(0, "");
  onTally(tally);
  return tally;
}

// tryOut asks the server what would come. Where it asks back, it says what would if the table were
// meant as it is.
export async function tryOut() {
  controller.abort();
  const { signal } = (controller = new AbortController());
  set({ phase: "trying", problem: "", isFinal: false, tally: null });
  const onTally = (tally) => {
    if (!signal.aborted) set({ tally: tally.view() });
  };
  const run = async (options, question) => {
    const tally = await send(options, true, signal, onTally);
    if (signal.aborted) return;
    const trial = tally.view();
    set({ phase: "tried", trial, columns: trial.columns, question, tally: null });
    say(question ? question.text : summaryOf(trial));
  };
  const { options } = importing.get();
  try {
    await run(options, null);
  } catch (error) {
    if (signal.aborted) return;
    const question = error.status === 400 ? questionOf(error.message, namesOf()) : null;
    if (!question) return fail(error);
    set({ question });
    try {
      await run({ ...options, guess: true }, question);
    } catch (again) {
      if (signal.aborted) return;
      // It has to be answered: the table can't be read as it is.
      if (again.status !== 400) return fail(again);
      set({ phase: "tried", trial: null, columns: ownColumns(), question: mustAnswer(question) });
      say(question.text);
    }
  }
}

const namesOf = () => [
  ...new Set([
    ...(importing.get().head.names ?? []),
    ...(importing.get().columns ?? []).map(({ name }) => name),
  ]),
];

const mustAnswer = ({ text, answers }) => ({
  text,
  answers: answers.filter(({ guess }) => !guess),
  isNeeded: true,
});

// ownColumns returns the columns as this page sees them, where the server doesn't say.
function ownColumns() {
  const { head, options } = importing.get();
  return (head.names ?? []).map((name, i) => ({
    name,
    field: options.map[name] || undefined,
    example: head.rows.map(({ cells }) => cells[i]).find(Boolean),
  }));
}

async function fail(error) {
  const { file } = importing.get();
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    return refuse(unreadable, true);
  }
  if (error instanceof Refused)
    return refuse(inWords(error), error.status !== 409 && error.status !== 400);
  set({ phase: "lost" });
  say("The connection was lost.");
}

// start imports the file as it was tried.
export async function start() {
  const { file, options, trial } = importing.get();
  controller.abort();
  const { signal } = (controller = new AbortController());
  set({ phase: "importing", problem: "", tally: new Tally(file.name).view() });
  leftOver.keep({ name: file.name, size: file.size, options, at: Date.now() });
  addEventListener("beforeunload", stay);
  let spoken = performance.now();
  const onTally = (tally) => {
    if (controller.signal !== signal) return;
    set({ tally: tally.view() });
    if (performance.now() < spoken + spokenEveryMs) return;
    spoken = performance.now();
    say(progressOf(tally, trial).text);
  };
  try {
    const tally = await send(options, false, signal, onTally);
    leftOver.forget();
    set({ phase: "done", tally: tally.view() });
    say(summaryOf(tally, true));
  } catch (error) {
    if (aborted(error) || signal.aborted) set({ phase: "stopped" });
    else await fail(error);
  } finally {
    removeEventListener("beforeunload", stay);
  }
}

export const stop = () => controller.abort();

// stay has the browser ask before it leaves the page.
const stay = (event) => event.preventDefault();

// progressOf returns {part, text}: how far an import is, by the links and clicks that a try of it
// found.
export function progressOf({ links, added, known }, trial) {
  const clicks = added + known,
    allClicks = trial.added + trial.known;
  const ofLinks = links / Math.max(1, trial.links),
    ofClicks = allClicks ? clicks / allClicks : ofLinks;
  return {
    part: Math.min(1, (ofLinks + ofClicks) / 2),
    text:
      `${count(links)} of ${plural(trial.links, "link", "links")}` +
      (allClicks ? `, ${count(clicks)} of ${plural(allClicks, "click", "clicks")}` : ""),
  };
}

// comes returns how many links an import brings or changes.
export const comes = ({ results: { created, updated, renamed } }) => created + updated + renamed;

// summaryOf returns in a sentence what comes, or has come.
export function summaryOf(tally, isDone = false) {
  const links = comes(tally),
    { added } = tally;
  const out = isDone ? "" : leftOutOf(tally);
  if (!links && !added)
    return isDone ? "Nothing was imported." : `There is nothing to import.${out}`;
  const what = [
    links && plural(links, "link", "links"),
    added && plural(added, "click", "clicks"),
  ].filter(Boolean);
  return isDone ? `Imported ${what.join(" and ")}.` : `${what.join(" and ")} would come.${out}`;
}

// leftOutOf says how many links would not come.
function leftOutOf({ results: { skipped, failed }, summary }) {
  const n = skipped + (summary?.failed ?? failed); // without lines that can't be read
  return n ? ` ${plural(n, "link is", "links are")} left out.` : "";
}

// leftOver is the import that this browser began, until it is known to have ended.
const key = `terse-import${basePath}`;
const remembered = store(recall());
export const leftOver = {
  watch: remembered.watch,
  // get returns what the one who is signed in has left: {name, size, options, at}, or null.
  get() {
    const note = remembered.get();
    return note && note.identity === me.get().identity ? note : null;
  },
  keep(note) {
    remembered.set({ ...note, identity: me.get().identity });
    write(JSON.stringify(remembered.get()));
  },
  forget() {
    remembered.set(null);
    write(null);
  },
};

function recall() {
  try {
    const note = JSON.parse(localStorage.getItem(key));
    return note?.options?.map ? note : null;
  } catch {
    return null;
  }
}

function write(text) {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Storage is switched off: the next page does not know of it.
  }
}
