// Parts of the dashboard that are loaded when they are needed.
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { html } from "./html.js";
import { store } from "./store.js";
import { connection, send } from "./transport.js";
import { Icon, tell } from "./ui.js";

export const arrived = store(0); // how many parts

// part returns a function that imports a module, and tries again each time until it has it.
// Chromium asks the server again, but Firefox remembers for an address that it could not be loaded,
// and says so in its error: under another address it is asked for again. A chunk is no part by
// itself, so that where Firefox lacks one, only a new page helps.
export function part(load) {
  let module, failed = "", turn = 0;
  return async () => {
    try {
      return (module ??= await (failed ? import(`${failed}?again=${++turn}`) : load()));
    } catch (error) {
      failed ||= error.message?.match(/https?:\S+\/(?!chunk-)[^/\s?]+\.js/)?.[0] ?? "";
      throw error;
    }
  };
}

// lazy returns a component that stands for the one of a name in a part. What is being waited for
// shows nothing, because it takes no longer than an answer of the server.
export function lazy(load, name) {
  let found;
  return function Lazy(props) {
    const [failed, setFailed] = useState(false);
    const [, setLoaded] = useState(Boolean(found));
    const get = () => load().then((module) => {
      found = module[name];
      setLoaded(true);
      arrived.set(arrived.get() + 1);
    });
    useLayoutEffect(() => { // at once: it need not wait for the first paint
      if (!found) get().catch(() => setFailed(true));
    }, []);
    if (found) return html`<${found} ...${props} />`;
    return failed ? html`<${NotLoaded} onRetry=${get} onClose=${props.onClose} />` : null;
  };
}

// NotLoaded stands for a page until its part can be loaded. A dialog goes, and can be opened again.
// A server that was updated has other addresses for its modules, which only a new page knows.
function NotLoaded({ onRetry, onClose }) {
  useEffect(() => {
    if (onClose) {
      tell("Couldn't load this part. Try again, or reload the page.");
      onClose();
      return undefined;
    }
    const retry = () => onRetry().catch(() => {}); // the button stays
    const stop = connection.watch((value) => value === "up" && retry());
    // a server that is away is asked from now on whether it is back
    if (connection.get() === "up") send("GET", "/health").then(retry, () => {});
    return stop;
  }, []);
  return onClose ? null : html`<main class="page" id="main"><div class="state" role="alert">
    <${Icon} name="alert" /><h1>Couldn't load this page</h1>
    <p>The server can't be reached, or was updated.</p>
    <button type="button" class="button" onClick=${() => location.reload()}>Reload</button></div>
  </main>`;
}

const pages = part(() => import("./pages.js"));

// warm loads the pages of clicks before somebody asks for one.
export const warm = () => { pages().catch(() => {}); };

export const LinkPage = lazy(pages, "LinkPage");
export const Overview = lazy(pages, "Overview");
export const Unknown = lazy(pages, "Unknown");
export const QR = lazy(part(() => import("./qr.js")), "QR");
const edit = part(() => import("./edit.js"));

export const EditLink = lazy(edit, "EditLink");
export const LinkForm = lazy(edit, "LinkForm");
export const form = edit; // for what makes requests of a form
export const Selection = lazy(part(() => import("./selected.js")), "Selection");
export const TagDialog = lazy(part(() => import("./tagdialog.js")), "TagDialog");
export const Help = lazy(part(() => import("./help.js")), "Help");
