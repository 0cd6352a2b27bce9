// The loaded part of the list of links. It outlives its page, so the reader finds it unchanged on
// returning.
import { request } from "./api.js";
import { keyOf } from "./format.js";
import { renew } from "./recent.js";
import { address } from "./router.js";
import { store } from "./store.js";
import { aborted } from "./transport.js";

const pageSize = 100;
const maxRows = 100_000; // rows kept; search or sort to find others
const maxEmptyPages = 20; // pages without a match in a row, before the reader is asked

// phase: "loading" (the first page), "more" (another one), "ready", "paused" (nothing found so
// far), "error". pinned are links created while a search or another order was on: they have no
// place among the rows.
const nothing = {
  query: {
    search: "",
    sort: "newest",
    tag: [],
    status: "",
    unused_since: "",
    archived: "", // "": links that are not archived; "true": only those that are; "all"
    bots: false,
    domain: "",
    owner: "",
  },
  rows: [],
  bots: false, // whether the rows' clicks are counted with bots
  which: "", // whether the rows are archived, as in the query
  period: "", // whose clicks the rows have: "24h", "7d" or "30d"; "": of all time
  pinned: [],
  aside: { total: 0 }, // of an answer without links: how many archived ones there are
  fresh: "",
  total: 0,
  isLowerBound: false,
  next: "",
  phase: "loading",
  error: null,
  loaded: false,
};

export const list = store(nothing);
export const isFull = (state) => state.rows.length >= maxRows;
export const scroll = { y: 0 }; // scroll position
// the last list, and the key of the link opened from it
export const left = { path: "/ui/", key: "" };
let controller = new AbortController();
let keys = new Set(); // of rows: a link whose clicks changed between two pages may be on both

const set = (change) => list.set({ ...list.get(), ...change });

const key = (query) => JSON.stringify(query);

// isOpen reports whether the list shows a query's result.
export const isOpen = (query) => list.get().loaded && key(list.get().query) === key(query);

// belongs reports whether the rows have a link, as far as the archive goes.
export const belongs = ({ archived }, { which } = list.get()) =>
  which === "all" || Boolean(archived) === Boolean(which);

// open loads the result of a query: {search, sort, tag, status, unused_since, archived, bots,
// domain, owner}. The old rows stay until the answer arrives.
export function open(query) {
  const isOther = key(list.get().query) !== key(query);
  if (isOther) scroll.y = 0;
  set({ query, phase: "loading", error: null, ...(isOther && { pinned: [] }) });
  renew();
  load("");
}

// more loads the next page, if there is one and nothing is loading.
export function more() {
  const { phase, next } = list.get();
  if (phase === "loading" || phase === "more" || !next || isFull(list.get())) return;
  set({ phase: "more", error: null });
  load(next);
}

// all returns the links of the current query by key, at most the first n, loaded or not.
export async function all(n) {
  const { query } = list.get(),
    found = new Map();
  let cursor = "";
  do {
    const { urls, next_cursor: next = "" } = await request("GET", page(query, cursor));
    for (const link of urls) if (found.size < n) found.set(keyOf(link), link);
    cursor = next;
  } while (cursor && found.size < n);
  return found;
}

export const retry = () => (list.get().next ? more() : open(list.get().query));

// page returns the API's path of a page. A sort may include a period: "clicks-7d".
function page({ bots, archived, ...query }, cursor) {
  const [sort, period = ""] = query.sort.split("-");
  return address("/api/urls", {
    limit: pageSize,
    ...query,
    sort,
    period,
    people: !bots && "true",
    archived: archived === "all" ? "" : archived || "false",
    cursor,
  });
}

