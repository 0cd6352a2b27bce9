// The switch between people and everybody, with the number of clicks that it is about.
import { count } from "./format.js";
import { html } from "./html.js";

// bots is their number in the range, undefined while it is unknown.
export const People = ({ view: { people, setPeople }, bots }) =>
  html`<label class="check people"><input type="checkbox" checked=${people}
    onChange=${(e) => setPeople(e.target.checked)} /><span>People only</span>
    <span class="people-bots">${
      bots !== undefined && `· ${count(bots)} by bots ${people ? "left out" : "counted"}`
    }</span></label>`;
