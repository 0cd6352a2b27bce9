// The parts of a rule: where it leads, and for whom.
import { Chips } from "./chips.js";
import { commonLanguages, fresh, kinds, parsers, valueOf } from "./conditions.js";
import { DateField } from "./datefield.js";
import { countryCodes, countryName, languageName } from "./format.js";
import { html } from "./html.js";
import { Menu } from "./menu.js";
import { Pick } from "./pick.js";
import { fromInput, isTime, toInput } from "./range.js";
import { browsers, devices, queryText } from "./rule.js";
import { IconButton, Problem, Spelled } from "./ui.js";

// RuleForm edits a rule. problems are by field: "url", "name", or the kind of a condition.
export function RuleForm({ id, rule, problems, onChange, onDone }) {
  const isShown = ([kind]) => valueOf(rule, kind) !== undefined;
  // Text in a condition's field is kept with the rule, so that saving can check it.
  const set = (kind, value, text = "") => {
    const next = { ...rule, text: { ...rule.text, [kind]: text } };
    if (kind === "share") next.share = value;
    else next.when = { ...rule.when, [kind]: value };
    onChange(next);
  };
  const drop = (kind) => {
    const { [kind]: _, ...text } = rule.text ?? {};
    const { [kind]: _gone, ...when } = rule.when ?? {};
    onChange({ ...rule, text, when, share: kind === "share" ? undefined : rule.share });
  };
  const add = (kind) => {
    set(kind, fresh[kind]);
    requestAnimationFrame(() =>
      document.querySelector(`[data-condition="${id}-${kind}"] :is(input, button)`)?.focus(),
    );
  };
  const left = kinds.filter((kind) => !isShown(kind));
  const field = (name) => ({
    class: "field",
    autocomplete: "off",
    spellcheck: false,
    value: rule[name],
    onInput: (e) => onChange({ ...rule, [name]: e.target.value }),
    "aria-invalid": Boolean(problems[name]),
    "aria-describedby": problems[name] ? `${id}-${name}-problem` : undefined,
  });
  return html`<div class="rule-form">
    <div><label><span class="form-label">Leads to</span>
        <input inputmode="url" placeholder="https://example.com/"
          ...${field("url")} class="field mono" /><${Spelled} text=${rule.url} /></label>
      <${Problem} id=${`${id}-url`} text=${problems.url} /></div>
    ${kinds.filter(isShown).map(
      ([kind, label]) =>
        html`<div class="condition" key=${kind} role="group" aria-label=${label}
        data-condition=${`${id}-${kind}`}><span>${label}</span>
        <div><${Condition} id=${`${id}-${kind}`} kind=${kind} label=${label}
          value=${valueOf(rule, kind)} text=${rule.text?.[kind]} problem=${problems[kind]}
          onChange=${(value, text) => set(kind, value, text)} /></div>
        <${IconButton} icon="close" label=${`Remove condition ${label}`}
          onClick=${() => drop(kind)} /></div>`,
    )}
    <div class="rule-form-end">
      ${
        left.length > 0 &&
        html`<${Pick} text="Add a condition" popup="menu">${(at) =>
          html`<${Menu} ...${at} label="Add a condition"
            items=${left.map(([kind, label]) => ({ label, onChoose: () => add(kind) }))} />`}<//>`
      }
      <div class="rule-name"><label><span class="form-label">Name in statistics</span>
        <input ...${field("name")} />
        <${Spelled} text=${rule.name} /></label>
        <${Problem} id=${`${id}-name`} text=${problems.name} /></div>
      <button type="button" class="button" onClick=${onDone}>Done</button></div>
  </div>`;
}

const chips = {
  language: {
    label: "Languages",
    placeholder: "German, pt-BR",
    show: languageName,
    options: () => commonLanguages.map((tag) => ({ value: languageName(tag) })),
  },
  country: {
    label: "Countries",
    placeholder: "Germany, AT",
    show: countryName,
    options: () => countryCodes().map((code) => ({ value: countryName(code) })),
  },
  query: { label: "Query parameters", placeholder: "ref=print", show: queryText },
  address: { label: "Addresses", placeholder: "192.0.2.0/24" },
};

function Condition({ id, kind, label, value, text, problem, onChange }) {
  if (parsers[kind]) {
    const { options = () => [], ...rest } = chips[kind],
      isQuery = kind === "query";
    return html`<${Chips} id=${id} parse=${parsers[kind]} text=${text} problem=${problem}
      values=${isQuery ? Object.entries(value) : value} options=${options()}
      onChange=${(values, typed) => onChange(isQuery ? Object.fromEntries(values) : values, typed)}
      ...${rest} />`;
  }
  const told = {
    "aria-invalid": Boolean(problem),
    "aria-describedby": problem ? `${id}-problem` : undefined,
  };
  const control = () => {
    switch (kind) {
      case "device":
        return html`<${Toggles} names=${devices} value=${value} onChange=${onChange}
        isInvalid=${Boolean(problem)} />`;
      case "browser":
        return html`<${Toggles} names=${browsers} value=${value} onChange=${onChange}
        isInvalid=${Boolean(problem)} />`;
      case "share":
        return html`<span class="share"><input class="field" type="number" min="1"
        max="99" aria-label="Percent of visitors" ...${told}
        value=${Number.isNaN(value) ? "" : value}
        onInput=${(e) => onChange(e.target.valueAsNumber)} /> % of these visitors</span>`;
      default:
        return html`<${DateField} aria-label=${label} ...${told}
        fresh=${kind === "before" ? "23:59" : "00:00"}
        value=${isTime(value) ? toInput(Date.parse(value)) : value} onChange=${(typed) =>
          onChange(isTime(typed) ? new Date(fromInput(typed)).toISOString() : typed)} />`;
    }
  };
  return html`${control()}<${Problem} id=${id} text=${problem} />`;
}

const Toggles = ({ names, value, isInvalid, onChange }) => html`<span class="toggles"
  data-invalid=${isInvalid}>
  ${Object.entries(names).map(
    ([name, label]) => html`<button type="button" key=${name}
    class="toggle" aria-pressed=${value.includes(name)} onClick=${() =>
      onChange(
        value.includes(name) ? value.filter((other) => other !== name) : [...value, name],
      )}>${label}</button>`,
  )}</span>`;
