// The selected links, for actions on many at once. The selection lasts as long as its list.
import { keyOf } from "./format.js";
import { store } from "./store.js";

export const maxSelected = 10_000; // what a page can hold and change without losing patience

export const selected = store(new Map()); // rows by key, in order of selection
export const choosing = store(false); // whether rows have a checkbox on touch screens, too
let last = ""; // the key of what was toggled before

export function clear() {
  selected.set(new Map());
  choosing.set(false);
  last = "";
}

// toggle selects or deselects a link; with range, all links between it and the previous one.
export function toggle(link, rows, range = false) {
  const next = new Map(selected.get()),
    on = !next.has(keyOf(link));
  const indexOf = (key) => rows.findIndex((row) => keyOf(row) === key);
  const here = indexOf(keyOf(link)),
    before = range && last ? indexOf(last) : here;
  const span = before < 0 ? [link] : rows.slice(Math.min(here, before), Math.max(here, before) + 1);
  for (const row of span) {
    if (!on) next.delete(keyOf(row));
    else if (next.size < maxSelected) next.set(keyOf(row), row);
  }
  last = keyOf(link);
  selected.set(next);
  choosing.set(next.size > 0);
}

// choose selects links, given as a Map by key, in place of others.
export function choose(links) {
  selected.set(links);
  choosing.set(links.size > 0);
}

// renew takes over the current versions of selected links.
export function renew(links) {
  const next = new Map(selected.get());
  for (const link of links) if (next.has(keyOf(link))) next.set(keyOf(link), link);
  selected.set(next);
}

// rename keeps a link selected that has got another code.
export function rename(before, link) {
  if (!selected.get().has(before)) return;
  const links = [...selected.get().values()];
  const next = links.map((row) => (keyOf(row) === before ? link : row));
  selected.set(new Map(next.map((row) => [keyOf(row), row])));
}

// toggleAll selects all loaded rows, or none.
export function toggleAll(rows) {
  if (selected.get().size >= Math.min(rows.length, maxSelected)) return clear();
  selected.set(new Map(rows.slice(0, maxSelected).map((row) => [keyOf(row), row])));
  choosing.set(true);
}
