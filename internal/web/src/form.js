// The form of a link: everyday fields first, then parts that open in place.
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { asAlias, codeProblem } from "./addresses.js";
import { Chips } from "./chips.js";
import { DateField } from "./datefield.js";
import { domains, learnDomains, prefer } from "./domains.js";
import { asTag, ofLines, sectionsOf } from "./draft.js";
import { defaultHost, hostOf, isSeveral } from "./format.js";
import { html } from "./html.js";
import { Choice } from "./pick.js";
import { Rules } from "./rules.js";
import { useStore } from "./store.js";
import { summariesOf } from "./summaries.js";
import { known, learn, optionsOf } from "./tags.js";
import { Icon, IconButton, Problem, Spelled, focusField } from "./ui.js";
import { UTM } from "./utmform.js";

// Field has a label, a control and its error. id is that of the control.
const Field = ({ id, label, wide, problem, hint, children }) => html`<div class="form-field"
  data-wide=${Boolean(wide)}><label for=${id}>${label}</label>${children}
  ${
    problem
      ? html`<${Problem} id=${id} text=${problem} />`
      : hint && html`<p class="hint">${hint}</p>`
  }</div>`;

// Group is a Field of several controls. The error belongs to the control with the ID wrong.
const Group = ({ id, label, wrong, problem, children }) =>
  html`<div class="form-field" role="group" aria-labelledby=${`${id}-label`}>
  <span id=${`${id}-label`} class="form-label">${label}</span>
  ${children}<${Problem} id=${wrong} text=${problem} /></div>`;

// LinkForm edits a draft. link is the link that the draft was made from, if there is one. The
// destination of a new link has its field above. If the form is for several new links, they differ
// in addresses and title.
export function LinkForm({
  id = "f",
  draft,
  onChange,
  problems = {},
  link,
  isNew = false,
  several = false,
}) {
  const [open, setOpen] = useState([]); // the parts that are open
  useLayoutEffect(() => {
    const wrong = sectionsOf(problems);
    if (wrong.length) setOpen((now) => [...new Set([...now, ...wrong])]);
  }, [problems]);
  const set = (name) => (value) => onChange({ ...draft, [name]: value });
  const props = { id, draft, set, problems };
  const summaries = summariesOf(several ? { ...draft, ...ofLines } : draft, link);
  const toggle = (name) =>
    setOpen(open.includes(name) ? open.filter((other) => other !== name) : [...open, name]);
  const section = (name, label, content) => {
    const isOpen = open.includes(name);
    return html`<button type="button" class="disclosure" aria-expanded=${isOpen}
        aria-controls=${`${id}-${name}-part`} onClick=${() => toggle(name)}>
        <${Icon} name="forth" />${label}
        ${!isOpen && summaries[name] && html`${" "}<span class="quiet">${summaries[name]}</span>`}
      </button>
      ${isOpen && html`<div id=${`${id}-${name}-part`} class="form-part">${content()}</div>`}`;
  };
  return html`<div class="fields form-main">
      ${
        !isNew &&
        html`<${Field} id=${`${id}-original_url`} label="Destination" wide=${true}
        problem=${problems.original_url}><${Input} ...${props} name="original_url" mono=${true}
          inputmode="url" /><//>`
      }
      ${isNew && isSeveral && html`<${Domain} ...${props} />`}
      ${!several && html`<${Code} ...${props} old=${link?.short_code} />`}
      ${
        !several &&
        html`<${Field} id=${`${id}-title`} label="Title" problem=${problems.title}>
        <${Input} ...${props} name="title" spellcheck=${true} /><//>`
      }
      <${Tags} ...${props} onChange=${onChange} />
    </div>
    ${section(
      "utm",
      "UTM",
      () => html`<${UTM} id=${`${id}-utm`} url=${draft.original_url}
      onChange=${set("original_url")} disabled=${!several && !draft.original_url.trim()} />`,
    )}
    ${section("ends", "Ends", () => html`<${Ends} ...${props} />`)}
    ${section(
      "password",
      "Password",
      () => html`<div class="fields">
      <${Password} ...${props} link=${link} /></div>`,
    )}
    ${section(
      "rules",
      "Rules",
      () => html`<${Rules} id=${`${id}-rules`} rules=${draft.rules}
      destination=${several ? "" : draft.original_url} problems=${problems}
      onChange=${set("rules")} />`,
    )}
    ${section(
      "more",
      "More",
      () => html`<${More} ...${props} onChange=${onChange} several=${several} />`,
    )}`;
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

const Time = ({ id, draft, set, problems, name, fresh }) => html`<${DateField}
  id=${`${id}-${name}`} value=${draft[name]} onChange=${set(name)} fresh=${fresh}
  aria-invalid=${Boolean(problems[name])}
  aria-describedby=${problems[name] ? `${id}-${name}-problem` : undefined} />`;

// Domain chooses the host of new links, and the one after.
function Domain({ id, draft: { domain }, set, problems }) {
  const found = useStore(domains).filter((row) => row.configured);
  useEffect(() => {
    learnDomains()?.catch(() => {});
  }, []);
  useEffect(() => {
    const isGone = found.length > 0 && !found.some((row) => row.name === domain);
    if (isGone) choose(""); // it was one when it was chosen
  }, [found.length, domain]);
  const choose = (name) => {
    prefer(name);
    set("domain")(name);
  };
  const options = found.map((row) => [row.name, row.domain]);
  return html`<${Field} id=${`${id}-domain`} label="Domain" problem=${problems.domain}>
    <${Choice} id=${`${id}-domain`} label="Domain" isField=${true} value=${domain}
      options=${options.length ? options : [[domain, domain || defaultHost]]}
      onChange=${choose} /><//>`;
}

