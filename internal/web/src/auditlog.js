// The section of the audit: who did what, newest first.
import { useEffect, useState } from "preact/hooks";
import { request } from "./api.js";
import { told } from "./audited.js";
import { ago, dateTime, urlOf, visible } from "./format.js";
import { UserField } from "./give.js";
import { html } from "./html.js";
import { everybody, linkPage } from "./me.js";
import { address, go } from "./router.js";
import { aborted } from "./transport.js";
import { Trouble } from "./ui.js";

const page = 50; // entries per step

// useAudit returns the entries of a filter, and functions that ask for older ones, and again.
function useAudit(by, target) {
  const key = JSON.stringify([by, target]);
  const [state, setState] = useState({ key, entries: null, next: "", error: null });
  const [turn, setTurn] = useState(0);
  const [busy, setBusy] = useState(false);
  const get = (cursor, signal) =>
    request("GET", address("/api/audit", { by, target, limit: page, cursor }), { signal });
  useEffect(() => {
    const controller = new AbortController();
    get("", controller.signal).then(
      ({ entries, next_cursor: next = "" }) => setState({ key, entries, next, error: null }),
      (error) => aborted(error) || setState({ key, entries: null, next: "", error }),
    );
    return () => controller.abort();
  }, [key, turn]);
  const more = async () => {
    if (busy) return;
    setBusy(true);
    try {
      const { entries, next_cursor: next = "" } = await get(state.next);
      setState((old) =>
        old.key === key
          ? { ...old, entries: [...old.entries, ...entries], next, error: null }
          : old,
      );
    } catch (error) {
      setState((old) => ({ ...old, error }));
    } finally {
      setBusy(false);
    }
  };
  const isHere = state.key === key;
  return {
    ...(isHere ? state : { entries: null, next: "", error: null }),
    busy,
    more,
    reload: () => setTurn(turn + 1),
  };
}

const pathOf = (by, target) => address("/ui/settings", { show: "audit", by, target });

export function AuditLog({ query }) {
  const by = query.get("by") ?? "",
    target = query.get("target") ?? "";
  const { entries, next, error, busy, more, reload } = useAudit(by, target);
  return html`<section class="panel" aria-labelledby="audit-title">
    <header class="panel-head"><h2 id="audit-title">Audit</h2></header>
    <p class="quiet settings-what">What was done to links, tokens and users. Kept for as long as
      AUDIT_RETENTION says.</p>
    <${Filter} key=${`${by} ${target}`} by=${by} target=${target} />
    ${
      entries
        ? entries.length
          ? html`<ol class="audit">${entries.map(
              (entry) => html`<${Entry} key=${entry.id} entry=${entry} />`,
            )}</ol>`
          : html`<p class="panel-empty quiet" role="status">${
              by || target ? "Nothing with this filter." : "Nothing yet."
            }</p>`
        : error
          ? html`<${Trouble} title="Couldn't load the audit" message=${error.message}
            onRetry=${reload} />`
          : html`<div class="bars-bone" role="status" aria-label="Loading the audit"></div>`
    }
    ${entries && error && html`<p class="problem" role="alert">${error.message}</p>`}
    ${
      next &&
      html`<p class="panel-more"><button type="button" class="text-button" aria-busy=${busy}
        onClick=${more}>Show older entries</button></p>`
    }</section>`;
}

function Filter({ by, target }) {
  const [who, setWho] = useState(by);
  const [what, setWhat] = useState(target);
  const submit = (event) => {
    event.preventDefault();
    go(pathOf(who.trim(), what.trim()));
  };
  return html`<form class="audit-filter" role="search" aria-label="Filter" onSubmit=${submit}>
    <div><${UserField} id="audit-by" label="By" text=${who} onText=${setWho} /></div>
    <div><label for="audit-target">About</label>
      <input id="audit-target" class="field" autocomplete="off" autocapitalize="off"
        spellcheck=${false} placeholder="Code, tag, token or user" value=${what}
        onInput=${(e) => setWhat(e.target.value)} /></div>
    <button class="button">Show</button>
    ${
      (by || target) && html`<a class="text-button" href=${urlOf(pathOf("", ""))}>Remove filter</a>`
    }</form>`;
}

const ways = { auth_tokens: "with a token of the settings", token: "with a token", session: "" };

function Entry({ entry }) {
  const { time, by, via, action, target, address: from } = entry;
  const { what, name, isLink, more } = told(entry);
  // who signs in does it to nobody else
  const isSelf = /^(session|sign_in)\.|^user\.refused/.test(action) && (!by || by === target);
  const about =
    target &&
    !isSelf &&
    (isLink
      ? html`<a class="mono" href=${urlOf(linkPage(name, everybody))}>${visible(name)}</a>`
      : html`<bdi class="audit-target">${visible(name)}</bdi>`);
  const subject = by || (isSelf && target) || "Somebody";
  const notes = [ways[via] ?? via, from && `from ${visible(from)}`].filter(Boolean).join(" ");
  return html`<li><p><bdi class="audit-by">${visible(subject)}</bdi>${" "}
    ${what}${about && " "}${about}${
      more && html`<span class="quiet">: <bdi>${more}</bdi></span>`
    }</p>
    <p class="quiet"><time datetime=${time} title=${dateTime(Date.parse(time))}>
      ${ago(Date.parse(time), "long")}</time>${notes && ` · ${notes}`}</p></li>`;
}
