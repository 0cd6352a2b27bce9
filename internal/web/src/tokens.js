// The section of named tokens: what there are, and how to make and delete them.
import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "./api.js";
import { ago, dateTime, day, plural, visible } from "./format.js";
import { UserField } from "./give.js";
import { html } from "./html.js";
import { everybody, isAdmin, of, readsAll, roleHints, roleName, roles } from "./me.js";
import { Choice } from "./pick.js";
import { aborted } from "./transport.js";
import {
  Dialog,
  DialogTitle,
  IconButton,
  Once,
  Problem,
  Trouble,
  focusProblem,
  tell,
} from "./ui.js";

const maxName = 64; // characters, as in the API
const dayMs = 86400e3;

// useTokens returns the tokens that the reader may see, and a function that asks again.
function useTokens(owner) {
  const [state, setState] = useState({ tokens: null, error: null });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    request("GET", of("/api/tokens", owner), { signal: controller.signal }).then(
      ({ tokens }) => setState({ tokens, error: null }),
      (error) => aborted(error) || setState((old) => ({ ...old, error })),
    );
    return () => controller.abort();
  }, [owner, turn]);
  return { ...state, reload: () => setTurn(turn + 1) };
}

export function Tokens({ who }) {
  const { tokens, error, reload } = useTokens(readsAll(who) ? everybody : "");
  const [dialog, setDialog] = useState(null); // "new", or the token to delete
  const add = useRef();
  const close = () => setDialog(null);
  const done = () => {
    close();
    reload();
    requestAnimationFrame(() => add.current?.focus()); // the token's button is gone
  };
  return html`<section class="panel" aria-labelledby="tokens-title">
    <header class="panel-head"><h2 id="tokens-title">Tokens</h2>
      <button type="button" class="button" ref=${add} onClick=${() => setDialog("new")}>
        New token</button></header>
    <p class="quiet settings-what">For programs. A token acts for whom it was made for, and may do
      what both its role and theirs allow.</p>
    ${
      tokens
        ? tokens.length
          ? html`<${List} who=${who} tokens=${tokens} onDelete=${setDialog} />`
          : html`<p class="panel-empty quiet">No tokens yet.</p>`
        : error
          ? html`<${Trouble} title="Couldn't load the tokens" message=${error.message}
            onRetry=${reload} />`
          : html`<div class="bars-bone" role="status" aria-label="Loading tokens"></div>`
    }
    ${tokens && error && html`<p class="problem" role="alert">${error.message}</p>`}
    ${dialog === "new" && html`<${NewToken} who=${who} onClose=${close} onMade=${reload} />`}
    ${
      dialog?.id &&
      html`<${DeleteToken} who=${who} token=${dialog} onClose=${close} onDone=${done} />`
    }</section>`;
}

const isOver = ({ expires_at: end }) => end !== null && Date.parse(end) <= Date.now();

const Ago = ({ time, never = "Never" }) =>
  time
    ? html`<time datetime=${time} title=${dateTime(Date.parse(time))}>
        ${ago(Date.parse(time), "long")}</time>`
    : never;

const End = ({ token, never = "Never" }) => {
  const { expires_at: end } = token;
  if (!end) return never;
  if (isOver(token)) return html`<span class="state-badge">Expired</span>`;
  return html`<time datetime=${end} title=${dateTime(Date.parse(end))}>
    ${day(new Date(end))}</time>`;
};

// List has, in a second line, what a phone has no columns for.
const List = ({ who, tokens, onDelete }) => html`<table class="entries">
  <thead><tr><th scope="col">Name</th><th scope="col" class="wide-only">Acts for</th>
    <th scope="col" class="wide-only">Role</th><th scope="col" class="wide-only">Last used</th>
    <th scope="col" class="wide-only">Expires</th>
    <th><span class="unseen">Actions</span></th></tr></thead>
  <tbody>${tokens.map((token) => {
    const { id, name, identity, role, hint, last_used_at: used } = token;
    const owner = identity === who.identity ? "You" : identity;
    return html`<tr key=${id}>
      <th scope="row"><span class="entry-name"><bdi>${visible(name)}</bdi>${" "}
        <span class="quiet mono" title="The last characters of the token">…${hint}</span></span>
        <span class="entry-more quiet"><span><bdi>${visible(owner)}</bdi> · ${roleName(role)}</span>
          <span>Used: <${Ago} time=${used} never="never" /></span>
          <span>Expires: <${End} token=${token} never="never" /></span></span></th>
      <td class="wide-only"><bdi>${visible(owner)}</bdi></td>
      <td class="wide-only">${roleName(role)}</td>
      <td class="wide-only"><${Ago} time=${used} /></td>
      <td class="wide-only"><${End} token=${token} /></td>
      <td class="entry-end">${
        (identity === who.identity || isAdmin(who)) &&
        html`<${IconButton} icon="remove" label=${`Delete ${visible(name)}`}
          onClick=${() => onDelete(token)} />`
      }</td></tr>`;
  })}</tbody></table>
  <p class="quiet settings-what">${plural(tokens.length, "token", "tokens")}</p>`;

