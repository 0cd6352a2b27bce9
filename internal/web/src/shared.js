// What is shared: a link, {short_code, domain}, a tag, {tag}, or all links, {overview: true}.
import { baseURL, isGuessed, keyOf, shortOf } from "./format.js";
import { apiPath, isAdmin, mayEdit, of } from "./me.js";

export const sharePath = (what, owner) =>
  of(
    what.short_code
      ? apiPath(keyOf(what), "/share")
      : what.tag
        ? `/api/tags/${encodeURIComponent(what.tag)}/share`
        : "/api/overview/share",
    owner,
  );

// isSame reports whether two are the same thing. The case of a tag doesn't tell it from another.
export const isSame = (a, b) =>
  keyOf(a) === keyOf(b) &&
  a.tag?.toLowerCase() === b.tag?.toLowerCase() &&
  Boolean(a.overview) === Boolean(b.overview);

// reachable returns the URL of the page: a server that only guesses its address says localhost.
export const reachable = (url) => (isGuessed ? baseURL + new URL(url).pathname : url);

export const isOver = ({ expires_at: end }) => Boolean(end) && Date.parse(end) <= Date.now();

// mayShare reports whether shares of an owner, "" for oneself, can be made and withdrawn.
export const mayShare = (owner, who) => (owner ? isAdmin(who) : mayEdit(who));

// nameOf returns what its page is called.
export const nameOf = (what) =>
  what.title ?? what.tag ?? (what.short_code ? shortOf(keyOf(what)) : "Overview");
