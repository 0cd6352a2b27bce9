// The dashboard: the frame around its pages, and the choice of the page.
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import {
  goToProvider,
  isBack,
  learnMe,
  lookForSession,
  minTokenChars,
  session,
  shortToken,
} from "./api.js";
import { Away, Theme } from "./around.js";
import { failed, flush, undo, undoAll, waiting } from "./deletions.js";
import { baseURL, domainOf, isGuessed, keyOf, plural, urlOf } from "./format.js";
import { Account } from "./account.js";
import { html } from "./html.js";
import { Waiting, arrived, lazy, part } from "./lazy.js";
import { Links } from "./links.js";
import { me, readsAll, seesMissed, whose } from "./me.js";
import { Help } from "./parts.js";
import { firstKey } from "./record.js";
import { address, go, place } from "./router.js";
import { SignIn } from "./signin.js";
import { useStore } from "./store.js";
import { IconButton, notice, offered, say, useKeys } from "./ui.js";
import { learnUsers } from "./users.js";

// Small modules that several parts share come with the first page, so that a part is one file.
import "./bars.js";
import "./clicks.js";
import "./csv.js";
import "./days.js";
import "./history.js";
import "./range.js";
import "./rule.js";
import "./shared.js";

const pages = part(() => import("./pages.js"));
const LinkPage = lazy(pages, "LinkPage", Waiting);
const Overview = lazy(pages, "Overview", Waiting);
const Unknown = lazy(pages, "Unknown", Waiting);
const Settings = lazy(
  part(() => import("./settings.js")),
  "Settings",
  Waiting,
);
const Move = lazy(
  part(() => import("./move.js")),
  "Move",
  Waiting,
);
const Shares = lazy(
  part(() => import("./shares.js")),
  "Shares",
  Waiting,
);

// Most open a page of clicks next, so its code is loaded when nothing else is.
const idle = globalThis.requestIdleCallback ?? ((run) => setTimeout(run, 1000));
if (!navigator.connection?.saveData)
  addEventListener("load", () => idle(() => pages().catch(() => {})));

const isLeaving = session.get() === "left" && goToProvider();

// onceIn acts when a request has shown that there is a session. Without one nothing more is asked.
const onceIn = (act) => {
  if (session.get() === "in") return idle(act);
  const stop = session.watch((now) => {
    stop();
    if (now === "in") idle(act);
  });
};

// Who it is that reads is asked at once only if this browser doesn't know.
if (session.get() !== "left") {
  if (isBack || !me.get().identity) learnMe();
  else onceIn(learnMe);
} else if (!isLeaving) {
  lookForSession();
}

// Whether there are more users is looked for until there are, by those who may see them.
let looked = "";
const look = (who) => {
  if (!readsAll(who) || who.others || who.identity === looked) return;
  onceIn(() => {
    if (who.identity === looked) return;
    looked = who.identity;
    learnUsers().catch(() => {});
  });
};
me.watch(look);
look(me.get());

function App() {
  const { path, query } = useStore(place);
  const who = useStore(session);
  const [helping, setHelping] = useState(false);
  const pending = useStore(waiting);
  useKeys({
    "?": () => setHelping(true),
    n: () => {
      go("/ui/");
      requestAnimationFrame(() => document.getElementById("create-url")?.focus());
    },
    "/": () => {
      go("/ui/");
      requestAnimationFrame(() => document.getElementById("search")?.focus());
    },
    z: () => (pending.length ? undo() : offered.get()?.undo ? offered.get().undo() : false),
  });
  const key = keyIn(path, query);
  useArrival(key ? firstKey(key) : path); // another code is no other page
  if (isLeaving) return null;
  if (who === "left") return html`<${SignIn} />`; // and nothing of the page before
  return html`<a class="skip" href="#main">Skip to content</a>
    <${Header} path=${path} onHelp=${() => setHelping(true)} />
    <${Away} />
    <${Notice} />
    <${Page} path=${path} of=${key} />
    <${Toasts} />
    ${helping && html`<${Help} onClose=${() => setHelping(false)} />`}
    ${who === "out" && html`<${SignIn} />`}
    <p id="said" class="unseen" role="status"></p>`;
}

// Notice says which settings are missing for a server that others use.
function Notice() {
  const isShort = useStore(shortToken);
  if (!isGuessed && !isShort) return null;
  return html`<aside class="notice" aria-label="Notice">
    ${
      isGuessed &&
      html`<p>Short links start with ${baseURL}, the address of this page. Set BASE_URL to your
      public address.</p>`
    }
    ${
      isShort &&
      html`<p>Your access token has fewer than ${minTokenChars} characters, and may be guessed.
      Set a longer one in AUTH_TOKEN or AUTH_TOKENS.</p>`
    }</aside>`;
}

