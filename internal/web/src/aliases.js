// A link's aliases on its page: the addresses that lead where the code leads.
import { useEffect, useRef, useState } from "preact/hooks";
import { asAlias, isCode, maxAliases, taken } from "./addresses.js";
import { hostOf, keyOf, shortURL, visible } from "./format.js";
import { html } from "./html.js";
import { Menu } from "./menu.js";
import { load, save } from "./record.js";
import { CopyButton, IconButton, Problem, Spelled, focusField, tell } from "./ui.js";

const few = 4; // shown at first, if there are more

export const focusAdd = () =>
  requestAnimationFrame(() => document.querySelector(".add-address")?.focus());

// change saves fields made from a link. If others changed something else meanwhile, it tries again.
async function change(link, fieldsOf, text) {
  try {
    return await save(link, fieldsOf(link), text);
  } catch (error) {
    if (error.status !== 412) throw error;
    const now = await load(keyOf(link));
    return save(now, fieldsOf(now), text);
  }
}

const short = (alias, { domain }) =>
  html`<span class="quiet">${hostOf(domain)}/</span><bdi>${visible(alias)}</bdi>`;

export function Aliases({ link, editable, onDialog }) {
  const [chosen, setChosen] = useState(null); // {alias, anchor} of the menu
  const [all, setAll] = useState(false);
  const aliases = link.aliases ?? [];
  const before = useRef(aliases.length);
  useEffect(() => {
    if (aliases.length > before.current) setAll(true); // what was added has to be seen
    before.current = aliases.length;
  }, [aliases.length]);
  if (!aliases.length) return null;
  const host = hostOf(link.domain);
  const shown = all || aliases.length <= few + 1 ? aliases : aliases.slice(0, few);
  return html`<ul class="link-aliases" aria-label="More addresses">
    ${shown.map(
      (alias) => html`<li key=${alias}><span class="mono">${short(alias, link)}</span>
        <span class="link-actions">
        <${CopyButton} text=${shortURL(alias, link.domain)}
          label=${`Copy ${host}/${visible(alias)}`} />
        <${IconButton} icon="more" label=${`Actions for ${host}/${visible(alias)}`}
          aria-haspopup="menu"
          onClick=${(event) => setChosen({ alias, anchor: event.currentTarget })} /></span></li>`,
    )}
    ${
      shown.length < aliases.length &&
      html`<li><button type="button" class="text-button" onClick=${() => setAll(true)}>
        Show all ${aliases.length}</button></li>`
    }</ul>
    ${
      chosen &&
      html`<${AliasMenu} link=${link} ...${chosen} editable=${editable} onDialog=${onDialog}
        onClose=${() => setChosen(null)} />`
    }`;
}

function AliasMenu({ link, alias, anchor, editable, onDialog, onClose }) {
  const { short_code: code } = link;
  const run = async (fieldsOf, text) => {
    try {
      await change(link, fieldsOf, text);
      // its row is gone, and the focus with it
      if (!anchor.isConnected || document.activeElement === document.body) focusAdd();
    } catch (error) {
      tell(`Not changed: ${error.message}`);
    }
  };
  const without = ({ aliases = [] }) => aliases.filter((other) => other !== alias);
  const remove = () =>
    run(
      (now) => ({ aliases: without(now).length ? without(now) : null }),
      `Removed ${alias}: visitors get a 404`,
    );
  const promote = () => run(() => ({ short_code: alias }), `Code changed to ${alias}`);
  const items = [
    editable &&
      isCode(alias) && {
        icon: "swap",
        label: "Make this the code",
        hint: `${code} stays as an address`,
        onChoose: promote,
      },
    { icon: "qr", label: "QR code", onChoose: () => onDialog({ qr: alias }) },
    { icon: "open", label: "Open", hint: "counts as a click", href: shortURL(alias, link.domain) },
    editable && null,
    editable && {
      icon: "remove",
      label: "Remove",
      hint: "visitors get a 404",
      onChoose: remove,
    },
  ].filter((item) => item !== false);
  return html`<${Menu} anchor=${anchor} label=${`Actions for ${visible(alias)}`} items=${items}
    onClose=${onClose} />`;
}

// AliasField adds an alias.
export function AliasField({ link, onLeave }) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const input = useRef();
  useEffect(() => input.current.focus(), []);
  const refuse = (reason) => {
    setProblem(reason);
    input.current?.focus();
  };
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    const { value: alias, problem: wrong } = asAlias(text, link.domain);
    const reason = wrong ?? whyNot(link, alias);
    if (reason) return refuse(reason);
    setBusy(true);
    try {
      await change(
        link,
        ({ aliases = [] }) => ({ aliases: [...aliases, alias] }),
        `Added ${alias}`,
      );
      onLeave();
    } catch (error) {
      setBusy(false);
      refuse(explain(error, alias, link));
    }
  };
  return html`<form class="link-edit link-alias" onSubmit=${submit} novalidate>
    <span class="code-field" data-invalid=${Boolean(problem)} onClick=${focusField}>
      <span class="quiet mono" title=${`${hostOf(link.domain)}/`}>
        ${hostOf(link.domain)}/</span>
      <input ref=${input} id="alias" class="mono" aria-label="New address"
        placeholder="docs/install" autocomplete="off" autocapitalize="off" spellcheck=${false}
        value=${text} onInput=${(e) => {
          setText(e.target.value);
          setProblem("");
        }}
        onKeyDown=${(e) => e.key === "Escape" && onLeave()} aria-invalid=${Boolean(problem)}
        aria-describedby=${problem ? "alias-problem" : "alias-hint"} /></span>
    <button type="button" class="button" onClick=${onLeave}>Cancel</button>
    <button class="button primary" aria-busy=${busy}>Add</button>
    <${Spelled} text=${text} />
    ${
      problem
        ? html`<${Problem} id="alias" text=${problem} />`
        : html`<p id="alias-hint" class="hint">Leads where the code leads. Slashes are allowed.</p>`
    }
  </form>`;
}

function whyNot({ short_code: code, aliases = [] }, alias) {
  if (alias === code || aliases.includes(alias)) return "This link has that address already.";
  return aliases.length < maxAliases
    ? ""
    : `A link can have at most ${maxAliases} more addresses. Remove one first.`;
}

function explain({ status, message }, alias, { domain }) {
  if (status === 0) return "Not added: can't reach the server. Your text is kept.";
  return status === 409 ? taken(visible(alias), domain) : message;
}
