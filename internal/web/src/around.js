// The frame around every page.
import { useState } from "preact/hooks";
import { html } from "./html.js";
import { useStore } from "./store.js";
import { connection } from "./transport.js";
import { Icon, IconButton } from "./ui.js";

const themes = ["system", "light", "dark"];

export function Theme() {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme ?? "system");
  const change = () => {
    const next = themes[(themes.indexOf(theme) + 1) % themes.length];
    setTheme(next);
    if (next === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem("terse-theme", next);
    } catch {
      // Storage is switched off: the choice lasts as long as the page.
    }
  };
  return html`<${IconButton} icon=${theme}
    label=${`Theme: ${theme} (click for ${themes[(themes.indexOf(theme) + 1) % themes.length]})`}
    onClick=${change} />`;
}

// Away says for the whole page that the server can't be reached, until it can.
export function Away() {
  const state = useStore(connection);
  if (state === "up") return null;
  return html`<div class="away" role="alert"><${Icon} name="alert" />
    ${
      state === "offline"
        ? "You're offline. We'll reconnect when you're back."
        : "Can't reach the server. Retrying…"
    }</div>`;
}
