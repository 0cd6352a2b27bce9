// Deleting can be undone for ten seconds: only then the server is asked.
import { request, sendLast } from "./api.js";
import { store } from "./store.js";

const grace = 10e3;
const most = 5; // that wait at a time, which is what fits on a phone; one more, and the oldest is not waited for

// What was deleted and can still be had back, the oldest first: {code, link}.
export const waiting = store([]);
export const failed = store(null); // {code, message} of the last that the server refused
const timers = new Map();
const gone = new Set(); // deleted for good while this page is open, so that no older answer brings them back

export const isDeleted = (code) => gone.has(code) || waiting.get().some((d) => d.code === code);

const path = (code) => `/api/urls/${encodeURIComponent(code)}`;

export function remove(link) {
  const code = link.short_code;
  if (isDeleted(code)) return;
  if (waiting.get().length >= most) finish(waiting.get()[0].code);
  failed.set(null);
  timers.set(code, setTimeout(finish, grace, code));
  waiting.set([...waiting.get(), { code, link }]);
}

export function undo(code) {
  clearTimeout(timers.get(code));
  timers.delete(code);
  waiting.set(waiting.get().filter((d) => d.code !== code));
}

async function finish(code) {
  gone.add(code);
  undo(code);
  try {
    await request("DELETE", path(code));
  } catch (error) {
    if (error.status === 404) return; // somebody else was faster
    gone.delete(code);
    failed.set({ code, message: error.message });
  }
}

// settle waits for nothing any longer, but for the server.
export const settle = () => Promise.all(waiting.get().map(({ code }) => finish(code)));

// A code may be chosen again.
export const created = (code) => gone.delete(code);

addEventListener("pagehide", () => {
  for (const { code } of waiting.get()) {
    gone.add(code);
    undo(code);
    sendLast("DELETE", path(code));
  }
});
