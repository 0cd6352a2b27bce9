// The page of what is shared: what each page shows, until when, and how to change or withdraw it.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { request } from "./api.js";
import { ago, count, dateTime, day, keyOf, plural, shortOf, urlOf, visible } from "./format.js";
import { html } from "./html.js";
import { everybody, linkPage, me, of, whose } from "./me.js";
import { Menu } from "./menu.js";
import { Sharing } from "./parts.js";
import { address, go, place } from "./router.js";
import { isOver, mayShare, nameOf, reachable } from "./shared.js";
import { useStore } from "./store.js";
import { OwnerFilter } from "./toolbar.js";
import { aborted } from "./transport.js";
import { CopyButton, Icon, IconButton, Trouble } from "./ui.js";

const step = 100; // rows per step

// useShares returns the shares of an owner, and a function that asks again.
function useShares(owner) {
  const [state, setState] = useState({ owner, shares: null, error: null });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    request("GET", of("/api/shares", owner), { signal: controller.signal }).then(
      ({ shares }) => setState({ owner, shares, error: null }),
      (error) => aborted(error) || setState((old) => ({ ...old, error })),
    );
    return () => controller.abort();
  }, [owner, turn]);
  const now = state.owner === owner ? state : { shares: null, error: state.error };
  return { ...now, reload: () => setTurn(turn + 1) };
}

export function Shares() {
  const who = useStore(me);
  const asked = whose(useStore(place));
  const owner = asked === everybody ? "" : asked; // each owner has shares of their own
  const { shares, error, reload } = useShares(owner);
  const [shown, setShown] = useState(step);
  const [dialog, setDialog] = useState(null); // {share, anchor} of a menu, {share, kind}
  const heading = useRef();
  useLayoutEffect(() => {
    document.title = "Shared pages · terse";
    scrollTo(0, 0);
  }, []);
  const close = () => setDialog(null);
  const changed = (now) => {
    reload();
    if (!now) requestAnimationFrame(() => heading.current?.focus()); // the row is gone
  };
  const mayChange = mayShare(owner, who);
  const { share, anchor, kind } = dialog ?? {};
  return html`<main class="page settings" id="main">
    <header class="overview-head"><h1 tabindex="-1" ref=${heading}>Shared pages</h1>
      <p class="quiet" role="status">${shares ? plural(shares.length, "page", "pages") : ""}</p>
      <div class="overview-picks"><${OwnerFilter} owner=${owner} all=${false}
        onChange=${(next) => go(address("/ui/shares", { owner: next }))} /></div></header>
    <section class="panel" aria-label="Shared pages">
    ${
      shares
        ? shares.length
          ? html`<${List} shares=${shares.slice(0, shown)} who=${who} owner=${owner}
              mayChange=${mayChange} onMenu=${setDialog} />
            ${
              shares.length > shown &&
              html`<p class="panel-more"><button type="button" class="text-button"
              onClick=${() => setShown(shown + step)}>
              Show ${count(Math.min(step, shares.length - shown))} more</button></p>`
            }`
          : html`<${None} mayChange=${mayChange} owner=${owner} />`
        : error
          ? html`<${Trouble} title="Couldn't load the shared pages" message=${error.message}
            onRetry=${reload} />`
          : html`<div class="bars-bone" role="status" aria-label="Loading shared pages"></div>`
    }
    ${shares && error && html`<p class="problem" role="alert">${error.message}</p>`}
    </section>
    ${
      anchor &&
      html`<${Menu} anchor=${anchor} label=${`Actions for ${visible(nameOf(share))}`}
        onClose=${close} items=${[
          { icon: "edit", label: "Edit", onChoose: () => setDialog({ share, kind: "edit" }) },
          {
            icon: "remove",
            label: "Stop sharing",
            danger: true,
            onChoose: () => setDialog({ share, kind: "stop" }),
          },
        ]} />`
    }
    ${
      kind &&
      html`<${Sharing} what=${share} owner=${owner} share=${share} stops=${kind === "stop"}
        onChange=${changed} onClose=${close} />`
    }
  </main>`;
}

const None = ({ mayChange, owner }) => html`<div class="state"><h2>Nothing is shared</h2>
  ${
    mayChange &&
    html`<p>Share a link's statistics by its menu, those of a tag or of all links on the${" "}
      <a href=${urlOf(address("/ui/overview", { owner }))}>Overview</a>.</p>`
  }</div>`;

const Time = ({ time, text }) =>
  html`<time datetime=${time} title=${dateTime(Date.parse(time))}>${text}</time>`;

const End = ({ share }) => {
  const { expires_at: end } = share;
  if (!end) return html`<span class="quiet">Never</span>`;
  if (isOver(share)) return html`<span class="state-badge">Ended</span>`;
  return html`<${Time} time=${end} text=${day(new Date(end))} />`;
};

// Shows says what a page shows, and leads there.
const Shows = ({ share, share: { short_code: code, tag, title }, owner }) =>
  code
    ? html`<a href=${urlOf(linkPage(keyOf(share), owner))}>Link${
        title ? html` <span class="mono">${shortOf(keyOf(share))}</span>` : ""
      }</a>`
    : tag
      ? html`<a href=${urlOf(address("/ui/overview", { tag, owner }))}>
        Tag${title ? html` <bdi>${visible(tag)}</bdi>` : ""}</a>`
      : html`<a href=${urlOf(address("/ui/overview", { owner }))}>All links</a>`;

// List has, in a second line, what a phone has no columns for.
const List = ({ shares, who, owner, mayChange, onMenu }) => html`<table class="entries">
  <thead><tr><th scope="col">Page</th><th scope="col" class="wide-only">Shared</th>
    <th scope="col" class="wide-only">Ends</th><th scope="col" class="wide-only">Password</th>
    <th><span class="unseen">Actions</span></th></tr></thead>
  <tbody>${shares.map((share) => {
    const { url, created_at: made, created_by: by, password } = share;
    const name = visible(nameOf(share));
    // of one from before this was kept it is not known
    const since = html`${
      made && html`<${Time} time=${made} text=${ago(Date.parse(made), "long")} />`
    }
      ${by && by !== (owner || who.identity) && html`${" "}by <bdi>${visible(by)}</bdi>`}`;
    return html`<tr key=${url} data-off=${isOver(share)}>
      <th scope="row"><span class="entry-name"><bdi>${name}</bdi></span>
        <span class="entry-kind quiet"><${Shows} share=${share} owner=${owner} /></span>
        <span class="entry-more quiet">${made && html`<span>Shared ${since}</span>`}
          ${
            share.expires_at &&
            html`<span>${!isOver(share) && "Ends "}<${End} share=${share} /></span>`
          }
          ${password && html`<span>Password</span>`}</span></th>
      <td class="wide-only">${since}</td>
      <td class="wide-only"><${End} share=${share} /></td>
      <td class="wide-only">${password ? "Yes" : html`<span class="quiet">None</span>`}</td>
      <td class="entry-end"><span class="share-actions">
        <${CopyButton} text=${reachable(url)} label=${`Copy the address of ${name}`} />
        <a class="icon-button" href=${reachable(url)} target="_blank" rel="noreferrer noopener"
          aria-label=${`Open ${name}`} title="Open the shared page"><${Icon} name="open" /></a>
        ${
          mayChange &&
          html`<${IconButton} icon="more" label=${`Actions for ${name}`} aria-haspopup="menu"
          onClick=${(event) => onMenu({ share, anchor: event.currentTarget })} />`
        }</span></td></tr>`;
  })}</tbody></table>`;
