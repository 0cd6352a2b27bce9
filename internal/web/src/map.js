// A map of the world by clicks. The list below it has the same data in words, and is accessible by
// keyboard.
import { useMemo, useState } from "preact/hooks";
import { countries, height, width } from "world";
import { count, countryName, flag, share } from "./format.js";
import { html } from "./html.js";

export function WorldMap({ counts, total, picked: { only, not }, onToggle }) {
  const [hover, setHover] = useState(null); // {code, left, top, side}
  const shapes = useMemo(() => {
    const known = Object.entries(counts).filter(([code]) => code !== "XX");
    const highest = Math.max(...known.map(([, clicks]) => clicks), 1);
    // Square root: beside the country with the most clicks, all others would look the same.
    const level = (clicks) => (clicks ? Math.ceil(6 * Math.sqrt(clicks / highest)) : 0);
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
      aria-label="World map of clicks; same data in the list below" onClick=${choose}>
      ${shapes}</svg>
    ${
      hover &&
      html`<div class="tip" data-side=${hover.side}
      style=${{ left: `${hover.left}px`, top: `${hover.top}px` }}>
      <span>${flag(hover.code)} ${countryName(hover.code)}</span>
      <b>${count(counts[hover.code] ?? 0)} <span class="quiet">
        ${share(counts[hover.code] ?? 0, total)}</span></b></div>`
    }
  </div>`;
}
