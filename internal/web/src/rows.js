// The rows of the list: which are drawn, and their contents.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import {
  count,
  dateTime,
  day,
  hostOf,
  keyOf,
  plural,
  shortOf,
  urlOf,
  urlOfKey,
  visible,
} from "./format.js";
import { Unserved } from "./domains.js";
import { html } from "./html.js";
import { left, more } from "./list.js";
import { everybody, isMine, linkPage, mayEdit, me } from "./me.js";
import { drawn, want } from "./recent.js";
import { states } from "./record.js";
import { choosing, selected, toggle, toggleAll } from "./selection.js";
import { useStore } from "./store.js";
import { Tags } from "./tags.js";
import { CopyButton, Icon, IconButton, URLText } from "./ui.js";
import { clicksOf, comingEnd } from "./words.js";

const narrow = matchMedia("(max-width: 720px)");
// a row's actions are in a sheet, as in style/
const touch = matchMedia("(hover: none), (pointer: coarse), (max-width: 720px)");
const tight = matchMedia("(max-width: 1000px)"); // titles want the room of a second tag
const rowHeight = () => (narrow.matches ? 68 : 56); // as in style/
const extraRows = 4; // rows drawn above and below the visible ones
const coveredPx = 56; // by the page's header, plus a margin

// useWindow returns the first row to draw and how many, for a list of n rows that scrolls with the
// page.
function useWindow(ref, n) {
  const measure = () => {
    const height = rowHeight(),
      bySheet = touch.matches,
      tags = bySheet || tight.matches ? 1 : 2;
    const above = ref.current ? -ref.current.getBoundingClientRect().top : 0;
    const first = Math.max(0, Math.floor(above / height) - extraRows);
    return {
      height,
      bySheet,
      tags,
      first: first - (first % 4),
      size: Math.ceil(innerHeight / height) + 2 * extraRows + 4,
    };
  };
  const [shown, setShown] = useState(measure);
  useEffect(() => {
    const look = () =>
      setShown((old) => {
        const now = measure();
        return now.first === old.first &&
          now.size === old.size &&
          now.height === old.height &&
          now.bySheet === old.bySheet &&
          now.tags === old.tags
          ? old
          : now;
      });
    if (ref.current) look(); // measuring a skeleton would cause a useless layout
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

export function Rows({ state, rows, active, setActive, onDialog }) {
  const ref = useRef();
  const { height, bySheet, tags, first, size } = useWindow(ref, rows.length);
  const end = Math.min(rows.length, first + size);
  const { pinned, fresh, query, bots, period } = state;
  useEffect(() => {
    // after an error or an empty result, wait for the reader
    if (state.phase === "ready" && end > rows.length - 40) more();
  }, [end, rows.length, state.phase]);
  useAnchor(ref, rows, height);
  useFocus(ref, rows, active, height);
  const shapes = useStore(drawn),
    chosen = useStore(selected),
    isChoosing = useStore(choosing);
  const who = useStore(me),
    { owner } = query,
    canChoose = mayEdit(who);
  useEffect(() => want(rows.slice(first, end), bots, owner), [first, end, rows, shapes, owner]);

  const choose = (link, range) => toggle(link, rows, range);
  // The active row stays in the document while it is out of sight, to keep the focus.
  const apart =
    active >= 0 && active < rows.length && (active < first || active >= end) ? active : -1;
  const setSize = state.next ? -1 : rows.length;
  // Unchanged rows are the same objects as before, so they are not rendered again.
  const shown = useMemo(() => {
    const row = (i) => html`<${Row} key=${keyOf(rows[i])} link=${rows[i]} index=${i}
      top=${i * height} size=${setSize} flash=${keyOf(rows[i]) === fresh}
      isPinned=${pinned.includes(rows[i])} bySheet=${bySheet} tags=${tags}
      boxed=${canChoose && (!bySheet || isChoosing)} editable=${canChoose}
      chosen=${chosen.has(keyOf(rows[i]))}
      clicks=${clicksOf(rows[i], bots, period)} wanted=${query.tag}
      owner=${owner === everybody && (isMine(rows[i], who) ? "You" : rows[i].created_by)}
      onChoose=${choose}
      days=${clicksOf(rows[i], bots) > 0 && shapes.get(keyOf(rows[i]))}
      onFocus=${setActive} onDialog=${onDialog} />`;
    const all = [];
    if (apart >= 0 && apart < first) all.push(row(apart));
    for (let i = first; i < end; i++) all.push(row(i));
    if (apart >= end) all.push(row(apart));
    return all;
  }, [
    rows,
    first,
    end,
    apart,
    height,
    bySheet,
    tags,
    setSize,
    fresh,
    shapes,
    chosen,
    isChoosing,
    query,
    bots,
    period,
    who,
  ]);

  return html`<${Head} rows=${rows} bots=${bots} period=${period} />
    <ul class="rows" ref=${ref} aria-label="Links" style=${{ height: `${rows.length * height}px` }}
      data-choosing=${isChoosing} aria-busy=${state.phase === "loading"}>
      ${shown}
    </ul>`;
}

// useFocus moves the focus to the active row when the keyboard chose another one, or when the
// focused row was deleted and the next one took its place.
function useFocus(ref, rows, active, height) {
  const key = rows[active] && keyOf(rows[active]);
  const before = useRef({ active, key: "" });
  useLayoutEffect(() => {
    const isMove = before.current.active !== active,
      isSame = before.current.key === key;
    before.current = { active, key };
    if (isSame || active < 0 || !ref.current) return;
    if (ref.current.querySelector(":focus")?.closest(`[data-index="${active}"]`)) return;
    if (!isMove && document.activeElement !== document.body) return; // the reader is elsewhere
    const top = ref.current.getBoundingClientRect().top + active * height;
    if (top < coveredPx) scrollBy(0, top - coveredPx - 8);
    else if (top + height > innerHeight) scrollBy(0, top + height - innerHeight + 8);
    ref.current.querySelector(`[data-index="${active}"] .row-link`)?.focus({ preventScroll: true });
  }, [active, key]);
}

// useAnchor keeps the visible rows in place while rows come and go above them.
function useAnchor(ref, rows, height) {
  const seen = useRef({ index: -1, key: "" }); // the first row in sight, and its link
  useLayoutEffect(() => {
    const { index, key } = seen.current;
    const isIt = (row) => Boolean(row) && keyOf(row) === key;
    if (index <= 0 || !ref.current || isIt(rows[index])) return;
    const now = rows.findIndex(isIt);
    if (now >= 0) scrollBy(0, (now - index) * height);
  }, [rows]);
  useEffect(() => {
    const look = () => {
      const index = ref.current
        ? Math.ceil((coveredPx - ref.current.getBoundingClientRect().top) / height)
        : -1;
      seen.current = { index, key: rows[index] && keyOf(rows[index]) };
    };
    look();
    addEventListener("scroll", look, { passive: true });
    return () => removeEventListener("scroll", look);
  }, [rows, height]);
}

// Head gets no rows while the first page is loading.
export function Head({ rows, bots, period }) {
  const chosen = useStore(selected).size;
  const canChoose = mayEdit(useStore(me));
  const box =
    rows &&
    canChoose &&
    html`<input type="checkbox" aria-label="Select all links that are shown"
    checked=${chosen > 0 && chosen >= rows.length} indeterminate=${
      chosen > 0 && chosen < rows.length
    } onChange=${() => toggleAll(rows)} />`;
  return html`<div class="row-head"><span class="row-check">${box}</span>
    <span aria-hidden="true">Link</span>
    <span class="row-time" aria-hidden="true">Created</span>
    <span class="row-recent" aria-hidden="true" title="Clicks a day, each link to its own scale">
      Last 30 days</span>
    <span class="row-clicks" aria-hidden="true">${headingOf(bots, period)}</span>
    </div>`;
}

const periods = { "24h": "24 hours", "7d": "7 days", "30d": "30 days" };

// headingOf is short: on a tablet it has two lines of ten characters.
const headingOf = (bots, period) =>
  period
    ? `${bots ? "With bots," : "Clicks in"} ${periods[period]}`
    : bots
      ? "Clicks with bots"
      : "Clicks";

function Row({
  link,
  index,
  top,
  size,
  flash,
  isPinned,
  bySheet,
  tags,
  boxed,
  editable,
  chosen,
  clicks,
  wanted,
  owner,
  days,
  onFocus,
  onDialog,
  onChoose,
}) {
  const { short_code: code, domain, original_url: url, title, status, aliases = [] } = link;
  const key = keyOf(link);
  // The exact time and the whole URL as a tooltip. Formatting the first time takes milliseconds, so
  // it is done on demand.
  const explain = (event) => {
    const shown = event.currentTarget.querySelector(".row-link");
    shown.title = `${visible(url)}\n${dateTime(new Date(link.created_at))}`;
  };
  // What has a tooltip of its own lies above the row's link, and opens it nevertheless.
  const follow = (event) => event.currentTarget.closest(".row").querySelector(".row-link").click();
  const actions = (anchor) => onDialog({ kind: "actions", link, anchor });
  // A finger on a screen that also has a mouse gets everything in one place.
  const ask = (event) => {
    if (event.pointerType !== "touch") return;
    event.preventDefault();
    event.stopPropagation();
    actions(event.currentTarget.querySelector("button:last-child"));
  };
  const badges = html`${isPinned && html`<span class="badge">New</span>`}
    <${Unserved} domain=${domain}>
      ${(text) => html`<span class="state-badge">${text}</span>`}<//>
    ${link.archived && html`<span class="state-badge">Archived</span>`}
    ${link.blocked && html`<span class="state-badge">Blocked</span>`}
    ${states[status] && html`<span class="state-badge">${states[status]}</span>`}
    <${Marks} link=${link} onClick=${follow} />`;
  const name = html`<span class="row-code mono"><span class="row-host host-part quiet"
      data-other=${domain && true}><span>${hostOf(domain)}</span>/</span><a
    class="row-link code-part" href=${urlOf(linkPage(key, link.created_by))}
    aria-label=${`View ${key}`}
    onClick=${() => {
      left.key = key;
    }}>${code}</a></span>`;
  const more = aliases.length > 0 && html`<${More} link=${link} onClick=${follow} />`;
  const leads = html`<span class="row-arrow quiet" aria-hidden="true">→</span>
    <span class="row-url"><${URLText} url=${url} /></span>
    ${
      owner &&
      html`<span class="row-owner"><span class="unseen">owner: </span><bdi>${visible(owner)}</bdi>
      </span>`
    }`;
  return html`<li class="row" data-index=${index} data-flash=${flash} style=${{ top: `${top}px` }}
    aria-setsize=${size} aria-posinset=${index + 1} onFocusIn=${() => onFocus(index)}
    onPointerEnter=${explain} data-chosen=${chosen}>
    ${
      boxed &&
      html`<label class="row-check"><input type="checkbox" aria-label=${`Select ${key}`}
      checked=${chosen} onClick=${(e) => onChoose(link, e.shiftKey)} /></label>`
    }
    <span class="row-what">
      <span class="row-first">${
        title
          ? html`<span class="row-title"><bdi>${visible(title)}</bdi></span>`
          : html`${name}${more}`
      }${badges}</span>
      <span class="row-second">${title && html`${name}${more}`}${leads}</span></span>
    <${Tags} tags=${sorted(link.tags, wanted)} most=${tags} plain=${bySheet}
      class="row-tags" />
    <time class="row-time quiet" datetime=${link.created_at}>
      ${day(new Date(link.created_at))}</time>
    ${
      days &&
      html`<span class="row-recent" title=${inWords(days)} onClick=${follow}>
      <svg viewBox="0 0 90 20" aria-hidden="true"><path d=${days.path} /></svg></span>`
    }
    <span class="row-clicks"><span class="unseen">clicks: </span>${count(clicks)}</span>
    <span class="row-actions" onClickCapture=${ask}>
      ${
        !bySheet &&
        html`${
          editable &&
          html`<${IconButton} icon="edit" label=${`Edit ${key}`}
          onClick=${() => onDialog({ kind: "edit", link })} />`
        }
        <${CopyButton} text=${urlOfKey(key)} label=${`Copy ${shortOf(key)}`} />`
      }
      <${IconButton} icon="more" label=${`Actions for ${key}`} aria-haspopup="menu"
        onClick=${(event) => actions(event.currentTarget)} /></span>
  </li>`;
}

// More says that a link has aliases.
const More = ({
  link: { aliases, domain },
  onClick,
}) => html`<span class="row-more quiet" onClick=${onClick}
  title=${aliases.map((alias) => `${hostOf(domain)}/${visible(alias)}`).join("\n")}>
  +${aliases.length}<span class="row-more-what">${" "}
    ${aliases.length === 1 ? "address" : "addresses"}</span></span>`;

// sorted puts the tags that the list is filtered by before the others.
function sorted(tags = [], wanted) {
  if (!wanted.length) return tags;
  const isWanted = (tag) => wanted.some((other) => other.toLowerCase() === tag.toLowerCase());
  return [...tags.filter(isWanted), ...tags.filter((tag) => !isWanted(tag))];
}

const inWords = ({ total, most }) =>
  `${plural(total, "click", "clicks")} in 30 days, at most ${count(most)} a day`;

// Marks are for what a visitor may run into.
function Marks({ link, onClick }) {
  const { password, rules, status } = link;
  const end = !states[status] && comingEnd(link);
  if (!password && !rules?.length && !end) return null;
  return html`<span class="row-marks quiet" onClick=${onClick}>
    ${password && html`<${Mark} icon="lock" name="Password" />`}
    ${
      rules?.length > 0 &&
      html`<${Mark} icon="rules" name=${plural(rules.length, "rule", "rules")} />`
    }
    ${end && html`<${Mark} icon="clock" name=${end} />`}</span>`;
}

const Mark = ({ icon, name }) =>
  html`<span role="img" aria-label=${name} title=${name}><${Icon} name=${icon} /></span>`;

export const Skeleton = ({ rows, bare, bots }) => html`${!bare && html`<${Head} bots=${bots} />`}
  <div class="rows-skeleton" role="status" aria-label="Loading links">
  ${Array.from(
    { length: rows },
    (_, i) => html`<div class="row" key=${i}><span class="row-what">
      <i class="bone" data-size=${i % 3} /><i class="bone wide" data-size=${(i + 1) % 3} /></span>
      <span class="row-clicks"><i class="bone small" /></span></div>`,
  )}
</div>`;
