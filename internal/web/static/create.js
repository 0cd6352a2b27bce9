// The form that makes links.
import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "./api.js";
import { created } from "./deletions.js";
import { shortHost, webURL } from "./format.js";
import { html } from "./html.js";
import { store, useStore } from "./store.js";
import { CopyButton, Icon, IconButton, copy, say } from "./ui.js";

// What was typed stays when the page is left for another one.
const draft = store({ url: "", code: "", choosing: false });
const edit = (change) => draft.set({ ...draft.get(), ...change });

// complete adds the scheme that people leave out.
function complete(text) {
  text = text.trim();
  return /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+(:\d+)?([/?#]|$)/u.test(text) ? "https://" + text : text;
}

export const focusCreate = () => document.getElementById("create-url")?.focus();

export function Create({ onCreated, onQR }) {
  const { url, code, choosing } = useStore(draft);
  const [problem, setProblem] = useState(null); // {field, message}
  const [made, setMade] = useState(null); // {short_code, short_url, copied}
  const [busy, setBusy] = useState(false);
  const chosen = useRef();

  useEffect(() => {
    const paste = (event) => {
      if (event.target.closest?.("input, textarea, dialog") || document.querySelector("dialog[open]")) return;
      const text = event.clipboardData.getData("text").trim();
      if (!webURL(text)) return;
      event.preventDefault();
      edit({ url: text });
      setProblem(null);
      focusCreate();
    };
    addEventListener("paste", paste);
    return () => removeEventListener("paste", paste);
  }, []);

  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    if (!url.trim()) return focusCreate();
    setBusy(true);
    setProblem(null);
    const body = { original_url: complete(url) };
    if (choosing && code.trim()) body.short_code = code.trim();
    const creating = request("POST", "/api/urls", { body });
    const copying = copy(creating.then((answer) => answer.short_url)).catch(() => false);
    try {
      const answer = await creating;
      created(answer.short_code);
      draft.set({ url: "", code: "", choosing: false });
      onCreated({ ...answer, created_at: new Date().toISOString(), click_count: 0 });
      const copied = await copying;
      setMade({ ...answer, copied });
      say(`${shortHost}/${answer.short_code} ${copied ? "copied" : "created"}`);
      focusCreate();
    } catch (error) {
      setMade(null);
      setProblem({ field: choosing && /short.code/i.test(error.message) ? "code" : "url", message: error.message });
      if (/short.code/i.test(error.message)) chosen.current?.focus();
    } finally {
      setBusy(false);
    }
  };

  const toggle = () => {
    edit({ choosing: !choosing, code: "" });
    if (!choosing) requestAnimationFrame(() => chosen.current?.focus());
  };
  const type = (change) => {
    edit(change);
    setProblem(null);
    if (made) setMade(null);
  };
  const described = (field) => (problem?.field === field ? "create-problem" : undefined);

  return html`<form class="create" onSubmit=${submit} aria-label="Shorten a URL">
    <div class="create-line">
      <input id="create-url" class="field mono" type="text" inputmode="url" autocomplete="off" autocapitalize="off" spellcheck=${false} maxlength="8192"
        aria-label="Long URL" placeholder="Paste a long URL" value=${url} onInput=${(e) => type({ url: e.target.value })}
        onKeyDown=${(e) => e.key === "Escape" && e.target.blur()} aria-invalid=${problem?.field === "url"} aria-describedby=${described("url")} />
      <button class="button primary" aria-busy=${busy}>Shorten</button>
    </div>
    <div class="create-more">
      ${choosing
        ? html`<span class="code-field" data-invalid=${problem?.field === "code"}><span class="quiet mono">${shortHost}/</span><input ref=${chosen} class="mono" aria-label="Short code"
            placeholder="code" maxlength="20" autocomplete="off" autocapitalize="off" spellcheck=${false} value=${code} onInput=${(e) => type({ code: e.target.value })}
            aria-invalid=${problem?.field === "code"} aria-describedby=${described("code")} />
            <${IconButton} icon="close" label="Let the server choose the code" onClick=${toggle} /></span>`
        : html`<button type="button" class="text-button" onClick=${toggle}>Choose the code</button>`}
      ${problem && html`<p id="create-problem" class="problem" role="alert">${problem.message}</p>`}
      ${made && html`<p class="made"><${Icon} name="done" /><a class="mono" href=${`/ui/links/${made.short_code}`}>${shortHost}/${made.short_code}</a>
        <span class="quiet">${made.copied ? "copied" : "created"}</span>
        ${!made.copied && html`<${CopyButton} text=${made.short_url} label="Copy the short URL" />`}
        <${IconButton} icon="qr" label="QR code of the new link" onClick=${() => onQR(made.short_code)} /></p>`}
    </div>
  </form>`;
}
