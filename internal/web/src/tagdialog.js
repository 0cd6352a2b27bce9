// The dialog that renames a tag, or removes it from all links.
import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "./api.js";
import { plural, visible } from "./format.js";
import { html } from "./html.js";
import { refresh } from "./list.js";
import { of, whose } from "./me.js";
import { learn } from "./tags.js";
import { Dialog, DialogTitle, Spelled, tell } from "./ui.js";

const path = (tag) => of(`/api/tags/${encodeURIComponent(tag)}`, whose());

// TagDialog asks for a new name; onDone gets it, or "" if the tag was removed.
export function TagDialog({ tag, links, onClose, onDone }) {
  const [name, setName] = useState(tag);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const [removing, setRemoving] = useState(false);
  const input = useRef();
  useEffect(() => input.current?.select(), []);
  const run = async (ask, done, text) => {
    if (busy) return;
    setBusy(true);
    try {
      await ask();
      await learn(true);
      onDone(done);
      refresh();
      tell(text);
    } catch (error) {
      setProblem(error.message);
      setBusy(false);
    }
  };
  const submit = (event) => {
    event.preventDefault();
    const next = name.trim();
    if (next === tag) return onClose();
    if (!next) return setProblem("Enter a name.");
    run(
      () => request("PATCH", path(tag), { body: { name: next } }),
      next,
      `Renamed ${tag} to ${next}`,
    );
  };
  const remove = () => run(() => request("DELETE", path(tag)), "", `Removed ${tag} from all links`);
  const many = links === undefined ? "all links" : plural(links, "link", "links");
  if (removing)
    return html`<${Dialog} key="remove" label="Delete tag" onClose=${onClose}>
    <${DialogTitle} onClose=${onClose}>Delete the tag ${visible(tag)}?<//>
    <p>It will be removed from ${many}. The links themselves stay.</p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${onClose}>Cancel</button>
      <button type="button" class="button danger" aria-busy=${busy} onClick=${remove}>
        Delete tag</button></div><//>`;
  return html`<${Dialog} key="rename" label="Rename tag" onClose=${onClose}>
    <form onSubmit=${submit}>
    <${DialogTitle} onClose=${onClose}>Rename tag<//>
    <label for="tag-name">Name</label>
    <input id="tag-name" ref=${input} class="field" autocomplete="off" spellcheck=${false}
      value=${name} onInput=${(e) => {
        setName(e.target.value);
        setProblem("");
      }}
      aria-invalid=${Boolean(problem)} aria-describedby=${
        problem ? "tag-name-problem" : "tag-name-hint"
      } />
    <${Spelled} text=${name} />
    ${
      problem
        ? html`<p id="tag-name-problem" class="problem" role="alert">${problem}</p>`
        : html`<p id="tag-name-hint" class="hint">On ${many}. The name of another tag joins the
        two.</p>`
    }
    <div class="buttons"><button type="button" class="button" onClick=${() => setRemoving(true)}>
        Delete tag</button>
      <button class="button primary" aria-busy=${busy}>Rename</button></div>
  </form><//>`;
}
