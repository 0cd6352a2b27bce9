// The client of the server's API for a signed-in user. session tells the whole page whether
// somebody is signed in.
import { basePath, urlOf } from "./format.js";
import { store } from "./store.js";
import { Failure, answer, send } from "./transport.js";

// Servers below other paths of this host have sessions of their own.
const key = `terse-session${basePath}`;

// "unknown", "in", "out", or "left" when somebody signed out
export const session = store(remembered() === "out" ? "left" : "unknown");

// A shorter token may be guessed, as the server's log says, too.
export const minTokenChars = 16;

// Whether this browser is signed in with a token that is too short.
export const shortToken = store(remembered() === "short");

// Whether this browser is signed in is remembered ("in", "short" or "out"), because a page can't
// see its cookie, and a request that is bound to fail shows up as an error on the console. What was
// never signed in asks for nothing either. first.js reads it, too.
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

// Pages in other tabs share the session, and are notified when it begins or ends.
const tabs = new BroadcastChannel(key);
tabs.onmessage = ({ data }) => {
  shortToken.set(data === "short");
  session.set(data === "out" ? "left" : "in");
};

// request returns the decoded answer, undefined for an empty one. Without a session it waits for
// one and sends the request again; the caller need not know. If outlastsSession is false, it fails
// on sign-out.
export async function request(
  method,
  path,
  { body, headers, signal, outlastsSession = true } = {},
) {
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
  session.set("in");
  tabs.postMessage(state);
}

export async function signOut() {
  await answer(await send("DELETE", "/ui/session"));
  remember("out");
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
