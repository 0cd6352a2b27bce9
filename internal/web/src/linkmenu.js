// More actions on a link's page.
import { useState } from "preact/hooks";
import { request } from "./api.js";
import { shortHost } from "./format.js";
import { html } from "./html.js";
import { save } from "./record.js";
import { Sharing } from "./sharing.js";
import { Dialog, DialogTitle, Icon, tell } from "./ui.js";

export function LinkMenu({ link, onClose, onDelete, onCleared }) {
  const [chosen, setChosen] = useState(""); // "clear" or "share"
  const { short_code: code, disabled } = link;
  const toggle = async () => {
    onClose();
    try {
      await save(link, { disabled: disabled ? null : true });
    } catch (error) {
      tell(
        error.status === 412
          ? "Not changed: someone else edited the link."
          : `Not changed: ${error.message}`,
      );
    }
  };
  if (chosen === "clear") {
    return html`<${Clear} code=${code} onClose=${onClose} onCleared=${onCleared} />`;
  }
  if (chosen === "share") return html`<${Sharing} code=${code} onClose=${onClose} />`;
  return html`<${Dialog} label=${`More actions for ${code}`} class="sheet" onClose=${onClose}>
    <button type="button" class="sheet-item" onClick=${toggle}>
      <${Icon} name=${disabled ? "done" : "pause"} />${disabled ? "Enable" : "Disable"}</button>
    <button type="button" class="sheet-item" onClick=${() => setChosen("share")}>
      <${Icon} name="share" />Share statistics</button>
    <button type="button" class="sheet-item" onClick=${() => setChosen("clear")}>
      <${Icon} name="remove" />Delete statistics</button>
    <button type="button" class="sheet-item danger" onClick=${() => {
      onClose();
      onDelete();
    }}>
      <${Icon} name="remove" />Delete</button>
    <button type="button" class="sheet-item" onClick=${onClose}>
      <${Icon} name="close" />Cancel</button>
  <//>`;
}

// Clear asks first, because this can't be undone.
function Clear({ code, onClose, onCleared }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const clear = async (event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      await request("DELETE", `/api/urls/${encodeURIComponent(code)}/clicks`);
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
    <p>All clicks of <b class="mono">${shortHost}/${code}</b> are forgotten. The link itself stays.
      This can't be undone.</p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${onClose}>Cancel</button>
      <button class="button danger" aria-busy=${busy}>Delete statistics</button></div>
  </form><//>`;
}
