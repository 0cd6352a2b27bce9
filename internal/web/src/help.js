// The keyboard's shortcuts, by page.
import { html } from "./html.js";
import { Dialog, DialogTitle } from "./ui.js";

const groups = [
  ["Everywhere", [["n", "New link"], ["/", "Search"], ["z", "Undo delete"], ["Esc", "Close"],
    ["?", "Show shortcuts"]]],
  ["Links", [["j", "Next link"], ["k", "Previous link"], ["Enter", "Open link"], ["c", "Copy link"],
    ["q", "QR code"], ["Delete", "Delete link"]]],
  ["A link's page", [["c", "Copy link"], ["q", "QR code"], ["Delete", "Delete link"]]],
  ["Statistics", [["d  w  m  y  a", "Last day, week, month, year, all time"],
    ["←  →", "Move along the chart"],
    ["Shift  →", "Select a range (Enter zooms in, Backspace out)"]]],
];

export const Help = ({ onClose }) =>
  html`<${Dialog} label="Keyboard shortcuts" class="help" onClose=${onClose}>
  <${DialogTitle} onClose=${onClose}>Keyboard shortcuts<//>
  <div class="help-groups">${groups.map(([page, keys]) => html`<section key=${page}><h3>${page}</h3>
    <dl>${keys.map(([names, what]) => html`<div key=${what}>
      <dt>${names.split("  ").map((key) => html`<kbd key=${key}>${key}</kbd>`)}</dt>
      <dd>${what}</dd></div>`)}</dl></section>`)}</div>
<//>`;
