// The section of webhooks: which there are, how they do, and how to create, change and delete them.
// Few open it, so it comes when somebody does.
import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "./api.js";
import { ago, dateTime, plural, urlOf, visible } from "./format.js";
import { DeleteHook, HookForm, Rotate } from "./hookform.js";
import { nameOf } from "./hookname.js";
import {
  HookName,
  HookURL,
  change,
  eventsText,
  hookPath,
  isOff,
  mayChange,
  reasonOf,
} from "./hooks.js";
import { html } from "./html.js";
import { everybody, mayEdit, of, readsAll } from "./me.js";
import { Menu } from "./menu.js";
import { address, go } from "./router.js";
import style from "./style/webhooks.css";
import { aborted } from "./transport.js";
import { IconButton, Trouble, offer, tell } from "./ui.js";
import { WebhookPage } from "./webhook.js";

const sheet = new CSSStyleSheet();
sheet.replaceSync(style);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

// useHooks returns the webhooks that the reader may see, and functions that ask again, and that
// put one in its place.
function useHooks(owner) {
  const [state, setState] = useState({ hooks: null, error: null });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    request("GET", of("/api/webhooks", owner), { signal: controller.signal }).then(
      ({ webhooks }) => setState({ hooks: webhooks, error: null }),
      (error) => aborted(error) || setState((old) => ({ ...old, error })),
    );
    return () => controller.abort();
  }, [owner, turn]);
  const replace = (hook) =>
    setState((old) => ({
      ...old,
      hooks: old.hooks?.map((other) => (other.id === hook.id ? hook : other)) ?? null,
    }));
  return { ...state, replace, reload: () => setTurn((old) => old + 1) };
}

const pathOf = (id = "") => address("/ui/settings", { show: "webhooks", webhook: id });

export function Webhooks({ who, query }) {
  const { hooks, error, replace, reload } = useHooks(readsAll(who) ? everybody : "");
  const [dialog, setDialog] = useState(null); // {kind, hook, anchor}
  const add = useRef();
  const { kind, hook, anchor } = dialog ?? {};
  const close = () => setDialog(null);
  const id = query.get("webhook");
  const shown = id && hooks?.find((one) => one.id === id);
  const actions = actionsOf({ who, replace, open: setDialog, isPage: Boolean(shown) });
  const gone = () => {
    close();
    reload();
    if (shown) go(pathOf());
    requestAnimationFrame(() => add.current?.focus()); // the webhook's button is gone
  };
  const dialogs = html`${
    kind === "menu" &&
    html`<${Menu} anchor=${anchor} label=${`Actions for ${nameOf(hook)}`}
        items=${actions(hook)} onClose=${close} />`
  }
    ${kind === "new" && html`<${HookForm} who=${who} onDone=${reload} onClose=${close} />`}
    ${
      kind === "edit" &&
      html`<${HookForm} who=${who} hook=${hook} onDone=${replace} onClose=${close} />`
    }
    ${kind === "rotate" && html`<${Rotate} hook=${hook} onClose=${close} />`}
    ${kind === "delete" && html`<${DeleteHook} hook=${hook} onDone=${gone} onClose=${close} />`}`;
  const menu = (of) => (event) =>
    setDialog({ kind: "menu", hook: of, anchor: event.currentTarget });
  if (shown)
    return html`<${WebhookPage} key=${shown.id} hook=${shown} who=${who} back=${pathOf()}
        onEdit=${() => setDialog({ kind: "edit", hook: shown })} onMenu=${menu(shown)}
        onChange=${replace} />${dialogs}`;
  return html`<section class="panel" aria-labelledby="webhooks-title">
    <header class="panel-head"><h2 id="webhooks-title">Webhooks</h2>
      ${
        mayEdit(who) &&
        html`<button type="button" class="button" ref=${add}
        onClick=${() => setDialog({ kind: "new" })}>Create webhook</button>`
      }</header>
    <p class="quiet settings-what">Other programs that are told what happens to links. What can't be
      delivered is tried again for a day.</p>
    ${id && hooks && html`<p class="problem" role="alert">This webhook is not there any more.</p>`}
    ${
      hooks
        ? hooks.length
          ? html`<${List} who=${who} hooks=${hooks} onMenu=${menu} />`
          : html`<p class="panel-empty quiet">No webhooks yet.</p>`
        : error
          ? html`<${Trouble} title="Couldn't load the webhooks" message=${error.message}
            onRetry=${reload} />`
          : html`<div class="bars-bone" role="status" aria-label="Loading webhooks"></div>`
    }
    ${hooks && error && html`<p class="problem" role="alert">${error.message}</p>`}
    ${dialogs}</section>`;
}

