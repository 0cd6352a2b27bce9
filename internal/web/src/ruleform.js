// What a rule is made of: where it leads, and for whom.
import { useState } from "preact/hooks";
import { Chips } from "./chips.js";
import { countryCodes, countryName, languageName } from "./format.js";
import { html } from "./html.js";
import { fromInput, toInput } from "./range.js";
import { browsers, devices, queryText } from "./rule.js";
import { IconButton, Spelled } from "./ui.js";

const kinds = [["device", "Device"], ["browser", "Browser"], ["language", "Language"],
  ["country", "Country"], ["query", "Query"], ["after", "From"], ["before", "Until"],
  ["address", "Address"], ["share", "Share"]];
const fresh = { device: [], browser: [], language: [], country: [], query: {}, address: [],
  after: "", before: "", share: 50 };

export function RuleForm({ id, rule, onChange, onDone }) {
  const [shown, setShown] = useState(() => kinds.map(([kind]) => kind).filter((kind) =>
    (kind === "share" ? rule.share : rule.when?.[kind]) !== undefined));
  const set = (kind, value) => {
    if (kind === "share") return onChange({ ...rule, share: value });
    const when = { ...rule.when, [kind]: value };
    // what is empty is no condition
    if (!value || Object.keys(value).length === 0) delete when[kind];
    onChange({ ...rule, when });
  };
  const add = (event) => {
    const kind = event.target.value;
    setShown(kinds.map(([name]) => name).filter((name) => name === kind || shown.includes(name)));
    if (kind === "share") set(kind, fresh.share);
    requestAnimationFrame(() =>
      document.querySelector(`[data-condition="${id}-${kind}"] :is(input, button)`)?.focus());
  };
  const drop = (kind) => {
    setShown(shown.filter((other) => other !== kind));
    set(kind, undefined);
  };
  const left = kinds.filter(([kind]) => !shown.includes(kind));
  return html`<div class="rule-form">
    <label>Leads to<input class="field mono" inputmode="url" autocomplete="off"
      spellcheck=${false} placeholder="https://example.com/" value=${rule.url}
      onInput=${(e) => onChange({ ...rule, url: e.target.value })} />
      <${Spelled} text=${rule.url} /></label>
    ${kinds.filter(([kind]) => shown.includes(kind)).map(([kind, label]) =>
      html`<div class="condition" key=${kind} role="group" aria-label=${label}
        data-condition=${`${id}-${kind}`}><span>${label}</span>
        <div><${Condition} id=${`${id}-${kind}`} kind=${kind} label=${label}
          value=${(kind === "share" ? rule.share : rule.when?.[kind]) ?? fresh[kind]}
          onChange=${(value) => set(kind, value)} /></div>
        <${IconButton} icon="close" label=${`Remove condition ${label}`}
          onClick=${() => drop(kind)} /></div>`)}
    <div class="rule-form-end">
      ${left.length > 0 && html`<select class="field" aria-label="Add a condition" value=""
        onChange=${add}><option value="" disabled selected>Add a condition</option>
        ${left.map(([kind, label]) => html`<option value=${kind}>${label}</option>`)}</select>`}
      <label class="rule-name">Name in statistics<input class="field" autocomplete="off"
        spellcheck=${false} value=${rule.name}
        onInput=${(e) => onChange({ ...rule, name: e.target.value })} />
        <${Spelled} text=${rule.name} /></label>
      <button type="button" class="button" onClick=${onDone}>Done</button></div>
  </div>`;
}

function Condition({ id, kind, label, value, onChange }) {
  switch (kind) {
    case "device": return html`<${Toggles} names=${devices} value=${value} onChange=${onChange} />`;
    case "browser": return html`<${Toggles} names=${browsers} value=${value}
      onChange=${onChange} />`;
    case "language": return html`<${Chips} id=${id} label="Languages" values=${value}
      onChange=${onChange} parse=${asLanguage} show=${languageName}
      options=${common.map((tag) => [languageName(tag)])} placeholder="German, pt-BR" />`;
    case "country": return html`<${Chips} id=${id} label="Countries" values=${value}
      onChange=${onChange} parse=${asCountry} show=${countryName}
      options=${countryCodes().map((code) => [countryName(code)])} placeholder="Germany, AT" />`;
    case "query": return html`<${Chips} id=${id} label="Query parameters"
      values=${Object.entries(value)} show=${queryText} parse=${asQuery}
      onChange=${(pairs) => onChange(Object.fromEntries(pairs))} placeholder="ref=print" />`;
    case "address": return html`<${Chips} id=${id} label="Addresses" values=${value}
      onChange=${onChange} parse=${asAddress} placeholder="192.0.2.0/24" />`;
    case "share": return html`<span class="share"><input class="field" type="number" min="1"
      max="99" aria-label="Percent of visitors" value=${value}
      onInput=${(e) => onChange(e.target.valueAsNumber)} /> % of these visitors</span>`;
    default: return html`<input class="field" type="datetime-local" aria-label=${label}
      value=${value && toInput(Date.parse(value))} onInput=${(e) =>
        onChange(e.target.value && new Date(fromInput(e.target.value)).toISOString())} />`;
  }
}

const Toggles = ({ names, value, onChange }) => html`<span class="toggles">
  ${Object.entries(names).map(([name, label]) => html`<button type="button" key=${name}
    class="toggle" aria-pressed=${value.includes(name)} onClick=${() =>
      onChange(value.includes(name) ? value.filter((other) => other !== name)
        : [...value, name])}>${label}</button>`)}</span>`;

const common = ["en", "de", "fr", "es", "it", "pt", "pt-BR", "nl", "pl", "sv", "da", "nb", "fi",
  "cs", "hu", "ro", "el", "tr", "uk", "ru", "ar", "he", "hi", "id", "vi", "th", "ja", "ko", "zh",
  "zh-TW"];

// fits finds what is meant by a name or a code.
const fits = (text, names) => ([code, name]) => [code, name].some((known) =>
  known.toLowerCase() === text.toLowerCase()) && names;

function asLanguage(text) {
  const named = common.find((tag) => fits(text, true)([tag, languageName(tag)]));
  if (named) return { value: named };
  return /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(text) && text.length <= 35 ? { value: text }
    : { problem: "Enter a language or its tag, such as de or pt-BR." };
}

function asCountry(text) {
  const code = countryCodes().find((known) => fits(text, true)([known, countryName(known)]));
  return code ? { value: code } : { problem: "Enter a country or its code, such as DE." };
}

function asQuery(text) {
  const [name, ...rest] = text.split("=");
  if (!name.trim()) return { problem: "Enter a parameter, such as ref=print, or ref for any." };
  return { value: [name.trim(), rest.length ? rest.join("=") : null] };
}

const asAddress = (text) => (/^[\da-f.:]+(\/\d{1,3})?$/i.test(text) && /[.:]/.test(text)
  ? { value: text } : { problem: "Enter an address or a block, such as 192.0.2.0/24." });
