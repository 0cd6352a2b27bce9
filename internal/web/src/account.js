// The end of the header: who is signed in, more pages, and the way out.
import { useState } from "preact/hooks";
import { signOut } from "./api.js";
import { failed, flush } from "./deletions.js";
import { urlOf, visible } from "./format.js";
import { html } from "./html.js";
import { hasSettings, home, mayMove, roleName } from "./me.js";
import { Menu } from "./menu.js";
import { address, go } from "./router.js";
import { IconButton, tell } from "./ui.js";

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

// Account says who is signed in, if that is somebody with a name, and leads to the pages that the
// header has no room for.
export function Account({ who, path, owner, children }) {
  const [anchor, setAnchor] = useState(null);
  const { identity, role } = who;
  const isNamed = identity !== "" && identity !== home;
  const label = isNamed
    ? `Signed in as ${visible(identity)}, ${roleName(role).toLowerCase()}`
    : "More pages";
  const page = (icon, name, to) => ({ icon, label: name, onChoose: () => go(to) });
  const items = [
    page("share", "Shared pages", address("/ui/shares", { owner })),
    mayMove(who) && page("swap", "Import and export", address("/ui/move", { owner })),
    hasSettings(who) && page("settings", "Settings", "/ui/settings"),
    isNamed && { icon: "leave", label: "Sign out", onChoose: leave },
  ].filter(Boolean);
  return html`${children}
    <${IconButton} icon=${isNamed ? "person" : "menu"} label=${label} aria-haspopup="menu"
      data-here=${["/ui/shares", "/ui/move", "/ui/settings"].includes(path)}
      onClick=${(event) => setAnchor(event.currentTarget)} />
    ${!isNamed && html`<${IconButton} icon="leave" label="Sign out" onClick=${leave} />`}
    ${
      anchor &&
      html`<${Menu} anchor=${anchor} label=${isNamed ? "Account" : label} items=${items}
        head=${
          isNamed &&
          html`<div class="menu-head"><bdi>${visible(identity)}</bdi>
          <span class="quiet">${roleName(role)}</span></div>`
        }
        onClose=${() => setAnchor(null)} />`
    }`;
}
