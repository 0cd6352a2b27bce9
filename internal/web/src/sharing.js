// The dialog that shares statistics, says how, and stops it.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { request } from "./api.js";
import { DateField } from "./datefield.js";
import { dateTime, keyOf, shortOf, urlOf, visible } from "./format.js";
import { html } from "./html.js";
import { of } from "./me.js";
import { fromInput, isTime, notATime, toInput } from "./range.js";
import { address, place } from "./router.js";
import { isOver, isSame, nameOf, reachable, sharePath } from "./shared.js";
import { aborted } from "./transport.js";
import {
  CopyButton,
  Dialog,
  DialogTitle,
  Icon,
  IconButton,
  Problem,
  focusFirst,
  focusProblem,
  say,
  tell,
} from "./ui.js";

const fields = ["title", "expires_at", "password"];

// find returns the share of something, null if it has none. All are asked for: the one that may
// not be there would be an error.
async function find(what, owner, signal) {
  const { shares } = await request("GET", of("/api/shares", owner), { signal });
  return shares.find((share) => isSame(share, what)) ?? null;
}

// useShare returns the share of something, null if it has none, undefined if that is not known yet;
// why it is not; and a function that replaces it.
function useShare(what, owner, known) {
  const [share, setShare] = useState(known);
  const [error, setError] = useState("");
  useEffect(() => {
    if (known) return undefined;
    const controller = new AbortController();
    find(what, owner, controller.signal).then(
      setShare,
      (problem) => aborted(problem) || setError(problem.message),
    );
    return () => controller.abort();
  }, []);
  return [share, error, setShare];
}

const local = (time) => (time ? toInput(Date.parse(time)) : "");

// draftOf returns what the form has of a share, or of one that is to be made. A password is never
// known: null leaves it as it is, and "" takes it away.
const draftOf = (share) => ({
  title: share?.title ?? "",
  expires_at: local(share?.expires_at),
  password: null,
});

// changesOf returns the API's fields that differ from a share's.
function changesOf({ title, expires_at: end, password }, share) {
  const before = draftOf(share);
  return {
    ...(title.trim() !== before.title && { title: title.trim() || null }),
    ...(end !== before.expires_at && {
      expires_at: end ? new Date(fromInput(end)).toISOString() : null,
    }),
    ...(password !== null && { password: password || null }),
  };
}

// Sharing is about something that shared.js describes, and about its share if that is known. owner
// is whose it is, "" for the reader. onChange is told of every change. With stops it only asks
// whether to stop.
export function Sharing({ what, owner = "", share: known, stops = false, onClose, onChange }) {
  const [share, error, setShare] = useShare(what, owner, known);
  const [asking, setAsking] = useState(stops);
  const taken = (next) => {
    setShare(next);
    onChange?.(next);
  };
  if (asking)
    return html`<${StopSharing} key="stop" what=${what} owner=${owner}
      name=${nameOf({ ...what, title: share?.title })}
      onClose=${() => (stops ? onClose() : setAsking(false))} onDone=${() => {
        onClose();
        taken(null);
      }} />`;
  return html`<${Dialog} key="share" label="Share statistics" class="sharing ask"
    onClose=${onClose}>
    <${DialogTitle} onClose=${onClose}>Share statistics<//>
    <${About} what=${what} owner=${owner} />
    ${error && html`<p class="problem" role="alert">${error}</p>`}
    ${
      share === undefined
        ? !error && html`<div class="sharing-bone" role="status" aria-label="Loading"></div>`
        : html`<${Form} what=${what} owner=${owner} share=${share}
        onTaken=${taken} onStop=${() => setAsking(true)} onClose=${onClose} />`
    }
  <//>`;
}

const About = ({ what, what: { short_code: code, tag }, owner }) =>
  code
    ? html`<p>A page with the clicks of <b class="mono">${shortOf(keyOf(what))}</b>, for people
      without a token. Whoever has its address sees the link's title and its clicks, but not where
      it leads, and no note, tag or full referrer.</p>`
    : html`<p>A page with the clicks of all ${owner ? "" : "your "}links${
        owner && html` of <b><bdi>${visible(owner)}</bdi></b>`
      }${tag && html` tagged <b><bdi>${visible(tag)}</bdi></b>`}, for people without a token.
      Whoever has its address sees the clicks of all together, and code and title of the links
      clicked most, but not where they lead, and no note or full referrer.</p>`;

