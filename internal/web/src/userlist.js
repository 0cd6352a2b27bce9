// The section of users: people, services, and whom the tokens of the settings stand for.
import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "./api.js";
import { ago, count, dateTime, plural, visible } from "./format.js";
import { UserField } from "./give.js";
import { html } from "./html.js";
import { home, isAdmin, roleName, roles } from "./me.js";
import { Menu } from "./menu.js";
import { Choice } from "./pick.js";
import { address, go } from "./router.js";
import { useStore } from "./store.js";
import { aborted } from "./transport.js";
import { Dialog, DialogTitle, Icon, IconButton, Trouble, offer, tell } from "./ui.js";
import { learnUsers, replaceUser, users } from "./users.js";

const step = 100; // rows per step
const many = 20; // users from which on there is a search

const path = (identity) => `/api/users/${encodeURIComponent(identity)}`;

async function change({ identity }, fields) {
  replaceUser(await request("PATCH", path(identity), { body: fields }));
}

// tryTo does something, and says why it could not.
async function tryTo(act) {
  try {
    await act();
  } catch (error) {
    tell(`Not changed: ${error.message}`);
  }
}

const fold = (text) => (text ?? "").normalize("NFC").toLowerCase();

export function Users({ who }) {
  const found = useStore(users);
  const [error, setError] = useState(null);
  const [turn, setTurn] = useState(0);
  const [text, setText] = useState("");
  const [shown, setShown] = useState(step);
  const [dialog, setDialog] = useState(null); // {user, anchor} of a menu, {user} to delete
  const heading = useRef();
  useEffect(() => {
    const controller = new AbortController();
    setError(null);
    learnUsers({ signal: controller.signal }).catch(
      (problem) => aborted(problem) || setError(problem),
    );
    return () => controller.abort();
  }, [turn]);
  const wanted = fold(text.trim());
  const rows = (found ?? []).filter(({ identity, name }) =>
    [identity, name].some((one) => fold(one).includes(wanted)),
  );
  const gone = () => {
    setDialog(null);
    requestAnimationFrame(() => heading.current?.focus()); // the button is gone
  };
  return html`<section class="panel" aria-labelledby="people-title">
    <header class="panel-head"><h2 id="people-title" tabindex="-1" ref=${heading}>People</h2>
      ${
        found?.length >= many &&
        html`<div class="search"><${Icon} name="search" /><input type="search" class="field"
          aria-label="Search people" placeholder="Search people" autocomplete="off"
          spellcheck=${false} value=${text} onInput=${(e) => {
            setText(e.target.value);
            setShown(step);
          }} /></div>`
      }</header>
    <p class="quiet settings-what">People appear here when they first sign in, services when a token
      is made for them.</p>
    ${
      found
        ? html`<${List} who=${who} users=${rows.slice(0, shown)} onMenu=${setDialog} />
        <p class="quiet settings-what" role="status">${
          wanted ? plural(rows.length, "match", "matches") : plural(rows.length, "user", "users")
        }</p>
        ${
          rows.length > shown &&
          html`<p class="panel-more"><button type="button" class="text-button"
            onClick=${() => setShown(shown + step)}>
            Show ${count(Math.min(step, rows.length - shown))} more</button></p>`
        }`
        : error
          ? html`<${Trouble} title="Couldn't load the users" message=${error.message}
            onRetry=${() => setTurn(turn + 1)} />`
          : html`<div class="bars-bone" role="status" aria-label="Loading users"></div>`
    }
    ${found && error && html`<p class="problem" role="alert">${error.message}</p>`}
    ${
      dialog?.anchor &&
      html`<${UserMenu} who=${who} ...${dialog} onDelete=${(user) => setDialog({ user })}
        onClose=${() => setDialog(null)} />`
    }
    ${
      dialog &&
      !dialog.anchor &&
      html`<${DeleteUser} who=${who} user=${dialog.user} onDone=${gone}
        onClose=${() => setDialog(null)} />`
    }</section>`;
}

// kindOf says what a user is who is no person with a name.
const kindOf = ({ identity, email, name }) =>
  identity === home ? "The tokens of the settings" : email ? (name ? identity : "") : "Service";

const Seen = ({ time, never }) =>
  time
    ? html`<time datetime=${time} title=${dateTime(Date.parse(time))}>
        ${ago(Date.parse(time), "long")}</time>`
    : never;

