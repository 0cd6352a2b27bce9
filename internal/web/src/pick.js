// Buttons that say what is chosen.
import { useState } from "preact/hooks";
import { html } from "./html.js";
import { Menu } from "./menu.js";
import { Icon } from "./ui.js";

// Pick is a button that says what is chosen. It opens what others there are to choose. In a form
// it looks like the fields around it. Without a label its text is its name.
export function Pick({ label, text, popup, isField = false, children, ...rest }) {
  const [anchor, setAnchor] = useState(null);
  const open = (event) => setAnchor(event.currentTarget);
  const press = (event) => {
    if (!/^Arrow(Up|Down)$/.test(event.key) || event.altKey || popup !== "listbox") return;
    event.preventDefault();
    open(event);
  };
  return html`<button type="button" class=${`pick ${isField ? "field" : "button"}`}
      aria-label=${label && `${label}: ${text}`} aria-haspopup=${popup}
      aria-expanded=${Boolean(anchor)} onClick=${open} onKeyDown=${press} ...${rest}>
      <span>${text}</span><${Icon} name="down" /></button>
    ${anchor && children({ anchor, label, onClose: () => setAnchor(null) })}`;
}

// Choice chooses one of options, which are [value, text], from a list: by arrows, Home and End, and
// by typing how a text begins. On a phone the list is a sheet. rest are properties of its button,
// such as the id that a label is for.
export const Choice = ({ label, value, options, onChange, ...rest }) => {
  const items = options.map(([name, text]) => ({
    label: text,
    checked: name === value,
    onChoose: () => name === value || onChange(name),
  }));
  return html`<${Pick} label=${label} popup="listbox"
    text=${items.find(({ checked }) => checked)?.label ?? ""} ...${rest}>
    ${(at) => html`<${Menu} ...${at} items=${items} isList=${true} />`}<//>`;
};
