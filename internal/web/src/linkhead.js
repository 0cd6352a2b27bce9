// The part above a link's clicks: its properties. The destination can be changed in place.
import { useEffect, useRef, useState } from "preact/hooks";
import {
  ago,
  count,
  dateTime,
  hostOf,
  keyOf,
  lookUp,
  partsOf,
  share,
  urlOf,
  urlOfKey,
  utcDay,
  visible,
  visibleLines,
  webURL,
} from "./format.js";
import { History } from "./history.js";
import { html } from "./html.js";
import { Unserved } from "./domains.js";
import { left } from "./list.js";
import { measures, valuesOf } from "./measure.js";
import { AliasField, Aliases, focusAdd } from "./aliases.js";
import { isMine } from "./me.js";
import { load, save, saved, states } from "./record.js";
import { describe } from "./rule.js";
import { useStore } from "./store.js";
import { Tags } from "./tags.js";
import { Fold, Icon, IconButton, Spelled, URLText, say, tell, useCopy } from "./ui.js";
import { complaint, complete, refusal } from "./urls.js";
import { endings, extras } from "./words.js";

// While it waits for the link, a title may yet take the place of the short URL, which moves what
// can be done with that: so these stay hidden for as long.
export function LinkHead({ of: key, link, isWaiting, isNarrow, editable, view, clicks, onDialog }) {
  const { domain, code } = partsOf(key);
  const [adding, setAdding] = useState(false);
  const leave = () => {
    setAdding(false);
    focusAdd();
  };
  const short = html`<span class="quiet">${hostOf(domain)}/</span>${code}`;
  return html`<header class="link-head">
    <a class="back" href=${urlOf(left.path)}><${Icon} name="back" />Links</a>
    <div class="link-title">${
      link?.title
        ? html`<h1><bdi>${visible(link.title)}</bdi></h1>`
        : html`<h1 class="mono">${short}</h1>`
    }
      ${
        editable &&
        html`<span class="link-end">
        <button type="button" class="button" disabled=${!link}
          onClick=${() => onDialog("edit")}>Edit</button>
        <${IconButton} icon="more" label="More actions" disabled=${!link} aria-haspopup="menu"
          onClick=${(event) => onDialog(event.currentTarget)} /></span>`
      }</div>
    <div class="link-short">${link?.title && html`<span class="mono short">${short}</span>`}
      <span class="link-actions" data-waiting=${isWaiting}><${Copy} text=${urlOfKey(key)} />
        <${IconButton} icon="qr" label="QR code" onClick=${() => onDialog({ qr: code })} />
        <a class="icon-button" href=${urlOfKey(key)} target="_blank" rel="noreferrer noopener"
          aria-label="Open the short URL, which counts as a click"
          title="Open the short URL (counts as a click)"><${Icon} name="open" /></a>
        ${
          editable &&
          html`<button type="button" class="text-button add-address" aria-label="Add an address"
          disabled=${!link} aria-expanded=${adding} onClick=${() => setAdding(true)}>
          <${Icon} name="add" />Address</button>`
        }</span>
      ${!isNarrow && html`<${Tags} tags=${link?.tags} />`}</div>
    ${
      !isNarrow &&
      link?.aliases?.length > 0 &&
      html`<${Aliases} link=${link} editable=${editable} onDialog=${onDialog} />`
    }
    ${adding && link && html`<${AliasField} link=${link} onLeave=${leave} />`}
    ${
      link
        ? html`<${Destination} key=${key} link=${link} editable=${editable} />`
        : html`<p class="link-leads"><i class="bone wide"></i></p>`
    }
    ${
      link
        ? html`<${Facts} link=${link} isShort=${isNarrow} />`
        : html`<p class="link-facts"><i class="bone"></i></p>`
    }
    ${!isNarrow && link?.note && html`<${Note} text=${link.note} />`}
    ${
      !isNarrow &&
      link?.rules?.length > 0 &&
      html`<${Rules} link=${link} view=${view} clicks=${clicks} />`
    }
  </header>`;
}

