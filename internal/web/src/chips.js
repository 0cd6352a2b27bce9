// A field for several values, each of which becomes a removable chip.
import { useRef, useState } from "preact/hooks";
import { Combobox } from "./combobox.js";
import { visible } from "./format.js";
import { html } from "./html.js";
import { matching } from "./options.js";
import { Icon, Problem, say } from "./ui.js";

// Text stays in the field until it is accepted as values: onChange gets the values, and the
// remaining text. parse turns a text into {value} or {problem}. show returns a value in words.
// options are the suggestions: [{value, count}], where value is what one would type. create says
// that other values can be had, too. exact values may have commas, and differ by case.
export function Chips({
  id,
  label,
  values,
  text = "",
  onChange,
  parse,
  show = String,
  options = [],
  create = false,
  exact = false,
  placeholder,
  hint,
  problem = "",
}) {
  const [own, setOwn] = useState("");
  const input = useRef();
  const box = useRef();
  const fold = (value) => (exact ? show(value) : show(value).toLowerCase());
  const add = (typed) => {
    const parsed = (exact ? [typed] : typed.split(","))
      .map((part) => part.trim())
      .filter(Boolean)
      .map(parse);
    const wrong = parsed.find((p) => p.problem);
    setOwn(wrong?.problem ?? "");
    if (wrong) {
      if (typed !== text) onChange(values, typed);
      return;
    }
    const isThere = (value) => (old) => fold(old) === fold(value);
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
  const type = (typed) => {
    setOwn("");
    if (!exact && typed.includes(",")) add(typed);
    else onChange(values, typed);
  };
  const key = (event) => {
    if (event.key === "Enter") {
      event.preventDefault(); // an extra Enter must not submit the form
      if (text.trim()) add(meant(text));
    } else if (event.key === "Backspace" && !text && values.length) {
      remove(values.length - 1);
    }
  };
  const wrong = own || problem;
  const isChosen = new Set(values.map((value) => show(value).toLowerCase()));
  const offered = options.filter(({ value }) => !isChosen.has(value.toLowerCase()));
  // meant returns the only suggestion, if what was typed is no value itself.
  const meant = (typed) => {
    const found = matching(offered, typed);
    return found.length === 1 && parse(typed.trim()).problem ? found[0].value : typed;
  };
  const props = {
    id,
    onKeyDown: key,
    onBlur: () => text.trim() && add(text),
    placeholder: values.length ? "" : placeholder,
    "aria-invalid": Boolean(wrong),
    "aria-describedby": wrong ? `${id}-problem` : undefined,
  };
  return html`<div class="chips-field" ref=${box} data-invalid=${Boolean(wrong)}>
      ${values.map(
        (value, i) => html`<span class="tag" key=${show(value)}>
        <span>${visible(show(value))}</span>
        <button type="button" class="tag-remove" aria-label=${`Remove ${visible(show(value))}`}
          onClick=${() => remove(i)}><${Icon} name="close" /></button></span>`,
      )}
      ${
        create || options.length > 0
          ? html`<${Combobox} ...${props} label=${label} field=${input} at=${box} text=${text}
            onText=${type} options=${offered}
            create=${create && !isChosen.has(text.trim().toLowerCase())} onChoose=${add} />`
          : html`<input ...${props} ref=${input} aria-label=${label} autocomplete="off"
            autocapitalize="off" spellcheck=${false} value=${text}
            onInput=${(event) => type(event.target.value)} />`
      }
    </div>
    <${Problem} id=${id} text=${wrong} />
    ${!wrong && hint && html`<p class="hint">${hint}</p>`}`;
}
