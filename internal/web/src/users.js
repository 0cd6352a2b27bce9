// The users, for those who may read the links of all of them.
import { request } from "./api.js";
import { know, me } from "./me.js";
import { store } from "./store.js";

export const users = store(null); // as the API has them; null until they are known

export async function learnUsers({ signal } = {}) {
  const { users: found } = await request("GET", "/api/users", { signal });
  users.set(found);
  know({ others: found.some(({ identity }) => identity !== me.get().identity) });
  return found;
}

// replaceUser takes over an answer about a user.
export const replaceUser = (user) =>
  users.set(users.get()?.map((old) => (old.identity === user.identity ? user : old)) ?? null);

// ownersOf returns users for a Combobox, with the number of their links.
export const ownersOf = (found) =>
  (found ?? []).map(({ identity, links }) => ({ value: identity, count: links }));
