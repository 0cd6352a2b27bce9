// A link from the API: load, change, and undo the change.
import { request } from "./api.js";
import { replace } from "./list.js";
import { store } from "./store.js";

const path = (code) => `/api/urls/${encodeURIComponent(code)}`;
const graceMs = 10e3; // time in which a change can be undone

export const load = (code, signal) => request("GET", path(code), { signal });

// The link whose page is open, in its last known version.
export const opened = store(null);
// {code, undo} of the last change. undo is null if it can't be undone.
export const saved = store(null);
let timer = 0;

// save changes fields of a link, and returns it. It fails with status 412 if the link is not the
// version that the reader saw.
export async function save(link, fields) {
  const after = await patch(link, fields);
  clearTimeout(timer);
  saved.set({ code: link.short_code, undo: undoing(link, fields, after) });
  timer = setTimeout(() => saved.set(null), graceMs);
  return after;
}

async function patch(link, fields) {
  const headers = link.etag ? { "If-Match": link.etag } : {};
  const after = await request("PATCH", path(link.short_code), { body: fields, headers });
  replace(after);
  if (opened.get()?.short_code === after.short_code) opened.set(after);
  return after;
}

// undoing returns a function that changes the fields back, or null. A former password is not known,
// and removing a click limit loses the number of clicks used.
function undoing(before, fields, after) {
  if (("password" in fields && before.password) || fields.max_clicks === null) return null;
  const old = Object.fromEntries(Object.keys(fields).map((name) => [name, before[name] ?? null]));
  return async () => {
    saved.set(null);
    await patch(after, old);
  };
}

// hasEnded reports whether a link no longer redirects, as find_existing in the API means it.
export const hasEnded = ({ status }) => ["expired", "used_up", "disabled"].includes(status);

export const states = {
  scheduled: "Scheduled",
  expired: "Ended",
  used_up: "Used up",
  disabled: "Disabled",
};
