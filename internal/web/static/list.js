// The list of links, as far as it was loaded. It outlives its page, so that coming back finds it as it was left.
import { aborted, request } from "./api.js";
import { renew } from "./recent.js";
import { address } from "./router.js";
import { store } from "./store.js";

const pageSize = 100;
const most = 100_000; // rows that are kept: what is further down is found by searching or by sorting the other way round
const patience = 20; // pages in a row without a match, until the reader is asked whether to go on

// phase: "loading" (the first page), "more" (another one), "ready", "paused" (nothing found so far), "error".
const nothing = { search: "", sort: "newest", rows: [], total: 0, next: "", phase: "loading", error: null, loaded: false };

export const list = store(nothing);
export const isFull = (state) => state.rows.length >= most;
export const scroll = { y: 0 }; // where the reader was
let controller = new AbortController();
let codes = new Set(); // of the rows: a link whose clicks changed between two pages may be on both

const set = (change) => list.set({ ...list.get(), ...change });

// open shows what a search finds, in the order of sort. What was there before stays until the answer is here.
export function open(search, sort) {
  const state = list.get();
  if (state.search !== search || state.sort !== sort) scroll.y = 0;
  set({ search, sort, phase: "loading", error: null });
  renew();
  load("");
}

// more loads the next page, if there is one and none is under way.
export function more() {
  const { phase, next } = list.get();
  if (phase === "loading" || phase === "more" || !next || isFull(list.get())) return;
  set({ phase: "more", error: null });
  load(next);
}

export const retry = () => (list.get().next ? more() : open(list.get().search, list.get().sort));

async function load(cursor) {
  controller.abort();
  const { signal } = (controller = new AbortController());
  try {
    for (let i = 0; ; i++) {
      const { search, sort, rows, total } = list.get();
      const page = await request("GET", address("/api/urls", { limit: pageSize, sort, search, cursor }), { signal });
      const isFirst = !cursor && i === 0;
      if (isFirst) codes = new Set();
      const fresh = page.urls.filter(({ short_code: code }) => !codes.has(code) && codes.add(code));
      const found = isFirst ? fresh : rows.concat(fresh);
      cursor = page.next_cursor ?? "";
      // While searching, the server looks at so many links a request: a page without a match is not the last one.
      const goOn = cursor !== "" && page.urls.length === 0;
      const phase = !goOn ? "ready" : i + 1 < patience ? "more" : "paused";
      set({ rows: found, next: cursor, total: isFirst || search ? page.total : total, phase, loaded: true });
      if (phase !== "more") return;
    }
  } catch (error) {
    if (!aborted(error)) set({ phase: "error", error });
  }
}

// insert puts a link that was just made at the top.
export function insert(link) {
  const { rows, total } = list.get();
  codes.add(link.short_code);
  const others = rows.filter((row) => row.short_code !== link.short_code);
  set({ rows: [link, ...others], total: total + 1 - (rows.length - others.length) });
}
