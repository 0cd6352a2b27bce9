// Menus and other popovers: beside their button on a wide screen, a sheet at the bottom of a phone.
//
// The browser's popover attribute puts them above everything else. CSS can't yet put one beside its
// button in all browsers that we support, so placing.js computes the place.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { html } from "./html.js";
import { placed } from "./placing.js";
import { Dialog, Icon, focusFirst } from "./ui.js";

const narrow = matchMedia("(max-width: 720px)");
export const isNarrow = () => narrow.matches;

// useNarrow is isNarrow for what has to follow when that changes.
export function useNarrow() {
  const [is, setIs] = useState(narrow.matches);
  useEffect(() => {
    const look = () => setIs(narrow.matches);
    narrow.addEventListener("change", look);
    return () => narrow.removeEventListener("change", look);
  }, []);
  return is;
}

const cancel = { icon: "close", label: "Cancel" };

// Popover floats beside its anchor, the element that opened it, and closes when somebody presses
// Escape, presses elsewhere, or leaves it by keyboard. Its focus begins in its first field.
export const Popover = ({ label, class: extra = "", onClose, children, ...rest }) =>
  isNarrow()
    ? html`<${Dialog} label=${label} class=${`sheet ${extra}`} onClose=${onClose}>${children}
        <${Item} item=${cancel} onChoose=${onClose} /><//>`
    : html`<${Floating} role="dialog" aria-label=${label} class=${extra} onClose=${onClose}
        ...${rest}>${children}<//>`;

// Menu offers items: {icon, label, hint, href or onChoose, danger, checked}, or null for a line
// between them. Of those with checked one is chosen, and has the focus; a list has only such items.
// head stands above them, and can't be chosen.
export function Menu({ anchor, label, head, items, isList = false, onClose }) {
  const choose = (item) => {
    onClose();
    item.onChoose?.();
  };
  if (isNarrow()) {
    return html`<${Dialog} label=${label} class="sheet" onClose=${onClose}>
      ${head}
      ${items.map(
        (item, i) =>
          item &&
          html`<${Item} key=${i} item=${item} onChoose=${choose} data-focus=${item.checked}
            aria-pressed=${item.checked} />`,
      )}
      <${Item} item=${cancel} onChoose=${onClose} /><//>`;
  }
  const rolesOf = ({ checked }) =>
    isList
      ? { role: "option", "aria-selected": checked }
      : checked === undefined
        ? { role: "menuitem" }
        : { role: "menuitemradio", "aria-checked": checked };
  return html`<${Floating} anchor=${anchor} role=${isList ? "listbox" : "menu"}
    aria-label=${label} class="menu" onClose=${onClose} onKeyDown=${steps(anchor, onClose)}>
    ${head}
    ${items.map((item, i) =>
      item
        ? html`<${Item} key=${i} item=${item} onChoose=${choose} tabindex="-1"
            data-focus=${item.checked} ...${rolesOf(item)} />`
        : html`<hr key=${i} />`,
    )}<//>`;
}

function Item({ item, onChoose, ...rest }) {
  const { icon, label, hint, href, danger, checked } = item;
  const inside = html`<${Icon} name=${checked ? "done" : icon} /><span>${label}</span>
    ${hint && html`<span class="menu-hint quiet">${hint}</span>`}`;
  const name = `menu-item ${danger ? "danger" : ""}`;
  return href
    ? html`<a class=${name} href=${href} target="_blank" rel="noreferrer noopener"
        onClick=${() => onChoose(item)} ...${rest}>${inside}</a>`
    : html`<button type="button" class=${name} onClick=${() => onChoose(item)}
        ...${rest}>${inside}</button>`;
}

const pauseMs = 700; // between two letters of one word
const typed = { text: "", at: 0 };

// word returns what was typed so far, with one letter more.
function word(letter, now) {
  typed.text = now - typed.at < pauseMs ? typed.text + letter : letter;
  typed.at = now;
  return typed.text;
}

// steps moves in a menu: by arrows, Home and End, and to the item that begins with what is typed.
// The same letter again leads to the next one.
const steps = (anchor, onClose) => (event) => {
  const { key, currentTarget, timeStamp } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const items = [...currentTarget.querySelectorAll(".menu-item")],
    n = items.length,
    now = items.indexOf(document.activeElement);
  if (key === "Tab") {
    anchor.focus(); // so that Tab leads to what is beside the button
    return onClose();
  }
  const isLetter = key.length === 1 && (key !== " " || timeStamp - typed.at < pauseMs);
  let next =
    items[{ ArrowDown: (now + 1) % n, ArrowUp: (now - 1 + n) % n, Home: 0, End: n - 1 }[key]];
  if (isLetter) {
    const text = word(key.toLowerCase(), timeStamp),
      isSame = [...text].every((letter) => letter === text[0]);
    const [wanted, from] = isSame ? [text[0], now + 1] : [text, now];
    next = [...items.slice(from), ...items].find((item) =>
      item.textContent.trim().toLowerCase().startsWith(wanted),
    );
  }
  next?.focus();
  // the page has shortcuts of one letter
  if (next || isLetter) event.preventDefault();
};

function Floating({ anchor, class: extra, onClose, onKeyDown, children, ...rest }) {
  const ref = useRef(),
    latest = useRef();
  latest.current = onClose;
  useLayoutEffect(() => {
    const popover = ref.current;
    const close = () => latest.current();
    popover.showPopover();
    const put = ({ target } = {}) => {
      if (target instanceof Node && popover.contains(target)) return;
      const rect = anchor.getBoundingClientRect();
      if (rect.bottom < 0 || rect.top > innerHeight) return close();
      popover.style.setProperty("--anchor", `${rect.width}px`);
      const { left, top, maxHeight, maxWidth } = placed(
        rect,
        { width: popover.offsetWidth, height: popover.scrollHeight },
        { width: document.documentElement.clientWidth, height: innerHeight },
      );
      Object.assign(popover.style, {
        left: `${left}px`,
        top: `${top}px`,
        maxHeight: `${maxHeight}px`,
        maxWidth: `${maxWidth}px`,
      });
    };
    put();
    focusFirst(popover);
    const isInside = ({ target }) => popover.contains(target) || anchor.contains(target);
    const press = (event) => isInside(event) || close();
    // a second press of the button closes, and opens nothing again
    const click = (event) => {
      if (!anchor.contains(event.target)) return;
      event.stopPropagation();
      close();
    };
    const leave = (event) => isInside(event) || close();
    const listeners = [
      ["scroll", put, { capture: true, passive: true }],
      ["resize", put],
      ["pointerdown", press, true],
      ["click", click, true],
      ["focusin", leave],
    ];
    listeners.forEach((listener) => addEventListener(...listener));
    anchor.setAttribute("aria-expanded", "true");
    return () => {
      listeners.forEach(([type, act, options]) => removeEventListener(type, act, options));
      anchor.setAttribute("aria-expanded", "false");
      const { activeElement } = document;
      if (popover.contains(activeElement) || activeElement === document.body) anchor.focus();
    };
  }, []);
  const press = (event) => {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation(); // a dialog around it stays open
      return onClose();
    }
    onKeyDown?.(event);
  };
  return html`<div ref=${ref} popover="manual" tabindex="-1" class=${`popover ${extra}`}
    onKeyDown=${press} ...${rest}>${children}</div>`;
}
