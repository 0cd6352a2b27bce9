// Parts that several pages use.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { hostOf, partsOf, urlParts, visible, visibleLines } from "./format.js";
import { html } from "./html.js";
import { store } from "./store.js";

const strokes = {
  copy: "M8 8h10v12H8zM16 8V4H6v12h2",
  done: "M5 12.5l4.5 4.5L19 7.5",
  open: "M10 5H5v14h14v-5M14 4h6v6M20 4l-9 9",
  qr:
    "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4z" +
    "M14 14h2v2h-2zM18 14h2v2h-2zM14 18h2v2h-2zM18 18h2v2h-2z",
  remove: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  menu: "M4 7h16M4 12h16M4 17h16",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16.5 16.5L21 21",
  close: "M6 6l12 12M18 6L6 18",
  back: "M14 6l-6 6 6 6",
  down: "M6 10l6 6 6-6",
  forth: "M10 6l6 6-6 6",
  arrow: "M5 12h14M13 6l6 6-6 6",
  help: "M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 2.2M12 17.5h.01",
  system: "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
  light:
    "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z" +
    "M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M19 5l-1.4 1.4M6.4 17.6L5 19",
  dark: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  leave: "M14 4H5v16h9M10 12h11M17 8l4 4-4 4",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  upload: "M12 15V4M7 9l5-5 5 5M5 20h14",
  edit: "M4 20l1-5L16 4l4 4L9 19zM13.5 6.5l4 4",
  add: "M12 5v14M5 12h14",
  less: "M5 12h14",
  pause: "M9 5v14M15 5v14",
  share: "M12 15V4M8 7.5L12 3.5l4 4M7 11H5v9h14v-9h-2",
  swap: "M4 8h14M14 4l4 4-4 4M20 16H6M10 12l-4 4 4 4",
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
  tag: "M4 4h8l8 8-8 8-8-8zM8 8h.01",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  rules: "M12 21v-7M12 14L5 7M12 14l7-7M5 12V7h5M14 7h5v5",
  calendar: "M5 6h14v14H5zM5 10.5h14M9 3.5V8M15 3.5V8",
  clock: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2",
  person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20c.6-3.6 3.7-5.5 7.5-5.5s6.9 1.9 7.5 5.5",
  settings:
    "M4 7h10M18 7h2M4 17h2M10 17h10" +
    "M16 4.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4z" +
    "M8 14.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4z",
  key: "M8 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM11.5 12H21M17 12v3.5M20.5 12v2.5",
  archive: "M4 5h16v4H4zM5.5 9v10h13V9M10 13h4",
  give: "M4 12h13M12 7l5 5-5 5M20 5v14",
  alert: "M12 3.5L22 20H2zM12 10v4.5M12 17.5h.01",
};

