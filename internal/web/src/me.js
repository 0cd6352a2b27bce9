// Who is signed in, what they may do, and whose links a page is about.
import { basePath, isSeveral, lookUp, partsOf } from "./format.js";
import { address, place } from "./router.js";
import { store } from "./store.js";

const key = `terse-me${basePath}`;
export const home = "authenticated-user"; // whom the tokens of the settings stand for
export const everybody = "*"; // stands for every owner

// identity and role are "" until they are known: then the page offers what most may do, and the
// server refuses the rest. byToken means that the session was opened with a named token, and others
// that there are more users, so that "my links" are not all links.
const nobody = { identity: "", role: "", byToken: false, others: false };

export const me = store(remembered());

// What this browser knew last is there at once, so that nothing moves on the page when the answer
// comes. first.js reads it, too.
function remembered() {
  try {
    return { ...nobody, ...JSON.parse(localStorage.getItem(key)) };
  } catch {
    return nobody;
  }
}

export function know(change) {
  const now = { ...me.get(), ...change };
  if (JSON.stringify(now) === JSON.stringify(me.get())) return;
  me.set(now);
  const { role, others } = now;
  Object.assign(document.documentElement.dataset, { role, others: others ? "1" : "" });
  try {
    localStorage.setItem(key, JSON.stringify(now));
  } catch {
    // The next page asks again.
  }
}

export const forget = () => know(nobody);

const is =
  (...roles) =>
  ({ role } = me.get()) =>
    roles.includes(role);

export const isAdmin = is("admin");
// mayEdit reports whether links, at least one's own, can be changed.
export const mayEdit = is("", "editor", "admin");
// mayMove reports whether links can be exported, and perhaps imported.
export const mayMove = is("", "editor", "auditor", "admin");
// readsAll reports whether the links of others can be read.
export const readsAll = is("auditor", "admin");
// seesMissed reports whether the addresses that people missed can be read.
export const seesMissed = is("", "auditor", "admin");
// mayManageTokens reports whether tokens can be made: a token can't make others.
export const mayManageTokens = ({ role, byToken } = me.get()) =>
  role === "admin" || (role !== "" && !byToken);
// seesWebhooks reports whether there can be webhooks to see.
export const seesWebhooks = is("editor", "auditor", "admin");
export const hasSettings = (who = me.get()) =>
  isSeveral || seesWebhooks(who) || mayManageTokens(who);

export const roles = {
  viewer: "Viewer",
  editor: "Editor",
  auditor: "Auditor",
  admin: "Admin",
};
export const roleHints = {
  viewer: "reads links of its own",
  editor: "reads, makes and changes links of its own",
  auditor: "reads everything, changes nothing",
  admin: "does everything",
};
export const roleName = (role) => lookUp(roles, role) ?? role;

// whose returns whose links the page is about: "" means one's own, "*" everybody's.
export const whose = ({ query } = place.get()) => query.get("owner") ?? "";

// isMine reports whether a link is one's own. One that has just been made doesn't say.
export const isMine = ({ created_by: owner }, { identity } = me.get()) =>
  !owner || !identity || owner === identity;

// ownerOf returns the owner of a link, "" for one's own.
export const ownerOf = (link) => (isMine(link) ? "" : link.created_by);

// reach returns the owner that a request about a link has to name, "" for one's own link.
export const reach = (link) =>
  !link || !me.get().identity ? whose() : isMine(link) ? "" : everybody;

// linkPage returns the path of the page of the link with a key.
export function linkPage(key, owner = "") {
  const { domain, code } = partsOf(key);
  return address(`/ui/links/${code}`, { domain, owner: reach({ created_by: owner }) });
}

// apiPath returns the API's path of the link with a key, or of something below it.
export function apiPath(key, below = "") {
  const { domain, code } = partsOf(key);
  return address(`/api/urls/${encodeURIComponent(code)}${below}`, { domain });
}

// of appends an owner to the API's path of something.
export const of = (path, owner) =>
  owner ? `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams({ owner })}` : path;
