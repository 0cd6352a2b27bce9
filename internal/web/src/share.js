// The page of a share: the clicks of a link, or of many, for people without a token. It knows no
// session.
import { render } from "preact";
import { useEffect } from "preact/hooks";
import { Away, Theme } from "./around.js";
import { useClicks } from "./clicks.js";
import { hostOf, plural, visible } from "./format.js";
import { html } from "./html.js";
import { lazy, part } from "./lazy.js";
import { place } from "./router.js";
import { Stats } from "./stats.js";
import { useStore } from "./store.js";
import { answer, send } from "./transport.js";
import { notice } from "./ui.js";
import { useView } from "./view.js";

const TopLinks = lazy(
  part(() => import("./toplinks.js")),
  "TopLinks",
);

const root = document.getElementById("app");
const { shows } = root.dataset; // "clicks" of a link, or an "overview" of many

// Readers may share an address and so a budget, so the page seldom reloads by itself.
const source = {
  name: "shared",
  clicks: `${place.get().path}/${shows}`,
  pause: 30_000,
  get: async (path, options) => answer(await send("GET", path, options)),
};

const leftOut = ["referrer", "alias"]; // whole URLs and other addresses are not shared

function App() {
  const view = useView(leftOut);
  const clicks = useClicks(source, view);
  const { data, error } = clicks,
    gone = error?.status === 404;
  const code = data?.short_code,
    name = data?.title ?? code;
  useEffect(() => {
    // the password is another now: the server has a form
    if (error?.status === 401) location.reload();
  }, [error]);
  useEffect(() => {
    if (gone) document.title = "Not found · terse";
    else if (name) document.title = `${visible(name)} · terse`;
  }, [name, gone]);
  return html`<a class="skip" href="#main">Skip to content</a>
    <header class="top"><div class="top-inner"><span class="brand">terse</span>
      <div class="top-end"><${Theme} /></div></div></header>
    <${Away} />
    <main class="page" id="main">${
      gone
        ? html`<${Gone} />`
        : html`<${Head} data=${data} />
      <${Stats} source=${{ ...source, name: code ?? source.name }} view=${view} clicks=${clicks}
        isNew=${() => false}>
        ${
          shows === "overview"
            ? (measures) => html`<${TopLinks} name=${source.name} links=${data.top_links}
              measures=${measures} />`
            : undefined
        }<//>`
    }</main>
    <${Notice} />
    <p id="said" class="unseen" role="status"></p>`;
}

function Notice() {
  const text = useStore(notice);
  return html`<div class="toasts" role="region" aria-label="Messages">
    ${text && html`<div class="toast">${text}</div>`}</div>`;
}

const Head = ({ data }) => html`<header class="share-head">
  ${
    data
      ? html`<h1>${data.title ? visible(data.title) : html`<${Short} link=${data} />`}</h1>
    <p class="quiet">Clicks of ${
      shows === "overview" ? plural(data.links, "link", "links") : html`<${Short} link=${data} />`
    }, shared by ${data.links > 1 ? "their" : "its"} owner.</p>`
      : html`<h1>Statistics</h1><p><i class="bone"></i></p>`
  }</header>`;

const Short = ({ link: { domain, short_code: code } }) =>
  html`<span class="mono"><span class="quiet">${hostOf(domain)}/</span>${code}</span>`;

const Gone = () => html`<div class="state" role="alert"><h1>Nothing is shared here</h1>
  <p>It was deleted, or is no longer shared.</p></div>`;

render(html`<${App} />`, root);
