// The page of all links.
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { Create, focusCreate, tryExample } from "./create.js";
import { failed, isDeleted, remove, waiting } from "./deletions.js";
import { duplicate } from "./duplicate.js";
import { count, keyOf, shortOf, urlOf, urlOfKey, utcDay, visible, webURL } from "./format.js";
import { html } from "./html.js";
import { belongs, isFull, isOpen, left, list, more, open, refresh, retry, scroll } from "./list.js";
import { everybody, mayEdit, me, ownerOf } from "./me.js";
import { Menu } from "./menu.js";
import { EditLink, QR, Selection, Sharing, changes } from "./parts.js";
import { address, go, place } from "./router.js";
import { Rows, Skeleton } from "./rows.js";
import { clear, selected, toggle } from "./selection.js";
import { useStore } from "./store.js";
import { Toolbar, isFiltered, pathOf, readQuery, unfiltered } from "./toolbar.js";
import { connection } from "./transport.js";
import { Command, Trouble, copy, say, tell, useKeys } from "./ui.js";

async function copyLink(link) {
  const key = keyOf(link);
  tell((await copy(urlOfKey(key))) ? `Copied ${shortOf(key)}` : "Couldn't copy");
}

function onRemove(link) {
  if (remove(link)) say(`Deleted ${keyOf(link)}. Press Z to undo.`);
  else tell("Too many deletes at once. Wait ten seconds.");
}

// onArchive takes a link out of the list, or into it again.
async function onArchive(link) {
  try {
    await (await changes()).archive([link]);
  } catch (error) {
    tell(`Not changed: ${error.message}`);
  }
}

export function Links() {
  const { query: parameters } = useStore(place);
  const state = useStore(list);
  const pending = useStore(waiting),
    refused = useStore(failed),
    chosen = useStore(selected);
  const who = useStore(me),
    editable = mayEdit(who);
  // {kind: "qr", "edit", "share" or "actions", link, anchor}
  const [dialog, setDialog] = useState(null);
  const asked = parameters.toString();
  const query = useMemo(() => readQuery(parameters), [asked]);
  const isHere = isOpen(query); // the list is still loaded
  const rows = useMemo(() => {
    const isPinned = new Set(state.pinned.map(keyOf));
    return [...state.pinned, ...state.rows.filter((row) => !isPinned.has(keyOf(row)))].filter(
      (row) => !isDeleted(keyOf(row)) && belongs(row, state),
    );
  }, [state.rows, state.pinned, state.which, pending, refused]);
  const marked = [...chosen.values()].filter((link) => !isDeleted(keyOf(link)));
  const isHidden = (row) => isDeleted(keyOf(row)) || !belongs(row, state);
  const total = state.total - state.rows.filter(isHidden).length;
  // what is made belongs to the reader
  const creates =
    editable && (query.owner === "" || query.owner === everybody || query.owner === who.identity);
  const [active, setActive] = useActive(rows, isHere ? left.key : "");

  useLayoutEffect(() => {
    document.title = "Links · terse";
    scrollTo(0, scroll.y);
    const keep = () => {
      scroll.y = scrollY;
    };
    addEventListener("scroll", keep, { passive: true });
    return () => removeEventListener("scroll", keep);
  }, []);
  useComingBack(refresh);
  useLayoutEffect(() => {
    // don't wait for the first paint
    if (isHere) refresh();
    else {
      open(query);
      setActive(-1);
      clear();
    }
    left.path = pathOf(query);
  }, [query]);
  useEffect(
    () => connection.watch((value) => value === "up" && list.get().phase === "error" && retry()),
    [],
  );

  const step = (by) => {
    if (rows.length) setActive(Math.min(rows.length - 1, Math.max(0, active + by)));
  };
  // ignore key repeats
  const withActive = (act) => (event) => (rows[active] ? event.repeat || act(rows[active]) : false);
  const close = () => setDialog(null);
  // Keep the place in the list: the focused element may go away with the selection.
  const clearSelection = () => {
    clear();
    document.querySelector(`.row[data-index="${active}"] .row-link`)?.focus();
  };
  useKeys({
    n: () => (creates ? focusCreate() : false),
    "/": () => document.getElementById("search").focus(),
    j: () => step(1),
    k: () => step(-1),
    c: withActive((link) => copyLink(link)),
    q: withActive((link) => setDialog({ kind: "qr", link })),
    ...(editable && {
      e: withActive((link) => setDialog({ kind: "edit", link })),
      x: withActive((link) => toggle(link, rows)),
      Delete: withActive(onRemove),
    }),
    Escape: () => {
      if (chosen.size) return clearSelection();
      document.activeElement.blur();
      setActive(-1);
    },
  });

  return html`<main class="page" id="main">
    <h1 class="unseen">Links</h1>
    ${
      creates &&
      html`<${Create}
      onQR=${(link) => setDialog({ kind: "qr", link })} />`
    }
    <${Toolbar} query=${query} state=${state} total=${total} />
    <${Content} state=${state} rows=${rows} query=${query} active=${active} setActive=${setActive}
      onDialog=${setDialog} />
    ${
      marked.length > 0 &&
      html`<${Selection} links=${marked}
      total=${total} isLowerBound=${state.isLowerBound}
      onClear=${clearSelection} />`
    }
    ${
      dialog?.kind === "qr" &&
      html`<${QR} code=${dialog.link.short_code}
      domain=${dialog.link.domain} onClose=${close} />`
    }
    ${dialog?.kind === "edit" && html`<${EditLink} of=${keyOf(dialog.link)} onClose=${close} />`}
    ${
      dialog?.kind === "share" &&
      html`<${Sharing} what=${dialog.link} owner=${ownerOf(dialog.link)} onClose=${close} />`
    }
    ${
      dialog?.kind === "actions" &&
      html`<${Actions} link=${dialog.link} anchor=${dialog.anchor} rows=${rows}
      onDialog=${setDialog} />`
    }
  </main>`;
}

