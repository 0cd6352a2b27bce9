// The page of all links.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { connection } from "./api.js";
import { Create, focusCreate } from "./create.js";
import { failed, isDeleted, remove, waiting } from "./deletions.js";
import { ago, count, dateTime, plural, shortHost, shortURL, visible, webURL } from "./format.js";
import { html } from "./html.js";
import { QR, warm } from "./lazy.js";
import { isFull, left, list, more, open, refresh, retry, scroll } from "./list.js";
import { drawn, want } from "./recent.js";
import { address, go, place } from "./router.js";
import { useStore } from "./store.js";
import { Command, CopyButton, Dialog, Icon, IconButton, Trouble, URLText, copy, say, tell,
  useKeys } from "./ui.js";

const narrow = matchMedia("(max-width: 720px)");
// what can be done with a row is in a sheet, as in style.css
const touch = matchMedia("(hover: none), (pointer: coarse), (max-width: 720px)");
const rowHeight = () => (narrow.matches ? 68 : 48); // as in style.css
const around = 4; // rows that are drawn above and below what can be seen
const covered = 56; // by the page's header, and a little more below
const sorts = [["newest", "Newest"], ["oldest", "Oldest"], ["clicks", "Most clicks"]];
const searchable = 200; // characters that the API searches for

async function copyLink({ short_code: code }) {
  tell((await copy(shortURL(code))) ? `Copied ${shortHost}/${code}` : "Couldn't copy");
}

function onRemove(link) {
  if (remove(link)) say(`Deleted ${link.short_code}. Press Z to undo.`);
  else tell("Too many deletes at once. Wait ten seconds.");
}

export function Links() {
  const { query } = useStore(place);
  const state = useStore(list);
  const pending = useStore(waiting), refused = useStore(failed);
  const [dialog, setDialog] = useState(null); // {kind: "qr" | "actions", link}
  const search = [...(query.get("search") ?? "")].slice(0, searchable).join("").trim();
  const sort = sorts.some(([name]) => name === query.get("sort")) ? query.get("sort") : "newest";
  const isHere = state.loaded && state.search === search && state.sort === sort; // as it was left
  const rows = useMemo(() => {
    const isPinned = new Set(state.pinned.map((row) => row.short_code));
    return [...state.pinned, ...state.rows.filter((row) => !isPinned.has(row.short_code))]
      .filter((row) => !isDeleted(row.short_code));
  }, [state.rows, state.pinned, pending, refused]);
  const total = state.total - state.rows.filter((row) => isDeleted(row.short_code)).length;
  const [active, setActive] = useActive(rows, isHere ? left.code : "");

  useLayoutEffect(() => {
    document.title = "Links · terse";
    scrollTo(0, scroll.y);
    const keep = () => { scroll.y = scrollY; };
    addEventListener("scroll", keep, { passive: true });
    return () => removeEventListener("scroll", keep);
  }, []);
  useComingBack(refresh);
  useLayoutEffect(() => { // before the first paint, which need not be waited for
    if (isHere) refresh();
    else open(search, sort);
    if (!isHere) setActive(-1);
    left.href = address("/ui/", { search, sort: sort === "newest" ? "" : sort });
  }, [search, sort]);
  useEffect(() =>
    connection.watch((value) => value === "up" && list.get().phase === "error" && retry()), []);

  const step = (by) => {
    if (rows.length) setActive(Math.min(rows.length - 1, Math.max(0, active + by)));
  };
  // a held key acts once
  const withActive = (act) => (event) => (rows[active] ? event.repeat || act(rows[active]) : false);
  useKeys({
    n: focusCreate,
    "/": () => document.getElementById("search").focus(),
    j: () => step(1),
    k: () => step(-1),
    c: withActive((link) => copyLink(link)),
    q: withActive((link) => setDialog({ kind: "qr", link })),
    Delete: withActive(onRemove),
    Escape: () => {
      document.activeElement.blur();
      setActive(-1);
    },
  });

  return html`<main class="page" id="main">
    <h1 class="unseen">Links</h1>
    <${Create} onQR=${(code) => setDialog({ kind: "qr", link: { short_code: code } })} />
    <${Toolbar} search=${search} sort=${sort} state=${state} total=${total} />
    <${Rows} state=${state} rows=${rows} search=${search} active=${active} setActive=${setActive}
      onDialog=${setDialog} />
    ${dialog?.kind === "qr"
      && html`<${QR} code=${dialog.link.short_code} onClose=${() => setDialog(null)} />`}
    ${dialog?.kind === "actions" && html`<${Actions} link=${dialog.link} onDialog=${setDialog} />`}
  </main>`;
}

