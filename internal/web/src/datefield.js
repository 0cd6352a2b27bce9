// A field for a day and a time.
import { html } from "./html.js";

// Value of a time that is not typed to its end: browsers don't reveal the part that is.
const half = "?";

// DateField's value is that of a datetime-local input. onChange also gets invalid times: Firefox
// lets people type years of six digits, whatever max says.
export function DateField({ value, onChange, ...rest }) {
  const read = ({ target }) => {
    const next = target.validity.badInput ? half : target.value;
    if (next !== value) onChange(next);
  };
  return html`<input class="field" type="datetime-local" max="9999-12-31T23:59"
    value=${value === half ? "" : value} onInput=${read} onBlur=${read} ...${rest} />`;
}
