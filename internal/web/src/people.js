// The switch between people and everybody, with the number of clicks that it is about.
import { count } from "./format.js";
import { html } from "./html.js";

// bots is their number in the range. Where the switch stands at the right edge the style sheet puts
// the number before it, so that it stays in place.
export const People = ({ view: { people, setPeople }, bots }) =>
  html`<label class="check people"><input type="checkbox" checked=${people}
    onChange=${(e) => setPeople(e.target.checked)} /><span>People only</span>${" "}
    ${
      bots > 0 &&
      html`<span>·</span> <span>${count(bots)} by bots ${people ? "left out" : "counted"}</span>`
    }</label>`;
