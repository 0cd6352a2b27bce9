// The form of a link: everyday fields first.
import { useEffect, useState } from "preact/hooks";
import { Chips } from "./chips.js";
import { DateField } from "./datefield.js";
import { asTag } from "./draft.js";
import { html } from "./html.js";
import { Rules } from "./rules.js";
import { known, learn, optionsOf } from "./tags.js";
import { useStore } from "./store.js";
import { Icon, IconButton, Problem, Spelled } from "./ui.js";
import { parameters, readUTM, writeUTM } from "./utm.js";

// Row has a label, a control and its error. id is that of the control.
const Row = ({ id, label, problem, hint, children }) => html`<div class="form-row">
  <label for=${id}>${label}</label>
  <div class="form-control">${children}
    ${
      problem
        ? html`<${Problem} id=${id} text=${problem} />`
        : hint && html`<p class="hint">${hint}</p>`
    }</div></div>`;

// Group is a Row of several controls. The error belongs to the control with the ID wrong.
const Group = ({ id, label, wrong, problem, children }) =>
  html`<div class="form-row" role="group" aria-labelledby=${`${id}-label`}>
  <span id=${`${id}-label`} class="form-label">${label}</span>
  <div class="form-control">${children}<${Problem} id=${wrong} text=${problem} /></div></div>`;

// LinkForm edits a draft. withURL is false if the destination has a field elsewhere; link is the
// link that the draft was made from.
export function LinkForm({ id = "f", draft, onChange, problems = {}, link, withURL = true }) {
  const set = (name) => (value) => onChange({ ...draft, [name]: value });
  const props = { id, draft, set, problems };
  return html`<div class="form">
    ${
      withURL &&
      html`<${Row} id=${`${id}-original_url`} label="Destination"
      problem=${problems.original_url}><${Input} ...${props} name="original_url" mono=${true}
        inputmode="url" /><//>`
    }
    <${UTM} ...${props} />
    <${Row} id=${`${id}-title`} label="Title" problem=${problems.title}>
      <${Input} ...${props} name="title" spellcheck=${true} /><//>
    <${TagRow} ...${props} onChange=${onChange} />
    <${Ends} ...${props} />
    <${More} ...${props} link=${link} />
    <${Rules} id=${`${id}-rules`} rules=${draft.rules} destination=${draft.original_url}
      problems=${problems} onChange=${set("rules")} />
  </div>`;
}

const Input = ({
  id,
  draft,
  set,
  problems,
  name,
  mono,
  type = "text",
  spellcheck = false,
  ...rest
}) => html`<input id=${`${id}-${name}`} type=${type}
  class=${mono ? "field mono" : "field"} autocomplete="off" spellcheck=${spellcheck}
  value=${draft[name]} aria-invalid=${Boolean(problems[name])}
  aria-describedby=${problems[name] ? `${id}-${name}-problem` : undefined}
  onInput=${(e) => set(name)(e.target.value)} ...${rest} />
  <${Spelled} text=${String(draft[name])} />`;

const Time = ({ id, draft, set, problems, name, label }) => html`<${DateField}
  id=${`${id}-${name}`} value=${draft[name]} onChange=${set(name)}
  aria-invalid=${Boolean(problems[name])}
  aria-describedby=${problems[name] ? `${id}-${name}-problem` : undefined}
  aria-label=${label} />`;

// UTM edits the campaign parameters within the destination.
function UTM({ id, draft, set }) {
  const url = draft.original_url;
  const [open, setOpen] = useState(parameters.some((name) => readUTM(url, name)));
  if (!open)
    return html`<div class="form-row form-extra"><span></span><div class="form-control">
    <button type="button" class="text-button" onClick=${() => setOpen(true)}>
      <${Icon} name="add" />UTM parameters</button></div></div>`;
  return html`<${Group} id=${`${id}-utm`} label="UTM"><div class="form-parts">
    ${parameters.map(
      (name) => html`<label key=${name}><span>${name}</span>
      <input class="field" autocomplete="off" spellcheck=${false} aria-label=${`UTM ${name}`}
        value=${readUTM(url, name)} disabled=${!url.trim()}
        onInput=${(e) => set("original_url")(writeUTM(url, name, e.target.value))} />
      <${Spelled} text=${readUTM(url, name)} /></label>`,
    )}
  </div><//>`;
}

function TagRow({ id, draft, onChange, problems }) {
  const tags = useStore(known);
  useEffect(() => {
    learn();
  }, []);
  return html`<${Row} id=${`${id}-tags`} label="Tags">
    <${Chips} id=${`${id}-tags`} label="Tags" values=${draft.tags} text=${draft.tag_text}
      onChange=${(tags, text) => onChange({ ...draft, tags, tag_text: text })}
      parse=${asTag} options=${optionsOf(tags)} create=${true} placeholder="newsletter, shop"
      problem=${problems.tags} /><//>`;
}

const ends = [
  ["never", "never"],
  ["on", "at a time"],
  ["after", "after a number of clicks"],
  ["either", "at a time or after clicks"],
];

