// The rules of a link: in words, in a changeable order, with a trial.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { ruleProblems, withID } from "./draft.js";
import { urlParts, visible } from "./format.js";
import { html } from "./html.js";
import { describe } from "./rule.js";
import { RuleForm } from "./ruleform.js";
import { TryIt } from "./tryit.js";
import { Icon, IconButton, say } from "./ui.js";

const maxRules = 20;
const lead = (url) => (url.trim() ? visible(urlParts(url).join("")) : "…");

export function Rules({ id, rules, destination, problems, onChange }) {
  const [open, setOpen] = useState(0); // id of the rule being edited
  const list = useRef();
  // An invalid rule is opened, so that its errors appear beside their fields.
  const wrong = rules.find((_, i) => Object.keys(ofRule(problems, i)).length > 0)?.id;
  useLayoutEffect(() => {
    if (wrong) setOpen(wrong);
  }, [problems]);
  const add = () => {
    const taken = rules.map((rule) => rule.name);
    let n = rules.length + 1;
    while (taken.includes(`rule-${n}`)) n++;
    const rule = withID({ name: `rule-${n}`, when: {}, url: "" });
    onChange([...rules, rule]);
    setOpen(rule.id);
    requestAnimationFrame(() =>
      list.current?.querySelector(".rule-form input, .rule-form select")?.focus(),
    );
  };
  const change = (next) => onChange(rules.map((rule) => (rule.id === next.id ? next : rule)));
  const remove = (i) => {
    say(`Removed rule ${i + 1}`);
    onChange(rules.filter((_, other) => other !== i));
    requestAnimationFrame(() => list.current?.querySelector(".rule-add")?.focus());
  };
  const dragging = useDragging(list, rules, onChange);
  return html`<div class="rules" ref=${list}>
    ${
      rules.length > 0 &&
      html`<ol>${rules.map(
        (rule, i) => html`<${Rule} key=${rule.id} id=${id}
      rule=${rule} index=${i} of=${rules.length} rules=${rules} dragging=${dragging}
      open=${open === rule.id} problem=${problems[`rules[${i}]`]}
      problems=${ofRule(problems, i)} onChange=${change}
      onOpen=${() => setOpen(open === rule.id ? 0 : rule.id)} onRemove=${() => remove(i)} />`,
      )}
    </ol>`
    }
    <div class="rules-end"><span class="quiet">${
      rules.length ? "Else → the destination" : "Everyone goes to the destination."
    }</span>
      ${
        rules.length < maxRules &&
        html`<button type="button" class="text-button rule-add"
        onClick=${add}><${Icon} name="add" />Add a rule</button>`
      }</div>
    ${
      rules.length > 0 &&
      html`<${TryIt} id=${`${id}-try`} rules=${rules}
      destination=${destination} />`
    }
  </div>`;
}

// ofRule returns the errors of a rule's fields, by field.
function ofRule(problems, i) {
  const start = `rules[${i}].`;
  return Object.fromEntries(
    Object.entries(problems)
      .filter(([name]) => name.startsWith(start))
      .map(([name, message]) => [name.slice(start.length), message]),
  );
}

// soon returns the errors in what was typed. Errors about missing input can wait until the rule is
// closed or saved.
const soon = (rule, found) =>
  Object.fromEntries(
    Object.entries(found).filter(
      ([field]) =>
        field === "name" ||
        field === "share" ||
        (field === "url" && rule.url.trim()) ||
        (rule.when?.after && rule.when.before && field === "before"),
    ),
  );

const forAll = ({ when = {}, share }) => Object.keys(when).length === 0 && share === undefined;

function Rule({
  id,
  rule,
  index,
  of,
  rules,
  dragging,
  open,
  problem,
  problems,
  onChange,
  onOpen,
  onRemove,
}) {
  const words = visible(describe(rule, index)),
    found = ruleProblems(rule, rules);
  const [hidden] = open ? [] : Object.values(found);
  const isLast = rules.findIndex(forAll) === index && index + 1 < of;
  return html`<li class="rule" data-dragging=${dragging.id === rule.id} data-id=${rule.id}>
    <div class="rule-line">
      <button type="button" class="icon-button grip"
        aria-label=${`Move rule ${index + 1} of ${of}: ${words}`}
        title="Drag, or press the up or down arrow key" ...${dragging.grip(rule, index)}>
        <${Icon} name="grip" /></button>
      <span class="rule-words">${words} <span class="quiet">→ ${lead(rule.url)}</span>
      </span>
      <${IconButton} icon="edit" label=${`Edit rule ${index + 1}`} aria-expanded=${open}
        onClick=${onOpen} />
      <${IconButton} icon="close" label=${`Remove rule ${index + 1}`} onClick=${onRemove} />
    </div>
    ${
      open &&
      html`<${RuleForm} id=${`${id}-${rule.id}`} rule=${rule} onChange=${onChange}
      problems=${{ ...soon(rule, found), ...problems }} onDone=${onOpen} />`
    }
    ${(problem || hidden) && html`<p class="problem" role="alert">${problem || hidden}</p>`}
    ${
      isLast &&
      html`<p class="rule-warning" role="status"><${Icon} name="alert" />
      The rules below are never reached.</p>`
    }
  </li>`;
}

// useDragging moves rules: with a finger or mouse on the grip, or with the arrow keys.
function useDragging(list, rules, onChange) {
  const [id, setID] = useState(0);
  const latest = useRef();
  latest.current = rules;
  const move = (from, to) => {
    if (to < 0 || to >= latest.current.length || to === from) return;
    const next = [...latest.current];
    next.splice(to, 0, ...next.splice(from, 1));
    onChange(next);
    say(`Rule ${to + 1} of ${next.length}`);
  };
  const indexOf = (rule) => latest.current.findIndex((other) => other.id === rule.id);
  const follow = (event, rule) => {
    const places = [...list.current.querySelectorAll(".rule")].map((e) =>
      e.getBoundingClientRect(),
    );
    const from = indexOf(rule);
    const to = places.findIndex((place, i) =>
      i < from
        ? event.clientY < place.top + place.height / 2
        : i > from &&
          event.clientY > place.top + place.height / 2 &&
          (i + 1 === places.length || event.clientY < places[i + 1].top + places[i + 1].height / 2),
    );
    if (to >= 0) move(from, to);
  };
  const grip = (rule, index) => ({
    onPointerDown: (event) => {
      if (event.button) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setID(rule.id);
    },
    onPointerMove: (event) =>
      event.currentTarget.hasPointerCapture(event.pointerId) && follow(event, rule),
    onPointerUp: () => setID(0),
    onPointerCancel: () => setID(0),
    onKeyDown: (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const button = event.currentTarget;
      move(index, index + step);
      requestAnimationFrame(() => button.focus()); // moving may lose the focus
    },
  });
  return { id, grip };
}
