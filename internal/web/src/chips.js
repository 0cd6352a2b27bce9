// A field for several values, each of which becomes a removable chip.
import { useRef, useState } from "preact/hooks";
import { visible } from "./format.js";
import { html } from "./html.js";
import { Icon, Problem, say } from "./ui.js";

// Text stays in the field until it is accepted as values: onChange gets the values, and the
// remaining text. parse turns a text into {value} or {problem}. show returns a value in words.
// options are the suggestions: [[text, label]].
export function Chips({
  id,
  label,
  values,
  text = "",
  onChange,
  parse,
  show = String,
  options = [],
  placeholder,
  problem = "",
}) {
  const [own, setOwn] = useState("");
  const input = useRef();
  const add = (typed) => {
    const parsed = typed
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean)
      .map(parse);
    const wrong = parsed.find((p) => p.problem);
    setOwn(wrong?.problem ?? "");
    if (wrong) {
      if (typed !== text) onChange(values, typed);
      return;
    }
    const isThere = (value) => (old) => show(old).toLowerCase() === show(value).toLowerCase();
    const next = [...values];
    for (const { value } of parsed) if (!next.some(isThere(value))) next.push(value);
    onChange(next, "");
  };
  const remove = (i) => {
    say(`Removed ${show(values[i])}`);
    onChange(
      values.filter((_, other) => other !== i),
      text,
    );
    input.current.focus();
  };
  const type = (event) => {
    const typed = event.target.value;
    setOwn("");
    const isChosen = event.inputType === "insertReplacementText" || !event.inputType;
    if (typed.includes(",") || (isChosen && options.some(([option]) => option === typed)))
      add(typed);
    else onChange(values, typed);
  };
  const key = (event) => {
    if (event.key === "Enter") {
      event.preventDefault(); // an extra Enter must not submit the form
      if (text.trim()) add(text);
    } else if (event.key === "Backspace" && !text && values.length) {
      remove(values.length - 1);
    }
  };
  const wrong = own || problem;
  return html`<div class="chips-field" data-invalid=${Boolean(wrong)}>
      ${values.map(
        (value, i) => html`<span class="tag" key=${show(value)}>
        <span>${visible(show(value))}</span>
        <button type="button" class="tag-remove" aria-label=${`Remove ${visible(show(value))}`}
          onClick=${() => remove(i)}><${Icon} name="close" /></button></span>`,
      )}
      <input id=${id} ref=${input} value=${text} aria-label=${label} autocomplete="off"
        autocapitalize="off" spellcheck=${false} placeholder=${values.length ? "" : placeholder}
        list=${options.length ? `${id}-options` : undefined} onInput=${type} onKeyDown=${key}
        onBlur=${() => text.trim() && add(text)} aria-invalid=${Boolean(wrong)}
        aria-describedby=${wrong ? `${id}-problem` : undefined} />
      ${
        options.length > 0 &&
        html`<datalist id=${`${id}-options`}>${options.map(
          ([value, name]) => html`<option key=${value} value=${value}>${name}</option>`,
        )}</datalist>`
      }
    </div>
    <${Problem} id=${id} text=${wrong} />`;
}
