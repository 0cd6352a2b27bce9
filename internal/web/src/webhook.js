// A webhook with its deliveries: what was sent, what was answered, and how to send it again.
import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "./api.js";
import { ago, ahead, dateTime, urlOf, visible, visibleLines } from "./format.js";
import { nameOf } from "./hookname.js";
import {
  HookName,
  HookURL,
  answerOf,
  change,
  deliveryPath,
  eventName,
  eventsText,
  hookPath,
  isOff,
  mayChange,
  pretty,
  reasonOf,
  statusName,
  triesText,
} from "./hooks.js";
import { html } from "./html.js";
import { everybody } from "./me.js";
import { Choice } from "./pick.js";
import { aborted } from "./transport.js";
import { CopyButton, Icon, IconButton, Trouble, tell } from "./ui.js";

const page = 50; // deliveries per step
const minPauseMs = 2000, // between two looks at what waits
  maxPauseMs = 60_000;
const longestShown = 20_000; // characters of a payload; all of it can be copied

// pauseBefore returns the milliseconds until another look may show what became of a delivery: the
// fewer, the nearer its next attempt. One that is long due waits for another of the same link.
const pauseBefore = ({ next_attempt_at: at }) =>
  Math.min(Math.max(Math.abs(Date.parse(at) - Date.now()), minPauseMs), maxPauseMs);

// triedOf is another text after each attempt.
const triedOf = (list) =>
  list?.map(({ id, status, attempts }) => id + status + attempts.length).join();

// useDeliveries returns the newest deliveries, and functions that ask for older ones, and again.
function useDeliveries(hook, status) {
  const [state, setState] = useState({ status, list: null, next: "", error: null });
  const [turn, setTurn] = useState(0);
  const [busy, setBusy] = useState(false);
  const get = (cursor, signal) =>
    request("GET", hookPath(hook, "/deliveries", { status, limit: page, cursor }), { signal });
  const here = state.status === status ? state : { list: null, next: "", error: null };
  useEffect(() => {
    const controller = new AbortController();
    get("", controller.signal).then(
      ({ deliveries, next_cursor: next = "" }) =>
        setState((old) => {
          // older ones that were asked for stay
          const last = deliveries.at(-1)?.created_at ?? "";
          const older =
            old.status === status && next
              ? (old.list ?? []).filter(
                  ({ id, created_at: at }) =>
                    at <= last && !deliveries.some((other) => other.id === id),
                )
              : [];
          return {
            status,
            list: [...deliveries, ...older],
            next: older.length ? old.next : next,
            error: null,
          };
        }),
      (error) =>
        aborted(error) ||
        setState((old) => ({ ...(old.status === status ? old : here), status, error })),
    );
    return () => controller.abort();
  }, [hook.id, hook.status, status, turn]);
  const seen = useRef("");
  useEffect(() => {
    const waiting = here.list?.filter((one) => one.status === "waiting") ?? [];
    if (!waiting.length || here.error) return undefined;
    const tried = triedOf(here.list),
      isNew = tried !== seen.current; // then others may no longer wait for what was tried
    seen.current = tried;
    const pause = isNew ? minPauseMs : Math.min(...waiting.map(pauseBefore));
    const timer = setTimeout(() => setTurn((old) => old + 1), pause);
    return () => clearTimeout(timer);
  }, [state]);
  const more = async () => {
    if (busy) return;
    setBusy(true);
    try {
      const { deliveries, next_cursor: next = "" } = await get(here.next);
      setState((old) =>
        old.status === status
          ? { ...old, list: [...old.list, ...deliveries], next, error: null }
          : old,
      );
    } catch (error) {
      setState((old) => ({ ...old, error }));
    } finally {
      setBusy(false);
    }
  };
  return { ...here, busy, more, reload: () => setTurn((old) => old + 1) };
}

const kinds = [
  ["", "All"],
  ["waiting", "Waiting"],
  ["delivered", "Delivered"],
  ["failed", "Failed"],
];

