// A delete can be undone for ten seconds; only then is the server asked. Deletes that follow each
// other within that time wait together, and can be undone together.
import { leftElsewhere, request, sendLast, session } from "./api.js";
import { store } from "./store.js";

const grace = 10e3;
const most = 200; // links that wait: Chromium lets a page that goes away send 256 requests
const abreast = 4; // requests at a time

export const waiting = store([]); // deleted links that can still be had back, the oldest first
export const failed = store(null); // {codes, message} of the last that the server refused
const sending = new Set(); // codes that the server is asked to delete, or will be
const gone = new Set(); // deleted for good: an older answer must not bring them back
let timer = 0;
let settled = Promise.resolve(); // once the server has answered for all that it was asked

export const isDeleted = (code) =>
  gone.has(code) || waiting.get().some((link) => link.short_code === code);

const path = (code) => `/api/urls/${encodeURIComponent(code)}`;

// remove reports false when too many wait already.
export function remove(link) {
  if (isDeleted(link.short_code)) return true;
  if (waiting.get().length >= most) return false;
  failed.set(null);
  waiting.set([...waiting.get(), link]);
  clearTimeout(timer);
  timer = setTimeout(settle, grace);
  return true;
}

export const undo = () => waiting.set(waiting.get().slice(0, -1));
export const undoAll = () => waiting.set([]);

// settle asks the server for all deletes that wait, and returns when it has answered for these and
// for earlier ones.
export function settle() {
  clearTimeout(timer);
  settled = Promise.all([settled, askFor(takeAll())]).then(() => {});
  return settled;
}

async function askFor(codes) {
  const refused = [];
  const work = async () => {
    for (let code; (code = codes.shift());) {
      const problem = await finish(code);
      if (problem) refused.push([code, problem]);
    }
  };
  await Promise.all(Array.from({ length: abreast }, work));
  if (refused.length) fail(refused.map(([code]) => code), refused[0][1].message);
}

const fail = (codes, message) =>
  failed.set({ codes: [...(failed.get()?.codes ?? []), ...codes], message });

// Nothing is deleted in the name of the next to sign in: what waits when somebody signs out in
// another tab stays.
session.watch((state) => {
  if (state !== "left" || !waiting.get().length) return;
  clearTimeout(timer);
  const codes = waiting.get().map((link) => link.short_code);
  waiting.set([]);
  fail(codes, leftElsewhere);
});

function takeAll() {
  const codes = waiting.get().map((link) => link.short_code);
  for (const code of codes) {
    gone.add(code);
    sending.add(code);
  }
  waiting.set([]);
  return codes;
}

// finish returns the error that keeps a link from being deleted, if there is one.
async function finish(code) {
  try {
    for (;;) {
      try {
        return void (await request("DELETE", path(code), { outlastsSession: false }));
      } catch (error) {
        if (error.status === 404) return undefined; // somebody else was faster
        if (error.status !== 429) throw error;
        await new Promise((resolve) => setTimeout(resolve, 1000 * (error.retryAfter ?? 10)));
      }
    }
  } catch (error) {
    gone.delete(code);
    return error;
  } finally {
    sending.delete(code);
  }
}

// A code may be chosen again.
export const created = (code) => gone.delete(code);

addEventListener("pagehide", () => {
  clearTimeout(timer);
  takeAll();
  for (const code of sending) sendLast("DELETE", path(code));
});
