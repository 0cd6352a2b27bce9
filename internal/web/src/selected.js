// Actions on the selected links.
import { useEffect, useRef, useState } from "preact/hooks";
import { archive, these, update } from "./changes.js";
import { Chips } from "./chips.js";
import { isDeleted, remove } from "./deletions.js";
import { asTag } from "./draft.js";
import { count, visible } from "./format.js";
import { html } from "./html.js";
import { part } from "./lazy.js";
import { all, list } from "./list.js";
import { isAdmin, me } from "./me.js";
import { Give } from "./give.js";
import { choose, clear, maxSelected } from "./selection.js";
import { useStore } from "./store.js";
import { known, learn, optionsOf } from "./tags.js";
import { Dialog, DialogTitle, IconButton, say, tell } from "./ui.js";

const qrCodes = part(() => import("./qrcodes.js"));

const unasked = 20; // links that are deleted without a question: about as many as one sees

// Selection acts on the selected links, which stay selected for the next action. total is the
// number of those that match; if it is a lower bound, there may be any number of them, until all
// have been selected.
export function Selection({ links, total, isLowerBound, onClear }) {
  const [dialog, setDialog] = useState(""); // "tag", "give" or "delete"
  const [whole, setWhole] = useState({}); // {query, n}: all that match a query
  const [busy, setBusy] = useState(false);
  const bar = useRef();
  const run = async (act) => {
    if (busy) return;
    setBusy(true);
    try {
      await act();
    } catch (error) {
      tell(`Not changed: ${error.message}`);
    } finally {
      setBusy(false);
    }
  };
  const allDisabled = links.every((link) => link.disabled);
  const disable = () =>
    run(() =>
      update(
        links,
        () => ({ disabled: allDisabled ? null : true }),
        `${these(links.length)} ${allDisabled ? "enabled" : "disabled"}`,
      ),
    );
  const drop = () => {
    const fits = links.filter(remove).length;
    say(`${these(fits)} deleted. Press Z to undo.`);
    if (fits < links.length) tell("Too many deletes at once. Wait ten seconds.");
    else clear();
  };
  const ask = () => (links.length > unasked ? setDialog("delete") : drop());
  const known = whole.query === list.get().query ? whole.n : isLowerBound ? undefined : total;
  const most = Math.min(known ?? maxSelected, maxSelected);
  const selectAll = () =>
    run(async () => {
      const { query } = list.get(),
        found = await all(maxSelected);
      if (list.get().query !== query) return; // another list was opened meanwhile
      choose(new Map([...found].filter(([key]) => !isDeleted(key))));
      if (found.size < maxSelected) setWhole({ query, n: found.size });
      say(`${these(found.size)} selected`);
      requestAnimationFrame(() => bar.current?.querySelector("button").focus()); // this one is gone
    });
  const download = () =>
    run(async () => {
      const { downloadCodes } = await qrCodes();
      await downloadCodes(links);
    });
  return html`<section ref=${bar} class="selection" aria-label="Selected links" aria-busy=${busy}>
    <p role="status"><b>${count(links.length)}</b> selected${
      known === undefined && ` of more than ${count(Math.max(total, links.length))}`
    }</p>
    ${
      most > links.length &&
      html`<button type="button" class="button" onClick=${selectAll}>${
        known === undefined
          ? `Select all, at most ${count(most)}`
          : `Select ${most < known ? "the first" : "all"} ${count(most)}`
      }</button>`
    }
    <button type="button" class="button" onClick=${() => setDialog("tag")}>Tag</button>
    <button type="button" class="button" onClick=${disable}>
      ${allDisabled ? "Enable" : "Disable"}</button>
    <button type="button" class="button" onClick=${() => run(() => archive(links))}>
      ${links.every((link) => link.archived) ? "Unarchive" : "Archive"}</button>
    <button type="button" class="button" onClick=${download}>QR codes</button>
    ${
      isAdmin() &&
      me.get().others &&
      html`<button type="button" class="button" onClick=${() => setDialog("give")}>Give</button>`
    }
    <button type="button" class="button danger" onClick=${ask}>Delete</button>
    <${IconButton} icon="close" label="Clear the selection" onClick=${onClear} />
    ${
      dialog === "delete" &&
      html`<${DeleteDialog} links=${links} onClose=${() => setDialog("")}
      onDelete=${() => {
        setDialog("");
        drop();
      }} />`
    }
    ${
      dialog === "give" &&
      html`<${Give} links=${links} onClose=${() => setDialog("")} onGive=${(owner) =>
        update(links, () => ({ owner }), `${these(links.length)} given to ${owner}`)} />`
    }
    ${
      dialog === "tag" &&
      html`<${TagDialog} links=${links} onClose=${() => setDialog("")}
      onApply=${(act) => {
        setDialog("");
        run(act);
      }} />`
    }
  </section>`;
}

