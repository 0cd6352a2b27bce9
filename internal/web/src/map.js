// A map of the world by what is counted. The list below it has the same data in words, and is
// accessible by keyboard.
import { useMemo, useState } from "preact/hooks";
import { countries, height, width } from "world";
import { countryName, flag, share } from "./format.js";
import { html } from "./html.js";

// Without a measure it is a placeholder.
export function WorldMap({ counts, total, measure, picked: { only, not }, onToggle }) {
  const [hover, setHover] = useState(null); // {code, left, top, side}
  const shapes = useMemo(() => {
    const known = Object.entries(counts).filter(([code]) => code !== "XX");
    const highest = Math.max(...known.map(([, number]) => number), 1);
    // Square root: beside the country with the most, all others would look the same.
    const level = (number) => (number ? Math.ceil(6 * Math.sqrt(number / highest)) : 0);
    return Object.entries(countries).map(
      ([code, path]) =>
        html`<path key=${code} data-code=${code} data-level=${level(counts[code])}
        data-chosen=${only.includes(code)} data-not=${not.includes(code)}
        data-dot=${path.includes("a")} d=${path} />`,
    );
  }, [counts, only.join(), not.join()]);
  const move = (event) => {
    const code = event.target.dataset?.code;
    const box = event.currentTarget.getBoundingClientRect();
    setHover(
      code
        ? {
            code,
            left: event.clientX - box.left,
            top: event.clientY - box.top,
            side: event.clientX - box.left > box.width / 2 ? "left" : "right",
          }
        : null,
    );
  };
  const choose = ({ target: { dataset: { code } = {} }, altKey }) =>
    counts[code] && onToggle(code, altKey || not.includes(code));
  return html`<div class="map" onPointerMove=${move} onPointerLeave=${() => setHover(null)}>
    <svg viewBox=${`0 0 ${width * 10} ${height * 10}`} role="img"
      aria-label=${`World map of ${measure?.many ?? "clicks"}; same data in the list below`}
      onClick=${choose}>
      ${shapes}</svg>
    ${
      hover &&
      measure &&
      html`<div class="tip" data-side=${hover.side}
      style=${{ left: `${hover.left}px`, top: `${hover.top}px` }}>
      <span>${flag(hover.code)} ${countryName(hover.code)}</span>
      <b>${measure.say(counts[hover.code] ?? 0)} <span class="quiet">
        ${share(counts[hover.code] ?? 0, total)}</span></b></div>`
    }
  </div>`;
}
