// The client of the server's API. It keeps two things that the whole page shows: whether the server
// can be reached, and whether somebody is signed in.
import { store } from "./store.js";

// "up", "down", or "offline" when the device itself has no network
export const connection = store("up");
// "unknown", "in", "out", or "left" when somebody signed out
export const session = store(remembered() === "out" ? "left" : "unknown");

// Whether this browser is signed in is remembered, because a page can't see its cookie, and a
// request that is bound to fail shows up as an error on the console. first.js looks at it, too.
function remembered() {
  try {
    return localStorage.getItem("terse-session");
  } catch {
    return null; // storage is switched off
  }
}

function remember(state) {
  try {
    localStorage.setItem("terse-session", state);
  } catch {
    // The next page asks the server.
  }
}

// Pages in other tabs share the session, and hear when it begins or ends.
const tabs = new BroadcastChannel("terse-session");
tabs.onmessage = ({ data }) => session.set(data === "in" ? "in" : "left");

// Failure is an answer that is not a success; its status is 0 when there was none.
export class Failure extends Error {
  constructor(status, message, retryAfter) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter; // seconds, when the server said so
  }
}

export const aborted = (error) => error?.name === "AbortError";

// request returns the decoded answer, undefined for an empty one. Without a session a request waits
// until there is one, and is then sent again; its caller need not know. One that is not to outlast
// the session fails at a sign-out.
export async function request(method, path,
  { body, headers, signal, outlastsSession = true } = {}) {
  for (;;) {
    if (session.get() === "left") await signedIn(signal, outlastsSession);
    const response = await send(method, path, { body, headers, signal });
    if (response.status !== 401) {
      if (session.get() !== "left") session.set("in");
      return answer(response);
    }
    remember("out");
    if (session.get() !== "left") session.set("out");
    await signedIn(signal, outlastsSession);
  }
}

// early returns the answer to a request that the page sent before there was a script, once.
function early(method, path) {
  const { early: sent } = globalThis;
  if (method !== "GET" || sent?.path !== path) return undefined;
  globalThis.early = undefined;
  return sent.answer;
}

export const leftElsewhere = "You signed out in another tab.";
const unreachable = "Can't reach the server.";

async function send(method, path, { body, headers: more, signal, keepalive }) {
  const headers = { Accept: "application/json", ...more };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await (early(method, path) ?? fetch(path,
      { method, headers, body: body && JSON.stringify(body), signal, keepalive, cache: "no-store",
        credentials: "same-origin" }));
    signal?.throwIfAborted(); // which an early one does not know
  } catch (error) {
    if (aborted(error)) throw error;
    lost();
    throw new Failure(0, unreachable);
  }
  // a proxy that misses the server behind it
  if (response.status >= 502 && response.status <= 504) {
    lost();
    throw new Failure(0, unreachable);
  }
  connection.set("up");
  return response;
}

async function answer(response) {
  if (response.status === 204) return undefined;
  let decoded;
  try {
    decoded = await response.json();
  } catch (error) {
    if (aborted(error)) throw error;
    throw new Failure(response.status, "Unexpected response from the server.");
  }
  if (response.ok) {
    const etag = response.headers.get("ETag"); // of a link: its version
    if (etag) decoded.etag = etag;
    return decoded;
  }
  const wait = Number(response.headers.get("Retry-After"));
  throw new Failure(response.status, sentence(decoded.error ?? response.statusText, wait),
    wait || undefined);
}

// sentence is an error of the API as the page says it.
export function sentence(message, wait = 0) {
  if (wait > 0) return `Too many requests. Wait ${wait} s and try again.`;
  message = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(message) ? message : message + ".";
}

function signedIn(signal, outlastsSession) {
  return new Promise((resolve, reject) => {
    const look = (value) => {
      if (value === "in") end(resolve);
      else if (value === "left" && !outlastsSession) end(() =>
        reject(new Failure(401, leftElsewhere)));
    };
    const stop = session.watch(look);
    const abort = () => end(() => reject(signal.reason));
    const end = (settle) => {
      stop();
      signal?.removeEventListener("abort", abort);
      settle();
    };
    if (signal?.aborted) return abort();
    signal?.addEventListener("abort", abort);
    look(session.get());
  });
}

export async function signIn(token) {
  const response = await send("POST", "/ui/session", { body: { token } });
  await answer(response);
  remember("in");
  session.set("in");
  tabs.postMessage("in");
}

export async function signOut() {
  await answer(await send("DELETE", "/ui/session", {}));
  remember("out");
  tabs.postMessage("out");
}

// sendLast sends what has to arrive although the page is going away.
export function sendLast(method, path, body) {
  fetch(path, { method, body: body && JSON.stringify(body), keepalive: true,
    headers: { "Content-Type": "application/json" }, credentials: "same-origin" }).catch(() => {});
}

// While the server can't be reached, it is asked whether it is back.
let asking = 0;

function lost() {
  connection.set(navigator.onLine ? "down" : "offline");
  if (asking) return;
  asking = setTimeout(async () => {
    asking = 0;
    try {
      const response = await fetch("/health", { cache: "no-store" });
      if (response.ok) return connection.set("up");
    } catch {
      // Still away.
    }
    lost();
  }, 2000);
}

addEventListener("offline", lost);
