// The selected links, for actions on many at once. The selection lasts as long as its list.
import { store } from "./store.js";

export const maxSelected = 10_000; // what a page can hold and change without losing patience

export const selected = store(new Map()); // rows by code, in order of selection
export const choosing = store(false); // whether rows have a checkbox on touch screens, too
let last = ""; // the previously toggled code

export function clear() {
  selected.set(new Map());
  choosing.set(false);
  last = "";
}

// toggle selects or deselects a link; with range, all links between it and the previous one.
export function toggle(link, rows, range = false) {
  const next = new Map(selected.get()),
    on = !next.has(link.short_code);
  const indexOf = (code) => rows.findIndex((row) => row.short_code === code);
  const here = indexOf(link.short_code),
    before = range && last ? indexOf(last) : here;
  const span = before < 0 ? [link] : rows.slice(Math.min(here, before), Math.max(here, before) + 1);
  for (const row of span) {
    if (!on) next.delete(row.short_code);
    else if (next.size < maxSelected) next.set(row.short_code, row);
  }
  last = link.short_code;
  selected.set(next);
  choosing.set(next.size > 0);
}

// choose selects links, given as a Map by code, in place of others.
export function choose(links) {
  selected.set(links);
  choosing.set(links.size > 0);
}

// renew takes over the current versions of selected links.
export function renew(links) {
  const next = new Map(selected.get());
  for (const link of links) if (next.has(link.short_code)) next.set(link.short_code, link);
  selected.set(next);
}

// rename keeps a link selected that has got another code.
export function rename(before, link) {
  if (!selected.get().has(before)) return;
  const links = [...selected.get().values()];
  const next = links.map((row) => (row.short_code === before ? link : row));
  selected.set(new Map(next.map((row) => [row.short_code, row])));
}

// toggleAll selects all loaded rows, or none.
export function toggleAll(rows) {
  if (selected.get().size >= Math.min(rows.length, maxSelected)) return clear();
  selected.set(new Map(rows.slice(0, maxSelected).map((row) => [row.short_code, row])));
  choosing.set(true);
}
