// How parts of the dashboard are loaded on demand.
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { html } from "./html.js";
import { store } from "./store.js";
import { connection, send } from "./transport.js";
import { Icon, tell } from "./ui.js";

export const arrived = store(0); // number of loaded parts

// part returns a function that imports a module, and tries again on each call until it succeeds.
// Chromium asks the server again, but Firefox remembers that an address failed, and names it in its
// error; so it is imported from another address. A chunk is not a part by itself: if Firefox lacks
// one, only reloading the page helps.
export function part(load) {
  let module,
    failed = "",
    turn = 0;
  return async () => {
    try {
      return (module ??= await (failed ? import(`${failed}?again=${++turn}`) : load()));
    } catch (error) {
      failed ||= error.message?.match(/https?:\S+\/(?!chunk-)[^/\s?]+\.js/)?.[0] ?? "";
      throw error;
    }
  };
}

const Progress = () => html`<div class="progress" role="status" aria-label="Loading"></div>`;

// Waiting stands for a page whose module is loading.
export const Waiting = () => html`<main class="page" id="main" aria-busy="true">
  <${Progress} /><div class="waiting"></div></main>`;

// lazy returns a component that stands for one of a part, and shows another while that loads.
export function lazy(load, name, Meanwhile = Progress) {
  let found;
  return function Lazy(props) {
    const [failed, setFailed] = useState(false);
    const [, setLoaded] = useState(Boolean(found));
    const get = () =>
      load().then((module) => {
        found = module[name];
        setLoaded(true);
        arrived.set(arrived.get() + 1);
      });
    useLayoutEffect(() => {
      // don't wait for the first paint
      if (!found) get().catch(() => setFailed(true));
    }, []);
    if (found) return html`<${found} ...${props} />`;
    return failed
      ? html`<${NotLoaded} onRetry=${get} onClose=${props.onClose} />`
      : html`<${Meanwhile} />`;
  };
}

// NotLoaded stands for a page that could not be loaded. A dialog closes instead, and can be opened
// again. After an update the server has other addresses for its modules, which only a reloaded page
// knows.
function NotLoaded({ onRetry, onClose }) {
  useEffect(() => {
    if (onClose) {
      tell("Couldn't load this part. Try again, or reload the page.");
      onClose();
      return undefined;
    }
    const retry = () => onRetry().catch(() => {}); // the button stays
    const stop = connection.watch((value) => value === "up" && retry());
    // from now on an unreachable server is polled
    if (connection.get() === "up") send("GET", "/health").then(retry, () => {});
    return stop;
  }, []);
  return onClose
    ? null
    : html`<main class="page" id="main"><div class="state" role="alert">
    <${Icon} name="alert" /><h1>Couldn't load this page</h1>
    <p>The server can't be reached, or was updated.</p>
    <button type="button" class="button" onClick=${() => location.reload()}>Reload</button></div>
  </main>`;
}
