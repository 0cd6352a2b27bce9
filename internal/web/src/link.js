// The page of a link: its properties and its clicks.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { request } from "./api.js";
import { useClicks } from "./clicks.js";
import { isDeleted, remove } from "./deletions.js";
import { useUnserved } from "./domains.js";
import {
  dateTime,
  defaultHost,
  isSeveral,
  keyOf,
  partsOf,
  shortOf,
  urlOf,
  urlOfKey,
  visible,
} from "./format.js";
import { History } from "./history.js";
import { html } from "./html.js";
import { Folded, LinkHead } from "./linkhead.js";
import { Clear, LinkMenu } from "./linkmenu.js";
import { Waiting } from "./lazy.js";
import { left, rowOf } from "./list.js";
import { apiPath, everybody, isMine, mayEdit, me, ownerOf, readsAll, whose } from "./me.js";
import { inWords } from "./measure.js";
import { useNarrow } from "./menu.js";
import { own } from "./own.js";
import { EditLink, Give, QR, Sharing } from "./parts.js";
import { nameOf } from "./range.js";
import { load, opened, save } from "./record.js";
import { address, go } from "./router.js";
import { Stats, Try, tryTitle } from "./stats.js";
import { useStore } from "./store.js";
import { aborted, connection } from "./transport.js";
import { Trouble, copy, say, tell, useKeys } from "./ui.js";
import { useView } from "./view.js";

const headerPx = 53; // as in style/

// useLink returns the link with a key, the error if it can't be loaded, and a function that
// reloads it. Data from the list is available at once.
function useLink(key, owner) {
  const link = useStore(opened);
  const [error, setError] = useState(null);
  const [turn, setTurn] = useState(0);
  const isIt = (one) => Boolean(one) && keyOf(one) === key;
  useLayoutEffect(() => {
    const controller = new AbortController();
    let isGone = false;
    const look = async () => {
      if (isGone) return;
      try {
        const found = await load(key, controller.signal);
        setError(null);
        opened.set(found);
      } catch (problem) {
        if (aborted(problem)) return;
        isGone = problem.status === 404;
        setError(problem);
      }
    };
    if (!isIt(opened.get())) opened.set(rowOf(key) ?? null);
    look();
    addEventListener("focus", look); // others may have changed it
    const stop = connection.watch((value) => value === "up" && look());
    return () => {
      stop();
      removeEventListener("focus", look);
      controller.abort();
    };
  }, [key, owner, turn]);
  return [isIt(link) ? link : null, error, () => setTurn(turn + 1)];
}

const restMs = 30e3; // between two looks for the last click

// useLastClick reloads the link when clicks were counted: the first one at once.
function useLastClick(link, total, reload) {
  const asked = useRef(Date.now());
  const isMissing = Boolean(link?.etag && !link.last_clicked_at && total > 0);
  useEffect(() => {
    if (!isMissing && Date.now() - asked.current < restMs) return;
    asked.current = Date.now();
    reload();
  }, [total, isMissing]);
}