async function load(cursor) {
  controller.abort();
  const { signal } = (controller = new AbortController());
  try {
    for (let i = 0; ; i++) {
      const { query, rows, total } = list.get();
      const answer = await request("GET", page(query, cursor), { signal });
      const isFirst = !cursor && i === 0;
      if (isFirst) keys = new Set();
      const isFresh = (link) => !keys.has(keyOf(link)) && keys.add(keyOf(link));
      const fresh = answer.urls.filter(isFresh);
      const found = isFirst ? fresh : rows.concat(fresh);
      cursor = answer.next_cursor ?? "";
      // A search examines a bounded number of links per request: a page without a match may not be
      // the last.
      const goOn = cursor !== "" && answer.urls.length === 0;
      let { aside } = nothing;
      if (!found.length && !goOn && !query.archived)
        aside = await request("GET", page({ ...query, archived: "true" }, ""), { signal });
      const phase = !goOn ? "ready" : i + 1 < maxEmptyPages ? "more" : "paused";
      set({
        rows: found,
        bots: query.bots,
        which: query.archived,
        period: query.sort.split("-")[1] ?? "",
        next: cursor,
        total: isFirst || query.search ? answer.total : total,
        isLowerBound: isBound(answer),
        phase,
        aside,
        loaded: true,
      });
      if (phase !== "more") return;
    }
  } catch (error) {
    if (!aborted(error)) set({ phase: "error", error });
  }
}

const isBound = (answer) => Boolean(answer.total_at_least);

// refresh reloads the first page and adopts its changes; rows further down stay.
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
    // Keep the rows.
  } finally {
    refreshing = false;
  }
}

function take(answer) {
  const { rows, query } = list.get();
  const end = answer.urls.at(-1);
  if (!end && answer.next_cursor) return; // a search without a match so far
  const isTop = new Set(answer.urls.map(keyOf));
  const at = answer.next_cursor ? rows.findIndex((row) => keyOf(row) === keyOf(end)) : -1;
  if (at < 0 && answer.next_cursor && scroll.y > 0) return; // too many new rows
  let next = answer.next_cursor ?? "",
    merged = answer.urls;
  if (at >= 0) {
    next = list.get().next;
    // Rows that left the page were either deleted or overtaken.
    const fell = (row, i) =>
      i > at ||
      (query.sort === "clicks" && row.click_count <= end.click_count) ||
      query.sort.startsWith("clicks-"); // clicks within the period are not known here
    const others = rows.filter((row, i) => !isTop.has(keyOf(row)) && fell(row, i));
    merged = answer.urls.concat(others);
  }
  keys = new Set(merged.map(keyOf));
  // Links that were archived here meanwhile stay, so that this can be undone.
  const kept = merged.filter((row) => !belongs(row)).length;
  // If a search examined only a part of the links, it may have found more further down.
  const isLowerBound = Boolean(next) && isBound(answer);
  set({
    rows: merged,
    next,
    total: (isLowerBound ? Math.max(answer.total, merged.length) : answer.total) + kept,
    isLowerBound,
  });
}

// insert adds a new link at the top.
export function insert(made) {
  const link = { people: 0, ...made };
  const { rows, total, query, pinned, loaded } = list.get();
  const fresh = keyOf(link);
  if (key(query) !== key(nothing.query)) return set({ pinned: [link, ...pinned], fresh });
  if (!loaded) return set({ fresh }); // it will be on the first page
  keys.add(fresh);
  const others = rows.filter((row) => keyOf(row) !== fresh);
  set({ rows: [link, ...others], fresh, total: total + 1 - (rows.length - others.length) });
}

// rowOf returns the list's row of the link with a key.
export function rowOf(key) {
  const { rows, pinned } = list.get();
  return [...pinned, ...rows].find((row) => keyOf(row) === key);
}

// replace updates a link's row, which may have had another key. It stays in place, even if it no
// longer matches the query; the page hides it if it does not belong to the list. What is known to
// lists only stays, too.
export function replace(link, before = keyOf(link)) {
  const kept = ({ people, period_clicks, period_people }) => ({
    people,
    period_clicks,
    period_people,
  });
  const swap = (rows) =>
    rows.some((row) => keyOf(row) === before)
      ? rows.map((row) => (keyOf(row) === before ? { ...kept(row), ...link } : row))
      : rows;
  const { rows, pinned } = list.get();
  if (keys.delete(before)) keys.add(keyOf(link));
  if (left.key === before) left.key = keyOf(link);
  set({ rows: swap(rows), pinned: swap(pinned) });
}
