// The part above the list: search, filters and order.
import { useEffect, useRef, useState } from "preact/hooks";
import { isDay } from "./days.js";
import { DomainFilter } from "./domains.js";
import { count, isSeveral, plural, urlOf, utcDay, visible } from "./format.js";
import { html } from "./html.js";
import { everybody, isAdmin, mayEdit, mayMove, me, readsAll, whose } from "./me.js";
import { useNarrow } from "./menu.js";
import {
  FilterSheet,
  OwnerPopover,
  Sharing,
  TagDialog,
  TagPopover,
  UnusedPopover,
} from "./parts.js";
import { Choice, Pick } from "./pick.js";
import { states } from "./record.js";
import { address, go, place } from "./router.js";
import { useStore } from "./store.js";
import { known, learn } from "./tags.js";
import { Icon, IconButton } from "./ui.js";

const sorts = [
  ["newest", "Newest"],
  ["oldest", "Oldest"],
  ["clicks", "Most clicks"],
  ["clicks-24h", "Most clicks in 24 hours"],
  ["clicks-7d", "Most clicks in 7 days"],
  ["clicks-30d", "Most clicks in 30 days"],
];
const sortsOf = (bots) =>
  bots ? sorts.map(([name, text]) => [name, text.replace("clicks", "clicks with bots")]) : sorts;
const statuses = { active: "Active", ...states };
const archives = [
  ["", "Not archived"],
  ["true", "Archived"],
  ["all", "Archived or not"],
];
const searchable = 200; // longest search in the API, in characters

const cut = (text) => [...text].slice(0, searchable).join("").trim();

// readQuery returns the list's query in a URL.
export function readQuery(query) {
  const one = (name, valid, standard) => (valid(query.get(name)) ? query.get(name) : standard);
  return {
    search: cut(query.get("search") ?? ""),
    sort: one("sort", (name) => sorts.some(([sort]) => sort === name), "newest"),
    tag: [...new Set(query.getAll("tag").filter(Boolean))].slice(0, 20),
    status: one("status", (name) => name !== null && Object.hasOwn(statuses, name), ""),
    unused_since: one("unused_since", (day) => isDay(day ?? ""), ""),
    archived: one("archived", (which) => archives.some(([name]) => name === which), ""),
    bots: query.get("bots") === "1",
    domain: (isSeveral && query.get("domain")) || "",
    owner: whose({ query }),
  };
}

export const pathOf = (query) =>
  address("/ui/", {
    ...query,
    sort: query.sort === "newest" ? "" : query.sort,
    bots: query.bots && "1",
  });

const filtersSet = ({ tag, status, unused_since: since, archived, domain }) =>
  tag.length + [status, since, archived, domain].filter(Boolean).length;

export const isFiltered = (query) => filtersSet(query) > 0;

// unfiltered is a query without its filters.
export const unfiltered = (query) => ({
  ...query,
  tag: [],
  status: "",
  unused_since: "",
  archived: "",
  domain: "",
});

