// The end of the header: who is signed in, the settings, and the way out.
import { useState } from "preact/hooks";
import { signOut } from "./api.js";
import { failed, flush } from "./deletions.js";
import { urlOf, visible } from "./format.js";
import { html } from "./html.js";
import { hasSettings, home, mayMove, roleName } from "./me.js";
import { Menu } from "./menu.js";
import { go } from "./router.js";
import { Icon, IconButton, tell } from "./ui.js";

// Signing out reloads the page, so that nothing stays on the screen. If a delete fails, its message
// stays, and so does the reader.
async function leave() {
  try {
    const before = failed.get();
    await flush();
    if (failed.get() !== before) return;
    await signOut();
    location.assign(urlOf("/ui/"));
  } catch (error) {
    tell(`Couldn't sign out: ${error.message}`);
  }
}

// Account says who is signed in, if that is somebody with a name.
export function Account({ who, path, children }) {
  const [anchor, setAnchor] = useState(null);
  const { identity, role } = who;
  if (!identity || identity === home) {
    // its room is kept until it is known who that is
    return html`${!identity && html`<span class="icon-button"></span>`}
      <a class="icon-button move-icon" href=${urlOf("/ui/move")} aria-label="Import and export"
        title="Import and export" aria-current=${path === "/ui/move" ? "page" : undefined}>
        <${Icon} name="swap" /></a>${
          hasSettings(who) &&
          html`<a class="icon-button" href=${urlOf("/ui/settings")} aria-label="Settings"
        title="Settings" aria-current=${path === "/ui/settings" ? "page" : undefined}>
        <${Icon} name="settings" /></a>`
        }${children}
      <${IconButton} icon="leave" label="Sign out" onClick=${leave} />`;
  }
  const label = `Signed in as ${visible(identity)}, ${roleName(role).toLowerCase()}`;
  const items = [
    hasSettings(who) && {
      icon: "settings",
      label: "Settings",
      onChoose: () => go("/ui/settings"),
    },
    mayMove(who) && {
      icon: "swap",
      label: "Import and export",
      onChoose: () => go("/ui/move"),
    },
    { icon: "leave", label: "Sign out", onChoose: leave },
  ].filter(Boolean);
  return html`${children}
    <${IconButton} icon="person" label=${label} aria-haspopup="menu"
      onClick=${(event) => setAnchor(event.currentTarget)} />
    ${
      anchor &&
      html`<${Menu} anchor=${anchor} label="Account" items=${items}
        head=${html`<div class="menu-head"><bdi>${visible(identity)}</bdi>
          <span class="quiet">${roleName(role)}</span></div>`}
        onClose=${() => setAnchor(null)} />`
    }`;
}
