// A delete can be undone for ten seconds; only then does the request go to the server. Deletes
// within that time of each other wait together, and can be undone together.
import { leftElsewhere, sendLast, session } from "./api.js";
import { keyOf } from "./format.js";
import { of, reach } from "./me.js";
import { operate } from "./operations.js";
import { store } from "./store.js";
import { sentence } from "./transport.js";
import { tell } from "./ui.js";

const graceMs = 10e3;
// links that wait or are being deleted: the API's operations at a time, and within the 64 KiB that
// browsers send for a page that goes away
const maxDeletes = 1000;

export const waiting = store([]); // deleted links that can be restored, oldest first
export const failed = store(null); // of the last deletes that the server refused
const sending = new Map(); // links whose deletion is being, or will be, requested, by key
// keys of what is deleted for good: an older answer must not bring them back
const gone = new Set();
let timer = 0;
let flushed = Promise.resolve(); // resolves once the server has answered everything

export const isDeleted = (key) =>
  gone.has(key) || waiting.get().some((link) => keyOf(link) === key);

// remove deletes a link, or returns false if too many are waiting.
export function remove(link) {
  if (isDeleted(keyOf(link))) return true;
  if (waiting.get().length + sending.size >= maxDeletes) return false;
  failed.set(null);
  waiting.set([...waiting.get(), link]);
  clearTimeout(timer);
  timer = setTimeout(flush, graceMs);
  return true;
}

export const undo = () => keep(waiting.get().slice(0, -1));
export const undoAll = () => keep([]);

function keep(links) {
  waiting.set(links);
  tell("Restored");
}

// flush sends all waiting deletes, and resolves once the server has answered these and earlier
// ones.
export function flush() {
  clearTimeout(timer);
  flushed = Promise.all([flushed, askFor(takeAll())]).then(() => {});
  return flushed;
}

async function askFor(links) {
  if (!links.length) return;
  const keys = links.map(keyOf);
  let done = 0;
  const take = (results) => {
    const refused = results
      .map((result, i) => ({ key: keys[done + i], ...result }))
      .filter(({ status }) => status >= 300 && status !== 404); // 404: somebody else was faster
    done += results.length;
    if (refused.length)
      restore(
        refused.map(({ key }) => key),
        sentence(refused[0].error),
      );
  };
  try {
    await operate(body(links).operations, take, {
      outlastsSession: false,
      owner: ownerOf(links),
    });
  } catch (error) {
    restore(keys.slice(done), error.message);
  } finally {
    for (const key of keys) sending.delete(key);
  }
}

function restore(keys, message) {
  for (const key of keys) gone.delete(key);
  fail(keys, message);
}

const fail = (keys, message) =>
  failed.set({ keys: [...(failed.get()?.keys ?? []), ...keys], message });

// Nothing is deleted in the name of the next user: if somebody signs out in another tab, waiting
// deletes are dropped.
session.watch((state) => {
  if (state !== "left" || !waiting.get().length) return;
  clearTimeout(timer);
  const keys = waiting.get().map(keyOf);
  waiting.set([]);
  fail(keys, leftElsewhere);
});

function takeAll() {
  const links = waiting.get();
  for (const link of links) {
    gone.add(keyOf(link));
    sending.set(keyOf(link), link);
  }
  waiting.set([]);
  return links;
}

// ownerOf returns the owner to name in a request about links. Any of others' needs it.
const ownerOf = (links) => links.map(reach).find(Boolean) ?? "";

const body = (links) => ({
  operations: links.map(({ short_code, domain }) => ({ op: "delete", short_code, domain })),
});

// A key may be reused.
export const created = (link) => gone.delete(keyOf(link));

addEventListener("pagehide", () => {
  clearTimeout(timer);
  takeAll();
  if (!sending.size) return;
  sendLast("POST", of("/api/bulk", ownerOf([...sending.values()])), body([...sending.values()]));
});
