// Several URLs that were pasted together are shortened by one request, also while another page is
// shown.
import { request } from "./api.js";
import { created } from "./deletions.js";
import { insert } from "./list.js";
import { store } from "./store.js";
import { aborted } from "./transport.js";

export const most = 1000; // URLs at a time, as the API has it

// null, or what was pasted: {lines: [{url, code, problem}], busy, pause}. pause is in seconds,
// while the server wants no requests.
export const bulk = store(null);
let controller = new AbortController();

const set = (change) => bulk.get() && bulk.set({ ...bulk.get(), ...change });

export function propose(urls) {
  controller.abort();
  bulk.set({ lines: urls.map((url) => ({ url, code: "", problem: "" })), busy: false, pause: 0 });
}

export function dismiss() {
  controller.abort();
  bulk.set(null);
}

// shortenAll creates the links that are not there yet. explain returns the text for a failure.
export async function shortenAll(explain) {
  const { signal } = (controller = new AbortController());
  const { lines } = bulk.get(), left = lines.filter((line) => !line.code);
  set({ busy: true });
  try {
    const operations = left.map(({ url }) => ({ op: "create", link: { original_url: url } }));
    const { results } = await patiently(() =>
      request("POST", "/api/bulk", { body: { operations } }), signal);
    if (signal.aborted) return;
    const outcome = new Map(left.map((line, i) => [line, results[i]]));
    set({ lines: lines.map((line) => after(line, outcome.get(line), explain)) });
    for (const { link } of results) if (link) show(link);
  } catch (error) {
    if (aborted(error)) return;
    set({ lines: lines.map((line) => (line.code ? line : { ...line, problem: explain(error) })) });
  }
  set({ busy: false, pause: 0 });
}

// after is a line with what became of it.
function after(line, result, explain) {
  if (!result) return line;
  if (result.link) return { ...line, code: result.link.short_code, problem: "" };
  return { ...line, problem: explain({ status: result.status, message: result.error }) };
}

function show(link) {
  created(link.short_code);
  insert({ created_at: new Date().toISOString(), click_count: 0, ...link });
}

// patiently asks again when the server has had enough for now.
async function patiently(ask, signal) {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (error.status !== 429) throw error;
      signal.throwIfAborted();
      set({ pause: error.retryAfter ?? 10 });
      await sleep(1000 * bulk.get().pause, signal);
      set({ pause: 0 });
    }
  }
}

const sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
