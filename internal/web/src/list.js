// The list of links, as far as it was loaded. It outlives its page: coming back finds it as it was
// left.
import { aborted, request } from "./api.js";
import { renew } from "./recent.js";
import { address } from "./router.js";
import { store } from "./store.js";

const pageSize = 100;
const most = 100_000; // rows that are kept: others are found by searching or sorting
const patience = 20; // pages in a row without a match, until the reader is asked whether to go on

// phase: "loading" (the first page), "more" (another one), "ready", "paused" (nothing found so
// far), "error". pinned are links that were created while a search or another order was on: they
// have no place among the rows.
const nothing = {
  search: "",
  sort: "newest",
  rows: [],
  pinned: [],
  fresh: "",
  total: 0,
  isLowerBound: false,
  next: "",
  phase: "loading",
  error: null,
  loaded: false,
};

export const list = store(nothing);
export const isFull = (state) => state.rows.length >= most;
export const scroll = { y: 0 }; // where the reader was
export const left = { href: "/ui/", code: "" }; // the last list, and the link opened from it
let controller = new AbortController();
let codes = new Set(); // of the rows: a link whose clicks changed between two pages may be on both

const set = (change) => list.set({ ...list.get(), ...change });

// open shows what a search finds, in the order of sort. What was there before stays until the
// answer is here.
export function open(search, sort) {
  const state = list.get();
  const isOther = state.search !== search || state.sort !== sort;
  if (isOther) scroll.y = 0;
  set({ search, sort, phase: "loading", error: null, ...(isOther && { pinned: [] }) });
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
      const page = await request(
        "GET",
        address("/api/urls", { limit: pageSize, sort, search, cursor }),
        { signal },
      );
      const isFirst = !cursor && i === 0;
      if (isFirst) codes = new Set();
      const fresh = page.urls.filter(({ short_code: code }) => !codes.has(code) && codes.add(code));
      const found = isFirst ? fresh : rows.concat(fresh);
      cursor = page.next_cursor ?? "";
      // A search looks at so many links a request: a page without a match is not the last one.
      const goOn = cursor !== "" && page.urls.length === 0;
      const phase = !goOn ? "ready" : i + 1 < patience ? "more" : "paused";
      set({
        rows: found,
        next: cursor,
        total: isFirst || search ? page.total : total,
        isLowerBound: Boolean(page.total_at_least),
        phase,
        loaded: true,
      });
      if (phase !== "more") return;
    }
  } catch (error) {
    if (!aborted(error)) set({ phase: "error", error });
  }
}

// refresh looks at the first page once more. What changed there is taken over; what is further down
// stays as it is.
let refreshing = false;

export async function refresh() {
  const { phase, loaded, search, sort } = list.get();
  if (!loaded || phase !== "ready" || refreshing) return;
  refreshing = true;
  renew();
  try {
    const { signal } = controller;
    take(await request("GET", address("/api/urls", { limit: pageSize, sort, search }), { signal }));
  } catch {
    // What is shown stays.
  } finally {
    refreshing = false;
  }
}

function take(page) {
  const { rows, search, sort } = list.get();
  const end = page.urls.at(-1);
  if (!end && page.next_cursor) return; // a search that found nothing so far
  const isTop = new Set(page.urls.map((row) => row.short_code));
  const at = page.next_cursor ? rows.findIndex((row) => row.short_code === end.short_code) : -1;
  if (at < 0 && page.next_cursor && scroll.y > 0) return; // too much is new
  let next = page.next_cursor ?? "",
    merged = page.urls;
  if (at >= 0) {
    next = list.get().next;
    // Of those that left the page, some were deleted, and some were overtaken.
    const fell = (row, i) => i > at || (sort === "clicks" && row.click_count <= end.click_count);
    merged = page.urls.concat(rows.filter((row, i) => !isTop.has(row.short_code) && fell(row, i)));
  }
  codes = new Set(merged.map((row) => row.short_code));
  // Of a search that looked at a part of all links, more may have been found further down.
  const isLowerBound = Boolean(next && page.total_at_least);
  set({
    rows: merged,
    next,
    total: isLowerBound ? Math.max(page.total, merged.length) : page.total,
    isLowerBound,
  });
}

// insert puts a link that was just created at the top.
export function insert(link) {
  const { rows, total, search, sort, pinned, loaded } = list.get();
  const fresh = link.short_code;
  if (search || sort !== "newest") return set({ pinned: [link, ...pinned], fresh });
  if (!loaded) return set({ fresh }); // it will be on the first page
  codes.add(fresh);
  const others = rows.filter((row) => row.short_code !== fresh);
  set({ rows: [link, ...others], fresh, total: total + 1 - (rows.length - others.length) });
}
