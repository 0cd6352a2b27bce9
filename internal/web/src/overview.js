// The page of all clicks together.
import { useLayoutEffect, useState } from "preact/hooks";
import { Heads, digits } from "./bars.js";
import { useClicks } from "./clicks.js";
import { linksCSV } from "./csv.js";
import { count, plural, urlOf, urlParts, visible } from "./format.js";
import { html } from "./html.js";
import { rowOf } from "./list.js";
import { linkPage, mayEdit } from "./me.js";
import { own } from "./own.js";
import { Panel } from "./panels.js";
import { QR } from "./parts.js";
import { Stats, Try, tryTitle } from "./stats.js";
import { OwnerFilter, TagFilter } from "./toolbar.js";
import { IconButton, download } from "./ui.js";
import { useView } from "./view.js";

const sourceOf = (owner) => ({
  ...own("overview", "/api/overview", owner),
  events: "/api/events",
  ofAll: true,
});

export function Overview() {
  const [qr, setQR] = useState("");
  const view = useView();
  const source = sourceOf(view.owner);
  const clicks = useClicks(source, view);
  useLayoutEffect(() => {
    document.title = "Overview · terse";
    scrollTo(0, 0);
  }, []);
  const { data } = clicks;
  // the titles of links that the page knows anyway
  const titleOf = (code) =>
    (data?.top_links.find((link) => link.short_code === code) ?? rowOf(code))?.title;
  const first = data?.top_links[0]?.short_code;
  return html`<main class="page" id="main">
    <header class="overview-head"><h1>Overview</h1><p class="quiet">
      ${data ? plural(data.links, "link", "links") : ""}</p>
      <div class="overview-picks">
        <${OwnerFilter} owner=${view.owner} onChange=${(owner) => view.setOwner(owner)} />
        <${TagFilter} query=${{ tag: view.tags }} ask=${({ tag }) => view.setTags(tag)} />
      </div></header>
    <${Stats} source=${{ ...source, titleOf }} view=${view} clicks=${clicks}
      isNew=${() => data?.links === 0}
      nothingTitle=${first ? tryTitle : data?.links === 0 ? "No links yet" : undefined}
      nothing=${
        first
          ? html`<${Try} code=${first} onQR=${() => setQR(first)} />`
          : mayEdit() &&
            !view.owner &&
            html`<p><a href=${urlOf("/ui/")}>Create a link</a> and open it.</p>`
      }>
      ${(measures) =>
        html`<${TopLinks} links=${data.top_links} measures=${measures} owner=${view.owner} />`}
    <//>
    ${qr && html`<${QR} code=${qr} onClose=${() => setQR("")} />`}
  </main>`;
}

// TopLinks has clicks whatever the page shows: the API doesn't count visitors by link.
function TopLinks({ links, measures, owner }) {
  const { clicks } = measures,
    highest = links[0]?.clicks ?? 0;
  const row = ({ short_code: code, title, original_url: url, clicks: number }) =>
    html`<li key=${code}><a class="bar" href=${urlOf(linkPage(code, owner))}
      title=${`${visible(title ?? code)}\n${visible(url)}`}>
      <span class="bar-fill" style=${{ transform: `scaleX(${number / highest})` }}></span>
      ${title && html`<span class="bar-title"><bdi>${visible(title)}</bdi></span>`}
      <span class="bar-code mono">${code}</span><span class="bar-name quiet">
        <bdi dir="ltr">${urlParts(url).join("")}</bdi></span>
      <span class="bar-count">${count(number)}</span></a></li>`;
  return html`<${Panel} id="top" wide=${true} title="Top links"
    extra=${
      links.length > 0 &&
      html`<span class="panel-extra">${
        measures.shown !== clicks && html`<span class="quiet">by clicks</span>`
      }
      <${IconButton} icon="download" label="Export top links as CSV"
        onClick=${() => download(...linksCSV("overview", links, measures))} /></span>`
    }>
    ${
      links.length
        ? html`<${Heads} rows="Link" measure=${clicks} />
        <ul class="bars" style=${digits(highest)}>${links.map(row)}</ul>`
        : html`<p class="panel-empty quiet">These links were deleted.</p>`
    }
  <//>`;
}
