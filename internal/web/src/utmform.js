// The fields for campaign parameters, with values used before and saved sets.
import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "./api.js";
import { Combobox } from "./combobox.js";
import { visible } from "./format.js";
import { html } from "./html.js";
import { has } from "./options.js";
import { address } from "./router.js";
import { store, useStore } from "./store.js";
import { Icon, Problem, Spelled, offer, say } from "./ui.js";
import {
  addSet,
  dropSet,
  longestSetName,
  parameters,
  readSets,
  readUTM,
  utmOf,
  withUTM,
  writeUTM,
} from "./utm.js";

const key = "terse-utm-sets";
const counted = ["source", "medium", "campaign"]; // which statistics know
const most = 100; // values to suggest, of each
const unknown = ["none", "other"]; // which stand for no value, and for the rest

const sets = store([]);
const used = store({}); // [{value, count}] by parameter: the values in clicks of the last days

function loadSets() {
  try {
    sets.set(readSets(localStorage.getItem(key)));
  } catch {
    // Storage is switched off: sets last as long as the page.
  }
}

function keep(next) {
  sets.set(next);
  try {
    localStorage.setItem(key, JSON.stringify(next));
  } catch {
    // as above
  }
}

// learn asks for the values used before. They are only suggestions.
async function learn() {
  try {
    const by = counted.join(",");
    const answer = await request("GET", address("/api/overview", { by, limit: most }));
    const optionsOf = (name) =>
      Object.entries(answer[`by_${name}`] ?? {})
        .filter(([value]) => !unknown.includes(value))
        .map(([value, count]) => ({ value, count }))
        .sort((a, b) => b.count - a.count);
    used.set(Object.fromEntries(counted.map((name) => [name, optionsOf(name)])));
  } catch {
    // The fields work without them.
  }
}

// UTM edits the parameters within the URL.
export function UTM({ id, url, onChange, disabled }) {
  const saved = useStore(sets),
    known = useStore(used);
  useEffect(() => {
    loadSets();
    learn();
  }, []);
  const apply = ({ name, values }) => {
    onChange(withUTM(url, values));
    say(`Filled in from ${name}`);
  };
  const optionsOf = (name) => {
    const options = [...(known[name] ?? [])];
    for (const { values } of saved)
      if (values[name] && !has(options, values[name])) options.push({ value: values[name] });
    return options;
  };
  return html`<${Sets} id=${`${id}-set`} sets=${saved} values=${utmOf(url)} disabled=${disabled}
      onApply=${apply} />
    <div class="fields">${parameters.map(([name, label, example]) => {
      const value = readUTM(url, name),
        set = (next) => onChange(writeUTM(url, name, next));
      return html`<div class="form-field" key=${name}>
        <label for=${`${id}-${name}`}>${label}</label>
        <${Combobox} id=${`${id}-${name}`} label=${label} class="field" text=${value}
          placeholder=${example} disabled=${disabled} options=${optionsOf(name)}
          onText=${set} onChoose=${set} />
        <${Spelled} text=${value} /></div>`;
    })}</div>
    ${disabled && html`<p class="hint">Enter a URL first: these are written into it.</p>`}`;
}

function Sets({ id, sets: saved, values, disabled, onApply }) {
  const [name, setName] = useState(null); // of the set to save, null while none is being saved
  const [problem, setProblem] = useState("");
  const field = useRef();
  const isNaming = name !== null;
  useEffect(() => {
    if (isNaming) field.current.focus();
  }, [isNaming]);
  const isSet = Object.keys(values).length > 0;
  const save = () => {
    const { sets: next, problem: wrong = "" } = addSet(saved, name, values);
    setProblem(wrong);
    if (wrong) return;
    keep(next);
    setName(null);
    say(`Saved ${name.trim()}`);
  };
  const drop = (set) => {
    keep(dropSet(saved, set.name));
    offer(`Deleted the set ${set.name}`, () => keep(addSet(sets.get(), set.name, set.values).sets));
  };
  const press = (event) => {
    if (event.key === "Escape") setName(null);
    else if (event.key === "Enter") save();
    else return;
    event.preventDefault(); // neither sends the form nor closes the dialog
    event.stopPropagation();
  };
  return html`<div class="utm-sets" role="group" aria-label="Saved sets">
    ${saved.map(
      (set) => html`<span class="tag" key=${set.name}>
      <button type="button" class="utm-set" disabled=${disabled}
        title=${Object.values(set.values).map(visible).join(" · ")}
        onClick=${() => onApply(set)}>${visible(set.name)}</button>
      <button type="button" class="tag-remove" aria-label=${`Delete the set ${visible(set.name)}`}
        onClick=${() => drop(set)}><${Icon} name="close" /></button></span>`,
    )}
    ${
      !isNaming
        ? html`<button type="button" class="text-button" disabled=${!isSet} onClick=${() => {
            setProblem("");
            setName("");
          }}><${Icon} name="add" />Save as a set</button>`
        : html`<span class="utm-name"><input id=${id} class="field" aria-label="Name of the set"
            placeholder="Name of the set" autocomplete="off" maxlength=${longestSetName}
            ref=${field} value=${name}
            onInput=${(e) => setName(e.target.value)} onKeyDown=${press}
            aria-invalid=${Boolean(problem)}
            aria-describedby=${problem ? `${id}-problem` : undefined} />
          <button type="button" class="button" onClick=${save}>Save</button></span>
          <${Problem} id=${id} text=${problem} />`
    }</div>`;
}
