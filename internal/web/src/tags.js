// Tags: the existing ones, for suggestions and filters.
import { request } from "./api.js";
import { html } from "./html.js";
import { whose } from "./me.js";
import { address } from "./router.js";
import { urlOf, visible } from "./format.js";
import { store } from "./store.js";

export const known = store([]); // [{tag, links}], as the server sorts them
let asked = 0,
  ofOwner = "";

// learn loads the tags, unless it did so a moment ago.
export async function learn(anew = false) {
  const owner = whose();
  if (owner !== ofOwner) {
    known.set([]);
    ofOwner = owner;
  } else if (!anew && Date.now() - asked < 10e3) {
    return;
  }
  asked = Date.now();
  try {
    const { tags } = await request("GET", address("/api/tags", { owner }));
    if (owner === ofOwner) known.set(tags);
  } catch {
    asked = 0; // suggestions are optional
  }
}

// optionsOf returns tags for a Combobox, with the number of links that have them.
export const optionsOf = (tags) => tags.map(({ tag, links }) => ({ value: tag, count: links }));

// Tags are chips that link to the links with a tag; plain text where a finger would hit them by
// accident.
export const Tags = ({ tags = [], most = tags.length, plain = false, class: name = "tags" }) =>
  tags.length > 0 &&
  html`<span class=${name}>
    ${tags.slice(0, most).map((tag) =>
      plain
        ? html`<span class="tag" key=${tag}><span>${visible(tag)}</span></span>`
        : html`<a class="tag" key=${tag} href=${urlOf(address("/ui/", { tag, owner: whose() }))}
        aria-label=${`Links tagged ${visible(tag)}`}><span>${visible(tag)}</span></a>`,
    )}
    ${
      tags.length > most &&
      html`<span class="quiet"
      title=${tags.slice(most).map(visible).join(", ")}>+${tags.length - most}</span>`
    }</span>`;
