// More actions on a link's page.
import { useState } from "preact/hooks";
import { request } from "./api.js";
import { duplicate } from "./duplicate.js";
import { keyOf, shortOf } from "./format.js";
import { html } from "./html.js";
import { apiPath, isAdmin, me, of, whose } from "./me.js";
import { Menu } from "./menu.js";
import { save } from "./record.js";
import { Dialog, DialogTitle, tell } from "./ui.js";

// LinkMenu calls onChoose with "share", "give" or "clear", the dialogs that it leads to.
export function LinkMenu({ link, anchor, onClose, onChoose, onDelete }) {
  const { disabled, archived } = link;
  const change = (fields, text) => async () => {
    try {
      await save(link, fields, text);
    } catch (error) {
      tell(
        error.status === 412
          ? "Not changed: someone else edited the link."
          : `Not changed: ${error.message}`,
      );
    }
  };
  const items = [
    {
      icon: disabled ? "done" : "pause",
      label: disabled ? "Enable" : "Disable",
      onChoose: change({ disabled: disabled ? null : true }),
    },
    {
      icon: "archive",
      label: archived ? "Unarchive" : "Archive",
      onChoose: change(
        { archived: archived ? null : true },
        archived ? "No longer archived" : "Archived",
      ),
    },
    { icon: "add", label: "Duplicate", onChoose: () => duplicate(link) },
    { icon: "share", label: "Share statistics", onChoose: () => onChoose("share") },
    isAdmin() &&
      me.get().others && {
        icon: "give",
        label: "Give to someone else",
        onChoose: () => onChoose("give"),
      },
    null,
    { icon: "remove", label: "Delete", onChoose: onDelete },
    { icon: "remove", label: "Delete statistics", danger: true, onChoose: () => onChoose("clear") },
  ].filter((item) => item !== false);
  return html`<${Menu} anchor=${anchor} label=${`More actions for ${keyOf(link)}`} items=${items}
    onClose=${onClose} />`;
}

// Clear asks first, because this can't be undone.
export function Clear({ of: key, onClose, onCleared }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const clear = async (event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      await request("DELETE", of(apiPath(key, "/clicks"), whose()));
      onClose();
      onCleared();
      tell("Statistics deleted");
    } catch (error) {
      setProblem(error.message);
      setBusy(false);
    }
  };
  return html`<${Dialog} label="Delete statistics" onClose=${onClose}><form onSubmit=${clear}>
    <${DialogTitle} onClose=${onClose}>Delete statistics?<//>
    <p>All clicks of <b class="mono">${shortOf(key)}</b> are forgotten. The link itself stays.
      This can't be undone.</p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${onClose}>Cancel</button>
      <button class="button danger" aria-busy=${busy}>Delete statistics</button></div>
  </form><//>`;
}