function Ends(props) {
  const { id, draft, set, problems } = props,
    kind = draft.ends;
  const wrong = problems.expires_at ? "expires_at" : "max_clicks";
  return html`<${Group} id=${`${id}-ends`} label="Ends" wrong=${`${id}-${wrong}`}
    problem=${problems[wrong]}>
      <div class="form-line"><select class="field" aria-label="Ends" value=${kind}
        onChange=${(e) => set("ends")(e.target.value)}>
        ${ends.map(([name, label]) => html`<option value=${name}>${label}</option>`)}</select>
      ${
        (kind === "on" || kind === "either") &&
        html`<${Time} ...${props} name="expires_at"
        label="Ends on" />`
      }
      ${
        (kind === "after" || kind === "either") &&
        html`<${Input} ...${props} name="max_clicks"
        inputmode="numeric" class="field short" aria-label="Clicks until it ends" />
        <span class="quiet">clicks</span>`
      }</div><//>
    ${
      (kind !== "never" || draft.disabled || draft.then === "url") && html`<${Then} ...${props} />`
    }`;
}

function Then(props) {
  const { id, draft, set, problems } = props;
  return html`<${Group} id=${`${id}-then`} label="Then show" wrong=${`${id}-expired_url`}
    problem=${problems.expired_url}>
    <div class="form-line"><select class="field" aria-label="Then show" value=${draft.then}
      onChange=${(e) => set("then")(e.target.value)}>
      <option value="page">a page that says so</option>
      <option value="url">another address</option></select>
    ${
      draft.then === "url" &&
      html`<${Input} ...${props} name="expired_url" mono=${true}
      inputmode="url" placeholder="https://example.com/" aria-label="Address to show" />`
    }
    </div><//>`;
}

const redirects = [
  ["", "302: temporary"],
  ["301", "301: permanent"],
  ["307", "307: temporary, keeps the method"],
  ["308", "308: permanent, keeps the method"],
];
const inMore = [
  "password",
  "starts_at",
  "redirect_status",
  "forward_query",
  "forward_path",
  "note",
  "disabled",
];

function More(props) {
  const { link, ...fields } = props,
    { id, draft, set, problems } = fields;
  const isUsed =
    inMore.some((name) => draft[name]) || link?.password || inMore.some((name) => problems[name]);
  const [open, setOpen] = useState(isUsed);
  useEffect(() => {
    if (isUsed) setOpen(true);
  }, [isUsed]);
  return html`<div class="form-more">
    <button type="button" class="text-button" aria-expanded=${open} aria-controls=${`${id}-more`}
      onClick=${() => setOpen(!open)}><${Icon} name=${open ? "less" : "add"} />More</button>
    ${!open && html`<span class="quiet">Password, start, redirect type, query, path, note</span>`}
  </div>
  <div id=${`${id}-more`} class="form-part" hidden=${!open}>
    <${Password} ...${props} />
    <${Row} id=${`${id}-starts_at`} label="Starts" problem=${problems.starts_at}>
      <${Time} ...${fields} name="starts_at" /><//>
    <${Row} id=${`${id}-redirect_status`} label="Redirect type">
      <select id=${`${id}-redirect_status`} class="field" value=${draft.redirect_status}
        onChange=${(e) => set("redirect_status")(e.target.value)}>
        ${redirects.map(([status, label]) => html`<option value=${status}>${label}</option>`)}
        ${draft.redirect_status === "302" && html`<option value="302">302, explicitly</option>`}
      </select><//>
    <${Group} id=${`${id}-forward`} label="Forward">
      <${Check} ...${fields} name="forward_query" label="The visitor's query parameters" />
      <${Check} ...${fields} name="forward_path" label="What follows the code in the path" /><//>
    <${Row} id=${`${id}-note`} label="Note" problem=${problems.note} hint="Only you see it.">
      <textarea id=${`${id}-note`} class="field" rows="3" value=${draft.note}
        onInput=${(e) => set("note")(e.target.value)} aria-invalid=${Boolean(problems.note)} />
      <${Spelled} text=${draft.note} /><//>
    <${Group} id=${`${id}-state`} label="State">
      <${Check} ...${fields} name="disabled" label="Off (disabled)" /><//>
  </div>`;
}

const Check = ({ draft, set, name, label }) => html`<label class="check"><input type="checkbox"
  checked=${draft[name]} onChange=${(e) => set(name)(e.target.checked)} />${label}</label>`;

// Password is never shown: the server keeps only a hash. The draft's is null while it is unchanged,
// and "" to remove it.
function Password({ id, draft, set, problems, link }) {
  const [changing, setChanging] = useState(false);
  const name = `${id}-password`,
    change = set("password");
  const keep = () => {
    setChanging(false);
    change(null);
  };
  if (link?.password && draft.password === "")
    return html`<${Group} id=${name} label="Password">
    <div class="form-line"><span>Will be removed</span><button type="button" class="text-button"
      onClick=${keep}>Keep it</button></div><//>`;
  if (link?.password && !changing)
    return html`<${Group} id=${name} label="Password">
    <div class="form-line"><span>Set</span><button type="button" class="text-button"
      onClick=${() => setChanging(true)}>Change</button>
    <button type="button" class="text-button" onClick=${() => change("")}>Remove</button>
  </div><//>`;
  return html`<${Row} id=${name} label="Password" problem=${problems.password}>
    <div class="form-line"><input id=${name} class="field" type="password"
      autocomplete="new-password" value=${draft.password ?? ""}
      aria-invalid=${Boolean(problems.password)}
      onInput=${(e) => change(e.target.value || null)} />
      ${
        link?.password &&
        html`<${IconButton} icon="close" label="Keep the old password"
        onClick=${keep} />`
      }</div><//>`;
}