export function WebhookPage({ hook, who, back, onEdit, onMenu, onChange }) {
  const [status, setStatus] = useState("");
  const { list, next, error, busy, more, reload } = useDeliveries(hook, status);
  const [sending, setSending] = useState(false);
  const heading = useRef();
  useEffect(() => heading.current.focus({ preventScroll: true }), []);
  // an attempt may have ended what failed, or have disabled the webhook
  const tried = triedOf(list);
  useEffect(() => {
    if (tried) request("GET", hookPath(hook)).then(onChange, () => {});
  }, [tried]);
  const may = mayChange(hook, who);
  const test = async () => {
    if (sending) return;
    setSending(true);
    try {
      await request("POST", hookPath(hook, "/test"));
      setStatus("");
      reload();
    } catch (problem) {
      tell(`Not sent: ${problem.message}`);
    } finally {
      setSending(false);
    }
  };
  return html`<p class="hook-back"><a href=${urlOf(back)}><${Icon} name="back" />Webhooks</a></p>
    <section class="panel" aria-labelledby="hook-title">
      <header class="panel-head hook-head"><h2 id="hook-title" tabindex="-1" ref=${heading}>
          <${HookName} hook=${hook} /></h2>
        ${
          may &&
          html`<span class="hook-acts">
          <button type="button" class="button" aria-busy=${sending} disabled=${isOff(hook)}
            onClick=${test}>Send a test</button>
          <button type="button" class="button" onClick=${onEdit}>Edit</button>
          <${IconButton} icon="more" label=${`Actions for ${nameOf(hook)}`} aria-haspopup="menu"
            onClick=${onMenu} /></span>`
        }</header>
      <${Halted} hook=${hook} may=${may} onChange=${onChange} />
      <${Facts} hook=${hook} who=${who} /></section>
    <section class="panel" aria-labelledby="deliveries-title">
      <header class="panel-head"><h2 id="deliveries-title">Deliveries</h2>
        <${Choice} label="Show" value=${status} options=${kinds} onChange=${setStatus} /></header>
      <p class="quiet settings-what">Those that are done are kept for 7 days.</p>
      ${
        list
          ? list.length
            ? html`<ol class="deliveries">${list.map(
                (one) =>
                  html`<${Row} key=${one.id} hook=${hook} delivery=${one} may=${may}
                    onRetry=${reload} />`,
              )}</ol>`
            : html`<p class="panel-empty quiet" role="status">${
                status ? "None with this status." : "No deliveries yet."
              }</p>`
          : error
            ? html`<${Trouble} title="Couldn't load the deliveries" message=${error.message}
              onRetry=${reload} />`
            : html`<div class="bars-bone" role="status" aria-label="Loading deliveries"></div>`
      }
      ${list && error && html`<p class="problem" role="alert">${error.message}</p>`}
      ${
        next &&
        html`<p class="panel-more"><button type="button" class="text-button" aria-busy=${busy}
          onClick=${more}>Show older deliveries</button></p>`
      }</section>`;
}

// Halted says why nothing arrives, and what to do.
function Halted({ hook, may, onChange }) {
  const [busy, setBusy] = useState(false);
  const { failing_since: since } = hook;
  const enable = async () => {
    if (busy) return;
    setBusy(true);
    try {
      onChange(await change(hook, { disabled: false }));
      tell("Enabled. What happens from now on is sent.");
    } catch (error) {
      tell(`Not changed: ${error.message}`);
    } finally {
      setBusy(false);
    }
  };
  if (!isOff(hook) && !since) return null;
  if (!isOff(hook))
    return html`<p class="hook-note"><span class="hook-bad">Failing.</span> It began${" "}
      <${Time} time=${since} />. What waits is tried again; after three days without success the
      webhook is disabled.</p>`;
  return html`<div class="hook-note"><p><b>Disabled.</b>${" "}
      ${reasonOf(hook) && `${reasonOf(hook)}. `}Nothing is sent, and what happens meanwhile is never
      sent.</p>
    ${
      may &&
      html`<button type="button" class="button" aria-busy=${busy} onClick=${enable}>
      Enable</button>`
    }</div>`;
}

