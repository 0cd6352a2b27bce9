// The dialog that shares a link's statistics, and stops sharing them.
import { useEffect, useState } from "preact/hooks";
import { request } from "./api.js";
import { baseURL, isGuessed, shortHost } from "./format.js";
import { html } from "./html.js";
import { of, whose } from "./me.js";
import { aborted } from "./transport.js";
import { CopyButton, Dialog, DialogTitle, Icon, say } from "./ui.js";

// reachable returns the URL of the page: a server that only guesses its address says localhost.
const reachable = (url) => (isGuessed ? baseURL + new URL(url).pathname : url);

// useShare returns the URL of a link's share ("" if there is none, undefined if that is not known
// yet), an error, and functions that change it.
function useShare(code) {
  const [url, setURL] = useState(undefined);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const path = of(`/api/urls/${encodeURIComponent(code)}/share`, whose());
  const ask = async (method, signal) => {
    setBusy(true);
    setProblem("");
    try {
      const answer = await request(method, path, { signal });
      setURL(answer ? reachable(answer.url) : "");
      return true;
    } catch (error) {
      if (aborted(error)) return false;
      // Somebody else may have stopped sharing.
      if (error.field === "share") setURL("");
      else setProblem(error.message);
      return false;
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => {
    const controller = new AbortController();
    ask("GET", controller.signal);
    return () => controller.abort();
  }, [path]);
  return { url, problem, busy, ask };
}

export function Sharing({ code, onClose }) {
  const { url, problem, busy, ask } = useShare(code);
  const share = async () => {
    if (!busy && (await ask("POST"))) say("Shared");
  };
  const stop = async () => {
    if (!busy && (await ask("DELETE"))) say("No longer shared");
  };
  return html`<${Dialog} label="Share statistics" class="sharing" onClose=${onClose}>
    <${DialogTitle} onClose=${onClose}>Share statistics<//>
    <p>A page with the clicks of <b class="mono">${shortHost}/${code}</b>, for people without a
      token. Whoever has its address sees the link's title and its clicks, but not where it leads,
      and no note, tag or full referrer.</p>
    <div class="sharing-address">${
      url
        ? html`<${Address} url=${url} />`
        : url === ""
          ? html`<p class="quiet">Not shared.</p>`
          : null
    }</div>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <div class="buttons">${
      url
        ? html`<button type="button" class="button" aria-busy=${busy} onClick=${stop}>
          Stop sharing</button>
        <button type="button" class="button primary" onClick=${onClose}>Done</button>`
        : html`<button type="button" class="button" onClick=${onClose}>Cancel</button>
        <button type="button" class="button primary" aria-busy=${busy}
          disabled=${url === undefined} onClick=${share}>Share</button>`
    }</div>
    ${
      url &&
      html`<p class="hint">The address stops working when you stop sharing. Sharing again
      makes another one.</p>`
    }
  <//>`;
}

const Address = ({ url }) => html`
  <input class="field mono" type="text" readonly aria-label="Address of the shared page"
    value=${url} onFocus=${(e) => e.target.select()} />
  <${CopyButton} text=${url} label="Copy the address" />
  <a class="icon-button" href=${url} target="_blank" rel="noreferrer noopener"
    aria-label="Open the shared page" title="Open the shared page"><${Icon} name="open" /></a>`;