export const Icon = ({ name }) =>
  html`<svg class=${`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true">
    <path d=${strokes[name]} /></svg>`;

// An icon button needs a name, for those who can't see the icon or wonder what it means.
export const IconButton = ({ icon, label, class: extra = "", ...rest }) =>
  html`<button type="button" class=${`icon-button ${extra}`} aria-label=${label} title=${label}
    ...${rest}><${Icon} name=${icon} /></button>`;

// copy copies text to the clipboard. The text may be a promise, so that text from the server still
// counts as requested by the key or click. It reports whether it worked.
export async function copy(text) {
  try {
    if (text instanceof Promise && window.ClipboardItem) {
      const item = new ClipboardItem({
        "text/plain": text.then((t) => new Blob([t], { type: "text/plain" })),
      });
      await navigator.clipboard.write([item]);
    } else {
      await navigator.clipboard.writeText(await text);
    }
    return true;
  } catch {
    return copyOld(await text);
  }
}

// Without HTTPS, browsers have no other clipboard.
function copyOld(text) {
  const area = document.createElement("textarea");
  const focused = document.activeElement;
  area.value = text;
  area.className = "unseen";
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const worked = document.execCommand("copy");
  area.remove();
  focused?.focus();
  return worked;
}

// useCopy returns [state, run]: state is "", "done" or "failed", for two seconds.
export function useCopy() {
  const [state, setState] = useState("");
  const timer = useRef();
  useEffect(() => () => clearTimeout(timer.current), []);
  const run = async (text) => {
    const worked = await copy(text);
    setState(worked ? "done" : "failed");
    clearTimeout(timer.current);
    timer.current = setTimeout(setState, 2000, "");
    say(worked ? "Copied" : "Couldn't copy");
  };
  return [state, run];
}

export function CopyButton({ text, label, class: extra = "", ...rest }) {
  const [state, run] = useCopy();
  return html`<button type="button" class=${`icon-button copy ${extra}`} aria-label=${label}
    title=${label} data-state=${state} onClick=${() => run(text)} ...${rest}>
    <${Icon} name=${state === "done" ? "done" : "copy"} />
    ${
      state &&
      html`<span class="bubble" aria-hidden="true">
      ${state === "done" ? "Copied" : "Couldn't copy"}</span>`
    }
  </button>`;
}

// tell shows a short message for as long as it takes to read it.
export const notice = store("");
let noticed = 0;

export function tell(text) {
  notice.set(visible(text));
  say(text);
  clearTimeout(noticed);
  noticed = setTimeout(() => notice.set(""), 2500);
}

// offer shows a message with an undo button for ten seconds. undo is false if there is none.
export const offered = store(null); // {text, undo}
let offering = 0;

export function offer(text, undo) {
  const end = () => offered.set(null);
  clearTimeout(offering);
  offered.set({
    text: visible(text),
    undo:
      undo &&
      (async () => {
        end();
        try {
          await undo();
        } catch (error) {
          tell(`Not changed back: ${error.message}`);
        }
      }),
  });
  say(text);
  offering = setTimeout(end, 10e3);
}

// Spelled shows a field's text if it has characters that the field can't show.
export function Spelled({ text }) {
  const spelled = visibleLines(text);
  return (
    spelled.includes("[U+") &&
    spelled !== text.replaceAll("\t", "  ") &&
    html`<p class="spelled hint" role="status">With hidden characters:${" "}
      <bdi>${spelled}</bdi></p>`
  );
}

// say announces to screen readers what others see.
export function say(text) {
  const region = document.getElementById("said");
  if (!region) return;
  region.textContent = "";
  requestAnimationFrame(() => {
    region.textContent = visible(text);
  });
}

// focusFirst focuses a dialog's element with data-focus, its first field, or else the first of its
// other controls. Browsers would choose the close button.
const fields = ":is(input, select, textarea):not([tabindex], :disabled)";
const buttons = ":is(.buttons button, .menu-item):not(:disabled)";

export const focusFirst = (dialog) =>
  (
    dialog.querySelector('[data-focus="true"]') ??
    dialog.querySelector(fields) ??
    dialog.querySelector(buttons) ??
    dialog
  ).focus();

// Dialog is modal and returns the focus when it closes. Without onClose the reader can't close it.
export function Dialog({ label, class: extra = "", onClose, children }) {
  const ref = useRef();
  useLayoutEffect(() => {
    const dialog = ref.current,
      focused = document.activeElement;
    dialog.showModal();
    focusFirst(dialog);
    return () => {
      dialog.close();
      if (focused?.isConnected) focused.focus();
    };
  }, []);
  const cancel = (event) => {
    event.preventDefault();
    onClose?.();
  };
  // Browsers let a second Esc through, whatever the page does. A dialog around it stays open.
  const keep = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    cancel(event);
  };
  const outside = (event) => event.target === ref.current && onClose?.();
  return html`<dialog ref=${ref} class=${extra} aria-label=${label} tabindex="-1" onCancel=${cancel}
    onKeyDown=${keep} onClick=${outside}>
    <div class="dialog-body">${children}</div>
  </dialog>`;
}

export const DialogTitle = ({ children, onClose }) => html`<header class="dialog-title">
  <h2>${children}</h2><${IconButton} icon="close" label="Close" onClick=${onClose} />
