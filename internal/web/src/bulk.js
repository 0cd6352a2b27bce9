// Several URLs that were pasted together are shortened one after the other, also while another
// page is shown.
import { aborted, request } from "./api.js";
import { created } from "./deletions.js";
import { insert } from "./list.js";
import { store } from "./store.js";

// URLs at a time: more than people paste by hand, and far from a minute's limit of requests.
export const most = 100;

// null, or what was pasted: {lines: [{id, url, code, problem}], busy, pause}. pause is in seconds,
// while the server wants no requests.
export const bulk = store(null);
let controller = new AbortController();

const set = (change) => bulk.set({ ...bulk.get(), ...change });

export function propose(urls) {
  controller.abort();
  bulk.set({
    lines: urls.map((url) => ({ id: {}, url, code: "", problem: "" })),
    busy: false,
    pause: 0,
  });
}

export function dismiss() {
  controller.abort();
  bulk.set(null);
}

// stop lets the request that is under way finish, and sends no other.
export function stop() {
  controller.abort();
  set({ busy: false, pause: 0 });
}

// shortenAll creates the links that are not there yet. explain returns the text for a failure.
export async function shortenAll(explain) {
  const { signal } = (controller = new AbortController());
  set({ busy: true });
  for (const line of bulk.get().lines) {
    if (signal.aborted) return;
    if (!line.code && !(await shorten(line, explain, signal))) break;
  }
  if (!signal.aborted) set({ busy: false });
}

// shorten reports whether it is worth going on.
async function shorten(line, explain, signal) {
  const note = (change) => {
    if (!bulk.get()) return;
    set({
      lines: bulk
        .get()
        .lines.map((other) => (other.id === line.id ? { ...other, ...change } : other)),
    });
  };
  try {
    const answer = await patiently(
      () => request("POST", "/api/urls", { body: { original_url: line.url } }),
      signal,
    );
    created(answer.short_code);
    insert({ ...answer, created_at: new Date().toISOString(), click_count: 0 });
    note({ code: answer.short_code, problem: "" });
  } catch (error) {
    if (aborted(error)) return false;
    note({ problem: explain(error) });
    return error.status !== 0; // then the others would not arrive either
  }
  return true;
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
