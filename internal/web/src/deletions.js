// A delete can be undone for ten seconds; only then does the request go to the server. Deletes
// within that time of each other wait together, and can be undone together.
import { leftElsewhere, sendLast, session } from "./api.js";
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
const sending = new Map(); // links whose deletion is being, or will be, requested, by code
const gone = new Set(); // deleted for good: an older answer must not bring them back
let timer = 0;
let flushed = Promise.resolve(); // resolves once the server has answered everything

export const isDeleted = (code) =>
  gone.has(code) || waiting.get().some((link) => link.short_code === code);

// remove deletes a link, or returns false if too many are waiting.
export function remove(link) {
  if (isDeleted(link.short_code)) return true;
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
  const codes = links.map((link) => link.short_code);
  let done = 0;
  const take = (results) => {
    const refused = results
      .map((result, i) => ({ code: codes[done + i], ...result }))
      .filter(({ status }) => status >= 300 && status !== 404); // 404: somebody else was faster
    done += results.length;
    if (refused.length)
      restore(
        refused.map(({ code }) => code),
        sentence(refused[0].error),
      );
  };
  try {
    await operate(body(codes).operations, take, {
      outlastsSession: false,
      owner: ownerOf(links),
    });
  } catch (error) {
    restore(codes.slice(done), error.message);
  } finally {
    for (const code of codes) sending.delete(code);
  }
}

function restore(codes, message) {
  for (const code of codes) gone.delete(code);
  fail(codes, message);
}

const fail = (codes, message) =>
  failed.set({ codes: [...(failed.get()?.codes ?? []), ...codes], message });

// Nothing is deleted in the name of the next user: if somebody signs out in another tab, waiting
// deletes are dropped.
session.watch((state) => {
  if (state !== "left" || !waiting.get().length) return;
  clearTimeout(timer);
  const codes = waiting.get().map((link) => link.short_code);
  waiting.set([]);
  fail(codes, leftElsewhere);
});

function takeAll() {
  const links = waiting.get();
  for (const link of links) {
    gone.add(link.short_code);
    sending.set(link.short_code, link);
  }
  waiting.set([]);
  return links;
}

// ownerOf returns the owner to name in a request about links. Any of others' needs it.
const ownerOf = (links) => links.map(reach).find(Boolean) ?? "";

const body = (codes) => ({ operations: codes.map((code) => ({ op: "delete", short_code: code })) });

// A code may be reused.
export const created = (code) => gone.delete(code);

addEventListener("pagehide", () => {
  clearTimeout(timer);
  takeAll();
  if (!sending.size) return;
  sendLast("POST", of("/api/bulk", ownerOf([...sending.values()])), body([...sending.keys()]));
});