// DeleteDialog asks before many links are deleted.
const DeleteDialog = ({ links, onClose, onDelete }) => {
  const title = `Delete ${these(links.length)}?`;
  return html`<${Dialog} label=${title} onClose=${onClose}>
    <${DialogTitle} onClose=${onClose}>${title}<//>
    <p>Their short URLs stop working, and their statistics are deleted.</p>
    <div class="buttons"><button type="button" class="button" data-focus=${true} onClick=${onClose}>
      Keep them</button>
      <button type="button" class="button danger" onClick=${onDelete}>Delete</button></div>
  <//>`;
};

const fold = (tag) => tag.toLowerCase();

// TagDialog adds tags to all links, and removes tags that some of them have.
function TagDialog({ links, onClose, onApply }) {
  const options = useStore(known);
  const [added, setAdded] = useState([]);
  const [text, setText] = useState(""); // text in the field that is not a tag yet
  const [removed, setRemoved] = useState([]);
  useEffect(() => {
    learn();
  }, []);
  const there = [...new Set(links.flatMap((link) => link.tags ?? []))].sort();
  const submit = (event) => {
    event.preventDefault();
    if (text.trim()) return; // the field shows what is wrong
    if (!added.length && !removed.length) return onClose();
    onApply(() =>
      update(
        links,
        (link) => {
          const kept = (link.tags ?? []).filter((tag) => !removed.includes(tag));
          const more = added.filter((tag) => !kept.some((old) => fold(old) === fold(tag)));
          const tags = [...kept, ...more];
          return { tags: tags.length ? tags : null };
        },
        added.length ? `${these(links.length)} tagged` : `Tags of ${these(links.length)} changed`,
      ).then(() => learn(true)),
    );
  };
  const toggle = (tag) =>
    setRemoved(
      removed.includes(tag) ? removed.filter((other) => other !== tag) : [...removed, tag],
    );
  return html`<${Dialog} label="Tag links" onClose=${onClose}><form onSubmit=${submit}>
    <${DialogTitle} onClose=${onClose}>Tag ${these(links.length)}<//>
    <label for="tag-add">Add tags</label>
    <${Chips} id="tag-add" label="Add tags" values=${added} text=${text} parse=${asTag}
      onChange=${(tags, left) => {
        setAdded(tags);
        setText(left);
      }}
      options=${optionsOf(options)} create=${true} placeholder="newsletter" />
    ${
      there.length > 0 &&
      html`<fieldset class="take-off"><legend>Remove</legend>
      <span class="toggles">${there.map(
        (tag) => html`<button type="button" key=${tag}
        class="toggle" aria-pressed=${removed.includes(tag)} onClick=${() => toggle(tag)}>
        ${visible(tag)}</button>`,
      )}</span></fieldset>`
    }
    <div class="buttons"><button type="button" class="button" onClick=${onClose}>Cancel</button>
      <button class="button primary">Apply</button></div>
  </form><//>`;
}