// actionsOf returns a function that returns what can be done with a webhook.
const actionsOf =
  ({ replace, open, isPage }) =>
  (hook) =>
    [
      !isPage && { icon: "forth", label: "Deliveries", onChoose: () => go(pathOf(hook.id)) },
      !isPage && { icon: "edit", label: "Edit", onChoose: () => open({ kind: "edit", hook }) },
      !isPage &&
        !isOff(hook) && { icon: "swap", label: "Send a test", onChoose: () => sendTest(hook) },
      { icon: "key", label: "Rotate secret", onChoose: () => open({ kind: "rotate", hook }) },
      isOff(hook)
        ? { icon: "done", label: "Enable", onChoose: () => turn(hook, false, replace) }
        : { icon: "pause", label: "Disable", onChoose: () => turn(hook, true, replace) },
      {
        icon: "remove",
        label: "Delete",
        danger: true,
        onChoose: () => open({ kind: "delete", hook }),
      },
    ].filter(Boolean);

// sendTest has a test sent, and leads to what becomes of it.
async function sendTest(hook) {
  try {
    await request("POST", hookPath(hook, "/test"));
    go(pathOf(hook.id));
  } catch (error) {
    tell(`Not sent: ${error.message}`);
  }
}

// turn disables or enables a webhook, which can be undone.
async function turn(hook, off, replace) {
  const set = async (disabled) => replace(await change(hook, { disabled }));
  try {
    await set(off);
    offer(`${off ? "Disabled" : "Enabled"} ${nameOf(hook)}`, () => set(!off));
  } catch (error) {
    tell(`Not changed: ${error.message}`);
  }
}

// Status says in a word how a webhook does.
function Status({ hook }) {
  const { failing_since: since } = hook;
  if (isOff(hook))
    return html`<span class="state-badge">Disabled</span>${" "}
      ${reasonOf(hook) && html`<span class="hook-why quiet">${reasonOf(hook)}</span>`}`;
  if (!since) return "Active";
  return html`<span class="hook-bad">Failing</span>${" "}<span class="hook-why quiet">began${" "}
    <time datetime=${since} title=${dateTime(Date.parse(since))}>
      ${ago(Date.parse(since), "long")}</time></span>`;
}

// List has, in a second line, what a phone has no columns for.
const List = ({ who, hooks, onMenu }) => html`<table class="entries">
  <thead><tr><th scope="col">Webhook</th><th scope="col" class="wide-only">Events</th>
    <th scope="col" class="wide-only">Status</th>
    <th><span class="unseen">Actions</span></th></tr></thead>
  <tbody>${hooks.map((hook) => {
    const { id, url, events, tags, description, owner, created_by: by } = hook;
    const about = html`${eventsText(events)}${
      tags.length > 0 && html` <span class="quiet">tagged ${tags.map(visible).join(", ")}</span>`
    }${owner === everybody && html` <span class="quiet">of everybody's links</span>`}`;
    return html`<tr key=${id} data-off=${isOff(hook)}>
      <th scope="row"><a class="hook-link entry-name" href=${urlOf(pathOf(id))}>
          <${HookName} hook=${hook} /></a>
        <span class="entry-kind quiet">${[
          description && html`<${HookURL} key="url" url=${url} />`,
          by !== who.identity && html`<bdi key="by">${visible(by)}</bdi>`,
        ]
          .filter(Boolean)
          .flatMap((part, i) => (i ? [" · ", part] : part))}</span>
        <span class="entry-more quiet"><span>${about}</span>
          <span><${Status} hook=${hook} /></span></span></th>
      <td class="wide-only">${about}</td>
      <td class="wide-only"><${Status} hook=${hook} /></td>
      <td class="entry-end">${
        mayChange(hook, who) &&
        html`<${IconButton} icon="more" label=${`Actions for ${nameOf(hook)}`}
          aria-haspopup="menu" onClick=${onMenu(hook)} />`
      }</td></tr>`;
  })}</tbody></table>
  <p class="quiet settings-what">${plural(hooks.length, "webhook", "webhooks")}</p>`;