export function LinkPage({ of: key }) {
  // "edit", "share", "clear", {qr: an address}, or the menu's button
  const [dialog, setDialog] = useState("");
  const view = useView();
  const isNarrow = useNarrow();
  const [link, error, retry] = useLink(key, view.owner);
  const { code, domain } = partsOf(key);
  const path = apiPath(code); // the view has the domain
  const source = { ...own(code, `${path}/clicks`, view.owner), events: `${path}/events` };
  const clicks = useClicks(source, view);
  const isUnserved = useUnserved(domain);
  useLastClick(link, clicks.data?.total_clicks, retry);
  const who = useStore(me),
    editable = mayEdit(who);
  const isOthers = error?.status === 403 && !view.owner && readsAll(who);
  useEffect(() => {
    if (isOthers) view.setOwner(everybody, { replace: true });
  }, [isOthers]);
  useLayoutEffect(() => scrollTo(0, 0), []);
  useLayoutEffect(() => {
    document.title = `${key} · terse`;
  }, [key]);
  useEffect(() => {
    if (link?.title) document.title = `${visible(link.title)} · ${key} · terse`;
  }, [key, link?.title]);
  const drop = () => {
    if (!link) return;
    remove(link);
    say(`Deleted ${key}. Press Z to undo.`);
    go(left.path);
  };
  useKeys({
    q: () => setDialog({ qr: code }),
    e: () => (editable ? setDialog("edit") : false),
    c: async () => tell((await copy(urlOfKey(key))) ? `Copied ${shortOf(key)}` : "Couldn't copy"),
    Delete: () => (editable ? drop() : false),
  });
  const close = () => setDialog("");
  const give = async (owner) => {
    const given = await save(link, { owner }, `Given to ${owner}`);
    if (!isMine(given) && !whose()) view.setOwner(everybody, { replace: true });
  };
  const reload = () => {
    retry();
    clicks.reload();
  };
  if (isDeleted(key)) return html`<${Gone} of=${key} />`;
  if (error?.status === 404 || clicks.error?.status === 404) return html`<${Moved} of=${key} />`;
  return html`<main class="page" id="main">
    <${LinkHead} of=${key} link=${link} isWaiting=${!link && !error}
      isNarrow=${isNarrow} editable=${editable} view=${view} clicks=${clicks}
      onDialog=${setDialog} />
    <${InSight} view=${view} clicks=${clicks} />
    ${
      link && !isOthers
        ? html`<${Stats} source=${source} view=${view} clicks=${clicks}
        belowChart=${
          isNarrow &&
          html`<${Folded} link=${link} editable=${editable} view=${view} clicks=${clicks}
            onDialog=${setDialog} />`
        }
        nothingTitle=${isUnserved ? undefined : tryTitle}
        nothing=${
          isUnserved
            ? html`<p>Its domain is not served: visitors get a 404.</p>`
            : html`<${Try} of=${key} onQR=${() => setDialog({ qr: code })} />`
        }
        isNew=${(start) => Date.parse(link.created_at) >= start} />
      ${!isNarrow && html`<${History} link=${link} />`}`
        : error &&
          !isOthers &&
          html`<${Trouble} title="Couldn't load the link" message=${error.message}
        onRetry=${reload} />`
    }
    ${dialog.qr && html`<${QR} code=${dialog.qr} domain=${domain} onClose=${close} />`}
    ${dialog === "edit" && link && html`<${EditLink} of=${key} onClose=${close} />`}
    ${
      dialog instanceof Element &&
      link &&
      html`<${LinkMenu} link=${link} anchor=${dialog} onClose=${close} onChoose=${setDialog}
      onDelete=${drop} />`
    }
    ${
      dialog === "share" &&
      link &&
      html`<${Sharing} what=${link} owner=${ownerOf(link)} onClose=${close} />`
    }
    ${
      dialog === "give" && link && html`<${Give} links=${[link]} onClose=${close} onGive=${give} />`
    }
    ${dialog === "clear" && html`<${Clear} of=${key} onClose=${close} onCleared=${reload} />`}
  </main>`;
}

// InSight keeps range and numbers in sight on a phone, once they are scrolled away. It leads back
// to where they can be changed.
function InSight({ view, clicks: { data } }) {
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    const look = () => {
      const figures = document.querySelector(".figures");
      setAway(Boolean(figures) && figures.getBoundingClientRect().bottom < headerPx);
    };
    addEventListener("scroll", look, { passive: true });
    return () => removeEventListener("scroll", look);
  }, []);
  if (!isAway || !data) return null;
  const { preset, from, to } = view.range;
  const back = () => {
    const top = document.querySelector(".figures").getBoundingClientRect().top;
    scrollBy(0, top - headerPx - 8);
    document.querySelector('.ranges [aria-pressed="true"]')?.focus({ preventScroll: true });
  };
  return html`<button type="button" class="in-sight" onClick=${back}>
    <span class="quiet">${preset ? nameOf(preset) : `${dateTime(from)} to ${dateTime(to)}`}</span>
    <b>${inWords(view, data)}</b></button>`;
}

const maxLooks = 5; // requests for a link that may not exist: 500 matches, or 250,000 links
const fold = (text) => text.toLowerCase(); // a server may ignore case

// linkAt returns the key of the link that has an address as an alias, "" if none is found. The API
// finds links by codes, and by words.
async function linkAt(alias, domain, signal) {
  let cursor = "";
  for (let i = 0; i < maxLooks; i++) {
    const path = address("/api/urls", {
      search: alias,
      limit: 100,
      cursor,
      domain: domain || (isSeveral && defaultHost),
      owner: whose(),
    });
    const { urls, next_cursor: next } = await request("GET", path, { signal });
    const found = urls.find(({ aliases = [] }) => aliases.map(fold).includes(fold(alias)));
    if (found) return keyOf(found);
    if (!next) break;
    cursor = next;
  }
  return "";
}

// Moved leads to the link that has the code as an alias now, if there is one.
function Moved({ of: key }) {
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    const { domain, code } = partsOf(key);
    linkAt(code, domain, controller.signal).then(
      (found) =>
        found
          ? go(`/ui/links/${partsOf(found).code}${location.search}`, { replace: true })
          : setGone(true),
      (problem) => aborted(problem) || setGone(true),
    );
    return () => controller.abort();
  }, [key]);
  return isGone ? html`<${Gone} of=${key} />` : html`<${Waiting} />`;
}

const Gone = ({ of: key }) => html`<main class="page" id="main"><div class="state">
  <h1>Link not found</h1><p>"${key}" doesn't exist or was deleted.</p>
  <a class="button" href=${urlOf(left.path)}>Back to links</a></div></main>`;
