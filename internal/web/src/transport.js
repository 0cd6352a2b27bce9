// Requests to the server, with or without a session: sending, decoding, and whether the server can
// be reached.
import { urlOf } from "./format.js";
import { store } from "./store.js";

// "up", "down", or "offline" when the device itself has no network
export const connection = store("up");

// Failure is an unsuccessful answer; its status is 0 if there was none.
export class Failure extends Error {
  constructor(status, message, { retryAfter, field = "" } = {}) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter; // seconds, if the server said so
    this.field = field; // the API's field that it is about; "" for none
  }
}

export const aborted = (error) => error?.name === "AbortError";

// early returns the answer to the request that first.js sent, once.
function early(method, path) {
  const { early: sent } = globalThis;
  if (method !== "GET" || sent?.path !== path) return undefined;
  globalThis.early = undefined;
  return sent.answer;
}

const unreachable = "Can't reach the server.";
// tries while the server is busy, and the longest wait in seconds between them; then the reader is
// told
const maxTries = 5,
  maxWaitSeconds = 10;

// send returns the response of a reachable server. It retries a GET that the server is too busy
// for, when the server says.
export async function send(method, path, options = {}) {
  for (let turn = 1; ; turn++) {
    const response = await sendOnce(method, path, options),
      wait = waitOf(response);
    if (method !== "GET" || response.status !== 503 || wait > maxWaitSeconds || turn === maxTries) {
      return response;
    }
    await sleep(1000 * wait, options.signal);
  }
}

// waitOf returns for how many seconds the server refuses such requests, 0 if it does not say.
const waitOf = ({ status, headers }) =>
  status === 429 || status === 503 ? Number(headers.get("Retry-After")) || 0 : 0;

// sleep ends early, with an error, when the signal aborts.
export const sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, ms);
    signal?.addEventListener("abort", end, { once: true });
  });

async function sendOnce(method, path, { body, headers: more, signal, keepalive }) {
  const headers = { Accept: "application/json", Prefer: "error-field", ...more };
  const isFile = body instanceof Blob; // it is sent as it is, without being read into memory
  if (body !== undefined && !isFile) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await (early(method, path) ??
      fetch(urlOf(path), {
        method,
        headers,
        body: isFile ? body : body && JSON.stringify(body),
        signal,
        keepalive,
        cache: "no-store",
        credentials: "same-origin",
      }));
    signal?.throwIfAborted(); // the early request has no signal
  } catch (error) {
    if (aborted(error)) throw error;
    lost();
    throw new Failure(0, unreachable);
  }
  // A proxy that can't reach the server answers 502 to 504. The server's own 503 says how long it
  // is busy.
  const isBusy = waitOf(response) > 0 && /json/.test(response.headers.get("Content-Type"));
  if (response.status >= 502 && response.status <= 504 && !isBusy) {
    lost();
    throw new Failure(0, unreachable);
  }
  connection.set("up");
  return response;
}

// answer returns the decoded body of a response, or undefined if it is empty.
export async function answer(response) {
  if (response.status === 204) return undefined;
  let decoded;
  try {
    decoded = await response.json();
  } catch (error) {
    if (aborted(error)) throw error;
    throw new Failure(response.status, "Unexpected response from the server.");
  }
  if (response.ok) {
    const etag = response.headers.get("ETag"); // a link's version
    if (etag) decoded.etag = etag;
    return decoded;
  }
  const wait = waitOf(response),
    reason = response.status === 503 ? "The server is busy" : "Too many requests";
  throw new Failure(
    response.status,
    wait > 0
      ? `${reason}. Wait ${wait} s and try again.`
      : sentence(decoded.error ?? response.statusText),
    { retryAfter: wait || undefined, field: response.headers.get("Error-Field") ?? "" },
  );
}

// sentence turns the API's error into a sentence for the page.
export function sentence(message) {
  message = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(message) ? message : message + ".";
}

// An unreachable server is polled until it answers.
let asking = 0;

function lost() {
  connection.set(navigator.onLine ? "down" : "offline");
  if (asking) return;
  asking = setTimeout(async () => {
    asking = 0;
    try {
      const response = await fetch(urlOf("/health"), { cache: "no-store" });
      if (response.ok) return connection.set("up");
    } catch {
      // Still unreachable.
    }
    lost();
  }, 2000);
}

addEventListener("offline", lost);