// useActive is useState for the index of the row that the keyboard acts on. It follows its link
// when rows are added above; if the link is deleted, the next one takes its place.
function useActive(rows, initial) {
  const [{ index, key }, set] = useState(() => ({
    index: rows.findIndex((row) => keyOf(row) === initial),
    key: initial,
  }));
  const active = useMemo(() => {
    const isIt = (row) => Boolean(row) && keyOf(row) === key;
    if (index < 0 || isIt(rows[index])) return index;
    const now = rows.findIndex(isIt);
    return now < 0 ? index : now;
  }, [rows, index, key]);
  const setActive = (to) =>
    set((old) => {
      const next = { index: to, key: rows[to] ? keyOf(rows[to]) : "" };
      return old.index === next.index && old.key === next.key ? old : next;
    });
  useLayoutEffect(() => setActive(active), [active, rows]);
  return [active, setActive];
}

// useComingBack calls look when the reader returns from another window or tab.
function useComingBack(look) {
  useEffect(() => {
    let away = false;
    const leave = () => {
      away = true;
    };
    const enter = () => {
      if (document.hidden) leave();
      else if (away) {
        away = false;
        look();
      }
    };
    addEventListener("blur", leave);
    addEventListener("focus", enter);
    document.addEventListener("visibilitychange", enter);
    return () => {
      removeEventListener("blur", leave);
      removeEventListener("focus", enter);
      document.removeEventListener("visibilitychange", enter);
    };
  }, []);
}

// Content is the rows, or a placeholder.
function Content({ state, rows, query, ...rest }) {
  if (!state.loaded && state.phase === "error")
    return html`<${Trouble} title="Couldn't load links"
    message=${state.error.message} onRetry=${retry} />`;
  if (!state.loaded) return html`<${Skeleton} rows=${8} bots=${query.bots} />`;
  if (rows.length === 0 && state.phase === "ready") {
    // Those of the list were archived here.
    const gone = state.rows.filter((row) => !isDeleted(keyOf(row)) && !belongs(row));
    const aside = state.aside.total + gone.length;
    if (aside && !query.archived)
      return html`<${OnlyArchived} query=${query} n=${aside} more=${state.aside.total_at_least} />`;
    if (query.search) return html`<${NoMatch} query=${query} />`;
    if (isFiltered(query)) return html`<${NoneLikeThis} query=${query} />`;
    return query.owner || !mayEdit()
      ? html`<${NoneOf} owner=${query.owner} />`
      : html`<${Empty} />`;
  }
  return html`<${Rows} state=${state} rows=${rows} ...${rest} />
    <${Foot} state=${state} search=${query.search} />`;
}

