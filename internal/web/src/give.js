// The dialog that gives links to another user.
import { useEffect, useRef, useState } from "preact/hooks";
import { Combobox } from "./combobox.js";
import { keyOf, plural, shortOf, visible } from "./format.js";
import { html } from "./html.js";
import { me } from "./me.js";
import { useStore } from "./store.js";
import { Dialog, DialogTitle, Problem } from "./ui.js";
import { learnUsers, ownersOf, users } from "./users.js";

// UserField is a field for an identity. create says that one that there is not yet can be typed.
export function UserField({
  id,
  label,
  text,
  onText,
  except = "",
  placeholder = "Name or email",
  problem = "",
  hint,
  create,
}) {
  const found = useStore(users);
  useEffect(() => {
    learnUsers().catch(() => {}); // what is typed is checked by the server
  }, []);
  const options = ownersOf(found?.filter(({ identity }) => identity !== except));
  return html`<label for=${id}>${label}</label>
    <${Combobox} id=${id} label=${label} class="field" placeholder=${placeholder} text=${text}
      onText=${onText} options=${options} create=${create} onChoose=${onText}
      aria-invalid=${Boolean(problem)}
      aria-describedby=${problem ? `${id}-problem` : hint && `${id}-hint`} />
    <${Problem} id=${id} text=${problem} />
    ${!problem && hint && html`<p id=${`${id}-hint`} class="hint">${hint}</p>`}`;
}

// Give asks to whom; onGive gives the links.
export function Give({ links, onGive, onClose }) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const form = useRef();
  const [first] = links;
  const owners = new Set(links.map((link) => link.created_by ?? me.get().identity));
  const what = links.length === 1 ? shortOf(keyOf(first)) : plural(links.length, "link", "links");
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    if (!text.trim()) {
      setProblem("Choose somebody.");
      return form.current.querySelector("input").focus();
    }
    setBusy(true);
    try {
      await onGive(text.trim());
      onClose();
    } catch (error) {
      setProblem(
        error.status === 412
          ? "Not given: someone else edited the link. Try again."
          : error.message,
      );
      setBusy(false);
    }
  };
  return html`<${Dialog} label=${`Give ${what}`} class="ask" onClose=${onClose}><form ref=${form}
    onSubmit=${submit} novalidate>
    <${DialogTitle} onClose=${onClose}>Give <span class=${links.length === 1 ? "mono" : ""}>
      ${visible(what)}</span><//>
    <${UserField} id="give-to" label="Give to" text=${text} problem=${problem}
      except=${owners.size === 1 ? [...owners][0] : ""}
      hint="The short URL works as before, and its statistics go along. Clicks so far stay in the
        overview of whom they were counted for."
      onText=${(next) => {
        setText(next);
        setProblem("");
      }} />
    <div class="buttons"><button type="button" class="button" onClick=${onClose}>Cancel</button>
      <button class="button primary" aria-busy=${busy}>Give</button></div>
  </form><//>`;
}
