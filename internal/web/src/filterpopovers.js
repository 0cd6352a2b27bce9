// What the buttons of filters open.
import { useEffect, useState } from "preact/hooks";
import { Combobox } from "./combobox.js";
import { DayField } from "./datefield.js";
import { dayOf, daysLater, isDay } from "./days.js";
import { utcDay } from "./format.js";
import { html } from "./html.js";
import { everybody } from "./me.js";
import { Popover } from "./menu.js";
import { matching } from "./options.js";
import { useStore } from "./store.js";
import { known, learn, optionsOf } from "./tags.js";
import { Icon, Problem } from "./ui.js";
import { learnUsers, ownersOf, users } from "./users.js";

// Pressed offers choices, [value, text], of which one is pressed.
const Pressed = ({ choices, value, onChoose }) =>
  choices.map(
    ([other, text]) => html`<button type="button" key=${text} class="menu-item"
      data-focus=${other === value} aria-pressed=${other === value}
      onClick=${() => onChoose(other)}>
      <${Icon} name=${other === value ? "done" : ""} />${text}</button>`,
  );

export function OwnerPopover({ owner, all, onChange, ...at }) {
  const choose = (next) => {
    at.onClose();
    if (next !== owner) onChange(next);
  };
  const choices = [["", "My links"], all && [everybody, "All links"]].filter(Boolean);
  return html`<${Popover} ...${at} label="Whose links" class="tag-filter">
    <${Pressed} choices=${choices} value=${owner} onChoose=${choose} />
    <label for="owner-filter">Links of</label>
    <${OwnerField} id="owner-filter" label="Links of" onChoose=${choose} /><//>`;
}

// OwnerField finds a user.
function OwnerField({ id, label, onChoose }) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const found = useStore(users);
  useEffect(() => {
    learnUsers().catch((error) => setProblem(error.message));
  }, []);
  const options = ownersOf(found);
  const [first] = text ? matching(options, text) : [];
  const press = (event) => {
    if (event.key !== "Enter" || !first) return;
    event.preventDefault(); // the button gets the focus, and would be pressed
    onChoose(first.value);
  };
  return html`<${Combobox} id=${id} label=${label} class="field" placeholder="Name or email"
      text=${text} onText=${setText} options=${options} onKeyDown=${press} onChoose=${onChoose}
      aria-describedby=${`${id}-hint`} />
    <p id=${`${id}-hint`} class="quiet" role="status">${
      problem || (text && found && !first ? "Nobody by that name" : "")
    }</p>`;
}

const spans = [
  [30, "30 days"],
  [90, "90 days"],
  [365, "a year"],
];

export function UnusedPopover({ since, onChange, ...at }) {
  const [day, setDay] = useState(since);
  const [problem, setProblem] = useState("");
  const today = dayOf(Date.now());
  const choices = [
    ["", "Any activity"],
    ...spans.map(([days, text]) => [daysLater(today, -days), `Unused for ${text}`]),
  ];
  const choose = (next) => {
    at.onClose();
    if (next !== since) onChange(next);
  };
  const submit = (event) => {
    event.preventDefault();
    if (isDay(day)) choose(day);
    else setProblem(`Enter a day, such as ${utcDay(today)}.`);
  };
  return html`<${Popover} ...${at} label="Unused links" class="unused-filter">
    <${Pressed} choices=${choices} value=${since} onChoose=${choose} />
    <form onSubmit=${submit} novalidate><label for="unused-since">Unused since</label>
      <div><${DayField} id="unused-since" last=${today} today=${today} value=${day}
        aria-invalid=${Boolean(problem)}
        aria-describedby=${problem ? "unused-since-problem" : "unused-since-hint"}
        onChange=${(next) => {
          setDay(next);
          setProblem("");
        }} />
      <button class="button">Show</button></div>
      <${Problem} id="unused-since" text=${problem} />
      <p id="unused-since-hint" class="hint">Links from before that day without a click, even by
        bots, from 0:00 UTC on.</p></form><//>`;
}

export function TagPopover({ tags: chosen, onAdd, ...at }) {
  const choose = (tag) => {
    at.onClose();
    onAdd(tag);
  };
  const [text, setText] = useState("");
  const tags = useStore(known);
  useEffect(() => {
    learn();
  }, []);
  const isIn = (tag) => chosen.some((other) => other.toLowerCase() === tag.toLowerCase());
  const options = optionsOf(tags.filter(({ tag }) => !isIn(tag)));
  const [first] = matching(options, text);
  const press = (event) => {
    if (event.key !== "Enter" || !first) return;
    event.preventDefault(); // the button gets the focus, and would be pressed
    choose(first.value);
  };
  return html`<${Popover} ...${at} class="tag-filter">
    <${Combobox} id="tag-filter" label="Find a tag" class="field" placeholder="Find a tag"
      text=${text} onText=${setText} options=${options} opensOnFocus=${true} onKeyDown=${press}
      onChoose=${choose} />
    ${
      !first &&
      html`<p class="quiet" role="status">${
        text ? "No such tag" : tags.length ? "No more tags" : "No tags yet"
      }</p>`
    }<//>`;
}
