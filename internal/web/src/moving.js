// What leads to the page that imports and exports links.
import { go } from "./router.js";
import { store } from "./store.js";

// The file that is on its way there, or null.
export const given = store(null);

export function importFile(file) {
  given.set(file);
  go("/ui/move");
}
