// The panel of the links that were clicked most.
import { Heads, digits } from "./bars.js";
import { linksCSV } from "./csv.js";
import { count, keyOf, urlParts, visible } from "./format.js";
import { html } from "./html.js";
import { Panel } from "./panels.js";
import { IconButton, Short, download } from "./ui.js";

// TopLinks has clicks whatever the page shows: the API doesn't count visitors by link. pageOf
// returns the address of a link's page; a shared page has none, and doesn't know where links lead.
export function TopLinks({ name, links, measures, pageOf }) {
  const { clicks } = measures,
    highest = links[0]?.clicks ?? 0;
  const row = (link) => {
    const { title, original_url: url, clicks: number } = link,
      key = keyOf(link);
    const inside = html`<span class="bar-fill"
        style=${{ transform: `scaleX(${number / highest})` }}></span>
      ${title && html`<span class="bar-title"><bdi>${visible(title)}</bdi></span>`}
      <span class="bar-code mono"><${Short} of=${key} /></span><span class="bar-name quiet">
        ${url && html`<bdi dir="ltr">${urlParts(url).join("")}</bdi>`}</span>
      <span class="bar-count">${count(number)}</span>`;
    return html`<li key=${key}>${
      pageOf
        ? html`<a class="bar" href=${pageOf(key)}
          title=${`${visible(title ?? key)}\n${visible(url)}`}>${inside}</a>`
        : html`<div class="bar">${inside}</div>`
    }</li>`;
  };
  return html`<${Panel} id="top" wide=${true} title="Top links"
    extra=${
      links.length > 0 &&
      html`<span class="panel-extra">${
        measures.shown !== clicks && html`<span class="quiet">by clicks</span>`
      }
      <${IconButton} icon="download" label="Export top links as CSV"
        onClick=${() => download(...linksCSV(name, links, measures))} /></span>`
    }>
    ${
      links.length
        ? html`<${Heads} rows="Link" measure=${clicks} />
        <ul class="bars" style=${digits(highest)}>${links.map(row)}</ul>`
        : html`<p class="panel-empty quiet">These links were deleted.</p>`
    }
  <//>`;
}
