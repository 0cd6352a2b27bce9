// The client of the server's API for a signed-in user. session tells the whole page whether
// somebody is signed in.
import { basePath, provider, urlOf } from "./format.js";
import { forget, know, me } from "./me.js";
import { address, go, place } from "./router.js";
import { store } from "./store.js";
import { Failure, answer, send } from "./transport.js";

// Servers below other paths of this host have sessions of their own.
const key = `terse-session${basePath}`;

// "unknown", "in", "out", or "left" when somebody signed out
export const session = store(remembered() === "out" ? "left" : "unknown");

// Whether the page has just come back from the provider, with a session or without one.
export const isBack = remembered() === "asked";

// A shorter token may be guessed, as the server's log says, too.
export const minTokenChars = 16;

// Whether this browser is signed in with a token that is too short.
export const shortToken = store(remembered() === "short");

// Why the last session ended, in words; "" if it just did.
export const ended = store("");

// Whether this browser is signed in is remembered ("in", "short", "out", or "asked" on the way to
// the provider and back), because a page can't see its cookie, and a request that is bound to fail
// shows up as an error on the console. What was never signed in asks for nothing either. first.js
// reads it, too.
function remembered() {
  try {
    return localStorage.getItem(key) ?? "out";
  } catch {
    return null; // storage is switched off: the server is asked
  }
}

function remember(state) {
  shortToken.set(state === "short");
  try {
    localStorage.setItem(key, state);
  } catch {
    // The next page asks the server.
  }
}

// learnMe asks who is signed in, and reports whether somebody is. It does not wait for a session.
export async function learnMe() {
  try {
    const { identity, role, token } = await answer(await send("GET", "/api/me"));
    const others = identity === me.get().identity && me.get().others;
    know({ identity, role, byToken: Boolean(token), others });
    return true;
  } catch {
    return false; // the next page asks again
  }
}

// Pages in other tabs share the session, and are notified when it begins or ends.
const tabs = new BroadcastChannel(key);
tabs.onmessage = ({ data }) => {
  shortToken.set(data === "short");
  if (data === "out") forget();
  else learnMe();
  session.set(data === "out" ? "left" : "in");
};

// Whether somebody has just signed out in this tab.
const leftHere = "terse-left";

function hasLeft(value) {
  try {
    if (value === true) sessionStorage.setItem(leftHere, "1");
    if (value === false) sessionStorage.removeItem(leftHere);
    return sessionStorage.getItem(leftHere) !== null;
  } catch {
    return true; // nothing would stop the page from going round in a circle
  }
}

// Where the provider is the way in, the page leads there by itself once: not if it has just come
// back, not after signing out, and not where somebody asks for the field for a token.
let goesByItself = provider.isAutomatic && !isBack && !hasLeft() && !place.get().query.has("token");

// lookForSession finds a session that began where this page could not hear of it: a provider has
// pages that lead to the sign-in, too.
export async function lookForSession() {
  if (!provider.name || hasLeft() || session.get() !== "left") return;
  if (!(await learnMe()) || session.get() !== "left") return;
  remember("in");
  session.set("in");
}

// The address that the provider leads back to. The server takes none that is longer than maxNext
// bytes, as oidc.go says: a longer one, of a filled-in form, waits in this tab's storage.
const maxNext = 1024;
const longKey = "terse-place";

function wanted() {
  const { path, query } = place.get();
  const kept = new URLSearchParams(query);
  kept.delete("token");
  return kept.size ? `${path}?${kept}` : path;
}

// leaving notes that the page is about to lead to the provider, which leads back to it.
export function leaving() {
  remember("asked");
  if (wanted().length <= maxNext) return;
  try {
    sessionStorage.setItem(longKey, wanted());
  } catch {
    // Storage is switched off: it leads back to the list.
  }
}

export const signInPath = () =>
  address("/ui/oidc/login", { next: wanted().length > maxNext ? "/ui/" : wanted() });

// comeBack goes on to the long address. Who comes here another way does not want it any more.
function comeBack() {
  try {
    const long = sessionStorage.getItem(longKey);
    sessionStorage.removeItem(longKey);
    const { path, query } = place.get();
    if (long && isBack && path === "/ui/" && !query.size) go(long, { replace: true });
  } catch {
    // As above.
  }
}
comeBack();

// goToProvider leads to the provider, if that is what the page does by itself.
let isGoing = false;

export function goToProvider() {
  if (isGoing || !goesByItself) return isGoing;
  isGoing = true;
  leaving();
  location.replace(urlOf(signInPath()));
  // who comes back by the browser's button finds the page as it was left
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  return true;
}

// adopt adopts the session that a request has just proved.
function adopt() {
  goesByItself = false;
  if (remembered() === "asked") {
    remember("in");
    hasLeft(false);
    tabs.postMessage("in");
  }
  ended.set("");
  session.set("in");
}

const reasons = {
  "account disabled": "Your account is disabled.",
  "token expired": "The token that you signed in with has expired.",
};

// reasonOf returns why a session ended, if the server says so.
async function reasonOf(response) {
  try {
    const { error } = await response.json();
    return Object.entries(reasons).find(([words]) => error.endsWith(words))?.[1] ?? "";
  } catch {
    return "";
  }
}

// request returns the decoded answer, undefined for an empty one, as respond gets it.
export const request = async (method, path, options) =>
  answer(await respond(method, path, options));

// respond returns the response, of any status but 401. Without a session it waits for one and sends
// the request then, or again; the caller need not know. If outlastsSession is false, it fails on
// sign-out.
export async function respond(
  method,
  path,
  { body, headers, signal, outlastsSession = true } = {},
) {
  for (;;) {
    if (isOut()) await signedIn(signal, outlastsSession);
    const response = await send(method, path, { body, headers, signal });
    if (response.status !== 401) {
      if (session.get() !== "left") adopt();
      if (response.status === 403 && me.get().identity) learnMe(); // the role may be another now
      return response;
    }
    const reason = await reasonOf(response);
    if (session.get() === "unknown" && goToProvider()) return new Promise(() => {});
    remember("out");
    ended.set(reason);
    if (session.get() !== "left") session.set("out");
    await signedIn(signal, outlastsSession);
  }
}

// isOut reports whether it is known that there is no session: then a request would be refused.
const isOut = () => session.get() === "left" || session.get() === "out";

export const leftElsewhere = "You signed out in another tab.";

function signedIn(signal, outlastsSession) {
  return new Promise((resolve, reject) => {
    const look = (value) => {
      if (value === "in") end(resolve);
      else if (value === "left" && !outlastsSession)
        end(() => reject(new Failure(401, leftElsewhere)));
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
  const state = token.length < minTokenChars ? "short" : "in";
  remember(state);
  hasLeft(false);
  forget(); // it may be somebody else
  await learnMe();
  ended.set("");
  session.set("in");
  tabs.postMessage(state);
}

export async function signOut() {
  await answer(await send("DELETE", "/ui/session"));
  remember("out");
  hasLeft(true);
  forget();
  tabs.postMessage("out");
}

// sendLast sends a request that must arrive although the page is going away.
export function sendLast(method, path, body) {
  fetch(urlOf(path), {
    method,
    body: body && JSON.stringify(body),
    keepalive: true,
    headers: { "Content-Type": "application/json" },
    credentials: "same-origin",
  }).catch(() => {});
}
