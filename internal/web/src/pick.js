// Buttons that say what is chosen.
import { useState } from "preact/hooks";
import { html } from "./html.js";
import { Menu } from "./menu.js";
import { Icon } from "./ui.js";

// Pick is a button that says what is chosen. It opens what others there are to choose.
export function Pick({ label, text, popup, children }) {
  const [anchor, setAnchor] = useState(null);
  return html`<button type="button" class="button pick" aria-label=${`${label}: ${text}`}
      aria-haspopup=${popup} aria-expanded=${Boolean(anchor)}
      onClick=${(event) => setAnchor(event.currentTarget)}>
      <span>${text}</span><${Icon} name="down" /></button>
    ${anchor && children({ anchor, label, onClose: () => setAnchor(null) })}`;
}

// Choice chooses one of [name, text] by a menu.
export const Choice = ({ label, value, options, onChange }) => {
  const items = options.map(([name, text]) => ({
    label: text,
    checked: name === value,
    onChoose: () => onChange(name),
  }));
  return html`<${Pick} label=${label} popup="menu"
    text=${items.find(({ checked }) => checked).label}>
    ${(at) => html`<${Menu} ...${at} items=${items} />`}<//>`;
};