</header>`;

// Once shows a text that can't be shown again, such as a token: whole, and until its button is
// pressed. The focus is on the button that copies it.
export function Once({ title, what, text, onClose, children }) {
  useEffect(() => say(`The ${what} is shown only now.`), []);
  return html`<${Dialog} key="once" label=${title} class="new-token">
    <header class="dialog-title"><h2>${title}</h2></header>
    <div class="sharing-address"><p class="once mono" role="group" aria-label=${`The ${what}`}>
        ${text}</p>
      <${CopyButton} text=${text} label=${`Copy the ${what}`} data-focus=${true}
        aria-describedby="once-why" /></div>
    <p id="once-why" class="token-once"><b>It is shown only now.</b> ${children}</p>
    <div class="buttons one"><button type="button" class="button primary" onClick=${onClose}>
      Done</button></div>
  <//>`;
}

// URLText shows a URL from left to right, whatever the direction of its characters, with host and
// rest apart. Parts that are read from right to left stay apart from each other.
export function URLText({ url, class: name }) {
  const [host, rest] = urlParts(url);
  return html`<bdi dir="ltr" class=${name}><bdi dir="ltr">${apart(host)}</bdi>
    <bdi dir="ltr" class="quiet">${apart(rest)}</bdi></bdi>`;
}

// Short is a link's key, or its short URL, of which the code is there even where the host has no
// room. What it is in has to be a flex box.
export function Short({ of: key, whole = false }) {
  const { domain, code } = partsOf(key);
  const host = whole ? hostOf(domain) : domain;
  return html`${host && html`<span class="host-part"><span>${host}</span>/</span>`}
    <span class="code-part">${code}</span>`;
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

const apart = (text) =>
  rightToLeft.test(text)
    ? text
        .split(/([./?#&=])/)
        .map((part, i) => (i % 2 ? part : part && html`<bdi key=${i}>${part}</bdi>`))
        .filter(Boolean)
    : text;

// Problem shows the error of the control with the ID, which refers to it.
export const Problem = ({ id, text }) =>
  text && html`<p id=${`${id}-problem`} class="problem" role="alert">${text}</p>`;

// focusField focuses the input of a field that was clicked beside it.
export const focusField = ({ currentTarget }) => currentTarget.querySelector("input").focus();

// focusProblem focuses the first field with an error, once it is marked.
export const focusProblem = (form) =>
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const field = form.querySelector('[aria-invalid="true"], [data-invalid="true"] .toggle');
      (field ?? form.querySelector(".problem"))?.scrollIntoView({ block: "center" });
      field?.focus({ preventScroll: true });
    }),
  );

// Trouble stands in place of something that could not be loaded.
export const Trouble = ({ title, message, onRetry, children }) =>
  html`<div class="state" role="alert">
  <${Icon} name="alert" /><h2>${title}</h2><p>${message}</p>
  ${onRetry && html`<button type="button" class="button" onClick=${onRetry}>Try again</button>`}
  ${children}
</div>`;

// Fold has on a phone what few look for, and opens in place. what says what is in it.
export const Fold = ({ title, what, children }) =>
  html`<details class="fold"><summary>${title} <span class="quiet">${what}</span></summary>
    ${children}</details>`;

export function Command({ line }) {
  return html`<div class="command"><code>${line}</code>
    <${CopyButton} text=${line} label="Copy the command" /></div>`;
}

// download saves text or a blob as a file.
export function download(name, content, type) {
  const url = URL.createObjectURL(
    content instanceof Blob ? content : new Blob([content], { type }),
  );
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10e3); // by then the browser has read it
}

// useKeys handles keys pressed outside inputs and dialogs.
export function useKeys(keys) {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (
        event.target.closest?.("input:not([type=checkbox]), textarea, select, dialog, [popover]") ||
        document.querySelector("dialog[open]")
      )
        return;
      const act = latest.current[event.key];
      if (act && act(event) !== false) event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
