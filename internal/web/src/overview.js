// The page of all clicks together.
import { useLayoutEffect, useState } from "preact/hooks";
import { useClicks } from "./clicks.js";
import { DomainFilter } from "./domains.js";
import { keyOf, partsOf, plural, urlOf } from "./format.js";
import { html } from "./html.js";
import { rowOf } from "./list.js";
import { everybody, linkPage, mayEdit, me } from "./me.js";
import { own } from "./own.js";
import { QR, Sharing } from "./parts.js";
import { mayShare } from "./shared.js";
import { Stats, Try, tryTitle } from "./stats.js";
import { useStore } from "./store.js";
import { OwnerFilter, TagFilter } from "./toolbar.js";
import { TopLinks } from "./toplinks.js";
import { Icon } from "./ui.js";
import { useView } from "./view.js";

const sourceOf = (owner) => ({
  ...own("overview", "/api/overview", owner),
  events: "/api/events",
  ofAll: true,
});

export function Overview() {
  const [qr, setQR] = useState(""); // the key of a link
  const [shared, setShared] = useState(null);
  const view = useView();
  const who = useStore(me),
    { owner, domain, tags } = view;
  const source = sourceOf(owner);
  const clicks = useClicks(source, view);
  useLayoutEffect(() => {
    document.title = "Overview · terse";
    scrollTo(0, 0);
  }, []);
  const { data } = clicks;
  // the titles of links that the page knows anyway
  const titleOf = (key) =>
    (data?.top_links.find((link) => keyOf(link) === key) ?? rowOf(key))?.title;
  const first = data?.top_links.length ? keyOf(data.top_links[0]) : "";
  return html`<main class="page" id="main">
    <header class="overview-head"><h1>Overview</h1><p class="quiet">
      ${data ? plural(data.links, "link", "links") : ""}</p>
      <div class="overview-picks">
        <${OwnerFilter} owner=${owner} onChange=${(owner) => view.setOwner(owner)} />
        <${TagFilter} query=${{ tag: tags }} ask=${({ tag }) => view.setTags(tag)} />
        <${DomainFilter} domain=${domain} onChange=${view.setDomain} />
        ${
          // a share is of one tag, or of all links of one owner, on all domains
          owner !== everybody &&
          !domain &&
          tags.length < 2 &&
          mayShare(owner, who) &&
          html`<button type="button" class="button"
          onClick=${() => setShared(tags.length ? { tag: tags[0] } : { overview: true })}>
            <${Icon} name="share" />Share</button>`
        }
      </div></header>
    <${Stats} source=${{ ...source, titleOf }} view=${view} clicks=${clicks}
      isNew=${() => data?.links === 0}
      nothingTitle=${first ? tryTitle : data?.links === 0 ? "No links yet" : undefined}
      nothing=${
        first
          ? html`<${Try} of=${first} onQR=${() => setQR(first)} />`
          : mayEdit() &&
            !owner &&
            !domain &&
            html`<p><a href=${urlOf("/ui/")}>Create a link</a> and open it.</p>`
      }>
      ${(measures) =>
        html`<${TopLinks} name=${source.name} links=${data.top_links} measures=${measures}
        pageOf=${(key) => urlOf(linkPage(key, owner))} />`}
    <//>
    ${qr && html`<${QR} ...${partsOf(qr)} onClose=${() => setQR("")} />`}
    ${shared && html`<${Sharing} what=${shared} owner=${owner} onClose=${() => setShared(null)} />`}
  </main>`;
}