function Foot({ state, search }) {
  if (state.phase === "error")
    return html`<div class="foot" role="alert">
    <p>${state.error.message}</p><button type="button" class="button"
      onClick=${retry}>Try again</button></div>`;
  if (state.phase === "paused")
    return html`<div class="foot">
    <p>${state.rows.length ? "No more matches so far." : "No matches yet."}</p>
    <button type="button" class="button" onClick=${more}>Keep searching</button></div>`;
  if (isFull(state) && state.next)
    return html`<div class="foot">
    <p>Showing the first ${count(state.rows.length)}. Search or sort to find others.</p></div>`;
  if (state.next || state.phase === "more")
    return html`<${Skeleton}
    rows=${search && !state.rows.length ? 8 : 3} bare=${true} />`;
  return null;
}

const Empty = () => html`<div class="state"><h2>No links yet</h2>
  <p>Paste a long URL into the field above and press Enter. The short one is copied.</p>
  <button type="button" class="button" onClick=${tryExample}>Try an example</button>
  <p><a href=${urlOf("/ui/move")}>Import links from another shortener</a></p>
  <p>Or from a terminal:</p>
  <${Command} line=${
    'curl -H "Authorization: Bearer $TERSE_TOKEN"' +
    ` -d '{"original_url":"https://example.com/"}' ${location.origin}${urlOf("/api/urls")}`
  } /></div>`;

const NoneOf = ({ owner }) => html`<div class="state"><h2>No links yet</h2>
  <p>${
    owner === everybody
      ? "Nobody has made a link."
      : owner
        ? `No link belongs to ${visible(owner)}.`
        : "What an admin gives to you appears here."
  }</p></div>`;

const clearSearch = () => {
  go(address("/ui/", { owner: list.get().query.owner }), { replace: true });
  document.getElementById("search").focus();
};

// OnlyArchived is there where archived links match, and no others.
const OnlyArchived = ({ query, n, more: isMore }) => html`<div class="state">
  <h2>${query.search ? `No matches for "${visible(query.search)}"` : "Nothing here"}</h2>
  <p>${isMore ? `${count(n)}+` : count(n)} archived ${
    query.search || isFiltered(query)
      ? n === 1
        ? "link matches"
        : "links match"
      : n === 1
        ? "link"
        : "links"
  }.</p>
  <a class="button" href=${urlOf(pathOf({ ...query, archived: "true" }))}>
    Show ${n === 1 ? "it" : "them"}</a></div>`;

// NoMatch offers to look beyond a filter first: it may have been set long ago.
const NoMatch = ({ query }) => html`<div class="state">
  <h2>No matches for "${visible(query.search)}"${isFiltered(query) && " with this filter"}</h2>
  ${
    isFiltered(query)
      ? html`<a class="button" href=${urlOf(pathOf(unfiltered(query)))}>Remove filter</a>`
      : html`<button type="button" class="button" onClick=${clearSearch}>Clear search</button>`
  }</div>`;

function NoneLikeThis({ query }) {
  const { unused_since: since } = query;
  const isOnly = since && !isFiltered({ ...query, unused_since: "" });
  return html`<div class="state">
    <h2>${isOnly ? "No unused links" : "No links with this filter"}</h2>
    ${isOnly && html`<p>Every link from before ${utcDay(since)} was clicked since.</p>`}
    <a class="button" href=${urlOf(pathOf(unfiltered(query)))}>Remove filter</a></div>`;
}

// Actions has everything that can be done with a row.
function Actions({ link, anchor, rows, onDialog }) {
  const key = keyOf(link),
    leads = webURL(link.original_url);
  const items = [
    mayEdit() && { icon: "edit", label: "Edit", onChoose: () => onDialog({ kind: "edit", link }) },
    { icon: "copy", label: "Copy link", onChoose: () => copyLink(link) },
    { icon: "qr", label: "QR code", onChoose: () => onDialog({ kind: "qr", link }) },
    ...(leads ? [{ icon: "open", label: "Open destination", href: leads.href }] : []),
    mayEdit() && {
      icon: "share",
      label: "Share statistics",
      onChoose: () => onDialog({ kind: "share", link }),
    },
    ...(mayEdit()
      ? [
          { icon: "add", label: "Duplicate", onChoose: () => duplicate(link) },
          {
            icon: "done",
            label: "Select",
            onChoose: () => selected.get().has(key) || toggle(link, rows),
          },
          {
            icon: "archive",
            label: link.archived ? "Unarchive" : "Archive",
            onChoose: () => onArchive(link),
          },
          null,
          { icon: "remove", label: "Delete", onChoose: () => onRemove(link) },
        ]
      : []),
  ].filter((item) => item !== false);
  return html`<${Menu} anchor=${anchor} label=${`Actions for ${key}`}
    items=${items}
    onClose=${() => onDialog(null)} />`;
}
