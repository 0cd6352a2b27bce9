// The dialog that edits a link.
import { useEffect, useRef, useState } from "preact/hooks";
import { changesOf, draftOf, isChanged, problemsOf, rebase, refusalOf } from "./draft.js";
import { keyOf, shortOf } from "./format.js";
import { LinkForm } from "./form.js";
import { html } from "./html.js";
import { load, opened, save } from "./record.js";
import { sentence } from "./sentences.js";
import { Dialog, DialogTitle, Trouble, focusProblem } from "./ui.js";

export { LinkForm } from "./form.js";
export { copyOf, draftOf, fieldsOf, problemsOf, refusalOf, withAddress } from "./draft.js";

const noLonger = "Not saved: the link was deleted, or has another code now. Your text is kept.";

// EditLink loads the link, unless its page is open.
export function EditLink({ of: key, onClose }) {
  const [link, setLink] = useState(() =>
    opened.get()?.etag && keyOf(opened.get()) === key ? opened.get() : null,
  );
  const [error, setError] = useState(null);
  useEffect(() => {
    if (!link) load(key).then(setLink, setError);
  }, []);
  if (link) return html`<${Editor} link=${link} onClose=${onClose} />`;
  return html`<${Dialog} label=${`Edit ${key}`} class="edit" onClose=${onClose}>
    <${DialogTitle} onClose=${onClose}>Edit<//>
    ${error && html`<${Trouble} title="Couldn't load the link" message=${error.message} />`}<//>`;
}

function Editor({ link, onClose }) {
  const [base, setBase] = useState(link); // the version that the changes are based on
  const [draft, setDraft] = useState(() => draftOf(link));
  const [problems, setProblems] = useState({});
  const [trouble, setTrouble] = useState(null); // errors without a field: {text, lines}
  const [busy, setBusy] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const form = useRef();
  const kept = useRef(); // the button that keeps the input
  const before = useRef(); // the element focused before it
  const leave = () => {
    if (!isChanged(draft, base)) return onClose();
    if (leaving) return;
    before.current = document.activeElement;
    before.current.blur(); // this may accept pending input, and a change closes the question
    setLeaving(true);
  };
  useEffect(() => {
    if (leaving) kept.current.focus();
  }, [leaving]);
  const stay = () => {
    setLeaving(false);
    requestAnimationFrame(() => before.current.focus());
  };
  const change = (next) => {
    setDraft(next);
    setProblems({});
    setLeaving(false);
  };
  const refuse = (found) => {
    setProblems(found);
    focusProblem(form.current);
  };
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    const found = problemsOf(draft, base);
    if (Object.keys(found).length) return refuse(found);
    const changes = changesOf(draft, base);
    if (!Object.keys(changes).length) return onClose();
    setBusy(true);
    setTrouble(null);
    try {
      await save(base, changes);
      onClose();
    } catch (error) {
      setBusy(false);
      await explain(error);
    }
  };
  const explain = async (error) => {
    if (error.status === 412) return meet();
    if (error.status === 404) return setTrouble({ text: noLonger });
    const found = refusalOf(error, draft);
    if (found) return refuse(found);
    setTrouble({
      text:
        error.status === 0
          ? "Not saved: can't reach the server. What you typed is kept."
          : error.message,
    });
  };
  // meet adopts others' changes, except where the reader changed the same field.
  const meet = async () => {
    try {
      const theirs = await load(keyOf(base));
      const lines = Object.entries(changesOf(draftOf(theirs), base)).map(([name, now]) =>
        sentence(name, { old: base[name] ?? null, new: now }),
      );
      setTrouble({
        text: "Someone else edited this link. Your text is kept; save again to " + "overwrite.",
        lines,
      });
      setDraft(rebase(draft, base, theirs));
      setBase(theirs);
    } catch (error) {
      setTrouble({ text: error.message });
    }
  };
  return html`<${Dialog} label=${`Edit ${shortOf(keyOf(link))}`} class="edit"
    onClose=${leave}><form ref=${form} onSubmit=${submit} novalidate>
    <${DialogTitle} onClose=${leave}>Edit <span class="mono">
      ${shortOf(keyOf(link))}</span><//>
    <div class="form"><${LinkForm} draft=${draft} onChange=${change} problems=${problems}
      link=${base} /></div>
    <div class="edit-end">
      ${
        trouble &&
        html`<div class="edit-trouble" role="alert"><p class="problem">
        ${trouble.text}</p>${
          trouble.lines &&
          html`<ul>
          ${trouble.lines.map((line) => html`<li key=${line}>${line}</li>`)}</ul>`
        }</div>`
      }
      ${
        leaving
          ? html`<p role="alert">Discard your changes?</p>
        <button type="button" class="button" ref=${kept}
          onClick=${stay}>Keep editing</button>
        <button type="button" class="button danger" onClick=${onClose}>Discard</button>`
          : html`<button type="button" class="button" onClick=${leave}>Cancel</button>
        <button class="button primary" aria-busy=${busy}>
          ${trouble?.lines ? "Save again" : "Save"}</button>`
      }
    </div>
  </form><//>`;
}