export function Toolbar({ query, state, total }) {
  const [text, setText] = useState(query.search);
  const sent = useRef(query.search);
  useEffect(() => {
    if (query.search !== sent.current) setText(query.search); // it came from the URL
    sent.current = query.search;
  }, [query.search]);
  const ask = (change, options) => {
    sent.current = change.search ?? cut(text);
    go(pathOf({ ...query, search: sent.current, ...change }), options);
  };
  const type = (value) => {
    setText(value);
    // at once: the answer takes less time than waiting for the next key
    ask({ search: cut(value) }, { replace: true });
  };
  const escape = (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    if (text) type("");
    else event.target.blur();
  };
  const empty = () => {
    type("");
    document.getElementById("search").focus();
  };
  const isNarrow = useNarrow();
  const found = state.isLowerBound
    ? `${count(total)}+ matches`
    : query.search
      ? plural(total, "match", "matches")
      : plural(total, "link", "links");
  const set = narrowings(query, isNarrow);
  const isMany = !isNarrow && filtersSet(query) > 1; // the sheet clears all by itself
  return html`<div class="toolbar" role="search">
    <div class="search"><${Icon} name="search" />
      <input id="search" type="search" class="field" aria-label="Search links"
        placeholder="Search links" autocomplete="off" spellcheck=${false}
        value=${text} onInput=${(e) => type(e.target.value)} onKeyDown=${escape} />
      ${
        text
          ? html`<${IconButton} icon="close" label="Clear the search" onClick=${empty} />`
          : html`<kbd aria-hidden="true">/</kbd>`
      }</div>
    ${
      isNarrow
        ? html`<${Filters} query=${query} ask=${ask} found=${state.loaded ? found : ""} />`
        : html`<${Choices} query=${query} ask=${ask} />`
    }
    <${Choice} label="Sort" value=${query.sort} options=${sortsOf(query.bots)}
      onChange=${(sort) => ask({ sort }, { replace: true })} />
    ${!isNarrow && html`<${PeopleOnly} query=${query} ask=${ask} />`}
    <div class="toolbar-end"><p class="amount" role="status">${state.loaded && found}</p>
      ${
        mayMove() &&
        html`<a class="icon-button" href=${urlOf(address("/ui/move", { owner: query.owner }))}
          aria-label="Import and export" title="Import and export"><${Icon} name="swap" /></a>`
      }</div>
  </div>
  ${
    (set.length > 0 || isMany) &&
    html`<div class="chips list-chips"><${Narrowings} all=${set} ask=${ask} />
    ${
      isMany &&
      html`<button type="button" class="text-button" onClick=${() => ask(unfiltered(query))}>
        Remove all filters</button>`
    }
    ${
      query.tag.length === 1 &&
      (query.owner ? query.owner !== everybody && isAdmin() : mayEdit()) &&
      html`<${TagMenu} key=${query.tag[0]} tag=${query.tag[0]} owner=${query.owner}
      onDone=${(name) => ask({ tag: name ? [name] : [] }, { replace: true })} />`
    }</div>`
  }`;
}

// narrowings returns what the list is narrowed by: {key, text, without}, where without is the
// change that undoes it. Unless the window is narrow, some of that is on buttons in sight.
function narrowings(query, isNarrow) {
  const { owner, domain, tag, status, unused_since: since, archived, bots } = query;
  return [
    isNarrow &&
      owner && {
        key: "owner",
        text: owner === everybody ? "All links" : visible(owner),
        without: { owner: "", tag: [] },
      },
    isNarrow && domain && { key: "domain", text: visible(domain), without: { domain: "" } },
    ...tag.map((one) => ({
      key: `tag ${one}`,
      text: visible(one),
      without: { tag: tag.filter((other) => other !== one) },
    })),
    isNarrow && status && { key: "state", text: statuses[status], without: { status: "" } },
    since && {
      key: "unused",
      text: `Unused since ${utcDay(since)}`,
      without: { unused_since: "" },
    },
    isNarrow &&
      archived && {
        key: "archive",
        text: archives.find(([name]) => name === archived)[1],
        without: { archived: "" },
      },
    isNarrow && bots && { key: "bots", text: "With bots", without: { bots: false } },
  ].filter(Boolean);
}

const Narrowings = ({ all, ask }) =>
  all.map(
    ({ key, text, without }) =>
      html`<${Chip} key=${key} text=${text} onRemove=${() => ask(without)} />`,
  );

// Choices are what the list can be narrowed by. ask goes to a changed query.
const Choices = ({ query, ask }) => html`<${OwnerFilter} owner=${query.owner}
    onChange=${(owner) => ask({ owner, tag: [] })} />
  <${DomainFilter} domain=${query.domain} onChange=${(domain) => ask({ domain })} />
  <${TagFilter} query=${query} ask=${ask} />
  <${Choice} label="State" value=${query.status} onChange=${(status) => ask({ status })}
    options=${[["", "Any state"], ...Object.entries(statuses)]} />
  <${UnusedFilter} query=${query} ask=${ask} />
  <${Choice} label="Archive" value=${query.archived} options=${archives}
    onChange=${(archived) => ask({ archived })} />`;

