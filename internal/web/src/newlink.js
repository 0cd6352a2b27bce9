// What is being made into links. It survives a visit to another page.
import { store } from "./store.js";

// The URL in the field, and the form below it: a draft without the destination, null until it has
// been loaded. isOpen is set once the reader opens or changes the form.
const nothing = { url: "", options: null, isOpen: false };
export const draft = store(nothing);
export const edit = (change) => draft.set({ ...draft.get(), ...change });
export const empty = () => draft.set(nothing);

// Why the URL can't become a link, "" while nothing is known.
export const refusal = store("");

// null, or the lines of a list that is being made into links, as bulk.js has them.
export const batch = store(null);
