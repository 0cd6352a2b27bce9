// A text field with a list of options below it: the editable combobox with a list of WAI-ARIA.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { count, visible } from "./format.js";
import { html } from "./html.js";
import { has, matching } from "./options.js";
import { Icon } from "./ui.js";

const gap = 4; // pixels between the field and its list, and between that and the window

// Combobox's text belongs to the caller: onText gets what was typed, onChoose the value of a chosen
// option, and what was typed for the option that creates one. options are [{value, count}]; count
// is optional. With create a text that is no option can be chosen, too. Enter without a highlighted
// option is the caller's, by onKeyDown. at is the element that the list is as wide as, by default
// the field. With opensOnFocus the list is open from the start.
export function Combobox({
  id,
  label,
  text,
  onText,
  options,
  onChoose,
  create = false,
  opensOnFocus = false,
  onKeyDown,
  onBlur,
  field,
  at,
  ...rest
}) {
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const own = useRef();
  const list = useRef();
  const input = field ?? own;
  const shown = open ? matching(options, text) : [];
  if (open && create && text.trim() && !has(options, text))
    shown.push({ value: text.trim(), isNew: true });
  const isOpen = shown.length > 0;
  const close = () => {
    setOpen(false);
    setActive(-1);
  };

  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const popover = list.current;
    popover.showPopover();
    return () => popover.isConnected && popover.hidePopover();
  }, [isOpen]);
  useLayoutEffect(() => {
    if (isOpen) put(list.current, at?.current ?? input.current);
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const move = ({ target }) =>
      list.current && // it may just have gone
      target !== list.current &&
      put(list.current, at?.current ?? input.current);
    addEventListener("scroll", move, { capture: true, passive: true });
    addEventListener("resize", move);
    return () => {
      removeEventListener("scroll", move, { capture: true });
      removeEventListener("resize", move);
    };
  }, [isOpen]);
  useLayoutEffect(() => {
    if (active >= 0) list.current.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);

  const choose = ({ value }) => {
    close();
    onChoose(value);
  };
  const type = (event) => {
    setOpen(true);
    setActive(-1);
    onText(event.target.value);
  };
  const press = (event) => {
    const to = stepOf(event.key, active, shown.length);
    if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing) {
      return;
    } else if (isOpen && to !== undefined) {
      setActive(to);
    } else if (!isOpen && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      setOpen(true);
    } else if (isOpen && event.key === "Escape") {
      close();
      event.stopPropagation(); // a dialog stays open
    } else if (shown[active] && event.key === "Enter") {
      choose(shown[active]);
    } else {
      if (event.key === "Enter") close();
      return onKeyDown?.(event);
    }
    event.preventDefault();
  };
  return html`<input id=${id} ref=${input} type="text" role="combobox" aria-label=${label}
      autocomplete="off" autocapitalize="off" spellcheck=${false} aria-autocomplete="list"
      aria-expanded=${isOpen} aria-controls=${`${id}-list`}
      aria-activedescendant=${shown[active] && `${id}-option-${active}`} value=${text}
      onInput=${type} onKeyDown=${press} onClick=${() => setOpen(true)}
      onFocus=${() => opensOnFocus && setOpen(true)}
      onBlur=${(event) => {
        close();
        onBlur?.(event);
      }} ...${rest} />
    <ul id=${`${id}-list`} ref=${list} class="options" role="listbox" popover="manual"
      aria-label="Suggestions" onMouseDown=${(event) => event.preventDefault()}>${shown.map(
        (option, i) => html`<li key=${option.value} id=${`${id}-option-${i}`} class="option"
          role="option" aria-selected=${i === active} onClick=${() => choose(option)}>
          ${option.isNew && html`<${Icon} name="add" />`}
          <span>${option.isNew ? `Create "${visible(option.value)}"` : visible(option.value)}</span>
          ${" "}
          ${option.count !== undefined && html`<span class="quiet">${count(option.count)}</span>`}
        </li>`,
      )}</ul>`;
}

// stepOf returns the option that a key moves to, undefined if it moves to none. Home and End are
// the text's until an option is highlighted.
function stepOf(key, active, length) {
  if (key === "ArrowDown") return active + 1 < length ? active + 1 : 0;
  if (key === "ArrowUp") return active > 0 ? active - 1 : length - 1;
  if (active >= 0 && key === "Home") return 0;
  if (active >= 0 && key === "End") return length - 1;
  return undefined;
}

// put places the list below the field, or above it where there is more room. It is no higher than
// what a phone's keyboard leaves, and does not cover the buttons of the field's dialog.
function put(list, field) {
  const { left, right, top, bottom } = field.getBoundingClientRect();
  const { offsetTop = 0, height = innerHeight } = globalThis.visualViewport ?? {};
  const buttons = field.closest("dialog")?.querySelector(".buttons")?.getBoundingClientRect();
  const end = Math.min(offsetTop + height, buttons?.top >= bottom ? buttons.top : Infinity);
  const below = end - bottom - 2 * gap,
    above = top - offsetTop - 2 * gap;
  const isBelow = below >= Math.min(list.scrollHeight, 160) || below >= above;
  Object.assign(list.style, {
    left: `${left}px`,
    minWidth: `${right - left}px`,
    maxWidth: `${Math.max(right - left, Math.min(400, innerWidth - left - gap))}px`,
    maxHeight: `${Math.min(280, Math.max(96, isBelow ? below : above))}px`,
    top: isBelow ? `${bottom + gap}px` : "auto",
    bottom: isBelow ? "auto" : `${innerHeight - top + gap}px`,
  });
}
