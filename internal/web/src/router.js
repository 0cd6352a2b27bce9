// The current address below /ui/, kept by the browser's own history.
import { store } from "./store.js";

const here = () => ({
  path: location.pathname,
  query: new URLSearchParams(location.search),
  state: history.state,
});

export const place = store(here());

// address returns the href of a page with its query. Empty parameters are left out, lists are
// repeated.
export function address(path, query = {}) {
  const search = new URLSearchParams(
    Object.entries(query)
      .flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
      .filter(([, value]) => value != null && value !== "" && value !== false),
  );
  return search.size ? `${path}?${search}` : path;
}

export function go(href, { replace = false, state = null } = {}) {
  if (replace) history.replaceState(state, "", href);
  else history.pushState(state, "", href);
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
    link.origin !== location.origin ||
    !link.pathname.startsWith("/ui/")
  )
    return;
  event.preventDefault();
  if (link.href !== location.href) go(link.href);
});
