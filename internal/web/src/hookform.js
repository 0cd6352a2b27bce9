// The dialogs of a webhook: to create or change one, to see its secret, to give it another one, and
// to delete it.
import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "./api.js";
import { Chips } from "./chips.js";
import { asTag } from "./draft.js";
import { nameOf } from "./hookname.js";
import { HookURL, change, events, hookPath } from "./hooks.js";
import { html } from "./html.js";
import { everybody, isAdmin, of } from "./me.js";
import { useStore } from "./store.js";
import { known, learn, optionsOf } from "./tags.js";
import { Dialog, DialogTitle, Once, Problem, focusProblem, tell } from "./ui.js";
import { complaint, complete } from "./urls.js";

const maxURLBytes = 2048; // as in the API
const maxDescription = 500; // characters, as in the API

const draftOf = (hook) => ({
  url: hook?.url ?? "",
  events: hook?.events ?? events.map(([name]) => name).filter((name) => name !== "clicks"),
  tags: hook?.tags ?? [],
  tag_text: "",
  description: hook?.description ?? "",
  ofAll: hook?.owner === everybody,
});

function problemsOf(draft) {
  const found = {},
    url = complete(draft.url);
  if (!url) found.url = "Enter a URL.";
  else if (complaint(url)) found.url = complaint(url);
  else if (new TextEncoder().encode(url).length > maxURLBytes)
    found.url = `A URL can have at most ${maxURLBytes} bytes.`;
  if (!draft.events.length) found.events = "Choose at least one.";
  if (draft.tag_text.trim())
    found.tags = asTag(draft.tag_text.trim()).problem ?? "Press Enter to add this tag.";
  if ([...draft.description.trim()].length > maxDescription)
    found.description = `A description can have at most ${maxDescription} characters.`;
  return found;
}

// bodyOf returns what a request says; of a webhook that there is, only what differs.
function bodyOf(draft, hook) {
  const next = {
    url: complete(draft.url),
    events: draft.events,
    tags: draft.tags,
    description: draft.description.trim(),
  };
  if (!hook) return next;
  const before = draftOf(hook),
    same = (a, b) =>
      JSON.stringify([a].flat().toSorted()) === JSON.stringify([b].flat().toSorted());
  return Object.fromEntries(
    Object.entries(next).filter(([name, value]) => !same(value, before[name])),
  );
}

// HookForm creates a webhook, or changes one. onDone gets it as it is then.
export function HookForm({ who, hook, onDone, onClose }) {
  const [draft, setDraft] = useState(() => draftOf(hook));
  const [problems, setProblems] = useState({});
  const [busy, setBusy] = useState(false);
  const [made, setMade] = useState(null);
  const tags = useStore(known);
  const form = useRef();
  useEffect(() => {
    learn();
  }, []);
  const set = (name) => (value) => {
    setDraft((old) => ({ ...old, [name]: value }));
    setProblems({});
  };
  const refuse = (found) => {
    setProblems(found);
    focusProblem(form.current);
  };
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    const wrong = problemsOf(draft);
    if (Object.keys(wrong).length) return refuse(wrong);
    const body = bodyOf(draft, hook);
    if (!Object.keys(body).length) return onClose();
    setBusy(true);
    try {
      if (hook) {
        onDone(await change(hook, body));
        tell("Saved");
        return onClose();
      }
      const path = of("/api/webhooks", draft.ofAll ? everybody : "");
      const next = await request("POST", path, { body });
      onDone(next);
      setMade(next);
    } catch (error) {
      const [field] = (error.field ?? "").split("[");
      refuse({
        [["url", "events", "tags", "description"].includes(field) ? field : "other"]: said(
          error.message,
        ),
      });
    } finally {
      setBusy(false);
    }
  };
  if (made) return html`<${Secret} hook=${made} secret=${made.secret} onClose=${onClose} />`;
  const title = hook ? "Edit webhook" : "Create webhook";
  return html`<${Dialog} label=${title} class="new-token ask hook-form" onClose=${onClose}><form
    ref=${form} onSubmit=${submit} novalidate>
    <${DialogTitle} onClose=${onClose}>${title}<//>
    <label for="hook-url">URL</label>
    <input id="hook-url" class="field mono" inputmode="url" autocomplete="off"
      autocapitalize="off" spellcheck=${false} placeholder="https://example.com/hook"
      value=${draft.url} onInput=${(e) => set("url")(e.target.value)}
      aria-invalid=${Boolean(problems.url)}
      aria-describedby=${problems.url ? "hook-url-problem" : "hook-url-hint"} />
    <${Problem} id="hook-url" text=${problems.url} />
    ${
      !problems.url &&
      html`<p id="hook-url-hint" class="hint">It gets a signed POST request for each event.</p>`
    }
    <fieldset aria-describedby=${problems.events ? "hook-events-problem" : undefined}>
      <legend>Events</legend>
      ${events.map(
        ([name, text]) => html`<label key=${name} class="check"><input type="checkbox"
          checked=${draft.events.includes(name)} aria-invalid=${Boolean(problems.events)}
          onChange=${(e) =>
            set("events")(
              e.target.checked
                ? [...draft.events, name]
                : draft.events.filter((other) => other !== name),
            )} /><span>${text}</span></label>`,
      )}
      <${Problem} id="hook-events" text=${problems.events} /></fieldset>
    <label for="hook-tags">Tags</label>
    <${Chips} id="hook-tags" label="Tags" values=${draft.tags}
      text=${draft.tag_text} parse=${asTag} options=${optionsOf(tags)} create=${true}
      placeholder="All links" hint="With tags, only links that have one of them."
      problem=${problems.tags}
      onChange=${(next, text) => {
        setDraft((old) => ({ ...old, tags: next, tag_text: text }));
        setProblems({});
      }} />
    ${
      !hook &&
      isAdmin(who) &&
      who.others &&
      html`<label class="check"><input type="checkbox" checked=${draft.ofAll}
        onChange=${(e) => set("ofAll")(e.target.checked)} />
        <span>Everybody's links, not only yours</span></label>`
    }
    <label for="hook-description">Description</label>
    <input id="hook-description" class="field" autocomplete="off" value=${draft.description}
      placeholder="What it is for" aria-invalid=${Boolean(problems.description)}
      aria-describedby=${problems.description ? "hook-description-problem" : undefined}
      onInput=${(e) => set("description")(e.target.value)} />
    <${Problem} id="hook-description" text=${problems.description} />
    ${problems.other && html`<p class="problem" role="alert">${problems.other}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${onClose}>Cancel</button>
      <button class="button primary" aria-busy=${busy}>
        ${hook ? "Save" : "Create webhook"}</button></div>
  </form><//>`;
}

