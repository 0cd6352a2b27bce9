// Rows of a panel that are one tab stop: arrow keys reach the others.
import { useRef, useState } from "preact/hooks";

// useRows returns what the element around the rows needs, and tabIndex, which is 0 for the row that
// Tab reaches. A row has data-row with its key, and begins with what gets the focus; an arrow to
// the right reaches the button behind that, if there is one.
export function useRows(keys) {
  const ref = useRef();
  const [reached, setReached] = useState(null);
  const stop = keys.includes(reached) ? reached : keys[0];
  const rowOf = (element) => element.closest("[data-row]");
  const press = (event) => {
    const rows = [...ref.current.querySelectorAll("[data-row]")],
      row = rowOf(event.target),
      at = rows.indexOf(row);
    const to = {
      ArrowUp: rows[at - 1]?.firstElementChild,
      ArrowDown: rows[at + 1]?.firstElementChild,
      Home: rows[0]?.firstElementChild,
      End: rows.at(-1)?.firstElementChild,
      ArrowRight: row?.lastElementChild,
      ArrowLeft: row?.firstElementChild,
    }[event.key];
    if (!to || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    to.focus();
  };
  return {
    rows: {
      ref,
      role: "toolbar",
      "aria-orientation": "vertical",
      onKeyDown: press,
      onfocusin: (event) => setReached(rowOf(event.target)?.dataset.row ?? null),
    },
    tabIndex: (key) => (key === stop ? 0 : -1),
  };
}
