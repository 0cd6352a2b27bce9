// The current address below /ui/, kept by the browser's own history.
import { basePath, urlOf } from "./format.js";
import { store } from "./store.js";

// ownPath returns the server's path at an address. A proxy, or who asks without one, may have cut
// off the base path.
const ownPath = (path) => (path.startsWith(urlOf("/")) ? path.slice(basePath.length) : path);

const here = () => ({
  path: ownPath(location.pathname),
  query: new URLSearchParams(location.search),
  state: history.state,
});

export const place = store(here());

// address returns a path with its query. Empty parameters are left out, lists are repeated.
export function address(path, query = {}) {
  const search = new URLSearchParams(
    Object.entries(query)
      .flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
      .filter(([, value]) => value != null && value !== "" && value !== false),
  );
  return search.size ? `${path}?${search}` : path;
}

export function go(path, { replace = false, state = null } = {}) {
  if (replace) history.replaceState(state, "", urlOf(path));
  else history.pushState(state, "", urlOf(path));
  place.set(here());
}

addEventListener("popstate", () => place.set(here()));

// Links within the dashboard change the page without reloading it.
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (
    !link ||
    event.defaultPrevented ||
    event.button ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return;
  if (
    link.target ||
    link.hasAttribute("download") ||
    link.hasAttribute("data-native") || // it leads out of the page
    link.origin !== location.origin ||
    !link.pathname.startsWith(urlOf("/ui/"))
  )
    return;
  event.preventDefault();
  if (link.href !== location.href) go(ownPath(link.pathname) + link.search + link.hash);
});
