// A link's history, in sentences.
import { useEffect, useState } from "preact/hooks";
import { request } from "./api.js";
import { ago, count, dateTime, keyOf, visible } from "./format.js";
import { html } from "./html.js";
import { apiPath, of, whose } from "./me.js";
import { told } from "./sentences.js";
import { aborted } from "./transport.js";
import { Fold } from "./ui.js";

const few = 5;
// History is folded on a phone.
export function History({ link, isNarrow }) {
  const { created_by: owner, updated_at: version } = link,
    key = keyOf(link);
  const [changes, setChanges] = useState([]);
  const [more, setMore] = useState(false);
  useEffect(() => {
    if (!version) return undefined; // it was never changed
    const controller = new AbortController();
    request("GET", of(apiPath(key, "/history"), whose()), {
      signal: controller.signal,
    })
      .then((answer) => setChanges(answer.changes))
      .catch((error) => aborted(error) || setChanges([]));
    return () => controller.abort();
  }, [key, version]);
  if (!changes.length) return null;
  const list = html`<ol>${changes.slice(0, more ? undefined : few).map(
    ({ time, by, fields }, i) =>
      html`<li key=${i}><div>${told(fields).map((text) => html`<p key=${text}>${text}</p>`)}</div>
        <span class="quiet">${by && by !== owner && html`<span>by ${visible(by)}, </span>`}
          <time datetime=${time} title=${dateTime(new Date(time))}>
            ${ago(new Date(time), "long")}</time></span>
      </li>`,
  )}</ol>
    ${
      changes.length > few &&
      html`<p class="panel-more"><button type="button" class="text-button"
      onClick=${() => setMore(!more)}>
      ${more ? "Show less" : `Show all ${count(changes.length)} changes`}</button></p>`
    }`;
  if (isNarrow) {
    return html`<${Fold} title="History" what=${count(changes.length)}>
      <div class="history">${list}</div><//>`;
  }
  return html`<section class="panel history" aria-labelledby="history-title">
    <header class="panel-head"><h2 id="history-title">History</h2></header>${list}</section>`;
}
