// What is shared: a link, {short_code}, a tag, {tag}, or all links, {overview: true}.
import { baseURL, isGuessed, shortHost } from "./format.js";
import { isAdmin, mayEdit, of } from "./me.js";

export const sharePath = ({ short_code: code, tag }, owner) =>
  of(
    code
      ? `/api/urls/${encodeURIComponent(code)}/share`
      : tag
        ? `/api/tags/${encodeURIComponent(tag)}/share`
        : "/api/overview/share",
    owner,
  );

// isSame reports whether two are the same thing. The case of a tag doesn't tell it from another.
export const isSame = (a, b) =>
  a.short_code === b.short_code &&
  a.tag?.toLowerCase() === b.tag?.toLowerCase() &&
  Boolean(a.overview) === Boolean(b.overview);

// reachable returns the URL of the page: a server that only guesses its address says localhost.
export const reachable = (url) => (isGuessed ? baseURL + new URL(url).pathname : url);

export const isOver = ({ expires_at: end }) => Boolean(end) && Date.parse(end) <= Date.now();

// mayShare reports whether shares of an owner, "" for oneself, can be made and withdrawn.
export const mayShare = (owner, who) => (owner ? isAdmin(who) : mayEdit(who));

// nameOf returns what its page is called.
export const nameOf = ({ title, tag, short_code: code }) =>
  title ?? tag ?? (code ? `${shortHost}/${code}` : "Overview");