const spans = [
  ["7", "In 7 days"],
  ["30", "In 30 days"],
  ["90", "In 90 days"],
  ["365", "In a year"],
  ["", "Never"],
];

// rolesFor returns the roles that somebody may give to a token, lowest first.
const rolesFor = (role) =>
  role === "admin" ? Object.keys(roles) : role === "viewer" ? ["viewer"] : ["viewer", role];

function NewToken({ who, onClose, onMade }) {
  const offered = rolesFor(who.role);
  const [name, setName] = useState("");
  const [role, setRole] = useState(offered.includes("editor") ? "editor" : who.role);
  const [span, setSpan] = useState("90");
  const [identity, setIdentity] = useState("");
  const [problems, setProblems] = useState({});
  const [busy, setBusy] = useState(false);
  const [made, setMade] = useState(null);
  const form = useRef();
  const refuse = (found) => {
    setProblems(found);
    focusProblem(form.current);
  };
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    if (!name.trim()) return refuse({ name: "Enter a name." });
    if ([...name.trim()].length > maxName)
      return refuse({ name: `A name can have at most ${maxName} characters.` });
    setBusy(true);
    setProblems({});
    try {
      const body = {
        name: name.trim(),
        role,
        ...(identity.trim() && { identity: identity.trim() }),
        ...(span && { expires_at: new Date(Date.now() + Number(span) * dayMs).toISOString() }),
      };
      const token = await request("POST", "/api/tokens", { body });
      onMade();
      setMade(token);
    } catch (error) {
      const field = ["name", "identity"].includes(error.field)
        ? error.field
        : /token name/i.test(error.message)
          ? "name"
          : "other";
      refuse({ [field]: error.message });
    } finally {
      setBusy(false);
    }
  };
  if (made)
    return html`<${Once} title=${`The token ${visible(made.name)}`} what="token" text=${made.token}
      onClose=${onClose}>
      Copy it to where it is needed. Whoever has it can do what it may.<//>`;
  const change = (set) => (value) => {
    set(value);
    setProblems({});
  };
  return html`<${Dialog} label="New token" class="new-token ask" onClose=${onClose}><form
    ref=${form} onSubmit=${submit} novalidate>
    <${DialogTitle} onClose=${onClose}>New token<//>
    <label for="token-name">Name</label>
    <input id="token-name" class="field" autocomplete="off" spellcheck=${false} value=${name}
      placeholder="What it is for" onInput=${(e) => change(setName)(e.target.value)}
      aria-invalid=${Boolean(problems.name)}
      aria-describedby=${problems.name ? "token-name-problem" : undefined} />
    <${Problem} id="token-name" text=${problems.name} />
    <div class="token-choices"><div><span class="form-label">Role</span>
      <${Choice} label="Role" value=${role} onChange=${change(setRole)}
        options=${offered.map((one) => [one, roleName(one)])} /></div>
    <div><span class="form-label">Expires</span>
      <${Choice} label="Expires" value=${span} onChange=${change(setSpan)} options=${spans} /></div>
    </div>
    <p class="hint">${roleName(role)}: ${roleHints[role]}.${
      role === "viewer" &&
      isAdmin(who) &&
      " A new name has no links, so it sees none; an auditor sees those of all."
    }</p>
    ${
      isAdmin(who) &&
      html`<${UserField} id="token-identity" label="Acts for" text=${identity} create=${true}
        problem=${problems.identity} onText=${change(setIdentity)}
        placeholder="Yourself"
        hint="A new name, such as ci, makes a service with links of its own." />`
    }
    <${Problem} id="token-other" text=${problems.other} />
    <div class="buttons"><button type="button" class="button" onClick=${onClose}>Cancel</button>
      <button class="button primary" aria-busy=${busy}>Make token</button></div>
  </form><//>`;
}

function DeleteToken({ who, token: { id, name, identity }, onClose, onDone }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const remove = async () => {
    if (busy) return;
    setBusy(true);
    try {
      const owner = identity === who.identity ? "" : everybody;
      await request("DELETE", of(`/api/tokens/${encodeURIComponent(id)}`, owner));
    } catch (error) {
      if (error.status !== 404) {
        setBusy(false);
        return setProblem(error.message);
      }
    }
    tell("Token deleted");
    onDone();
  };
  return html`<${Dialog} label="Delete token" onClose=${onClose}>
    <${DialogTitle} onClose=${onClose}>Delete ${visible(name)}?<//>
    <p>Programs with this token are refused at once, and whoever signed in with it is signed out.
      This can't be undone.</p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <div class="buttons"><button type="button" class="button" data-focus=${true}
        onClick=${onClose}>Keep it</button>
      <button type="button" class="button danger" aria-busy=${busy} onClick=${remove}>
        Delete token</button></div>
  <//>`;
}