// Code is the part of the short URL that people choose. A code that got too long is told at once.
// old is the code that the link has.
function Code({ id, draft, set, problems, old }) {
  const code = draft.short_code,
    field = `${id}-short_code`;
  const problem = problems.short_code ?? (code.trim().length > 20 ? codeProblem(code) : "");
  return html`<${Field} id=${field} label="Code" problem=${problem}
    hint=${old && code.trim() && code.trim() !== old ? `${old} stays as an address.` : ""}>
    <span class="code-field" data-invalid=${Boolean(problem)} onClick=${focusField}>
      <span class="quiet mono" title=${`${hostOf(draft.domain)}/`}>${hostOf(draft.domain)}/</span>
      <input id=${field} class="mono" placeholder=${old ? "" : "auto"}
        autocomplete="off" autocapitalize="off"
        spellcheck=${false} value=${code} onInput=${(e) => set("short_code")(e.target.value)}
        aria-invalid=${Boolean(problem)}
        aria-describedby=${problem ? `${field}-problem` : undefined} /></span><//>`;
}

function Tags({ id, draft, onChange, problems }) {
  const tags = useStore(known);
  useEffect(() => {
    learn();
  }, []);
  return html`<${Field} id=${`${id}-tags`} label="Tags">
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

const endings = [
  ["page", "a page that says so"],
  ["url", "another page"],
];

function Ends(props) {
  const { id, draft, set, problems } = props,
    kind = draft.ends;
  const canEnd = kind !== "never" || draft.disabled || draft.then === "url";
  return html`<div class="fields">
    <${Field} id=${`${id}-ends`} label="Ends"><${Choice} id=${`${id}-ends`} label="Ends"
      isField=${true} value=${kind} options=${ends} onChange=${set("ends")} /><//>
    ${
      (kind === "on" || kind === "either") &&
      html`<${Field} id=${`${id}-expires_at`} label="Ends on" problem=${problems.expires_at}>
        <${Time} ...${props} name="expires_at" fresh="23:59" /><//>`
    }
    ${
      (kind === "after" || kind === "either") &&
      html`<${Field} id=${`${id}-max_clicks`} label="Clicks until it ends"
        problem=${problems.max_clicks}>
        <${Input} ...${props} name="max_clicks" inputmode="numeric" /><//>`
    }
    ${
      canEnd &&
      html`<${Field} id=${`${id}-then`} label="Then show"><${Choice} id=${`${id}-then`}
        label="Then show" isField=${true} value=${draft.then} options=${endings}
        onChange=${set("then")} /><//>`
    }
    ${
      canEnd &&
      draft.then === "url" &&
      html`<${Field} id=${`${id}-expired_url`} label="Page to show"
        problem=${problems.expired_url}><${Input} ...${props} name="expired_url" mono=${true}
          inputmode="url" placeholder="https://example.com/" /><//>`
    }</div>`;
}

const redirects = [
  ["", "302: temporary"],
  ["301", "301: permanent"],
  ["307", "307: temporary, keeps the method"],
  ["308", "308: permanent, keeps the method"],
];

const explicit = ["302", "302, explicitly"];

function More(props) {
  const { id, draft, set, problems, onChange, several } = props,
    host = hostOf(draft.domain);
  return html`<div class="fields">
    ${
      !several &&
      html`<${Field} id=${`${id}-aliases`} label="More addresses" wide=${true}>
        <${Chips} id=${`${id}-aliases`} label="More addresses" values=${draft.aliases}
          text=${draft.alias_text} parse=${(text) => asAlias(text, draft.domain)}
          exact=${true} placeholder="docs/install"
          onChange=${(aliases, text) => onChange({ ...draft, aliases, alias_text: text })}
          hint=${`Aliases: they lead where the code leads, such as ${host}/docs/install.`}
          problem=${problems.aliases} /><//>`
    }
    <${Field} id=${`${id}-starts_at`} label="Starts" problem=${problems.starts_at}>
      <${Time} ...${props} name="starts_at" /><//>
    <${Field} id=${`${id}-redirect_status`} label="Redirect type">
      <${Choice} id=${`${id}-redirect_status`} label="Redirect type" isField=${true}
        value=${draft.redirect_status} onChange=${set("redirect_status")}
        options=${[...redirects, ...(draft.redirect_status === "302" ? [explicit] : [])]} /><//>
    <${Group} id=${`${id}-state`} label="State">
      <${Check} ...${props} name="disabled" label="Off (disabled)" /><//>
    <${Group} id=${`${id}-forward`} label="Forward">
      <${Check} ...${props} name="forward_query" label="The visitor's query parameters" />
      <${Check} ...${props} name="forward_path" label="What follows the code in the path" /><//>
    <${Field} id=${`${id}-note`} label="Note" wide=${true} problem=${problems.note}
      hint="Only you see it.">
      <textarea id=${`${id}-note`} class="field" rows="3" value=${draft.note}
        onInput=${(e) => set("note")(e.target.value)} aria-invalid=${Boolean(problems.note)}
        aria-describedby=${problems.note ? `${id}-note-problem` : undefined} />
      <${Spelled} text=${draft.note} /><//></div>`;
}

const Check = ({ draft, set, name, label }) => html`<label class="check"><input type="checkbox"
  checked=${draft[name]} onChange=${(e) => set(name)(e.target.checked)} />${label}</label>`;

// Password is never shown: the server keeps only a hash. The draft's is null while it is unchanged,
// and "" to remove it.
function Password({ id, draft, set, problems, link }) {
  const [changing, setChanging] = useState(Boolean(draft.password));
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
  return html`<${Field} id=${name} label="Password" problem=${problems.password}>
    <div class="form-line"><input id=${name} class="field" type="password"
      autocomplete="new-password" value=${draft.password ?? ""}
      aria-invalid=${Boolean(problems.password)}
      aria-describedby=${problems.password ? `${name}-problem` : undefined}
      onInput=${(e) => change(e.target.value || null)} />
      ${
        link?.password &&
        html`<${IconButton} icon="close" label="Keep the old password"
        onClick=${keep} />`
      }</div><//>`;
}