const Facts = ({ hook, who }) => html`<dl class="hook-facts">
  <div><dt class="quiet">URL</dt>
    <dd class="mono"><${HookURL} url=${hook.url} whole=${true} /></dd></div>
  <div><dt class="quiet">Events</dt><dd>${eventsText(hook.events)}</dd></div>
  ${
    hook.tags.length > 0 &&
    html`<div><dt class="quiet">Tags</dt>
    <dd><bdi>${hook.tags.map(visible).join(", ")}</bdi></dd></div>`
  }
  ${hook.owner === everybody && html`<div><dt class="quiet">Links</dt><dd>Everybody's</dd></div>`}
  <div><dt class="quiet">Created</dt><dd><${Time} time=${hook.created_at} />${
    hook.created_by !== who.identity && html` by <bdi>${visible(hook.created_by)}</bdi>`
  }</dd></div></dl>`;

const Time = ({ time }) => html`<time datetime=${time} title=${dateTime(Date.parse(time))}>
  ${ago(Date.parse(time), "long")}</time>`;

// Next says when a delivery is tried next, for as long as that is to come.
function Next({ at }) {
  const [, turn] = useState();
  useEffect(() => {
    const left = at - Date.now();
    if (left <= 0) return undefined;
    const timer = setTimeout(turn, Math.min(left, left < 90e3 ? 1000 : 30e3), {});
    return () => clearTimeout(timer);
  });
  return html`next <time datetime=${new Date(at).toISOString()}
    title=${dateTime(at)}>${ahead(at)}</time>`;
}

// Row shows a delivery in a line, and opens to its attempts and what was sent.
function Row({ hook, delivery, may, onRetry }) {
  const [isOpen, setOpen] = useState(false);
  const { type, status, created_at: at, attempts, next_attempt_at: next } = delivery;
  const last = attempts.at(-1);
  const notes = [
    last ? answerOf(last) : status === "waiting" ? "not tried yet" : "not tried",
    triesText(delivery),
    last && next && html`<${Next} key="next" at=${Date.parse(next)} />`,
  ].filter(Boolean);
  return html`<li><details onToggle=${(e) => setOpen(e.currentTarget.open)}>
    <summary><span class="delivery-what"><b>${eventName(type)}</b>
        <span class="quiet"><${Time} time=${at} /></span></span>
      <span class="delivery-how"><span data-status=${status} class="delivery-status">
          ${statusName(status)}</span>
        <span class="quiet">${notes.flatMap((note, i) => (i ? [" · ", note] : note))}</span></span>
      <${Icon} name="down" /></summary>
    ${
      isOpen && html`<${Details} hook=${hook} delivery=${delivery} may=${may} onRetry=${onRetry} />`
    }
  </details></li>`;
}

function Details({ hook, delivery, may, onRetry }) {
  const [whole, setWhole] = useState(null);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const { id, attempts } = delivery;
  useEffect(() => {
    const controller = new AbortController();
    request("GET", deliveryPath(hook, delivery), { signal: controller.signal }).then(
      (found) => setWhole(found),
      (error) => aborted(error) || setProblem(error.message),
    );
    return () => controller.abort();
  }, [id]);
  const again = async () => {
    if (busy) return;
    setBusy(true);
    try {
      await request("POST", deliveryPath(hook, delivery, "/retry"));
      tell("Sending again");
      onRetry();
    } catch (error) {
      tell(`Not sent: ${error.message}`);
    } finally {
      setBusy(false);
    }
  };
  const text = whole ? pretty(whole.payload) : "";
  const cut = text.length > longestShown;
  return html`<div class="delivery">
    ${
      attempts.length > 0 &&
      html`<h3>Attempts</h3><ol class="attempts">${attempts.map(
        (attempt, i) => html`<li key=${i}><p>${answerOf(attempt)}
            <span class="quiet"> after ${attempt.duration_ms} ms · <${Time}
              time=${attempt.time} /></span></p>
          ${
            attempt.response &&
            html`<pre class="mono" tabindex="0" role="group" aria-label="Answer">${visibleLines(
              attempt.response,
            )}</pre>`
          }
        </li>`,
      )}</ol>`
    }
    <div class="delivery-head"><h3>Payload</h3>
      ${whole && html`<${CopyButton} text=${text} label="Copy the payload" />`}</div>
    ${
      whole
        ? html`<pre class="mono payload" tabindex="0" role="group" aria-label="Payload">${
            cut ? `${text.slice(0, longestShown)}…` : text
          }</pre>
          ${cut && html`<p class="hint">It is longer: copy it to see all.</p>`}`
        : problem
          ? html`<p class="problem" role="alert">${problem}</p>`
          : html`<p class="quiet" role="status">Loading…</p>`
    }
    <div class="delivery-foot"><span class="quiet mono">${visible(id)}</span>
    ${
      may &&
      html`<button type="button" class="button" aria-busy=${busy} disabled=${isOff(hook)}
        onClick=${again}>Send again</button>`
    }</div></div>`;
}
