// Controls for the range of time, the comparison, and who is counted.
import { useMemo, useState } from "preact/hooks";
import { DateField } from "./datefield.js";
import { html } from "./html.js";
import { People } from "./people.js";
import { bounds, calendar, fromInput, presets, toInput } from "./range.js";

export function Ranges({ view, bots }) {
  const { range, comparing } = view;
  const [choosing, setChoosing] = useState(false);
  const custom = choosing || !range.preset;
  const pick = (preset) => {
    setChoosing(false);
    view.setRange({ preset });
  };
  const named = !custom && calendar.some(([name]) => name === range.preset);
  return html`<div class="ranges"><div class="segments" role="group" aria-label="Range">
      ${presets.map(
        ([name, label, long]) =>
          html`<button type="button" key=${name} title=${long}
          aria-pressed=${!custom && range.preset === name} onClick=${() => pick(name)}>
          ${label}</button>`,
      )}
      <button type="button" aria-pressed=${custom} aria-expanded=${custom}
        onClick=${() => setChoosing(!choosing)}>Custom</button></div>
    <${Choice} label="Calendar" value=${named ? range.preset : ""} isOn=${named}
      options=${[...(named ? [] : [["", "Calendar"]]), ...calendar]} onChange=${pick} />
    ${
      !range.preset &&
      html`<button type="button" class="button" onClick=${view.zoomOut}>Reset zoom</button>`
    }
    ${
      range.preset !== "all" &&
      html`<${Choice} label="Compare with" value=${comparing}
      isOn=${Boolean(comparing)} onChange=${view.setComparing}
      options=${[
        ["", "Compare"],
        ["before", "Previous period"],
        ["year", "Year before"],
      ]} />`
    }
    <${People} view=${view} bots=${bots} />
    ${
      custom &&
      html`<${Custom} key=${`${range.from}-${range.to}`} range=${range}
      onApply=${(next) => {
        setChoosing(false);
        view.setRange(next);
      }} />`
    }</div>`;
}

const Choice = ({ label, value, options, isOn, onChange }) =>
  html`<select class="field choice" aria-label=${label} value=${value} data-on=${isOn}
    onChange=${(e) => onChange(e.target.value)}>${options.map(
      ([name, text]) => html`<option key=${name} value=${name}>${text}</option>`,
    )}</select>`;

function Custom({ range, onApply }) {
  const initial = useMemo(
    () => bounds(range) ?? { start: Date.now() - 30 * 86400e3, end: Date.now() },
    [],
  );
  const [from, setFrom] = useState(toInput(initial.start));
  const [to, setTo] = useState(toInput(initial.end));
  const [problem, setProblem] = useState("");
  const apply = (event) => {
    event.preventDefault();
    const next = { from: fromInput(from), to: fromInput(to) };
    if (!(next.from < next.to)) return setProblem("End must be after start.");
    setProblem("");
    onApply(next);
  };
  return html`<form class="custom" onSubmit=${apply}>
    <label>From <${DateField} required value=${from} onChange=${setFrom} /></label>
    <label>To <${DateField} required value=${to} onChange=${setTo}
      aria-describedby=${problem ? "custom-problem" : undefined} /></label>
    <button class="button">Apply</button>
    ${problem && html`<p id="custom-problem" class="problem" role="alert">${problem}</p>`}</form>`;
}