const PeopleOnly = ({ query, ask }) => html`<label class="check list-people"><input
    type="checkbox" checked=${!query.bots}
    onChange=${(e) => ask({ bots: !e.target.checked }, { replace: true })} />
  <span>People only</span> <span class="quiet">· bots ${
    query.bots ? "are counted" : "are left out"
  }</span></label>`;

// Filters has all of that in a sheet. What is chosen there is one step in the browser's history.
function Filters({ query, ask, found }) {
  const [open, setOpen] = useState(false);
  const set = narrowings(query, true);
  const choose = (change) => ask(change, { replace: true, state: place.get().state });
  const clear = () => choose({ ...unfiltered(query), owner: "", bots: false });
  return html`<button type="button" class="button pick filters-button" aria-haspopup="dialog"
      aria-expanded=${open} onClick=${() => setOpen(true)}>
      <span>Filters${
        set.length > 0 && html` <b>${set.length}</b><span class="unseen"> set</span>`
      }</span><${Icon} name="down" /></button>
    ${
      open &&
      html`<${FilterSheet} found=${found} onClear=${set.length > 0 && clear}
        onClose=${() => setOpen(false)}>
        <${Choices} query=${query} ask=${choose} />
        ${
          query.tag.length > 0 &&
          html`<div class="chips"><${Narrowings} ask=${choose}
            all=${set.filter(({ key }) => key.startsWith("tag "))} /></div>`
        }
        <${PeopleOnly} query=${query} ask=${choose} /><//>`
    }`;
}

const Chip = ({ text, onRemove }) => html`<button type="button" class="chip" onClick=${onRemove}>
  <span class="unseen">Remove filter: </span><span class="chip-text">${text}</span>
  <${Icon} name="close" /></button>`;

// TagMenu changes the tag that the list is filtered by, or shares the clicks of its links.
function TagMenu({ tag, owner, onDone }) {
  const [open, setOpen] = useState("");
  useEffect(() => {
    learn(); // on a phone nothing else in sight needs the tags
  }, []);
  const isThis = (other) => other.tag.toLowerCase() === tag.toLowerCase();
  const found = useStore(known).find(isThis);
  if (!found) return null;
  const close = () => setOpen("");
  const done = (name) => {
    close();
    onDone(name);
  };
  return html`<button type="button" class="text-button" onClick=${() => setOpen("edit")}>
    Rename or delete this tag</button>
    <button type="button" class="text-button" onClick=${() => setOpen("share")}>
      Share its statistics</button>
    ${
      open === "edit" &&
      html`<${TagDialog} tag=${found.tag} links=${found.links} onDone=${done}
      onClose=${close} />`
    }
    ${
      open === "share" &&
      html`<${Sharing} what=${{ tag: found.tag }} owner=${owner} onClose=${close} />`
    }`;
}

// OwnerFilter chooses whose links are shown, for those who may see others'. Without all it has to
// be one owner's.
export function OwnerFilter({ owner, all = true, onChange }) {
  const who = useStore(me);
  if (!readsAll(who) || !(who.others || owner)) return null;
  const text = owner === everybody ? "All links" : owner ? visible(owner) : "My links";
  return html`<${Pick} label="Whose" popup="dialog" text=${text}>
    ${(at) =>
      html`<${OwnerPopover} ...${at} owner=${owner} all=${all} onChange=${onChange} />`}<//>`;
}

// TagFilter adds a tag to the filter. Current ones have chips below.
export function TagFilter({ query, ask }) {
  useEffect(() => {
    learn();
  }, []);
  return html`<${Pick} label="Tag" popup="dialog"
    text=${query.tag.length ? "Another tag" : "Any tag"}>
    ${(at) =>
      html`<${TagPopover} ...${at} tags=${query.tag}
        onAdd=${(tag) => ask({ tag: [...query.tag, tag] })} />`}<//>`;
}

// UnusedFilter leaves links that are older than a day and have no click since.
const UnusedFilter = ({ query, ask }) => html`<${Pick} label="Activity" popup="dialog"
  text=${query.unused_since ? "Unused" : "Any activity"}>
  ${(at) =>
    html`<${UnusedPopover} ...${at} since=${query.unused_since}
      onChange=${(day) => ask({ unused_since: day })} />`}<//>`;