// useActive is useState for the index of the row that the keyboard acts on. It follows its link
// when rows come in above; when the link is deleted, the next one takes its place.
function useActive(rows, initial) {
  const [{ index, code }, set] =
    useState(() => ({ index: rows.findIndex((row) => row.short_code === initial), code: initial }));
  const active = useMemo(() => {
    if (index < 0 || rows[index]?.short_code === code) return index;
    const now = rows.findIndex((row) => row.short_code === code);
    return now < 0 ? index : now;
  }, [rows, index, code]);
  const setActive = (to) => set((old) => {
    const next = { index: to, code: rows[to]?.short_code ?? "" };
    return old.index === next.index && old.code === next.code ? old : next;
  });
  useLayoutEffect(() => setActive(active), [active, rows]);
  return [active, setActive];
}

// useComingBack calls look when the reader comes back from another window or tab.
function useComingBack(look) {
  useEffect(() => {
    let away = false;
    const leave = () => { away = true; };
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

function Toolbar({ search, sort, state, total }) {
  const [text, setText] = useState(search);
  const sent = useRef(search);
  useEffect(() => {
    if (search !== sent.current) setText(search); // it came from the address
    sent.current = search;
  }, [search]);
  const ask = (value, query = { sort: sort === "newest" ? "" : sort }) => {
    sent.current = [...value].slice(0, searchable).join("").trim();
    go(address("/ui/", { search: sent.current, ...query }), { replace: true });
  };
  const type = (value) => {
    setText(value);
    ask(value); // at once: the answer takes less time than to wait for the next key
  };
  const escape = (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    if (text) type("");
    else event.target.blur();
  };
  const order = (event) =>
    ask(text, { sort: event.target.value === "newest" ? "" : event.target.value });
  const amount = state.isLowerBound ? `${count(total)}+ matches` : search
    ? plural(total, "match", "matches") : plural(total, "link", "links");
  return html`<div class="toolbar" role="search">
    <div class="search"><${Icon} name="search" />
      <input id="search" type="search" class="field" aria-label="Search links"
        placeholder="Search links" autocomplete="off" spellcheck=${false}
        value=${text} onInput=${(e) => type(e.target.value)} onKeyDown=${escape} />
      <kbd aria-hidden="true">/</kbd></div>
    <label class="sort"><span class="unseen">Sort</span>
      <select class="field" value=${sort} onChange=${order}>
        ${sorts.map(([name, label]) => html`<option value=${name}>${label}</option>`)}</select>
    </label>
    <p class="amount" role="status">${state.loaded ? amount : ""}</p>
  </div>`;
}

// useWindow returns the first row to be drawn and how many, for a list of n rows that scrolls with
// the page.
function useWindow(ref, n) {
  const measure = () => {
    const height = rowHeight(), bySheet = touch.matches;
    const above = ref.current ? -ref.current.getBoundingClientRect().top : 0;
    const first = Math.max(0, Math.floor(above / height) - around);
    return { height, bySheet, first: first - (first % 4),
      size: Math.ceil(innerHeight / height) + 2 * around + 4 };
  };
  const [shown, setShown] = useState(measure);
  useEffect(() => {
    const look = () => setShown((old) => {
      const now = measure();
      return now.first === old.first && now.size === old.size && now.height === old.height
        && now.bySheet === old.bySheet ? old : now;
    });
    if (ref.current) look(); // to measure a skeleton would have it laid out for nothing
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    touch.addEventListener("change", look);
    return () => {
      touch.removeEventListener("change", look);
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, [n === 0]);
  return shown;
}

function Rows({ state, rows, search, active, setActive, onDialog }) {
  const ref = useRef();
  const { height, bySheet, first, size } = useWindow(ref, rows.length);
  const end = Math.min(rows.length, first + size);
  useEffect(() => {
    // what failed, or found nothing, waits for the reader
    if (state.phase === "ready" && end > rows.length - 40) more();
  }, [end, rows.length, state.phase]);
  useAnchor(ref, rows, height);
  const shapes = useStore(drawn);
  useEffect(() => want(rows.slice(first, end)), [first, end, rows, shapes]);
  const before = useRef({ active, code: "" });
  useLayoutEffect(() => {
    const code = rows[active]?.short_code, isMove = before.current.active !== active,
      isSame = before.current.code === code;
    before.current = { active, code };
    if (isSame || active < 0 || !ref.current
      || ref.current.querySelector(":focus")?.closest(`[data-index="${active}"]`)) return;
    // else what had the focus was deleted, and the next one gets it
    if (!isMove && document.activeElement !== document.body) return;
    const top = ref.current.getBoundingClientRect().top + active * height;
    if (top < covered) scrollBy(0, top - covered - 8);
    else if (top + height > innerHeight) scrollBy(0, top + height - innerHeight + 8);
    ref.current.querySelector(`[data-index="${active}"] .row-link`)?.focus({ preventScroll: true });
  }, [active, rows[active]?.short_code]);

  const { pinned, fresh } = state;
  // The same rows as before are the same objects, which are not rendered again.
  // it keeps the focus
  const apart = active >= 0 && active < rows.length && (active < first || active >= end)
    ? active : -1;
  const setSize = state.next ? -1 : rows.length;
  const shown = useMemo(() => {
    const row = (i) => html`<${Row} key=${rows[i].short_code} link=${rows[i]} index=${i}
      top=${i * height} size=${setSize} flash=${rows[i].short_code === fresh}
      isPinned=${pinned.includes(rows[i])} bySheet=${bySheet}
      shape=${rows[i].click_count > 0 && shapes.get(rows[i].short_code)} onFocus=${setActive}
      onDialog=${onDialog} />`;
    const all = [];
    if (apart >= 0 && apart < first) all.push(row(apart));
    for (let i = first; i < end; i++) all.push(row(i));
    if (apart >= end) all.push(row(apart));
    return all;
  }, [rows, first, end, apart, height, bySheet, setSize, fresh, shapes]);

  if (!state.loaded && state.phase === "error") return html`<${Trouble} title="Couldn't load links"
    message=${state.error.message} onRetry=${retry} />`;
  if (!state.loaded) return html`<${Skeleton} rows=${8} />`;
  if (rows.length === 0 && state.phase === "ready") return search
    ? html`<${NoMatch} search=${search} />` : html`<${Empty} />`;

  return html`<${Head} />
    <ul class="rows" ref=${ref} aria-label="Links" style=${{ height: `${rows.length * height}px` }}
      aria-busy=${state.phase === "loading"}>
      ${shown}
    </ul>
    <${Foot} state=${state} search=${search} />`;
}

// useAnchor keeps what the reader sees in place while rows come and go above it.
function useAnchor(ref, rows, height) {
  const seen = useRef({ index: -1, code: "" }); // the first row in sight, and its link
  useLayoutEffect(() => {
    const { index, code } = seen.current;
    if (index <= 0 || !ref.current || rows[index]?.short_code === code) return;
    const now = rows.findIndex((row) => row.short_code === code);
    if (now >= 0) scrollBy(0, (now - index) * height);
  }, [rows]);
  useEffect(() => {
    const look = () => {
      const index = ref.current
        ? Math.ceil((covered - ref.current.getBoundingClientRect().top) / height) : -1;
      seen.current = { index, code: rows[index]?.short_code };
    };
    look();
    addEventListener("scroll", look, { passive: true });
    return () => removeEventListener("scroll", look);
  }, [rows, height]);
}

const Head = () => html`<div class="row-head" aria-hidden="true"><span>Link</span>
  <span>Destination</span><span class="end">Created</span>
  <span title="Clicks a day, each link to its own scale">Last 30 days</span>
  <span class="end">Clicks</span></div>`;

function Row({ link, index, top, size, flash, isPinned, bySheet, shape, onFocus, onDialog }) {
  const { short_code: code, original_url: url } = link;
  const leads = webURL(url);
  // The exact time, and all of the URL, for those who wonder. To format times takes the first row
  // milliseconds.
  const explain = (event) => {
    warm();
    const shown = event.currentTarget.querySelector(".row-link");
    shown.title = `${visible(url)}\n${dateTime(new Date(link.created_at))}`;
  };
  const actions = () => onDialog({ kind: "actions", link });
  // A finger on a screen that a mouse can be used with, too, does not see what it would hit.
  const ask = (event) => {
    if (event.pointerType !== "touch") return;
    event.preventDefault();
    event.stopPropagation();
    actions();
  };
  return html`<li class="row" data-index=${index} data-flash=${flash} style=${{ top: `${top}px` }}
    aria-setsize=${size} aria-posinset=${index + 1} onFocusIn=${() => onFocus(index)}
    onPointerEnter=${explain}>
    <span class="row-code"><a class="row-link mono" href=${`/ui/links/${code}`}
      aria-label=${`View ${code}`} onClick=${() => { left.code = code; }}>${code}</a>
      <${CopyButton} text=${shortURL(code)} label=${`Copy ${shortHost}/${code}`} />
      ${isPinned && html`<span class="badge">New</span>`}</span>
    <span class="row-url"><${URLText} url=${url} /></span>
    ${bySheet
      ? html`<${IconButton} icon="more" class="row-more" label=${`Actions for ${code}`}
        onClick=${actions} />`
      : html`<span class="row-actions" onClickCapture=${ask}>
        <${IconButton} icon="qr" label=${`QR code for ${code}`}
          onClick=${() => onDialog({ kind: "qr", link })} />
        ${leads && html`<a class="icon-button" href=${leads.href} target="_blank"
          rel="noreferrer noopener" aria-label=${`Open destination of ${code}`}
          title="Open destination"><${Icon} name="open" /></a>`}
        <${IconButton} icon="remove" label=${`Delete ${code}`} onClick=${() => onRemove(link)} />
      </span>`}
    <time class="row-time quiet" datetime=${link.created_at}>
      ${ago(new Date(link.created_at))}</time>
    ${shape && html`<svg class="row-recent" viewBox="0 0 90 20" aria-hidden="true">
      <path d=${shape} /></svg>`}
    <span class="row-clicks"><span class="unseen">clicks: </span>${count(link.click_count)}</span>
  </li>`;
}

function Foot({ state, search }) {
  if (state.phase === "error") return html`<div class="foot" role="alert">
    <p>${state.error.message}</p><button type="button" class="button"
      onClick=${retry}>Try again</button></div>`;
  if (state.phase === "paused") return html`<div class="foot">
    <p>${state.rows.length ? "No more matches so far." : "No matches yet."}</p>
    <button type="button" class="button" onClick=${more}>Keep searching</button></div>`;
  if (isFull(state) && state.next) return html`<div class="foot">
    <p>Showing the first ${count(state.rows.length)}. Search or sort to find others.</p></div>`;
  if (state.next || state.phase === "more") return html`<${Skeleton}
    rows=${search && !state.rows.length ? 8 : 3} bare=${true} />`;
  return null;
}

const Skeleton = ({ rows, bare }) => html`${!bare && html`<${Head} />`}
  <div class="rows-skeleton" role="status" aria-label="Loading links">
  ${Array.from({ length: rows },
    (_, i) => html`<div class="row" key=${i}><i class="bone" data-size=${i % 3} />
      <i class="bone wide" data-size=${(i + 1) % 3} /><i class="bone small" /></div>`)}
</div>`;

const Empty = () => html`<div class="state"><h2>No links yet</h2>
  <p>Paste a long URL above and press Enter. Or from a terminal:</p>
  <${Command} line=${'curl -H "Authorization: Bearer $TERSE_TOKEN"'
    + ` -d '{"original_url":"https://example.com/"}' ${location.origin}/api/urls`} /></div>`;

const NoMatch = ({ search }) => html`<div class="state"><h2>No matches for "${visible(search)}"</h2>
  <button type="button" class="button" onClick=${() => {
    go("/ui/", { replace: true });
    document.getElementById("search").focus();
  }}>Clear search</button></div>`;

// Actions are what the row of a wide screen has buttons for.
function Actions({ link, onDialog }) {
  const { short_code: code, original_url: url } = link;
  const close = () => onDialog(null);
  const leads = webURL(url);
  return html`<${Dialog} label=${`Actions for ${code}`} class="sheet" onClose=${close}>
    <p class="sheet-title"><b class="mono">${shortHost}/${code}</b>
      <span><${URLText} url=${url} /></span></p>
    <button type="button" class="sheet-item" onClick=${() => copyLink(link).then(close)}>
      <${Icon} name="copy" />Copy link</button>
    <button type="button" class="sheet-item" onClick=${() => onDialog({ kind: "qr", link })}>
      <${Icon} name="qr" />QR code</button>
    ${leads && html`<a class="sheet-item" href=${leads.href} target="_blank"
      rel="noreferrer noopener" onClick=${close}><${Icon} name="open" />Open destination</a>`}
    <button type="button" class="sheet-item danger" onClick=${() => { close(); onRemove(link); }}>
      <${Icon} name="remove" />Delete</button>
    <button type="button" class="sheet-item" onClick=${close}>
      <${Icon} name="close" />Cancel</button>
  <//>`;
}
