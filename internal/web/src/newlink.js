// What is being made into links. It survives a visit to another page.
import { store } from "./store.js";

const key = "terse-draft"; // in this tab's storage

// The URL in the field, and the form below it: a draft without the destination, null until it has
// been loaded. isOpen is set once the reader opens or changes the form. copied says which link it
// is a copy of, see duplicate.js: {of, url, left}.
const nothing = { url: "", options: null, isOpen: false, copied: null };
export const draft = store(kept());
export const edit = (change) => draft.set({ ...draft.get(), ...change });
export const empty = () => draft.set(nothing);

// keep has the draft outlast the way to the provider and back, but for a password in it.
export function keep() {
  const { options } = draft.get();
  if (draft.get() === nothing) return;
  try {
    const kept = { ...draft.get(), options: options && { ...options, password: null } };
    sessionStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // Storage is switched off: it is lost.
  }
}

function kept() {
  try {
    const text = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    return text ? { ...nothing, ...JSON.parse(text) } : nothing;
  } catch {
    return nothing;
  }
}

// Why the URL can't become a link, "" while nothing is known.
export const refusal = store("");

// null, or the lines of a list that is being made into links, as bulk.js has them.
export const batch = store(null);
