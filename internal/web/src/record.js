// A link from the API: load, change, and undo the change.
import { request } from "./api.js";
import { created } from "./deletions.js";
import { domainOf, keyOf } from "./format.js";
import { replace, rowOf } from "./list.js";
import { apiPath, of, reach } from "./me.js";
import { go, place } from "./router.js";
import { rename } from "./selection.js";
import { store } from "./store.js";

const graceMs = 10e3; // time in which a change can be undone

// The link whose page is open, in its last known version.
export const opened = store(null);

// isOpened reports whether that link has a key.
const isOpened = (key) => opened.get() !== null && keyOf(opened.get()) === key;

export const load = (key, signal) =>
  request("GET", of(apiPath(key), reach(isOpened(key) ? opened.get() : rowOf(key))), { signal });

// {key, text, undo} of the last change, which text describes if it is not "". undo is null if it
// can't be undone.
export const saved = store(null);
let timer = 0;

// The key by which this page first knew a link that has got another one.
const firstKeys = new Map();
export const firstKey = (key) => firstKeys.get(key) ?? key;

// save changes fields of a link, and returns it. It fails with status 412 if the link is not the
// version that the reader saw. text says what was done.
export async function save(link, fields, text = "") {
  const after = await patch(link, fields);
  clearTimeout(timer);
  saved.set({ key: keyOf(after), text, undo: undoing(link, fields, after) });
  timer = setTimeout(() => saved.set(null), graceMs);
  return after;
}

async function patch(link, fields) {
  const headers = link.etag ? { "If-Match": link.etag } : {};
  const before = keyOf(link);
  const after = await request("PATCH", of(apiPath(before), reach(link)), {
    body: fields,
    headers,
  });
  replace(after, before);
  if (isOpened(before)) opened.set(after);
  if (keyOf(after) !== before) move(link, after);
  return after;
}

// move follows a link to its new code.
function move(before, link) {
  const from = keyOf(before);
  created(link); // another link may have had it
  rename(from, link);
  firstKeys.set(keyOf(link), firstKey(from));
  firstKeys.delete(from);
  const { path, query, state } = place.get();
  const pageOf = ({ short_code: code }) => `/ui/links/${code}`;
  if (path === pageOf(before) && domainOf(query.get("domain")) === (link.domain ?? ""))
    go(pageOf(link) + location.search, { replace: true, state });
}

// undoing returns a function that changes the fields back, or null. A former password is not known,
// and removing a click limit loses the number of clicks used. A change of the code changes the
// aliases, too.
function undoing(before, fields, after) {
  if (("password" in fields && before.password) || fields.max_clicks === null) return null;
  if (fields.short_code) fields = { aliases: null, ...fields };
  const old = valuesOf(before, Object.keys(fields));
  return async () => {
    saved.set(null);
    await patch(after, old);
  };
}

// valuesOf returns what a link has in fields of a patch.
export const valuesOf = (link, names) =>
  Object.fromEntries(
    names.map((name) => [name, (name === "owner" ? link.created_by : link[name]) ?? null]),
  );

// hasEnded reports whether a link no longer redirects, as find_existing in the API means it.
export const hasEnded = ({ status }) => ["expired", "used_up", "disabled"].includes(status);

export const states = {
  scheduled: "Scheduled",
  expired: "Ended",
  used_up: "Used up",
  disabled: "Disabled",
};
