// The sheet that has the list's filters on a phone.
import { useLayoutEffect, useRef } from "preact/hooks";
import { html } from "./html.js";
import { go, place } from "./router.js";
import { Dialog, DialogTitle } from "./ui.js";

const here = () => {
  const { path, query } = place.get();
  return query.size ? `${path}?${query}` : path;
};

// useStep gives a sheet a step of its own in the browser's history, so that going back closes it.
// What was chosen meanwhile, in place of that step, stays. It returns a function that closes.
function useStep(onClose) {
  const first = useRef(here());
  const last = useRef(first.current);
  useLayoutEffect(() => {
    go(first.current, { state: { ...place.get().state, isSheet: true } });
    const stop = place.watch(({ state }) => {
      if (state?.isSheet) last.current = here();
    });
    const back = () => {
      if (last.current !== here()) go(last.current);
      onClose();
    };
    addEventListener("popstate", back);
    return () => {
      stop();
      removeEventListener("popstate", back);
    };
  }, []);
  return () => {
    if (last.current === first.current) return history.back();
    go(last.current, { replace: true });
    onClose();
  };
}

// FilterSheet has the choices as its children. found says what they leave; without onClear nothing
// is chosen.
export function FilterSheet({ found, onClear, onClose, children }) {
  const close = useStep(onClose);
  return html`<${Dialog} label="Filters" class="sheet filters" onClose=${close}>
    <${DialogTitle} onClose=${close}>Filters<//>
    <div class="filters-choices">${children}</div>
    <p class="unseen" role="status">${found}</p>
    <div class="buttons">
      <button type="button" class="button" disabled=${!onClear} onClick=${onClear}>
        Clear all</button>
      <button type="button" class="button primary" onClick=${close}>Show ${found}</button></div>
  <//>`;
}
