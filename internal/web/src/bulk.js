// Several pasted URLs are shortened by one request, even while another page is shown.
import { created } from "./deletions.js";
import { insert } from "./list.js";
import { operate } from "./operations.js";
import { store } from "./store.js";
import { aborted, sentence } from "./transport.js";

export const maxURLs = 1000; // URLs at a time, as in the API

// null, or the pasted URLs: {lines: [{url, code, problem}], busy, pause}. pause is in seconds,
// while the server refuses requests.
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

// shortenAll creates the links that do not exist yet. explain returns the text for a failure to
// shorten a URL.
export async function shortenAll(explain) {
  const { signal } = (controller = new AbortController());
  const left = bulk.get().lines.filter((line) => !line.code);
  let done = 0;
  const take = (results) => {
    const outcome = new Map(results.map((result, i) => [left[done + i], result]));
    done += results.length;
    set({ lines: bulk.get().lines.map((line) => after(line, outcome.get(line), explain)) });
    for (const { link } of results) if (link) show(link);
  };
  set({ busy: true });
  try {
    await operate(
      left.map(({ url }) => ({ op: "create", link: { original_url: url } })),
      take,
      { signal, onPause: (pause) => set({ pause }) },
    );
  } catch (error) {
    if (aborted(error)) return;
    set({
      lines: bulk
        .get()
        .lines.map((line) => (line.code ? line : { ...line, problem: explain(error, line.url) })),
    });
  }
  set({ busy: false, pause: 0 });
}

// after returns a line with its result.
function after(line, result, explain) {
  if (!result) return line;
  if (result.link) return { ...line, code: result.link.short_code, problem: "" };
  if (result.link_omitted) return { ...line, problem: "Shortened. Find it in the list of links." };
  const { status, field, error } = result;
  return { ...line, problem: explain({ status, field, message: sentence(error) }, line.url) };
}

function show(link) {
  created(link.short_code);
  insert({ created_at: new Date().toISOString(), click_count: 0, ...link });
}
