// Parts of the dashboard that are loaded when they are needed.
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { html } from "./html.js";
import { store } from "./store.js";
import { Trouble, tell } from "./ui.js";

export const arrived = store(0); // how many parts

// lazy returns a component that stands for the one of a name in a module. load imports the module;
// what is being waited for shows nothing, because it takes no longer than an answer of the server.
export function lazy(load, name) {
  let part;
  return function Lazy(props) {
    const [failed, setFailed] = useState(false);
    const [, setLoaded] = useState(Boolean(part));
    useLayoutEffect(() => { // at once: it need not wait for the first paint
      if (part) return;
      load().then((module) => {
        part = module[name];
        setLoaded(true);
        arrived.set(arrived.get() + 1);
      }, () => setFailed(true));
    }, []);
    if (part) return html`<${part} ...${props} />`;
    return failed ? html`<${NotLoaded} onClose=${props.onClose} />` : null;
  };
}

// Browsers remember that a module could not be loaded, so that only a new page tries again. A
// server that was updated has other addresses for its modules.
function NotLoaded({ onClose }) {
  useEffect(() => {
    if (!onClose) return;
    tell("Couldn't load this part. Reload the page and try again.");
    onClose();
  }, []);
  return onClose ? null : html`<main class="page" id="main"><${Trouble}
    title="Couldn't load this page" message="The server can't be reached, or was updated.">
    <button type="button" class="button" onClick=${() => location.reload()}>Reload</button><//>
  </main>`;
}

const pages = () => import("./pages.js");

// warm loads the pages of clicks before somebody asks for one.
export const warm = () => { pages().catch(() => {}); };

export const LinkPage = lazy(pages, "LinkPage");
export const Overview = lazy(pages, "Overview");
export const Unknown = lazy(pages, "Unknown");
export const QR = lazy(() => import("./qr.js"), "QR");
const edit = () => import("./edit.js");

export const EditLink = lazy(edit, "EditLink");
export const LinkForm = lazy(edit, "LinkForm");
export const form = edit; // for what makes requests of a form
export const Selection = lazy(() => import("./selected.js"), "Selection");
export const TagDialog = lazy(() => import("./tagdialog.js"), "TagDialog");
export const Help = lazy(() => import("./help.js"), "Help");
