// The list of links, as far as it was loaded. It outlives its page: coming back finds it as it was
// left.
import { request } from "./api.js";
import { renew } from "./recent.js";
import { address } from "./router.js";
import { store } from "./store.js";
import { aborted } from "./transport.js";

const pageSize = 100;
const most = 100_000; // rows that are kept: others are found by searching or sorting
const patience = 20; // pages in a row without a match, until the reader is asked whether to go on

// phase: "loading" (the first page), "more" (another one), "ready", "paused" (nothing found so
// far), "error". pinned are links that were created while a search or another order was on: they
// have no place among the rows.
const nothing = {
  query: { search: "", sort: "newest", tag: [], status: "" },
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

const key = (query) => JSON.stringify(query);

// isOpen reports whether the list is what a query asks for.
export const isOpen = (query) => list.get().loaded && key(list.get().query) === key(query);

// open shows what a query finds: {search, sort, tag, status}. What was there before stays until the
// answer is here.
export function open(query) {
  const isOther = key(list.get().query) !== key(query);
  if (isOther) scroll.y = 0;
  set({ query, phase: "loading", error: null, ...(isOther && { pinned: [] }) });
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

export const retry = () => (list.get().next ? more() : open(list.get().query));

// page is where the API has a part of the list. A sort may have a period behind it: "clicks-7d".
function page(query, cursor) {
  const [sort, period = ""] = query.sort.split("-");
  return address("/api/urls", { limit: pageSize, ...query, sort, period, cursor });
}

async function load(cursor) {
  controller.abort();
  const { signal } = (controller = new AbortController());
  try {
    for (let i = 0; ; i++) {
      const { query, rows, total } = list.get();
      const answer = await request("GET", page(query, cursor), { signal });
      const isFirst = !cursor && i === 0;
      if (isFirst) codes = new Set();
      const isFresh = ({ short_code: code }) => !codes.has(code) && codes.add(code);
      const fresh = answer.urls.filter(isFresh);
      const found = isFirst ? fresh : rows.concat(fresh);
      cursor = answer.next_cursor ?? "";
      // A search looks at so many links a request: a page without a match is not the last one.
      const goOn = cursor !== "" && answer.urls.length === 0;
      const phase = !goOn ? "ready" : i + 1 < patience ? "more" : "paused";
      set({
        rows: found,
        next: cursor,
        total: isFirst || query.search ? answer.total : total,
        isLowerBound: isBound(answer),
        phase,
        loaded: true,
      });
      if (phase !== "more") return;
    }
  } catch (error) {
    if (!aborted(error)) set({ phase: "error", error });
  }
}

const isBound = (answer) => Boolean(answer.total_at_least);

// refresh looks at the first page once more. What changed there is taken over; what is further down
// stays as it is.
let refreshing = false;

export async function refresh() {
  const { phase, loaded, query } = list.get();
  if (!loaded || phase !== "ready" || refreshing) return;
  refreshing = true;
  renew();
  try {
    const { signal } = controller;
    take(await request("GET", page(query), { signal }));
  } catch {
    // What is shown stays.
  } finally {
    refreshing = false;
  }
}

function take(answer) {
  const { rows, query } = list.get();
  const end = answer.urls.at(-1);
  if (!end && answer.next_cursor) return; // a search that found nothing so far
  const isTop = new Set(answer.urls.map((row) => row.short_code));
  const at = answer.next_cursor ? rows.findIndex((row) => row.short_code === end.short_code) : -1;
  if (at < 0 && answer.next_cursor && scroll.y > 0) return; // too much is new
  let next = answer.next_cursor ?? "",
    merged = answer.urls;
  if (at >= 0) {
    next = list.get().next;
    // Of those that left the page, some were deleted, and some were overtaken.
    const fell = (row, i) =>
      i > at || (query.sort === "clicks" && row.click_count <= end.click_count) ||
      query.sort.startsWith("clicks-"); // how many those are is not known here
    const others = rows.filter((row, i) => !isTop.has(row.short_code) && fell(row, i));
    merged = answer.urls.concat(others);
  }
  codes = new Set(merged.map((row) => row.short_code));
  // Of a search that looked at a part of all links, more may have been found further down.
  const isLowerBound = Boolean(next) && isBound(answer);
  set({
    rows: merged,
    next,
    total: isLowerBound ? Math.max(answer.total, merged.length) : answer.total,
    isLowerBound,
  });
}

// insert puts a link that was just created at the top.
export function insert(link) {
  const { rows, total, query, pinned, loaded } = list.get();
  const fresh = link.short_code;
  if (key(query) !== key(nothing.query)) return set({ pinned: [link, ...pinned], fresh });
  if (!loaded) return set({ fresh }); // it will be on the first page
  codes.add(fresh);
  const others = rows.filter((row) => row.short_code !== fresh);
  set({ rows: [link, ...others], fresh, total: total + 1 - (rows.length - others.length) });
}

// rowOf returns what the list knows of a link.
export function rowOf(code) {
  const { rows, pinned } = list.get();
  return [...pinned, ...rows].find((row) => row.short_code === code);
}

// replace has the list show what became of a link. It stays where it is, also when it is no longer
// what was looked for.
export function replace(link) {
  const swap = (rows) => (rows.some((row) => row.short_code === link.short_code)
    ? rows.map((row) => (row.short_code === link.short_code ? link : row)) : rows);
  const { rows, pinned } = list.get();
  set({ rows: swap(rows), pinned: swap(pinned) });
}