function Form({ what, owner, share, onTaken, onStop, onClose }) {
  const [draft, setDraft] = useState(() => draftOf(share));
  const [problems, setProblems] = useState({});
  const [busy, setBusy] = useState(false);
  const form = useRef();
  // what can be copied now, or typed, is there only now
  useLayoutEffect(() => focusFirst(form.current), [share?.url]);
  const set = (name) => (value) => {
    setDraft((old) => ({ ...old, [name]: value }));
    setProblems({});
  };
  const refuse = (found) => {
    setProblems(found);
    focusProblem(form.current);
  };
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(share));
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    if (share && !isChanged) return onClose();
    if (draft.expires_at && !isTime(draft.expires_at)) return refuse({ expires_at: notATime() });
    setBusy(true);
    setProblems({});
    try {
      const body = changesOf(draft, share),
        path = sharePath(what, owner);
      // sharing what is shared by now would replace its end and password
      const there = share ? null : await find(what, owner);
      if (there) {
        setDraft(draftOf(there));
        onTaken(there);
        return refuse({ other: "It is shared already, as you see here. Nothing was changed." });
      }
      const next = await request(share ? "PATCH" : "POST", path, { body });
      setDraft(draftOf(next));
      onTaken(next);
      say(share ? "Saved" : "Shared");
    } catch (error) {
      // somebody else may have stopped sharing
      if (error.field === "share") onTaken(null);
      refuse({ [fields.includes(error.field) ? error.field : "other"]: error.message });
    } finally {
      setBusy(false);
    }
  };
  const { tag, short_code: code } = what;
  const props = { draft, set, problems };
  return html`<form ref=${form} onSubmit=${submit} novalidate>
    ${share && html`<${Address} url=${reachable(share.url)} />`}
    ${
      share && isOver(share)
        ? html`<p class="share-over" role="status"><${Icon} name="clock" /><span>Ended${" "}
          ${dateTime(Date.parse(share.expires_at))}. A later end, or none, opens the same address
          again.</span></p>`
        : !share && html`<p class="quiet share-none">Not shared.</p>`
    }
    <label for="share-title">Title</label>
    <input id="share-title" class="field" autocomplete="off" value=${draft.title}
      placeholder=${tag ?? (code ? "That of the link" : "Overview")} maxlength="200"
      onInput=${(e) => set("title")(e.target.value)} ...${marks("share-title", problems.title)} />
    <${Problem} id="share-title" text=${problems.title} />
    <label for="share-end">Ends</label>
    <div class="form-line"><${DateField} id="share-end" fresh="23:59" placeholder="Never"
        value=${draft.expires_at} onChange=${set("expires_at")}
        ...${marks("share-end", problems.expires_at)} />
      ${
        draft.expires_at &&
        html`<${IconButton} icon="close" label="No end" onClick=${() => set("expires_at")("")} />`
      }</div>
    <${Problem} id="share-end" text=${problems.expires_at} />
    <${Password} isSet=${Boolean(share?.password)} ...${props} />
    <${Problem} id="share-other" text=${problems.other} />
    <div class="buttons">${
      share
        ? html`<button type="button" class="button" onClick=${onStop}>Stop sharing</button>`
        : html`<button type="button" class="button" onClick=${onClose}>Cancel</button>`
    }
      <button class="button primary" aria-busy=${busy}>
        ${share ? (isChanged ? "Save" : "Done") : "Share"}</button></div>
    ${
      place.get().path !== "/ui/shares" &&
      html`<p class="hint"><a href=${urlOf(address("/ui/shares", { owner }))}>
        All shared pages</a></p>`
    }
  </form>`;
}

// marks are a field's attributes that lead to its error.
const marks = (id, problem) => ({
  "aria-invalid": Boolean(problem),
  "aria-describedby": problem ? `${id}-problem` : undefined,
});

// What is selected is scrolled to; its beginning says what it is.
function select({ target }) {
  target.select();
  requestAnimationFrame(() => target.scrollTo(0, 0));
}

const Address = ({ url }) => html`<div class="sharing-address">
  <input class="field mono" type="text" readonly aria-label="Address of the shared page"
    value=${url} onFocus=${select} />
  <${CopyButton} text=${url} label="Copy the address" />
  <a class="icon-button" href=${url} target="_blank" rel="noreferrer noopener"
    aria-label="Open the shared page" title="Open the shared page"><${Icon} name="open" /></a>
</div>`;

// Password is never shown: the server keeps only a hash.
function Password({ isSet, draft: { password }, set, problems }) {
  const change = set("password");
  const [typing, setTyping] = useState(false);
  const keep = () => {
    setTyping(false);
    change(null);
  };
  useEffect(() => setTyping(false), [isSet]); // it was saved
  const line = (text, ...buttons) =>
    html`<div class="form-line"><span>${text}</span>${buttons.map(
      ([label, act]) => html`<button type="button" class="text-button" key=${label}
      onClick=${act}>${label}</button>`,
    )}</div>`;
  if (isSet && !typing && password === null)
    return html`<div role="group" aria-labelledby="share-password-label">
      <span id="share-password-label" class="form-label">Password</span>
      ${line("Set", ["Change", () => setTyping(true)], ["Remove", () => change("")])}</div>`;
  if (isSet && password === "" && !typing)
    return html`<div role="group" aria-labelledby="share-password-label">
      <span id="share-password-label" class="form-label">Password</span>
      ${line("Will be removed", ["Keep it", keep])}</div>`;
  return html`<label for="share-password">Password</label>
    <div class="form-line"><input id="share-password" class="field" type="password"
      autocomplete="new-password" value=${password ?? ""} placeholder=${isSet ? "" : "None"}
      ...${marks("share-password", problems.password)}
      onInput=${(e) => change(e.target.value || null)} />
      ${isSet && html`<${IconButton} icon="close" label="Keep the old password" onClick=${keep} />`}
    </div><${Problem} id="share-password" text=${problems.password} />`;
}

// StopSharing asks first, because an address never comes back.
function StopSharing({ what, name, owner, onClose, onDone }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const stop = async () => {
    if (busy) return;
    setBusy(true);
    try {
      await request("DELETE", sharePath(what, owner));
    } catch (error) {
      if (error.status !== 404) {
        setBusy(false);
        return setProblem(error.message);
      }
    }
    tell("No longer shared");
    onDone();
  };
  return html`<${Dialog} label="Stop sharing" onClose=${onClose}>
    <${DialogTitle} onClose=${onClose}>Stop sharing?<//>
    <p>The address of <b><bdi>${visible(name)}</bdi></b> stops working at once.
      Sharing again makes another one.</p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <div class="buttons"><button type="button" class="button" data-focus=${true}
        onClick=${onClose}>Keep it</button>
      <button type="button" class="button danger" aria-busy=${busy} onClick=${stop}>
        Stop sharing</button></div>
  <//>`;
}