const List = ({ who, users: found, onMenu }) => html`<table class="entries">
  <thead><tr><th scope="col">Who</th><th scope="col">Role</th>
    <th scope="col" class="wide-only">Last seen</th>
    <th scope="col" class="wide-only end">Links</th>
    <th scope="col" class="wide-only end">Tokens</th>
    <th><span class="unseen">Actions</span></th></tr></thead>
  <tbody>${found.map((user) => {
    const { identity, name, role, disabled, links, tokens, last_seen_at: seen } = user;
    const isMe = identity === who.identity;
    return html`<tr key=${identity} data-off=${disabled}>
      <th scope="row"><span class="entry-name"><bdi>${visible(name || identity)}</bdi>
        ${isMe && html`${" "}<span class="badge">You</span>`}
        ${disabled && html`${" "}<span class="state-badge">Disabled</span>`}</span>
        ${
          kindOf(user) &&
          html`<span class="entry-kind quiet"><bdi>${visible(kindOf(user))}</bdi></span>`
        }
        <span class="entry-more quiet"><span>${plural(links, "link", "links")},${" "}
          ${plural(tokens, "token", "tokens")}</span>
          <span>Seen: <${Seen} time=${seen} never="never" /></span></span></th>
      <td>${
        isAdmin(who) && !isMe && identity !== home
          ? html`<${Choice} label=${`Role of ${visible(identity)}`} value=${role}
            options=${Object.entries(roles)} onChange=${(next) =>
              next !== role && give(user, next)} />`
          : roleName(role)
      }</td>
      <td class="wide-only"><${Seen} time=${seen} never="Never" /></td>
      <td class="wide-only end">${count(links)}</td>
      <td class="wide-only end">${count(tokens)}</td>
      <td class="entry-end"><${IconButton} icon="more" label=${`Actions for ${visible(identity)}`}
        aria-haspopup="menu"
        onClick=${(event) => onMenu({ user, anchor: event.currentTarget })} /></td></tr>`;
  })}</tbody></table>`;

const give = (user, role) =>
  tryTo(async () => {
    await change(user, { role });
    offer(`${user.identity} is ${role === "viewer" ? "a" : "an"} ${role} now`, () =>
      change(user, { role: user.role }),
    );
  });

function UserMenu({ who, user, anchor, onDelete, onClose }) {
  const { identity, disabled } = user;
  const isMe = identity === who.identity;
  const toggle = () =>
    tryTo(async () => {
      await change(user, { disabled: !disabled });
      offer(disabled ? `Enabled ${identity}` : `Disabled ${identity}, and ended all sessions`, () =>
        change(user, { disabled: Boolean(disabled) }),
      );
    });
  const end = () =>
    tryTo(async () => {
      await request("DELETE", `${path(identity)}/sessions`);
      tell(`Signed out ${identity} everywhere`);
    });
  const items = [
    {
      icon: "forth",
      label: "Show links",
      onChoose: () => go(address("/ui/", { owner: isMe ? "" : identity })),
    },
    {
      icon: "forth",
      label: "Show in the audit",
      onChoose: () => go(address("/ui/settings", { show: "audit", by: identity })),
    },
    ...(isAdmin(who) && !isMe
      ? [
          null,
          { icon: "leave", label: "Sign out everywhere", onChoose: end },
          ...(identity === home
            ? []
            : [
                {
                  icon: disabled ? "done" : "pause",
                  label: disabled ? "Enable" : "Disable",
                  onChoose: toggle,
                },
                { icon: "remove", label: "Delete", danger: true, onChoose: () => onDelete(user) },
              ]),
        ]
      : []),
  ];
  return html`<${Menu} anchor=${anchor} label=${`Actions for ${visible(identity)}`} items=${items}
    onClose=${onClose} />`;
}

// DeleteUser asks who gets the links.
function DeleteUser({ who, user: { identity, links, tokens }, onClose, onDone }) {
  const [to, setTo] = useState(who.identity);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    if (links && !to.trim()) return setProblem("Choose who gets the links.");
    setBusy(true);
    try {
      await request("DELETE", address(path(identity), { move_to: links ? to.trim() : "" }));
    } catch (error) {
      if (error.status !== 404) {
        setBusy(false);
        return setProblem(error.message);
      }
    }
    learnUsers().catch(() => {});
    tell(`Deleted ${identity}`);
    onDone();
  };
  return html`<${Dialog} label="Delete user" class="ask" onClose=${onClose}><form
    onSubmit=${submit} novalidate>
    <${DialogTitle} onClose=${onClose}>Delete ${visible(identity)}?<//>
    <p>${tokens ? `${plural(tokens, "token", "tokens")} and all sessions end.` : ""}
      ${!tokens && "All sessions end."}
      ${" "}This can't be undone. Whom the sign-in still allows can come back, as somebody new.</p>
    ${
      links > 0
        ? html`<${UserField} id="move-to" label=${`Give ${plural(links, "link", "links")} to`}
          text=${to} except=${identity} problem=${problem} onText=${(text) => {
            setTo(text);
            setProblem("");
          }} />`
        : problem && html`<p class="problem" role="alert">${problem}</p>`
    }
    <div class="buttons"><button type="button" class="button" data-focus=${true}
        onClick=${onClose}>Keep</button>
      <button class="button danger" aria-busy=${busy}>Delete</button></div>
  </form><//>`;
}
