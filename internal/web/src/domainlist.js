// The section of domains: what they are, and where they lead visitors for whom they have no link.
import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "./api.js";
import { domains, learnDomains } from "./domains.js";
import { plural, urlOf, visible } from "./format.js";
import { html } from "./html.js";
import { everybody, isAdmin, me, readsAll } from "./me.js";
import { address } from "./router.js";
import { useStore } from "./store.js";
import { Dialog, DialogTitle, Problem, Trouble, URLText, focusProblem, offer, tell } from "./ui.js";
import { complaint, complete } from "./urls.js";

// Where a domain leads, by the API's names: a label, and what visitors get while nothing is set.
const targets = [
  ["root_url", "Where visitors of the bare domain go", "Nowhere: the server answers itself"],
  ["unknown_url", "Where visitors of unknown addresses go", "A page that says there is no link"],
  ["ended_url", "Where visitors of ended links go", "A page that says it has ended"],
];

async function change({ domain }, fields) {
  const row = await request("PATCH", `/api/domains/${encodeURIComponent(domain)}`, {
    body: fields,
  });
  domains.set(domains.get().map((old) => (old.domain === domain ? { ...old, ...row } : old)));
}

export function DomainList({ who }) {
  const found = useStore(domains);
  const [error, setError] = useState(null);
  const [turn, setTurn] = useState(0);
  const [editing, setEditing] = useState(null);
  useEffect(() => {
    setError(null);
    learnDomains(true).catch(setError);
  }, [turn]);
  return html`<section class="panel" aria-labelledby="domains-title">
    <header class="panel-head"><h2 id="domains-title">Domains</h2></header>
    <p class="quiet settings-what">The hosts at which links are served, as BASE_URL and DOMAINS name
      them. The same code can stand for another link at each.</p>
    ${
      found.length
        ? html`<ul class="domains">${found.map(
            (row) =>
              html`<${Row} key=${row.domain} row=${row} who=${who}
                onEdit=${() => setEditing(row)} />`,
          )}</ul>`
        : error
          ? html`<${Trouble} title="Couldn't load the domains" message=${error.message}
            onRetry=${() => setTurn(turn + 1)} />`
          : html`<div class="bars-bone" role="status" aria-label="Loading domains"></div>`
    }
    ${found.length > 0 && error && html`<p class="problem" role="alert">${error.message}</p>`}
    ${editing && html`<${Editor} row=${editing} onClose=${() => setEditing(null)} />`}</section>`;
}

function Row({ row, who, onEdit }) {
  const { domain, links } = row;
  // The number is of all owners.
  const owner = readsAll(who) && me.get().others ? everybody : "";
  const text = plural(links, "link", "links");
  return html`<li><header><h3 class="mono"><bdi>${visible(domain)}</bdi></h3>
      ${row.default && html`<span class="badge">Default</span>`}
      ${!row.configured && html`<span class="state-badge">Not served</span>`}
      <span class="quiet">${
        links > 0
          ? html`<a href=${urlOf(address("/ui/", { domain, owner, archived: "all" }))}>${text}</a>`
          : text
      }</span>
      ${
        isAdmin(who) &&
        html`<button type="button" class="button" aria-label=${`Edit ${domain}`}
        onClick=${onEdit}>Edit</button>`
      }</header>
    ${
      !row.configured &&
      html`<p class="quiet">It is no longer in DOMAINS: visitors get a 404, and new links can't be
      made. Its links and their statistics are kept.</p>`
    }
    <dl>${targets.map(
      ([name, label, none]) =>
        html`<div key=${name}><dt class="quiet">${label}</dt><dd>${
          row[name]
            ? html`<${URLText} url=${row[name]} />`
            : html`<span class="quiet">${none}</span>`
        }</dd></div>`,
    )}</dl></li>`;
}

// Editor changes where a domain leads, which can be undone.
function Editor({ row, onClose }) {
  const [draft, setDraft] = useState(() =>
    Object.fromEntries(targets.map(([name]) => [name, row[name] ?? ""])),
  );
  const [problems, setProblems] = useState({});
  const [busy, setBusy] = useState(false);
  const form = useRef();
  const refuse = (found) => {
    setProblems(found);
    focusProblem(form.current);
  };
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    const fields = {},
      wrong = {};
    for (const [name] of targets) {
      const next = draft[name].trim() ? complete(draft[name]) : null;
      if (next === (row[name] ?? null)) continue;
      fields[name] = next;
      if (next && complaint(next)) wrong[name] = complaint(next);
    }
    if (Object.keys(wrong).length) return refuse(wrong);
    if (!Object.keys(fields).length) return onClose();
    setBusy(true);
    try {
      await change(row, fields);
      const before = Object.fromEntries(
        Object.keys(fields).map((name) => [name, row[name] ?? null]),
      );
      offer(`${row.domain} changed`, async () => {
        try {
          await change(row, before);
        } catch (error) {
          tell(`Not changed: ${error.message}`);
        }
      });
      onClose();
    } catch (error) {
      setBusy(false);
      refuse({ [Object.hasOwn(draft, error.field) ? error.field : "other"]: error.message });
    }
  };
  return html`<${Dialog} label=${`Edit ${row.domain}`} class="ask" onClose=${onClose}><form
    ref=${form} onSubmit=${submit} novalidate>
    <${DialogTitle} onClose=${onClose}>Edit <span class="mono">${visible(row.domain)}</span><//>
    ${targets.map(
      ([name, label, none]) => html`<label for=${`domain-${name}`}>${label}</label>
      <input id=${`domain-${name}`} class="field mono" inputmode="url" autocomplete="off"
        autocapitalize="off" spellcheck=${false} placeholder=${none} value=${draft[name]}
        aria-invalid=${Boolean(problems[name])}
        aria-describedby=${problems[name] ? `domain-${name}-problem` : undefined}
        onInput=${(e) => {
          setDraft({ ...draft, [name]: e.target.value });
          setProblems({});
        }} />
      <${Problem} id=${`domain-${name}`} text=${problems[name]} />`,
    )}
    ${problems.other && html`<p class="problem" role="alert">${problems.other}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${onClose}>Cancel</button>
      <button class="button primary" aria-busy=${busy}>Save</button></div>
  </form><//>`;
}
