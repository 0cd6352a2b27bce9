// The links that are selected, for what is done with many at once. The selection lasts as long as
// the list that it was made in.
import { store } from "./store.js";

const most = 1000; // operations that the API takes at once

export const selected = store(new Map()); // rows by code, in the order of choosing
export const choosing = store(false); // whether rows have a box to check also for a finger
let last = ""; // the code that was chosen before

export function clear() {
  selected.set(new Map());
  choosing.set(false);
  last = "";
}

// toggle chooses a link or takes it out; with range, all between it and the one before.
export function toggle(link, rows, range = false) {
  const next = new Map(selected.get()), on = !next.has(link.short_code);
  const indexOf = (code) => rows.findIndex((row) => row.short_code === code);
  const here = indexOf(link.short_code), before = range && last ? indexOf(last) : here;
  const span = before < 0 ? [link]
    : rows.slice(Math.min(here, before), Math.max(here, before) + 1);
  for (const row of span) {
    if (!on) next.delete(row.short_code);
    else if (next.size < most) next.set(row.short_code, row);
  }
  last = link.short_code;
  selected.set(next);
  choosing.set(next.size > 0);
}

// toggleAll chooses all rows that are loaded, or none.
export function toggleAll(rows) {
  if (selected.get().size >= Math.min(rows.length, most)) return clear();
  selected.set(new Map(rows.slice(0, most).map((row) => [row.short_code, row])));
  choosing.set(true);
}