// said adds what may be wrong: the server does not say which names there are in its network.
const said = (message) =>
  /address is not allowed/i.test(message)
    ? "Webhook address is not allowed: its host is unknown or private. The server's " +
      "WEBHOOK_ALLOWED_NETWORKS permits private networks."
    : message;

const Secret = ({ hook, secret, onClose }) => html`<${Once} title=${`The secret of ${nameOf(hook)}`}
  what="secret" text=${secret} onClose=${onClose}>
  With it the receiver checks that a request is from here.<//>`;

// Ask asks before it does something, and says why it could not.
function Ask({ label, title, keep, act, danger, onAct, onClose, children }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const run = async () => {
    if (busy) return;
    setBusy(true);
    try {
      await onAct();
    } catch (error) {
      setBusy(false);
      setProblem(error.message);
    }
  };
  return html`<${Dialog} label=${label} onClose=${onClose}>
    <${DialogTitle} onClose=${onClose}>${title}<//>
    <p>${children}</p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <div class="buttons"><button type="button" class="button" data-focus=${true}
        onClick=${onClose}>${keep}</button>
      <button type="button" class=${`button ${danger ? "danger" : "primary"}`} aria-busy=${busy}
        onClick=${run}>${act}</button></div>
  <//>`;
}

// Rotate gives a webhook another secret, and shows it.
export function Rotate({ hook, onClose }) {
  const [secret, setSecret] = useState("");
  if (secret) return html`<${Secret} hook=${hook} secret=${secret} onClose=${onClose} />`;
  const rotate = async () => setSecret((await request("POST", hookPath(hook, "/rotate"))).secret);
  return html`<${Ask} label="Rotate secret" title=${`Rotate the secret of ${nameOf(hook)}?`}
    keep="Cancel" act="Rotate secret" onAct=${rotate} onClose=${onClose}>
    For 24 hours requests are signed with the present secret, too, so that you can change over.
    Rotating again within them ends the present one at once.<//>`;
}

export function DeleteHook({ hook, onDone, onClose }) {
  const remove = async () => {
    try {
      await request("DELETE", hookPath(hook));
    } catch (error) {
      if (error.status !== 404) throw error;
    }
    tell("Webhook deleted");
    onDone();
  };
  return html`<${Ask} label="Delete webhook" title=${`Delete ${nameOf(hook)}?`}
    keep="Keep it" act="Delete webhook" danger=${true} onAct=${remove} onClose=${onClose}>
    Nothing more is sent to <${HookURL} url=${hook.url} />, what waits included, and the list of
    what was sent is gone. This can't be undone.<//>`;
}