// Folded has, below the chart of a phone, what stands above it where there is more room.
export function Folded({ link, editable, view, clicks, onDialog }) {
  const { note, tags = [], rules = [], aliases = [] } = link;
  return html`<${Tags} tags=${tags} class="tags link-tags" />
  <ul class="link-facts"><${Options} link=${link} /></ul>
  ${
    aliases.length > 0 &&
    html`<${Fold} title="More addresses" what=${count(aliases.length)}>
      <${Aliases} link=${link} editable=${editable} onDialog=${onDialog} /><//>`
  }
  ${
    rules.length > 0 &&
    html`<${Fold} title="Rules" what=${count(rules.length)}>
      <${Rules} link=${link} view=${view} clicks=${clicks} /><//>`
  }
  ${note && html`<${Fold} title="Note:" what=${visible(note)}><${Note} text=${note} /><//>`}
  <${History} link=${link} isNarrow=${true} />`;
}

const Note = ({ text }) => html`<p class="link-note"><span class="quiet">Note: </span>
  ${visibleLines(text)}</p>`;

function Copy({ text }) {
  const [state, run] = useCopy();
  return html`<button type="button" class="button primary copy-short"
    aria-label="Copy the short URL" onClick=${() => run(text)}>
    <${Icon} name=${state === "done" ? "done" : "copy"} />Copy
    ${
      state &&
      html`<span class="bubble" aria-hidden="true">
      ${state === "done" ? "Copied" : "Couldn't copy"}</span>`
    }</button>`;
}

const Options = ({ link }) =>
  [...endings(link), ...extras(link)].map((fact) => html`<li key=${fact}>${fact}</li>`);

// Facts are how a link ends, what visitors notice, when it was made, and its last click; where
// there is little room, only what may be unexpected, and the times.
function Facts({ link, isShort }) {
  const { rules = [], expired_url: expired } = link;
  const made = new Date(link.created_at);
  return html`<ul class="link-facts">
    ${!isMine(link) && html`<li>Belongs to <bdi>${visible(link.created_by)}</bdi></li>`}
    <${Unserved} domain=${link.domain}>
      ${(text) => html`<li><span class="state-badge">${text}</span></li>`}<//>
    ${link.archived && html`<li><span class="state-badge">Archived</span></li>`}
    ${
      link.blocked &&
      html`<li><span class="state-badge">Blocked</span> ${
        rules.length || expired
          ? "This server lets no link lead to one of its destinations"
          : "This server lets no link lead to its destination"
      }</li>`
    }
    ${states[link.status] && html`<li><${State} status=${link.status} /></li>`}
    ${!isShort && html`<${Options} link=${link} />`}
    <${Saved} of=${keyOf(link)}>
      <li><time datetime=${link.created_at} title=${dateTime(made)}>
        Created ${ago(made, "long")}</time></li>
      ${link.etag && html`<li><${LastClick} time=${link.last_clicked_at} /></li>`}
    <//></ul>`;
}

// LastClick is of links that were loaded by themselves: lists don't say.
function LastClick({ time }) {
  if (!time) return "No clicks yet";
  if (time.endsWith("T00:00:00Z")) return `Last click on ${utcDay(time)}`; // only the day is known
  const at = new Date(time);
  return html`<time datetime=${time} title=${dateTime(at)}>Last click ${ago(at, "long")}</time>`;
}

// Rules says in words who is led where, and how many were, in the range that is shown.
function Rules({ link: { rules }, view, clicks: { data, panels } }) {
  const answer = panels.rule && data && valuesOf(panels.rule, measures(view, data));
  const row = (name, who, where) => {
    const n = lookUp(answer?.counts ?? {}, name) ?? 0;
    return html`<li key=${name}><span>${who} <span class="quiet">→</span>${" "}
      ${where}</span>
      <span class="end">${answer && `${count(n)} ${answer.measure.unit(n)}`}</span>
      <span class="end quiet">${answer && share(n, answer.total)}</span></li>`;
  };
  return html`<ol class="link-rules" aria-label="Rules in words">
    ${rules.map((rule, i) =>
      row(rule.name, visible(describe(rule, i)), html`<${URLText} url=${rule.url} />`),
    )}
    ${row("default", "Everyone else", "the destination")}</ol>`;
}

