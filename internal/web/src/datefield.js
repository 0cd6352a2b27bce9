// Fields for a day, with a time or without: a text that people type as they write dates, and a
// calendar behind a button.
//
//   <${DateField} id="ends" value=${text} onChange=${setText} fresh="23:59" ...${rest} />
//
// value is "2026-05-03T18:00" in the reader's zone, "" for none, or what was typed if that is no
// time: it stays in the field, and is the caller's to refuse, with isTime and notATime of range.js.
// Every change is handed to onChange at once. fresh is the time of a day that is chosen in the
// calendar while there is none. rest are properties of the input; without a label for its id it
// needs an aria-label. onDone gets the value when Enter, the calendar or leaving the field says
// that it is whole.
//
// The same goes for DayField, whose value is a day, "2026-05-03", see isDay of days.js; first and
// last are the days that its calendar offers.
import { useRef, useState } from "preact/hooks";
import { Calendar } from "./calendar.js";
import { readDay, readTime } from "./datetext.js";
import { isDay } from "./days.js";
import { dateTime, utcDay } from "./format.js";
import { html } from "./html.js";
import { Popover } from "./menu.js";
import { dayAt, fromInput, isTime } from "./range.js";
import { Icon } from "./ui.js";

export const DateField = ({ fresh = "00:00", ...rest }) => {
  const at = (day, value) => `${day}T${isTime(value) ? value.slice(11) : fresh}`;
  return html`<${Field} is=${isTime} read=${readTime} at=${at}
    show=${(value) => dateTime(fromInput(value))} ...${rest} />`;
};

export const DayField = (props) =>
  html`<${Field} is=${isDay} read=${readDay} at=${(day) => day} show=${utcDay} ...${props} />`;

function Field({ value, onChange, onDone, is, read, show, at, first, last, today, ...rest }) {
  const [typed, setTyped] = useState(null); // what is in the field while somebody types
  const [anchor, setAnchor] = useState(null); // of the calendar, when it is open
  const input = useRef();
  const opener = useRef();
  const meant = (text) => read(text) || text.trim();
  const shown = typed !== null && meant(typed) === value ? typed : is(value) ? show(value) : value;
  const open = () => setAnchor(opener.current);
  const type = ({ target }) => {
    setTyped(target.value);
    if (meant(target.value) !== value) onChange(meant(target.value));
  };
  const press = (event) => {
    if (event.key === "Enter") onDone?.(value);
    if (!event.altKey || event.key !== "ArrowDown") return;
    event.preventDefault();
    open();
  };
  const leave = () => {
    if (typed !== null) onDone?.(value);
    setTyped(null);
  };
  // The time is selected, for whoever wants another one.
  const choose = (day) => {
    setTyped(null);
    setAnchor(null);
    onChange(at(day, value));
    onDone?.(at(day, value));
    requestAnimationFrame(() => {
      const field = input.current;
      field?.focus();
      const time = field?.value.search(/\d+[:.]\d\d\D*$/);
      if (time >= 0) field.setSelectionRange(time, field.value.length);
    });
  };
  return html`<span class="date-field"><input class="field" type="text" ref=${input}
      autocomplete="off" spellcheck=${false} value=${shown} onInput=${type} onKeyDown=${press}
      onBlur=${leave} ...${rest} />
    <button type="button" class="icon-button" ref=${opener} aria-label="Choose a day"
      title="Choose a day" aria-haspopup="dialog" aria-expanded=${Boolean(anchor)}
      onClick=${open}><${Icon} name="calendar" /></button></span>
    ${
      anchor &&
      html`<${Popover} anchor=${anchor} label="Choose a day" class="picker"
        onClose=${() => setAnchor(null)}><${Days} day=${is(value) ? value.slice(0, 10) : ""}
        first=${first} last=${last} today=${today} onChoose=${choose} /><//>`
    }`;
}

function Days({ day, first, last, today = dayAt(Date.now()), onChoose }) {
  const inside = last && today > last ? last : today;
  const [at, setAt] = useState(day || inside);
  return html`<${Calendar} at=${at} onAt=${setAt} chosen=${[day, day]} first=${first} last=${last}
    today=${today} onChoose=${onChoose} />`;
}
