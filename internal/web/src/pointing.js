// How a chart's points are reached, and parts of it selected: by mouse, finger and keyboard.
import { useEffect, useRef, useState } from "preact/hooks";

// usePointing returns the point that is reached (-1: none), the selected part ([from, to], or
// null), and the handlers that change them. box is the element of the chart, at returns the point
// at a distance from its left, last is the last point. onZoom gets the selected part.
export function usePointing({ box, at, last, interval, onZoom, onReset }) {
  const [hover, setHover] = useState(-1);
  const [drag, setDrag] = useState(null); // {from, to}: indexes
  const by = useRef(""); // input that chose the point: "mouse", "touch", "pen" or "key"
  const selected =
    drag && drag.from !== drag.to
      ? [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)]
      : null;
  const clear = () => {
    setHover(-1);
    setDrag(null);
  };
  const zoom = () => {
    if (selected) onZoom(...selected);
    clear();
  };
  useEffect(clear, [interval, last]); // the point is somewhere else now
  useEffect(() => {
    const elsewhere = (event) =>
      by.current !== "mouse" && !box.current.contains(event.target) && clear();
    document.addEventListener("pointerdown", elsewhere);
    return () => document.removeEventListener("pointerdown", elsewhere);
  }, []);
  const state = { hover, setHover, drag, setDrag, by, selected, clear, zoom };
  return {
    hover,
    selected,
    zoom,
    isByMouse: () => by.current === "mouse",
    pointer: usePointer({ ...state, box, at, onReset }),
    keys: keysOf({ ...state, last, onReset }),
  };
}

function usePointer({ setHover, drag, setDrag, by, selected, clear, zoom, box, at, onReset }) {
  const held = useRef(false);
  const pointAt = (event) => at(event.clientX - box.current.getBoundingClientRect().left);
  return {
    onPointerDown(event) {
      if (event.button !== 0) return;
      by.current = event.pointerType;
      held.current = true;
      event.currentTarget.setPointerCapture(event.pointerId);
      const i = pointAt(event);
      setHover(i);
      setDrag({ from: i, to: i });
    },
    onPointerMove(event) {
      if (event.pointerType !== "mouse" && !held.current) return;
      by.current = event.pointerType;
      const i = pointAt(event);
      setHover(i);
      if (held.current) setDrag({ ...drag, to: i });
    },
    // A mouse zooms into the dragged range. A finger's selection stays, and zooming takes a button,
    // because fingers slip.
    onPointerUp(event) {
      held.current = false;
      if (!selected) setDrag(null);
      else if (event.pointerType === "mouse") zoom();
    },
    onPointerCancel() {
      held.current = false;
      clear();
    },
    onPointerLeave: (event) => event.pointerType === "mouse" && !held.current && clear(),
    onDblClick: () => by.current === "mouse" && onReset(),
  };
}

// By keyboard the chart is a slider over its points; Shift selects a range, and Enter zooms into
// it.
const keysOf = ({ hover, setHover, drag, setDrag, by, clear, zoom, last, onReset }) => ({
  onKeyDown(event) {
    const from = hover < 0 ? last : hover,
      page = Math.max(1, Math.round(last / 10));
    const to = {
      ArrowLeft: from - (hover < 0 ? 0 : 1),
      ArrowRight: from + 1,
      ArrowDown: from - 1,
      ArrowUp: from + 1,
      PageDown: from - page,
      PageUp: from + page,
      Home: 0,
      End: last,
    }[event.key];
    if (to !== undefined) {
      const i = Math.min(last, Math.max(0, to));
      by.current = "key";
      setHover(i);
      setDrag(event.shiftKey ? { from: drag?.from ?? from, to: i } : null);
    } else if (event.key === "Enter" && drag) zoom();
    else if (event.key === "Escape" && hover >= 0) clear();
    else if (event.key === "Backspace") onReset();
    else return;
    event.preventDefault();
    event.stopPropagation();
  },
  onBlur: () => by.current === "key" && clear(),
});