export const State = ({ status }) =>
  states[status] && html`<span class="state-badge">${states[status]}</span>`;

function Destination({ link, editable }) {
  const [editing, setEditing] = useState(false);
  const pencil = useRef();
  const leave = () => {
    setEditing(false);
    requestAnimationFrame(() => pencil.current?.querySelector("button").focus());
  };
  if (editing) return html`<${DestinationField} link=${link} onLeave=${leave} />`;
  const { original_url: url } = link,
    leads = webURL(url);
  return html`<div class="link-leads" ref=${pencil}><${Icon} name="arrow" />
    ${
      leads
        ? html`<a class="leads" href=${leads.href} target="_blank" rel="noreferrer noopener"
        title=${visible(url)}><${URLText} url=${url} /></a>`
        : html`<span class="leads"><${URLText} url=${url} /></span>`
    }
    ${
      editable &&
      html`<${IconButton} icon="edit" label="Change the destination"
      onClick=${() => setEditing(true)} />`
    }</div>`;
}

// Saved says that the last change was saved, and offers to undo it. It takes the place of its
// children, so that nothing moves.
function Saved({ of: key, children }) {
  const change = useStore(saved);
  const here = change?.key === key ? change : null;
  useEffect(() => {
    if (here) say(`${here.text || "Saved"}${here.undo ? ". Undo is offered." : ""}`);
  }, [here]);
  if (!here) return children;
  const undo = async () => {
    try {
      await here.undo();
      say("Changed back");
    } catch (error) {
      tell(
        error.status === 412
          ? "Not changed back: someone else edited the link."
          : `Not changed back: ${error.message}`,
      );
    }
  };
  return html`<li class="saved"><${Icon} name="done" /><span>${visible(here.text || "Saved")}</span>
    ${here.undo && html`<button type="button" class="text-button" onClick=${undo}>Undo</button>`}
  </li>`;
}

function DestinationField({ link, onLeave }) {
  const [base, setBase] = useState(link); // the version that the change is based on
  const [url, setURL] = useState(link.original_url);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const input = useRef();
  useEffect(() => input.current.select(), []);
  const submit = async (event) => {
    event.preventDefault();
    const next = url === base.original_url ? url : complete(url);
    if (busy || next === base.original_url) return busy || onLeave();
    const reason = complaint(next);
    if (reason) return setProblem(reason);
    setBusy(true);
    try {
      await save(base, { original_url: next });
      onLeave();
    } catch (error) {
      setProblem(await explain(error));
      setBusy(false);
    }
  };
  // A reader who has seen others' changes and saves again means to.
  const explain = async ({ status, field, message }) => {
    if (status === 0) return "Not saved: can't reach the server. Your text is kept.";
    if (field === "original_url") return refusal(url, message);
    if (status !== 412) return message;
    try {
      const now = await load(keyOf(base));
      setBase(now);
      return now.original_url === base.original_url
        ? "Someone else edited this link. Save again to change its destination."
        : `Someone else changed it to ${visible(now.original_url)}. Save again to overwrite.`;
    } catch (error) {
      return error.message;
    }
  };
  return html`<form class="link-edit" onSubmit=${submit}>
    <input ref=${input} class="field mono" type="text" inputmode="url" aria-label="Destination"
      autocomplete="off" autocapitalize="off" spellcheck=${false} value=${url}
      onInput=${(e) => {
        setURL(e.target.value);
        setProblem("");
      }}
      onKeyDown=${(e) => e.key === "Escape" && onLeave()} aria-invalid=${Boolean(problem)}
      aria-describedby=${problem ? "destination-problem" : undefined} />
    <button type="button" class="button" onClick=${onLeave}>Cancel</button>
    <button class="button primary" aria-busy=${busy}>Save</button>
    <${Spelled} text=${url} />
    ${problem && html`<p id="destination-problem" class="problem" role="alert">${problem}</p>`}
  </form>`;
}