// useArrival announces the page that was opened, and moves the focus to its heading if the focused
// element is gone.
function useArrival(path) {
  const shown = useRef(path);
  const parts = useStore(arrived);
  useEffect(() => {
    const heading = document.querySelector("#main h1");
    if (shown.current === path || !heading) return; // or its page is still loading
    shown.current = path;
    say(document.title.replace(/ · terse$/, ""));
    if (document.activeElement !== document.body) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, [path, parts]);
}

// keyIn returns the key of the link whose page is at an address.
function keyIn(path, query) {
  const [, code] = path.match(/^\/ui\/links\/([A-Za-z0-9_-]{3,20})$/) ?? [];
  return code && keyOf({ short_code: code, domain: domainOf(query.get("domain")) });
}

function Page({ path, of: key }) {
  if (path === "/ui/") return html`<${Links} />`;
  if (path === "/ui/overview") return html`<${Overview} />`;
  if (path === "/ui/unknown") return html`<${Unknown} />`;
  if (path === "/ui/shares") return html`<${Shares} />`;
  if (path === "/ui/settings") return html`<${Settings} />`;
  if (path === "/ui/move") return html`<${Move} />`;
  if (key) return html`<${LinkPage} key=${firstKey(key)} of=${key} />`;
  return html`<main class="page" id="main"><div class="state"><h1>Page not found</h1>
    <p>Check the address.</p>
    <a class="button" href=${urlOf("/ui/")}>Back to links</a></div></main>`;
}

const current = (isIt) => (isIt ? "page" : undefined);

function Header({ path, onHelp }) {
  const who = useStore(me);
  const owner = whose(useStore(place));
  return html`<header class="top"><div class="top-inner">
  <a class="brand" href=${urlOf(address("/ui/", { owner }))}>terse</a>
  <nav aria-label="Pages">
    <a href=${urlOf(address("/ui/", { owner }))} aria-current=${
      path === "/ui/" ? "page" : path.startsWith("/ui/links/") ? "true" : undefined
    }>Links</a>
    <a href=${urlOf(address("/ui/overview", { owner }))}
      aria-current=${current(path === "/ui/overview")}>Overview</a>
    ${
      seesMissed(who) &&
      html`<a href=${urlOf("/ui/unknown")} aria-current=${current(path === "/ui/unknown")}>
        Missed</a>`
    }
  </nav>
  <div class="top-end"><${Account} who=${who} path=${path} owner=${owner}>
    <${IconButton} icon="help" class="shortcuts" label="Keyboard shortcuts" onClick=${onHelp} />
    <${Theme} /><//></div>
</div></header>`;
}

function Toasts() {
  const pending = useStore(waiting);
  const refused = useStore(failed);
  const text = useStore(notice);
  const done = useStore(offered);
  return html`<div class="toasts" role="region" aria-label="Messages">
    ${text && html`<div class="toast">${text}</div>`}
    ${
      done &&
      html`<div class="toast"><span>${done.text}</span>
      ${
        done.undo &&
        html`<button type="button" class="text-button"
        onClick=${done.undo}>Undo</button>`
      }</div>`
    }
    ${
      refused &&
      html`<div class="toast" role="alert">Couldn't delete ${
        refused.keys.length === 1 ? refused.keys[0] : plural(refused.keys.length, "link", "links")
      }: ${refused.message}
      <${IconButton} icon="close" label="Close" onClick=${() => failed.set(null)} /></div>`
    }
    ${pending.length > 0 && html`<${Deleted} links=${pending} />`}
  </div>`;
}

// Deleted offers to undo the deletes of the last ten seconds.
function Deleted({ links }) {
  if (links.length > 1)
    return html`<div class="toast">
    <span>${plural(links.length, "link", "links")} deleted</span>
    <button type="button" class="text-button" onClick=${undoAll}>Undo all</button></div>`;
  const key = keyOf(links[0]);
  return html`<div class="toast"><span>Deleted <b class="mono">${key}</b></span>
    <button type="button" class="text-button" aria-label=${`Undo deleting ${key}`}
      onClick=${undo}>Undo</button></div>`;
}

const root = document.getElementById("app");
root.replaceChildren(); // what was there before: the sign-in takes the place of no part of it
render(html`<${App} />`, root);
