// A link as the API has it: asked for, changed, and changed back.
import { request } from "./api.js";
import { replace } from "./list.js";
import { store } from "./store.js";

const path = (code) => `/api/urls/${encodeURIComponent(code)}`;
const grace = 10e3; // in which a change can be undone

export const load = (code, signal) => request("GET", path(code), { signal });

// The link whose page is open, as it was last heard of.
export const opened = store(null);
// {code, undo} of the last change. undo is null for what can't be had back.
export const saved = store(null);
let timer = 0;

// save changes fields of a link, and returns it. It fails with status 412 when the link is not what
// the reader saw.
export async function save(link, fields) {
  const after = await patch(link, fields);
  clearTimeout(timer);
  saved.set({ code: link.short_code, undo: undoing(link, fields, after) });
  timer = setTimeout(() => saved.set(null), grace);
  return after;
}

async function patch(link, fields) {
  const headers = link.etag ? { "If-Match": link.etag } : {};
  const after = await request("PATCH", path(link.short_code), { body: fields, headers });
  replace(after);
  if (opened.get()?.short_code === after.short_code) opened.set(after);
  return after;
}

// undoing returns what changes the fields back. A password that was there is not known, and what a
// limit had used is forgotten with the limit.
function undoing(before, fields, after) {
  if ("password" in fields && before.password || fields.max_clicks === null) return null;
  const old = Object.fromEntries(Object.keys(fields).map((name) => [name, before[name] ?? null]));
  return async () => {
    saved.set(null);
    await patch(after, old);
  };
}

// hasEnded reports whether a link leads nowhere any more, as the API's find_existing has it.
export const hasEnded = ({ status }) => ["expired", "used_up", "disabled"].includes(status);

export const states = { scheduled: "Scheduled", expired: "Ended", used_up: "Used up",
  disabled: "Disabled" };
